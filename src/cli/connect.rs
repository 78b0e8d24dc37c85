//! `notegate connect …`: a chat program's configuration, written for the person.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::arguments::Connect;
use super::failure::{Exit, Failure};
use super::output::Output;
use super::reach::execute;
use super::status::snapshot_of;
use crate::core::{
    Capability, Command, ConnectionPlan, KEY_VARIABLE, KeyPlace, Reply, RuntimeId, RuntimeKind, RuntimeView,
    ShownOnce, TypedSecret,
};
use crate::secrets::Secret;

pub async fn run(typed: Connect, output: Output) -> Result<Exit, Failure> {
    let Connect { program, runtime, assign, key: place, dry_run, undo } = typed;
    if undo {
        take_back(program, output).await?;
        return Ok(Exit::Done);
    }
    let snapshot = snapshot_of(execute(Command::Status).await?)?;
    let runtime = match runtime {
        Some(id) => Some(id),
        None => the_one(program, &snapshot.runtimes)?,
    };
    let plan = plan(program, runtime.clone(), place).await?;
    if dry_run {
        output.result(told(&plan), || shown(&plan))?;
        return Ok(Exit::Done);
    }
    // Before a runtime is added for nothing.
    if place == KeyPlace::File && plan.readable_by_others {
        let text = format!(
            "{:?} can be read by other users of this computer, so the key does not go into it",
            plan.path
        );
        return Err(Failure::new("file_readable", text).hint(
            "make it yours alone (chmod 600), or let the key stay elsewhere: --key keyring, or --key environment",
        ));
    }
    let (runtime, key) = match runtime {
        Some(id) => (id, None),
        None => added(program, assign.into_iter().collect()).await?,
    };
    // An id may differ from the one that was planned with, where another was added meanwhile.
    let order = Command::Connect {
        program,
        runtime: runtime.clone(),
        place,
        key: key.clone().map(|key| TypedSecret(Secret::from_text(key.0))),
        seen: Some(plan.seen.clone()),
    };
    let connected = execute(order).await;
    if connected.is_err() && key.is_some() {
        // It was added for this alone, and nobody has its key.
        let _ = execute(Command::RemoveRuntime { runtime: runtime.clone() }).await;
    }
    let Reply::Connected { path, backup, key: new } = connected? else {
        return Err(Failure::new("internal", "the answer was not the one of this command"));
    };
    let to_set = new.or(key).filter(|_| place == KeyPlace::Environment);
    let mut value = told(&plan);
    value["runtime"] = json!(runtime);
    value["path"] = json!(path);
    value["backup"] = json!(backup);
    if let Some(key) = &to_set {
        value["key"] = json!(key.0);
    }
    output.result(value, || {
        let name = program.product_name();
        let mut lines = vec![shown(&plan), format!("Written. {name} connects as {runtime} from its next start on.")];
        lines.push("It finds Notegate while that runs: in its window, or as `notegate serve`.".to_owned());
        lines.extend(backup.map(|backup| format!("How it was before: {}", backup.display())));
        lines.push(format!("To take it back: notegate connect {} --undo", program.as_str()));
        lines.extend(to_set.map(|ShownOnce(key)| {
            format!("\nSet this in the environment that {name} is started in; it is shown this once:\n{KEY_VARIABLE}={key}")
        }));
        lines.join("\n")
    })?;
    Ok(Exit::Done)
}

/// The runtime of a kind, where it is clear which one is meant; `None` where there is none yet.
fn the_one(program: RuntimeKind, runtimes: &[RuntimeView]) -> Result<Option<RuntimeId>, Failure> {
    let ids: Vec<&RuntimeId> =
        runtimes.iter().filter(|runtime| runtime.kind == program).map(|runtime| &runtime.id).collect();
    match ids[..] {
        [] => Ok(None),
        [id] => Ok(Some(id.clone())),
        _ => {
            let ids = ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            Err(Failure::usage(format!("there are several runtimes of this kind: {ids}"))
                .hint("say which one: --runtime ID"))
        }
    }
}

async fn plan(
    program: RuntimeKind,
    runtime: Option<RuntimeId>,
    place: KeyPlace,
) -> Result<ConnectionPlan, Failure> {
    match execute(Command::PlanConnection { program, runtime, place }).await? {
        Reply::ConnectionPlanned { plan } => Ok(plan),
        _ => Err(Failure::new("internal", "the answer was not the one of this command")),
    }
}

async fn added(
    kind: RuntimeKind,
    capabilities: BTreeSet<Capability>,
) -> Result<(RuntimeId, Option<ShownOnce>), Failure> {
    let command = Command::AddRuntime {
        kind,
        name: None,
        mode: Default::default(),
        approval: Default::default(),
        capabilities,
    };
    match execute(command).await? {
        Reply::RuntimeAdded { runtime, key } => Ok((runtime.id, Some(key))),
        _ => Err(Failure::new("internal", "the answer was not the one of this command")),
    }
}

async fn take_back(program: RuntimeKind, output: Output) -> Result<(), Failure> {
    match execute(Command::UndoConnection { program }).await? {
        Reply::ConnectionUndone { path, key_kept } => {
            output.result(json!({"path": path, "keyKept": key_kept}), || {
                let stays = key_kept.as_ref().map_or_else(
                    || "The runtime stays; `notegate runtime remove ID` removes one.".to_owned(),
                    |id| {
                        format!(
                            "The key of {id} stays in the keyring, for whatever else starts the bridge. It goes with the \
                             runtime: notegate runtime remove {id}"
                        )
                    },
                );
                format!("{} is as it was before.\n{stays}", path.display())
            })
        }
        _ => Err(Failure::new("internal", "the answer was not the one of this command")),
    }
}

fn told(plan: &ConnectionPlan) -> Value {
    let diff: Vec<String> =
        plan.diff.iter().map(|line| format!("{}{}", line.sign.mark(), line.text)).collect();
    json!({ "path": plan.path, "exists": plan.exists, "readableByOthers": plan.readable_by_others, "diff": diff })
}

fn shown(plan: &ConnectionPlan) -> String {
    let head = if plan.exists { "" } else { " (new)" };
    let lines = plan.diff.iter().map(|line| format!("{} {}\n", line.sign.mark(), line.text));
    let lines: String =
        if plan.diff.is_empty() { "It says already what it should.\n".into() } else { lines.collect() };
    format!("{}{head}\n{lines}", plan.path.display())
}
