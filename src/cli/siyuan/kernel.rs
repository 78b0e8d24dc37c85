//! `notegate siyuan kernel …`: the kernels as they are saved.

use std::path::Path;

use serde_json::json;

use super::super::failure::Failure;
use super::super::lifetime::from_now;
use super::super::output::{Output, table};
use super::super::reach::execute;
use super::typed::{KernelVerb, More};
use super::{saved, saved_kernel};
use crate::core::{
    Command, KernelAddress, KernelCheck, KernelDraft, KernelId, KernelView, Reply, SiyuanView, TokenState,
};
use crate::settings::{DEFAULT_KERNEL_SECONDS, InvalidField};

pub(super) async fn run(typed: KernelVerb, output: Output) -> Result<(), Failure> {
    let (command, done) = match typed {
        KernelVerb::List => return list(output).await,
        KernelVerb::Add { id, name, address, more } => {
            let draft = KernelDraft {
                name: name.or_else(|| id.as_ref().map(KernelId::to_string)).unwrap_or("SiYuan".into()),
                address: meant(&address)?,
                timeout_seconds: more.timeout.unwrap_or(DEFAULT_KERNEL_SECONDS),
                port_file: more.port_file.as_deref().map(absolute).transpose()?,
                pid: more.pid,
            };
            return add(Command::AddKernel { kernel: id, draft }, output).await;
        }
        KernelVerb::Edit { id, name, address, more, no_port_file, no_pid, rebind } => {
            let old = saved_kernel(&id).await?;
            let More { timeout, port_file, pid } = more;
            let port_file = match port_file {
                Some(file) => Some(absolute(&file)?),
                None => old.port_file.clone().filter(|_| !no_port_file),
            };
            let draft = KernelDraft {
                name: name.unwrap_or_else(|| old.name.clone()),
                address: address.as_deref().map(meant).transpose()?.unwrap_or_else(|| old.address.clone()),
                timeout_seconds: timeout.unwrap_or(old.timeout_seconds),
                port_file,
                pid: pid.or(old.pid.filter(|_| !no_pid)),
            };
            if draft != draft_of(&old) || !rebind {
                execute(Command::EditKernel { kernel: id.clone(), draft }).await?;
            }
            if !rebind {
                return changed(&id, "Saved.", output);
            }
            (Command::RebindKernel { kernel: id.clone() }, format!("{id} is bound anew at its next check."))
        }
        KernelVerb::Resume { id, pid } => {
            let done = format!("{id} goes on with the same workspace; what is permitted stays.");
            (Command::ResumeKernel { kernel: id, pid }, done)
        }
        KernelVerb::Remove { id, keep_token } => {
            let done = format!("Removed {id}{}.", if keep_token { "" } else { " and its token" });
            (Command::RemoveKernel { kernel: id, keep_token }, done)
        }
        KernelVerb::Default { id, .. } => {
            let done = match &id {
                Some(id) => format!("Calls that name no kernel go to {id} now."),
                None => "Calls that name no kernel are refused now.".into(),
            };
            (Command::SetDefaultKernel { kernel: id }, done)
        }
        KernelVerb::Enable { id } => {
            let done = format!("{id} can be used again.");
            (Command::SetKernelDisabled { kernel: id, disabled: false }, done)
        }
        KernelVerb::Disable { id } => {
            let done = format!("{id} is disabled; nothing is sent to it.");
            (Command::SetKernelDisabled { kernel: id, disabled: true }, done)
        }
    };
    execute(command).await?;
    output.result(json!({"done": true}), || done)
}

async fn add(command: Command, output: Output) -> Result<(), Failure> {
    let Reply::KernelAdded { kernel } = execute(command).await? else {
        return Err(Failure::new("internal", "adding a kernel was answered with something else"));
    };
    let has_default = saved().await?.default_kernel.is_some();
    output.result(json!({"kernel": kernel}), || {
        let id = &kernel.id;
        let way_on = format!(
            "Added {id} ({}).\nGive it its token with `notegate siyuan token {id}`, then try it with `notegate siyuan check {id}`.",
            kernel.address
        );
        if has_default {
            return way_on;
        }
        // None is picked by itself, be it the only one.
        format!("{way_on}\nCalls that name no kernel are refused until one is their default: notegate siyuan kernel default {id}")
    })
}

fn changed(id: &KernelId, done: &str, output: Output) -> Result<(), Failure> {
    output.result(json!({"done": true}), || format!("{done} Try it with `notegate siyuan check {id}`."))
}

fn draft_of(kernel: &KernelView) -> KernelDraft {
    KernelDraft {
        name: kernel.name.clone(),
        address: kernel.address.clone(),
        timeout_seconds: kernel.timeout_seconds,
        port_file: kernel.port_file.clone(),
        pid: kernel.pid,
    }
}

/// What is typed is not repeated: it may hold a password, which an address must not.
fn meant(typed: &str) -> Result<KernelAddress, Failure> {
    typed.parse().map_err(|error: InvalidField| Failure::usage(error.problem))
}

/// The running instance stands in another folder.
fn absolute(typed: &Path) -> Result<String, Failure> {
    let path = std::path::absolute(typed)
        .map_err(|error| Failure::usage(format!("{typed:?} is not a file's path: {error}")))?;
    path.into_os_string()
        .into_string()
        .map_err(|path| Failure::usage(format!("{path:?} is not valid Unicode")))
}

async fn list(output: Output) -> Result<(), Failure> {
    let siyuan = saved().await?;
    output.result(&siyuan, || {
        if siyuan.kernels.is_empty() {
            return "No kernel yet. Add the one of this computer: notegate siyuan kernel add".into();
        }
        let head = ["ID", "NAME", "ADDRESS", "PROCESS", "TOKEN", "STATE", "CHECK"].map(str::to_owned);
        let mut rows = vec![head.to_vec()];
        rows.extend(siyuan.kernels.iter().map(|kernel| row(&siyuan, kernel)));
        table(&rows)
    })
}

fn row(siyuan: &SiyuanView, kernel: &KernelView) -> Vec<String> {
    let is_default = siyuan.default_kernel.as_ref() == Some(&kernel.id);
    let state = match (kernel.disabled, is_default) {
        (true, true) => "disabled, default",
        (true, false) => "disabled",
        (false, true) => "default",
        (false, false) => "-",
    };
    let token = match kernel.token {
        TokenState::None => "none",
        TokenState::Stored => "configured",
        TokenState::Refused => "refused",
    };
    let check = match &kernel.check {
        KernelCheck::NotChecked => "-".into(),
        KernelCheck::Checking { since, .. } => format!("running since {}", from_now(*since)),
        KernelCheck::Passed { report, at, .. } => format!("SiYuan {}, {}", report.version, from_now(*at)),
        KernelCheck::Failed { error, at, .. } => format!("{}, {}", error.code, from_now(*at)),
    };
    vec![
        kernel.id.to_string(),
        kernel.name.clone(),
        kernel.address.to_string(),
        kernel.pid.map_or("-".into(), |pid| pid.to_string()),
        token.into(),
        state.into(),
        check,
    ]
}
