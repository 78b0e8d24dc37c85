//! `/ws`: events to all, and the few commands that the kernel knows.

use std::sync::{Arc, Mutex};

use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::sync::broadcast;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role};

use super::{Shared, auth, leaks};

/// What travels on all sockets.
pub struct Sockets {
    events: broadcast::Sender<String>,
    /// Every text that a client sent.
    pub received: Arc<Mutex<Vec<String>>>,
}

impl Default for Sockets {
    fn default() -> Self {
        Self { events: broadcast::channel(256).0, received: Arc::default() }
    }
}

impl Sockets {
    pub fn push(&self, event: &str) {
        // Nobody listens: then nobody misses it.
        let _ = self.events.send(event.to_owned());
    }
}

/// Takes an upgrade. Who is not let in learns it after the upgrade, by the kernel's odd close frame.
pub fn events(shared: &Arc<Shared>, head: &Parts, upgrade: OnUpgrade) -> Response {
    let Some(key) = head.headers.get("sec-websocket-key") else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let accept = derive_accept_key(key.as_bytes());
    let admitted = auth::admits_socket(&shared.setup());
    let registered = ["app", "id", "type"].iter().all(|name| auth::query(head, name).is_some());
    let events = shared.sockets.events.subscribe();
    let shared = shared.clone();
    tokio::spawn(async move {
        let Ok(upgraded) = upgrade.await else { return };
        let socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, None).await;
        serve(&shared, socket, events, admitted, registered).await;
    });
    let head = [(header::CONNECTION, "Upgrade"), (header::UPGRADE, "websocket")];
    (StatusCode::SWITCHING_PROTOCOLS, head, [("sec-websocket-accept", accept)]).into_response()
}

type Socket = WebSocketStream<TokioIo<hyper::upgrade::Upgraded>>;

async fn serve(
    shared: &Shared,
    mut socket: Socket,
    mut events: broadcast::Receiver<String>,
    admitted: bool,
    registered: bool,
) {
    if !admitted {
        // The two blanks are where the code should stand.
        let frame = CloseFrame { code: CloseCode::from(0x2020), reason: "unauthenticated".into() };
        let _ = socket.close(Some(frame)).await;
        return;
    }
    loop {
        let text = tokio::select! {
            () = shared.stop.cancelled() => return,
            event = events.recv(), if registered => event.unwrap(),
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    shared.sockets.received.lock().unwrap().push(text.as_str().to_owned());
                    if !registered {
                        refusal("Bad Request").to_string()
                    } else if let Some(answer) = answer(shared, text.as_str()) {
                        answer
                    } else {
                        continue;
                    }
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
        };
        if socket.send(Message::text(text)).await.is_err() {
            return;
        }
    }
}

fn answer(shared: &Shared, text: &str) -> Option<String> {
    let Ok(command) = serde_json::from_str::<Value>(text) else {
        return Some(refusal("Bad Request").to_string());
    };
    let whole = command["reqId"].is_number() && command["param"].is_object();
    match command["cmd"].as_str().filter(|_| whole)? {
        "ping" => None,
        // Not the kernel's: a frame that gives the token away.
        "leak" => Some(leaks::envelope(&shared.setup().token.clone()).to_string()),
        name => Some(refusal(&format!("can not find command [{name}]")).to_string()),
    }
}

fn refusal(message: &str) -> Value {
    json!({
        "cmd": "", "reqId": 0, "app": "", "sid": "", "pushMode": 0, "callback": "", "code": -1, "msg": message,
        "data": null,
    })
}
