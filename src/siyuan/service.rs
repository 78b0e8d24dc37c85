//! The five tools over the kernels that a person configured, and what a person may ask of them besides.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::contract::{Catalogue, Contract};
use super::endpoint::EndpointKey;
use super::errors::SiyuanError;
use super::execution::{Decided, Ending, Execution, Intent, Objects, Surroundings};
use super::kernels::{KernelError, Kernels};
use super::run::{Held, Run, intent};
use super::tools::{Call, ToolSpec, tool};
use crate::access::approvals::Declined;
use crate::settings::{DiscoveredTool, KernelId, MAX_DISCOVERED};

/// For how long after a write the index may not know it.
const INDEX_LAG: Duration = Duration::from_secs(10);

/// The most of what a server says of a tool that is kept.
const MAX_DESCRIPTION_CHARS: usize = 500;

/// The five tools over the kernels that a person configured, with permissions. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Service {
    pub(super) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    kernels: Kernels,
    contract: Arc<Contract>,
    pub(super) surroundings: Surroundings,
    /// When each kernel was last written to by us.
    written: Mutex<HashMap<KernelId, Instant>>,
    calls: TaskTracker,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub value: Map<String, Value>,
    /// The kernel, a plugin or a tool in it answered with an error, which the value holds.
    pub is_error: bool,
}

impl Service {
    pub fn new(kernels: Kernels, contract: Arc<Contract>, surroundings: Surroundings) -> Self {
        let (written, calls) = (Mutex::default(), TaskTracker::new());
        Self { inner: Arc::new(Inner { kernels, contract, surroundings, written, calls }) }
    }

    /// Calls one of the five tools. Without an execution nobody can be asked, and both settings that ask
    /// refuse. Dropping the future cancels the call, which still comes to its end.
    ///
    /// # Errors
    /// Why there is no result; [`SiyuanError::Uncertain`] alone means that something may have changed.
    pub async fn invoke(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        execution: Option<Execution>,
    ) -> Result<Output, SiyuanError> {
        let tool = tool(name).ok_or_else(|| SiyuanError::Arguments("there is no such tool".into()))?;
        let call = match Call::read(tool, arguments) {
            Ok(call) => call,
            Err(error) => {
                let held = Held::new(error, Decided::Configuration);
                return Err(self.cleaned(self.hold(tool, execution.as_ref(), None, *held).await));
            }
        };
        let cancel = execution.as_ref().map_or_else(CancellationToken::new, |e| e.cancel.child_token());
        let _cancel_when_dropped = cancel.clone().drop_guard();
        let run = Run { service: self.clone(), call, execution, cancel };
        let running = self.inner.calls.spawn(async move { run.whole().await });
        let result = running.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a call of a kernel failed inside");
            Err(SiyuanError::Internal)
        });
        match result {
            Ok(mut output) => {
                self.inner.surroundings.filters.now().fields(&mut output.value);
                Ok(output)
            }
            Err(error) => Err(self.cleaned(error)),
        }
    }

    /// An error as it may be told: one that holds a secret is told without it.
    fn cleaned(&self, error: SiyuanError) -> SiyuanError {
        let filter = self.inner.surroundings.filters.now();
        let (message, mut details) = (error.to_string(), error.details());
        let clean = filter.text(&message);
        filter.fields(&mut details);
        if clean == message && details == error.details() {
            return error;
        }
        SiyuanError::Cleaned { code: error.code(), message: clean.into_owned(), details }
    }

    /// Records a call that is not sent. A question that still stands is none yet.
    pub(super) async fn hold(
        &self,
        tool: &'static ToolSpec,
        execution: Option<&Execution>,
        kernel: Option<&KernelId>,
        held: Held,
    ) -> SiyuanError {
        let Held { error, endpoints, decided, outcome, writes, objects } = held;
        if error == SiyuanError::NotApproved(Declined::Pending) {
            return error;
        }
        let intent = Intent {
            endpoints,
            writes: writes.unwrap_or(tool.writes),
            objects,
            ..intent(tool, execution, kernel, decided)
        };
        let ending = Ending { outcome, code: Some(error.code()), objects: Objects::default() };
        // That it was refused holds also where it cannot be recorded.
        if let Ok(operation) = self.inner.surroundings.observer.begin(intent).await {
            let _ = operation.end(ending).await;
        }
        error
    }

    /// Waits until every call has ended. Cancel them before.
    pub async fn close(&self) {
        self.inner.calls.close();
        self.inner.calls.wait().await;
    }

    pub fn kernels(&self) -> &Kernels {
        &self.inner.kernels
    }

    /// Asks a kernel's MCP server which tools it has, for a person who wants to know. What it says of them is its own
    /// word, and shortened.
    ///
    /// # Errors
    /// The kernel cannot be reached, or has no such server.
    pub async fn discover_tools(
        &self,
        id: &KernelId,
        cancel: &CancellationToken,
    ) -> Result<Vec<DiscoveredTool>, KernelError> {
        let opened = self.inner.kernels.connect(id, cancel).await?;
        let listed = opened.connection.mcp_list("tools/list", cancel).await;
        let found = match listed {
            Ok(tools) => Ok(tools.iter().filter_map(discovered).take(MAX_DISCOVERED).collect()),
            Err(error) => Err(self.inner.kernels.failed(id, &opened, error).await),
        };
        opened.connection.dispose().await;
        found
    }

    /// What is known of a kernel's API.
    ///
    /// # Errors
    /// The contract that was imported cannot be used.
    pub async fn catalogue(&self) -> Result<Arc<Catalogue>, SiyuanError> {
        let contract = Arc::clone(&self.inner.contract);
        let read = tokio::task::spawn_blocking(move || contract.current()).await;
        Ok(read.map_err(|_| SiyuanError::Internal)??)
    }

    pub(super) fn note_write(&self, kernel: &KernelId) {
        let mut written = self.inner.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.insert(kernel.clone(), Instant::now());
    }

    pub(super) fn was_just_written(&self, kernel: &KernelId) -> bool {
        let written = self.inner.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.get(kernel).is_some_and(|at| at.elapsed() < INDEX_LAG)
    }
}

/// A tool as its server describes it. One whose name no key can hold could never be called.
fn discovered(tool: &Value) -> Option<DiscoveredTool> {
    let name = tool.get("name")?.as_str()?;
    EndpointKey::mcp_tool(name).ok()?;
    let said = tool.get("description").and_then(Value::as_str).unwrap_or_default();
    let description = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let description = description.chars().take(MAX_DESCRIPTION_CHARS).collect();
    Some(DiscoveredTool { name: name.to_owned(), description })
}
