//! `list_directory`.

use cap_fs_ext::DirExt;
use serde_json::json;

use super::answer;
use super::call::Call;
use super::error::NoteError;
use super::filter;
use super::path::VaultPath;
use super::root::Kind;
use crate::obsidian::Output;

/// The folders and files in a folder, by name. Hidden ones, and links that lead nowhere in the vault,
/// are left out.
pub fn list_directory(call: &Call<'_>) -> Result<Output, NoteError> {
    let given = if call.arguments.get("path").is_some() { call.arguments.path("path")? } else { "" };
    let path = call.root.vault_path(given)?;
    if filter::is_hidden_path(&path) {
        return Err(NoteError::Denied { path: path.shown });
    }
    let pretty = call.arguments.pretty()?;
    let failed = |source| NoteError::from_io("list directory", given, source);
    let dir = call.root.open_dir(&path)?;
    let (mut dirs, mut files) = (Vec::new(), Vec::new());
    for entry in dir.entries().map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let shown = name.to_string_lossy().into_owned();
        if filter::is_hidden(&shown) {
            continue;
        }
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_symlink() {
            match target(call, &path, &shown) {
                Some(Kind::Folder) => dirs.push(shown),
                Some(Kind::File) => files.push(shown),
                _ => {}
            }
        } else if kind.is_dir() {
            // One that may not be opened is listed; whoever lists it is told.
            let opened = dir.open_dir_nofollow(&name);
            if !opened.is_ok_and(|opened| call.root.is_protected(&opened).unwrap_or(true)) {
                dirs.push(shown);
            }
        } else if kind.is_file() {
            files.push(shown);
        }
    }
    dirs.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    files.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    Ok(answer::value(&json!({"dirs": dirs, "files": files}), pretty))
}

fn target(call: &Call<'_>, folder: &VaultPath, name: &str) -> Option<Kind> {
    call.root.find(&folder.child(name)).ok().map(|place| place.kind)
}
