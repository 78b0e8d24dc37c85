//! The one place that prints: results to standard output, everything else to standard error.
//!
//! A reader that goes away (`notegate tools | head -1`) is no failure: the verb ends quietly.

use std::fmt::Display;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::failure::Failure;
use super::lifetime;

/// Where a verb's results go, and in which form.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    json: bool,
}

impl Output {
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    pub fn is_json(self) -> bool {
        self.json
    }

    /// Prints a result: the JSON value for a script, the text for a person.
    ///
    /// # Errors
    /// Standard output is closed or full.
    pub fn result(self, value: impl Serialize, text: impl FnOnce() -> String) -> Result<(), Failure> {
        if self.json {
            let mut value =
                serde_json::to_value(value).map_err(|error| Failure::new("internal", error.to_string()))?;
            lifetime::write_plainly(&mut value);
            self.line(&value)
        } else {
            self.line(text())
        }
    }

    /// Prints that an instance is ready. A reader that is gone by then is no reason to end it.
    pub fn ready(self, value: impl Serialize, text: impl FnOnce() -> String) -> Result<(), Failure> {
        match self.result(value, text) {
            Err(Failure::ReaderGone) => Ok(()),
            printed => printed,
        }
    }

    /// Prints text and a line end, and makes sure that it has left: whoever waits for a line of a
    /// program that goes on running must get it at once.
    pub fn line(self, text: impl Display) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::new("output", format!("cannot write to standard output: {error}")),
        })
    }

    /// Tells a person something that is not a result.
    pub fn note(self, text: impl Display) {
        // Nobody is left to hear that standard error cannot be written.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Tells why the verb failed.
    pub fn failure(self, failure: &Failure) {
        let told = if self.json {
            failure.as_json().map(|value: Value| self.line(value))
        } else {
            failure.as_text().map(|text| {
                self.note(text);
                Ok(())
            })
        };
        if let Some(Err(error)) = told {
            tracing::debug!(%error, "the failure could not be printed");
        }
    }
}

/// Columns that line up, for people. A Chinese character is two columns wide.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let widths: Vec<usize> =
        (0..columns).map(|column| cells(column).map(|cell| cell.width()).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let padded = row.iter().zip(&widths).map(|(cell, width)| {
            let padding = " ".repeat(width.saturating_sub(cell.width()));
            format!("{cell}{padding}")
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_in_both_languages() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(table(&[row(["a", "x"]), row(["笔记", "y"]), row(["abc", ""])]), "a     x\n笔记  y\nabc");
        assert_eq!(table(&[]), "");
    }
}
