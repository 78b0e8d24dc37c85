//! What a client can read. The protocol asks for two media types in `Accept`; many clients send
//! less, and are served all the same.

use http::{HeaderMap, HeaderValue, header};

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// One JSON document. For clients that do not ask for streams.
    Json,
    /// A stream of events.
    Stream,
}

/// Only a client that names event streams is known to read them.
pub(super) fn form(headers: &HeaderMap) -> Form {
    let names_stream = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(is_event_stream);
    if names_stream { Form::Stream } else { Form::Json }
}

fn is_event_stream(entry: &str) -> bool {
    let mut parts = entry.split(';').map(str::trim);
    let named = parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("text/event-stream"));
    // A weight of zero says that it is not wanted.
    named && parts.all(|part| part.strip_prefix("q=").is_none_or(|q| q.parse() != Ok(0.0_f32)))
}

/// Puts down what rmcp insists on; what the client really reads is settled by then.
pub(super) fn normalise(headers: &mut HeaderMap) {
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_names_event_streams_gets_one() {
        let check = |accept: Option<&'static str>, expected| {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            }
            assert_eq!(form(&headers), expected, "{accept:?}");
        };
        for accept in ["application/json, text/event-stream", "text/event-stream", "Text/Event-Stream;q=0.5"]
        {
            check(Some(accept), Form::Stream);
        }
        for accept in ["*/*", "application/json", "application/json, text/event-stream;q=0", ""] {
            check(Some(accept), Form::Json);
        }
        check(None, Form::Json);
    }
}
