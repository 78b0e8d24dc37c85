//! The rows: those in sight, and no others, are laid out.

use egui::accesskit::{Action, Role};
use egui::{
    Color32, CornerRadius, Id, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo,
    vec2,
};

use super::super::{Look, check, muted};
use super::{
    Activation, CHECK_WIDTH, Parts, PressedCell, ROW_HEIGHT, TableEvents, TableRows, TableState, bounds,
};

impl<R: TableRows> Parts<'_, R> {
    /// Shows the rows. Gives the node of the current one if it is in sight.
    pub(super) fn body(
        &self,
        ui: &mut Ui,
        look: Look<'_>,
        view: f32,
        state: &mut TableState<R::Key>,
        events: &mut TableEvents,
    ) -> Option<Id> {
        let mut current = None;
        let mut area = ScrollArea::vertical().id_salt("rows").auto_shrink(false).max_height(view);
        if let Some(offset) = state.wanted_offset(view) {
            area = area.vertical_scroll_offset(offset);
        }
        let shown = area.show_rows(ui, ROW_HEIGHT, self.rows.count(), |ui, range| {
            let place = ui.max_rect();
            for row in range.clone() {
                let top = place.top() + (row - range.start) as f32 * ROW_HEIGHT;
                let rect = Rect::from_x_y_ranges(place.x_range(), top..=top + ROW_HEIGHT);
                let key = self.rows.key(row);
                let id = self.id.with(&key);
                let is_current = state.current_row() == Some(row);
                if is_current {
                    current = Some(id);
                }
                let clicked =
                    Row { parts: self, row, id, rect, is_current }.show(ui, look, &key, state, events);
                if clicked {
                    self.take_click(ui, row, &key, state, events);
                }
            }
        });
        state.offset = shown.state.clamped_offset().y;
        if self.rows.count() == 0 {
            let place =
                Rect::from_min_size(shown.inner_rect.min, vec2(shown.inner_rect.width(), 3.0 * ROW_HEIGHT));
            ui.scope_builder(UiBuilder::new().scope_id(self.id.with("empty")).max_rect(place), |ui| {
                ui.vertical_centered(|ui| {
                    ui.add_space(ROW_HEIGHT);
                    muted(ui, look, self.table.empty.as_str());
                });
            });
        }
        current
    }

    fn take_click(
        &self,
        ui: &Ui,
        row: usize,
        key: &R::Key,
        state: &mut TableState<R::Key>,
        events: &mut TableEvents,
    ) {
        ui.memory_mut(|memory| memory.request_focus(self.id));
        let held = ui.input(|input| input.modifiers);
        let extend = self.table.selectable && held.shift;
        state.go_to(row, extend, self.rows);
        if self.table.selectable && held.command {
            state.toggle(key);
        } else if !extend {
            events.activated = Some(Activation { row, by_keyboard: false });
        }
    }
}

struct Row<'a, R> {
    parts: &'a Parts<'a, R>,
    row: usize,
    id: Id,
    rect: Rect,
    is_current: bool,
}

impl<R: TableRows> Row<'_, R> {
    /// Whether the row was pressed.
    fn show(
        &self,
        ui: &mut Ui,
        look: Look<'_>,
        key: &R::Key,
        state: &mut TableState<R::Key>,
        events: &mut TableEvents,
    ) -> bool {
        let Parts { table, rows, .. } = *self.parts;
        let name = rows.name(self.row);
        let builder = UiBuilder::new()
            .scope_id(self.id)
            .max_rect(self.rect)
            .sense(Sense::CLICK)
            .accessibility_role(Role::Row)
            .accessibility_label(name.as_str())
            .accessibility_parent(self.parts.id);
        let selected = state.is_selected(key);
        let shown = ui.scope_builder(builder, |ui| {
            ui.set_min_size(self.rect.size());
            let hovered = ui.response().contains_pointer();
            self.ground(ui, look, selected, hovered);
            ui.ctx().accesskit_node_builder(self.id, |node| {
                node.set_bounds(bounds(self.rect));
                node.add_action(Action::Click);
                // The head is the row 0.
                node.set_row_index(self.row + 1);
                node.set_position_in_set(self.row + 1);
                node.set_size_of_set(rows.count());
                if table.selectable {
                    node.set_selected(selected);
                }
            });
            if table.selectable && self.check(ui, look, &name, selected) {
                state.toggle(key);
            }
            for (at, (column, place)) in table.columns.iter().zip(self.parts.places).enumerate() {
                let cell = Rect::from_x_y_ranges(*place, self.rect.y_range());
                let id = self.id.with(column.salt);
                let response = rows.cell(self.row, at).show(ui, look, id, cell, (column, hovered));
                ui.ctx().accesskit_node_builder(id, |node| {
                    node.set_column_index(table.spoken_column(at));
                });
                if response.clicked() {
                    events.pressed = Some(PressedCell { row: self.row, column: at });
                }
            }
        });
        shown.response.clicked()
    }

    fn ground(&self, ui: &Ui, look: Look<'_>, selected: bool, hovered: bool) {
        let tokens = look.tokens;
        let fill = match (selected, hovered) {
            (true, _) => tokens.selection,
            (false, true) => tokens.surface_raised,
            (false, false) => Color32::TRANSPARENT,
        };
        let painter = ui.painter();
        painter.rect_filled(self.rect, CornerRadius::ZERO, fill);
        painter.hline(self.rect.x_range(), self.rect.bottom(), Stroke::new(1.0, tokens.line_soft));
        if self.is_current {
            let focused = ui.memory(|memory| memory.has_focus(self.parts.id));
            let (width, colour) = if focused { (2.0, tokens.focus) } else { (1.0, tokens.line) };
            let inner = self.rect.shrink2(Vec2::new(1.0, 1.0));
            painter.rect_stroke(inner, CornerRadius::same(4), Stroke::new(width, colour), StrokeKind::Inside);
        }
    }

    /// The box before the row. Whether it was pressed.
    fn check(&self, ui: &Ui, look: Look<'_>, name: &str, selected: bool) -> bool {
        let rect = Rect::from_min_size(self.rect.min, vec2(CHECK_WIDTH, ROW_HEIGHT));
        let id = self.id.with("check");
        // Not a stop of the keyboard, which selects with space.
        let response = ui.interact(rect, id, Sense::CLICK);
        response.widget_info(|| {
            let name = look.texts.with("table-select", [("name", name.into())]);
            WidgetInfo::selected(Role::CheckBox, true, selected, name)
        });
        let square = Rect::from_center_size(rect.center(), Vec2::splat(check::BOX));
        check::paint(ui, look, square, selected, response.hovered(), true);
        response.clicked()
    }
}
