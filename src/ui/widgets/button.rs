//! Buttons: one primary action a form, secondary ones beside it, dangerous ones apart.

use egui::accesskit::Role;
use egui::{Color32, CornerRadius, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};

use super::{Look, faded, interact, paint_focus};
use crate::ui::icons::Icon;
use crate::ui::theme::{self, medium, radius, size, space};

/// How much a button asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// The one thing that a form is for.
    Primary,
    #[default]
    Secondary,
    /// Something is lost by it.
    Danger,
    /// Beside other things, without an outline.
    Quiet,
}

/// A button. Its id comes from `salt`, not from its words or its place.
#[derive(Debug)]
#[must_use]
pub struct Button<'a> {
    salt: &'a str,
    text: String,
    name: Option<String>,
    kind: Kind,
    icon: Option<Icon>,
    enabled: bool,
}

impl<'a> Button<'a> {
    pub fn new(salt: &'a str, text: impl Into<String>) -> Self {
        Self { salt, text: text.into(), name: None, kind: Kind::Secondary, icon: None, enabled: true }
    }

    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    pub fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// A fuller name for screen readers, where the words beside the button would be missed.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    pub fn show(self, ui: &mut Ui, look: Look<'_>) -> Response {
        let id = ui.make_persistent_id(self.salt);
        let galley = ui.painter().layout_no_wrap(self.text.clone(), medium(size::BODY), Color32::PLACEHOLDER);
        let icon_side = if self.icon.is_some() { 14.0 } else { 0.0 };
        let gap = if self.icon.is_some() && !self.text.is_empty() { 6.0 } else { 0.0 };
        let pad = if self.kind == Kind::Quiet || self.text.is_empty() { space::S } else { space::M };
        let width = galley.size().x + icon_side + gap + 2.0 * pad;
        let (rect, _) = ui.allocate_exact_size(Vec2::new(width, theme::CONTROL_HEIGHT), Sense::hover());
        let response = interact(ui, rect, id, self.enabled);
        let name = self.name.unwrap_or(self.text);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, self.enabled, &name));

        let hovered = self.enabled && (response.hovered() || response.is_pointer_button_down_on());
        let (fill, stroke, ink) = colours(self.kind, hovered, look);
        let (fill, ink) = (faded(fill, self.enabled), faded(ink, self.enabled));
        let stroke = Stroke::new(stroke.width, faded(stroke.color, self.enabled));
        let corner = CornerRadius::same(radius::CONTROL);
        ui.painter().rect(rect, corner, fill, stroke, StrokeKind::Inside);
        if let Some(icon) = self.icon {
            let left = egui::pos2(rect.left() + pad, rect.center().y - icon_side / 2.0);
            icon.paint(ui.painter(), Rect::from_min_size(left, Vec2::splat(icon_side)), ink);
        }
        let text_at =
            egui::pos2(rect.left() + pad + icon_side + gap, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley_with_override_text_color(text_at, galley, ink);
        paint_focus(ui, &response, rect, radius::CONTROL, look);
        response
    }
}

fn colours(kind: Kind, hovered: bool, look: Look<'_>) -> (Color32, Stroke, Color32) {
    let tokens = look.tokens;
    match kind {
        Kind::Primary => {
            let fill = if hovered { tokens.accent_hover } else { tokens.accent };
            (fill, Stroke::NONE, tokens.accent_text)
        }
        Kind::Danger if hovered => (tokens.danger, Stroke::NONE, tokens.danger_text),
        Kind::Danger => (tokens.surface, Stroke::new(1.0, tokens.danger), tokens.danger),
        Kind::Secondary => {
            let fill = if hovered { tokens.surface_raised } else { tokens.surface };
            (fill, Stroke::new(1.0, tokens.line), tokens.text)
        }
        Kind::Quiet => {
            let fill = if hovered { tokens.surface_raised } else { Color32::TRANSPARENT };
            (fill, Stroke::NONE, tokens.accent)
        }
    }
}
