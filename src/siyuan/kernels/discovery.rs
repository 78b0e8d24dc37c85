//! Which kernels of this computer run, by the port file alone.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::process::{PortOwner, port_owner};
use super::{KernelError, port_file, probe};
use crate::siyuan::transport::{Address, TransportError};

/// How long a registered kernel may take to say its version when all of them are asked.
pub(super) const ROLL_CALL: Duration = Duration::from_secs(3);

/// A kernel of this computer that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Instance {
    pub pid: u32,
    pub port: u16,
    /// `None`: it holds its port, and said nothing in time.
    pub version: Option<String>,
}

/// The kernels that run, by process id. An entry of a process that is gone, or that does not answer
/// as a kernel, is stale and left out.
///
/// # Errors
/// The port file cannot be read, or the search was cancelled.
pub async fn instances(file: &Path, cancel: &CancellationToken) -> Result<Vec<Instance>, KernelError> {
    let entries = port_file::read(file).await?;
    let found = join_all(claims(entries).await.into_iter().map(|(pid, port, owner)| async move {
        let version = match probe::version(&Address::local(port), ROLL_CALL, cancel).await {
            Ok(version) => Some(version),
            // One that surely holds the port and is silent may be a kernel that hangs: taking the
            // other one for the only one would be a guess.
            Err(TransportError::Timeout { .. }) if owner == PortOwner::Process => None,
            Err(_) => return None,
        };
        Some(Instance { pid, port, version })
    }))
    .await;
    if cancel.is_cancelled() {
        return Err(KernelError::Cancelled);
    }
    Ok(found.into_iter().flatten().collect())
}

/// The port at which a process is registered, if it holds it.
pub(super) async fn port_of(file: &Path, pid: u32) -> Result<Option<u16>, KernelError> {
    let Some(&port) = port_file::read(file).await?.get(&pid) else { return Ok(None) };
    Ok((owner_of(pid, port).await != PortOwner::NotProcess).then_some(port))
}

/// The entries whose process may hold their port.
async fn claims(entries: BTreeMap<u32, u16>) -> Vec<(u32, u16, PortOwner)> {
    let looked = tokio::task::spawn_blocking(move || {
        let claim = |(pid, port)| (pid, port, port_owner(pid, port));
        entries.into_iter().map(claim).filter(|(.., owner)| *owner != PortOwner::NotProcess).collect()
    });
    looked.await.unwrap_or_default()
}

/// Whether a port belongs to a process; a look that failed found nothing.
pub(super) async fn owner_of(pid: u32, port: u16) -> PortOwner {
    tokio::task::spawn_blocking(move || port_owner(pid, port)).await.unwrap_or(PortOwner::NotProcess)
}
