//! What a table remembers between two frames: the current row, what is selected, how far it is scrolled.

use std::collections::BTreeSet;

use super::{ROW_HEIGHT, TableRows};

/// The state of one table. Rows are known by their key, so they are followed when they are sorted anew.
#[derive(Debug, Clone)]
pub struct TableState<K> {
    current: Option<(usize, K)>,
    selected: BTreeSet<K>,
    /// Where a range began that shift extends.
    anchor: Option<usize>,
    pub(super) offset: f32,
    /// The current row was moved, and has to come into sight.
    reveal: bool,
}

impl<K> Default for TableState<K> {
    fn default() -> Self {
        Self { current: None, selected: BTreeSet::new(), anchor: None, offset: 0.0, reveal: false }
    }
}

impl<K: Clone + Ord> TableState<K> {
    /// The row that the keyboard works on.
    pub fn current(&self) -> Option<&K> {
        self.current.as_ref().map(|(_, key)| key)
    }

    pub fn selected(&self) -> &BTreeSet<K> {
        &self.selected
    }

    pub fn clear_selection(&mut self) {
        self.selected.clear();
        self.anchor = None;
    }

    /// Back to the first row, for rows that have nothing to do with those before.
    pub fn rewind(&mut self) {
        *self = Self { offset: f32::NAN, ..Self::default() };
    }

    pub(super) fn current_row(&self) -> Option<usize> {
        self.current.as_ref().map(|(row, _)| *row)
    }

    pub(super) fn is_selected(&self, key: &K) -> bool {
        self.selected.contains(key)
    }

    pub(super) fn follow<R: TableRows<Key = K>>(&mut self, rows: &R) {
        let Some((row, key)) = &self.current else { return };
        if *row >= rows.count() || rows.key(*row) != *key {
            self.current = rows.find(key).map(|row| (row, key.clone()));
            self.anchor = None;
        }
    }

    /// Makes `row` the current one. With `extend`, everything between it and where the range began is selected.
    pub(super) fn go_to<R: TableRows<Key = K>>(&mut self, row: usize, extend: bool, rows: &R) {
        let from = self.current_row();
        self.current = Some((row, rows.key(row)));
        self.reveal = true;
        if extend {
            let anchor = *self.anchor.get_or_insert(from.unwrap_or(row));
            self.selected = (anchor.min(row)..=anchor.max(row)).map(|row| rows.key(row)).collect();
        } else {
            self.anchor = None;
        }
    }

    pub(super) fn toggle(&mut self, key: &K) {
        if !self.selected.remove(key) {
            self.selected.insert(key.clone());
        }
    }

    pub(super) fn select_all<R: TableRows<Key = K>>(&mut self, rows: &R) {
        self.selected.extend((0..rows.count()).map(|row| rows.key(row)));
    }

    /// Where the rows must be scrolled to, if they must, so that the current row is in a view of this height.
    pub(super) fn wanted_offset(&mut self, view: f32) -> Option<f32> {
        if self.offset.is_nan() {
            self.offset = 0.0;
            return Some(0.0);
        }
        if !std::mem::take(&mut self.reveal) {
            return None;
        }
        let top = self.current_row()? as f32 * ROW_HEIGHT;
        let bottom = top + ROW_HEIGHT;
        if top < self.offset {
            Some(top)
        } else if bottom > self.offset + view {
            Some(bottom - view)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Cell;
    use super::*;

    struct Letters(&'static str);

    impl TableRows for Letters {
        type Key = char;

        fn count(&self) -> usize {
            self.0.len()
        }

        fn key(&self, row: usize) -> char {
            self.0.as_bytes()[row].into()
        }

        fn name(&self, row: usize) -> String {
            self.key(row).into()
        }

        fn cell(&self, row: usize, _: usize) -> Cell<'_> {
            Cell::text(self.name(row))
        }
    }

    #[test]
    fn a_row_is_followed_to_where_it_is_sorted_and_forgotten_when_it_is_gone() {
        let mut state = TableState::default();
        state.go_to(1, false, &Letters("abc"));
        state.follow(&Letters("cba"));
        assert_eq!((state.current(), state.current_row()), (Some(&'b'), Some(1)));
        state.follow(&Letters("bca"));
        assert_eq!(state.current_row(), Some(0));
        state.follow(&Letters("ca"));
        assert_eq!(state.current(), None);
    }

    #[test]
    fn a_range_grows_and_shrinks_from_where_it_began() {
        let (mut state, rows) = (TableState::default(), Letters("abcdef"));
        let selected = |state: &TableState<char>| state.selected().iter().collect::<String>();
        state.go_to(2, false, &rows);
        state.go_to(3, true, &rows);
        state.go_to(4, true, &rows);
        assert_eq!(selected(&state), "cde");
        state.go_to(1, true, &rows);
        assert_eq!(selected(&state), "bc");
        state.toggle(&'f');
        assert_eq!(selected(&state), "bcf");
    }

    #[test]
    fn a_row_out_of_sight_is_scrolled_to_and_no_further() {
        let (mut state, rows) = (TableState::default(), Letters("abcdefghij"));
        let view = 3.0 * ROW_HEIGHT;
        let mut go = |row| {
            state.go_to(row, false, &rows);
            let offset = state.wanted_offset(view);
            state.offset = offset.unwrap_or(state.offset);
            offset.map(|offset| offset / ROW_HEIGHT)
        };
        assert_eq!(go(2), None);
        assert_eq!(go(3), Some(1.0));
        assert_eq!(go(1), None);
        assert_eq!(go(0), Some(0.0));
        assert_eq!(go(9), Some(7.0));
    }
}
