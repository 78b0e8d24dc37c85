//! Which runtimes are given Obsidian.

use egui::Ui;

use super::super::{Page, kind_name, name_of, why};
use super::ObsidianPage;
use crate::core::{Capability, Command, RuntimeKind, Snapshot};
use crate::ui::icons::Icon;
use crate::ui::link::Link;
use crate::ui::theme::space;
use crate::ui::widgets::{Button, CheckBox, Look, card, heading, icon_and_text, muted};

pub(super) fn show(
    page: &mut ObsidianPage,
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    link: &dyn Link,
) -> Option<Page> {
    let mut goto = None;
    card(ui, look, "assignment", &look.text("assignment-title"), |ui| {
        ui.spacing_mut().item_spacing.y = space::XS;
        heading(ui, look, look.text("assignment-title"));
        muted(ui, look, look.text("assignment-about"));
        ui.add_space(space::XS);
        for runtime in &snapshot.runtimes {
            let assigned = runtime.capabilities.contains(&Capability::Obsidian);
            let salt = format!("assign-{}", runtime.id);
            let mut box_ = CheckBox::new(&salt, name_of(runtime, snapshot, look), assigned);
            match runtime.kind.supports(Capability::Obsidian) {
                Ok(()) => box_ = box_.enabled(page.change.is_none()),
                Err(reason) => {
                    box_ = box_
                        .enabled(assigned)
                        .note(look.texts.with("unavailable-why", [("why", why(reason, look).into())]))
                }
            }
            if box_.show(ui, look).clicked() {
                let (capability, runtime) = (Capability::Obsidian, runtime.id.clone());
                page.ask(link, Command::SetAssignment { capability, runtime, assigned: !assigned });
            }
        }
        if snapshot.runtimes.is_empty() {
            muted(ui, look, look.text("assignment-none"));
            if Button::new("add-runtime", look.text("add-runtime")).icon(Icon::Plus).show(ui, look).clicked()
            {
                goto = Some(Page::Runtimes);
            }
        }
        for kind in RuntimeKind::ALL {
            let Err(reason) = kind.supports(Capability::Obsidian) else { continue };
            if snapshot.runtimes.iter().any(|runtime| runtime.kind == kind) {
                continue;
            }
            ui.push_id(kind.as_str(), |ui| {
                icon_and_text(ui, Icon::Off, look.tokens.text_muted, |ui| {
                    let name = kind_name(kind, look);
                    let text = look
                        .texts
                        .with("kind-unavailable", [("name", name.into()), ("why", why(reason, look).into())]);
                    muted(ui, look, text)
                });
            });
        }
    });
    goto
}
