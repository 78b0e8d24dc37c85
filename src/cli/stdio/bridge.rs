//! The bridge itself: what runs, what the client knows, and who answers what.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::endpoint::{Absence, Endpoint, NoAnswer, State};
use super::local;
use super::message::{Incoming, Request};

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// Requests of one client that are with the endpoint at the same time. Each is a connection there, and
/// others need some too.
const MOST_REQUESTS: usize = 32;

/// One conversation with one client.
#[derive(Debug)]
pub struct Bridge {
    pub(super) endpoint: Endpoint,
    messages: mpsc::Sender<String>,
    client: Mutex<Client>,
    /// Wakes the watch when a client begins to want news.
    pub(super) news_wanted: Notify,
    calls: TaskTracker,
    /// Requests that are with the endpoint at the same time; the others wait for their turn here.
    places: Semaphore,
    pub(super) end: CancellationToken,
}

/// What is known of the client, and what it knows.
#[derive(Debug, Default)]
struct Client {
    /// The version of the handshake.
    negotiated: Option<&'static str>,
    /// The handshake is done; the client wants to hear of changes.
    initialized: bool,
    /// What its list of tools rests on; `None` before it is known.
    seen: Option<State>,
    /// Requests that run, by their id as JSON text.
    running: HashMap<String, CancellationToken>,
    /// Ids of the subscriptions to changes of the tools.
    subscriptions: Vec<Value>,
}

/// The head of a message of the endpoint.
#[derive(Deserialize)]
struct Head {
    id: Option<Value>,
    method: Option<String>,
}

impl Bridge {
    pub fn new(endpoint: Endpoint, messages: mpsc::Sender<String>) -> Arc<Self> {
        Arc::new(Self {
            endpoint,
            messages,
            client: Mutex::default(),
            news_wanted: Notify::new(),
            calls: TaskTracker::new(),
            places: Semaphore::new(MOST_REQUESTS),
            end: CancellationToken::new(),
        })
    }

    fn client(&self) -> MutexGuard<'_, Client> {
        // Every change of it is one assignment, so it is whole whatever panicked meanwhile.
        self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send(&self, message: String) {
        // Nobody takes messages any more only when the client reads no more, which ends the bridge.
        let _ = self.messages.send(message).await;
    }

    /// Takes a line of the client. Waits for no answer but those that are at hand.
    pub async fn take(self: &Arc<Self>, line: &[u8]) {
        match Incoming::read(line) {
            Incoming::Request(request) => self.take_request(request).await,
            Incoming::Cancelled { id } => {
                let cancelled = self.client().running.remove(&key_of(&id));
                if let Some(cancelled) = cancelled {
                    cancelled.cancel();
                }
            }
            Incoming::Initialized => {
                self.client().initialized = true;
                self.news_wanted.notify_one();
            }
            Incoming::Ignored => {}
            Incoming::Invalid { code, message } => {
                self.send(local::error(&Value::Null, code, &message)).await
            }
        }
    }

    pub async fn refuse_long_line(&self) {
        let message = "the line is longer than a message may be; nothing was done";
        self.send(local::error(&Value::Null, -32600, message)).await;
    }

    async fn take_request(self: &Arc<Self>, request: Request) {
        match request.method.as_str() {
            "initialize" => {
                self.client().negotiated = Some(local::negotiated(request.asked_version.as_deref()));
                self.send(local::initialized(&request)).await;
            }
            "ping" => self.send(local::result(&request, Default::default())).await,
            _ => {
                let cancel = CancellationToken::new();
                let id = key_of(&request.id);
                let before = self.client().running.insert(id.clone(), cancel.clone());
                if before.is_some() {
                    tracing::warn!(id, "the client used the id of a running request again");
                }
                let bridge = Arc::clone(self);
                self.calls.spawn(async move {
                    tokio::select! {
                        biased;
                        // Dropping the request closes its connection, which the endpoint takes as cancelling.
                        () = cancel.cancelled() => {}
                        () = bridge.end.cancelled() => {}
                        () = bridge.answer(&request) => {}
                    }
                    bridge.forget(&request.id);
                });
            }
        }
    }

    fn forget(&self, id: &Value) {
        let mut client = self.client();
        client.running.remove(&key_of(id));
        client.subscriptions.retain(|subscription| subscription != id);
    }

    async fn answer(&self, request: &Request) {
        if request.method == "subscriptions/listen" && request.is_modern() {
            return self.listen(request).await;
        }
        if request.method == "tools/list" {
            // Taken before the list, so that a change in between is told rather than missed.
            let state = self.endpoint.state().await;
            self.client().seen = Some(state);
        }
        let message = match self.forward(request).await {
            Ok(()) => return,
            Err(NoAnswer::NotRunning) => {
                let absence = match self.endpoint.state().await {
                    State::Down(absence) => absence,
                    // It came up just now: that is news to a client whose list failed.
                    State::Up { .. } => Absence::NotOpen,
                };
                let why = absence.to_string();
                if request.method == "tools/list" {
                    self.client().seen = Some(State::Down(absence));
                }
                local::not_running(request, &why)
            }
            Err(NoAnswer::Busy(text)) => local::failed(request, "busy", &text),
            Err(NoAnswer::Refused { status, text }) => {
                let code = if status == 401 { "key_refused" } else { "refused" };
                local::failed(request, code, &format!("Notegate refused the request ({status}): {text}"))
            }
            Err(NoAnswer::Lost(cause)) => {
                let message = format!(
                    "the connection to Notegate broke before it answered ({cause}). What had reached the disk by then stays; \
                     read before you repeat a write"
                );
                local::failed(request, "connection_lost", &message)
            }
        };
        self.send(message).await;
    }

    /// Sends the request on, and passes on everything that comes back until its answer has come.
    async fn forward(&self, request: &Request) -> Result<(), NoAnswer> {
        // Closed never, so this cannot fail.
        let _place = self.places.acquire().await;
        let negotiated = self.client().negotiated;
        let mut answer = self.endpoint.post(request, negotiated).await?;
        while let Some(message) = answer.next().await? {
            let Ok(head) = serde_json::from_str::<Head>(&message) else {
                tracing::warn!("the endpoint sent something that is no message");
                continue;
            };
            match (head.method, head.id) {
                (Some(_), None) => self.send(one_line(message)).await,
                (Some(method), Some(_)) => {
                    tracing::warn!(method, "the endpoint asked the client something; it gets no answer");
                }
                (None, Some(id)) if key_of(&id) == key_of(&request.id) => {
                    self.send(one_line(message)).await;
                    return Ok(());
                }
                // An error about a request whose id could not be told; it can only be this one.
                (None, None) => {
                    self.send(with_id(&message, &request.id)).await;
                    return Ok(());
                }
                (None, Some(_)) => tracing::warn!("the endpoint answered a request that was not asked"),
            }
        }
        Err(NoAnswer::Lost("the answer ended early".into()))
    }

    /// Keeps a subscription open. The watch of this bridge serves it, so it outlives a restart of
    /// Notegate; it ends by being cancelled.
    async fn listen(&self, request: &Request) {
        let accepted = if request.wants_tools { json!({"toolsListChanged": true}) } else { json!({}) };
        let params = json!({"_meta": {SUBSCRIPTION: request.id}, "notifications": accepted});
        self.send(local::notification("notifications/subscriptions/acknowledged", params)).await;
        if request.wants_tools {
            self.client().subscriptions.push(request.id.clone());
            self.news_wanted.notify_one();
        }
        std::future::pending().await
    }

    /// Whether somebody wants to hear of changes.
    pub(super) fn wants_news(&self) -> bool {
        let client = self.client();
        client.initialized || !client.subscriptions.is_empty()
    }

    /// Takes note of how things stand, and tells the client if that is news to it.
    pub(super) async fn saw(&self, state: State) {
        let messages = {
            let mut client = self.client();
            let news = client.seen.as_ref().is_some_and(|seen| *seen != state);
            client.seen = Some(state);
            if !news {
                return;
            }
            client.changes()
        };
        for message in messages {
            self.send(message).await;
        }
    }

    /// Waits until every request is answered. Subscriptions, which have no end of their own, are ended.
    pub async fn all_answered(&self) {
        let subscriptions: Vec<CancellationToken> = {
            let client = self.client();
            let token = |id: &Value| client.running.get(&key_of(id)).cloned();
            client.subscriptions.iter().filter_map(token).collect()
        };
        subscriptions.iter().for_each(CancellationToken::cancel);
        self.calls.close();
        self.calls.wait().await;
    }

    /// Ends whatever still runs, and waits until it has ended.
    pub async fn end(self: Arc<Self>) {
        self.end.cancel();
        self.calls.close();
        self.calls.wait().await;
    }
}

impl Client {
    /// The messages that say that the tools have changed, in the way that the client listens.
    fn changes(&self) -> Vec<String> {
        const CHANGED: &str = "notifications/tools/list_changed";
        let subscribed = self
            .subscriptions
            .iter()
            .map(|id| local::notification(CHANGED, json!({"_meta": {SUBSCRIPTION: id}})));
        let plain = self.initialized.then(|| local::notification(CHANGED, Value::Null));
        plain.into_iter().chain(subscribed).collect()
    }
}

/// What an id is looked up by: JSON has one kind of number, so `1.0` is `1`.
fn key_of(id: &Value) -> String {
    /// Whole numbers up to here have one spelling as a float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match id.as_f64() {
        Some(number) if number.fract() == 0.0 && number.abs() < EXACT => format!("{number:.0}"),
        _ => id.to_string(),
    }
}

/// A message as one line. A line end can only stand between its parts, never in a text.
fn one_line(message: String) -> String {
    if message.contains(['\n', '\r']) { message.replace(['\n', '\r'], " ") } else { message }
}

fn with_id(message: &str, id: &Value) -> String {
    match serde_json::from_str::<Value>(message) {
        Ok(mut value) => {
            value["id"] = id.clone();
            value.to_string()
        }
        Err(_) => local::error(id, -32603, "Notegate's answer was not understood"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_compared_as_json_has_numbers() {
        for same in [["1", "1.0"], ["1", "1e0"], ["-0.0", "-0"], ["\"a\"", "\"a\""]] {
            let [one, other] = same.map(|text| key_of(&serde_json::from_str(text).unwrap()));
            assert_eq!(one, other, "{same:?}");
        }
        for different in [["1", "\"1\""], ["9007199254740993", "9007199254740992"], ["1", "1.5"]] {
            let [one, other] = different.map(|text| key_of(&serde_json::from_str(text).unwrap()));
            assert_ne!(one, other, "{different:?}");
        }
    }
}
