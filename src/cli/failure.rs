//! Why a verb failed, and how that is told: to a person in the manner of cargo, to a script as JSON.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::core::{CommandError, StartError};
use crate::settings::HomeError;
use crate::siyuan::contract::ContractError;

/// How a verb ended. The numbers are a promise to scripts (see the module's page).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Done = 0,
    Failed = 1,
    /// The command line cannot be understood.
    Usage = 2,
    /// The verb needs a running Notegate, and none runs.
    NotRunning = 3,
    /// The call went through, and the tool answered an error.
    ToolError = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a verb ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// To be told: a stable code, what failed, and the way on where there is one.
    #[error("{message}")]
    Told { code: String, message: String, hint: Option<String>, exit: Exit },
    /// Whoever read our output went away; there is nobody to tell.
    #[error("the reader of the output is gone")]
    ReaderGone,
}

impl Failure {
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self::Told { code: code.into(), message: message.into(), hint: None, exit: Exit::Failed }
    }

    pub fn usage(message: impl Into<String>) -> Self {
        Self::Told { code: "usage".into(), message: message.into(), hint: None, exit: Exit::Usage }
    }

    pub fn not_running() -> Self {
        Self::Told {
            code: "not_running".into(),
            message: "Notegate is not running".into(),
            hint: Some("start it with `notegate`, or without a window with `notegate serve`".into()),
            exit: Exit::NotRunning,
        }
    }

    /// The same with the way on.
    pub fn hint(mut self, way_on: impl Into<String>) -> Self {
        if let Self::Told { hint, .. } = &mut self {
            *hint = Some(way_on.into());
        }
        self
    }

    pub fn exit(&self) -> Exit {
        match self {
            Self::Told { exit, .. } => *exit,
            Self::ReaderGone => Exit::Done,
        }
    }

    /// For a script.
    pub fn as_json(&self) -> Option<Value> {
        match self {
            Self::Told { code, message, hint: None, .. } => {
                Some(json!({"error": {"code": code, "message": message}}))
            }
            Self::Told { code, message, hint: Some(hint), .. } => {
                Some(json!({"error": {"code": code, "message": message, "hint": hint}}))
            }
            Self::ReaderGone => None,
        }
    }

    /// For a person.
    pub fn as_text(&self) -> Option<String> {
        match self {
            Self::Told { message, hint: None, .. } => Some(format!("error: {message}")),
            Self::Told { message, hint: Some(hint), .. } => {
                Some(format!("error: {message}\n\n  hint: {hint}"))
            }
            Self::ReaderGone => None,
        }
    }
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        Self::new(&error.code, error.message)
    }
}

impl From<HomeError> for Failure {
    fn from(error: HomeError) -> Self {
        let code = if matches!(error, HomeError::InUse(_)) { "home_in_use" } else { "home" };
        Self::new(code, error.to_string())
    }
}

impl From<ContractError> for Failure {
    fn from(error: ContractError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Home(error) => error.into(),
            StartError::Settings(error) => Self::new("settings", error.to_string()),
            StartError::Activity(_) => Self::new("activity", error.to_string()),
        }
    }
}
