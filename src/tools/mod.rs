//! The catalogue that both gateways, the command line and the window share, and the one way that
//! every call takes.
//!
//! Invariant: whatever calls a tool, calls [`Tools::call`]; nothing else reaches a capability. It
//! holds the caller's grant against the tool, and its answer is always a [`Reply`].

mod catalogue;
mod errors;
mod running;
mod surroundings;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

pub use catalogue::{Tool, catalogue, find};
pub use errors::{Code, ToolError};
pub use running::{CallStats, LastCall};
pub use surroundings::LogObserver;

use crate::access::{Access, Grant};
use crate::settings::{Capability, Limits};
use crate::siyuan::Execution;
use crate::siyuan::permissions::Standing;
use crate::{obsidian, siyuan};
use catalogue::Door;
use running::Running;

/// How long an answer waits for the clean-up of a call that was ended. The clean-up itself goes on
/// until it is done, and closing waits for it.
const CLEAN_UP_GRACE: Duration = Duration::from_secs(2);

/// What a call rests on besides its grant. Replaced with every save.
#[derive(Debug, Clone)]
pub struct CallConfig {
    pub scope: obsidian::Scope,
    pub engine: obsidian::Engine,
    pub limits: Limits,
}

/// How a call came in. It decides nothing; an error names the list of tools by the words of its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Mcp,
    Direct,
    CommandLine,
}

/// One call, as it comes from a gateway or the command line.
#[derive(Debug)]
pub struct Call {
    pub grant: Arc<Grant>,
    pub way: Way,
    pub tool: String,
    pub arguments: Map<String, Value>,
    /// Fires when the caller gives up.
    pub cancel: CancellationToken,
}

/// The answer to a call, in the terms of MCP's tool result.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// Content blocks, as MCP writes them.
    pub content: Vec<Value>,
    pub structured: Option<Value>,
    pub is_error: bool,
    pub meta: Option<Map<String, Value>>,
}

/// The text carries the whole answer: some clients show only one of the two parts.
impl From<siyuan::Output> for Reply {
    fn from(output: siyuan::Output) -> Self {
        let siyuan::Output { value, is_error } = output;
        let value = Value::Object(value);
        let content = vec![json!({"type": "text", "text": value.to_string()})];
        Self { content, structured: Some(value), is_error, meta: None }
    }
}

impl From<obsidian::Output> for Reply {
    fn from(output: obsidian::Output) -> Self {
        let obsidian::Output { content, structured, is_error, meta } = output;
        Self { content, structured, is_error, meta }
    }
}

/// The capabilities behind one door. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Tools {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    access: Access,
    obsidian: Arc<obsidian::Service>,
    siyuan: siyuan::Service,
    config: Mutex<Arc<CallConfig>>,
    running: Running,
}

impl Tools {
    pub fn new(
        access: Access,
        obsidian: Arc<obsidian::Service>,
        siyuan: siyuan::Service,
        config: CallConfig,
    ) -> Self {
        let (config, running) = (Mutex::new(Arc::new(config)), Running::default());
        let inner = Inner { access, obsidian, siyuan, config, running };
        Self { inner: Arc::new(inner) }
    }

    /// Puts what was saved in force. Call it inside a change of [`Access`]: a call that reads the new
    /// configuration then finds its old grant already ended.
    pub fn configure(&self, config: CallConfig) {
        *self.inner.config.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
    }

    /// What is in force now.
    pub fn config(&self) -> Arc<CallConfig> {
        Arc::clone(&self.inner.config.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The tools that a grant offers, in the catalogue's fixed order. Mode filters nothing here: Ask
    /// lists everything and refuses writing when it is called. Never waits.
    pub fn offered(&self, grant: &Grant) -> impl Iterator<Item = &'static Tool> {
        let capabilities = grant.capabilities.clone();
        catalogue().iter().filter(move |tool| capabilities.contains(&tool.capability))
    }

    /// How calls went since the start.
    pub fn stats(&self) -> CallStats {
        self.inner.running.stats()
    }

    /// Ticks whenever a call begins or ends.
    pub fn watch(&self) -> tokio::sync::watch::Receiver<u64> {
        self.inner.running.watch()
    }

    /// Calls a tool. Every failure is told in the reply, so that a model can read it.
    pub async fn call(&self, call: Call) -> Reply {
        let limits = self.config().limits;
        let capability = find(&call.tool).map_or(Capability::Obsidian, |tool| tool.capability);
        let record = match self.inner.running.begin(&call.grant.runtime, &call.tool, limits.calls_per_runtime)
        {
            Ok(record) => record,
            Err(limit) => return ToolError::busy(limit).into(),
        };
        let reply = match self.dispatch(call).await {
            Ok(reply) => within_size(reply, capability, limits.result_chars),
            Err(error) => error.into(),
        };
        record.finish(!reply.is_error);
        reply
    }

    async fn dispatch(&self, call: Call) -> Result<Reply, ToolError> {
        let tool = find(&call.tool).ok_or_else(|| ToolError::unknown_tool(&call.tool, call.way))?;
        // The configuration is read before the grant is looked at: whoever reads a newer one than
        // its grant was made under finds the grant ended (see `configure`).
        let config = self.config();
        self.check_grant(&call.grant, tool)?;
        let stop = CancellationToken::new();
        let _stop_when_dropped = stop.clone().drop_guard();
        let mut work: BoxFuture<'_, Result<Reply, ToolError>> = match tool.door {
            Door::Obsidian(spec) => {
                obsidian::check_arguments(spec, &call.arguments)
                    .map_err(|error| ToolError::new(Code::InvalidArguments, error.to_string()))?;
                let work =
                    self.inner.obsidian.call(&config.scope, config.engine, spec, call.arguments, &stop);
                Box::pin(async { Ok(work.await?.into()) })
            }
            Door::Siyuan(spec) => {
                let execution = execution(&call.grant, &stop);
                let work = self.inner.siyuan.invoke(spec.name, call.arguments, Some(execution));
                Box::pin(async { Ok(work.await?.into()) })
            }
        };
        let ended = tokio::select! {
            biased;
            () = call.grant.ended().cancelled() => ToolError::revoked(&call.grant),
            () = call.cancel.cancelled() => ToolError::new(Code::Cancelled, CANCELLED),
            result = &mut work => {
                // The grant may have ended between the result and now; then there is no success.
                if call.grant.ended().is_cancelled() {
                    return Err(ToolError::revoked(&call.grant));
                }
                return result;
            }
            () = tokio::time::sleep(Duration::from_secs(config.limits.call_seconds)) => {
                ToolError::timeout(config.limits.call_seconds)
            }
        };
        stop.cancel();
        match tokio::time::timeout(CLEAN_UP_GRACE, work).await {
            // What is known of a write that was under way counts more than why it was ended.
            Ok(Err(error)) if error.is_uncertain() => Err(error),
            _ => Err(ended),
        }
    }

    fn check_grant(&self, grant: &Grant, tool: &Tool) -> Result<(), ToolError> {
        if grant.end_reason().is_some() {
            return Err(ToolError::revoked(grant));
        }
        if !grant.covers(tool.capability) {
            return Err(self.not_covered(grant, tool.capability));
        }
        // Kernels are judged endpoint by endpoint: siyuan_rpc reads as well.
        if tool.capability == Capability::Obsidian && tool.writes && !grant.mode.may_write() {
            return Err(ToolError::read_only(grant, tool.name));
        }
        Ok(())
    }

    fn not_covered(&self, grant: &Grant, capability: Capability) -> ToolError {
        if self.inner.access.policy().enabled.contains(&capability) {
            ToolError::not_assigned(grant, capability)
        } else {
            ToolError::switched_off(capability)
        }
    }

    /// The capability behind the kernel tools.
    pub fn siyuan(&self) -> &siyuan::Service {
        &self.inner.siyuan
    }

    /// The capability behind the vault tools; the core tests and discovers through it.
    pub fn obsidian(&self) -> &Arc<obsidian::Service> {
        &self.inner.obsidian
    }

    /// Waits until every call has cleaned up, also those that were ended earlier. Revoke before.
    pub async fn close(&self) {
        self.inner.obsidian.close().await;
        self.inner.siyuan.close().await;
    }
}

/// What a kernel's service is told of the call that it works for.
fn execution(grant: &Grant, stop: &CancellationToken) -> Execution {
    static CALLS: AtomicU64 = AtomicU64::new(1);
    Execution {
        runtime: grant.runtime.clone(),
        session: grant.session.as_ref().map(|label| label.0.clone()),
        call_id: format!("call-{}", CALLS.fetch_add(1, Ordering::Relaxed)),
        standing: Standing { mode: grant.mode, approval: grant.approval },
        cancel: stop.clone(),
    }
}

const CANCELLED: &str =
    "the call was cancelled. What had reached the disk by then stays; read before you repeat a write";

/// Holds a result within its limit. A longer one would be cut by many clients without a word, so the
/// answer says how long it was and how to get at it (U-26).
fn within_size(reply: Reply, capability: Capability, limit: usize) -> Reply {
    let chars: usize = reply
        .content
        .iter()
        .filter_map(|block| block["text"].as_str())
        .map(|text| text.chars().count())
        .sum();
    if chars <= limit { reply } else { ToolError::too_large(capability, chars, limit).into() }
}
