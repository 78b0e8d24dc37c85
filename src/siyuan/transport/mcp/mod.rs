//! A client of the kernel's own MCP server (`/mcp`), up to protocol 2025-11-25.
//!
//! rmcp leads the conversation: handshake, versions, ids. How a message travels is ours: one POST each,
//! on a socket of its own, without a stream that stays open, without re-initialising and sending again.
//! What a result holds is kept as it came, also where rmcp has no field for it: the kernel describes its
//! tools with some of its own.

mod wire;

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CancelledNotificationParam, ClientCapabilities, ClientConfig, ClientRequest, CustomRequest, ErrorData,
    Implementation, ProtocolVersion,
};
use rmcp::service::{ClientInitializeError, Peer, PeerRequestOptions, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Map, Value};
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use self::wire::{State, Wire};
use super::connection::Connection;
use super::error::{RequestError, TransportError};

/// A list that goes on for more pages is no list.
const MOST_PAGES: usize = 100;

/// How long ending a session, or telling the kernel that a call was given up, may take.
const FAREWELL: Duration = Duration::from_secs(3);

/// Where the items of a list stand in its result.
const LISTS: &[(&str, &str)] = &[
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
];

/// An open MCP session. Dropping it ends it, too, only without waiting.
#[derive(Debug)]
pub struct McpSession {
    peer: Peer<RoleClient>,
    state: Arc<State>,
    limit: usize,
    owner: JoinHandle<()>,
    _open: DropGuard,
}

/// How we introduce ourselves.
struct Caller;

impl ClientHandler for Caller {
    fn get_info(&self) -> ClientConfig {
        let name = Implementation::new("notegate", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), name)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }
}

impl Connection {
    /// Opens a session with the kernel's MCP server.
    ///
    /// # Errors
    /// [`TransportError::Handshake`] around what went wrong: nothing of any call was sent.
    pub async fn mcp(&self, cancel: &CancellationToken) -> Result<McpSession, TransportError> {
        let state = Arc::new(State::default());
        let wire = Wire::new(self.clone(), state.clone());
        let opened = tokio::select! {
            opened = Caller.serve(wire) => opened.map_err(initialize_error),
            () = cancel.cancelled() => Err(TransportError::Cancelled { sent: false }),
        };
        let mut service = opened.map_err(|error| TransportError::Handshake(Box::new(error)))?;
        let peer = service.peer().clone();
        let known = peer.peer_info().is_some_and(|server| server.protocol_version.has_initialize());
        let (open, closing) = (CancellationToken::new(), self.closing().clone());
        let closed = open.clone();
        let owner = self.spawn(async move {
            tokio::select! {
                () = closed.cancelled() => {}
                () = closing.cancelled() => {}
            }
            // The kernel forgets the session sooner or later by itself.
            let _ = service.close_with_timeout(FAREWELL * 2).await;
        });
        let session =
            McpSession { peer, state, limit: self.options().response_limit, owner, _open: open.drop_guard() };
        if known {
            return Ok(session);
        }
        session.close().await;
        let error = TransportError::Unexpected { expected: "MCP in a version up to 2025-11-25" };
        Err(TransportError::Handshake(Box::new(error)))
    }

    /// One request in a session of its own, which is over when this returns.
    ///
    /// # Errors
    /// As [`Connection::mcp`] and [`McpSession::request`].
    pub async fn mcp_request(
        &self,
        method: &str,
        params: Option<Map<String, Value>>,
        cancel: &CancellationToken,
    ) -> Result<Value, TransportError> {
        check_method(method)?;
        let session = self.mcp(cancel).await?;
        let answer = session.request(method, params, cancel).await;
        session.close().await;
        answer
    }

    /// All pages of one list in a session of its own, which is over when this returns.
    ///
    /// # Errors
    /// As [`Connection::mcp`] and [`McpSession::list`].
    pub async fn mcp_list(
        &self,
        method: &str,
        cancel: &CancellationToken,
    ) -> Result<Vec<Value>, TransportError> {
        check_list(method)?;
        let session = self.mcp(cancel).await?;
        let items = session.list(method, cancel).await;
        session.close().await;
        items
    }
}

impl McpSession {
    /// The version that both sides agreed on.
    pub fn protocol_version(&self) -> String {
        self.peer.peer_info().map(|server| server.protocol_version.to_string()).unwrap_or_default()
    }

    /// Asks the kernel's MCP server, and gives back the result as it came.
    ///
    /// # Errors
    /// Any [`TransportError`]; [`TransportError::Mcp`] where the server answers with an error, and
    /// [`RequestError::McpMethod`] for what belongs to the session itself. A tool that fails says so in
    /// its result (`isError`).
    pub async fn request(
        &self,
        method: &str,
        params: Option<Map<String, Value>>,
        cancel: &CancellationToken,
    ) -> Result<Value, TransportError> {
        self.ask(method, params, cancel).await.map(|(result, _)| result)
    }

    /// The items of all pages of a list: `tools/list`, `prompts/list`, `resources/list`,
    /// `resources/templates/list`.
    ///
    /// # Errors
    /// As [`McpSession::request`]; [`TransportError::TooLarge`] where all pages together are, and
    /// [`TransportError::Unexpected`] for a list that does not end.
    pub async fn list(&self, method: &str, cancel: &CancellationToken) -> Result<Vec<Value>, TransportError> {
        let field = check_list(method)?;
        let endless = TransportError::Unexpected { expected: "a list that ends" };
        let (mut items, mut read, mut cursor) = (Vec::new(), 0, None::<String>);
        for _ in 0..MOST_PAGES {
            let params =
                cursor.as_ref().map(|cursor| Map::from_iter([("cursor".to_owned(), cursor.as_str().into())]));
            let (mut page, size) = self.ask(method, params, cancel).await?;
            read += size;
            if read > self.limit {
                return Err(TransportError::TooLarge { limit: self.limit });
            }
            match page.get_mut(field).map(Value::take) {
                Some(Value::Array(more)) => items.extend(more),
                _ => return Err(TransportError::Unexpected { expected: "a page of the list" }),
            }
            match page.get("nextCursor").and_then(Value::as_str) {
                None => return Ok(items),
                next if next == cursor.as_deref() => return Err(endless),
                next => cursor = next.map(str::to_owned),
            }
        }
        Err(endless)
    }

    /// Ends the session on both sides, and returns when its last socket is closed.
    pub async fn close(self) {
        let Self { owner, _open, .. } = self;
        drop(_open);
        // It fails only if the task panicked, which has ended the session as well.
        let _ = owner.await;
    }

    /// A result, and how many bytes the answer had.
    async fn ask(
        &self,
        method: &str,
        params: Option<Map<String, Value>>,
        cancel: &CancellationToken,
    ) -> Result<(Value, usize), TransportError> {
        check_method(method)?;
        if cancel.is_cancelled() {
            return Err(TransportError::Cancelled { sent: false });
        }
        let request = CustomRequest::new(method, params.map(Value::Object));
        let mut pending = self
            .peer
            .send_cancellable_request(ClientRequest::CustomRequest(request), PeerRequestOptions::no_options())
            .await
            .map_err(service_error)?;
        let id = pending.id.clone();
        let answer = tokio::select! {
            answer = &mut pending.rx => answer,
            () = cancel.cancelled() => {
                // The request itself ends in the wire, which knows whether it was sent.
                let given_up = CancelledNotificationParam::new(Some(id.clone()), Some("given up by the caller".to_owned()));
                let (_, answer) = tokio::join!(
                    tokio::time::timeout(FAREWELL, self.peer.notify_cancelled(given_up)),
                    &mut pending.rx,
                );
                answer
            }
        };
        let kept = self.state.take_result(&id);
        match answer {
            Ok(Ok(_)) => kept.ok_or(TransportError::Unexpected { expected: "an MCP result" }),
            Ok(Err(error)) => Err(service_error(error)),
            Err(_) => Err(TransportError::Closed { code: None, sent: true }),
        }
    }
}

/// What belongs to the session and is no call: its beginning, notifications, streams that stay open.
fn check_method(method: &str) -> Result<(), RequestError> {
    let ours = ["initialize", "server/discover", "subscriptions/listen"].contains(&method);
    if ours || method.is_empty() || method.starts_with("notifications/") {
        return Err(RequestError::McpMethod);
    }
    Ok(())
}

fn check_list(method: &str) -> Result<&'static str, RequestError> {
    LISTS.iter().find(|(name, _)| *name == method).map(|(_, field)| *field).ok_or(RequestError::McpMethod)
}

fn initialize_error(error: ClientInitializeError) -> TransportError {
    match error {
        ClientInitializeError::TransportError { error, .. } => ours(&error),
        ClientInitializeError::JsonRpcError(error) => refusal(error),
        _ => TransportError::Unexpected { expected: "the MCP handshake" },
    }
}

fn service_error(error: ServiceError) -> TransportError {
    match error {
        ServiceError::McpError(error) => refusal(error),
        ServiceError::TransportSend(error) => ours(&error),
        ServiceError::Cancelled { .. } => TransportError::Cancelled { sent: true },
        _ => TransportError::Closed { code: None, sent: true },
    }
}

fn refusal(error: ErrorData) -> TransportError {
    TransportError::Mcp { code: error.code.0.into(), message: error.message.into_owned() }
}

fn ours(error: &DynamicTransportError) -> TransportError {
    let known = error.error.downcast_ref::<TransportError>().cloned();
    known.unwrap_or(TransportError::Closed { code: None, sent: true })
}
