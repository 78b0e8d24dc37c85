//! How the messages of an MCP session travel: each in a POST of its own, as rmcp's transport.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, EmptyResult, ErrorData, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::super::body::Body;
use super::super::connection::Connection;
use super::super::error::{RequestError, TransportError};
use super::super::exchange::Exchange;
use super::super::http::{Request, media_type};
use super::super::sse::{Decoder, EVENT_STREAM};
use super::FAREWELL;

const PATH: &str = "/mcp";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// One end of a session, as rmcp sees it.
pub(super) struct Wire {
    connection: Connection,
    state: Arc<State>,
    answers: mpsc::UnboundedSender<ServerJsonRpcMessage>,
    inbox: mpsc::UnboundedReceiver<ServerJsonRpcMessage>,
}

/// What both sides of a session know of it: the wire, and whoever asks through it.
#[derive(Debug, Default)]
pub(super) struct State(Mutex<Session>);

#[derive(Debug, Default)]
struct Session {
    /// What every request after the first carries: the session's id and the protocol's version.
    headers: HeaderMap,
    /// Results as they came, with the size of the answer, until the caller fetches them.
    results: HashMap<RequestId, (Value, usize)>,
    in_flight: HashMap<RequestId, CancellationToken>,
}

impl State {
    /// The result of a request as it came, and how many bytes its answer had.
    pub fn take_result(&self, id: &RequestId) -> Option<(Value, usize)> {
        self.lock().results.remove(id)
    }

    fn lock(&self) -> MutexGuard<'_, Session> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wire {
    pub fn new(connection: Connection, state: Arc<State>) -> Self {
        let (answers, inbox) = mpsc::unbounded_channel();
        Self { connection, state, answers, inbox }
    }
}

impl Transport<RoleClient> for Wire {
    type Error = TransportError;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), TransportError>> + Send + 'static {
        let (connection, state, answers) =
            (self.connection.clone(), self.state.clone(), self.answers.clone());
        let cancel = CancellationToken::new();
        match &message {
            ClientJsonRpcMessage::Request(request) => {
                state.lock().in_flight.insert(request.id.clone(), cancel.clone());
            }
            ClientJsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(given_up) =
                        cancelled.params.request_id.as_ref().and_then(|id| state.lock().in_flight.remove(id))
                {
                    given_up.cancel();
                }
            }
            _ => {}
        }
        async move {
            let answer = post(&connection, &state, &message, &cancel).await;
            if let ClientJsonRpcMessage::Request(request) = &message {
                state.lock().in_flight.remove(&request.id);
            }
            if let Some(answer) = answer? {
                // Nobody listens any more once the session is closed.
                let _ = answers.send(answer);
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.inbox.recv().await
    }

    async fn close(&mut self) -> Result<(), TransportError> {
        let headers = std::mem::take(&mut self.state.lock().headers);
        if headers.contains_key(SESSION) {
            let request = Request { headers, timeout: Some(FAREWELL), ..Request::new(Method::DELETE, PATH) };
            self.connection.send(request, &CancellationToken::new()).await?;
        }
        Ok(())
    }
}

/// Sends one message and reads what the server has to say to it.
async fn post(
    connection: &Connection,
    state: &Arc<State>,
    message: &ClientJsonRpcMessage,
    cancel: &CancellationToken,
) -> Result<Option<ServerJsonRpcMessage>, TransportError> {
    let unexpected = TransportError::Unexpected { expected: "an MCP answer" };
    let request = match message {
        ClientJsonRpcMessage::Request(request) => {
            Some((request.id.clone(), request.request.method().to_owned()))
        }
        _ => None,
    };
    let data = serde_json::to_vec(message).map_err(|_| RequestError::McpMethod)?;
    let mut wire = Request { headers: state.lock().headers.clone(), ..Request::new(Method::POST, PATH) };
    wire.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    wire.body = Body::Bytes { data, content_type: Some("application/json".to_owned()) };
    let (wire, limit, dialler) =
        (connection.wire(wire)?, connection.options().response_limit, connection.clone());
    let id = request.as_ref().map(|(id, _)| id.clone());
    let answered = connection.run(connection.options().timeout, cancel, |sent| async move {
        let socket = dialler.dial(sent.clone()).await?;
        let mut exchange = Exchange::open(socket, wire, sent).await?;
        let session = exchange.head.headers.get(SESSION).cloned();
        Ok((read_answer(&mut exchange, id.as_ref(), limit).await?, session))
    });
    let (answer, session) = answered.await?;
    let (Some((mut answer, size)), Some((id, method))) = (answer, request) else { return Ok(None) };
    if let Some(error) = answer.get_mut("error").map(Value::take) {
        let error = serde_json::from_value::<ErrorData>(error).map_err(|_| unexpected)?;
        return Ok(Some(ServerJsonRpcMessage::error(error, Some(id))));
    }
    let result = answer.get_mut("result").map(Value::take).ok_or(unexpected.clone())?;
    let mut known = state.lock();
    if method != "initialize" {
        known.results.insert(id.clone(), (result, size));
        return Ok(Some(ServerJsonRpcMessage::response(ServerResult::EmptyResult(EmptyResult {}), id)));
    }
    if let Some(session) = session {
        known.headers.insert(SESSION, session);
    }
    if let Some(version) = result.get("protocolVersion").and_then(Value::as_str) {
        known.headers.insert(VERSION, HeaderValue::from_str(version).map_err(|_| unexpected.clone())?);
    }
    let result = serde_json::from_value(result).map_err(|_| unexpected)?;
    Ok(Some(ServerJsonRpcMessage::response(ServerResult::InitializeResult(result), id)))
}

/// The server's answer to the request `id`, as JSON or from an event stream; `None` where there is no
/// request that wants one.
async fn read_answer(
    exchange: &mut Exchange,
    id: Option<&RequestId>,
    limit: usize,
) -> Result<Option<(Value, usize)>, TransportError> {
    let unexpected = TransportError::Unexpected { expected: "an MCP answer" };
    let status = exchange.head.status;
    let Some(id) = id else {
        let taken = status.is_success();
        return if taken { Ok(None) } else { Err(TransportError::Status { status: status.as_u16() }) };
    };
    if media_type(&exchange.head.headers).as_deref() == Some(EVENT_STREAM) && status.is_success() {
        let (mut decoder, mut read) = (Decoder::new(limit), 0);
        while let Some(piece) = exchange.chunk().await? {
            read += piece.len();
            if read > limit {
                return Err(TransportError::TooLarge { limit });
            }
            for event in decoder.push(&piece)? {
                let message: Value = serde_json::from_str(&event.data).unwrap_or_default();
                if answers(&message, id) {
                    return Ok(Some((message, event.data.len())));
                }
            }
        }
        return Err(unexpected);
    }
    let body = exchange.collect(limit).await?;
    match serde_json::from_slice(&body) {
        Ok(message) if answers(&message, id) => Ok(Some((message, body.len()))),
        _ if status != StatusCode::OK => Err(TransportError::Status { status: status.as_u16() }),
        _ => Err(unexpected),
    }
}

/// Whether a message answers this request. An error without an id does: it is all that was sent.
fn answers(message: &Value, id: &RequestId) -> bool {
    if message.get("error").is_some_and(Value::is_object) && message.get("id").is_none_or(Value::is_null) {
        return message.get("jsonrpc").is_some();
    }
    let settled = message.get("result").is_some() || message.get("error").is_some();
    settled && message.get("id").is_some_and(|found| *found == id.clone().into_json_value())
}
