//! `delete_note`.

use std::io;

use serde_json::{Map, Value, json};

use super::call::Call;
use super::error::NoteError;
use super::root::{Kind, Place};
use super::{answer, path, renaming, trash};
use crate::obsidian::Output;

/// Removes a note for good, or puts it in the vault's or the system's trash.
pub fn delete_note(call: &Call<'_>) -> Result<Output, NoteError> {
    let mode = call.arguments.word("trashMode", &["none", "local", "system"])?;
    let root = call.root.spellings();
    let shown = path::shown(call.arguments.path("path")?, root);
    let refused = |message: String| Ok(answer::outcome(fields(false, &shown, message)));
    if path::shown(call.arguments.path("confirmPath")?, root) != shown {
        return refused(
            "Deletion cancelled: confirmation path does not match. Give the same text as 'path' and as 'confirmPath'"
                .into(),
        );
    }
    let path = match call.note_path("path") {
        Err(error @ NoteError::Denied { .. }) => return refused(error.to_string()),
        path => path?,
    };
    let entry = call.root.find_entry(&path)?;
    // What a link leads to must be in bounds too, as for every tool.
    let kind = if entry.kind == Kind::Link { call.root.find(&path)?.kind } else { entry.kind };
    match kind {
        Kind::File | Kind::Link => {}
        Kind::Missing if entry.kind == Kind::Link => {}
        Kind::Missing => {
            return refused(entry.not_found().to_string());
        }
        Kind::Folder | Kind::Other => return refused(format!("Cannot delete: {shown} is not a file")),
    }
    call.go_on()?;
    let (done, failed) = match mode {
        "local" => (
            trash::local(call.root, &path, &entry)
                .map(|()| format!("Successfully moved note to vault trash: {shown}")),
            "move file to the vault's trash",
        ),
        "system" => (
            trash::system(call.system_trash, call.root, &entry)
                .map(|()| format!("Successfully moved note to system trash: {shown}")),
            "move file to the system trash",
        ),
        _ => (
            remove(&entry)
                .map(|()| format!("Successfully deleted note: {shown}. This action cannot be undone.")),
            "delete file",
        ),
    };
    match done {
        Ok(message) => Ok(answer::outcome(fields(true, &shown, message))),
        Err(error) if mode == "none" && error.kind() == io::ErrorKind::PermissionDenied => refused(format!(
            "Permission denied: {shown}. The permissions of its folder do not allow it to be deleted"
        )),
        Err(error) => refused(format!("Failed to {failed}: {shown} - {error}. Nothing was deleted")),
    }
}

fn remove(entry: &Place) -> io::Result<()> {
    entry.parent.remove_file(&entry.name)?;
    renaming::sync(&entry.parent)
}

fn fields(success: bool, path: &str, message: String) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("success".into(), json!(success));
    fields.insert("path".into(), json!(path));
    fields.insert("message".into(), json!(message));
    fields
}
