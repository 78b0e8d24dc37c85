//! What a client sent: the few fields that the bridge needs to see. The rest passes through unread.

use std::fmt;

use serde::Deserialize;
use serde::de;
use serde_json::Value;

/// Where a request since 2026-07-28 says which version it speaks.
const VERSION_META: &str = "io.modelcontextprotocol/protocolVersion";

/// One message of a client.
#[derive(Debug, PartialEq)]
pub enum Incoming {
    Request(Request),
    /// The request with this id is not waited for any more.
    Cancelled {
        id: Value,
    },
    Initialized,
    /// Nothing that the bridge must do anything about.
    Ignored,
    /// Not a message; to be answered so.
    Invalid {
        code: i32,
        message: String,
    },
}

/// A request, with the line that it came as.
#[derive(Debug, PartialEq)]
pub struct Request {
    pub id: Value,
    pub method: String,
    /// The version in its `_meta`, if it is one of those that stand by themselves (2026-07-28 on).
    pub version: Option<String>,
    /// What `Mcp-Name` says: the tool, the prompt or the resource.
    pub name: Option<String>,
    /// The version that `initialize` asks for.
    pub asked_version: Option<String>,
    /// Whether `subscriptions/listen` wants to hear of changed tools.
    pub wants_tools: bool,
    pub line: Vec<u8>,
}

#[derive(Deserialize)]
struct Raw {
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    method: Option<String>,
    #[serde(default, deserialize_with = "object")]
    params: Params,
}

/// `"id": null` is there, which is something else than no id.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Parameters are an object. Serde by itself would read a list as a struct's fields in order.
fn object<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Params, D::Error> {
    struct ObjectOnly;

    impl<'de> de::Visitor<'de> for ObjectOnly {
        type Value = Params;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of parameters")
        }

        fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Params, A::Error> {
            Params::deserialize(de::value::MapAccessDeserializer::new(map))
        }
    }
    deserializer.deserialize_map(ObjectOnly)
}

/// Only what is looked at; arguments of any size are skipped, not kept.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Params {
    #[serde(rename = "_meta")]
    meta: Option<Value>,
    name: Option<Value>,
    uri: Option<Value>,
    protocol_version: Option<Value>,
    request_id: Option<Value>,
    notifications: Option<Value>,
}

impl Incoming {
    pub fn read(line: &[u8]) -> Self {
        let raw = match serde_json::from_slice::<Raw>(line) {
            Ok(raw) => raw,
            Err(error) if error.is_data() => {
                return Self::Invalid {
                    code: -32600,
                    message: "a line must be one JSON-RPC message: an object, with params as an object"
                        .into(),
                };
            }
            Err(error) => {
                return Self::Invalid {
                    code: -32700,
                    message: format!("the line is not valid JSON: {error}"),
                };
            }
        };
        let Raw { id, method, params } = raw;
        match (id, method.as_deref()) {
            (Some(id @ (Value::Number(_) | Value::String(_))), Some(method)) => {
                Self::Request(Request::new(id, method, params, line))
            }
            (Some(_), Some(_)) => {
                Self::Invalid { code: -32600, message: "the id of a request is a text or a number".into() }
            }
            (None, Some("notifications/initialized")) => Self::Initialized,
            (None, Some("notifications/cancelled")) => match params.request_id {
                Some(id) => Self::Cancelled { id },
                None => Self::Ignored,
            },
            // Other notifications tell a server what concerns a session; the endpoint keeps none for us.
            // A message without a method answers a request, and none is sent to the client.
            (None, Some(_)) | (_, None) => Self::Ignored,
        }
    }
}

impl Request {
    fn new(id: Value, method: &str, params: Params, line: &[u8]) -> Self {
        let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
        let name = match method {
            "tools/call" | "prompts/get" => text(params.name),
            "resources/read" => text(params.uri),
            _ => None,
        };
        Self {
            id,
            method: method.to_owned(),
            version: text(params.meta.and_then(|mut meta| meta.get_mut(VERSION_META).map(Value::take))),
            name,
            asked_version: text(params.protocol_version),
            wants_tools: params.notifications.is_some_and(|wanted| wanted["toolsListChanged"] == true),
            line: line.trim_ascii().to_vec(),
        }
    }

    /// Whether it stands by itself, as requests since 2026-07-28 do.
    pub fn is_modern(&self) -> bool {
        self.version.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> String {
        match Incoming::read(line.as_bytes()) {
            Incoming::Request(Request { id, method, version, name, .. }) => {
                format!("{id} {method} {} {}", version.unwrap_or_default(), name.unwrap_or_default())
            }
            Incoming::Cancelled { id } => format!("cancelled {id}"),
            Incoming::Initialized => "initialized".into(),
            Incoming::Ignored => "ignored".into(),
            Incoming::Invalid { code, .. } => code.to_string(),
        }
    }

    #[test]
    fn messages_are_told_apart() {
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "1 ping  "),
            (
                r#"{"id":"a","method":"tools/call","params":{"name":"t","arguments":{"name":"x"}}}"#,
                r#""a" tools/call  t"#,
            ),
            (
                r#"{"id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
                "2 tools/list 2026-07-28 ",
            ),
            (r#"{"method":"notifications/initialized"}"#, "initialized"),
            (r#"{"method":"notifications/cancelled","params":{"requestId":7}}"#, "cancelled 7"),
            (r#"{"method":"notifications/cancelled"}"#, "ignored"),
            (r#"{"method":"notifications/roots/list_changed"}"#, "ignored"),
            (r#"{"id":1,"result":{}}"#, "ignored"),
            (r#"{"id":null,"method":"ping"}"#, "-32600"),
            (r#"[{"id":1,"method":"ping"}]"#, "-32600"),
            (r#"{"id":1,"method":"ping","params":[1]}"#, "-32600"),
            (r#"{"id":1,"#, "-32700"),
            ("hello", "-32700"),
        ] {
            assert_eq!(kind(line), expected, "{line}");
        }
    }
}
