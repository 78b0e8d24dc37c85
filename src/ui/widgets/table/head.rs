//! The head: the columns' titles, by which the rows are sorted, and the box that selects all rows.

use egui::accesskit::{Role, SortDirection, Toggled};
use egui::{
    Color32, Id, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};

use super::super::status::announce;
use super::super::{Look, check, interact, paint_focus};
use super::{CHECK_WIDTH, Column, Parts, Sort, TableEvents, TableRows, TableState, bounds};
use crate::ui::theme::{medium, size, space};

pub(super) const HEIGHT: f32 = 32.0;

impl<R: TableRows> Parts<'_, R> {
    pub(super) fn head(
        &self,
        ui: &mut Ui,
        look: Look<'_>,
        state: &mut TableState<R::Key>,
        events: &mut TableEvents,
    ) {
        let table = self.table;
        let rect = Rect::from_min_size(ui.next_widget_position(), vec2(ui.available_width(), HEIGHT));
        let head = self.id.with("head");
        let builder = UiBuilder::new().scope_id(head).max_rect(rect).accessibility_role(Role::Row);
        ui.scope_builder(builder, |ui| {
            ui.set_min_size(rect.size());
            ui.ctx().accesskit_node_builder(head, |node| {
                node.set_bounds(bounds(rect));
                node.set_row_index(0);
            });
            if table.selectable {
                select_all(ui, look, head.with("all"), rect, state, self.rows);
            }
            for (at, (column, place)) in table.columns.iter().zip(self.places).enumerate() {
                let cell = Rect::from_x_y_ranges(*place, rect.y_range());
                let sort = table.sort.filter(|sort| sort.column == column.salt);
                let id = head.with(column.salt);
                if title(ui, look, id, cell, column, sort) {
                    let descending = sort.is_some_and(|sort| !sort.descending);
                    events.sort = Some(Sort { column: column.salt, descending });
                }
                ui.ctx().accesskit_node_builder(id, |node| node.set_column_index(table.spoken_column(at)));
            }
        });
        ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, look.tokens.line));
        // Adapters that know nothing of sorting say it all the same.
        let sorted = table.sort.and_then(|sort| {
            let column = table.columns.iter().find(|column| column.salt == sort.column)?;
            let key = if sort.descending { "table-sorted-down" } else { "table-sorted-up" };
            Some(look.texts.with(key, [("column", column.title.as_str().into())]))
        });
        announce(ui, self.id.with("sorted"), &sorted.unwrap_or_default());
    }
}

/// One title. Whether it was pressed.
fn title(ui: &Ui, look: Look<'_>, id: Id, rect: Rect, column: &Column, sort: Option<Sort>) -> bool {
    let response =
        if column.sortable { interact(ui, rect, id, true) } else { ui.interact(rect, id, Sense::hover()) };
    response.widget_info(|| WidgetInfo::labeled(Role::ColumnHeader, true, &column.title));
    if column.sortable {
        let (words, direction) = match sort {
            None => ("table-unsorted", None),
            Some(Sort { descending: false, .. }) => ("table-ascending", Some(SortDirection::Ascending)),
            Some(Sort { descending: true, .. }) => ("table-descending", Some(SortDirection::Descending)),
        };
        ui.ctx().accesskit_node_builder(id, |node| {
            node.set_description(look.text(words));
            if let Some(direction) = direction {
                node.set_sort_direction(direction);
            }
        });
    }
    let ink = if sort.is_some() || (column.sortable && response.hovered()) {
        look.tokens.text
    } else {
        look.tokens.text_muted
    };
    let inner = rect.shrink2(Vec2::new(space::S, 0.0));
    let arrow = if sort.is_some() { 14.0 } else { 0.0 };
    let galley = ui.painter().layout_no_wrap(column.title.clone(), medium(size::SECONDARY), ink);
    let x = if column.numbers { inner.right() - galley.size().x - arrow } else { inner.left() };
    let end = x + galley.size().x;
    ui.painter().with_clip_rect(rect.intersect(ui.clip_rect())).galley(
        pos2(x, inner.center().y - galley.size().y / 2.0),
        galley,
        ink,
    );
    if let Some(sort) = sort {
        paint_arrow(ui.painter(), pos2(end + 9.0, inner.center().y), sort.descending, ink);
    }
    paint_focus(ui, &response, rect.shrink(3.0), 4, look);
    column.sortable && response.clicked()
}

fn paint_arrow(painter: &Painter, centre: Pos2, down: bool, ink: Color32) {
    let tip = if down { 2.5 } else { -2.5 };
    let points = vec![centre + vec2(-3.5, -tip), centre + vec2(3.5, -tip), centre + vec2(0.0, tip)];
    painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
}

/// Empty: selects every row that is shown. Otherwise: clears what is selected.
fn select_all<R: TableRows>(
    ui: &Ui,
    look: Look<'_>,
    id: Id,
    head: Rect,
    state: &mut TableState<R::Key>,
    rows: &R,
) {
    let rect = Rect::from_min_size(head.min, vec2(CHECK_WIDTH, HEIGHT));
    let response = interact(ui, rect, id, true);
    let chosen = state.selected().len();
    let all = chosen > 0 && chosen == rows.count();
    let name = look.text("table-select-all");
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, all, &name));
    if chosen > 0 && !all {
        ui.ctx().accesskit_node_builder(id, |node| node.set_toggled(Toggled::Mixed));
    }
    let square = Rect::from_center_size(rect.center(), Vec2::splat(check::BOX));
    check::paint(ui, look, square, chosen > 0, response.hovered(), true);
    paint_focus(ui, &response, square, 4, look);
    if response.clicked() {
        if chosen > 0 { state.clear_selection() } else { state.select_all(rows) }
    }
    response.on_hover_text(name);
}
