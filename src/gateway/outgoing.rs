//! What goes out, without secrets: the last look at every answer, whoever made it.
//!
//! Tools take known secrets out of their results themselves, where these are still values. Here it is the
//! bytes of all answers, errors and streams among them, and besides what is configured the key that the
//! request itself came with.

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::{StreamExt as _, stream};
use http::header;

use super::server::Shared;
use crate::secrets::filter::Filter;

/// The outermost layer. An answer that carries a [`Filter`] was made for a request whose key it knows.
pub(super) async fn without_secrets(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let own = response.extensions_mut().remove::<Filter>();
    let filter = own.unwrap_or_else(|| shared.handle.filters().now());
    if filter.is_empty() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // It may get another length; who sends it counts anew.
    parts.headers.remove(header::CONTENT_LENGTH);
    let body = match whole(&body) {
        Some(length) => match axum::body::to_bytes(body, length).await {
            Ok(bytes) => Body::from(filter.bytes(&bytes).into_owned()),
            Err(error) => {
                tracing::error!(%error, "an answer was shorter or longer than it said");
                Body::empty()
            }
        },
        None => cleaned(body, &filter),
    };
    Response::from_parts(parts, body)
}

/// The length of a body that is in memory already.
fn whole(body: &Body) -> Option<usize> {
    body.size_hint().exact().and_then(|length| usize::try_from(length).ok())
}

fn cleaned(body: Body, filter: &Filter) -> Body {
    let start = Some((body.into_data_stream(), filter.stream()));
    Body::from_stream(stream::unfold(start, async |state| {
        let (mut body, mut stream) = state?;
        let mut out = Vec::new();
        while out.is_empty() {
            match body.next().await {
                Some(Ok(chunk)) => stream.push(&chunk, &mut out),
                Some(Err(error)) => return Some((Err(error), None)),
                None => {
                    stream.finish(&mut out);
                    return (!out.is_empty()).then(|| (Ok(Bytes::from(out)), None));
                }
            }
        }
        Some((Ok(Bytes::from(out)), Some((body, stream))))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::Secret;

    #[tokio::test]
    async fn a_secret_is_taken_out_of_a_stream_and_an_event_is_not_held_back() {
        let filter = Filter::new(&[Secret::from_text("secret-token")]);
        let parts = ["data: a\n\n", "data: sec", "ret-to", "ken\n\n", "data: sec"];
        let body = Body::from_stream(stream::iter(parts.map(Ok::<_, std::io::Error>)));
        let mut stream = cleaned(body, &filter).into_data_stream();
        let mut seen = Vec::new();
        while let Some(chunk) = stream.next().await {
            seen.push(String::from_utf8(chunk.unwrap().to_vec()).unwrap());
        }
        assert_eq!(seen, ["data: a\n\n", "data: ", "[redacted]\n\n", "data: ", "sec"]);
    }
}
