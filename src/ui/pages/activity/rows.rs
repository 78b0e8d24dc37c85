//! The rows of the table.

use super::words;
use crate::core::{Record, Snapshot};
use crate::ui::widgets::{Cell, Column, Look, TableRows, Width};
use crate::ui::{clock, names};

pub(super) struct Rows<'a> {
    pub records: &'a [Record],
    pub snapshot: &'a Snapshot,
    pub look: Look<'a>,
}

/// How long a time of this day is, in characters.
const TIME_OF_DAY: usize = "14:02:11".len();

/// The columns, in the order of [`Rows::cell`].
pub(super) fn columns(records: &[Record], look: Look<'_>) -> [Column; 6] {
    // The oldest row has the longest time, if it is of another day.
    let oldest = records.last().map(|record| clock::to_the_second(record.started)).unwrap_or_default();
    let time = if oldest.len() > TIME_OF_DAY { 96.0 } else { 78.0 };
    let share = |share, least| Width::Share { share, least };
    [
        Column::new("time", look.text("column-time"), Width::Fixed(time)),
        Column::new("outcome", look.text("column-outcome"), Width::Fixed(108.0)),
        Column::new("tool", look.text("column-tool"), share(1.3, 160.0)).mono(),
        Column::new("about", look.text("column-about"), share(1.6, 120.0)).middle(),
        Column::new("caller", look.text("column-caller"), share(0.6, 92.0)),
        Column::new("took", look.text("column-took"), Width::Fixed(68.0)).numbers(),
    ]
}

impl TableRows for Rows<'_> {
    type Key = u64;

    fn count(&self) -> usize {
        self.records.len()
    }

    fn key(&self, row: usize) -> u64 {
        self.records[row].number
    }

    fn name(&self, row: usize) -> String {
        let record = &self.records[row];
        let (outcome, ..) = words::outcome(record.outcome);
        let args = [
            ("tool", record.tool.as_str().into()),
            ("outcome", self.look.text(outcome).into()),
            ("time", clock::to_the_second(record.started).into()),
        ];
        self.look.texts.with("row-name", args)
    }

    fn cell(&self, row: usize, column: usize) -> Cell<'_> {
        let record = &self.records[row];
        match column {
            0 => Cell::muted(clock::to_the_second(record.started)),
            1 => {
                let (word, icon, tone) = words::outcome(record.outcome);
                Cell::state(icon, tone, self.look.text(word))
            }
            2 => Cell::text(record.tool.as_str()),
            3 => Cell::text(words::about(record, self.snapshot, self.look)),
            4 => Cell::text(names::of_caller(record.runtime.as_str(), self.snapshot, self.look)),
            _ => Cell::muted(took(record, self.look)),
        }
    }
}

/// How long it took, in words; nothing where nobody saw its end.
pub(super) fn took(record: &Record, look: Look<'_>) -> String {
    let Some(took) = record.duration else { return String::new() };
    if took.as_millis() < 1000 {
        look.texts.with("took-milliseconds", [("count", (took.as_millis() as u64).into())])
    } else {
        look.texts.with("took-seconds", [("seconds", format!("{:.1}", took.as_secs_f64()).into())])
    }
}
