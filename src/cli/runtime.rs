//! `notegate runtime …`: the chat programs that may connect.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::arguments::Runtime;
use super::failure::{Exit, Failure};
use super::lifetime::from_now;
use super::output::{Output, table};
use super::reach::execute;
use super::status::snapshot_of;
use crate::core::{
    ApprovalPolicy, Capability, Command, Reply, RuntimeKind, RuntimeView, Snapshot, configuration,
    endpoint_url,
};

pub async fn run(typed: Runtime, output: Output) -> Result<Exit, Failure> {
    let command = match typed {
        Runtime::List => return list(output).await,
        Runtime::Add { kind, name, mode, approval, assign } => {
            let capabilities = assign.into_iter().collect();
            Command::AddRuntime { kind, name, mode, approval, capabilities }
        }
        Runtime::Remove { id } => Command::RemoveRuntime { runtime: id },
        Runtime::Rotate { id } => Command::RotateKey { runtime: id },
        Runtime::Rename { id, name } => Command::RenameRuntime { runtime: id, name },
        Runtime::Mode { id, mode } => Command::SetMode { runtime: id, mode },
        Runtime::Approval { id, policy } => Command::SetApprovalPolicy { runtime: id, approval: policy },
        Runtime::Assign { id, capability, off } => {
            Command::SetAssignment { runtime: id, capability, assigned: !off }
        }
    };
    // Asked before anything is done: a key that was made must not be lost to a question that failed.
    let snapshot = snapshot_of(execute(Command::Status).await?)?;
    let done = done_text(&command, &snapshot);
    match execute(command).await? {
        Reply::RuntimeAdded { runtime, key } => {
            let connection = Connection::of(runtime.kind, &snapshot, &key.0);
            output.result(connection.value(json!({"runtime": runtime})), || {
                let head = format!("Added {} ({}).", runtime.id, runtime.name);
                let hint = way_on(&runtime, &snapshot).map(|hint| format!("\n\n{hint}"));
                format!("{head}\n{}{}", connection.text(), hint.unwrap_or_default())
            })?;
        }
        Reply::KeyRotated { runtime, key } => {
            let known = snapshot.runtimes.iter().find(|known| known.id == runtime);
            let kind = known.map_or(RuntimeKind::Custom, |known| known.kind);
            let connection = Connection::of(kind, &snapshot, &key.0);
            output.result(connection.value(json!({"runtime": runtime})), || {
                format!("The old key of {runtime} is dead.\n{}", connection.text())
            })?;
        }
        _ => output.result(json!({"done": true}), || done)?,
    }
    Ok(Exit::Done)
}

/// What a person needs to connect a runtime, with its key.
struct Connection<'a> {
    key: &'a str,
    url: String,
    kind: RuntimeKind,
    configuration: String,
}

impl<'a> Connection<'a> {
    fn of(kind: RuntimeKind, snapshot: &Snapshot, key: &'a str) -> Self {
        let (url, configuration) = (endpoint_url(snapshot), configuration(kind, snapshot, key));
        Self { key, url, kind, configuration }
    }

    fn value(&self, mut value: Value) -> Value {
        value["key"] = json!(self.key);
        value["mcp"] = json!(self.url);
        value["configuration"] = json!(self.configuration);
        value
    }

    fn text(&self) -> String {
        format!(
            "Key: {}\nIt is shown this once; Notegate keeps only its digest.\nEndpoint: {}\n\n{}:\n{}",
            self.key,
            self.url,
            place(self.kind),
            self.configuration
        )
    }
}

/// Where the configuration goes.
fn place(kind: RuntimeKind) -> &'static str {
    match kind {
        RuntimeKind::Model => "Lists the tools in the form that models take; POST to /tools/NAME calls one",
        RuntimeKind::OpenCode => "Into opencode.json of the project, or ~/.config/opencode/opencode.json",
        RuntimeKind::Continue => "Into config.yaml of Continue",
        RuntimeKind::ClaudeCode => "Run it once in a terminal",
        RuntimeKind::Codex => "Into ~/.codex/config.toml; set the variable before you start Codex",
        RuntimeKind::Cursor => "Into ~/.cursor/mcp.json",
        RuntimeKind::VsCode => "Into mcp.json of your VS Code (MCP: Open User Configuration)",
        RuntimeKind::ClaudeDesktop => "Into claude_desktop_config.json",
        RuntimeKind::Dsh | RuntimeKind::RemoteAcp | RuntimeKind::Custom => {
            "The address for streamable HTTP, and the header that goes with every request"
        }
    }
}

/// What is still missing before a new runtime reaches a note.
fn way_on(runtime: &RuntimeView, snapshot: &Snapshot) -> Option<String> {
    if runtime.capabilities.is_empty() {
        let (id, capability) = (&runtime.id, Capability::Obsidian);
        return Some(match runtime.kind.supports(capability) {
            Ok(()) => format!(
                "Nothing is assigned to it yet, so it is offered no tools: notegate runtime assign {id} {capability}, or {}",
                Capability::Siyuan
            ),
            Err(reason) => format!("It cannot be given {capability}: {reason}."),
        });
    }
    let off = runtime.capabilities.iter().filter(|capability| !is_on(**capability, snapshot));
    let told: Vec<String> = off.map(|capability| switched_off(*capability)).collect();
    (!told.is_empty()).then(|| told.join("\n"))
}

fn is_on(capability: Capability, snapshot: &Snapshot) -> bool {
    match capability {
        Capability::Obsidian => snapshot.obsidian.enabled,
        Capability::Siyuan => snapshot.siyuan.enabled,
    }
}

fn switched_off(capability: Capability) -> String {
    format!("{capability} is switched off, so no tools of it are offered: notegate {capability} enable")
}

fn done_text(command: &Command, snapshot: &Snapshot) -> String {
    match command {
        Command::RemoveRuntime { runtime } => format!("Removed {runtime}; its key is dead."),
        Command::RenameRuntime { runtime, name } => format!("{runtime} is called {} now.", name.trim()),
        Command::SetMode { runtime, mode } => format!("{runtime} works in {} mode now.", mode.as_str()),
        Command::SetApprovalPolicy { runtime, approval: ApprovalPolicy::Prompt } => {
            format!("You are asked where a call of {runtime} needs an answer.")
        }
        Command::SetApprovalPolicy { runtime, approval: ApprovalPolicy::Never } => {
            format!("What would be asked of {runtime} is refused now.")
        }
        Command::SetAssignment { runtime, capability, assigned: true } => {
            if is_on(*capability, snapshot) {
                format!("{runtime} can use {capability} now.")
            } else {
                format!("{capability} is assigned to {runtime}.\n{}", switched_off(*capability))
            }
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
        match runtime.approval {
            ApprovalPolicy::Prompt => runtime.mode.as_str().into(),
            ApprovalPolicy::Never => format!("{}, never asks", runtime.mode.as_str()),
        },
        capabilities(runtime),
        runtime.last_seen.map_or("-".into(), from_now),
    ]
}

fn capabilities(runtime: &RuntimeView) -> String {
    let unavailable = Capability::ALL.into_iter().filter_map(|capability| {
        runtime.kind.supports(capability).err()?;
        Some(format!("{capability} not available"))
    });
    let listed: Vec<String> = names(&runtime.capabilities).chain(unavailable).collect();
    if listed.is_empty() { "-".into() } else { listed.join(", ") }
}

fn names(capabilities: &BTreeSet<Capability>) -> impl Iterator<Item = String> {
    capabilities.iter().map(Capability::to_string)
}
