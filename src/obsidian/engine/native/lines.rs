//! `read_note_lines` and `get_note_outline`: finding one's way in a long note.

use serde_json::{Value, json};

use super::answer;
use super::call::Call;
use super::error::NoteError;
use super::outline::{self, Heading};
use crate::obsidian::Output;

/// The headings of a note, with level, text and line.
pub fn get_note_outline(call: &Call<'_>) -> Result<Output, NoteError> {
    let path = call.note_path("path")?;
    let pretty = call.arguments.pretty()?;
    let text = call.read(&path)?;
    let fields =
        |heading: Heading| json!({"level": heading.level, "text": heading.text, "line": heading.line});
    let headings: Vec<Value> = outline::headings(&text).into_iter().map(fields).collect();
    Ok(answer::value(&Value::Array(headings), pretty))
}

/// The lines from `startLine` to `endLine`, counted from one, both brought into the note's bounds.
pub fn read_note_lines(call: &Call<'_>) -> Result<Output, NoteError> {
    let path = call.note_path("path")?;
    let bound = |name: &str| {
        call.arguments.number(name)?.ok_or_else(|| NoteError::Said(format!("{name} is required")))
    };
    let (start, end) = (bound("startLine")?, bound("endLine")?);
    call.arguments.pretty()?;
    let text = call.read(&path)?;
    Ok(answer::text(slice(&text, start, end)))
}

/// Fractions count as the whole number below; an end before the start means the start.
fn slice(text: &str, start: f64, end: f64) -> &str {
    let count = text.split('\n').count();
    let last = count as f64; // exact: no text has 2^53 lines
    let start = start.max(1.0).min(last);
    let end = end.max(start).min(last);
    // Both lie between 0 and `count` now; the conversion rounds down.
    let (skip, end) = ((start - 1.0) as usize, end as usize);
    let begin = text.split_inclusive('\n').take(skip).map(str::len).sum::<usize>();
    let rest = &text[begin..];
    let length = rest.split_inclusive('\n').take(end.saturating_sub(skip)).map(str::len).sum::<usize>();
    let lines = &rest[..length];
    // The end of the last line belongs to it only when it is not the end of the text.
    if end < count { lines.strip_suffix('\n').unwrap_or(lines) } else { lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, start: f64, end: f64, expected: &str) {
        assert_eq!(slice(text, start, end), expected, "{text:?} {start} {end}");
    }

    #[test]
    fn bounds_are_brought_into_the_note() {
        let text = "one\ntwo\r\nthree\n";
        check(text, 1.0, 1.0, "one");
        check(text, 2.0, 2.0, "two\r");
        check(text, 1.0, 3.0, "one\ntwo\r\nthree");
        check(text, 1.0, 4.0, "one\ntwo\r\nthree\n");
        check(text, 4.0, 4.0, "");
        check(text, 9.0, 12.0, "");
        check(text, -3.0, 0.0, "one");
        check(text, 0.0, 1e300, "one\ntwo\r\nthree\n");
        check(text, 3.0, 1.0, "three");
        check(text, 1.9, 2.9, "one\ntwo\r");
        check(text, 2.5, 2.5, "two\r");
        check("", 1.0, 5.0, "");
        check("x", 1.0, 5.0, "x");
        check("\n\n", 2.0, 2.0, "");
    }

    #[test]
    fn one_line_of_five_megabytes() {
        let text = "x".repeat(5_000_000);
        assert_eq!(slice(&text, 1.0, 1.0).len(), 5_000_000);
    }
}
