//! Plain requests: one sent, one answer read whole, its status and headers kept.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::body::Body;
use super::connection::Connection;
use super::envelope::Envelope;
use super::error::{RequestError, TransportError};
use super::exchange::Exchange;

/// A request to a kernel. It names a path and nothing beyond: where it goes is the connection's.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub method: Method,
    /// Plain text as the kernel knows it, below the address's prefix: `/api/system/version`.
    pub path: String,
    pub query: Vec<(String, String)>,
    /// Besides those that are set for it. What says who sends, or where to, is an error.
    pub headers: HeaderMap,
    pub body: Body,
    /// In place of the connection's own, for a call that is known to take long.
    pub timeout: Option<Duration>,
}

impl Request {
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        let (path, query, headers) = (path.into(), Vec::new(), HeaderMap::new());
        Self { method, path, query, headers, body: Body::Empty, timeout: None }
    }

    pub fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    /// What nearly every endpoint of a kernel takes: a POST with a JSON object.
    pub fn post(path: impl Into<String>, body: Value) -> Self {
        Self { body: Body::Json(body), ..Self::new(Method::POST, path) }
    }
}

/// An answer, whatever its status, but for refusals and redirects: those are errors.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Response {
    /// The kernel's envelope. `/api/file/getFile` answers its errors with one at status 202.
    ///
    /// # Errors
    /// [`TransportError::Status`] for a status of failure, unless an envelope says more than success;
    /// [`TransportError::Envelope`].
    pub fn envelope(&self) -> Result<Envelope, TransportError> {
        match Envelope::read(&self.body) {
            Ok(envelope) if self.status.is_success() || envelope.code != 0 => Ok(envelope),
            Err(fault) if self.status.is_success() => Err(fault.into()),
            _ => Err(TransportError::Status { status: self.status.as_u16() }),
        }
    }

    /// The body as text, if it is UTF-8.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.body).ok()
    }

    /// The body as JSON, if it is.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// The body as standard Base64, for bytes that are no text.
    pub fn base64(&self) -> String {
        STANDARD.encode(&self.body)
    }

    /// The media type without its parameters, in lower case.
    pub fn media_type(&self) -> Option<String> {
        media_type(&self.headers)
    }
}

pub(super) fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    value.split(';').next().map(|kind| kind.trim().to_ascii_lowercase())
}

impl Connection {
    /// Sends a request once, and reads its answer whole.
    ///
    /// # Errors
    /// Any [`TransportError`] but [`TransportError::Kernel`]: what an envelope says is for
    /// [`Response::envelope`] and the caller to judge.
    pub async fn send(
        &self,
        request: Request,
        cancel: &CancellationToken,
    ) -> Result<Response, TransportError> {
        let within = request.timeout.unwrap_or(self.options().timeout);
        let request = self.wire(request)?;
        let (connection, limit) = (self.clone(), self.options().response_limit);
        self.run(within, cancel, |sent| async move {
            let socket = connection.dial(sent.clone()).await?;
            let mut exchange = Exchange::open(socket, request, sent).await?;
            let body = exchange.collect(limit).await?;
            Ok(Response { status: exchange.head.status, headers: exchange.head.headers, body })
        })
        .await
    }

    /// The request as it goes out.
    pub(super) fn wire(&self, request: Request) -> Result<http::Request<Full<Bytes>>, RequestError> {
        if matches!(request.method, Method::CONNECT | Method::TRACE) {
            return Err(RequestError::Method);
        }
        let target = self.address().target(&request.path, &request.query)?;
        let mut headers = self.headers(&request.headers)?;
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
        let (body, content_type) = request.body.encode()?;
        if let Some(content_type) = content_type {
            headers.insert(CONTENT_TYPE, content_type);
        }
        if !body.is_empty() || request.method != Method::GET {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        }
        let mut wire = http::Request::new(Full::new(Bytes::from(body)));
        *wire.method_mut() = request.method;
        *wire.uri_mut() = target.parse().map_err(|_| RequestError::Path)?;
        *wire.headers_mut() = headers;
        Ok(wire)
    }
}
