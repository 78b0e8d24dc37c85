//! The catalogue that both gateways, the command line and the window share, and the one way that
//! every call takes.
//!
//! Invariant: whatever calls a tool, calls [`Tools::call`]; nothing else reaches a capability. It
//! holds the caller's grant against the tool, records what is about to be done before it is done, and
//! takes known secrets out of what is answered; its answer is always a [`Reply`].

mod catalogue;
mod errors;
mod recorded;
mod running;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

pub use catalogue::{Tool, catalogue, find};
pub use errors::{Code, ToolError};
pub use running::{CallStats, LastCall};

use crate::access::{Access, Grant};
use crate::activity::{Decision, Ending, Log};
use crate::obsidian;
use crate::secrets::filter::Filters;
use crate::settings::{Capability, Limits};
use running::Running;

/// How long an answer waits for the clean-up of a call that was ended. The clean-up itself goes on
/// until it is done, and closing waits for it.
const CLEAN_UP_GRACE: Duration = Duration::from_secs(2);

/// What a call rests on besides its grant. Replaced with every save.
#[derive(Debug, Clone)]
pub struct CallConfig {
    pub scope: obsidian::Scope,
    pub limits: Limits,
}

/// One call, as it comes from a gateway or the command line.
#[derive(Debug)]
pub struct Call {
    pub grant: Arc<Grant>,
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
        activity: Log,
        filters: Filters,
        config: CallConfig,
    ) -> Self {
        let (config, running) = (Mutex::new(Arc::new(config)), Running::default());
        Self { inner: Arc::new(Inner { access, obsidian, activity, filters, config, running }) }
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
        let limit = self.config().limits.calls_per_runtime;
        let reply = match self.inner.running.begin(&call.grant.runtime, &call.tool, limit) {
            Ok(place) => {
                let reply = self.carry_out(call).await;
                place.finish(!reply.is_error);
                reply
            }
            Err(limit) => self.refuse(&call, Refusal::plain(ToolError::busy(limit))).await,
        };
        self.without_secrets(reply)
    }

    /// Records that a call is not made, and answers why.
    async fn refuse(&self, call: &Call, refusal: Refusal) -> Reply {
        let activity = &self.inner.activity;
        let intent = recorded::intent(call, activity.next_call(), refusal.decision);
        activity.refuse(intent, refusal.error.code.as_str()).await;
        (*refusal.error).into()
    }

    async fn carry_out(&self, call: Call) -> Reply {
        // The configuration is read before the grant is looked at: whoever reads a newer one than
        // its grant was made under finds the grant ended (see `configure`).
        let config = self.config();
        let tool = match self.admit(&call) {
            Ok(tool) => tool,
            Err(refusal) => return self.refuse(&call, refusal).await,
        };
        let activity = &self.inner.activity;
        let intent = recorded::intent(&call, activity.next_call(), Decision::Direct);
        let operation = match activity.begin(intent).await {
            Ok(operation) => operation,
            Err(error) => return ToolError::not_recorded(&error).into(),
        };
        let (result, ending) = self.run(&config, tool, call).await;
        let outcome = ending.outcome;
        let reply = match result {
            Ok(reply) => within_size(reply, config.limits.result_chars),
            Err(error) => error.into(),
        };
        match operation.end(ending).await {
            Err(error) if recorded::must_not_be_repeated(tool, outcome) => {
                recorded::with_warning(reply, &error)
            }
            _ => reply,
        }
    }

    /// Whether the call may be made.
    fn admit(&self, call: &Call) -> Result<&'static Tool, Refusal> {
        let unknown = || Refusal::plain(ToolError::unknown_tool(&call.tool));
        let tool = find(&call.tool).ok_or_else(unknown)?;
        self.check_grant(&call.grant, tool)?;
        obsidian::check_arguments(tool.spec, &call.arguments)
            .map_err(|error| Refusal::plain(ToolError::new(Code::InvalidArguments, error.to_string())))?;
        Ok(tool)
    }

    /// Runs a call to its end, or to that of its caller, its grant or its time. The ending says what is
    /// known of its effect, which can be more than the reply does.
    async fn run(
        &self,
        config: &CallConfig,
        tool: &'static Tool,
        call: Call,
    ) -> (Result<Reply, ToolError>, Ending) {
        let (stop, progress) = (CancellationToken::new(), obsidian::Progress::default());
        let _stop_when_dropped = stop.clone().drop_guard();
        let service = &self.inner.obsidian;
        let work = service.call_observed(&config.scope, tool.spec, call.arguments, &stop, &progress);
        tokio::pin!(work);
        let ended = tokio::select! {
            biased;
            () = call.grant.ended().cancelled() => ToolError::revoked(&call.grant),
            () = call.cancel.cancelled() => ToolError::new(Code::Cancelled, CANCELLED),
            result = &mut work => {
                let ending = recorded::ending(tool, Some(&result), &progress);
                // The grant may have ended between the result and now; then there is no success.
                if call.grant.ended().is_cancelled() {
                    return (Err(ToolError::revoked(&call.grant)), ending);
                }
                return (result.map(Reply::from).map_err(ToolError::from), ending);
            }
            () = tokio::time::sleep(Duration::from_secs(config.limits.call_seconds)) => {
                ToolError::timeout(config.limits.call_seconds)
            }
        };
        stop.cancel();
        let result = tokio::time::timeout(CLEAN_UP_GRACE, work).await.ok();
        let mut ending = recorded::ending(tool, result.as_ref(), &progress);
        ending.code = Some(ended.code.as_str().to_owned());
        (Err(ended), ending)
    }

    fn check_grant(&self, grant: &Grant, tool: &Tool) -> Result<(), Refusal> {
        let refused = |decision, error| Err(Refusal { decision, error: Box::new(error) });
        if grant.end_reason().is_some() {
            return refused(Decision::Configuration, ToolError::revoked(grant));
        }
        if !grant.covers(tool.capability) {
            return refused(Decision::Configuration, self.not_covered(grant, tool.capability));
        }
        if tool.spec.writes && !grant.mode.may_write() {
            return refused(Decision::Mode, ToolError::read_only(grant, tool.spec.name));
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
    }
}

const CANCELLED: &str =
    "the call was cancelled. What had reached the disk by then stays; read before you repeat a write";

/// Holds a result within its limit. A longer one would be cut by many clients without a word, so the
/// answer says how long it was and how to get at it (U-26).
fn within_size(reply: Reply, limit: usize) -> Reply {
    let chars: usize = reply
        .content
        .iter()
        .filter_map(|block| block["text"].as_str())
        .map(|text| text.chars().count())
        .sum();
    if chars <= limit { reply } else { ToolError::too_large(chars, limit).into() }
}
