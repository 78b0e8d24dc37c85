//! The switch: on or off, at once. Its state is also written beside it.

use egui::accesskit::Role;
use egui::{Color32, CornerRadius, Response, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2};

use super::{Look, faded, interact, paint_focus};
use crate::ui::theme::{CONTROL_HEIGHT, medium, size, space};

const TRACK: Vec2 = Vec2::new(36.0, 20.0);

/// A switch named `name`. The caller flips what it stands for when the response was clicked.
pub fn switch(ui: &mut Ui, look: Look<'_>, salt: &str, name: &str, on: bool, enabled: bool) -> Response {
    let id = ui.make_persistent_id(salt);
    let word = look.text(if on { "switch-on" } else { "switch-off" });
    let galley = ui.painter().layout_no_wrap(word, medium(size::BODY), Color32::PLACEHOLDER);
    // Both words get the same room, so that the switch stays where it is when it is flipped.
    let room = ["switch-on", "switch-off"]
        .map(|key| {
            ui.painter().layout_no_wrap(look.text(key), medium(size::BODY), Color32::PLACEHOLDER).size().x
        })
        .into_iter()
        .fold(0.0, f32::max);
    let wanted = Vec2::new(room + space::S + TRACK.x, CONTROL_HEIGHT);
    let (rect, _) = ui.allocate_exact_size(wanted, Sense::hover());
    let response = interact(ui, rect, id, enabled);
    response.widget_info(|| WidgetInfo::selected(Role::Switch, enabled, on, name));

    let tokens = look.tokens;
    let ink = faded(if on { tokens.accent } else { tokens.text_muted }, enabled);
    let text_at = pos2(rect.left() + room - galley.size().x, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley_with_override_text_color(text_at, galley, ink);

    let track =
        egui::Rect::from_min_size(pos2(rect.right() - TRACK.x, rect.center().y - TRACK.y / 2.0), TRACK);
    let round = CornerRadius::same(10);
    let (fill, stroke, knob) = if on {
        (tokens.accent, Stroke::NONE, tokens.accent_text)
    } else {
        (tokens.surface_raised, Stroke::new(1.5, tokens.line), tokens.line)
    };
    let stroke = Stroke::new(stroke.width, faded(stroke.color, enabled));
    ui.painter().rect(track, round, faded(fill, enabled), stroke, StrokeKind::Inside);
    let x = if on { track.right() - 10.0 } else { track.left() + 10.0 };
    let size = if on { 7.0 } else { 5.5 };
    ui.painter().circle_filled(pos2(x, track.center().y), size, faded(knob, enabled));
    paint_focus(ui, &response, track, 10, look);
    response
}
