//! A heading that opens and closes what stands below it.

use egui::accesskit::Role;
use egui::{CornerRadius, Id, Rect, Sense, Ui, UiBuilder, Vec2, WidgetInfo, pos2};

use super::label::laid_out;
use super::{Look, interact, paint_focus};
use crate::ui::icons::Icon;
use crate::ui::theme::{CONTROL_HEIGHT, medium, radius, size, space};

/// Shows `title` as a button and, when `open`, what `add` draws. The caller owns `open`.
pub fn expandable(
    ui: &mut Ui,
    look: Look<'_>,
    id: &str,
    title: &str,
    open: &mut bool,
    add: impl FnOnce(&mut Ui),
) {
    let button = Id::unique(("expand", id));
    let region = Id::unique(("expanded", id));
    let around = 16.0 + 2.0 * space::S;
    let galley = laid_out(ui, title, medium(size::BODY), ui.available_width() - around);
    let wanted = Vec2::new(galley.size().x + around, CONTROL_HEIGHT.max(galley.size().y));
    let (rect, _) = ui.allocate_exact_size(wanted, Sense::hover());
    let response = interact(ui, rect, button, true);
    if response.clicked() {
        *open = !*open;
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, title));
    // Some platforms pass no `expanded` on, so the state is also said in words.
    let words = look.text(if *open { "expanded" } else { "collapsed" });
    ui.ctx().accesskit_node_builder(button, |node| {
        node.set_expanded(*open);
        node.set_description(words);
        if *open {
            node.set_controls(vec![region.accesskit_id()]);
        }
    });

    if response.hovered() {
        ui.painter().rect_filled(
            rect.expand2(Vec2::new(4.0, 0.0)),
            CornerRadius::same(radius::CONTROL),
            look.tokens.surface_raised,
        );
    }
    let icon = if *open { Icon::ChevronDown } else { Icon::ChevronRight };
    let icon_at = pos2(rect.left(), rect.center().y - 7.0);
    icon.paint(ui.painter(), Rect::from_min_size(icon_at, Vec2::splat(14.0)), look.tokens.text_muted);
    let text_at = pos2(rect.left() + 16.0 + space::S, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley_with_override_text_color(text_at, galley, look.tokens.text);
    paint_focus(ui, &response, rect, radius::CONTROL, look);

    if *open {
        let builder =
            UiBuilder::new().scope_id(region).accessibility_role(Role::Region).accessibility_label(title);
        ui.scope_builder(builder, add);
    }
}
