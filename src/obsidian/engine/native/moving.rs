//! `move_note` and `move_file`.
//!
//! Both move the file itself, byte for byte (U-19), by renaming. Nothing is replaced unless that was
//! asked for, and a move of a file onto itself never loses it (V-16).

use std::io;

use serde_json::{Map, Value, json};

use super::call::Call;
use super::error::{NoteError, way_to};
use super::folders::Made;
use super::path::VaultPath;
use super::root::{Identity, Kind, Place};
use super::{answer, filter, path, relocation, renaming};
use crate::obsidian::Output;

/// Said after every move of a note (N-18).
const LINKS: &str = "Links to it in other notes were not changed";

/// Moves a note.
pub fn move_note(call: &Call<'_>) -> Result<Output, NoteError> {
    let said = Said::new(call, "note")?;
    for name in ["oldPath", "newPath"] {
        if let Err(error @ NoteError::Denied { .. }) = call.note_path(name) {
            return Ok(said.refused(error.to_string()));
        }
    }
    run(call, &said)
}

/// Moves any file. Both paths must be given twice.
pub fn move_file(call: &Call<'_>) -> Result<Output, NoteError> {
    let said = Said::new(call, "file")?;
    let root = call.root.spellings();
    let confirmed = |name, shown: &str| Ok(path::shown(call.arguments.path(name)?, root) == shown);
    if !confirmed("confirmOldPath", &said.old)? || !confirmed("confirmNewPath", &said.new)? {
        return Ok(said.refused(
            "Move cancelled: confirmation paths do not match. Give the same text as oldPath and as confirmOldPath, and as newPath and as \
             confirmNewPath"
                .into(),
        ));
    }
    for name in ["oldPath", "newPath"] {
        // One that climbs out is refused when its turn comes.
        let path = call.root.vault_path(call.arguments.path(name)?).ok();
        if let Some(path) = path.filter(filter::is_hidden_path) {
            return Ok(said.refused(NoteError::Denied { path: path.shown }.to_string()));
        }
    }
    run(call, &said)
}

fn run(call: &Call<'_>, said: &Said) -> Result<Output, NoteError> {
    let overwrite = call.arguments.flag("overwrite", false)?;
    let (old, new) = (call.arguments.path("oldPath")?, call.arguments.path("newPath")?);
    Ok(match move_entry(call, old, new, overwrite) {
        Ok(()) => said.done(),
        Err(Refused::NoSource(inside)) => {
            said.refused(format!("Source file not found: {}. {}", said.old, way_to(&inside)))
        }
        Err(Refused::SourceIsFolder) => said.refused(format!(
            "{}Source path is a directory: {}. Only single files can be moved; move what is in it one by one",
            said.before_folder(),
            said.old
        )),
        Err(Refused::TargetExists) => {
            said.refused(format!("Target file already exists: {}. Use overwrite=true to replace it", said.new))
        }
        Err(Refused::TargetIsFolder) => said.refused(format!(
            "{}Target path is a directory: {}. Give the path of the file, with its name",
            said.before_folder(),
            said.new
        )),
        Err(Refused::LinkWouldLeadElsewhere) => said.refused(format!(
            "Failed to move {}: {} is a link by a relative path, which would lead elsewhere from another folder. Move what it leads to instead",
            said.what, said.old
        )),
        Err(Refused::Path(error @ (NoteError::Denied { .. } | NoteError::Protected { .. } | NoteError::DeviceName { .. } | NoteError::AmbiguousName { .. }))) => {
            said.refused(error.to_string())
        }
        Err(Refused::Path(error) | Refused::Failed(error @ NoteError::Cancelled)) => return Err(error),
        Err(Refused::Failed(error)) => said.refused(format!("Failed to move {}: {error}", said.what)),
    })
}

/// Why a move was not made.
#[derive(Debug)]
pub(super) enum Refused {
    /// With the path that may have been meant.
    NoSource(Option<String>),
    SourceIsFolder,
    TargetExists,
    TargetIsFolder,
    LinkWouldLeadElsewhere,
    /// One of the paths leads where the tool may not go, or nowhere.
    Path(NoteError),
    Failed(NoteError),
}

impl From<NoteError> for Refused {
    fn from(error: NoteError) -> Self {
        Self::Failed(error)
    }
}

fn move_entry(call: &Call<'_>, old: &str, new: &str, overwrite: bool) -> Result<(), Refused> {
    let old = &call.root.vault_path(old).map_err(Refused::Path)?;
    let from = call.root.find_entry(old).map_err(Refused::Path)?;
    // Where a link leads must be in bounds too, as for every tool.
    let kind =
        if from.kind == Kind::Link { call.root.find(old).map_err(Refused::Path)?.kind } else { from.kind };
    let new = &call.root.vault_path(new).map_err(Refused::Path)?;
    let to = call.root.find_entry(new).map_err(Refused::Path)?;
    if to.kind == Kind::Link {
        call.root.find(new).map_err(Refused::Path)?;
    }
    match kind {
        Kind::File => {}
        Kind::Missing => return Err(Refused::NoSource(from.inside)),
        Kind::Folder => return Err(Refused::SourceIsFolder),
        Kind::Other | Kind::Link => return Err(NoteError::NotAFile { path: old.shown.clone() }.into()),
    }
    if from.kind == Kind::Link && leads_by_relative_path(&from)? && from.real.parent() != to.real.parent() {
        return Err(Refused::LinkWouldLeadElsewhere);
    }
    call.go_on()?;
    let failed = |source| Refused::Failed(NoteError::from_io("rename", &new.shown, source));
    if to.kind == Kind::Missing {
        let (made, folder) = Made::below(&to.parent, &to.missing).map_err(failed)?;
        rename(&from, &folder, &to, false)?;
        made.keep();
        return Ok(());
    }
    if is_same_entry(&from, &to).map_err(failed)? {
        return respell(&from, &to, new).map_err(failed);
    }
    match to.kind {
        Kind::Folder if overwrite => Err(Refused::TargetIsFolder),
        _ if !overwrite => Err(Refused::TargetExists),
        Kind::Other => Err(NoteError::NotAFile { path: new.shown.clone() }.into()),
        _ => rename(&from, &to.parent, &to, true),
    }
}

fn rename(from: &Place, folder: &cap_std::fs::Dir, to: &Place, replace: bool) -> Result<(), Refused> {
    let failed = |source| Refused::Failed(NoteError::from_io("rename", to.shown(), source));
    let moved = if !replace {
        relocation::to_free_name(from, folder, &to.name)
    } else if are_names_of_one_file(from, to).map_err(failed)? {
        // The system would leave both names alone and report success.
        from.parent.remove_file(&from.name).and_then(|()| renaming::sync(&from.parent))
    } else {
        relocation::replacing(from, folder, &to.name)
    };
    match moved {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Refused::TargetExists),
        moved => moved.map_err(failed),
    }
}

fn leads_by_relative_path(link: &Place) -> Result<bool, NoteError> {
    let target = link.parent.read_link_contents(&link.name);
    target
        .map(|target| target.is_relative())
        .map_err(|source| NoteError::from_io("read link", link.shown(), source))
}

/// Whether two places are one entry of one folder, perhaps in two spellings that the disk takes for one.
fn is_same_entry(from: &Place, to: &Place) -> io::Result<bool> {
    use cap_fs_ext::MetadataExt;
    let folder = |place: &Place| place.parent.dir_metadata().map(|metadata| (metadata.dev(), metadata.ino()));
    if folder(from)? != folder(to)? {
        return Ok(false);
    }
    if from.name == to.name {
        return Ok(true);
    }
    // On a disk without case, both spellings find the one entry; elsewhere they are two, and may be two
    // names of one file.
    let (one, other) = (identity(from)?, identity(to)?);
    let same_spelling =
        from.name.to_string_lossy().to_lowercase() == to.name.to_string_lossy().to_lowercase();
    Ok(one == other && same_spelling && (one.links == 1 || !lists_both(from, to)?))
}

/// Whether the folder of `from` has an entry by each of the two names.
fn lists_both(from: &Place, to: &Place) -> io::Result<bool> {
    let mut listed = 0;
    for entry in from.parent.entries()? {
        let name = entry?.file_name();
        listed += usize::from(name == from.name || name == to.name);
    }
    Ok(listed > 1)
}

fn identity(place: &Place) -> io::Result<Identity> {
    place.parent.symlink_metadata(&place.name).map(|metadata| Identity::of(&metadata))
}

fn are_names_of_one_file(from: &Place, to: &Place) -> io::Result<bool> {
    let (one, other) = (identity(from)?, identity(to)?);
    Ok((one.device, one.number) == (other.device, other.number))
}

/// Gives an entry the spelling that `new` has: other case, or the other Unicode form. Equal spelling:
/// there is nothing to do.
fn respell(from: &Place, to: &Place, new: &VaultPath) -> io::Result<()> {
    let wanted = new.parts().last().map_or(to.name.as_os_str(), std::ffi::OsStr::new);
    if from.name == wanted {
        return Ok(());
    }
    from.parent.rename(&from.name, &from.parent, wanted)?;
    renaming::sync(&from.parent)
}

/// What the answers of one move have in common.
struct Said {
    what: &'static str,
    old: String,
    new: String,
}

impl Said {
    fn new(call: &Call<'_>, what: &'static str) -> Result<Self, NoteError> {
        let shown = |name| Ok::<_, NoteError>(path::shown(call.arguments.path(name)?, call.root.spellings()));
        Ok(Self { what, old: shown("oldPath")?, new: shown("newPath")? })
    }

    fn done(&self) -> Output {
        self.outcome(
            true,
            format!("Successfully moved {} from {} to {}. {LINKS}", self.what, self.old, self.new),
        )
    }

    /// For notes, what is no file is one failure among others.
    fn before_folder(&self) -> &'static str {
        if self.what == "note" { "Failed to move note: " } else { "" }
    }

    fn refused(&self, message: String) -> Output {
        self.outcome(false, message)
    }

    fn outcome(&self, success: bool, message: String) -> Output {
        let mut fields = Map::new();
        fields.insert("success".into(), json!(success));
        fields.insert("oldPath".into(), json!(self.old));
        fields.insert("newPath".into(), json!(self.new));
        fields.insert("message".into(), Value::String(message));
        answer::outcome(fields)
    }
}
