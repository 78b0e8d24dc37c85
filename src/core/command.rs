//! What can be asked of the core, and what it answers. The window, the control API and the command
//! line all speak in these.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::access::SessionLabel;
use crate::access::approvals::{AnswerError, ApprovalsView, QuestionId};
use crate::activity::{ActivityError, Page, Query};
use crate::core::snapshot::{RuntimeView, Snapshot};
use crate::obsidian::{Diagnosis, TestReport, Vault};
use crate::settings::{
    ApprovalPolicy, Capability, InvalidField, Language, RuntimeId, RuntimeKind, SettingsError, Theme,
    WorkMode,
};

/// Something a person wants done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Command {
    /// Saves the Obsidian scope; empty = every registered vault (FR-2). Nothing else changes (LR-1).
    SaveScope {
        vault_path: String,
    },
    /// Flips a capability's switch.
    SetEnabled {
        capability: Capability,
        enabled: bool,
    },
    /// Gives a capability to a runtime, or takes it away.
    SetAssignment {
        capability: Capability,
        runtime: RuntimeId,
        assigned: bool,
    },
    /// Tries a draft of the scope: saves nothing, switches nothing (FR-7). One at a time.
    TestObsidian {
        vault_path: String,
    },
    /// The vaults of the saved scope.
    ListVaults,
    /// Opens the system's folder dialog.
    ChooseFolder,
    /// Adds a runtime; answers with its key, once.
    AddRuntime {
        kind: RuntimeKind,
        /// `None` takes the kind's own name.
        #[serde(default)]
        name: Option<String>,
        #[serde(default)]
        mode: WorkMode,
        #[serde(default)]
        approval: ApprovalPolicy,
        #[serde(default)]
        capabilities: BTreeSet<Capability>,
    },
    RemoveRuntime {
        runtime: RuntimeId,
    },
    /// Replaces a runtime's key; answers with the new one, once.
    RotateKey {
        runtime: RuntimeId,
    },
    SetMode {
        runtime: RuntimeId,
        mode: WorkMode,
    },
    /// `None` follows the system.
    SetLanguage {
        language: Option<Language>,
    },
    SetTheme {
        theme: Theme,
    },
    /// Takes effect at the next start.
    SetPort {
        port: u16,
    },
    /// Issues a one-off grant token.
    IssueGrant {
        runtime: RuntimeId,
        #[serde(default = "ask")]
        mode: WorkMode,
        /// `None` takes what the runtime has.
        #[serde(default)]
        capabilities: Option<BTreeSet<Capability>>,
        lifetime_seconds: u64,
    },
    /// Ends a one-off grant by its number.
    EndGrant {
        grant: u64,
    },
    /// Ends a session for good.
    EndSession {
        session: SessionLabel,
    },
    /// Calls a tool as the person at this computer.
    CallTool {
        tool: String,
        #[serde(default)]
        arguments: Map<String, Value>,
        #[serde(default)]
        mode: WorkMode,
    },
    /// A page of what happened.
    Activity {
        #[serde(default)]
        query: Query,
    },
    /// Waits until more was recorded than this revision says; 0 answers as soon as there is anything.
    AwaitActivity {
        revision: u64,
    },
    /// A person's answer to a question; it counts once.
    AnswerApproval {
        question: QuestionId,
        approve: bool,
    },
    /// Lets a session ask again that left its questions unanswered.
    LiftApprovalPause {
        runtime: RuntimeId,
        #[serde(default)]
        session: Option<SessionLabel>,
    },
    /// Waits until there is something else to be seen of questions than at this revision. Whoever waits so
    /// counts as somebody who can answer.
    AwaitApprovals {
        revision: u64,
    },
    /// What is found, what is missing, what to do.
    Diagnose,
    /// Everything that a window would show.
    Status,
    /// Brings the window to the front.
    ShowWindow,
    /// Ends this instance, after running calls have cleaned up.
    Shutdown,
}

fn ask() -> WorkMode {
    WorkMode::Ask
}

/// What a command answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Reply {
    Done,
    Tested {
        report: TestReport,
    },
    Vaults {
        vaults: Vec<Vault>,
    },
    /// `None`: the person closed the dialog.
    Folder {
        path: Option<PathBuf>,
    },
    RuntimeAdded {
        runtime: RuntimeView,
        key: ShownOnce,
    },
    KeyRotated {
        runtime: RuntimeId,
        key: ShownOnce,
    },
    GrantIssued {
        grant: u64,
        token: ShownOnce,
        capabilities: BTreeSet<Capability>,
        expires: SystemTime,
    },
    /// The parts of MCP's tool result.
    ToolResult {
        content: Vec<Value>,
        structured_content: Option<Value>,
        is_error: bool,
    },
    Activity {
        page: Page,
    },
    /// What a person is being asked, and the revision of that.
    Approvals {
        revision: u64,
        approvals: ApprovalsView,
    },
    /// What the log counts now.
    Recorded {
        revision: u64,
    },
    Diagnosis {
        diagnosis: Diagnosis,
    },
    Status {
        snapshot: Box<Snapshot>,
    },
}

/// A secret on its way to the person who asked for it. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShownOnce(pub String);

impl fmt::Debug for ShownOnce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShownOnce(…)")
    }
}

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
}

impl CommandError {
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), field: None }
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
}

impl From<InvalidField> for CommandError {
    fn from(error: InvalidField) -> Self {
        let message = error.to_string();
        Self { code: "invalid".into(), message, field: Some(error.field) }
    }
}

impl From<SettingsError> for CommandError {
    fn from(error: SettingsError) -> Self {
        match error {
            SettingsError::Invalid(error) => error.into(),
            error => Self::new("settings", error.to_string()),
        }
    }
}

impl From<crate::obsidian::ObsidianError> for CommandError {
    fn from(error: crate::obsidian::ObsidianError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl From<ActivityError> for CommandError {
    fn from(error: ActivityError) -> Self {
        match error {
            ActivityError::Closed => Self::closing(),
            error => Self::new("activity", error.to_string()),
        }
    }
}

impl From<AnswerError> for CommandError {
    fn from(error: AnswerError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}
