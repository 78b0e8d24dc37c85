//! Sessions whose questions are refused for a while, and the way to let them ask again.

use egui::Ui;

use super::Held;
use crate::core::{PauseReason, PauseView, Snapshot};
use crate::ui::icons::Icon;
use crate::ui::theme::space;
use crate::ui::widgets::{Button, Look, card, heading, icon_and_text, muted};
use crate::ui::{clock, names};

/// Draws them, if there are any. Gives the one that may ask again.
pub(super) fn show(ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) -> Option<Held> {
    let paused = &snapshot.approvals.paused;
    if paused.is_empty() {
        return None;
    }
    let mut lifted = None;
    card(ui, look, "held-back", &look.text("held-title"), |ui| {
        ui.spacing_mut().item_spacing.y = space::S;
        icon_and_text(ui, Icon::Off, look.tokens.warning, |ui| heading(ui, look, look.text("held-title")));
        for pause in paused {
            let PauseView { runtime, session, reason, ends } = pause;
            let who = names::of_caller(runtime.as_str(), snapshot, look);
            let named = match session {
                Some(session) => {
                    let args = [("who", who.into()), ("session", session.0.as_str().into())];
                    look.texts.with("held-session", args)
                }
                None => who,
            };
            let key = match reason {
                PauseReason::Unanswered => "held-unanswered",
                PauseReason::RefusedAll => "held-refused",
            };
            ui.push_id((runtime.as_str(), session.as_ref().map(|session| session.0.as_str())), |ui| {
                let args = [("who", named.as_str().into()), ("time", clock::at(*ends).into())];
                muted(ui, look, look.texts.with(key, args));
                let name = look.texts.with("lift-of", [("who", named.into())]);
                if Button::new("lift", look.text("lift")).name(name).show(ui, look).clicked() {
                    lifted = Some((runtime.clone(), session.clone()));
                }
            });
        }
    });
    lifted
}
