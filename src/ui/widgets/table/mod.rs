//! A table of any length: a head that stays in sight, and below it rows of one height of which only those in
//! sight are laid out.
//!
//! The table is one stop of the keyboard. Arrows, page keys, home and end move the *current* row, space selects
//! it, enter activates it; with shift they take what lies between along. A screen reader is told of the current
//! row as if the focus were on it. Whoever owns the rows sorts and filters them: the table says what was asked.

mod body;
mod cell;
mod head;
mod keys;
mod state;

use std::fmt::Debug;
use std::hash::Hash;

use egui::accesskit::Role;
use egui::{Id, Rangef, Sense, Ui, UiBuilder, Vec2};

pub use cell::Cell;
pub use state::TableState;

use super::Look;
use crate::ui::theme::space;

/// Height of a row, in points.
pub const ROW_HEIGHT: f32 = 32.0;

/// Width of the column of check boxes, in points.
const CHECK_WIDTH: f32 = 32.0;

/// Room at the right of the last column, where the scroll bar may lie.
const BAR_ROOM: f32 = space::M;

/// One column.
#[derive(Debug, Clone)]
pub struct Column {
    salt: &'static str,
    title: String,
    width: Width,
    sortable: bool,
    numbers: bool,
    mono: bool,
    middle: bool,
}

/// How wide a column is, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Width {
    Fixed(f32),
    /// A share of what the fixed ones leave, but not less than `least`.
    Share {
        share: f32,
        least: f32,
    },
}

impl Column {
    /// `salt` is part of the ids and names the column in a [`Sort`]; the same in every language.
    pub fn new(salt: &'static str, title: impl Into<String>, width: Width) -> Self {
        let title = title.into();
        Self { salt, title, width, sortable: false, numbers: false, mono: false, middle: false }
    }

    pub fn sortable(mut self) -> Self {
        self.sortable = true;
        self
    }

    /// Numbers stand at the right.
    pub fn numbers(mut self) -> Self {
        self.numbers = true;
        self
    }

    /// Paths, ids, keys.
    pub fn mono(mut self) -> Self {
        self.mono = true;
        self
    }

    /// What does not fit loses its middle, and not its end.
    pub fn middle(mut self) -> Self {
        self.middle = true;
        self
    }
}

/// The order of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// The salt of a column.
    pub column: &'static str,
    pub descending: bool,
}

/// What a table shows. Asked for the rows in sight, in every frame.
pub trait TableRows {
    /// What a row is, wherever it stands.
    type Key: Clone + Ord + Hash + Debug;

    fn count(&self) -> usize;

    fn key(&self, row: usize) -> Self::Key;

    /// What a screen reader calls the row.
    fn name(&self, row: usize) -> String;

    fn cell(&self, row: usize, column: usize) -> Cell<'_>;

    /// Where a row stands now. Asked only when it does not stand where it did.
    fn find(&self, key: &Self::Key) -> Option<usize> {
        (0..self.count()).find(|row| self.key(*row) == *key)
    }
}

/// What was done in a table.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct TableEvents {
    /// Another order was asked for.
    pub sort: Option<Sort>,
    pub activated: Option<Activation>,
    pub pressed: Option<PressedCell>,
}

/// A row was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activation {
    pub row: usize,
    /// By the keyboard, whose user goes on where the row leads.
    pub by_keyboard: bool,
}

/// A cell that is a button ([`Cell::button`]) was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PressedCell {
    pub row: usize,
    pub column: usize,
}

/// A table, drawn as high as there is room.
#[derive(Debug)]
#[must_use]
pub struct Table<'a> {
    id: &'a str,
    name: String,
    columns: &'a [Column],
    sort: Option<Sort>,
    selectable: bool,
    height: f32,
    empty: String,
}

impl<'a> Table<'a> {
    /// `id` names the table, the same in every language; `name` is what a screen reader calls it.
    pub fn new(id: &'a str, name: impl Into<String>, columns: &'a [Column]) -> Self {
        let (height, empty) = (f32::INFINITY, String::new());
        Self { id, name: name.into(), columns, sort: None, selectable: false, height, empty }
    }

    /// The order that the rows are in.
    pub fn sort(mut self, sort: Option<Sort>) -> Self {
        self.sort = sort;
        self
    }

    /// Rows can be selected, each by a box before it.
    pub fn selectable(mut self) -> Self {
        self.selectable = true;
        self
    }

    /// The greatest height, in points.
    pub fn height(mut self, height: f32) -> Self {
        self.height = height;
        self
    }

    /// What is said where there are no rows.
    pub fn empty(mut self, words: impl Into<String>) -> Self {
        self.empty = words.into();
        self
    }

    pub fn show<R: TableRows>(
        self,
        ui: &mut Ui,
        look: Look<'_>,
        state: &mut TableState<R::Key>,
        rows: &R,
    ) -> TableEvents {
        let id = Self::id(self.id);
        let mut events = TableEvents::default();
        state.follow(rows);
        let builder = UiBuilder::new()
            .scope_id(id)
            .sense(Sense::focusable_noninteractive())
            .accessibility_role(Role::Table)
            .accessibility_label(self.name.as_str());
        ui.scope_builder(builder, |ui| {
            ui.spacing_mut().item_spacing = Vec2::ZERO;
            let room = ui.available_rect_before_wrap();
            ui.set_width(room.width());
            let places = self.places(room.x_range());
            let parts = Parts { table: &self, id, places: &places, rows };
            parts.head(ui, look, state, &mut events);
            let view = ui.available_height().min(self.height - head::HEIGHT).max(ROW_HEIGHT);
            parts.take_keys(ui, view, state, &mut events);
            let current = parts.body(ui, look, view, state, &mut events);
            let whole = bounds(ui.min_rect());
            ui.ctx().accesskit_node_builder(id, |node| {
                node.set_bounds(whole);
                node.set_row_count(rows.count() + 1);
                node.set_column_count(self.columns.len() + usize::from(self.selectable));
                if self.selectable {
                    node.set_multiselectable();
                }
                if let Some(current) = current {
                    node.set_active_descendant(current.accesskit_id());
                }
            });
        });
        events
    }

    /// What holds the keyboard's focus, for giving it back.
    pub fn id(id: &str) -> Id {
        Id::unique(("table", id))
    }

    /// Which column of a screen reader's table a column is.
    fn spoken_column(&self, column: usize) -> usize {
        column + usize::from(self.selectable)
    }

    /// From where to where each column reaches.
    fn places(&self, room: Rangef) -> Vec<Rangef> {
        let left = room.min + if self.selectable { CHECK_WIDTH } else { 0.0 };
        let free = room.max - left - BAR_ROOM;
        widths(self.columns.iter().map(|column| column.width), free)
            .into_iter()
            .scan(left, |at, width| {
                let place = Rangef::new(*at, *at + width);
                *at += width;
                Some(place)
            })
            .collect()
    }
}

/// One table in one frame.
struct Parts<'a, R> {
    table: &'a Table<'a>,
    id: Id,
    places: &'a [Rangef],
    rows: &'a R,
}

/// Where a node without a widget of its own is.
fn bounds(rect: egui::Rect) -> egui::accesskit::Rect {
    let [x0, y0, x1, y1] = [rect.min.x, rect.min.y, rect.max.x, rect.max.y].map(f64::from);
    egui::accesskit::Rect { x0, y0, x1, y1 }
}

/// The columns' widths where there is `free` room. Shares never fall below their least, so too little room is
/// exceeded.
fn widths(columns: impl Iterator<Item = Width>, free: f32) -> Vec<f32> {
    let columns: Vec<Width> = columns.collect();
    let mut widths = vec![None; columns.len()];
    // Whoever would get too little takes the least, and leaves the others less to share.
    loop {
        let taken: f32 = columns
            .iter()
            .zip(&widths)
            .map(|(column, width)| match (column, width) {
                (Width::Fixed(fixed), _) => *fixed,
                (Width::Share { .. }, Some(width)) => *width,
                (Width::Share { .. }, None) => 0.0,
            })
            .sum();
        let open = |(column, width): (&Width, &Option<f32>)| match (column, width) {
            (Width::Share { share, .. }, None) => *share,
            _ => 0.0,
        };
        let shares: f32 = columns.iter().zip(&widths).map(open).sum();
        let unit = if shares > 0.0 { (free - taken).max(0.0) / shares } else { 0.0 };
        let mut settled = true;
        for (column, width) in columns.iter().zip(&mut widths) {
            if let Width::Share { share, least } = column
                && width.is_none()
                && share * unit < *least
            {
                *width = Some(*least);
                settled = false;
            }
        }
        if settled {
            return columns
                .iter()
                .zip(widths)
                .map(|(column, width)| match column {
                    Width::Fixed(fixed) => *fixed,
                    Width::Share { share, .. } => width.unwrap_or(share * unit),
                })
                .collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_take_what_the_fixed_columns_leave_and_never_less_than_their_least() {
        let check = |columns: &[Width], free: f32, expected: &[f32]| {
            assert_eq!(widths(columns.iter().copied(), free), expected);
        };
        let share = |share, least| Width::Share { share, least };
        check(&[Width::Fixed(100.0), share(1.0, 50.0)], 400.0, &[100.0, 300.0]);
        check(&[share(1.0, 50.0), share(3.0, 50.0)], 400.0, &[100.0, 300.0]);
        check(&[share(1.0, 150.0), share(3.0, 50.0)], 400.0, &[150.0, 250.0]);
        check(&[Width::Fixed(100.0), share(1.0, 80.0), share(1.0, 50.0)], 120.0, &[100.0, 80.0, 50.0]);
    }
}
