//! Channel `ws`: a WebSocket for a while. What it sends may change something, and no answer says what.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::siyuan::endpoint::WsTarget;
use crate::siyuan::errors::SiyuanError;
use crate::siyuan::execution::Outcome;
use crate::siyuan::permissions::closed::WITHHELD_EVENTS;
use crate::siyuan::permissions::{Reason, Request, Rules, Ruling};
use crate::siyuan::tools::way::{Done, Failed, Way};
use crate::siyuan::transport::{Bounds, Ended, Message, TransportError};

const DURATION_MS: u64 = 1000;
const MAX_MESSAGES: usize = 20;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::siyuan) struct Ws {
    path: String,
    #[serde(default)]
    messages: Vec<Value>,
    duration_ms: Option<u64>,
    max_messages: Option<usize>,
}

impl Ws {
    pub fn judge(&self, rules: &Rules<'_>) -> Result<Ruling, SiyuanError> {
        Ok(rules.judge(Request::Ws { target: &self.path, messages: &self.messages })?)
    }

    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        let target = WsTarget::parse(&self.path).map_err(|error| SiyuanError::from(Reason::from(error)))?;
        let query: Vec<(String, String)> =
            url::form_urlencoded::parse(target.query.as_bytes()).into_owned().collect();
        let socket = way.connection.socket(target.path.as_str(), &query, way.cancel).await;
        // A socket alone changes nothing, so a failure here concerns none of the messages.
        let mut socket = socket.map_err(|error| match error {
            error if self.messages.is_empty() => Failed::from(error),
            error => Failed::Looking(error),
        })?;
        for (message, number) in self.messages.iter().zip(1_u64..) {
            let sent = socket.send(Message::Text(numbered(message, number).to_string())).await;
            if let Err(error) = sent {
                return Err(if number == 1 { error.into() } else { partly(number - 1, &error) });
            }
        }
        let received = socket
            .receive(Bounds {
                messages: self.max_messages.unwrap_or(MAX_MESSAGES),
                bytes: way.connection.options().response_limit,
                time: Duration::from_millis(self.duration_ms.unwrap_or(DURATION_MS)),
            })
            .await;
        socket.close().await;
        // It lets nobody in only after the upgrade, and then takes none of the messages that were sent meanwhile.
        if let Ended::Closed(error @ TransportError::Unauthorized(_)) = received.ended {
            return Err(error.into());
        }
        let messages: Vec<Value> = received.messages.iter().map(shown).collect();
        let value = json!({
            "sent": self.messages.len(), "messages": messages, "ended": ended(&received.ended),
        });
        let outcome = if self.messages.is_empty() { Outcome::Succeeded } else { Outcome::Sent };
        Ok(Done { outcome, ..Done::new(value) })
    }
}

/// A kernel stumbles over a message without a number or without parameters.
fn numbered(message: &Value, number: u64) -> Value {
    let mut message = message.clone();
    if let Some(members) = message.as_object_mut() {
        members.entry("reqId").or_insert_with(|| number.into());
        members.entry("param").or_insert_with(|| json!({}));
    }
    message
}

fn partly(sent: u64, error: &TransportError) -> Failed {
    SiyuanError::Uncertain(format!("{sent} messages were sent, and the next one was not: {error}")).into()
}

fn shown(message: &Message) -> Value {
    match message {
        Message::Binary(data) => json!({"binary": format!("[{} bytes, not passed on]", data.len())}),
        Message::Text(text) => match serde_json::from_str::<Value>(text) {
            Ok(event) => match event["cmd"].as_str().filter(|cmd| WITHHELD_EVENTS.contains(cmd)) {
                Some(cmd) => {
                    json!({"cmd": cmd, "withheld": "it carries the kernel's configuration with its keys"})
                }
                None => event,
            },
            Err(_) => json!({"text": text}),
        },
    }
}

fn ended(ended: &Ended) -> String {
    match ended {
        Ended::Messages => "maxMessages was reached".into(),
        Ended::Bytes => "the messages became too long together".into(),
        Ended::Time => "durationMs was over".into(),
        Ended::Closed(error) => error.to_string(),
    }
}
