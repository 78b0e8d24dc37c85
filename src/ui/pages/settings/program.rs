//! What closing the window means, the way to end the program, and a report for whoever is asked for help.

use egui::Ui;

use crate::core::{Command, Snapshot};
use crate::ui::app::PRODUCT;
use crate::ui::theme::space;
use crate::ui::widgets::{Answer, Button, CheckBox, Look, Question, card, heading, muted};

/// Draws the card. `asked` is whether the person is being asked about ending the program.
pub(super) fn show(ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, asked: &mut bool) -> Option<Command> {
    let mut command = None;
    card(ui, look, "program", &look.text("program-title"), |ui| {
        ui.spacing_mut().item_spacing.y = space::S;
        heading(ui, look, look.text("program-title"));
        let keep = CheckBox::new("keep-running", look.text("keep-running"), snapshot.keep_running)
            .note(look.text("keep-running-help"));
        if keep.show(ui, look).clicked() {
            command = Some(Command::SetKeepRunning { keep: !snapshot.keep_running });
        }
        if let Some(on) = snapshot.autostart {
            let start =
                CheckBox::new("autostart", look.text("autostart"), on).note(look.text("autostart-help"));
            if start.show(ui, look).clicked() {
                command = Some(Command::SetAutostart { on: !on });
            }
        }
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = space::S;
            if Button::new("report", look.text("copy-report")).show(ui, look).clicked() {
                ui.ctx().copy_text(report(snapshot));
            }
            if Button::new("quit", look.text("quit")).show(ui, look).clicked() {
                *asked = true;
            }
        });
        muted(ui, look, look.text("copy-report-help"));
    });
    if *asked {
        let question = Question {
            id: "quit",
            title: look.text("quit-question"),
            text: look.text("quit-loses"),
            yes: look.text("quit-now"),
        };
        let answer = question.show(ui.ctx(), look);
        *asked = answer.is_none();
        if answer == Some(Answer::Yes) {
            command = Some(Command::Shutdown);
        }
    }
    command
}

/// The state of everything, for somebody who is to find out what is wrong. A snapshot holds no secret; what is being
/// asked holds text of notes, which is nobody else's.
fn report(snapshot: &Snapshot) -> String {
    let system = [PRODUCT, &snapshot.version, std::env::consts::OS, std::env::consts::ARCH];
    let mut shown = snapshot.clone();
    for question in &mut shown.approvals.questions {
        (question.change, question.text) = (String::new(), None);
    }
    let state = serde_json::to_string_pretty(&shown).unwrap_or_default();
    format!("{}\n\n{state}\n", system.join(" "))
}
