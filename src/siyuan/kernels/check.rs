//! Checking a kernel: what was found, or exactly what is wrong.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::process::PortOwner;
use super::{KernelError, Kernels, Located, Opened, Seen, probe, timeout};
use crate::settings::{Kernel, KernelAddress, KernelId};
use crate::siyuan::transport::TransportError;

/// How often a starting kernel is asked how far it is.
const BOOT_POLL: Duration = Duration::from_millis(250);

/// What a check is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum CheckStep {
    /// Which kernel runs where.
    Finding,
    /// What answers there.
    Asking,
    /// The kernel is starting; `progress` in percent.
    Booting { progress: u8 },
    /// Whether the token opens it, and which workspace it is.
    Opening,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    pub address: String,
    pub version: String,
    pub workspace: Option<String>,
    /// The process that the kernel is bound to.
    pub pid: Option<u32>,
    /// Whether the kernel was opened with a token.
    pub token: bool,
    pub warnings: Vec<CheckWarning>,
}

/// Something that works, and that the person should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckWarning {
    OldVersion,
    /// It serves whoever asks.
    OpenToEveryone,
    /// The token crosses a network in clear text.
    ClearText,
    /// The kernel does not tell its workspace, so another one cannot be told from it.
    WorkspaceUnknown,
    /// This system does not tell which process listens at a port.
    PortOwnerUnknown,
}

impl fmt::Display for CheckWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OldVersion => {
                let [major, minor, patch] = probe::OLDEST;
                write!(f, "the kernel is older than {major}.{minor}.{patch}, where some of its answers are wrong. Update SiYuan")
            }
            Self::OpenToEveryone => f.write_str(
                "the kernel asks for no token: every program on this computer can use it without Notegate. Set a lock screen \
                 password in SiYuan",
            ),
            Self::ClearText => f.write_str("the token crosses the network unencrypted. Use an https address"),
            Self::WorkspaceUnknown => f.write_str(
                "the kernel does not tell its workspace, as in read-only mode, so another one at this address would not be noticed",
            ),
            Self::PortOwnerUnknown => f.write_str(
                "this system does not tell which process a port belongs to; SiYuan's port file was taken at its word",
            ),
        }
    }
}

impl Kernels {
    /// Checks a kernel as it is saved: binds it if it is not bound, waits while it starts, and opens it.
    /// A wrong token is sent once, and then not again until it changes. `progress` hears each step.
    ///
    /// # Errors
    /// Exactly what is wrong.
    pub async fn check(
        &self,
        id: &KernelId,
        progress: &(dyn Fn(CheckStep) + Send + Sync),
        cancel: &CancellationToken,
    ) -> Result<CheckReport, KernelError> {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(KernelError::Cancelled),
            checked = async {
                // Whoever waited here for another check sees what that one found.
                let _turn = self.turn(id).await;
                self.check_in_turn(id, progress, cancel).await
            } => checked,
        }
    }

    pub(super) async fn check_in_turn(
        &self,
        id: &KernelId,
        progress: &(dyn Fn(CheckStep) + Send + Sync),
        cancel: &CancellationToken,
    ) -> Result<CheckReport, KernelError> {
        let kernel = self.usable(id)?;
        progress(CheckStep::Finding);
        let located = self.locate(&kernel, cancel).await?;
        let Checked { opened, version, workspace } =
            self.open_checked(&kernel, located, progress, cancel).await?;
        let Opened { located, token, .. } = &opened;
        self.settle_workspace(&kernel, located, workspace.as_deref()).await?;
        self.note_tried(&kernel.id, &opened, true);
        let warnings = [
            (CheckWarning::OldVersion, probe::is_old(&version)),
            (CheckWarning::OpenToEveryone, token.is_none()),
            (CheckWarning::ClearText, token.is_some() && is_clear_text(&kernel)),
            (CheckWarning::WorkspaceUnknown, workspace.is_none()),
            (CheckWarning::PortOwnerUnknown, located.owner == Some(PortOwner::Unknown)),
        ];
        Ok(CheckReport {
            address: located.address.to_string(),
            version,
            workspace,
            pid: located.place.pid,
            token: token.is_some(),
            warnings: warnings.into_iter().filter_map(|(warning, holds)| holds.then_some(warning)).collect(),
        })
    }

    /// Opens what was found, once it is a kernel and has started.
    pub(super) async fn open_checked(
        &self,
        kernel: &Kernel,
        located: Located,
        progress: &(dyn Fn(CheckStep) + Send + Sync),
        cancel: &CancellationToken,
    ) -> Result<Checked, KernelError> {
        progress(CheckStep::Asking);
        let timeout = timeout(kernel);
        let version = probe::version(&located.address, timeout, cancel)
            .await
            .map_err(|error| no_kernel(error, &located))?;
        wait_for_boot(&located, timeout, progress, cancel).await?;
        progress(CheckStep::Opening);
        let opened = self.open(kernel, located, probe::options(timeout)).await?;
        let workspace = self.workspace(kernel, &opened, cancel).await?;
        // What is kept and shown must not hold the token, whatever a kernel answers.
        let said = [Some(&version), workspace.as_ref()].into_iter().flatten();
        if opened
            .token
            .as_ref()
            .is_some_and(|token| said.into_iter().any(|text| text.contains(token.reveal())))
        {
            return Err(KernelError::NotAKernel(opened.located.address.to_string()));
        }
        Ok(Checked { opened, version, workspace })
    }

    /// The workspace as the kernel tells it, once it is open to us.
    pub(super) async fn workspace(
        &self,
        kernel: &Kernel,
        opened: &Opened,
        cancel: &CancellationToken,
    ) -> Result<Option<String>, KernelError> {
        let asked = async {
            let workspace = probe::workspace(&opened.connection, cancel).await?;
            if opened.token.is_none() {
                // A locked kernel tells its workspace to everyone on its computer, and nothing more.
                probe::is_open(&opened.connection, cancel).await?;
            }
            Ok::<_, TransportError>(workspace)
        };
        match asked.await {
            Ok(workspace) => Ok(workspace),
            Err(error) => Err(self.failed(&kernel.id, opened, error).await),
        }
    }

    /// Holds the workspace that answers against the one that did before.
    pub(super) async fn settle_workspace(
        &self,
        kernel: &Kernel,
        located: &Located,
        found: Option<&str>,
    ) -> Result<(), KernelError> {
        // A kernel that was bound just now is another server than before.
        let expected = kernel.workspace.as_deref().filter(|_| located.place == kernel.place());
        match (expected, found) {
            (Some(expected), Some(found)) if expected != found => {
                Err(KernelError::OtherWorkspace { expected: expected.into(), found: found.into() })
            }
            (None, Some(found)) => {
                self.record(&kernel.id, &located.place, Seen::Workspace(found.into())).await
            }
            (_, None) | (Some(_), Some(_)) => Ok(()),
        }
    }
}

/// A kernel that was opened, and what it says of itself.
pub(super) struct Checked {
    pub opened: Opened,
    version: String,
    /// `None` where it does not tell.
    pub workspace: Option<String>,
}

async fn wait_for_boot(
    located: &Located,
    timeout: Duration,
    progress: &(dyn Fn(CheckStep) + Send + Sync),
    cancel: &CancellationToken,
) -> Result<(), KernelError> {
    let deadline = Instant::now() + timeout;
    loop {
        match probe::boot_progress(&located.address, timeout, cancel).await {
            Ok(100) => return Ok(()),
            Ok(so_far) if Instant::now() + BOOT_POLL >= deadline => {
                return Err(KernelError::Booting { progress: so_far });
            }
            Ok(so_far) => progress(CheckStep::Booting { progress: so_far }),
            Err(error) => return Err(no_kernel(error, located)),
        }
        tokio::select! {
            () = tokio::time::sleep(BOOT_POLL) => {}
            () = cancel.cancelled() => return Err(KernelError::Cancelled),
        }
    }
}

/// What an answer to a question that every kernel answers means where it is another one.
fn no_kernel(error: TransportError, located: &Located) -> KernelError {
    if probe::is_foreign(error.root()) {
        KernelError::NotAKernel(located.address.to_string())
    } else {
        error.into()
    }
}

fn is_clear_text(kernel: &Kernel) -> bool {
    matches!(&kernel.address, KernelAddress::At(url) if url.url().scheme() == "http" && !url.is_loopback())
}
