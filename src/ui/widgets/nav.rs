//! An entry of the navigation.

use egui::accesskit::Role;
use egui::{Color32, CornerRadius, Rect, Response, Sense, Ui, Vec2, WidgetInfo, pos2};

use super::{Look, interact, paint_focus};
use crate::ui::icons::Icon;
use crate::ui::theme::{medium, radius, regular, size, space};

/// A page that can be gone to. Folded, only the icon is seen, and the name is a tooltip.
#[derive(Debug)]
#[must_use]
pub struct NavItem<'a> {
    pub salt: &'a str,
    pub icon: Icon,
    pub text: String,
    pub current: bool,
    pub folded: bool,
}

impl NavItem<'_> {
    pub fn show(self, ui: &mut Ui, look: Look<'_>) -> Response {
        let id = ui.make_persistent_id(self.salt);
        let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), 32.0), Sense::hover());
        let response = interact(ui, rect, id, true);
        response.widget_info(|| WidgetInfo::labeled(Role::Tab, true, &self.text));
        ui.ctx().accesskit_node_builder(id, |node| node.set_selected(self.current));

        let tokens = look.tokens;
        let fill = match (self.current, response.hovered()) {
            (true, _) => tokens.selection,
            (false, true) => tokens.surface_raised,
            (false, false) => Color32::TRANSPARENT,
        };
        ui.painter().rect_filled(rect, CornerRadius::same(radius::CONTROL), fill);
        let ink = if self.current { tokens.text } else { tokens.text_muted };
        let tint = if self.current { tokens.accent } else { tokens.text_muted };
        let left = if self.folded { rect.center().x - 8.0 } else { rect.left() + space::S };
        let icon = Rect::from_min_size(pos2(left, rect.center().y - 8.0), Vec2::splat(16.0));
        self.icon.paint(ui.painter(), icon, tint);
        if !self.folded {
            let font = if self.current { medium(size::BODY) } else { regular(size::BODY) };
            let galley = ui.painter().layout_no_wrap(self.text.clone(), font, ink);
            let at = pos2(icon.right() + 10.0, rect.center().y - galley.size().y / 2.0);
            ui.painter().galley_with_override_text_color(at, galley, ink);
        }
        paint_focus(ui, &response, rect.shrink(2.0), radius::CONTROL, look);
        if self.folded { response.on_hover_text(self.text) } else { response }
    }
}
