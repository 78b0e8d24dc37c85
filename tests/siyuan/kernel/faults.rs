//! How a kernel, or what stands in its place, misbehaves on a path.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::StreamBody;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio_util::sync::CancellationToken;

use super::leaks;
use super::origin::Seen;

/// What happens to a request instead of an answer, or to its answer.
#[derive(Debug, Clone)]
pub enum Fault {
    /// Takes the request and says nothing until the kernel stops.
    Hold,
    /// Sends the head and the first bytes of a body, then nothing until the kernel stops.
    HoldBody,
    /// Does what was asked, and then the answer is lost: the socket closes in the middle of it.
    Half,
    /// An answer with this status and body.
    Answer {
        status: u16,
        content_type: &'static str,
        body: String,
    },
    /// A body of so many bytes, announced or not.
    Large {
        bytes: usize,
        announced: bool,
    },
    Redirect {
        status: u16,
        to: String,
    },
    /// The token in every encoding, in the body and in a header.
    Leak,
}

impl Fault {
    pub fn answer_with(status: u16, body: impl Into<String>) -> Self {
        Self::Answer { status, content_type: "application/json; charset=utf-8", body: body.into() }
    }

    /// The answer, or `None` where the kernel is to do its work.
    pub async fn answer(&self, seen: &Seen, token: &str, stop: &CancellationToken) -> Option<Response> {
        Some(match self {
            Self::Hold => {
                stop.cancelled().await;
                StatusCode::SERVICE_UNAVAILABLE.into_response()
            }
            Self::HoldBody => stream(Unfinished::new(b"{\"code\":0,\"msg\":\"", End::Never)),
            Self::Half => stream(Unfinished::new(b"{\"code\":0,\"msg\":\"", End::Soon)),
            Self::Answer { status, content_type, body } => {
                let head = [(header::CONTENT_TYPE, HeaderValue::from_static(content_type))];
                (StatusCode::from_u16(*status).unwrap(), head, body.clone()).into_response()
            }
            Self::Large { bytes, announced } => large(*bytes, *announced),
            Self::Redirect { status, to } => {
                let head = [(header::LOCATION, HeaderValue::from_str(to).unwrap())];
                (StatusCode::from_u16(*status).unwrap(), head).into_response()
            }
            Self::Leak => {
                let echoed = [(
                    "x-echo",
                    HeaderValue::from_bytes(seen.header("authorization").unwrap_or(b"-")).unwrap(),
                )];
                (echoed, axum::Json(leaks::envelope(token))).into_response()
            }
        })
    }
}

/// An envelope whose data is one text of exactly as many bytes as make the body `bytes` long.
fn large(bytes: usize, announced: bool) -> Response {
    let (begin, end) = ("{\"code\":0,\"msg\":\"\",\"data\":\"", "\"}");
    let body = format!("{begin}{}{end}", "a".repeat(bytes - begin.len() - end.len()));
    if announced {
        return body.into_response();
    }
    let pieces: Vec<Result<_, Infallible>> =
        body.as_bytes().chunks(60_000).map(|piece| Ok(Frame::data(Bytes::copy_from_slice(piece)))).collect();
    Body::new(StreamBody::new(futures_util::stream::iter(pieces))).into_response()
}

fn stream(body: Unfinished) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], Body::new(body)).into_response()
}

#[derive(Debug, Clone, Copy)]
enum End {
    Never,
    /// After what came before was flushed.
    Soon,
    Now,
}

/// A body that announces more than it ever sends.
struct Unfinished {
    first: Option<Bytes>,
    end: End,
}

impl Unfinished {
    fn new(first: &'static [u8], end: End) -> Self {
        Self { first: Some(Bytes::from_static(first)), end }
    }
}

impl HttpBody for Unfinished {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match (self.first.take(), self.end) {
            (Some(first), _) => Poll::Ready(Some(Ok(Frame::data(first)))),
            (None, End::Never) => Poll::Pending,
            (None, End::Soon) => {
                self.end = End::Now;
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            (None, End::Now) => Poll::Ready(Some(Err(io::Error::other("cut off")))),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(1000)
    }
}
