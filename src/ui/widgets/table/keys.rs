//! The keyboard in a table.

use egui::{Event, EventFilter, Key, Modifiers, Ui};

use super::{Activation, Parts, ROW_HEIGHT, TableEvents, TableRows, TableState};

const OURS: [Key; 8] =
    [Key::ArrowUp, Key::ArrowDown, Key::PageUp, Key::PageDown, Key::Home, Key::End, Key::Space, Key::Enter];

impl<R: TableRows> Parts<'_, R> {
    /// Takes the keys that are a table's while it has the focus. `view` is the height of the rows in sight.
    pub(super) fn take_keys(
        &self,
        ui: &Ui,
        view: f32,
        state: &mut TableState<R::Key>,
        events: &mut TableEvents,
    ) {
        let Self { table, id, rows, .. } = *self;
        if !ui.memory(|memory| memory.has_focus(id)) || rows.count() == 0 {
            return;
        }
        ui.memory_mut(|memory| {
            let ours = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..Default::default() };
            memory.set_focus_lock_filter(id, ours);
        });
        if state.current_row().is_none() {
            // Whoever comes by the keyboard begins with the first row in sight.
            let first = (state.offset.max(0.0) / ROW_HEIGHT).ceil() as usize;
            state.go_to(first.min(rows.count() - 1), false, rows);
        }
        for (key, modifiers) in pressed(ui) {
            let Some(row) = state.current_row() else { return };
            let last = rows.count() - 1;
            let page = ((view / ROW_HEIGHT) as usize).saturating_sub(1).max(1);
            let to = match key {
                Key::ArrowUp => row.saturating_sub(1),
                Key::ArrowDown => (row + 1).min(last),
                Key::PageUp => row.saturating_sub(page),
                Key::PageDown => (row + page).min(last),
                Key::Home => 0,
                Key::End => last,
                Key::Enter => {
                    events.activated = Some(Activation { row, by_keyboard: true });
                    continue;
                }
                Key::Space if table.selectable => {
                    state.toggle(&rows.key(row));
                    continue;
                }
                Key::A if table.selectable => {
                    state.select_all(rows);
                    continue;
                }
                _ => continue,
            };
            state.go_to(to, table.selectable && modifiers.shift, rows);
        }
    }
}

/// What was pressed of our keys since the last frame, in order; nobody else sees them.
fn pressed(ui: &Ui) -> Vec<(Key, Modifiers)> {
    ui.input_mut(|input| {
        let mut taken = Vec::new();
        input.events.retain(|event| match event {
            Event::Key { key, pressed: true, modifiers, .. }
                if OURS.contains(key) || (*key == Key::A && modifiers.command) =>
            {
                taken.push((*key, *modifiers));
                false
            }
            _ => true,
        });
        taken
    })
}
