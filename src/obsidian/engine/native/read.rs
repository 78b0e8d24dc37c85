//! `read_note`, `get_frontmatter` and `read_multiple_notes`.

use serde_json::{Value, json};

use super::answer;
use super::call::Call;
use super::error::NoteError;
use super::frontmatter::Note;
use super::uri::obsidian_uri;
use crate::obsidian::Output;

/// How many notes one call reads.
const MOST_NOTES: usize = 10;

/// What a note holds: its frontmatter and its body.
pub fn read_note(call: &Call<'_>) -> Result<Output, NoteError> {
    let path = call.note_path("path")?;
    let pretty = call.arguments.pretty()?;
    let text = call.read(&path)?;
    let note = Note::read(&text);
    Ok(answer::value(&json!({"fm": note.frontmatter(), "content": note.content()}), pretty))
}

/// The frontmatter of a note.
pub fn get_frontmatter(call: &Call<'_>) -> Result<Output, NoteError> {
    let path = call.note_path("path")?;
    let pretty = call.arguments.pretty()?;
    let text = call.read(&path)?;
    Ok(answer::value(Note::read(&text).frontmatter(), pretty))
}

/// Several notes; those that cannot be read are named with the reason.
pub fn read_multiple_notes(call: &Call<'_>) -> Result<Output, NoteError> {
    let paths = call.arguments.required_texts("paths")?;
    let content = call.arguments.flag("includeContent", true)?;
    let frontmatter = call.arguments.flag("includeFrontmatter", true)?;
    let pretty = call.arguments.pretty()?;
    if paths.len() > MOST_NOTES {
        return Err(NoteError::Said(format!(
            "Maximum {MOST_NOTES} files per batch read request ({} were given)",
            paths.len()
        )));
    }
    let (mut read, mut failed) = (Vec::new(), Vec::new());
    for given in paths.into_iter().map(super::path::trim) {
        call.go_on()?;
        match read_one(call, given, content, frontmatter) {
            Ok(note) => read.push(note),
            Err(error) => failed.push(json!({"path": given, "error": error.to_string()})),
        }
    }
    Ok(answer::value(&json!({"ok": read, "err": failed}), pretty))
}

fn read_one(call: &Call<'_>, given: &str, content: bool, frontmatter: bool) -> Result<Value, NoteError> {
    let path = call.note_path_of(given)?;
    let text = call.read(&path)?;
    let note = Note::read(&text);
    let mut fields = json!({"path": path.shown, "obsidianUri": obsidian_uri(call.root.path(), &path.shown)});
    if frontmatter {
        fields["frontmatter"] = note.frontmatter().clone();
    }
    if content {
        fields["content"] = note.content().into();
    }
    Ok(fields)
}
