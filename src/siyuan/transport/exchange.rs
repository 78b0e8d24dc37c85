//! One request and its answer on a socket of their own, driven by whoever waits for it: no task runs
//! beside it, and dropping it closes the socket.

use std::future::Future;
use std::pin::Pin;

use futures_util::future::{Either, select};
use http::response::Parts;
use http::{HeaderMap, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use url::Url;

use super::dial::{Sent, Socket};
use super::error::{AuthRefusal, TransportError};

/// What is read of a refusal, to tell its reason.
const REFUSAL_LIMIT: usize = 16 * 1024;

/// An answer whose head has arrived.
pub(super) struct Exchange {
    pub head: Parts,
    body: Incoming,
    connection: Option<Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>>,
    sent: Sent,
}

impl Exchange {
    /// Sends the request and waits for the head of its answer. A redirect or a refusal of the caller
    /// is an error already here.
    pub async fn open(
        socket: Socket,
        request: http::Request<Full<Bytes>>,
        sent: Sent,
    ) -> Result<Self, TransportError> {
        let failed = |error: hyper::Error| broken(&error, &sent);
        let (mut sender, connection) = http1::handshake(TokioIo::new(socket)).await.map_err(failed)?;
        let connection: Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>> = Box::pin(connection);
        let (answer, connection) = match select(Box::pin(sender.send_request(request)), connection).await {
            Either::Left((answer, connection)) => (answer, Some(connection)),
            Either::Right((_, answer)) => (answer.await, None),
        };
        let (head, body) = answer.map_err(failed)?.into_parts();
        let mut exchange = Self { head, body, connection, sent: sent.clone() };
        exchange.refuse_refusals().await?;
        Ok(exchange)
    }

    /// The next piece of the body, or `None` at its end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError> {
        loop {
            let frame = match self.connection.as_mut() {
                None => self.body.frame().await,
                Some(connection) => match select(self.body.frame(), connection).await {
                    Either::Left((frame, _)) => frame,
                    Either::Right((_, frame)) => {
                        let frame = frame.await;
                        self.connection = None;
                        frame
                    }
                },
            };
            match frame {
                None => return Ok(None),
                Some(Err(error)) => return Err(broken(&error, &self.sent)),
                // Trailers are no data.
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Ok(Some(data));
                    }
                }
            }
        }
    }

    /// The whole body, if it is no larger than `limit` bytes.
    pub async fn collect(&mut self, limit: usize) -> Result<Vec<u8>, TransportError> {
        let announced = usize::try_from(self.body.size_hint().lower()).unwrap_or(usize::MAX);
        if announced > limit {
            return Err(TransportError::TooLarge { limit });
        }
        let mut whole = Vec::with_capacity(announced);
        while let Some(piece) = self.chunk().await? {
            if piece.len() > limit - whole.len() {
                return Err(TransportError::TooLarge { limit });
            }
            whole.extend_from_slice(&piece);
        }
        Ok(whole)
    }

    async fn refuse_refusals(&mut self) -> Result<(), TransportError> {
        match self.head.status {
            StatusCode::UNAUTHORIZED => {
                // However little of it arrives: the refusal stands.
                let body = self.collect(REFUSAL_LIMIT).await.unwrap_or_default();
                Err(TransportError::Unauthorized(reason(&body)))
            }
            other => refusal(other, &self.head.headers),
        }
    }
}

/// What a status alone says, wherever it comes from.
pub(super) fn refusal(status: StatusCode, headers: &HeaderMap) -> Result<(), TransportError> {
    match status {
        StatusCode::UNAUTHORIZED => Err(TransportError::Unauthorized(AuthRefusal::Unexplained)),
        StatusCode::FORBIDDEN => Err(TransportError::Forbidden),
        StatusCode::TOO_MANY_REQUESTS => {
            let after = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
            Err(TransportError::Throttled { retry_after: after.map(std::time::Duration::from_secs) })
        }
        status if status.is_redirection() && status != StatusCode::NOT_MODIFIED => {
            let to = headers
                .get(header::LOCATION)
                .and_then(|value| value.to_str().ok())
                .map_or_else(String::new, place);
            Err(TransportError::Redirect { status: status.as_u16(), to })
        }
        _ => Ok(()),
    }
}

/// Scheme, host and path of a location; its query may hold anything.
fn place(location: &str) -> String {
    match Url::parse(location) {
        Ok(mut url) => {
            // Not every kind of address can hold these: then it holds none.
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.set_query(None);
            url.set_fragment(None);
            url.to_string()
        }
        Err(_) => location.split(['?', '#']).next().unwrap_or_default().to_owned(),
    }
}

/// Why the kernel takes us for a stranger, by the few sentences that it never translates.
pub(super) fn reason(body: &[u8]) -> AuthRefusal {
    const REASONS: &[(&str, AuthRefusal)] = &[
        ("[header: Authorization]", AuthRefusal::WrongToken),
        ("[session]", AuthRefusal::TokenNeeded),
        ("for security reasons", AuthRefusal::NotLocal),
        ("invalid request origin", AuthRefusal::Origin),
        ("Cross-site requests", AuthRefusal::Origin),
    ];
    REASONS
        .iter()
        .find(|(sign, _)| memchr::memmem::find(body, sign.as_bytes()).is_some())
        .map_or(AuthRefusal::Unexplained, |(_, reason)| *reason)
}

fn broken(error: &hyper::Error, sent: &Sent) -> TransportError {
    if error.is_parse() { TransportError::NotHttp } else { TransportError::Broken { sent: sent.get() } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_is_named_without_what_may_be_secret() {
        let cases = [
            ("/check-auth?to=%2Fapi%3Ftoken%3Dhunter2", "/check-auth"),
            ("http://me:hunter2@thief.example/a?b=hunter2#hunter2", "http://thief.example/a"),
            ("//thief.example/a#hunter2", "//thief.example/a"),
        ];
        for (location, expected) in cases {
            assert_eq!(place(location), expected);
        }
    }

    #[test]
    fn a_refusal_is_told_by_the_sentences_that_are_never_translated() {
        let cases = [
            (r#"{"code":-1,"msg":"Auth failed [header: Authorization]"}"#, AuthRefusal::WrongToken),
            (r#"{"code":-1,"msg":"Auth failed [session]"}"#, AuthRefusal::TokenNeeded),
            (
                r#"{"code":-1,"msg":"Auth failed: for security reasons, please set [Lock screen password] when …"}"#,
                AuthRefusal::NotLocal,
            ),
            (r#"{"code":-1,"msg":"Auth failed: invalid request origin"}"#, AuthRefusal::Origin),
            ("", AuthRefusal::Unexplained),
        ];
        for (body, expected) in cases {
            assert_eq!(reason(body.as_bytes()), expected, "{body}");
        }
    }
}
