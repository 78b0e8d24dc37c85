//! `patch_note`.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::call::Call;
use super::error::NoteError;
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
    let (old, new) = with_line_ends_of(&note.text, old, new);
    let count = note.text.matches(&*old).count();
    match count {
        0 => return Ok(Patched::NotFound),
        1 => {}
        _ if all => {}
        _ => return Ok(Patched::Several(count)),
    }
    let text = note.text.replace(&*old, &new);
    call.write(&note.place, &text, note.unchanged())?;
    Ok(Patched::Done(count))
}

/// Runtimes write line ends as `\n`. Where the text over several lines is not in the note as it was
/// given, but is with the note's `\r\n`, that is what was meant, and the new text gets the same.
fn with_line_ends_of<'a>(note: &str, old: &'a str, new: &'a str) -> (Cow<'a, str>, Cow<'a, str>) {
    let as_given = (Cow::Borrowed(old), Cow::Borrowed(new));
    if !old.contains('\n') || old.contains('\r') || !note.contains("\r\n") || note.contains(old) {
        return as_given;
    }
    let windows = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
    (Cow::Owned(windows(old)), Cow::Owned(windows(new)))
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
