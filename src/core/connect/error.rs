//! Why the configuration of a program was not written.

use std::io;
use std::path::PathBuf;

use super::super::CommandError;

/// Why nothing was written, or nothing was taken back.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    #[error("Notegate knows no configuration file of {0}. Copy the text that `notegate runtime add` shows")]
    NoFile(&'static str),
    #[error("this computer names no folder of yours, so {0}'s configuration cannot be found")]
    NoFolder(&'static str),
    #[error("{program} cannot take its key from the {place}. Choose another place: --key")]
    NoSuchPlace { program: &'static str, place: &'static str },
    #[error(
        "{path:?} can be read by other users of this computer (mode {mode:o}), so the key does not go into it. Make it \
         yours alone (`chmod 600`), or let the key stay in the keyring (--key keyring) or in a variable (--key environment)"
    )]
    Readable { path: PathBuf, mode: u32 },
    #[error(
        "{path:?} is not valid {format} at line {line}, column {column}: {reason}. It was left alone; mend it first"
    )]
    Broken { path: PathBuf, format: &'static str, line: usize, column: usize, reason: String },
    #[error(
        "{path:?} has a form that Notegate does not change: {reason}. It was left alone; mend that, or add the text \
         by hand that `notegate runtime add` prints and the window shows"
    )]
    Shape { path: PathBuf, reason: String },
    #[error("{path:?} cannot be read: {source}. {}", remedy(.source))]
    Read { path: PathBuf, source: io::Error },
    #[error("{path:?} is not a text file that can be changed: {reason}")]
    Unfit { path: PathBuf, reason: &'static str },
    #[error(
        "{path:?} was changed since the change was shown, so nothing was written. Look at the change anew"
    )]
    Changed { path: PathBuf },
    #[error("{path:?} cannot be written: {source}. It is as it was. {}", remedy(.source))]
    Write { path: PathBuf, source: io::Error },
    #[error("there is nothing to undo: Notegate has written nothing for {0}, or it was undone already")]
    NothingToUndo(&'static str),
    #[error(
        "{path:?} was edited since Notegate wrote it, so it was left alone. Take the entry `notegate` out by hand{}",
        .backup.as_ref().map_or(String::new(), |backup| format!("; how it was before stands in {backup:?}"))
    )]
    Edited { path: PathBuf, backup: Option<PathBuf> },
}

/// What to do where the disk refuses.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "Make it and its folder yours to read and write (`chmod u+rw`), then try again"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "Make room on the disk, then try again",
        io::ErrorKind::NotADirectory => "Something else stands where its folder should be; move that away",
        _ => "See that it is an ordinary file of yours, then try again",
    }
}

impl ConnectError {
    /// A stable word for scripts and tests.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoFile(_) | Self::NoFolder(_) => "program_unknown",
            Self::NoSuchPlace { .. } => "key_place",
            Self::Readable { .. } => "file_readable",
            Self::Broken { .. } => "file_broken",
            Self::Shape { .. } | Self::Unfit { .. } => "file_shape",
            Self::Read { .. } => "file_unreadable",
            Self::Changed { .. } => "file_changed",
            Self::Write { .. } => "file_not_written",
            Self::NothingToUndo(_) => "nothing_to_undo",
            Self::Edited { .. } => "file_edited",
        }
    }
}

impl From<ConnectError> for CommandError {
    fn from(error: ConnectError) -> Self {
        let told = Self::new(error.code(), error.to_string());
        let about = |reason: &str, path: &PathBuf| told.clone().about(reason, path.to_string_lossy());
        match &error {
            ConnectError::Broken { path, line, column, .. } => {
                told.about("broken_at", format!("{} ({line}:{column})", path.to_string_lossy()))
            }
            ConnectError::Readable { path, .. } => about("whole_file", path),
            ConnectError::Changed { path } => about("whole_file", path),
            ConnectError::Edited { path, .. } => about("whole_file", path),
            _ => told,
        }
    }
}
