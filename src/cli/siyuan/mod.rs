//! `notegate siyuan …`: which kernels can be reached, whether they can, and what may be asked of them.

mod contract;
mod endpoints;
mod hidden;
mod kernel;
mod token;
mod typed;

use std::collections::BTreeMap;

use serde_json::json;

pub use typed::Siyuan;

use super::failure::{Exit, Failure};
use super::output::{Output, table};
use super::reach::execute;
use super::status::snapshot_of;
use crate::core::{
    Capability, CheckReport, Command, Home, KernelId, KernelView, Permission, Reply, SessionLabel, SiyuanView,
};
use crate::siyuan::contract::Contract;
use crate::siyuan::endpoint::EndpointKey;
use crate::siyuan::permissions::closed;
use typed::PermissionOf;

pub async fn run(typed: Siyuan, output: Output) -> Result<Exit, Failure> {
    match typed {
        Siyuan::Contract(typed) => return contract::run(typed, output),
        Siyuan::Enable => switch(true, output).await?,
        Siyuan::Disable => switch(false, output).await?,
        Siyuan::Kernel(typed) => kernel::run(typed, output).await?,
        Siyuan::Check { kernel } => check(kernel, output).await?,
        Siyuan::Token(typed) => token::run(typed, output).await?,
        Siyuan::Discover { kernel } => endpoints::discover(kernel, output).await?,
        Siyuan::Endpoint(typed) => endpoints::run(typed, output).await?,
        Siyuan::Choose { session, kernel } => choose(session, kernel, output).await?,
        Siyuan::Permission(typed) => permission(typed, output).await?,
    }
    Ok(Exit::Done)
}

/// What is saved of SiYuan.
async fn saved() -> Result<SiyuanView, Failure> {
    Ok(snapshot_of(execute(Command::Status).await?)?.siyuan)
}

async fn saved_kernel(id: &KernelId) -> Result<KernelView, Failure> {
    let unknown = || {
        Failure::new("unknown_kernel", format!("there is no kernel {id}"))
            .hint("`notegate siyuan kernel list` shows those that there are")
    };
    saved().await?.kernels.into_iter().find(|kernel| kernel.id == *id).ok_or_else(unknown)
}

async fn switch(enabled: bool, output: Output) -> Result<(), Failure> {
    execute(Command::SetEnabled { capability: Capability::Siyuan, enabled }).await?;
    output.result(json!({"enabled": enabled}), || {
        if enabled {
            "SiYuan is on. Runtimes that it is assigned to can use it.".into()
        } else {
            "SiYuan is off.".into()
        }
    })
}

async fn check(kernel: KernelId, output: Output) -> Result<(), Failure> {
    match execute(Command::CheckKernel { kernel: kernel.clone() }).await? {
        Reply::KernelChecked { report } => output.result(&report, || report_text(&kernel, &report)),
        _ => Err(Failure::new("internal", "a check was answered with something else")),
    }
}

fn report_text(kernel: &KernelId, report: &CheckReport) -> String {
    let CheckReport { address, version, workspace, pid, token, warnings } = report;
    let mut lines = vec![
        format!("{kernel} works: SiYuan {version}."),
        format!("  address    {address}"),
        format!("  workspace  {}", workspace.as_deref().unwrap_or("not told")),
        format!("  process    {}", pid.map_or("any".into(), |pid| pid.to_string())),
        format!("  token      {}", if *token { "accepted" } else { "none" }),
    ];
    lines.extend(warnings.iter().map(|warning| format!("  warning    {warning}")));
    lines.join("\n")
}

async fn choose(session: String, kernel: Option<KernelId>, output: Output) -> Result<(), Failure> {
    let text = match &kernel {
        Some(kernel) => format!("{session} works on {kernel}."),
        None => format!("{session} works on the default kernel."),
    };
    let result = json!({"session": session, "kernel": kernel});
    execute(Command::ChooseKernel { session: SessionLabel(session), kernel }).await?;
    output.result(result, || text)
}

async fn permission(typed: PermissionOf, output: Output) -> Result<(), Failure> {
    let PermissionOf { kernel, key, permission } = typed;
    match (key, permission) {
        (Some(key), Some(permission)) => {
            let remark = remark_on(&key)?;
            let mut text = format!("{kernel}: {key} is set to {permission}.");
            let mut result = json!({"kernel": kernel, "key": key, "permission": permission});
            if let Some(remark) = remark {
                text += &format!("\n{remark}");
                result["remark"] = remark.into();
            }
            let permissions = BTreeMap::from([(key, permission)]);
            execute(Command::SetPermissions { kernel, permissions }).await?;
            output.result(result, || text)
        }
        (Some(key), None) if key != "list" => {
            Err(Failure::usage(format!("what {key:?} is to be set to was not said"))
                .hint("add ask, ask-full-access, deny or allow; or leave the key out to see what is set"))
        }
        (_, _) => {
            let permissions = saved_kernel(&kernel).await?.permissions;
            output.result(json!({"kernel": kernel, "permissions": permissions}), || listed(&permissions))
        }
    }
}

/// What whoever sets a permission should know: that it opens nothing, or that it may be misspelt.
fn remark_on(key: &str) -> Result<Option<String>, Failure> {
    // A key that is none is refused by the core, with the reason.
    let Ok(key) = key.parse::<EndpointKey>() else { return Ok(None) };
    if let Some(closed) = closed::why(&key) {
        return Ok(Some(format!("Nothing opens it in this release: {}.", closed.why())));
    }
    let EndpointKey::Http { method, route } = &key else { return Ok(None) };
    let catalogue = Contract::new(Home::from_environment()?.contract_file()).current()?;
    let is_known = catalogue.at(route.as_str()).iter().any(|endpoint| endpoint.method == *method);
    Ok((!is_known).then(|| {
        format!(
            "The contract of {} does not name it; if it is misspelt, `notegate siyuan contract search` finds the right one.",
            catalogue.version()
        )
    }))
}

fn listed(permissions: &BTreeMap<String, Permission>) -> String {
    if permissions.is_empty() {
        return "Nothing is set: each call of each endpoint is asked for.".into();
    }
    let mut rows = vec![vec!["PERMISSION".to_owned(), "ENDPOINT".to_owned()]];
    rows.extend(permissions.iter().map(|(key, permission)| vec![permission.to_string(), key.clone()]));
    table(&rows)
}
