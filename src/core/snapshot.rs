//! What there is to see at one moment. Immutable, shared, free of secrets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::access::approvals::ApprovalsView;
use crate::access::{ClientInfo, SessionLabel};
use crate::core::error::CommandError;
use crate::obsidian::TestReport;
use crate::settings::{
    ActivitySettings, ApprovalPolicy, Capability, DeclaredEndpoint, DiscoveredTool, KernelAddress, KernelId,
    Language, Limits, Permission, RuntimeId, RuntimeKind, Theme, TokenState, VaultEngine, WorkMode,
};
use crate::siyuan::kernels::{CheckReport, CheckStep, Instance};
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
    pub bridge: Bridge,
    /// The `file:` address of the full texts of the licences of parts by others, where a package has put them beside the
    /// program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub third_party_licences: Option<String>,
    /// A demonstration on a temporary home.
    pub demo: bool,
    pub gateway: GatewayState,
    /// The port that is saved; another one than the gateway's takes effect at the next start.
    pub port: u16,
    /// `None` follows the system.
    pub language: Option<Language>,
    pub theme: Theme,
    /// How large everything in the window is, in percent.
    pub text_percent: u16,
    /// Closing the window only hides it.
    pub keep_running: bool,
    /// Whether Notegate starts with the person's session; `None` where nobody can say.
    pub autostart: Option<bool>,
    pub limits: Limits,
    pub retention: ActivitySettings,
    pub obsidian: ObsidianView,
    pub siyuan: SiyuanView,
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

/// How a client that speaks only stdio starts the bridge to this instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bridge {
    /// Our own program, as an absolute path.
    pub program: PathBuf,
    /// What `NOTEGATE_HOME` must be, unless this instance has the home of the platform.
    pub home: Option<PathBuf>,
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
    /// What carries out the tools.
    pub engine: VaultEngine,
    /// Why the saved scope could not be used when it was looked at last: at the start, after a save, when
    /// the switch was flipped, or by a test of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_problem: Option<CommandError>,
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

/// The SiYuan capability as it is saved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SiyuanView {
    pub enabled: bool,
    pub default_kernel: Option<KernelId>,
    pub kernels: Vec<KernelView>,
}

/// A kernel as the person sees it. Of its token only that there is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KernelView {
    pub id: KernelId,
    pub name: String,
    pub address: KernelAddress,
    pub timeout_seconds: u32,
    pub port_file: Option<String>,
    pub pid: Option<u32>,
    pub workspace: Option<String>,
    pub disabled: bool,
    pub token: TokenState,
    /// What is not here is asked for each time.
    pub permissions: BTreeMap<String, Permission>,
    pub declared: Vec<DeclaredEndpoint>,
    pub discovered: Vec<DiscoveredTool>,
    pub check: KernelCheck,
}

/// The check of a kernel that was asked for last. It describes that kernel as it is saved: a change
/// of it forgets the check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum KernelCheck {
    #[default]
    NotChecked,
    /// `number` counts the checks of this process, so that a form knows its own.
    Checking {
        number: u64,
        step: CheckStep,
        since: SystemTime,
    },
    Passed {
        number: u64,
        report: CheckReport,
        at: SystemTime,
    },
    Failed {
        number: u64,
        error: CommandError,
        /// The kernels to choose from, where that is the way on.
        instances: Vec<Instance>,
        at: SystemTime,
    },
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
    /// The kernel that it chose, which may be gone.
    pub kernel: Option<KernelId>,
    pub last_seen: SystemTime,
}
