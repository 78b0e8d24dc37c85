//! A card: things that belong together, on a ground of their own.

use egui::accesskit::Role;
use egui::{CornerRadius, Frame, Id, Margin, Stroke, Ui, UiBuilder};

use super::Look;
use crate::ui::theme::{radius, space};

/// A card as wide as there is room, named for screen readers.
pub fn card<R>(ui: &mut Ui, look: Look<'_>, id: &str, name: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    let builder = UiBuilder::new()
        .scope_id(Id::unique(("card", id)))
        .accessibility_role(Role::Region)
        .accessibility_label(name);
    let margin = Margin::same(space::L as i8);
    ui.scope_builder(builder, |ui| {
        Frame::new()
            .fill(look.tokens.surface)
            .stroke(Stroke::new(1.0, look.tokens.line_soft))
            .corner_radius(CornerRadius::same(radius::CARD))
            .inner_margin(margin)
            .show(ui, |ui| {
                ui.take_available_width();
                add(ui)
            })
            .inner
    })
    .inner
}

/// The ground of a text that stands by itself: a key, a change, what a call says.
pub fn text_frame(look: Look<'_>) -> Frame {
    Frame::new()
        .fill(look.tokens.surface_raised)
        .stroke(Stroke::new(1.0, look.tokens.line_soft))
        .corner_radius(CornerRadius::same(radius::CONTROL))
        .inner_margin(Margin::symmetric(10, 6))
}
