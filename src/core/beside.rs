//! What takes long runs beside the actor, and comes back to it as a message.

use std::sync::Arc;
use std::time::SystemTime;

use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::actor::{Actor, Answer, Message, reply};
use super::snapshot::{GatewayState, TestState};
use super::{CommandError, Picked, Reply};
use crate::access::Access;
use crate::access::approvals::Approvals;
use crate::activity;
use crate::obsidian::Scope;
use crate::settings::{RuntimeId, WorkMode};
use crate::tools::{Call, Tools, Way};

/// The runtime under which the person's own command line calls tools.
const COMMAND_LINE: &str = "command-line";

impl Actor {
    pub(super) fn begin_test(&mut self, typed: &str, answer: Answer) {
        if self.test.is_running() {
            let busy = CommandError::new(
                "test_running",
                "a connection test is running already; wait for its result",
            );
            return reply(answer, Err(busy));
        }
        let vault_path = match self.scope_as_typed(typed) {
            Ok(path) => path,
            Err(error) => return reply(answer, Err(error.into())),
        };
        // A core that is closing has no inbox any more, and nobody to tell.
        let Some(inbox) = self.inbox.upgrade() else { return };
        self.tests += 1;
        let number = self.tests;
        self.test = TestState::Testing { number, vault_path: vault_path.clone(), since: SystemTime::now() };
        let (tools, engine) = (self.tools.clone(), self.tools.config().engine);
        self.work.spawn(async move {
            let scope = Scope::from_setting(&vault_path);
            let outcome = tools.obsidian().test(&scope, engine).await.map_err(CommandError::from);
            let _ = inbox.send(Message::TestEnded { number, vault_path, outcome, answer });
        });
    }

    pub(super) fn begin_choosing(&mut self, answer: Answer) {
        if self.choosing_folder {
            return reply(answer, Err(CommandError::new("dialog_open", "the folder dialog is open already")));
        }
        let Some(inbox) = self.inbox.upgrade() else { return };
        self.choosing_folder = true;
        let (picker, stop) = (Arc::clone(&self.folder_picker), self.stop.clone());
        self.work.spawn(async move {
            let picked = tokio::select! {
                picked = picker.pick() => picked,
                () = stop.cancelled() => Picked::Cancelled,
            };
            let _ = inbox.send(Message::FolderChosen { answer, picked });
        });
    }

    /// Asks whoever runs the gateway to open the endpoint. The answer comes with the report about it.
    pub(super) fn begin_opening(&mut self, answer: Answer) {
        match self.gateway {
            GatewayState::Listening { .. } => return reply(answer, Ok(Reply::Done)),
            GatewayState::Stopped { .. } => return reply(answer, Err(CommandError::closing())),
            GatewayState::Failed { .. } => {
                self.gateway = GatewayState::Starting;
                self.endpoint_wanted.notify_one();
            }
            GatewayState::Starting => {}
        }
        self.opening.push(answer);
    }

    /// Takes note of what became of the endpoint, and tells those who asked for it.
    pub(super) fn gateway_is(&mut self, state: GatewayState) {
        // An instance that serves looks at its scope once by itself; a core that was started for a single
        // verb need not.
        if self.gateway == GatewayState::Starting {
            self.begin_scope_look(None);
        }
        let outcome = match &state {
            GatewayState::Starting => None,
            GatewayState::Listening { .. } => Some(Ok(Reply::Done)),
            GatewayState::Failed { error, .. } => Some(Err(error.clone())),
            GatewayState::Stopped { .. } => Some(Err(CommandError::closing())),
        };
        self.gateway = state;
        self.publish();
        if let Some(outcome) = outcome {
            for answer in self.opening.drain(..) {
                reply(answer, outcome.clone());
            }
        }
    }
}

/// Calls a tool as the person at this computer.
pub(super) async fn call_tool(
    tools: Tools,
    access: Access,
    tool: String,
    arguments: Map<String, Value>,
    mode: WorkMode,
    answer: Answer,
) {
    let mut answer = answer;
    let outcome = async {
        let runtime = RuntimeId::new(COMMAND_LINE)?;
        let grant = access
            .admit_local(runtime, mode)
            .await
            .map_err(|denied| CommandError::new("closing", denied.to_string()))?;
        let cancel = CancellationToken::new();
        let call = tools.call(Call {
            grant,
            way: Way::CommandLine,
            tool,
            arguments,
            cancel: cancel.clone(),
            patient: true,
        });
        tokio::pin!(call);
        let reply = tokio::select! {
            reply = &mut call => reply,
            // Whoever asked went away: the call is cancelled and still cleans up.
            () = answer.closed() => {
                cancel.cancel();
                call.await
            }
        };
        Ok(Reply::ToolResult {
            content: reply.content,
            structured_content: reply.structured,
            is_error: reply.is_error,
        })
    }
    .await;
    reply(answer, outcome);
}

/// Waits until something more was recorded than `revision` says, or the instance ends.
pub(super) async fn await_activity(
    mut log: watch::Receiver<activity::Status>,
    revision: u64,
    ending: CancellationToken,
    mut answer: Answer,
) {
    let outcome = tokio::select! {
        status = log.wait_for(|status| status.revision != revision) => match status {
            Ok(status) => Ok(Reply::Recorded { revision: status.revision }),
            Err(_) => Err(CommandError::closing()),
        },
        () = ending.cancelled() => Err(CommandError::closing()),
        () = answer.closed() => return,
    };
    reply(answer, outcome);
}

/// Waits until there is something else to be seen of questions than at this revision. Whoever waits for that
/// can answer.
pub(super) async fn await_approvals(
    approvals: Approvals,
    revision: u64,
    ending: CancellationToken,
    mut answer: Answer,
) {
    let _there = approvals.visitor();
    let mut ticks = approvals.watch();
    let outcome = tokio::select! {
        now = ticks.wait_for(|now| *now != revision) => match now {
            Ok(now) => Ok(*now),
            Err(_) => Err(CommandError::closing()),
        },
        () = ending.cancelled() => Err(CommandError::closing()),
        () = answer.closed() => return,
    };
    reply(answer, outcome.map(|revision| Reply::Approvals { revision, approvals: approvals.view() }));
}

/// Does what touches the disk on a thread for it.
///
/// # Errors
/// Its own; or that it panicked.
pub(super) async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(std::io::Error::other(error)))
}
