//! SiYuan was started again, and the process that a kernel is bound to is gone: the kernel is bound to the new
//! one, if that serves the same workspace.
//!
//! The person says so each time. What is permitted then stays, since it is permitted on the same notes; a kernel
//! that is chosen anew in any other way loses it.

use tokio_util::sync::CancellationToken;

use super::check::Checked;
use super::locate::{Located, owned};
use super::{Instance, KernelError, Kernels, Seen, instances, probe, timeout};
use crate::settings::{KernelAddress, KernelId, KernelPlace};
use crate::siyuan::transport::Address;

impl Kernels {
    /// Binds a kernel of this computer to the process `named`, or to the only one that runs.
    ///
    /// # Errors
    /// The kernel is not bound to a process or its workspace is not known; there is no such process, or several;
    /// it cannot be opened; or it serves another workspace. Nothing is changed then.
    pub async fn resume(
        &self,
        id: &KernelId,
        named: Option<u32>,
        cancel: &CancellationToken,
    ) -> Result<(), KernelError> {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(KernelError::Cancelled),
            resumed = self.resume_now(id, named, cancel) => resumed,
        }
    }

    async fn resume_now(
        &self,
        id: &KernelId,
        named: Option<u32>,
        cancel: &CancellationToken,
    ) -> Result<(), KernelError> {
        let _turn = self.turn(id).await;
        let kernel = self.usable(id)?;
        let (KernelAddress::Auto, Some(bound), Some(expected)) =
            (&kernel.address, kernel.pid, &kernel.workspace)
        else {
            return Err(KernelError::NothingToResume(kernel.id));
        };
        let running = instances(&self.port_file(&kernel)?, cancel).await?;
        let meant: Vec<&Instance> =
            running.iter().filter(|instance| named.is_none_or(|pid| pid == instance.pid)).collect();
        let (pid, port) = match meant[..] {
            [] => return Err(KernelError::BoundGone { pid: named.unwrap_or(bound), running }),
            [Instance { pid, port, .. }] => (*pid, *port),
            _ => return Err(KernelError::Several(running)),
        };
        let place = KernelPlace { pid: Some(pid), ..kernel.place() };
        let located = Located { address: Address::local(port), place, owner: Some(owned(pid, port).await?) };
        // A kernel tells its workspace to its own computer without a token, which goes to none that serves another.
        match probe::workspace_as_told(&located.address, timeout(&kernel), cancel).await {
            Some(found) if found != *expected => {
                return Err(KernelError::OtherWorkspace { expected: expected.clone(), found });
            }
            // The person names the process that is to have it.
            None if named.is_none() => return Err(KernelError::WorkspaceUntold(running)),
            Some(_) | None => {}
        }
        let Checked { opened, workspace, .. } = self.open_checked(&kernel, located, &|_| (), cancel).await?;
        if workspace.as_ref() != Some(expected) {
            let found = workspace.unwrap_or_else(|| "one that it does not tell".into());
            return Err(KernelError::OtherWorkspace { expected: expected.clone(), found });
        }
        self.record(id, &kernel.place(), Seen::Restarted(pid)).await?;
        self.note_tried(id, &opened, true);
        Ok(())
    }
}
