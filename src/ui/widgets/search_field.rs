//! A field to search in: no label above it, and a way to empty it.

use egui::accesskit::Role;
use egui::{
    CornerRadius, Frame, Id, Key, Margin, Rect, RichText, Stroke, TextEdit, Ui, UiBuilder, Vec2, WidgetInfo,
    pos2, vec2,
};

use super::{Look, interact, keep_in_sight, paint_focus};
use crate::ui::icons::Icon;
use crate::ui::theme::{self, radius, regular, size};

/// Room for the icon at the left, in points.
const ICON_ROOM: i8 = 28;

/// A search field. Escape and the button at its right empty it.
#[derive(Debug)]
#[must_use]
pub struct SearchField {
    id: Id,
    name: String,
    hint: String,
    width: f32,
}

impl SearchField {
    /// `name` is what a screen reader calls it, `hint` what stands in it while it is empty.
    pub fn new(id: Id, name: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { id, name: name.into(), hint: hint.into(), width: f32::INFINITY }
    }

    /// The greatest width, in points.
    pub fn width(mut self, width: f32) -> Self {
        self.width = width;
        self
    }

    /// Whether the text was changed.
    pub fn show(self, ui: &mut Ui, look: Look<'_>, text: &mut String) -> bool {
        let width = self.width.min(ui.available_width());
        let builder = UiBuilder::new().scope_id(self.id.with("field"));
        ui.scope_builder(builder, |ui| {
            let (changed, left) = self.input(ui, look, text, width);
            // Escape takes the focus away before anybody sees it.
            let emptied = left && ui.input(|input| input.key_pressed(Key::Escape));
            let cleared = !text.is_empty() && (self.clear(ui, look) || emptied);
            if cleared {
                text.clear();
                ui.memory_mut(|memory| memory.request_focus(self.id));
            }
            changed || cleared
        })
        .inner
    }

    /// Whether the text was changed, and whether the field was left.
    fn input(&self, ui: &mut Ui, look: Look<'_>, text: &mut String, width: f32) -> (bool, bool) {
        let tokens = look.tokens;
        let focused = ui.memory(|memory| memory.has_focus(self.id));
        let stroke = if focused { Stroke::new(2.0, tokens.focus) } else { Stroke::new(1.0, tokens.line) };
        let frame = Frame::new()
            .fill(tokens.surface)
            .stroke(stroke)
            .corner_radius(CornerRadius::same(radius::CONTROL))
            .inner_margin(Margin { left: ICON_ROOM, right: ICON_ROOM, top: 0, bottom: 0 })
            // The outline grows inwards, so that nothing moves when the field gets the focus.
            .outer_margin(Margin::same(if focused { 0 } else { 1 }));
        let edit = TextEdit::singleline(text)
            .id(self.id)
            .font(regular(size::BODY))
            .frame(frame)
            .align(egui::Align2::LEFT_CENTER)
            .min_size(Vec2::new(0.0, theme::CONTROL_HEIGHT))
            .desired_width(width)
            .hint_text(RichText::new(&self.hint).color(tokens.text_muted));
        let response = ui.add(edit).accessible_name(&self.name);
        keep_in_sight(&response);
        ui.ctx().accesskit_node_builder(self.id, |node| node.set_role(Role::SearchInput));
        let centre = pos2(response.rect.left() + 15.0, response.rect.center().y);
        let square = Rect::from_center_size(centre, Vec2::splat(14.0));
        Icon::Search.paint(ui.painter(), square, tokens.text_muted);
        (response.changed(), response.lost_focus())
    }

    /// The button that empties the field, inside it. Whether it was pressed.
    fn clear(&self, ui: &Ui, look: Look<'_>) -> bool {
        let field = ui.min_rect();
        let centre = pos2(field.right() - 16.0, field.center().y);
        let rect = Rect::from_center_size(centre, Vec2::splat(22.0));
        let response = interact(ui, rect, self.id.with("clear"), true);
        let name = look.texts.with("search-clear", [("name", self.name.as_str().into())]);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let ink = if response.hovered() { look.tokens.text } else { look.tokens.text_muted };
        for cross in [vec2(4.0, 4.0), vec2(4.0, -4.0)] {
            ui.painter().line_segment([centre - cross, centre + cross], Stroke::new(1.5, ink));
        }
        paint_focus(ui, &response, rect.shrink(3.0), radius::CONTROL, look);
        response.on_hover_text(name).clicked()
    }
}
