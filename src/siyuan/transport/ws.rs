//! WebSockets: connect, send, receive within bounds, close.
//!
//! A task of the connection owns the socket; it answers pings while the caller is busy, and ends with
//! whichever comes first: the [`WebSocket`] is dropped or closed, `cancel` fires, the connection ends,
//! the kernel closes.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use http::header::{CONNECTION, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use http::{HeaderMap, HeaderValue};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error as WsError, Message as Frame};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::connection::Connection;
use super::dial::{Sent, Socket};
use super::error::{AuthRefusal, RequestError, TransportError};
use super::exchange::{reason, refusal};

/// Messages that wait for a caller who is slow; beyond that the kernel waits.
const WAITING: usize = 4;

/// How long saying goodbye may take.
const CLOSING: Duration = Duration::from_secs(1);

/// A message as it travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    Text(String),
    Binary(Vec<u8>),
}

/// What a kernel says on `/ws`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KernelEvent {
    pub cmd: String,
    /// Of the command that it answers; the kernel often leaves it at 0.
    #[serde(default)]
    pub req_id: f64,
    #[serde(default)]
    pub callback: String,
    #[serde(default)]
    pub code: i64,
    #[serde(default)]
    pub msg: String,
    #[serde(default)]
    pub data: Value,
}

impl Message {
    /// The message as an event of the kernel, if it is one.
    pub fn event(&self) -> Option<KernelEvent> {
        match self {
            Self::Text(text) => serde_json::from_str(text).ok(),
            Self::Binary(_) => None,
        }
    }
}

/// A command to the kernel on `/ws`.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    pub cmd: String,
    pub param: Map<String, Value>,
    /// Comes back in the answer, where the kernel gives one.
    pub callback: Option<String>,
}

/// When to stop receiving. Whichever is reached first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    pub messages: usize,
    /// Of all messages together.
    pub bytes: usize,
    pub time: Duration,
}

/// What was received, and why no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub messages: Vec<Message>,
    pub ended: Ended,
}

/// Why receiving ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    Messages,
    /// The next message is kept for the next call.
    Bytes,
    Time,
    /// The socket is gone, and why.
    Closed(TransportError),
}

/// An open WebSocket.
#[derive(Debug)]
pub struct WebSocket {
    outgoing: mpsc::Sender<Outgoing>,
    incoming: mpsc::Receiver<Message>,
    /// A message that was beyond the bounds of the call that met it.
    held: Option<Message>,
    end: Arc<OnceLock<TransportError>>,
    sent: Sent,
    last_request: u64,
    owner: JoinHandle<()>,
    _open: DropGuard,
}

#[derive(Debug)]
struct Outgoing {
    frame: Frame,
    done: oneshot::Sender<Result<(), TransportError>>,
}

impl Connection {
    /// Opens a WebSocket. `cancel` ends it at any time, also after it is open.
    ///
    /// # Errors
    /// Any [`TransportError`]; [`TransportError::Status`] where the kernel does not switch protocols.
    pub async fn socket(
        &self,
        path: &str,
        query: &[(String, String)],
        cancel: &CancellationToken,
    ) -> Result<WebSocket, TransportError> {
        let request = self.upgrade(path, query)?;
        let (connection, limit) = (self.clone(), self.options().response_limit);
        let config = WebSocketConfig::default()
            .max_message_size(Some(limit))
            .max_frame_size(Some(limit))
            .read_buffer_size(16 * 1024);
        let sent = Sent::default();
        let known = sent.clone();
        let stream = self
            .run(self.options().timeout, cancel, |_| async move {
                let socket = connection.dial(known.clone()).await?;
                let opened = client_async_with_config(request, socket, Some(config)).await;
                opened.map(|(stream, _)| stream).map_err(|error| refused(&error, &known, limit))
            })
            .await?;
        Ok(self.own(stream, sent, cancel))
    }

    fn own(&self, stream: WebSocketStream<Socket>, sent: Sent, cancel: &CancellationToken) -> WebSocket {
        let (outgoing, commands) = mpsc::channel(1);
        let (into, incoming) = mpsc::channel(WAITING);
        let (end, open) = (Arc::new(OnceLock::new()), CancellationToken::new());
        let owner = Owner {
            stream,
            limit: self.options().response_limit,
            within: self.options().timeout,
            sent: sent.clone(),
        };
        let (told, closed) = (end.clone(), open.clone());
        let (closing, cancelled) = (self.closing().clone(), cancel.clone());
        let owner = self.spawn(async move {
            let mut owner = owner;
            let error = tokio::select! {
                error = owner.serve(commands, into) => error,
                () = closed.cancelled() => TransportError::Closed { code: None, sent: true },
                () = closing.cancelled() => TransportError::Disposed { sent: true },
                () = cancelled.cancelled() => TransportError::Cancelled { sent: true },
            };
            // The first reason stands; the socket closes in any case.
            let _ = told.set(error);
            let _ = tokio::time::timeout(CLOSING, owner.stream.close(None)).await;
        });
        let (held, last_request) = (None, 0);
        WebSocket { outgoing, incoming, held, end, sent, last_request, owner, _open: open.drop_guard() }
    }

    fn upgrade(&self, path: &str, query: &[(String, String)]) -> Result<http::Request<()>, RequestError> {
        let target = self.address().target(path, query)?;
        let mut headers = self.headers(&HeaderMap::new())?;
        headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        headers.insert(
            SEC_WEBSOCKET_KEY,
            HeaderValue::from_str(&generate_key()).map_err(|_| RequestError::Header)?,
        );
        let mut request = http::Request::new(());
        // The scheme is for tungstenite's eyes only: the socket is open already, with TLS where it is due.
        *request.uri_mut() = format!("ws://kernel{target}").parse().map_err(|_| RequestError::Path)?;
        *request.headers_mut() = headers;
        Ok(request)
    }
}

/// The task's side of a socket.
struct Owner {
    stream: WebSocketStream<Socket>,
    limit: usize,
    /// For one message to go out.
    within: Duration,
    sent: Sent,
}

impl Owner {
    /// Sends and receives until the socket or its user is gone, and says why.
    async fn serve(
        &mut self,
        mut commands: mpsc::Receiver<Outgoing>,
        into: mpsc::Sender<Message>,
    ) -> TransportError {
        loop {
            tokio::select! {
                command = commands.recv() => {
                    let Some(Outgoing { frame, done }) = command else {
                        return TransportError::Closed { code: None, sent: self.sent.get() };
                    };
                    let outcome = self.send(frame).await;
                    // A caller that is gone needs no answer.
                    let _ = done.send(outcome.clone());
                    if let Err(error) = outcome {
                        return error;
                    }
                }
                received = receive(&mut self.stream, &into) => match received {
                    Some(Ok((Frame::Close(frame), _))) => return closed(frame),
                    Some(Ok((Frame::Text(text), place))) => place.send(Message::Text(text.as_str().to_owned())),
                    Some(Ok((Frame::Binary(bytes), place))) => place.send(Message::Binary(bytes.to_vec())),
                    // Pings are answered underneath.
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return refused(&error, &self.sent, self.limit),
                    None => return TransportError::Closed { code: None, sent: self.sent.get() },
                }
            }
        }
    }

    async fn send(&mut self, frame: Frame) -> Result<(), TransportError> {
        let late = TransportError::Timeout { after: self.within, sent: true };
        let outcome = tokio::time::timeout(self.within, self.stream.send(frame)).await.map_err(|_| late)?;
        outcome.map_err(|error| refused(&error, &self.sent, self.limit))
    }
}

/// The next frame, once there is a place to put it; `None` when the kernel or the caller is gone.
async fn receive<'a>(
    stream: &mut WebSocketStream<Socket>,
    into: &'a mpsc::Sender<Message>,
) -> Option<Result<(Frame, mpsc::Permit<'a, Message>), WsError>> {
    let place = into.reserve().await.ok()?;
    Some(stream.next().await?.map(|frame| (frame, place)))
}

impl WebSocket {
    /// Sends a message. Done means handed to the network: what the kernel made of it, its answers tell.
    ///
    /// # Errors
    /// Why the socket is gone; [`TransportError::sent`] then tells of this message.
    pub async fn send(&mut self, message: Message) -> Result<(), TransportError> {
        let frame = match message {
            Message::Text(text) => Frame::text(text),
            Message::Binary(bytes) => Frame::binary(bytes),
        };
        self.sent.clear();
        let (done, outcome) = oneshot::channel();
        let taken = self.outgoing.send(Outgoing { frame, done }).await.is_ok();
        match outcome.await {
            Ok(outcome) => outcome,
            Err(_) => Err(self.gone().with_sent(taken && self.sent.get())),
        }
    }

    /// Sends a command as the kernel wants it on `/ws`, and gives back its `reqId`.
    ///
    /// # Errors
    /// As [`WebSocket::send`].
    pub async fn command(&mut self, command: Command) -> Result<u64, TransportError> {
        self.last_request += 1;
        let mut text = json!({"cmd": command.cmd, "reqId": self.last_request, "param": command.param});
        if let Some(callback) = command.callback {
            text["callback"] = callback.into();
        }
        self.send(Message::Text(text.to_string())).await?;
        Ok(self.last_request)
    }

    /// The next message.
    ///
    /// # Errors
    /// Why there is none any more; [`TransportError::Closed`] where the kernel simply closed.
    pub async fn next(&mut self) -> Result<Message, TransportError> {
        if let Some(held) = self.held.take() {
            return Ok(held);
        }
        self.incoming.recv().await.ok_or_else(|| self.gone())
    }

    /// Receives until one of the bounds is reached or the socket ends.
    pub async fn receive(&mut self, bounds: Bounds) -> Received {
        let until = tokio::time::Instant::now() + bounds.time;
        let (mut messages, mut bytes) = (Vec::new(), 0);
        let ended = loop {
            if messages.len() >= bounds.messages {
                break Ended::Messages;
            }
            let message = match tokio::time::timeout_at(until, self.next()).await {
                Err(_) => break Ended::Time,
                Ok(Err(error)) => break Ended::Closed(error),
                Ok(Ok(message)) => message,
            };
            bytes += match &message {
                Message::Text(text) => text.len(),
                Message::Binary(data) => data.len(),
            };
            if bytes > bounds.bytes {
                self.held = Some(message);
                break Ended::Bytes;
            }
            messages.push(message);
        };
        Received { messages, ended }
    }

    /// Says goodbye, and returns when the socket is closed.
    pub async fn close(self) {
        let Self { owner, _open, .. } = self;
        drop(_open);
        // It fails only if the task panicked, which has closed the socket as well.
        let _ = owner.await;
    }

    fn gone(&self) -> TransportError {
        self.end.get().cloned().unwrap_or(TransportError::Broken { sent: self.sent.get() })
    }
}

/// How the kernel closed. It lets nobody in by a close frame whose code is two blanks; tungstenite then
/// hands out a protocol violation in place of the frame, with this text.
fn closed(frame: Option<CloseFrame>) -> TransportError {
    const UNAUTHENTICATED: &[&str] = &["unauthenticated", "Protocol violation"];
    match frame {
        Some(frame) if UNAUTHENTICATED.iter().any(|sign| frame.reason.contains(sign)) => {
            TransportError::Unauthorized(AuthRefusal::SocketTakesNoToken)
        }
        frame => TransportError::Closed { code: frame.map(|frame| frame.code.into()), sent: true },
    }
}

/// An error of tungstenite in our words.
fn refused(error: &WsError, sent: &Sent, limit: usize) -> TransportError {
    match error {
        WsError::Http(answer) => {
            let body = answer.body().as_deref().unwrap_or_default();
            match refusal(answer.status(), answer.headers()) {
                Err(TransportError::Unauthorized(_)) => TransportError::Unauthorized(reason(body)),
                Err(error) => error,
                Ok(()) => TransportError::Status { status: answer.status().as_u16() },
            }
        }
        WsError::Capacity(_) => TransportError::TooLarge { limit },
        WsError::ConnectionClosed | WsError::AlreadyClosed => {
            TransportError::Closed { code: None, sent: sent.get() }
        }
        WsError::Io(_) | WsError::Tls(_) | WsError::Protocol(ProtocolError::ResetWithoutClosingHandshake) => {
            TransportError::Broken { sent: sent.get() }
        }
        _ => TransportError::Unexpected { expected: "the WebSocket protocol" },
    }
}
