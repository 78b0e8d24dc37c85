//! Plugin RPC: a kernel with one plugin that runs and one that does not.

use axum::Json;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::answer::Reply;
use super::{Shared, auth, leaks};

/// The plugin that runs, with the methods `echo`, `fail`, `leak` and `hold`.
pub const PLUGIN: &str = "sample-plugin";
/// One that is loaded and does not run.
pub const STOPPED: &str = "stopped-plugin";

/// What the plugins were asked to do, in order: notifications leave no other trace.
#[derive(Debug, Default)]
pub struct Plugins {
    pub called: Vec<String>,
}

impl Plugins {
    pub fn sample() -> Self {
        Self::default()
    }
}

pub async fn answer(shared: &Shared, path: &str, head: &Parts, body: &[u8]) -> Response {
    let info = json!({"name": PLUGIN, "state": "running", "stateCode": 2, "methods": [
        {"name": "echo", "descriptions": ["gives back what it gets"]}, {"name": "fail", "descriptions": []},
    ]});
    if head.method == Method::GET && path == "/api/plugin" || path == "/api/plugin/listLoadedPlugins" {
        return Reply::Data(json!([info])).into_response();
    }
    let named =
        path.strip_prefix("/api/plugin/rpc/").map(str::to_owned).or_else(|| auth::query(head, "name"));
    let Some(name) = named.filter(|_| path.starts_with("/api/plugin/rpc") && head.method == Method::POST)
    else {
        return super::answer::not_found().into_response();
    };
    match name.as_str() {
        PLUGIN => {}
        STOPPED => return Json(error(&Value::Null, -32002, "plugin is not running")).into_response(),
        _ => return Json(error(&Value::Null, -32001, "plugin not found")).into_response(),
    }
    let answers = match serde_json::from_slice(body) {
        Err(_) => vec![error(&Value::Null, -32700, "Parse error")],
        Ok(Value::Array(calls)) if calls.is_empty() => vec![error(&Value::Null, -32600, "Invalid Request")],
        Ok(Value::Array(calls)) => {
            let mut answers = Vec::new();
            for call in calls {
                answers.extend(one(shared, &call).await);
            }
            return if answers.is_empty() {
                StatusCode::NO_CONTENT.into_response()
            } else {
                Json(answers).into_response()
            };
        }
        Ok(call) => one(shared, &call).await.into_iter().collect(),
    };
    match answers.into_iter().next() {
        Some(answer) => Json(answer).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

async fn one(shared: &Shared, call: &Value) -> Option<Value> {
    let (id, params) = (call.get("id"), call.get("params"));
    let Some(method) = call.get("method").and_then(Value::as_str).filter(|_| call["jsonrpc"] == "2.0") else {
        return Some(error(&Value::Null, -32600, "Invalid Request"));
    };
    shared.plugins.lock().unwrap().called.push(method.to_owned());
    if params.is_some_and(|params| !params.is_object() && !params.is_array()) {
        return Some(error(id?, -32602, "Invalid params"));
    }
    let result = match method {
        "echo" => params.cloned().unwrap_or(Value::Null),
        "leak" => leaks::envelope(&shared.setup().token.clone()),
        "hold" => {
            // A method that hangs: the kernel has no time-out for it.
            shared.stop.cancelled().await;
            Value::Null
        }
        "fail" => return Some(error(id?, -32603, "Internal error")),
        _ => return Some(error(id?, -32601, "Method not found")),
    };
    Some(json!({"jsonrpc": "2.0", "result": result, "id": id?}))
}

fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "error": {"code": code, "message": message, "data": "…"}, "id": id})
}
