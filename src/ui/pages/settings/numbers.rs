//! Groups of numbers that are saved together: limits, and how long the record is kept.

use std::ops::RangeInclusive;

use egui::{Id, Ui};

use crate::core::{ActivitySettings, Command, Limits, Snapshot};
use crate::ui::theme::space;
use crate::ui::widgets::{Button, Field, Kind, Look, Tone, card, heading, muted, status};

const MIB: u64 = 1024 * 1024;

/// One number of a group, as it is typed.
#[derive(Debug)]
struct Number {
    /// Its sentences: the key itself, and `-help`.
    key: &'static str,
    range: RangeInclusive<u64>,
    /// `None` shows what is saved.
    typed: Option<String>,
}

/// A group of numbers.
#[derive(Debug)]
pub(super) struct Numbers<const N: usize> {
    numbers: [Number; N],
    /// Saving was tried with what is typed now, and something in it is impossible.
    refused: bool,
}

fn number(key: &'static str, range: RangeInclusive<u64>) -> Number {
    Number { key, range, typed: None }
}

pub(super) fn limits() -> Numbers<5> {
    Numbers {
        numbers: [
            number("limit-seconds", 1..=86_400),
            number("limit-result", 1_000..=100_000_000),
            number("limit-body", 1..=1024),
            number("limit-calls", 1..=1_000),
            number("limit-sessions", 1..=10_000),
        ],
        refused: false,
    }
}

pub(super) fn retention() -> Numbers<2> {
    Numbers {
        numbers: [number("keep-days", 1..=36_500), number("keep-rows", 1..=1_000_000_000)],
        refused: false,
    }
}

pub(super) fn show_limits(
    numbers: &mut Numbers<5>,
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    busy: bool,
) -> Option<Command> {
    let limits = snapshot.limits;
    let saved = [
        limits.call_seconds,
        limits.result_chars as u64,
        (limits.body_bytes as u64).div_ceil(MIB),
        limits.calls_per_runtime as u64,
        limits.sessions as u64,
    ];
    let words = ["limits-title", "limits-about", "limits-save"].map(|key| look.text(key));
    let [seconds, result, body, calls, sessions] = numbers.show(ui, look, "limits", words, saved, busy)?;
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    Some(Command::SetLimits {
        limits: Limits {
            call_seconds: seconds,
            result_chars: count(result),
            // One that is no whole number of MiB stays what it is, unless another one is typed.
            body_bytes: if body == saved[2] { limits.body_bytes } else { count(body * MIB) },
            calls_per_runtime: count(calls),
            sessions: count(sessions),
            ..limits
        },
    })
}

pub(super) fn show_retention(
    numbers: &mut Numbers<2>,
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    busy: bool,
) -> Option<Command> {
    let saved = [snapshot.retention.keep_days.into(), snapshot.retention.keep_rows];
    let words = ["retention-title", "retention-about", "retention-save"].map(|key| look.text(key));
    let [days, keep_rows] = numbers.show(ui, look, "retention", words, saved, busy)?;
    let keep_days = u32::try_from(days).unwrap_or(u32::MAX);
    Some(Command::SetRetention { retention: ActivitySettings { keep_days, keep_rows } })
}

impl<const N: usize> Numbers<N> {
    /// Draws the group with its title, a line about it and the words of its button. Gives its numbers when they are to be saved and all
    /// of them are possible.
    fn show(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        id: &'static str,
        [title, about, save_it]: [String; 3],
        saved: [u64; N],
        busy: bool,
    ) -> Option<[u64; N]> {
        let mut save = None;
        card(ui, look, id, &title, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            heading(ui, look, &title);
            muted(ui, look, about);
            for (number, saved) in self.numbers.iter_mut().zip(saved) {
                number.show(ui, look, saved, self.refused);
            }
            let values = || self.numbers.iter().zip(saved).map(|(number, saved)| number.value(saved));
            let edited = values().zip(saved).any(|(value, saved)| value != Some(saved));
            let button = Button::new(id, save_it).kind(Kind::Primary).enabled(!busy);
            if button.show(ui, look).clicked() {
                let possible: Option<Vec<u64>> = values().collect();
                save = possible.and_then(|values| <[u64; N]>::try_from(values).ok());
                self.refused = save.is_none();
                if save.is_some() {
                    self.numbers.iter_mut().for_each(|number| number.typed = None);
                }
            }
            let (tone, key) =
                if edited { (Tone::Warning, "draft-unsaved") } else { (Tone::Plain, "numbers-saved") };
            status(ui, look, id, tone, &look.text(key));
        });
        save
    }
}

impl Number {
    /// What it is by what is typed; `None` where that is impossible.
    fn value(&self, saved: u64) -> Option<u64> {
        match &self.typed {
            None => Some(saved),
            Some(typed) => typed.trim().parse().ok().filter(|number| self.range.contains(number)),
        }
    }

    fn show(&mut self, ui: &mut Ui, look: Look<'_>, saved: u64, refused: bool) {
        let impossible = refused && self.value(saved).is_none();
        let range = || {
            let (from, to) = (self.range.start().to_string(), self.range.end().to_string());
            look.texts.with("number-range", [("from", from.into()), ("to", to.into())])
        };
        let field = Field::new(Id::unique(self.key), look.text(self.key))
            .help(look.text(&format!("{}-help", self.key)))
            .error(impossible.then(range))
            .mono()
            .width(160.0);
        let mut text = self.typed.clone().unwrap_or_else(|| saved.to_string());
        if field.show(ui, look, &mut text).changed() {
            self.typed = Some(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_typed_is_what_is_saved_and_what_is_impossible_is_nothing() {
        let mut days = number("keep-days", 1..=100);
        assert_eq!(days.value(90), Some(90));
        for (typed, value) in [(" 7 ", Some(7)), ("0", None), ("101", None), ("", None), ("-1", None)] {
            days.typed = Some(typed.into());
            assert_eq!(days.value(90), value, "{typed:?}");
        }
    }
}
