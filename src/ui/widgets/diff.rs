//! A change of a text: lines that go, come and stay, each with its sign, so that the colour alone says nothing.

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{CornerRadius, Frame, Label, Margin, Stroke, Ui};

use super::{Look, Tone};
use crate::ui::theme::{self, radius};

/// Shows a change, a line with its tone each.
pub fn diff(ui: &mut Ui, look: Look<'_>, lines: impl Iterator<Item = (Tone, String)>) {
    let mut job =
        LayoutJob { wrap: TextWrapping { break_anywhere: true, ..Default::default() }, ..Default::default() };
    for (at, (tone, line)) in lines.enumerate() {
        let format = TextFormat { font_id: theme::mono(), color: tone.colour(look), ..Default::default() };
        let line = if at == 0 { line } else { format!("\n{line}") };
        job.append(&line, 0.0, format);
    }
    Frame::new()
        .fill(look.tokens.surface_raised)
        .stroke(Stroke::new(1.0, look.tokens.line_soft))
        .corner_radius(CornerRadius::same(radius::CONTROL))
        .inner_margin(Margin::symmetric(10, 6))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.add(Label::new(job).selectable(true).wrap());
        });
}
