//! A change of a text: lines that go, come and stay, each with its sign, so that the colour alone says nothing.

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Label, Ui};

use super::{Look, Tone, text_frame};
use crate::ui::theme;

/// Shows a change, a line with its tone each.
pub fn diff(ui: &mut Ui, look: Look<'_>, lines: impl Iterator<Item = (Tone, String)>) {
    let mut job =
        LayoutJob { wrap: TextWrapping { break_anywhere: true, ..Default::default() }, ..Default::default() };
    for (at, (tone, line)) in lines.enumerate() {
        let format = TextFormat { font_id: theme::mono(), color: tone.colour(look), ..Default::default() };
        let line = if at == 0 { line } else { format!("\n{line}") };
        job.append(&line, 0.0, format);
    }
    text_frame(look).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.add(Label::new(job).selectable(true).wrap());
    });
}
