//! `patch_note`.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::{Map, Value, json};

use super::call::Call;
use super::error::NoteError;
use super::frontmatter::newline_of;
use super::{answer, path};
use crate::obsidian::Output;

/// Replaces a text in a note by another, literally. Without `replaceAll` it must stand there once.
pub fn patch_note(call: &Call<'_>) -> Result<Output, NoteError> {
    let shown = path::shown(call.arguments.path("path")?, call.root.spellings());
    let refused =
        |message: String, count: Option<usize>| answer::outcome(fields(false, &shown, message, count));
    let old = call.arguments.text("oldString")?;
    let new = call.arguments.text("newString")?;
    let all = call.arguments.flag("replaceAll", false)?;
    if let Err(error @ NoteError::Denied { .. }) = call.note_path("path") {
        return Ok(refused(error.to_string(), None));
    }
    if path::trim(old).is_empty() {
        return Ok(refused("oldString cannot be empty".into(), None));
    }
    if old == new {
        return Ok(refused("oldString and newString must be different".into(), None));
    }
    Ok(match patch(call, old, new, all) {
        Ok(Patched::Done(count)) => {
            let replaced = if count > 1 { "occurrences" } else { "occurrence" };
            answer::outcome(fields(
                true,
                &shown,
                format!("Successfully replaced {count} {replaced}"),
                Some(count),
            ))
        }
        Ok(Patched::NotFound) => {
            let start = start_of(old);
            let dots = if start.len() < old.len() { "..." } else { "" };
            refused(format!("String not found in note: \"{start}{dots}\""), Some(0))
        }
        Ok(Patched::Several(count)) => {
            let message = format!(
                "Found {count} occurrences of the string. Use replaceAll=true to replace them all, or give more of the text around the one you mean"
            );
            refused(message, Some(count))
        }
        Err(NoteError::Cancelled) => return Err(NoteError::Cancelled),
        Err(error @ NoteError::Denied { .. }) => refused(error.to_string(), None),
        Err(error) => refused(format!("Failed to patch note: {error}"), None),
    })
}

enum Patched {
    Done(usize),
    NotFound,
    Several(usize),
}

fn patch(call: &Call<'_>, old: &str, new: &str, all: bool) -> Result<Patched, NoteError> {
    let path = call.note_path("path")?;
    let note = call.read_to_edit(&path)?;
    let places = places_of(old, &note.text);
    match places.len() {
        0 => return Ok(Patched::NotFound),
        1 => {}
        _ if all => {}
        count => return Ok(Patched::Several(count)),
    }
    let mut text = String::with_capacity(note.text.len());
    let mut from = 0;
    for place in &places {
        text += &note.text[from..place.start];
        text += &with_line_ends(new, old, &note.text[place.clone()]);
        from = place.end;
    }
    text += &note.text[from..];
    call.write(&note.place, &text, note.unchanged())?;
    Ok(Patched::Done(places.len()))
}

/// Where `old` stands in the note. Runtimes write line ends as they like: a text over several lines that is
/// not there as it was given is looked for with either line end.
fn places_of(old: &str, note: &str) -> Vec<Range<usize>> {
    let found = |old: &str, note: &str| -> Vec<Range<usize>> {
        note.match_indices(old).map(|(at, found)| at..at + found.len()).collect()
    };
    let places = found(old, note);
    if !places.is_empty() || !old.contains('\n') {
        return places;
    }
    // where `\r` is missing in the note with plain line ends
    let mut taken = Vec::new();
    let plain = note.replace("\r\n", "\n");
    for (at, _) in note.match_indices("\r\n") {
        taken.push(at - taken.len());
    }
    let place = |at: usize| at + taken.partition_point(|end| *end < at);
    let places = found(&old.replace("\r\n", "\n"), &plain);
    places.into_iter().map(|range| place(range.start)..place(range.end)).collect()
}

/// The new text with the line ends of what it replaces, unless that was found as it was given.
fn with_line_ends<'a>(new: &'a str, old: &str, found: &str) -> Cow<'a, str> {
    if found == old || !new.contains('\n') {
        return new.into();
    }
    let plain = new.replace("\r\n", "\n");
    if newline_of(found) == "\n" { plain.into() } else { plain.replace('\n', "\r\n").into() }
}

/// At most fifty UTF-16 units of a text.
fn start_of(text: &str) -> &str {
    let mut units = 0;
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > 50 {
            return &text[..at];
        }
    }
    text
}

fn fields(success: bool, path: &str, message: String, count: Option<usize>) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("success".into(), json!(success));
    fields.insert("path".into(), json!(path));
    fields.insert("message".into(), json!(message));
    if let Some(count) = count {
        fields.insert("matchCount".into(), json!(count));
    }
    fields
}
