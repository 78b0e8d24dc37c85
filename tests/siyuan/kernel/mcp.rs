//! The kernel's own MCP server: streamable HTTP, JSON only, with sessions.

use axum::Json;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::{Generation, Shared, header, leaks};

/// How the server behaves; to be changed by a test.
#[derive(Debug, Default)]
pub struct Server {
    pub sessions: Vec<String>,
    /// Answers in an event stream, with a notification before the answer.
    pub streams: bool,
    /// Gives the tools in pages of so many; all at once where it is 0.
    pub page: usize,
    /// Points to the same page again and again.
    pub endless: bool,
    /// Answers this version whatever was asked for.
    pub version: Option<&'static str>,
}

/// The tools that it lists.
pub const TOOLS: &[&str] = &["block", "document", "leak", "notebook", "search"];

pub fn answer(shared: &Shared, head: &Parts, body: &[u8]) -> Response {
    let mut server = shared.mcp.lock().unwrap();
    let session = header(&head.headers, "mcp-session-id");
    if head.method == Method::DELETE {
        let known = server.sessions.iter().position(|known| *known == session);
        return match known {
            Some(place) => {
                server.sessions.remove(place);
                StatusCode::OK.into_response()
            }
            None => StatusCode::BAD_REQUEST.into_response(),
        };
    }
    if head.method != Method::POST {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let Ok(message @ Value::Object(_)) = serde_json::from_slice::<Value>(body) else {
        return Json(error(&Value::Null, -32700, "Parse error")).into_response();
    };
    let method = message["method"].as_str().unwrap_or_default().to_owned();
    let id = message.get("id").cloned().unwrap_or(Value::Null);
    if method == "initialize" {
        return initialize(shared, &mut server, &message, &id);
    }
    if session.is_empty() {
        return (StatusCode::BAD_REQUEST, Json(json!({"error": "Mcp-Session-Id required"}))).into_response();
    }
    if !server.sessions.contains(&session) {
        return (StatusCode::NOT_FOUND, Json(json!({"error": "session not found"}))).into_response();
    }
    if id.is_null() {
        return StatusCode::ACCEPTED.into_response();
    }
    let params = &message["params"];
    let answer = match method.as_str() {
        "ping" => result(&id, json!({})),
        "tools/list" => result(&id, tools(&server, params)),
        "tools/call" => call(shared, &id, params),
        _ => error(&id, -32601, "Method not found"),
    };
    if !server.streams {
        return Json(answer).into_response();
    }
    let note = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "…"}});
    let stream = format!(": hello\n\ndata: {note}\n\nevent: message\ndata: {answer}\n\n");
    ([("content-type", "text/event-stream")], stream).into_response()
}

fn initialize(shared: &Shared, server: &mut Server, message: &Value, id: &Value) -> Response {
    let asked = message["params"]["protocolVersion"].as_str().unwrap_or_default();
    let known: &[&str] = match shared.setup().generation {
        Generation::V3_7_3 => &["2025-06-18", "2024-11-05", "2026-07-28"],
        Generation::V3_8_6 => &["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2026-07-28"],
    };
    let version = server.version.unwrap_or(if known.contains(&asked) { asked } else { known[0] });
    let session = format!("session{:09}", server.sessions.len());
    server.sessions.push(session.clone());
    let info = json!({"name": "SiYuan", "version": shared.setup().version()});
    let answer = json!({"protocolVersion": version, "capabilities": {"tools": {"listChanged": false}}, "serverInfo": info});
    ([("mcp-session-id", session)], Json(result(id, answer))).into_response()
}

fn tools(server: &Server, params: &Value) -> Value {
    let from: usize = params["cursor"].as_str().map_or(0, |cursor| cursor.parse().unwrap());
    let size = if server.page == 0 { TOOLS.len() } else { server.page };
    let shown = TOOLS.iter().skip(from).take(size).map(|name| {
        json!({
            "name": name, "description": format!("{name} tool"), "title": name,
            "inputSchema": {"type": "object", "properties": {"action": {"type": "string"}}},
            // Fields of its own, which no protocol version knows.
            "source": "native", "readOnlyHint": *name == "search", "effectScope": "workspace",
        })
    });
    let mut page = json!({"tools": shown.collect::<Vec<_>>()});
    if server.endless {
        page["nextCursor"] = json!("0");
    } else if from + size < TOOLS.len() {
        page["nextCursor"] = (from + size).to_string().into();
    }
    page
}

fn call(shared: &Shared, id: &Value, params: &Value) -> Value {
    let text =
        |text: String, failed: bool| json!({"content": [{"type": "text", "text": text}], "isError": failed});
    match params["name"].as_str().unwrap_or_default() {
        "search" => {
            let found = json!({"query": params["arguments"]["query"], "found": []});
            result(id, text(found.to_string(), false))
        }
        "leak" => result(id, text(leaks::envelope(&shared.setup().token.clone()).to_string(), false)),
        name if TOOLS.contains(&name) => result(id, text(format!("{name} failed"), true)),
        name => result(id, text(format!("unknown tool: {name}"), true)),
    }
}

fn result(id: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}
