//! What both eras are answered by: a thin layer between rmcp and `tools`.
//!
//! rmcp drops no handler, neither on cancellation nor on disconnect, and a handler that panics would
//! leave its client waiting for ever. So a call is given the token that rmcp fires, answers by itself
//! when it does, and a panic is caught and answered.

use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use rmcp::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Extensions,
    Implementation, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProgressToken,
    ProtocolVersion, ServerCapabilities, ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use tokio_util::sync::CancellationToken;

use super::accept::Form;
use super::calls::{CallKey, Calls};
use super::sessions::Sessions;
use super::{versions, wire};
use crate::gateway::identity::Caller;
use crate::gateway::offers::Offers;
use crate::tools::{Call, Reply, Tools, Way};

/// How often a client that asked for progress hears that its call still runs. Most clients give up
/// after 60 s of silence.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

const INSTRUCTIONS: &str = "Notegate gives access to the person's Obsidian vaults and SiYuan kernels, as far as they \
    allowed it. For Obsidian call obsidian_list_vaults first. With one vault `vaultId` can be left out; with several, every call names one of \
    them by `vaultId`. Paths are relative to the vault. A call concerns one vault; to work on several, call once for each. For SiYuan begin with \
    siyuan_query notebooks; without `kernelId` it is the kernel that the session chose, or the default.";

/// One for all sessions and requests: who is calling comes with each request.
#[derive(Debug, Clone)]
pub(super) struct Handler {
    pub tools: Tools,
    pub calls: Calls,
    pub sessions: Arc<Sessions>,
    pub offers: Arc<Offers>,
    /// Ends subscriptions when the gateway closes.
    pub closing: CancellationToken,
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let server = Implementation::new("notegate", env!("CARGO_PKG_VERSION")).with_title("Notegate");
        ServerConfig::new(capabilities)
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS)
            .with_protocol_version(versions::NEWEST_LEGACY)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(&versions::SPOKEN)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let caller = caller(&context.extensions)?;
        let result_chars = self.tools.config().limits.result_chars;
        let tools =
            self.tools.offered(&caller.grant).map(|tool| wire::definition(tool, result_chars)).collect();
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Caller { grant, session } = caller(&context.extensions)?;
        let cancel = context.ct.child_token();
        // Inside a session rmcp itself knows the call by its id, and fires its token.
        let _listed = (!is_in_session(&context.extensions)).then(|| {
            let key = CallKey { runtime: grant.runtime.clone(), session, request: context.id.clone() };
            self.calls.list(key, cancel.clone())
        });
        let call = Call {
            grant,
            way: Way::Mcp,
            tool: request.name.into_owned(),
            arguments: request.arguments.unwrap_or_default(),
            cancel,
            patient: progress_token(&context).is_some(),
        };
        tokio::select! {
            answer = answered(self.tools.call(call)) => Ok(answer?.into()),
            never = report_progress(&context) => match never {},
        }
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if let Ok(Caller { session: Some(label), .. }) = caller(&context.extensions) {
            self.sessions.initialized(&label, context.peer);
        }
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    /// Tells a modern client that its tools changed, until it leaves, its runtime is removed or the
    /// gateway closes.
    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let runtime = caller(&context.request_context().extensions)?.grant.runtime.clone();
        let mut offers = self.offers.follow();
        let mut told = offers.borrow_and_update().of(&runtime).cloned();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = self.closing.cancelled() => return Ok(()),
                changed = offers.changed() => if changed.is_err() { return Ok(()) },
            }
            let now = offers.borrow_and_update().of(&runtime).cloned();
            if now == told {
                continue;
            }
            let removed = now.is_none();
            told = now;
            if context.sink().notify_tool_list_changed().await.is_err() || removed {
                return Ok(());
            }
        }
    }
}

/// Who is calling: put into the request by the gateway before rmcp sees it.
fn caller(extensions: &Extensions) -> Result<Caller, ErrorData> {
    let parts = extensions.get::<http::request::Parts>();
    let caller = parts.and_then(|parts| parts.extensions.get::<Caller>()).cloned();
    caller.ok_or_else(|| {
        tracing::error!("a request without a caller came through");
        failed_inside()
    })
}

/// The header of a session reaches rmcp only where rmcp carries the session.
fn is_in_session(extensions: &Extensions) -> bool {
    extensions.get::<http::request::Parts>().is_some_and(|parts| parts.headers.contains_key(&super::SESSION))
}

/// Waits for a call's reply; a panic becomes an error that is told.
async fn answered(call: impl Future<Output = Reply>) -> Result<CallToolResult, ErrorData> {
    // Unwind safety: what a call shares is behind locks that recover from a panic.
    match AssertUnwindSafe(call).catch_unwind().await {
        Ok(reply) => Ok(wire::result(reply)),
        Err(_panic) => {
            // The panic's own message may quote a note; the panic hook has shown where it happened.
            tracing::error!("a tool call panicked");
            Err(failed_inside())
        }
    }
}

fn failed_inside() -> ErrorData {
    ErrorData::internal_error(
        "Notegate failed inside; its log has the detail. If the tool writes, read before you repeat it",
        None,
    )
}

/// What the client wants to hear of its call by, if it asked for that and reads streams.
fn progress_token(context: &RequestContext<RoleServer>) -> Option<ProgressToken> {
    let form = context.extensions.get::<http::request::Parts>().and_then(|parts| parts.extensions.get());
    context.meta.get_progress_token().filter(|_| form == Some(&Form::Stream))
}

/// Sends progress for as long as it is polled, if the client asked for it and reads streams.
async fn report_progress(context: &RequestContext<RoleServer>) -> std::convert::Infallible {
    if let Some(token) = progress_token(context) {
        let mut seconds = 0.0;
        loop {
            tokio::time::sleep(PROGRESS_INTERVAL).await;
            seconds += PROGRESS_INTERVAL.as_secs_f64();
            let progress = ProgressNotificationParam::new(token.clone(), seconds)
                .with_message(format!("still running after {seconds:.0} s"));
            if context.peer.notify_progress(progress).await.is_err() {
                break; // Nobody listens; the call itself learns that by its token.
            }
        }
    }
    std::future::pending().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::ErrorCode;

    #[tokio::test]
    async fn a_panic_in_a_call_is_answered() {
        let error = answered(async { panic!("a note's text") }).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::INTERNAL_ERROR);
        assert!(!error.message.contains("note's"));
    }
}
