//! The table of endpoints.

use egui::Ui;

use super::words::{closed_why, effect_icon, effect_key, kind, permission_key, permission_mark};
use crate::core::{EndpointList, EndpointOrder, EndpointRow};
use crate::ui::icons::Icon;
use crate::ui::widgets::{Cell, Column, Look, Sort, Table, TableEvents, TableRows, TableState, Tone, Width};

/// The table's id.
pub(super) const TABLE: &str = "endpoints";

/// Below this width there is no room for notes, in points.
const NOTES_FROM: f32 = 820.0;

const NAME: &str = "name";
const KIND: &str = "kind";
const EFFECT: &str = "effect";
const PERMISSION: &str = "permission";
const NOTE: &str = "note";

/// What rows are in the order of before anybody asks for another.
pub(super) const BY_NAME: Sort = Sort { column: NAME, descending: false };

/// What the core calls the order of a column.
pub(super) fn order(sort: Sort) -> EndpointOrder {
    match sort.column {
        KIND => EndpointOrder::Method,
        EFFECT => EndpointOrder::Effect,
        PERMISSION => EndpointOrder::Permission,
        _ => EndpointOrder::Name,
    }
}

pub(super) fn show(
    ui: &mut Ui,
    look: Look<'_>,
    name: &str,
    sort: Sort,
    state: &mut TableState<String>,
    list: &EndpointList,
) -> TableEvents {
    let mut columns = vec![
        Column::new(NAME, look.text("endpoints-column-name"), Width::Share { share: 3.0, least: 180.0 })
            .sortable()
            .mono()
            .middle(),
        Column::new(KIND, look.text("endpoints-column-kind"), Width::Fixed(76.0)).sortable(),
        Column::new(EFFECT, look.text("endpoints-column-effect"), Width::Fixed(88.0)).sortable(),
        Column::new(PERMISSION, look.text("endpoints-permission"), Width::Share { share: 2.0, least: 224.0 })
            .sortable(),
    ];
    if ui.available_width() >= NOTES_FROM {
        let width = Width::Share { share: 2.0, least: 120.0 };
        columns.push(Column::new(NOTE, look.text("endpoints-column-note"), width));
    }
    Table::new(TABLE, name, &columns)
        .sort(Some(sort))
        .selectable()
        .empty(look.text("endpoints-nothing"))
        .show(ui, look, state, &Rows { look, list })
}

struct Rows<'a> {
    look: Look<'a>,
    list: &'a EndpointList,
}

impl Rows<'_> {
    fn row(&self, row: usize) -> &EndpointRow {
        &self.list.rows[row]
    }

    fn permission(&self, row: &EndpointRow) -> String {
        match row.closed {
            Some(closed) => {
                self.look.texts.with("endpoints-closed", [("why", closed_why(closed, self.look).into())])
            }
            None => self.look.text(permission_key(row.permission)),
        }
    }
}

impl TableRows for Rows<'_> {
    type Key = String;

    fn count(&self) -> usize {
        self.list.rows.len()
    }

    fn key(&self, row: usize) -> String {
        self.row(row).key.clone()
    }

    fn name(&self, row: usize) -> String {
        let row = self.row(row);
        let changed = row.is_changed() && row.closed.is_none();
        let args = [
            ("what", row.key.as_str().into()),
            ("effect", self.look.text(effect_key(row.effect)).into()),
            ("permission", self.permission(row).into()),
        ];
        self.look.texts.with(if changed { "endpoints-row-changed" } else { "endpoints-row" }, args)
    }

    fn cell(&self, row: usize, column: usize) -> Cell<'_> {
        let row = self.row(row);
        match column {
            0 if row.closed.is_some() => Cell::muted(&row.name),
            0 => Cell::text(&row.name),
            1 => Cell::muted(kind(row, self.look)),
            2 => Cell::state(effect_icon(row.effect), Tone::Plain, self.look.text(effect_key(row.effect))),
            3 => self.permission_cell(row),
            _ => Cell::muted(&row.note),
        }
    }
}

impl Rows<'_> {
    fn permission_cell(&self, row: &EndpointRow) -> Cell<'_> {
        let words = self.permission(row);
        if row.closed.is_some() {
            return Cell::state(Icon::Off, Tone::Plain, words);
        }
        let cell = match permission_mark(row.permission) {
            Some((icon, tone)) => Cell::state(icon, tone, words),
            None => Cell::muted(words),
        };
        cell.button(self.look.texts.with("endpoints-change", [("name", row.key.as_str().into())]))
    }
}
