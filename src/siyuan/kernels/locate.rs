//! From a kernel as it is saved to the server that it is now.

use std::path::PathBuf;

use tokio_util::sync::CancellationToken;

use super::process::PortOwner;
use super::{Instance, KernelError, Kernels, Seen, discovery, instances};
use crate::settings::{Kernel, KernelAddress, KernelPlace};
use crate::siyuan::transport::Address;

/// A kernel that was found.
#[derive(Debug, Clone)]
pub(super) struct Located {
    pub address: Address,
    /// As it is saved, with the process that it is bound to by now.
    pub place: KernelPlace,
    /// Who listens there; `None` where no process is named.
    pub owner: Option<PortOwner>,
}

impl Kernels {
    /// Where a kernel is now. Sends no token.
    pub(super) async fn locate(
        &self,
        kernel: &Kernel,
        cancel: &CancellationToken,
    ) -> Result<Located, KernelError> {
        let place = kernel.place();
        match &kernel.address {
            KernelAddress::At(url) => {
                let address: Address =
                    url.to_string().parse().map_err(|_| KernelError::NotAKernel(url.to_string()))?;
                let owner = match kernel.pid {
                    Some(pid) => Some(owned(pid, address.port()).await?),
                    None => None,
                };
                Ok(Located { address, place, owner })
            }
            KernelAddress::Auto => {
                let (pid, port) = self.registered(kernel, cancel).await?;
                let owner = Some(owned(pid, port).await?);
                let place = KernelPlace { pid: Some(pid), ..place };
                Ok(Located { address: Address::local(port), place, owner })
            }
        }
    }

    /// Where the kernels of this computer register.
    pub(super) fn port_file(&self, kernel: &Kernel) -> Result<PathBuf, KernelError> {
        match &kernel.port_file {
            Some(file) => Ok(PathBuf::from(file)),
            None => self.inner.config.port_file.clone().ok_or(KernelError::NoPortFile),
        }
    }

    /// The process and the port of a kernel of this computer. One that is not bound is bound to the only
    /// process there is.
    async fn registered(
        &self,
        kernel: &Kernel,
        cancel: &CancellationToken,
    ) -> Result<(u32, u16), KernelError> {
        let file = self.port_file(kernel)?;
        if let Some(pid) = kernel.pid {
            return match discovery::port_of(&file, pid).await? {
                Some(port) => Ok((pid, port)),
                None => Err(KernelError::BoundGone { pid, running: instances(&file, cancel).await? }),
            };
        }
        let running = instances(&file, cancel).await?;
        match &running[..] {
            [] => Err(KernelError::NotRunning(file)),
            [Instance { version: None, .. }] => Err(KernelError::Timeout { after: discovery::ROLL_CALL }),
            [Instance { pid, port, .. }] => {
                self.record(&kernel.id, &kernel.place(), Seen::Process(*pid)).await?;
                Ok((*pid, *port))
            }
            _ => Err(KernelError::Several(running)),
        }
    }
}

/// Holds a port of this computer against the process that it must belong to.
pub(super) async fn owned(pid: u32, port: u16) -> Result<PortOwner, KernelError> {
    match discovery::owner_of(pid, port).await {
        PortOwner::NotProcess => Err(KernelError::PortOfAnother { pid, port }),
        owner => Ok(owner),
    }
}
