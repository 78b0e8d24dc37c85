//! What the SiYuan capability needs: the keyring, and the port file of this computer's kernels. No token
//! is read or sent.

use tokio_util::sync::CancellationToken;

use super::Finding;
use crate::core::{Instance, KernelAddress, StartOptions, TokenState};
use crate::secrets::Credentials;
use crate::secrets::filter::Filters;
use crate::settings::Settings;
use crate::siyuan::kernels;

pub(super) async fn found(options: &StartOptions, settings: &Settings) -> Vec<Finding> {
    vec![keyring(options, settings).await, kernels(options, settings).await]
}

async fn keyring(options: &StartOptions, settings: &Settings) -> Finding {
    let needed = settings.siyuan.kernels.iter().any(|kernel| kernel.token != TokenState::None);
    match Credentials::new(options.credentials.clone(), Filters::default()).probe().await {
        Ok(()) => Finding::ok("keyring", "the system's keyring answers"),
        Err(error) => Finding::problem("keyring", needed, error.to_string()),
    }
}

async fn kernels(options: &StartOptions, settings: &Settings) -> Finding {
    let needed = settings.siyuan.enabled
        && settings
            .siyuan
            .kernels
            .iter()
            .any(|kernel| kernel.address == KernelAddress::Auto && !kernel.disabled);
    let Some(file) = &options.siyuan_port_file else {
        return Finding::problem("kernels", needed, kernels::KernelError::NoPortFile.to_string());
    };
    match kernels::instances(file, &CancellationToken::new()).await {
        Ok(running) if running.is_empty() => {
            let absent = if file.exists() { "" } else { ", and the file is not there" };
            Finding::note("kernels", format!("none of SiYuan runs by {}{absent}", file.display()))
        }
        Ok(running) => {
            let told = |Instance { pid, port, version }: &Instance| {
                format!("process {pid} at port {port}, {}", version.as_deref().unwrap_or("no answer"))
            };
            let listed: Vec<String> = running.iter().map(told).collect();
            Finding::ok("kernels", format!("{}: {}", file.display(), listed.join("; ")))
        }
        Err(error) => Finding::problem("kernels", needed, error.to_string()),
    }
}
