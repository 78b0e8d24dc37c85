//! Why a request is not served, and what that looks like on the wire: the one place that maps it.
//!
//! Three readers are behind it. A program that lacks the key or comes from somewhere else gets plain
//! text (a client that finds OAuth metadata in a 401 would start a login that leads nowhere). A
//! client of the direct or control API gets JSON with a code. An MCP client gets a JSON-RPC error.
//! What a tool has to say is none of this: it is a tool result, made by `tools`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use crate::access::Denied;

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("Notegate is closing and takes no new requests")]
    Closing,
    /// Only our own command line is served, on another port than clients know.
    #[error("Notegate's endpoint is not open, since its port could not be had. Its window says why")]
    NotOpen,
    #[error(
        "this address is for programs on this computer: the Host header must name 127.0.0.1, localhost or [::1], once, with this port"
    )]
    ForeignHost,
    #[error("a web page of another origin may not talk to Notegate")]
    ForeignOrigin,
    #[error("the request body is larger than {limit} bytes, which is the limit. Send less at a time")]
    TooLarge { limit: usize },
    #[error("the request body did not arrive in time")]
    SlowBody,
    #[error("the request body broke off")]
    BrokenBody,
    #[error(
        "no key. Send the key that Notegate shows for this runtime in the header Authorization: Bearer KEY"
    )]
    NoKey,
    #[error("the Authorization header cannot be read. Send it once, as Authorization: Bearer KEY")]
    OddKey,
    #[error("{0}. Send it in the header Authorization: Bearer KEY")]
    Denied(Denied),
    #[error("this is not the control token of the running Notegate; it stands in control.json of its home")]
    NotControl,
    #[error("{0} is sent more than once")]
    Repeated(&'static str),
    #[error("the session was ended. Start a new one")]
    SessionEnded,
    #[error("there is nothing here")]
    NotFound,
    #[error("this address does not take this method; it takes {allowed}")]
    WrongMethod { allowed: &'static str },
    /// A body of the direct or the control API that cannot be read.
    #[error("{0}")]
    BadBody(String),
    #[error(transparent)]
    Rpc(#[from] Box<RpcError>),
}

/// A JSON-RPC error that is answered before a message reaches the protocol's implementation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub(super) struct RpcError {
    pub code: i32,
    /// The id of the request, `null` where none could be read.
    pub id: Value,
    pub message: String,
    pub data: Option<Value>,
}

impl RpcError {
    pub(super) const PARSE: i32 = -32700;
    pub(super) const INVALID_REQUEST: i32 = -32600;
    pub(super) const INVALID_PARAMS: i32 = -32602;
    /// The code that MCP's own implementations use for a session that is no more.
    const NO_SESSION: i32 = -32001;

    pub(super) fn new(code: i32, id: Value, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { code, id, message: message.into(), data: None })
    }

    fn body(&self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        json!({"jsonrpc": "2.0", "id": self.id, "error": error})
    }
}

impl From<Denied> for Refusal {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Closing => Self::Closing,
            denied => Self::Denied(denied),
        }
    }
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::Closing | Self::NotOpen => StatusCode::SERVICE_UNAVAILABLE,
            Self::ForeignHost | Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::SlowBody => StatusCode::REQUEST_TIMEOUT,
            Self::BrokenBody | Self::Repeated(_) | Self::BadBody(_) | Self::Rpc(_) => StatusCode::BAD_REQUEST,
            Self::NoKey | Self::OddKey | Self::Denied(_) | Self::NotControl => StatusCode::UNAUTHORIZED,
            Self::SessionEnded | Self::NotFound => StatusCode::NOT_FOUND,
            Self::WrongMethod { .. } => StatusCode::METHOD_NOT_ALLOWED,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = self.status();
        let message = self.to_string();
        let coded = |code: &str| Json(json!({"error": {"code": code, "message": message}}));
        match self {
            Self::NotFound => (status, coded("not_found")).into_response(),
            Self::BadBody(_) => (status, coded("invalid_body")).into_response(),
            Self::WrongMethod { allowed } => {
                (status, [(header::ALLOW, allowed)], coded("wrong_method")).into_response()
            }
            Self::Rpc(error) => (status, Json(error.body())).into_response(),
            Self::SessionEnded => {
                let error = RpcError::new(RpcError::NO_SESSION, Value::Null, message);
                (status, Json(error.body())).into_response()
            }
            _ => {
                let mut response = (status, format!("{message}.\n")).into_response();
                if status == StatusCode::UNAUTHORIZED {
                    // The scheme and nothing else: no resource metadata.
                    response
                        .headers_mut()
                        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                }
                response
            }
        }
    }
}
