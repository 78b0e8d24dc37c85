//! `notegate runtime …`: the chat programs that may connect.

use std::collections::BTreeSet;

use serde_json::json;

use super::arguments::Runtime;
use super::failure::{Exit, Failure};
use super::lifetime::from_now;
use super::output::{Output, table};
use super::reach::execute;
use super::status::snapshot_of;
use crate::core::{Capability, Command, Reply, RuntimeView, WorkMode};

pub async fn run(typed: Runtime, output: Output) -> Result<Exit, Failure> {
    let command = match typed {
        Runtime::List => return list(output).await,
        Runtime::Add { kind, name, mode, approval, assign } => {
            let capabilities = assign.into_iter().collect();
            Command::AddRuntime { kind, name, mode, approval, capabilities }
        }
        Runtime::Remove { id } => Command::RemoveRuntime { runtime: id },
        Runtime::Rotate { id } => Command::RotateKey { runtime: id },
        Runtime::Mode { id, mode } => Command::SetMode { runtime: id, mode },
        Runtime::Assign { id, capability, off } => {
            Command::SetAssignment { runtime: id, capability, assigned: !off }
        }
    };
    let done = done_text(&command);
    match execute(command).await? {
        Reply::RuntimeAdded { runtime, key } => {
            let key = key.0;
            output.result(json!({"runtime": runtime, "key": key}), || {
                format!("Added {} ({}).\n{}", runtime.id, runtime.name, key_text(&key))
            })?;
        }
        Reply::KeyRotated { runtime, key } => {
            let key = key.0;
            output.result(json!({"runtime": runtime, "key": key}), || {
                format!("The old key of {runtime} is dead.\n{}", key_text(&key))
            })?;
        }
        _ => output.result(json!({"done": true}), || done)?,
    }
    Ok(Exit::Done)
}

fn key_text(key: &str) -> String {
    format!(
        "Key: {key}\nIt is shown this once; Notegate keeps only its digest. A client sends it as `Authorization: Bearer KEY`."
    )
}

fn done_text(command: &Command) -> String {
    match command {
        Command::RemoveRuntime { runtime } => format!("Removed {runtime}; its key is dead."),
        Command::SetMode { runtime, mode } => format!("{runtime} works in {} mode now.", mode.as_str()),
        Command::SetAssignment { runtime, capability, assigned: true } => {
            format!("{runtime} can use {capability} now.")
        }
        Command::SetAssignment { runtime, capability, assigned: false } => {
            format!("{runtime} can no longer use {capability}.")
        }
        _ => "Done.".into(),
    }
}

async fn list(output: Output) -> Result<Exit, Failure> {
    let snapshot = snapshot_of(execute(Command::Status).await?)?;
    output.result(json!({"runtimes": snapshot.runtimes}), || {
        if snapshot.runtimes.is_empty() {
            return "No runtime yet. Add one: notegate runtime add opencode --assign obsidian".into();
        }
        let mut rows =
            vec![["ID", "NAME", "KIND", "MODE", "CAPABILITIES", "LAST SEEN"].map(str::to_owned).to_vec()];
        rows.extend(snapshot.runtimes.iter().map(row));
        table(&rows)
    })?;
    Ok(Exit::Done)
}

fn row(runtime: &RuntimeView) -> Vec<String> {
    vec![
        runtime.id.to_string(),
        runtime.name.clone(),
        runtime.kind.as_str().into(),
        WorkMode::as_str(runtime.mode).into(),
        capabilities(runtime),
        runtime.last_seen.map_or("-".into(), from_now),
    ]
}

fn capabilities(runtime: &RuntimeView) -> String {
    let unavailable = Capability::ALL.into_iter().filter_map(|capability| {
        let reason = runtime.kind.supports(capability).err()?;
        Some(format!("no {capability}: {reason}"))
    });
    let listed: Vec<String> = names(&runtime.capabilities).chain(unavailable).collect();
    if listed.is_empty() { "-".into() } else { listed.join(", ") }
}

fn names(capabilities: &BTreeSet<Capability>) -> impl Iterator<Item = String> {
    capabilities.iter().map(Capability::to_string)
}
