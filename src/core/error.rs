//! Why a command was not carried out: a code for scripts, a sentence for people, and where the case at hand
//! is one of a few, its parts, so that the window can tell it in the person's language.

use serde::{Deserialize, Serialize};

use crate::obsidian::{FolderProblem, ObsidianError};
use crate::secrets::NoRandomness;
use crate::settings::{InvalidField, RuntimeId, SettingsError, Unavailable};

/// Why a command was not carried out. Serialisable, since it travels to the command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct CommandError {
    /// Stable word for scripts and tests.
    pub code: String,
    /// What failed, on what, and what the person can do.
    pub message: String,
    /// The field of the form or the settings that is wrong, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The case at hand, where it is one of those that have a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Case>,
}

/// One of the cases that an error can be about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Stable word, as `folder_missing`.
    pub reason: String,
    /// What it is about: a path, a name, a number.
    pub subject: String,
}

impl CommandError {
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), field: None, case: None }
    }

    /// The same with the case at hand.
    pub fn about(mut self, reason: &str, subject: impl Into<String>) -> Self {
        self.case = Some(Case { reason: reason.to_owned(), subject: subject.into() });
        self
    }

    /// The instance ends and takes no more commands.
    pub fn closing() -> Self {
        Self::new("closing", "Notegate is closing and takes no more commands")
    }

    pub(super) fn unknown_runtime(runtime: &RuntimeId) -> Self {
        Self::new(
            "unknown_runtime",
            format!("there is no runtime {runtime}; `notegate runtime list` shows those that there are"),
        )
    }

    pub(super) fn unavailable(message: String, reason: Unavailable, name: &str) -> Self {
        let word = match reason {
            Unavailable::NoScopedDataTools => "no_scoped_data_tools",
        };
        Self::new("unavailable", message).about(word, name)
    }
}

impl From<InvalidField> for CommandError {
    fn from(error: InvalidField) -> Self {
        let case = error
            .case
            .as_ref()
            .map(|(reason, subject)| Case { reason: (*reason).to_owned(), subject: subject.clone() });
        Self { field: Some(error.field.clone()), case, ..Self::new("invalid", error.to_string()) }
    }
}

impl From<SettingsError> for CommandError {
    fn from(error: SettingsError) -> Self {
        match error {
            SettingsError::Invalid(error) => error.into(),
            error @ SettingsError::Changed { .. } => Self::new("settings_changed", error.to_string()),
            error => Self::new("settings", error.to_string()),
        }
    }
}

impl From<NoRandomness> for CommandError {
    fn from(error: NoRandomness) -> Self {
        Self::new("no_randomness", error.to_string())
    }
}

impl From<ObsidianError> for CommandError {
    fn from(error: ObsidianError) -> Self {
        let told = Self::new(error.code(), error.to_string());
        match &error {
            ObsidianError::ScopeInvalid { path, problem }
            | ObsidianError::VaultUnreachable { path, problem, .. } => {
                told.about(word(problem), path.to_string_lossy())
            }
            ObsidianError::RegistryMissing { looked } => {
                let files: Vec<_> = looked.iter().map(|file| file.to_string_lossy()).collect();
                told.about("registry_looked", files.join("\n"))
            }
            _ => told,
        }
    }
}

fn word(problem: &FolderProblem) -> &'static str {
    match problem {
        FolderProblem::NotAbsolute => "folder_not_absolute",
        FolderProblem::Missing => "folder_missing",
        FolderProblem::NotAFolder => "folder_is_a_file",
        FolderProblem::Inaccessible(_) => "folder_inaccessible",
        FolderProblem::SandboxPath => "folder_in_sandbox",
    }
}
