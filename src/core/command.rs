//! What can be asked of the core, and what it answers. The window, the control API and the command
//! line all speak in these.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::access::SessionLabel;
use crate::access::approvals::{AnswerError, ApprovalsView, QuestionId};
use crate::activity::{ActivityError, Page, Query};
use crate::core::connect::{ConnectionPlan, KeyPlace};
use crate::core::endpoints::{BodyReport, EndpointDetails, EndpointList, EndpointQuery};
use crate::core::error::CommandError;
use crate::core::export::ExportFormat;
use crate::core::snapshot::{KernelView, RuntimeView, Snapshot};
use crate::obsidian::{TestReport, Vault};
use crate::secrets::Secret;
use crate::settings::{
    ActivitySettings, ApprovalPolicy, Capability, DEFAULT_KERNEL_SECONDS, DiscoveredTool, KernelAddress,
    KernelId, Language, Limits, Permission, RuntimeId, RuntimeKind, Theme, VaultEngine, WorkMode,
};
use crate::siyuan::kernels::CheckReport;

/// Something a person wants done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Command {
    /// Saves the Obsidian scope; empty = every registered vault (FR-2), a leading `~/` the person's own
    /// folder. Nothing else changes (LR-1), and what is saved need not be there.
    SaveScope {
        vault_path: String,
    },
    /// Saves what carries out the vault tools.
    SetEngine {
        engine: VaultEngine,
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
    /// Tries a draft of the scope with the saved engine: saves nothing, switches nothing (FR-7). One at a
    /// time.
    TestObsidian {
        vault_path: String,
    },
    /// The vaults of the saved scope.
    ListVaults,
    /// Opens the system's folder dialog.
    ChooseFolder,
    /// Writes a sample vault into the person's folder, makes it the scope, and switches Obsidian on. One that is there
    /// already is left as it is.
    TrySampleVault,
    /// Adds a SiYuan kernel.
    AddKernel {
        /// `None` takes a free one.
        #[serde(default)]
        kernel: Option<KernelId>,
        draft: KernelDraft,
    },
    /// Replaces what is set of a kernel. Another address, port file or process drops its permissions.
    EditKernel {
        kernel: KernelId,
        draft: KernelDraft,
    },
    /// Forgets which server a kernel is: its process where its address is auto, its workspace and its
    /// permissions. The next check binds it anew.
    RebindKernel {
        kernel: KernelId,
    },
    /// SiYuan was restarted: binds a kernel whose process is gone to the new one, if that serves the same
    /// workspace. What is permitted stays.
    ResumeKernel {
        kernel: KernelId,
        /// Where several kernels run.
        #[serde(default)]
        pid: Option<u32>,
    },
    /// A disabled kernel is never sent anything.
    SetKernelDisabled {
        kernel: KernelId,
        disabled: bool,
    },
    /// Removes a kernel and its token.
    RemoveKernel {
        kernel: KernelId,
        /// Leaves the token in the keyring, for one that cannot be reached any more.
        #[serde(default)]
        keep_token: bool,
    },
    /// Where a call goes that names no kernel, from a session that chose none.
    SetDefaultKernel {
        kernel: Option<KernelId>,
    },
    /// Gives a kernel its token, in place of the one that it had.
    SetToken {
        kernel: KernelId,
        token: TypedSecret,
    },
    ClearToken {
        kernel: KernelId,
    },
    /// Checks a kernel as it is saved, and binds it if it is not bound. One check of a kernel at a time.
    CheckKernel {
        kernel: KernelId,
    },
    CancelKernelCheck {
        kernel: KernelId,
    },
    /// Sets permissions by endpoint key. A kernel that is not bound is bound first.
    SetPermissions {
        kernel: KernelId,
        permissions: BTreeMap<String, Permission>,
    },
    /// Puts an endpoint that no contract names into a kernel's list. It gives no permission.
    DeclareEndpoint {
        kernel: KernelId,
        /// Its key, as `plugin my-plugin example.echo`.
        endpoint: String,
        #[serde(default)]
        note: String,
    },
    /// Takes a declared endpoint out of the list, and the permission that it had.
    ForgetEndpoint {
        kernel: KernelId,
        endpoint: String,
    },
    /// Asks a kernel's MCP server which tools it has, and keeps the list. It gives no permission.
    DiscoverTools {
        kernel: KernelId,
    },
    /// The endpoints of a kernel, with what is granted on it. Asks no kernel.
    Endpoints {
        query: EndpointQuery,
    },
    /// What the contract says of an endpoint.
    DescribeEndpoint {
        /// Its key.
        endpoint: String,
    },
    /// Holds a body against the contract. Sends nothing.
    CheckBody {
        /// Its key.
        endpoint: String,
        /// JSON; blank for no body.
        body: String,
    },
    /// Says which kernel a session works on; `None` leaves it to the default.
    ChooseKernel {
        session: SessionLabel,
        kernel: Option<KernelId>,
    },
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
    /// What would be written into a program's configuration. Writes nothing.
    PlanConnection {
        program: RuntimeKind,
        /// The runtime that it will be; `None` for one that is yet to be added.
        #[serde(default)]
        runtime: Option<RuntimeId>,
        place: KeyPlace,
    },
    /// Writes a runtime into a program's configuration, with a backup beside it.
    Connect {
        program: RuntimeKind,
        runtime: RuntimeId,
        place: KeyPlace,
        /// The runtime's key; without it a new one is made where one is needed, and the old one is dead.
        #[serde(default)]
        key: Option<TypedSecret>,
        /// The mark of the file in the plan; another state of it is not written.
        #[serde(default)]
        seen: Option<String>,
    },
    /// Takes back what was written for a program, unless its file was edited since.
    UndoConnection {
        program: RuntimeKind,
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
    /// What happens where a call of a runtime needs an answer.
    SetApprovalPolicy {
        runtime: RuntimeId,
        approval: ApprovalPolicy,
    },
    /// What the person calls it. Its id, its key and its grants stay.
    RenameRuntime {
        runtime: RuntimeId,
        name: String,
    },
    /// `None` follows the system.
    SetLanguage {
        language: Option<Language>,
    },
    SetTheme {
        theme: Theme,
    },
    /// How large everything in the window is, in percent: 100 to 200.
    SetTextSize {
        percent: u16,
    },
    /// Whether Notegate starts with the person's session.
    SetAutostart {
        on: bool,
    },
    /// Whether closing the window only hides it.
    SetKeepRunning {
        keep: bool,
    },
    /// What a runtime may take up; in force with the next call.
    SetLimits {
        limits: Limits,
    },
    /// How long the record is kept.
    SetRetention {
        retention: ActivitySettings,
    },
    /// Takes effect at the next start, or when the endpoint is opened anew.
    SetPort {
        port: u16,
    },
    /// Tries again to open an endpoint that could not be opened. Answered with what came of it.
    OpenEndpoint,
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
    /// Writes the rows that a filter leaves, the newest first, into a file that the person chooses in a dialog.
    ExportActivity {
        #[serde(default)]
        query: Query,
        format: ExportFormat,
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
    /// Refuses what a session has asked, and for a while whatever else it would ask.
    RefuseSession {
        runtime: RuntimeId,
        #[serde(default)]
        session: Option<SessionLabel>,
    },
    /// Lets a session ask again whose questions are refused for a while.
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
    /// Everything that a window would show.
    Status,
    /// Brings the window to the front. An error where there is none.
    ShowWindow,
    /// Ends this instance, after running calls have cleaned up.
    Shutdown,
}

/// What a person sets of a kernel, the token apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KernelDraft {
    pub name: String,
    #[serde(default)]
    pub address: KernelAddress,
    #[serde(default = "kernel_seconds")]
    pub timeout_seconds: u32,
    #[serde(default)]
    pub port_file: Option<String>,
    #[serde(default)]
    pub pid: Option<u32>,
}

fn kernel_seconds() -> u32 {
    DEFAULT_KERNEL_SECONDS
}

fn ask() -> WorkMode {
    WorkMode::Ask
}

/// What a command answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Reply {
    Done,
    /// The scope is saved as `vault_path`. It cannot be used as it is where there is a `problem`.
    ScopeSaved {
        vault_path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<CommandError>,
    },
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
    KernelAdded {
        kernel: Box<KernelView>,
    },
    KernelChecked {
        report: CheckReport,
    },
    Endpoints {
        list: EndpointList,
    },
    Endpoint {
        details: EndpointDetails,
    },
    BodyChecked {
        report: BodyReport,
    },
    RuntimeAdded {
        runtime: RuntimeView,
        key: ShownOnce,
    },
    KeyRotated {
        runtime: RuntimeId,
        key: ShownOnce,
    },
    ConnectionPlanned {
        plan: ConnectionPlan,
    },
    Connected {
        path: PathBuf,
        /// The file as it was; `None`: there was none.
        backup: Option<PathBuf>,
        /// A new key, where the person must put it into a variable.
        key: Option<ShownOnce>,
    },
    ConnectionUndone {
        path: PathBuf,
        /// The runtime whose key stays in the keyring, where it was put for the entry that is gone.
        key_kept: Option<RuntimeId>,
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
    /// `None`: the person closed the dialog.
    Exported {
        path: Option<PathBuf>,
        rows: u64,
    },
    /// What a person is being asked, and the revision of that.
    Approvals {
        revision: u64,
        approvals: ApprovalsView,
    },
    /// The tools that a kernel's MCP server named.
    ToolsDiscovered {
        tools: Vec<DiscoveredTool>,
    },
    /// What the log counts now.
    Recorded {
        revision: u64,
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

/// A secret on its way from the person to the keyring. `Debug` does not print it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedSecret(pub Secret);

impl Serialize for TypedSecret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.reveal())
    }
}

impl<'de> Deserialize<'de> for TypedSecret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Secret::from_text).map(Self)
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
