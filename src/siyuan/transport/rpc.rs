//! JSON-RPC 2.0 to the plugins that run inside a kernel, single calls and batches.

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::envelope::Envelope;
use super::error::{RequestError, TransportError};
use super::http::Request;

const ANSWERS: &str = "one JSON-RPC answer to each call";

/// A call of a plugin's method.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcCall {
    pub method: String,
    /// An object (one argument) or a list (several); left out where `None`.
    pub params: Option<Value>,
    /// Asks for no answer: nothing tells whether the plugin even had such a method.
    pub notification: bool,
}

/// What a plugin answered to a call: its result, or its refusal.
pub type RpcAnswer = Result<Value, RpcFault>;

/// A refusal in the plugin's or the kernel's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} ({code})")]
pub struct RpcFault {
    /// -32601 no such method, -32602 bad `params`, -32603 the method failed, -32001 no such plugin,
    /// -32002 the plugin does not run, or a code of the plugin's own.
    pub code: i64,
    pub message: String,
    pub data: Option<Value>,
}

impl Connection {
    /// Calls one method of a plugin. `None` is what a notification gets.
    ///
    /// # Errors
    /// Any [`TransportError`]. A refusal of the plugin is an [`RpcFault`] in the answer.
    pub async fn rpc(
        &self,
        plugin: &str,
        call: RpcCall,
        cancel: &CancellationToken,
    ) -> Result<Option<RpcAnswer>, TransportError> {
        let body = encode(&call, 1)?;
        let answers = self.post_rpc(plugin, body, std::slice::from_ref(&call), cancel).await?;
        Ok(answers.into_iter().next().flatten())
    }

    /// Calls several methods of a plugin in one request; the kernel runs them at the same time. The
    /// answers stand in the order of the calls.
    ///
    /// # Errors
    /// Any [`TransportError`]; [`RequestError::EmptyBatch`] before anything is sent.
    pub async fn rpc_batch(
        &self,
        plugin: &str,
        calls: &[RpcCall],
        cancel: &CancellationToken,
    ) -> Result<Vec<Option<RpcAnswer>>, TransportError> {
        if calls.is_empty() {
            return Err(RequestError::EmptyBatch.into());
        }
        let body = calls.iter().zip(1..).map(|(call, id)| encode(call, id)).collect::<Result<_, _>>()?;
        self.post_rpc(plugin, Value::Array(body), calls, cancel).await
    }

    async fn post_rpc(
        &self,
        plugin: &str,
        body: Value,
        calls: &[RpcCall],
        cancel: &CancellationToken,
    ) -> Result<Vec<Option<RpcAnswer>>, TransportError> {
        let unnameable =
            |character: char| character.is_control() || matches!(character, '/' | '\\' | '?' | '#');
        if matches!(plugin, "" | "." | "..") || plugin.contains(unnameable) {
            return Err(RequestError::PluginName.into());
        }
        let answer = self.send(Request::post(format!("/api/plugin/rpc/{plugin}"), body), cancel).await?;
        if !answer.status.is_success() {
            return Err(TransportError::Status { status: answer.status.as_u16() });
        }
        decode(&answer.body, calls)
    }
}

/// One call on the wire. `id` is its place in the batch, from 1: numbers pass through floats in the
/// kernel, small ones unharmed.
fn encode(call: &RpcCall, id: usize) -> Result<Value, RequestError> {
    let mut wire = json!({"jsonrpc": "2.0", "method": call.method});
    match &call.params {
        None => {}
        Some(params @ (Value::Object(_) | Value::Array(_))) => wire["params"] = params.clone(),
        Some(_) => return Err(RequestError::RpcParams),
    }
    if !call.notification {
        wire["id"] = id.into();
    }
    Ok(wire)
}

/// Puts each answer to its call. A refusal without an id concerns the request as a whole, and so each
/// call in it: the body could not be read, or the plugin does not run.
fn decode(body: &[u8], calls: &[RpcCall]) -> Result<Vec<Option<RpcAnswer>>, TransportError> {
    let mut answers = vec![None; calls.len()];
    if calls.iter().all(|call| call.notification) && body.is_empty() {
        return Ok(answers);
    }
    let unexpected = || TransportError::Unexpected { expected: ANSWERS };
    let entries = match serde_json::from_slice(body).map_err(|_| unexpected())? {
        Value::Array(entries) => entries,
        single @ Value::Object(_) => {
            if single.get("jsonrpc").is_none() && single.get("code").is_some() {
                // A kernel in read-only mode answers with its envelope instead.
                Envelope::read(body)?.accepted()?;
            }
            vec![single]
        }
        _ => return Err(unexpected()),
    };
    for entry in &entries {
        let answer = answer(entry).ok_or_else(unexpected)?;
        match entry.get("id") {
            None | Some(Value::Null) if answer.is_err() => {
                let without = answers
                    .iter_mut()
                    .zip(calls)
                    .filter(|(known, call)| known.is_none() && !call.notification);
                without.for_each(|(known, _)| *known = Some(answer.clone()));
            }
            id => {
                let place =
                    id.and_then(Value::as_u64).and_then(|id| usize::try_from(id).ok()?.checked_sub(1));
                let known = place.and_then(|place| answers.get_mut(place)).ok_or_else(unexpected)?;
                *known = Some(answer);
            }
        }
    }
    let complete = answers.iter().zip(calls).all(|(answer, call)| answer.is_some() || call.notification);
    if complete { Ok(answers) } else { Err(unexpected()) }
}

fn answer(entry: &Value) -> Option<RpcAnswer> {
    if let Some(error) = entry.get("error") {
        let code = error.get("code")?.as_i64()?;
        let message = error.get("message")?.as_str()?.to_owned();
        return Some(Err(RpcFault { code, message, data: error.get("data").cloned() }));
    }
    entry.get("result").cloned().map(Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(method: &str) -> RpcCall {
        RpcCall { method: method.to_owned(), params: None, notification: false }
    }

    fn notification(method: &str) -> RpcCall {
        RpcCall { notification: true, ..call(method) }
    }

    fn fault(code: i64) -> RpcAnswer {
        Err(RpcFault { code, message: "no".to_owned(), data: None })
    }

    fn check(body: &str, calls: &[RpcCall], expected: &[Option<RpcAnswer>]) {
        assert_eq!(decode(body.as_bytes(), calls).as_deref(), Ok(expected), "{body}");
    }

    #[test]
    fn a_call_is_written_with_an_id_and_a_notification_without() {
        assert_eq!(encode(&call("a"), 2), Ok(json!({"jsonrpc": "2.0", "method": "a", "id": 2})));
        let list = RpcCall { params: Some(json!([1])), ..notification("a") };
        assert_eq!(encode(&list, 1), Ok(json!({"jsonrpc": "2.0", "method": "a", "params": [1]})));
        for params in [json!(null), json!(1), json!("a")] {
            let call = RpcCall { params: Some(params), ..call("a") };
            assert_eq!(encode(&call, 1), Err(RequestError::RpcParams));
        }
    }

    #[test]
    fn answers_find_their_calls_by_id() {
        let calls = [call("a"), notification("b"), call("c")];
        let body = r#"[{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}},{"jsonrpc":"2.0","id":1,"result":null}]"#;
        check(body, &calls, &[Some(Ok(Value::Null)), None, Some(fault(-32601))]);
        check(r#"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"#, &calls[..1], &[Some(Ok(json!({"a": 1})))]);
        check("", &calls[1..2], &[None]);
    }

    #[test]
    fn a_refusal_of_the_whole_request_is_the_answer_to_each_call() {
        let calls = [call("a"), notification("b"), call("c")];
        let body = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}"#;
        check(body, &calls, &[Some(fault(-32001)), None, Some(fault(-32001))]);
    }

    #[test]
    fn a_missing_foreign_or_unreadable_answer_leaves_the_outcome_uncertain() {
        let calls = [call("a"), call("b")];
        for body in [
            "",
            "null",
            "<html>",
            "[]",
            r#"[{"id":1,"result":1}]"#,
            r#"[{"id":1,"result":1},{"id":9,"result":1}]"#,
            r#"[{"id":1,"result":1},{"id":2}]"#,
            r#"[{"id":1,"result":1},{"id":null,"result":1}]"#,
        ] {
            let error = decode(body.as_bytes(), &calls).unwrap_err();
            assert!(error.uncertain(), "{body}: {error}");
        }
    }

    #[test]
    fn the_envelope_of_a_read_only_kernel_is_its_refusal() {
        let body = r#"{"cmd":"","reqId":0,"code":-1,"msg":"read-only","data":{"closeTimeout":5000}}"#;
        let expected = TransportError::Kernel { code: -1, msg: "read-only".to_owned() };
        assert_eq!(decode(body.as_bytes(), &[call("a")]), Err(expected));
    }
}
