//! Why a kernel cannot be used, in words for the person and in codes for scripts.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::Instance;
use crate::secrets::CredentialError;
use crate::settings::KernelId;
use crate::siyuan::transport::{AuthRefusal, TlsFault, TransportError};

/// Why a kernel cannot be used. What is said of sending holds for the whole operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    #[error("there is no kernel {0}; `notegate siyuan kernel list` shows those that there are")]
    Unknown(String),
    #[error("the kernel {0} is disabled. Enable it first")]
    Disabled(KernelId),
    #[error(
        "no kernel is named, this session chose none, and there is no default. Name one as kernelId, or set a default"
    )]
    NoTarget,
    #[error("there is no folder of the user here, and so no port file of SiYuan. Give the kernel's address")]
    NoPortFile,
    #[error(
        "SiYuan's port file {path:?} cannot be read: {reason}. Restart SiYuan, or give the kernel's address"
    )]
    PortFile { path: PathBuf, reason: String },
    #[error(
        "SiYuan does not run: no living kernel is registered in {0:?}. Start it; if it runs in a sandbox or a container, give \
         its address instead"
    )]
    NotRunning(PathBuf),
    #[error("several kernels run: {}. Say which one by its process id", listed(.0))]
    Several(Vec<Instance>),
    #[error(
        "the process {pid} that the kernel is bound to is gone, or does not serve it any more. {}",
        choose(.running)
    )]
    BoundGone { pid: u32, running: Vec<Instance> },
    #[error(
        "the kernel {0} is bound to no process of this computer whose workspace is known, so nothing tells that another one is \
         the same. Choose it anew with `notegate siyuan kernel edit {0} --rebind`"
    )]
    NothingToResume(KernelId),
    #[error(
        "the kernel that runs does not tell its workspace without the token, which is given to none that is not known. Say which \
         process is yours with --pid: {}",
        listed(.0)
    )]
    WorkspaceUntold(Vec<Instance>),
    #[error(
        "the port {port} is not known to belong to process {pid} alone, so nothing was sent there. Correct the process id or the \
         address"
    )]
    PortOfAnother { pid: u32, port: u16 },
    #[error("what answers at {0} is no SiYuan kernel. Correct the address")]
    NotAKernel(String),
    #[error("the kernel is still starting ({progress} %). Try again in a moment")]
    Booting { progress: u8 },
    #[error(
        "another workspace answers here: {found}, where {expected} was before. Choose the kernel anew if that is meant"
    )]
    OtherWorkspace { expected: String, found: String },
    #[error(
        "the kernel refused the token. Nothing is sent any more until you enter another one: SiYuan locks out who goes on"
    )]
    TokenRefused,
    #[error("the kernel wants its token, and none was entered. SiYuan shows it under Settings, About")]
    TokenNeeded,
    #[error("the kernel refused the request (401): {0}")]
    Unauthorized(AuthRefusal),
    #[error(
        "the kernel was sent the token and saw none: a proxy before it seems to take the Authorization header away. Let the \
         proxy pass it on"
    )]
    TokenLost,
    #[error(
        "access is refused (403): what answers here is a proxy, or a view that only reads. Give the kernel's own address and \
         its token"
    )]
    Forbidden,
    #[error(
        "the kernel has locked out this computer for now (429){}. Correct what uses a wrong token, and wait",
        wait(.retry_after)
    )]
    Throttled { retry_after: Option<Duration> },
    #[error("no secure connection to the kernel: {0}")]
    Tls(TlsFault),
    #[error("the kernel did not answer within {} s. See whether it hangs, or raise its time limit", .after.as_secs_f32())]
    Timeout { after: Duration },
    #[error("the kernel cannot be reached: {0}")]
    Unreachable(TransportError),
    /// In our words alone: the kernel's own may hold anything.
    #[error("the kernel refused with code {code}. See what SiYuan itself says")]
    Refused { code: i64 },
    #[error("the kernel's answer cannot be used: {0}")]
    Answer(TransportError),
    #[error(transparent)]
    Credential(#[from] CredentialError),
    #[error("what was found could not be saved: {0}")]
    NotSaved(String),
    #[error("the kernel was changed meanwhile. Try again")]
    Changed,
    #[error("it was cancelled")]
    Cancelled,
}

impl KernelError {
    /// A stable word for scripts and tests.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "unknown_kernel",
            Self::Disabled(_) => "kernel_disabled",
            Self::NoTarget => "no_kernel",
            Self::NoPortFile | Self::PortFile { .. } => "port_file",
            Self::NotRunning(_) => "kernel_not_running",
            Self::Several(_) => "several_kernels",
            Self::BoundGone { .. } => "kernel_gone",
            Self::NothingToResume(_) => "kernel_not_bound",
            Self::WorkspaceUntold(_) => "workspace_untold",
            Self::PortOfAnother { .. } => "port_of_another",
            Self::NotAKernel(_) => "not_a_kernel",
            Self::Booting { .. } => "kernel_booting",
            Self::OtherWorkspace { .. } => "other_workspace",
            Self::TokenRefused => "token_refused",
            Self::TokenNeeded => "token_needed",
            Self::Unauthorized(_) => "kernel_unauthorized",
            Self::TokenLost => "token_lost",
            Self::Forbidden => "kernel_forbidden",
            Self::Throttled { .. } => "kernel_throttled",
            Self::Tls(_) => "kernel_tls",
            Self::Timeout { .. } => "kernel_timeout",
            Self::Unreachable(_) => "kernel_unreachable",
            Self::Refused { .. } => "kernel_refused",
            Self::Answer(_) => "kernel_answer",
            Self::Credential(error) => error.code(),
            Self::NotSaved(_) => "settings",
            Self::Changed => "kernel_changed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The kernels that the person can choose from, where that is the way on.
    pub fn instances(&self) -> &[Instance] {
        match self {
            Self::Several(instances)
            | Self::WorkspaceUntold(instances)
            | Self::BoundGone { running: instances, .. } => instances,
            _ => &[],
        }
    }
}

/// What a failure on the way to a kernel means to the person. A redirect names where it points.
impl From<TransportError> for KernelError {
    fn from(error: TransportError) -> Self {
        match error.root().clone() {
            TransportError::Unauthorized(AuthRefusal::WrongToken) => Self::TokenRefused,
            TransportError::Unauthorized(AuthRefusal::TokenNeeded | AuthRefusal::NotLocal) => {
                Self::TokenNeeded
            }
            TransportError::Unauthorized(reason) => Self::Unauthorized(reason),
            TransportError::Forbidden => Self::Forbidden,
            TransportError::Throttled { retry_after } => Self::Throttled { retry_after },
            TransportError::Tls(fault) => Self::Tls(fault),
            TransportError::Timeout { after, .. } => Self::Timeout { after },
            TransportError::Kernel { code, .. } | TransportError::Mcp { code, .. } => Self::Refused { code },
            TransportError::Cancelled { .. } | TransportError::Disposed { .. } => Self::Cancelled,
            error @ (TransportError::UnknownHost
            | TransportError::Refused
            | TransportError::NotReachable(_)
            | TransportError::ConnectTimeout { .. }
            | TransportError::Broken { .. }) => Self::Unreachable(error),
            error => Self::Answer(error),
        }
    }
}

fn listed(instances: &[Instance]) -> String {
    let mut text = String::new();
    for (index, Instance { pid, port, version }) in instances.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let version = version.as_deref().unwrap_or("no answer");
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}process {pid} (port {port}, {version})");
    }
    text
}

fn choose(running: &[Instance]) -> String {
    const HOW: &str = "if SiYuan was restarted, say so under Kernels in Notegate or with `notegate siyuan kernel resume KERNEL`: what \
                       is permitted stays where the same workspace answers. To take another kernel, choose it anew";
    match running {
        [] => format!("No kernel runs: start SiYuan; then, {HOW}"),
        running => format!("There run: {}; {HOW}", listed(running)),
    }
}

fn wait(retry_after: &Option<Duration>) -> String {
    retry_after.map(|time| format!(", for another {} s", time.as_secs())).unwrap_or_default()
}
