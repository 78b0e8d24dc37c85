//! What a page shows when it has nothing to show: what it is for, and the one button that starts it.

use egui::{Response, Sense, Ui, Vec2};

use super::label::{muted, strong};
use super::{Button, Kind, Look};
use crate::ui::icons::Icon;
use crate::ui::theme::space;

pub fn empty_state(
    ui: &mut Ui,
    look: Look<'_>,
    icon: Icon,
    title: String,
    text: String,
    button: (&str, String),
) -> Response {
    ui.vertical_centered(|ui| {
        ui.add_space(space::L);
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(28.0), Sense::hover());
        icon.paint(ui.painter(), rect, look.tokens.text_muted);
        strong(ui, look, title);
        muted(ui, look, text);
        ui.add_space(space::XS);
        let response = Button::new(button.0, button.1).kind(Kind::Primary).icon(Icon::Plus).show(ui, look);
        ui.add_space(space::L);
        response
    })
    .inner
}
