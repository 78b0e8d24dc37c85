//! A name and what stands for it: a line of a list of facts.

use egui::{Response, Ui};

use super::Look;
use super::label::muted;

/// The width of the column of names, in points.
const NAMES: f32 = 92.0;

/// The same with something to press in it: all of it in the middle of one line.
pub fn fact_to_press(ui: &mut Ui, look: Look<'_>, name: String, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.scope(|ui| {
            ui.set_width(NAMES);
            muted(ui, look, name);
        });
        add(ui);
    });
}

/// Shows `name` and, in a column beside it, what `add` draws.
pub fn fact(ui: &mut Ui, look: Look<'_>, name: String, add: impl FnOnce(&mut Ui) -> Response) -> Response {
    ui.horizontal_top(|ui| {
        ui.scope(|ui| {
            ui.set_width(NAMES);
            muted(ui, look, name);
        });
        ui.vertical(add).inner
    })
    .inner
}
