//! The direct tool API, for models that are connected without MCP: the same catalogue as function
//! definitions in OpenAI's form, and the same call.
//!
//! A tool's result is answered with 200 whether the tool failed or not; other statuses are about the
//! request itself. Every detail of a tool's error is passed on.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::errors::Refusal;
use super::identity::{self, Identity};
use super::server::Shared;
use crate::tools::{Call, Reply, Tool, ToolError, Way};

/// Names the conversation that a call belongs to; optional, a label for the log.
pub(super) static SESSION: HeaderName = HeaderName::from_static("notegate-session");

#[derive(Debug, Serialize)]
pub(super) struct Functions {
    tools: Vec<Value>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    content: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<Value>,
    is_error: bool,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Map<String, Value>>,
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        let Reply { content, structured, is_error, meta } = reply;
        Self { content, structured_content: structured, is_error, meta }
    }
}

/// `GET /tools`.
pub(super) async fn list(
    State(shared): State<Shared>,
    Extension(identity): Extension<Identity>,
) -> Json<Functions> {
    let tools = shared.handle.tools().offered(&identity.grant).map(function).collect();
    Json(Functions { tools })
}

fn function(tool: &'static Tool) -> Value {
    json!({
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema},
    })
}

/// `POST /tools/{name}`: the body is the object of arguments; an empty one stands for none.
pub(super) async fn call(
    State(shared): State<Shared>,
    Extension(identity): Extension<Identity>,
    Path(tool): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let arguments = arguments(&body)?;
    let label = identity::session_label(&headers, &SESSION)?;
    let caller = identity.in_session(shared.handle.access(), label).await?;
    let underway = shared.answers.begin(caller.session);

    // The call is a task of its own: when the client goes away this future is dropped, which cancels
    // the call, and the call still cleans up.
    let cancel = CancellationToken::new();
    let _cancel_when_dropped = cancel.clone().drop_guard();
    let tools = shared.handle.tools().clone();
    let call = Call { grant: caller.grant, way: Way::Direct, tool, arguments, cancel, patient: false };
    let running = shared.tasks.spawn(async move { tools.call(call).await });
    let reply = running.await.unwrap_or_else(|error| {
        tracing::error!(%error, "a direct call failed inside");
        ToolError::internal().into()
    });
    Ok(underway.until_sent(Json(Answer::from(reply)).into_response()))
}

fn arguments(body: &[u8]) -> Result<Map<String, Value>, Refusal> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    match serde_json::from_slice(body) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err(Refusal::BadBody("the body is not a JSON object of arguments".into())),
        Err(error) => Err(Refusal::BadBody(format!("the body is not JSON: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_an_object_or_nothing() {
        assert_eq!(arguments(b" \n").unwrap(), Map::new());
        assert_eq!(arguments(br#"{"path":"a.md"}"#).unwrap().len(), 1);
        for odd in [&b"[]"[..], b"null", b"\"{}\"", b"{", b"\xff"] {
            assert!(matches!(arguments(odd), Err(Refusal::BadBody(_))), "{odd:?}");
        }
    }
}
