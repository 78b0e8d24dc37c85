//! The order of things: find the file, understand it, change our entry, and write it when told to.

use std::fs;
use std::path::PathBuf;

use serde_json::{Map, Value};

use super::file::Found;
use super::note::{self, Note};
use super::programs::{Format, Program};
use super::{ConnectError, ConnectionPlan, KeyPlace, diff, json, toml, yaml};
use crate::obsidian::Environment;
use crate::settings::{Home, RuntimeId, RuntimeKind};

/// What we are called in every configuration.
pub(super) const NAME: &str = "notegate";

/// Why a text cannot be changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is not what it should be; places count from 1.
    Broken { line: usize, column: usize, reason: String },
    /// It is, but in a form that is not changed.
    Shape(String),
}

/// A change that was thought through and not made.
#[derive(Debug)]
pub struct Plan {
    program: &'static Program,
    place: KeyPlace,
    found: Found,
    text: String,
}

/// Works out the change of a program's configuration. Writes nothing. Blocks on the disk.
///
/// # Errors
/// There is no such file or place, or the file is not one that can be changed.
pub fn plan(
    program: &'static Program,
    place: KeyPlace,
    environment: &Environment,
    entry: &Map<String, Value>,
) -> Result<Plan, ConnectError> {
    let name = program.kind.product_name();
    if !program.places.contains(&place) {
        return Err(ConnectError::NoSuchPlace { program: name, place: place.as_str() });
    }
    let files = (program.files)(environment).ok_or(ConnectError::NoFolder(name))?;
    let there = files.iter().find(|path| path.symlink_metadata().is_ok());
    let path = there.or(files.last()).ok_or(ConnectError::NoFolder(name))?;
    let found = Found::read(path)?;
    if program.kind == RuntimeKind::Continue && !found.exists() && path.with_extension("json").exists() {
        let reason = "Continue still reads its older config.json here, which a config.yaml would hide";
        return Err(ConnectError::Shape { path: path.clone(), reason: reason.into() });
    }
    let text = edited(program, &found.text, entry).map_err(|fault| match fault {
        Fault::Broken { line, column, reason } => {
            ConnectError::Broken { path: path.clone(), format: program.format.name(), line, column, reason }
        }
        Fault::Shape(reason) => ConnectError::Shape { path: path.clone(), reason },
    })?;
    Ok(Plan { program, place, found, text })
}

/// The text with our entry.
pub(super) fn edited(program: &Program, text: &str, entry: &Map<String, Value>) -> Result<String, Fault> {
    let edited = match program.format {
        Format::Json => json::edit(text, program.servers, entry),
        Format::Toml => toml::edit(text, program.servers, entry),
        Format::Yaml => yaml::edit(text, program.servers, entry),
    }?;
    Ok(if edited.ends_with('\n') || !text.is_empty() { edited } else { edited + "\n" })
}

impl Plan {
    /// The change for a person to look at.
    pub fn shown(&self) -> ConnectionPlan {
        ConnectionPlan {
            path: self.found.path.clone(),
            exists: self.found.exists(),
            readable_by_others: self.found.readable_mode().is_some(),
            places: self.program.places.to_vec(),
            seen: self.found.seen(),
            diff: diff::diff(&self.found.text, &self.text),
            can_undo: false,
        }
    }

    /// Makes the change for a runtime, if the file is still as it was when it had the mark `seen`. Gives the file and
    /// its backup: how it was before our first change, as long as nobody else changed it.
    /// Blocks on the disk.
    ///
    /// # Errors
    /// The file is as it was.
    pub fn carry_out(
        self,
        seen: Option<&str>,
        home: &Home,
        runtime: &RuntimeId,
    ) -> Result<(PathBuf, Option<PathBuf>), ConnectError> {
        let Self { program, place, found, text } = self;
        if seen.is_some_and(|seen| seen != found.seen()) {
            return Err(ConnectError::Changed { path: found.path });
        }
        if place == KeyPlace::File
            && let Some(mode) = found.readable_mode()
        {
            return Err(ConnectError::Readable { path: found.path, mode });
        }
        let bytes = found.in_its_form(&text);
        let last = note::last(home, program.kind);
        let (backup, is_new) = match last.as_ref().and_then(|last| last.earliest(&found)) {
            Some(earliest) => (earliest, false),
            None => (found.prepare()?, true),
        };
        let mut note = Note::new(&found, &bytes, backup.clone());
        note.key_kept = (place == KeyPlace::Keyring).then(|| runtime.clone());
        let path = found.path.clone();
        let not_written = |source| ConnectError::Write { path: path.clone(), source };
        // The note first: whatever ends us in between, what was written can be taken back.
        let written = note.save(home, program.kind).map_err(not_written);
        let written = written.and_then(|()| found.check_unchanged()).and_then(|()| found.write(&bytes));
        if let Err(error) = written {
            match last {
                Some(last) => drop(last.save(home, program.kind)),
                None => note::forget(home, program.kind),
            }
            if let Some(backup) = backup.filter(|_| is_new) {
                let _ = fs::remove_file(backup);
            }
            return Err(error);
        }
        Ok((path, backup))
    }
}
