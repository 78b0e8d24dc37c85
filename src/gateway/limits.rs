//! How much a request may carry, and how long it may take to arrive.

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::errors::Refusal;

/// Connections at the same time. Each open session may hold one for its stream, so this stands above
/// the sessions that are allowed by default, and below the files that a process may usually have open.
pub(super) const CONNECTIONS: usize = 512;

/// Connections above that which are told so at the same time, and how long each may take to hear it.
pub(super) const TURNED_AWAY: usize = 64;
pub(super) const TURN_AWAY_TIME: Duration = Duration::from_secs(2);

/// How long a client may take nothing of what is written to it.
pub(super) const UNREAD_TIME: Duration = Duration::from_secs(60);

/// How long a client may take for the head of a request.
pub(super) const HEAD_TIME: Duration = Duration::from_secs(15);

/// How long a client may take for a whole body. Everything is on this computer, so even the largest
/// one is there in a fraction of it.
const BODY_TIME: Duration = Duration::from_secs(30);

/// How much of a refused body is taken in, and for how long, so that a client that is still sending
/// gets to read the refusal instead of a broken connection.
const DRAINED_BYTES: usize = 64 * 1024 * 1024;
const DRAIN_TIME: Duration = Duration::from_secs(5);

/// Refuses a body whose announced length is over the limit, before any of it is read.
pub(super) fn check_announced(body: &Body, limit: usize) -> Result<(), Refusal> {
    if body.size_hint().lower() > limit as u64 { Err(Refusal::TooLarge { limit }) } else { Ok(()) }
}

/// Takes in a whole body, within the limit and in time.
pub(super) async fn read(body: Body, limit: usize) -> Result<Bytes, Refusal> {
    read_within(BODY_TIME, body, limit).await
}

async fn read_within(time: Duration, body: Body, limit: usize) -> Result<Bytes, Refusal> {
    match tokio::time::timeout(time, Limited::new(body, limit).collect()).await {
        Err(_) => Err(Refusal::SlowBody),
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Refusal::TooLarge { limit }),
        Ok(Err(_)) => Err(Refusal::BrokenBody),
    }
}

/// Answers a request that is refused before its body was read.
pub(super) async fn refuse(headers: &HeaderMap, mut body: Body, refusal: Refusal) -> Response {
    // Who asks first whether to send the body is simply not told to.
    if !headers.contains_key(header::EXPECT) {
        let drain = async {
            let mut taken = 0;
            while taken < DRAINED_BYTES
                && let Some(Ok(frame)) = body.frame().await
            {
                taken += frame.data_ref().map_or(0, Bytes::len);
            }
        };
        // Whether it ended or not, the answer is the same.
        let _ = tokio::time::timeout(DRAIN_TIME, drain).await;
    }
    refusal.into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;

    #[tokio::test]
    async fn a_body_of_unknown_length_is_held_within_the_limit_too() {
        let chunks = |n: usize| {
            Body::from_stream(stream::iter(
                (0..n).map(|_| Ok::<_, std::io::Error>(Bytes::from_static(b"12345678"))),
            ))
        };
        assert!(check_announced(&chunks(9), 64).is_ok(), "nothing was announced");
        assert_eq!(read(chunks(8), 64).await.map(|bytes| bytes.len()), Ok(64));
        assert_eq!(read(chunks(9), 64).await, Err(Refusal::TooLarge { limit: 64 }));
        assert_eq!(check_announced(&Body::from(vec![0; 65]), 64), Err(Refusal::TooLarge { limit: 64 }));
    }

    #[tokio::test]
    async fn a_body_that_never_ends_is_given_up() {
        let body = Body::from_stream(stream::pending::<std::io::Result<Bytes>>());
        assert_eq!(read_within(Duration::from_millis(1), body, 64).await, Err(Refusal::SlowBody));
    }
}
