//! Writing our entry into the configuration of a chat program, where a person asks for it.
//!
//! The file is parsed, one entry of it changes, and everything else stays as it is, to the byte: comments, trailing
//! commas, a byte-order mark, line ends, links and modes. [`plan`] only looks; [`edit::Plan::carry_out`] writes, if the file is
//! still the one that was looked at, and leaves a backup and a note by which [`undo`] takes it back.
//!
//! Invariant: a file that cannot be understood is not written, and no key goes where others can read it.

mod diff;
mod edit;
mod error;
mod file;
mod json;
mod note;
mod programs;
mod toml;
mod yaml;

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::settings::RuntimeKind;

pub use diff::DiffLine;
pub(super) use edit::plan;
pub(super) use error::ConnectError;
pub(super) use note::{can_undo, undo};
pub use programs::KEY_VARIABLE;
pub(super) use programs::{Bearer, Program, Way, entry, program};

/// Where the key is that a program presents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyPlace {
    /// In the configuration itself, which nobody else may be able to read.
    File,
    /// In the variable `NOTEGATE_KEY` of the program's environment; the person sets it.
    Environment,
    /// In the system's keyring, whence `notegate stdio` takes it.
    Keyring,
}

impl KeyPlace {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::File, Self::Keyring, Self::Environment];

    /// The word for it on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Environment => "environment",
            Self::Keyring => "keyring",
        }
    }
}

impl FromStr for KeyPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|place| place.as_str() == text).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            format!("{text:?} is no place for a key; the places are {known}")
        })
    }
}

/// Whether this kind of runtime has a configuration that we can write.
pub fn writes_configuration(kind: RuntimeKind) -> bool {
    program(kind).is_some()
}

/// What would be written, for a person to look at. Holds no key: its place is marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionPlan {
    pub path: PathBuf,
    /// The file is there already.
    pub exists: bool,
    /// The file can be read by other users of this computer, so no key may stand in it.
    pub readable_by_others: bool,
    /// The places for the key that this program knows.
    pub places: Vec<KeyPlace>,
    /// What the file is told from another state of it by; to be given back with the order to write.
    pub seen: String,
    /// The change; empty where the file says already what it should.
    pub diff: Vec<DiffLine>,
    /// What was written before can be taken back.
    pub can_undo: bool,
}

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;
