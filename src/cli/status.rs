//! `notegate status` and `notegate stop`: the running instance, seen and ended from outside.

use std::time::{Duration, Instant};

use serde_json::json;

use super::failure::{Exit, Failure};
use super::lifetime::from_now;
use super::output::Output;
use super::reach::{Running, execute_on_running};
use crate::core::{Command, GatewayState, Home, Reply, Snapshot};

/// How long `stop` waits for calls to clean up.
const END_TIME: Duration = Duration::from_secs(60);

const POLL: Duration = Duration::from_millis(50);

/// The snapshot in the answer to [`Command::Status`].
pub fn snapshot_of(reply: Reply) -> Result<Snapshot, Failure> {
    match reply {
        Reply::Status { snapshot } => Ok(*snapshot),
        _ => Err(Failure::new("internal", "the state was asked for and something else was answered")),
    }
}

pub async fn show(output: Output) -> Result<Exit, Failure> {
    let snapshot = snapshot_of(execute_on_running(Command::Status).await?)?;
    output.result(&snapshot, || text(&snapshot))?;
    Ok(Exit::Done)
}

fn text(snapshot: &Snapshot) -> String {
    let gateway = match &snapshot.gateway {
        GatewayState::Starting => "starting".into(),
        GatewayState::Listening { url, since } => format!("{url}, since {}", from_now(*since)),
        GatewayState::Failed { error, at } => format!("failed {}: {error}", from_now(*at)),
        GatewayState::Stopped { at } => format!("stopped {}", from_now(*at)),
    };
    let obsidian = match (snapshot.obsidian.enabled, snapshot.obsidian.vault_path.as_str()) {
        (false, _) => "off".into(),
        (true, "") => "on, every vault that Obsidian knows".into(),
        (true, path) => format!("on, {path}"),
    };
    let siyuan = match (snapshot.siyuan.enabled, snapshot.siyuan.kernels.len()) {
        (false, _) => "off".into(),
        (true, 1) => "on, 1 kernel".into(),
        (true, count) => format!("on, {count} kernels"),
    };
    let calls = &snapshot.calls;
    let running: usize = calls.running.values().sum();
    format!(
        "Notegate {}{}\n  endpoint  {gateway}\n  home      {}\n  obsidian  {obsidian}\n  siyuan    {siyuan}\n  runtimes  {}, sessions {}\n  calls     {} \
         succeeded, {} failed, {running} running",
        snapshot.version,
        if snapshot.closing { " (ending)" } else { "" },
        snapshot.home.display(),
        snapshot.runtimes.len(),
        snapshot.sessions.len(),
        calls.succeeded,
        calls.failed,
    )
}

/// Asks the instance to end and waits until its home is free, so that the next start finds it so.
pub async fn stop(output: Output) -> Result<Exit, Failure> {
    let home = Home::from_environment()?;
    let running = Running::find(&home).await?.ok_or_else(Failure::not_running)?;
    running.request(&Command::Shutdown).await?;
    let deadline = Instant::now() + END_TIME;
    while !is_free(&home).await {
        if Instant::now() > deadline {
            return Err(Failure::new(
                "still_ending",
                format!("process {} has not ended after {} seconds", running.control.pid, END_TIME.as_secs()),
            )
            .hint("its calls may still clean up; send it a second signal to end it at once"));
        }
        tokio::time::sleep(POLL).await;
    }
    output.result(json!({"stopped": true, "pid": running.control.pid}), || "Stopped.".into())?;
    Ok(Exit::Done)
}

async fn is_free(home: &Home) -> bool {
    let home = home.clone();
    tokio::task::spawn_blocking(move || !home.control_file().exists() && !home.is_in_use())
        .await
        .unwrap_or(false)
}
