//! A check box with its words, and a line below for what there is to know about it.

use egui::accesskit::Role;
use egui::{CornerRadius, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2};

use super::label::laid_out;
use super::{Look, faded, interact, paint_focus};
use crate::ui::icons::Icon;
use crate::ui::theme::{regular, size, space};

pub(super) const BOX: f32 = 16.0;

/// A check box. The caller flips what it stands for when the response was clicked.
#[derive(Debug)]
#[must_use]
pub struct CheckBox<'a> {
    salt: &'a str,
    text: String,
    checked: bool,
    note: Option<String>,
    enabled: bool,
}

impl<'a> CheckBox<'a> {
    pub fn new(salt: &'a str, text: impl Into<String>, checked: bool) -> Self {
        Self { salt, text: text.into(), checked, note: None, enabled: true }
    }

    /// What is said below the words, for example why the box cannot be worked.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    pub fn show(self, ui: &mut Ui, look: Look<'_>) -> Response {
        let id = ui.make_persistent_id(self.salt);
        let tokens = look.tokens;
        let width = (ui.available_width() - BOX - space::S).max(80.0);
        let text = laid_out(ui, &self.text, regular(size::BODY), width);
        let note = self.note.as_ref().map(|note| laid_out(ui, note, regular(size::SECONDARY), width));
        let wide = note.as_ref().map_or(0.0, |note| note.size().x).max(text.size().x);
        let high = text.size().y + note.as_ref().map_or(0.0, |note| note.size().y + 2.0);
        let wanted = Vec2::new(BOX + space::S + wide, high.max(BOX) + space::S);
        let (rect, _) = ui.allocate_exact_size(wanted, Sense::hover());
        let response = interact(ui, rect, id, self.enabled);
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, self.enabled, self.checked, &self.text));
        if let Some(note) = self.note {
            ui.ctx().accesskit_node_builder(id, |node| node.set_description(note));
        }

        let top = rect.top() + space::XS;
        let square =
            Rect::from_min_size(pos2(rect.left(), top + (text.size().y - BOX) / 2.0), Vec2::splat(BOX));
        paint(ui, look, square, self.checked, response.hovered(), self.enabled);
        let left = square.right() + space::S;
        let below = top + text.size().y + 2.0;
        // What cannot be worked still has to be read, so its words are muted and not faded.
        let ink = if self.enabled { tokens.text } else { tokens.text_muted };
        ui.painter().galley_with_override_text_color(pos2(left, top), text, ink);
        if let Some(note) = note {
            ui.painter().galley_with_override_text_color(pos2(left, below), note, tokens.text_muted);
        }
        paint_focus(ui, &response, square, 4, look);
        response
    }
}

/// The box itself.
pub(super) fn paint(ui: &Ui, look: Look<'_>, square: Rect, checked: bool, hovered: bool, enabled: bool) {
    let (tokens, corner) = (look.tokens, CornerRadius::same(4));
    if checked {
        ui.painter().rect_filled(square, corner, faded(tokens.accent, enabled));
        Icon::Check.paint(ui.painter(), square.shrink(2.0), tokens.accent_text);
    } else {
        let edge = if hovered { tokens.text_muted } else { tokens.line };
        let stroke = Stroke::new(1.0, faded(edge, enabled));
        ui.painter().rect(square, corner, tokens.surface, stroke, StrokeKind::Inside);
    }
}
