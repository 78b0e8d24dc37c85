//! Rows as comma-separated values after RFC 4180, safe to be opened in a spreadsheet.
//!
//! Much of a row is what callers said, and a spreadsheet computes what looks like a formula. A text that begins like one
//! gets an apostrophe before it, which spreadsheets take as "this is text".

use std::io::{self, Write};

use super::moment;
use crate::activity::Record;

/// Without it spreadsheets take the bytes for those of an old encoding.
const BYTE_ORDER_MARK: &str = "\u{feff}";

const COLUMNS: [&str; 16] = [
    "number",
    "started",
    "runtime",
    "session",
    "tool",
    "writes",
    "kernel",
    "vault",
    "endpoints",
    "decision",
    "outcome",
    "code",
    "durationMs",
    "objects",
    "callId",
    "operationId",
];

/// The line that names the columns.
pub(super) fn head(to: &mut impl Write) -> io::Result<()> {
    to.write_all(BYTE_ORDER_MARK.as_bytes())?;
    line(to, COLUMNS.map(str::to_owned))
}

/// One row. What is a list in it stands in one cell, an entry a line.
pub(super) fn row(to: &mut impl Write, record: &Record) -> io::Result<()> {
    let endpoints = record.endpoints.iter().map(|endpoint| match &endpoint.permission {
        Some(permission) => format!("{} ({permission})", endpoint.key),
        None => endpoint.key.clone(),
    });
    let objects = record.objects.iter().map(|object| format!("{} {}", object.kind.as_str(), object.id));
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    line(
        to,
        [
            record.number.to_string(),
            moment(record),
            record.runtime.to_string(),
            optional(&record.session),
            record.tool.clone(),
            record.writes.to_string(),
            optional(&record.kernel),
            optional(&record.vault),
            endpoints.collect::<Vec<_>>().join("\n"),
            record.decision.as_str().to_owned(),
            record.outcome.as_str().to_owned(),
            optional(&record.code),
            record.duration.map(|took| took.as_millis().to_string()).unwrap_or_default(),
            objects.collect::<Vec<_>>().join("\n"),
            record.call.to_string(),
            record.operation.to_string(),
        ],
    )
}

fn line(to: &mut impl Write, cells: [String; COLUMNS.len()]) -> io::Result<()> {
    let cells = cells.map(|text| cell(&text));
    to.write_all(cells.join(",").as_bytes())?;
    to.write_all(b"\r\n")
}

/// A text in quotation marks, so that nothing in it ends the cell.
fn cell(text: &str) -> String {
    let guard = if is_like_a_formula(text) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

/// Blanks before it do not keep a spreadsheet from computing it, and some take the wide forms of the signs as well.
fn is_like_a_formula(text: &str) -> bool {
    let first = text.trim_start_matches(|c: char| c.is_whitespace() || c.is_control()).chars().next();
    let begins_so = matches!(first, Some('=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠'));
    begins_so || text.starts_with(['\t', '\r', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_taken_for_a_formula() {
        for formula in [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            " =1",
            "\t=1",
            "\r=1",
            "\n=1",
            "\u{a0}=1",
            "\u{0}=1",
            "＝1",
            "－2",
            "\tharmless",
        ] {
            assert!(cell(formula).starts_with("\"'"), "{formula:?} became {}", cell(formula));
        }
        for text in ["", "plain", "a=1", "笔记", "20261011180000-abcdefg", "http POST /api/block/updateBlock"]
        {
            assert_eq!(cell(text), format!("\"{text}\""));
        }
    }

    #[test]
    fn a_cell_ends_only_where_it_ends() {
        assert_eq!(cell("a\",\"b\r\nc"), "\"a\"\",\"\"b\r\nc\"");
        assert_eq!(cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
    }
}
