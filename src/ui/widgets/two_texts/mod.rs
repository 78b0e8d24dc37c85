//! A text as it is and as it would be, side by side, line by line; one under the other where it is narrow.
//!
//! A line that goes or comes has a sign, a ground of its own and, for a screen reader, a word; where a line comes in the
//! place of another, the part that differs stands out in it.

mod rows;

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align2, Color32, CornerRadius, Galley, Label, Pos2, Rect, Sense, Ui, UiBuilder, Vec2};

use self::rows::{Row, around_changes, parts, rows};
use super::label::{caption, format};
use super::{Look, text_frame};
use crate::core::{Sign, changed_lines};
use crate::ui::theme::{self, regular, size, space};

/// Below this width, in points, the texts stand one under the other.
const SIDE_BY_SIDE: f32 = 520.0;

/// The room for the sign before a line.
const SIGN: f32 = 16.0;

/// A text before and after; where there is none, that is told in words.
#[derive(Debug)]
pub struct TwoTexts<'a> {
    pub before: Result<&'a str, String>,
    pub after: Result<&'a str, String>,
    /// Of each text at most so many lines are drawn; `None` shows all.
    pub most: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// One side of a row, laid out.
struct Laid {
    galley: Arc<Galley>,
    sign: Sign,
    /// What a screen reader says in place of the text.
    said: Option<String>,
}

impl TwoTexts<'_> {
    /// Draws them. `true`: there is more than is shown.
    pub fn show(self, ui: &mut Ui, look: Look<'_>) -> bool {
        let text = |side: &Result<_, String>| side.clone().unwrap_or_default();
        let lines = changed_lines(text(&self.before), text(&self.after));
        let mut rows = rows(&lines);
        if rows.is_empty() {
            rows.push(Row::Lines(None, None));
        }
        if self.most.is_some() {
            rows = around_changes(rows);
        }
        let leaves_out = rows.iter().any(|row| matches!(row, Row::Stay(_)));
        let frame = text_frame(look);
        let shown = frame.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.take_available_width();
            if ui.available_width() >= SIDE_BY_SIDE {
                return self.sides(ui, look, &rows, &[Side::Before, Side::After]);
            }
            let before = self.sides(ui, look, &rows, &[Side::Before]);
            ui.add_space(space::S);
            let after = self.sides(ui, look, &rows, &[Side::After]);
            before || after
        });
        leaves_out || shown.inner
    }

    /// Draws one text, or both beside each other. `true`: there is more of it.
    fn sides(&self, ui: &mut Ui, look: Look<'_>, rows: &[Row<'_>], sides: &[Side]) -> bool {
        let whole = ui.available_width();
        let width = (whole - space::M * (sides.len() - 1) as f32) / sides.len() as f32;
        let heads = ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::M;
            for side in sides {
                ui.scope(|ui| {
                    ui.set_width(width);
                    caption(ui, look, look.text(side.key()));
                });
            }
        });
        let left = heads.response.rect.left();
        let (mut room, mut has_more) = (self.most.unwrap_or(usize::MAX), false);
        for (number, row) in rows.iter().enumerate() {
            if room == 0 {
                return true;
            }
            let laid: Vec<_> =
                sides.iter().map(|side| self.laid(ui, look, (number, row), *side, (width, room))).collect();
            let galleys = || laid.iter().flatten().map(|laid| &laid.galley);
            let height = galleys().map(|galley| galley.size().y).fold(0.0, f32::max);
            if height == 0.0 {
                continue; // nothing stands on this side alone
            }
            has_more |= galleys().any(|galley| galley.elided);
            room = room.saturating_sub(galleys().map(|galley| galley.rows.len()).max().unwrap_or_default());
            let (rect, _) = ui.allocate_exact_size(Vec2::new(whole, height), Sense::hover());
            for (at, laid) in laid.into_iter().enumerate() {
                let Some(laid) = laid else { continue };
                let from = Pos2::new(left + (width + space::M) * at as f32, rect.top());
                // What stays is said once.
                let is_repeated = at > 0 && laid.sign == Sign::Stays && laid.said.is_none();
                laid.paint(ui, look, Rect::from_min_size(from, Vec2::new(width, height)), is_repeated);
            }
        }
        has_more
    }

    /// One side of a row of this number, in so much width and so many lines.
    fn laid(
        &self,
        ui: &Ui,
        look: Look<'_>,
        (number, row): (usize, &Row<'_>),
        side: Side,
        (width, most): (f32, usize),
    ) -> Option<Laid> {
        let wrap = TextWrapping { max_width: width - SIGN, max_rows: most, ..Default::default() };
        let words = |text: String| {
            let style = format(regular(size::SECONDARY), look.tokens.text_muted);
            let job = LayoutJob { wrap: wrap.clone(), ..LayoutJob::single_section(text.clone(), style) };
            Some(Laid { galley: ui.painter().layout_job(job), sign: Sign::Stays, said: Some(text) })
        };
        let (text, cell) = match (side, row) {
            (_, Row::Stay(count)) => {
                return words(look.texts.with("lines-stay", [("count", (*count).into())]))
                    .map(|laid| Laid { said: None, ..laid });
            }
            (Side::Before, Row::Lines(cell, _)) => (&self.before, cell),
            (Side::After, Row::Lines(_, cell)) => (&self.after, cell),
        };
        if let (0, Err(why)) = (number, text) {
            return words(why.clone());
        }
        let cell = cell.as_ref()?;
        let (strong, key) = match cell.sign {
            Sign::Stays => (Color32::TRANSPARENT, None),
            Sign::Goes => (look.tokens.gone_strong, Some("line-gone")),
            Sign::Comes => (look.tokens.new_strong, Some("line-new")),
        };
        let style = format(theme::mono(), look.tokens.text);
        let mut job = LayoutJob { wrap, ..LayoutJob::default() };
        for (part, differs) in parts(cell, self.most.is_some()) {
            let background = if differs { strong } else { Color32::TRANSPARENT };
            job.append(&part, 0.0, TextFormat { background, ..style.clone() });
        }
        let said = key.map(|key| look.texts.with(key, [("line", cell.line.into())]));
        Some(Laid { galley: ui.painter().layout_job(job), sign: cell.sign, said })
    }
}

impl Side {
    fn key(self) -> &'static str {
        match self {
            Self::Before => "text-before",
            Self::After => "text-after",
        }
    }
}

impl Laid {
    fn paint(self, ui: &mut Ui, look: Look<'_>, rect: Rect, is_repeated: bool) {
        let (ground, colour, sign) = match self.sign {
            Sign::Stays => (Color32::TRANSPARENT, look.tokens.text_muted, ""),
            Sign::Goes => (look.tokens.gone, look.tokens.text, "−"),
            Sign::Comes => (look.tokens.new, look.tokens.text, "+"),
        };
        ui.painter().rect_filled(rect, CornerRadius::ZERO, ground);
        let middle = Pos2::new(rect.left() + SIGN / 2.0, rect.top());
        ui.painter().text(middle, Align2::CENTER_TOP, sign, theme::mono(), colour);
        let text = rect.with_min_x(rect.left() + SIGN);
        if is_repeated {
            ui.painter().galley(text.min, self.galley, look.tokens.text);
            return;
        }
        let mut cell = ui.new_child(UiBuilder::new().max_rect(text));
        let label = cell.add(Label::new(self.galley).selectable(true));
        if let Some(said) = self.said {
            ui.ctx().accesskit_node_builder(label.id, |node| node.set_value(said));
        }
    }
}
