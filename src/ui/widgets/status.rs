//! What came of something, where it was asked for; a screen reader hears it once.

use egui::accesskit::{Live, Role};
use egui::{Color32, Id, Label, RichText, Ui, UiBuilder};

use super::Look;
use super::label::paint_icon;
use crate::ui::icons::Icon;
use crate::ui::theme::{CONTROL_HEIGHT, medium, regular, size, space};

/// The height of a status of one line, in points.
const LINE: f32 = 19.0;

/// What a status means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Nothing of note; without an icon.
    Plain,
    Waiting,
    Success,
    Warning,
    Danger,
}

impl Tone {
    pub fn colour(self, look: Look<'_>) -> Color32 {
        match self {
            Self::Plain => look.tokens.text_muted,
            Self::Waiting => look.tokens.info,
            Self::Success => look.tokens.success,
            Self::Warning => look.tokens.warning,
            Self::Danger => look.tokens.danger,
        }
    }

    pub fn icon(self) -> Icon {
        match self {
            Self::Plain => Icon::Info,
            Self::Waiting => Icon::Waiting,
            Self::Success => Icon::Success,
            Self::Warning => Icon::Warning,
            Self::Danger => Icon::Danger,
        }
    }
}

/// A polite announcement. Call it in every frame, with an empty text when there is nothing to say:
/// the node stays, so that only a change of its text is read out.
pub fn status(ui: &mut Ui, look: Look<'_>, id: &str, tone: Tone, text: &str) {
    live(ui, look, id, tone, text, Role::Status, Live::Polite);
}

/// Puts a status into the middle of a line of buttons.
pub fn in_the_middle(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ui.vertical(|ui| {
        ui.add_space((CONTROL_HEIGHT - LINE) / 2.0);
        add(ui);
    });
}

/// An error that interrupts. Same rule as [`status`].
pub fn alert(ui: &mut Ui, look: Look<'_>, id: &str, text: &str) {
    live(ui, look, id, Tone::Danger, text, Role::Alert, Live::Assertive);
}

/// What is seen already, said to a screen reader when it changes. Same rule as [`status`].
pub(super) fn announce(ui: &Ui, id: Id, text: &str) {
    let nowhere = egui::Rect::from_min_size(ui.max_rect().min, egui::Vec2::ZERO);
    let response = ui.interact(nowhere, id, egui::Sense::hover());
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(Role::Status);
        node.set_label(text);
        node.set_live(Live::Polite);
        node.set_live_atomic();
    });
}

fn live(ui: &mut Ui, look: Look<'_>, id: &str, tone: Tone, text: &str, role: Role, live: Live) {
    // Live is set on the words' own node: on a scope around them it would be read twice.
    ui.scope_builder(UiBuilder::new().scope_id(Id::unique(("live", id))), |ui| {
        ui.horizontal_top(|ui| {
            ui.set_min_height(LINE);
            ui.spacing_mut().item_spacing.x = space::S;
            let quiet = tone == Tone::Plain;
            if !text.is_empty() && !quiet {
                paint_icon(ui, tone.icon(), tone.colour(look));
            }
            let font = if quiet { regular(size::SECONDARY) } else { medium(size::BODY) };
            let shown = RichText::new(text).font(font).color(tone.colour(look));
            let builder = UiBuilder::new().scope_id(Id::unique(("live-text", id)));
            ui.scope_builder(builder, |ui| {
                let response = ui.add(Label::new(shown).wrap());
                ui.ctx().accesskit_node_builder(response.id, |node| {
                    node.set_role(role);
                    node.set_label(text);
                    node.set_live(live);
                    node.set_live_atomic();
                });
            });
        });
    });
}
