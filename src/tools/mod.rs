//! The catalogue that both gateways, the command line and the window share, and the one way that
//! every call takes.
//!
//! Invariant: whatever calls a tool, calls [`Tools::call`]; nothing else reaches a capability. It
//! holds the caller's grant against the tool, records what is about to be done before it is done, and
//! takes known secrets out of what is answered; its answer is always a [`Reply`].

mod catalogue;
mod errors;
mod recorded;
mod run;
mod running;
mod surroundings;

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

pub use catalogue::{Tool, catalogue, find};
pub use errors::{Code, ToolError};
pub use running::{CallStats, KEPT_MINUTES, LastCall, Minute};
pub use surroundings::{Asker, Recorder};

use crate::access::{Access, Grant};
use crate::activity::{CallId, Decision, Log};
use crate::secrets::filter::Filters;
use crate::settings::{Capability, Limits};
use crate::{obsidian, siyuan};
use catalogue::Door;
use running::Running;

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
    /// The caller hears every few seconds that the call still runs, and so waits for as long as it takes.
    pub patient: bool,
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
    activity: Log,
    filters: Filters,
    config: Mutex<Arc<CallConfig>>,
    running: Running,
}

/// Why a call is not made, and by what.
#[derive(Debug)]
struct Refusal {
    decision: Decision,
    error: Box<ToolError>,
}

impl Refusal {
    /// By nothing that anybody decided.
    fn plain(error: ToolError) -> Self {
        Self { decision: Decision::Direct, error: Box::new(error) }
    }
}

impl Tools {
    pub fn new(
        access: Access,
        obsidian: Arc<obsidian::Service>,
        siyuan: siyuan::Service,
        activity: Log,
        filters: Filters,
        config: CallConfig,
    ) -> Self {
        let (config, running) = (Mutex::new(Arc::new(config)), Running::default());
        let inner = Inner { access, obsidian, siyuan, activity, filters, config, running };
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
    ///
    /// A call that is dropped before it has ended is recorded as what it may have done.
    pub async fn call(&self, call: Call) -> Reply {
        let limits = self.config().limits;
        let capability = find(&call.tool).map_or(Capability::Obsidian, |tool| tool.capability);
        let id = self.inner.activity.next_call();
        let reply = match self.inner.running.begin(&call.grant.runtime, &call.tool, limits.calls_per_runtime)
        {
            Ok(place) => {
                let reply = match self.carry_out(call, id).await {
                    Ok(reply) => within_size(reply, capability, limits.result_chars),
                    Err(error) => error.into(),
                };
                place.finish(!reply.is_error);
                reply
            }
            Err(limit) => self.refuse(&call, id, Refusal::plain(ToolError::busy(limit))).await.into(),
        };
        self.without_secrets(reply)
    }

    /// Records that a call is not made, and gives back why.
    async fn refuse(&self, call: &Call, id: CallId, refusal: Refusal) -> ToolError {
        let intent = recorded::intent(call, id, refusal.decision);
        self.inner.activity.refuse(intent, refusal.error.code.as_str()).await;
        *refusal.error
    }

    async fn carry_out(&self, call: Call, id: CallId) -> Result<Reply, ToolError> {
        // The configuration is read before the grant is looked at: whoever reads a newer one than
        // its grant was made under finds the grant ended (see `configure`).
        let config = self.config();
        match self.admit(&call) {
            Ok(tool) => self.run(&config, tool, call, id).await,
            Err(refusal) => Err(self.refuse(&call, id, refusal).await),
        }
    }

    /// Whether the call may be made.
    fn admit(&self, call: &Call) -> Result<&'static Tool, Refusal> {
        let unknown = || Refusal::plain(ToolError::unknown_tool(&call.tool, call.way));
        let tool = find(&call.tool).ok_or_else(unknown)?;
        self.check_grant(&call.grant, tool)?;
        // The tools of kernels look at their arguments themselves, and record what they refuse.
        if let Door::Obsidian(spec) = tool.door {
            obsidian::check_arguments(spec, &call.arguments)
                .map_err(|error| Refusal::plain(ToolError::new(Code::InvalidArguments, error.to_string())))?;
        }
        Ok(tool)
    }

    fn check_grant(&self, grant: &Grant, tool: &Tool) -> Result<(), Refusal> {
        let refused = |decision, error| Err(Refusal { decision, error: Box::new(error) });
        if grant.end_reason().is_some() {
            return refused(Decision::Configuration, ToolError::revoked(grant));
        }
        if !grant.covers(tool.capability) {
            return refused(Decision::Configuration, self.not_covered(grant, tool.capability));
        }
        // Kernels are judged endpoint by endpoint: siyuan_rpc reads as well.
        if tool.capability == Capability::Obsidian && tool.writes && !grant.mode.may_write() {
            return refused(Decision::Mode, ToolError::read_only(grant, tool.name));
        }
        Ok(())
    }

    fn without_secrets(&self, mut reply: Reply) -> Reply {
        let filter = self.inner.filters.now();
        reply.content.iter_mut().for_each(|block| filter.value(block));
        reply.structured.iter_mut().for_each(|structured| filter.value(structured));
        reply.meta.iter_mut().for_each(|meta| filter.fields(meta));
        reply
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

    /// What must not be in what is answered.
    pub fn filters(&self) -> &Filters {
        &self.inner.filters
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
