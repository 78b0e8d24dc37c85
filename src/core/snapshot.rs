//! What there is to see at one moment. Immutable, shared, free of secrets.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::access::approvals::ApprovalsView;
use crate::access::{ClientInfo, SessionLabel};
use crate::core::command::CommandError;
use crate::obsidian::TestReport;
use crate::settings::{ApprovalPolicy, Capability, Language, RuntimeId, RuntimeKind, Theme, WorkMode};
use crate::tools::CallStats;

/// The state of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// The program's version.
    pub version: String,
    /// Counts the saves of this process.
    pub generation: u64,
    /// The folder of our files.
    pub home: PathBuf,
    /// A demonstration on a temporary home.
    pub demo: bool,
    pub gateway: GatewayState,
    /// The port that is saved; another one than the gateway's takes effect at the next start.
    pub port: u16,
    /// `None` follows the system.
    pub language: Option<Language>,
    pub theme: Theme,
    pub obsidian: ObsidianView,
    pub runtimes: Vec<RuntimeView>,
    pub sessions: Vec<SessionView>,
    pub calls: CallStats,
    pub activity: ActivityView,
    /// What a person is being asked.
    pub approvals: ApprovalsView,
    /// Counts the requests to bring the window to the front.
    pub raised: u64,
    /// The instance is ending; calls are cleaning up.
    pub closing: bool,
}

/// Whether the endpoint can be reached, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum GatewayState {
    Starting,
    /// `url` is the address of the MCP endpoint.
    Listening {
        url: String,
        since: SystemTime,
    },
    Failed {
        error: CommandError,
        at: SystemTime,
    },
    Stopped {
        at: SystemTime,
    },
}

/// The Obsidian capability as it is saved, and the test that was asked for last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObsidianView {
    pub enabled: bool,
    /// The saved scope; empty = every registered vault.
    pub vault_path: String,
    pub test: TestState,
    /// The folder dialog is open.
    pub choosing_folder: bool,
}

/// The connection test that was asked for last. It describes that one request and is never kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum TestState {
    NotTested,
    /// `number` counts the tests of this process, so that a form knows its own.
    Testing {
        number: u64,
        vault_path: String,
        since: SystemTime,
    },
    Passed {
        number: u64,
        vault_path: String,
        report: TestReport,
        at: SystemTime,
    },
    Failed {
        number: u64,
        vault_path: String,
        error: CommandError,
        at: SystemTime,
    },
}

impl TestState {
    pub fn number(&self) -> u64 {
        match self {
            Self::NotTested => 0,
            Self::Testing { number, .. } | Self::Passed { number, .. } | Self::Failed { number, .. } => {
                *number
            }
        }
    }

    pub fn is_running(&self) -> bool {
        matches!(self, Self::Testing { .. })
    }
}

/// A runtime as the person sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RuntimeView {
    pub id: RuntimeId,
    pub name: String,
    pub kind: RuntimeKind,
    pub mode: WorkMode,
    pub approval: ApprovalPolicy,
    pub capabilities: BTreeSet<Capability>,
    /// When it last presented its key to this process.
    pub last_seen: Option<SystemTime>,
}

/// The state of the activity log; [`crate::core::Command::Activity`] reads it page by page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityView {
    /// Counts what was recorded since the start. Another number: a page that was read may be old.
    pub revision: u64,
    /// Why nothing can be recorded, and calls are refused.
    pub problem: Option<CommandError>,
}

/// An open session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    pub label: SessionLabel,
    pub runtime: RuntimeId,
    pub client: Option<ClientInfo>,
    pub last_seen: SystemTime,
}
