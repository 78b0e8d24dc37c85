//! `manage_tags`.
//!
//! Tags of the text count when they are listed, but only those of the frontmatter are added and removed:
//! the text is the person's (U-13).

use serde_json::{Map, json};

use super::call::Call;
use super::error::NoteError;
use super::frontmatter::{self, Note};
use super::{answer, path, tags};
use crate::obsidian::Output;

/// Lists the tags of a note, or changes those in its frontmatter.
pub fn manage_tags(call: &Call<'_>) -> Result<Output, NoteError> {
    let shown = path::shown(call.arguments.path("path")?, call.root.spellings());
    // There is no default: the first word stands for a missing one and is checked for.
    if call.arguments.get("operation").is_none() {
        return Err(NoteError::Said("operation is required".into()));
    }
    let operation = call.arguments.word("operation", &["list", "add", "remove"])?;
    let given: Vec<String> = call.arguments.texts("tags")?.into_iter().map(str::to_owned).collect();
    let fields = |success: bool, tags: Vec<String>, message: Option<String>| {
        let mut fields = Map::new();
        fields.insert("path".into(), json!(shown));
        fields.insert("operation".into(), json!(operation));
        fields.insert("tags".into(), json!(tags));
        fields.insert("success".into(), json!(success));
        if let Some(message) = message {
            fields.insert("message".into(), json!(message));
        }
        answer::outcome(fields)
    };
    Ok(match run(call, operation, &given) {
        Ok(tags) => fields(true, tags, done(operation)),
        Err(NoteError::Cancelled) => return Err(NoteError::Cancelled),
        Err(error) => fields(false, Vec::new(), Some(error.to_string())),
    })
}

/// Does it, and returns the tags that the note has then.
fn run(call: &Call<'_>, operation: &str, given: &[String]) -> Result<Vec<String>, NoteError> {
    let path = call.note_path("path")?;
    if operation == "list" {
        return Ok(tags_of(&Note::read(&call.read(&path)?)));
    }
    let note = call.read_to_edit(&path)?;
    let read = Note::read(&note.text);
    let failed = |source| NoteError::Frontmatter { path: path.shown.clone(), source };
    // Nobody knows which tags stand in a block that cannot be read, and one without keys has no place for any.
    if read.is_broken() || !read.frontmatter().is_object() {
        frontmatter::check_editable(&note.text).map_err(failed)?;
    }
    // `None`: nothing to do; `Some(None)`: the key goes.
    let change = match operation {
        "add" => tags::added(read.frontmatter(), given).map(Some),
        _ => tags::removed(read.frontmatter(), given),
    };
    let Some(value) = change else { return Ok(tags_of(&read)) };
    let edited = frontmatter::edit(&note.text, &[(tags::key_in(read.frontmatter()), value.as_ref())])
        .map_err(failed)?;
    call.write(&note.place, &edited, note.unchanged())?;
    Ok(tags_of(&Note::read(&edited)))
}

fn tags_of(note: &Note<'_>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for tag in tags::in_frontmatter(note.frontmatter()).into_iter().chain(tags::in_body(note.content())) {
        if !all.iter().any(|known| known == tag) {
            all.push(tag.to_owned());
        }
    }
    all
}

fn done(operation: &str) -> Option<String> {
    match operation {
        "add" => Some("Successfully added tags".into()),
        "remove" => Some("Successfully removed tags".into()),
        _ => None,
    }
}
