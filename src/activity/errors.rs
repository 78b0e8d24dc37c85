//! Why something could not be recorded or read, with the way out.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::schema::SCHEMA_VERSION;

/// Why the log cannot be used. What is on the disk was left as it is.
///
/// Can be cloned, since one failure can concern several calls.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActivityError {
    #[error(
        "the activity log {path:?} cannot be opened: {problem}. Check the permissions of the file and its folder; until then \
         calls are refused, because none is made without being recorded"
    )]
    Open { path: PathBuf, problem: String },
    #[error(
        "the activity log {path:?} is damaged: {problem}. It was left alone. Move it away, together with the files beside it that \
         end in -wal and -shm; the next call then begins a new one. Until then calls are refused, because none is made without \
         being recorded"
    )]
    Broken { path: PathBuf, problem: String },
    #[error(
        "{path:?} is no activity log of Notegate. It was left alone. Move it away; the next call then begins a log in its place. \
         Until then calls are refused, because none is made without being recorded"
    )]
    Foreign { path: PathBuf },
    #[error(
        "the activity log {path:?} was written by a newer Notegate (version {found} of its form, this program knows \
         {SCHEMA_VERSION}). It was left alone. Use the newer program, or move the file away; until then calls are refused, because \
         none is made without being recorded"
    )]
    Newer { path: PathBuf, found: i64 },
    #[error(
        "the activity log {path:?} cannot be written: {problem}. Is the disk full, or the file held by another program?"
    )]
    Write { path: PathBuf, problem: String },
    #[error(
        "the activity log {path:?} was removed or replaced while Notegate runs, so what is written to it would be lost. Start \
         Notegate anew, which begins a new one; until then calls are refused, because none is made without being recorded"
    )]
    Gone { path: PathBuf },
    #[error("the activity log {path:?} cannot be read: {problem}")]
    Read { path: PathBuf, problem: String },
    #[error("the activity log is closed, because Notegate is closing")]
    Closed,
}

impl ActivityError {
    /// What the database's own error means for the file at `path`.
    pub(super) fn of(error: &rusqlite::Error, path: &Path, otherwise: fn(PathBuf, String) -> Self) -> Self {
        let (path, problem) = (path.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::Broken { path, problem },
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
                Self::Open { path, problem }
            }
            _ => otherwise(path, problem),
        }
    }

    /// Whether the file must be opened anew before anything is tried again.
    pub(super) fn ends_the_connection(&self) -> bool {
        matches!(self, Self::Broken { .. } | Self::Open { .. })
    }
}
