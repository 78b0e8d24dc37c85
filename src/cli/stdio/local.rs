//! What the bridge answers by itself.

use serde_json::{Map, Value, json};

use super::message::Request;

/// Versions with a handshake, the newest last.
const WITH_HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The version in which every request stands by itself.
const BY_ITSELF: &str = "2026-07-28";

/// JSON-RPC's own range for a server's errors.
const SERVER_ERROR: i32 = -32000;

/// The version that is spoken with a client that asked for `asked`.
pub fn negotiated(asked: Option<&str>) -> &'static str {
    let newest = WITH_HANDSHAKE[WITH_HANDSHAKE.len() - 1];
    WITH_HANDSHAKE.into_iter().find(|version| Some(*version) == asked).unwrap_or(newest)
}

fn server_info() -> Value {
    json!({"name": "notegate", "title": "Notegate", "version": env!("CARGO_PKG_VERSION")})
}

fn capabilities() -> Value {
    json!({"tools": {"listChanged": true}})
}

/// A message with the result of `request`.
pub fn result(request: &Request, mut result: Map<String, Value>) -> String {
    if request.is_modern() {
        result.entry("resultType").or_insert_with(|| "complete".into());
    }
    json!({"jsonrpc": "2.0", "id": request.id, "result": result}).to_string()
}

/// A message with an error, for `id`.
pub fn error(id: &Value, code: i32, message: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}).to_string()
}

/// A message that answers nothing.
pub fn notification(method: &str, params: Value) -> String {
    match params {
        Value::Null => json!({"jsonrpc": "2.0", "method": method}).to_string(),
        params => json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string(),
    }
}

/// The answer to `initialize`.
pub fn initialized(request: &Request) -> String {
    let version = negotiated(request.asked_version.as_deref());
    let fields = [
        ("protocolVersion", version.into()),
        ("capabilities", capabilities()),
        ("serverInfo", server_info()),
    ];
    result(request, object(fields))
}

/// What a request gets while Notegate is not there; `why` says what to do. A list of tools is an error as
/// well: an empty one would look as if all were well.
pub fn not_running(request: &Request, why: &str) -> String {
    if request.method != "server/discover" {
        return failed(request, "not_running", why);
    }
    let versions: Vec<&str> = WITH_HANDSHAKE.into_iter().chain([BY_ITSELF]).collect();
    let fields = [
        ("resultType", "complete".into()),
        ("supportedVersions", versions.into()),
        ("capabilities", capabilities()),
        ("ttlMs", 0.into()),
        ("cacheScope", "private".into()),
        ("_meta", json!({"io.modelcontextprotocol/serverInfo": server_info()})),
    ];
    result(request, object(fields))
}

/// What a request gets that Notegate could not answer. A call gets a tool result, since that is what
/// a model reads; anything else an error of the protocol.
pub fn failed(request: &Request, code: &str, message: &str) -> String {
    if request.method != "tools/call" {
        let error = json!({"code": SERVER_ERROR, "message": message, "data": {"code": code}});
        return json!({"jsonrpc": "2.0", "id": request.id, "error": error}).to_string();
    }
    let fields = [
        ("content", json!([{"type": "text", "text": format!("Error ({code}): {message}")}])),
        ("structuredContent", json!({"code": code, "message": message})),
        ("isError", true.into()),
    ];
    result(request, object(fields))
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_we_do_not_speak_is_answered_with_the_newest() {
        for (asked, expected) in [
            (Some("2024-11-05"), "2024-11-05"),
            (Some("2025-06-18"), "2025-06-18"),
            (Some("2026-07-28"), "2025-11-25"),
            (Some("1999-01-01"), "2025-11-25"),
            (None, "2025-11-25"),
        ] {
            assert_eq!(negotiated(asked), expected, "{asked:?}");
        }
    }
}
