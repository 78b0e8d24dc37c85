//! Reading one message, and saying in the protocol's own terms why one cannot be read.

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, ProtocolVersion, RequestId,
};
use serde_json::Value;

use crate::access::ClientInfo;
use crate::gateway::errors::RpcError;

/// A message as far as the way to its answer depends on it.
#[derive(Debug)]
pub(super) struct Message(ClientJsonRpcMessage);

impl Message {
    /// # Errors
    /// What JSON-RPC has an error for: no JSON, no object, a batch, no message.
    pub(super) fn parse(body: &[u8]) -> Result<Self, Box<RpcError>> {
        serde_json::from_slice(body).map(Self).map_err(|_| diagnosis(body))
    }

    fn request(&self) -> Option<&ClientRequest> {
        match &self.0 {
            ClientJsonRpcMessage::Request(request) => Some(&request.request),
            _ => None,
        }
    }

    /// The id to answer with.
    pub(super) fn id(&self) -> Value {
        match &self.0 {
            ClientJsonRpcMessage::Request(request) => request.id.clone().into_json_value(),
            _ => Value::Null,
        }
    }

    /// The id, of what wants an answer.
    pub(super) fn request_id(&self) -> Option<&RequestId> {
        match &self.0 {
            ClientJsonRpcMessage::Request(request) => Some(&request.id),
            _ => None,
        }
    }

    pub(super) fn wants_answer(&self) -> bool {
        self.request().is_some()
    }

    /// Who opens a session with this message, in its own words.
    pub(super) fn initialize(&self) -> Option<ClientInfo> {
        let ClientRequest::InitializeRequest(request) = self.request()? else { return None };
        let client = &request.params.client_info;
        Some(ClientInfo { name: shortened(&client.name), version: shortened(&client.version) })
    }

    /// Whether its answer is a stream that goes on until the client or we end it.
    pub(super) fn is_subscription(&self) -> bool {
        matches!(self.request(), Some(ClientRequest::SubscriptionsListenRequest(_)))
    }

    pub(super) fn is_discover(&self) -> bool {
        matches!(self.request(), Some(ClientRequest::DiscoverRequest(_)))
    }

    /// The version that the message itself names, as modern ones do.
    pub(super) fn version(&self) -> Option<ProtocolVersion> {
        self.request()?.get_meta().protocol_version()
    }

    /// The request that this message takes back.
    pub(super) fn cancels(&self) -> Option<&RequestId> {
        match &self.0 {
            ClientJsonRpcMessage::Notification(message) => match &message.notification {
                ClientNotification::CancelledNotification(cancelled) => cancelled.params.request_id.as_ref(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Checks the parameters' form. rmcp would take a message whose parameters it cannot read for one
    /// of a method that it does not know.
    pub(super) fn check_form(&self) -> Result<(), Box<RpcError>> {
        let form = match self.request() {
            Some(ClientRequest::CustomRequest(request)) => {
                FORMS.iter().find(|(method, _)| *method == request.method)
            }
            _ => None,
        };
        match form {
            None => Ok(()),
            Some((method, form)) => {
                let message = format!("{method} takes {form}");
                Err(RpcError::new(RpcError::INVALID_PARAMS, self.id(), message))
            }
        }
    }
}

/// The requests that need parameters.
const FORMS: [(&str, &str); 4] = [
    (
        "initialize",
        "`protocolVersion` as a string, `capabilities` as an object, and `clientInfo` with name and version",
    ),
    ("server/discover", "`_meta` with the version and the capabilities of the client"),
    ("subscriptions/listen", "`notifications` as an object of the kinds that are wanted"),
    ("tools/call", "the tool's `name` as a string and its `arguments` as an object"),
];

/// A client says of itself what it likes; only so much of it is kept.
fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}

fn diagnosis(body: &[u8]) -> Box<RpcError> {
    let text = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            return RpcError::new(
                RpcError::PARSE,
                Value::Null,
                format!("the body is not UTF-8 at byte {at}"),
            );
        }
    };
    match serde_json::from_str::<Value>(text) {
        Err(error) => RpcError::new(RpcError::PARSE, Value::Null, format!("the body is not JSON: {error}")),
        Ok(Value::Array(_)) => {
            let message = "a batch is not taken; send each message in a request of its own";
            RpcError::new(RpcError::INVALID_REQUEST, Value::Null, message)
        }
        Ok(Value::Object(message)) => {
            let id = message.get("id").filter(|id| id.is_string() || id.is_i64()).cloned();
            let text = "this is not a JSON-RPC 2.0 message of MCP";
            RpcError::new(RpcError::INVALID_REQUEST, id.unwrap_or_default(), text)
        }
        Ok(_) => RpcError::new(RpcError::INVALID_REQUEST, Value::Null, "a message is a JSON object"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check_refused(body: &[u8], code: i32, id: Value) {
        let error =
            Message::parse(body).and_then(|message| message.check_form().map(|()| message)).unwrap_err();
        assert_eq!((error.code, error.id), (code, id), "{}", String::from_utf8_lossy(body));
    }

    #[test]
    fn what_is_no_message_has_the_error_that_json_rpc_has_for_it() {
        check_refused(b"{", RpcError::PARSE, Value::Null);
        check_refused(b"", RpcError::PARSE, Value::Null);
        check_refused(b"\xff", RpcError::PARSE, Value::Null);
        check_refused(&[b"[".repeat(200), b"]".repeat(200)].concat(), RpcError::PARSE, Value::Null);
        check_refused(b"[]", RpcError::INVALID_REQUEST, Value::Null);
        check_refused(
            br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            RpcError::INVALID_REQUEST,
            Value::Null,
        );
        check_refused(b"null", RpcError::INVALID_REQUEST, Value::Null);
        check_refused(b"{}", RpcError::INVALID_REQUEST, Value::Null);
        check_refused(br#"{"id":"a","method":"ping"}"#, RpcError::INVALID_REQUEST, json!("a"));
        check_refused(br#"{"jsonrpc":"2.0","id":7,"method":5}"#, RpcError::INVALID_REQUEST, json!(7));
    }

    #[test]
    fn parameters_in_the_wrong_form_are_told_their_form() {
        for method in ["initialize", "subscriptions/listen"] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{}}}}"#);
            check_refused(body.as_bytes(), RpcError::INVALID_PARAMS, json!(7));
        }
        for params in
            [r#"{}"#, r#"{"name":5}"#, r#"{"name":"x","arguments":"{}"}"#, r#"{"name":"x","arguments":[]}"#]
        {
            let body = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
            check_refused(body.as_bytes(), RpcError::INVALID_PARAMS, json!(7));
        }
    }

    #[test]
    fn a_cancellation_names_its_request() {
        let body = br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"r"}}"#;
        let message = Message::parse(body).unwrap();
        assert_eq!(message.cancels(), Some(&RequestId::String("r".into())));
        assert!(!message.wants_answer());
    }
}
