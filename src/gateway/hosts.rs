//! Where a request comes from: the guard against web pages that reach for this computer.
//!
//! A page can make a browser send requests to 127.0.0.1, and by DNS rebinding even read the answers.
//! Such a request names a foreign host or a foreign origin. Both are looked at before anything else,
//! on every route, and whatever is odd (missing, repeated, not plain) counts as foreign.

use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, HeaderName, Uri, header};

use super::errors::Refusal;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Checks `Host`, `Origin` and `Sec-Fetch-Site` of a request to the gateway on `port`.
pub(super) fn check(parts: &Parts, port: u16) -> Result<(), Refusal> {
    if !host_is_ours(&parts.headers, &parts.uri, port) {
        return Err(Refusal::ForeignHost);
    }
    if !origin_is_local(&parts.headers) || !site_is_ours(&parts.headers) {
        return Err(Refusal::ForeignOrigin);
    }
    Ok(())
}

fn host_is_ours(headers: &HeaderMap, uri: &Uri, port: u16) -> bool {
    let Some(Some(host)) = single(headers, &header::HOST) else { return false };
    // A request target in absolute form (`GET http://host/path`) must name us as well.
    is_local(host, Some(port)) && uri.authority().is_none_or(|target| is_local(target.as_str(), Some(port)))
}

/// An absent origin is a program; a present one must be a page that this computer itself serves.
fn origin_is_local(headers: &HeaderMap) -> bool {
    match single(headers, &header::ORIGIN) {
        None => true,
        Some(None) => false,
        Some(Some(origin)) => {
            origin.strip_prefix("http://").is_some_and(|authority| is_local(authority, None))
        }
    }
}

fn site_is_ours(headers: &HeaderMap) -> bool {
    match single(headers, &SEC_FETCH_SITE) {
        None => true,
        Some(site) => matches!(site, Some("none" | "same-origin" | "same-site")),
    }
}

/// `None` when the header is absent, `Some(None)` when it is there more than once or unreadable.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<Option<&'a str>> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    Some(first.to_str().ok().filter(|_| values.next().is_none()))
}

/// Whether `text` is this computer's name for itself, with `port` (`None`: any) or without one.
fn is_local(text: &str, port: Option<u16>) -> bool {
    let Ok(authority) = text.parse::<Authority>() else { return false };
    // `Authority` accepts user info and keeps an empty or oversized port as text; neither is plain.
    let (host, rest) = match authority.as_str().strip_prefix("[::1]") {
        Some(rest) => ("[::1]", rest),
        None => authority.as_str().split_at(authority.as_str().find(':').unwrap_or(text.len())),
    };
    let host_fits = host == "[::1]" || host == "127.0.0.1" || host.eq_ignore_ascii_case("localhost");
    let port_fits = match rest.strip_prefix(':') {
        None => rest.is_empty(),
        Some(digits) => match (digits.parse::<u16>(), port) {
            (Ok(named), Some(port)) => named == port,
            (Ok(_), None) => true,
            (Err(_), _) => false,
        },
    };
    host_fits && port_fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Request;

    #[track_caller]
    fn check_headers(headers: &[(&str, &str)], expected: Result<(), Refusal>) {
        let mut request = Request::builder().uri("/mcp");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        assert_eq!(check(&parts, 27277), expected, "{headers:?}");
    }

    #[test]
    fn only_names_of_this_computer_with_our_port_are_hosts() {
        for host in ["127.0.0.1:27277", "127.0.0.1", "localhost:27277", "LOCALHOST", "[::1]:27277", "[::1]"] {
            check_headers(&[("host", host)], Ok(()));
        }
        for host in [
            "evil.example",
            "evil.example:27277",
            "127.0.0.1:1",
            "127.0.0.1:",
            "127.0.0.1:99999",
            "localhost.",
            "localhost.evil.example",
            "127.0.0.2",
            "0.0.0.0:27277",
            "u@127.0.0.1",
            "[::2]",
            "[::1]x",
            "",
        ] {
            check_headers(&[("host", host)], Err(Refusal::ForeignHost));
        }
        check_headers(&[], Err(Refusal::ForeignHost));
        check_headers(&[("host", "localhost"), ("host", "localhost")], Err(Refusal::ForeignHost));
    }

    #[test]
    fn a_request_target_in_absolute_form_must_name_us_too() {
        let request = Request::builder().uri("http://evil.example/mcp").header("host", "127.0.0.1");
        let (parts, ()) = request.body(()).unwrap().into_parts();
        assert_eq!(check(&parts, 27277), Err(Refusal::ForeignHost));
    }

    #[test]
    fn only_pages_of_this_computer_may_be_origins() {
        for origin in
            ["http://localhost", "http://localhost:3000", "http://127.0.0.1:27277", "http://[::1]:1"]
        {
            check_headers(&[("host", "localhost"), ("origin", origin)], Ok(()));
        }
        for origin in [
            "null",
            "",
            "https://localhost",
            "http://evil.example",
            "http://localhost.evil.example",
            "http://localhost@evil.example",
            "http://127.0.0.1:x",
            "file://",
            "http://localhost, http://localhost",
        ] {
            check_headers(&[("host", "localhost"), ("origin", origin)], Err(Refusal::ForeignOrigin));
        }
        let twice = [("host", "localhost"), ("origin", "http://localhost"), ("origin", "http://localhost")];
        check_headers(&twice, Err(Refusal::ForeignOrigin));
    }

    #[test]
    fn a_cross_site_request_is_refused_even_without_an_origin() {
        check_headers(&[("host", "localhost"), ("sec-fetch-site", "none")], Ok(()));
        for site in ["cross-site", "odd"] {
            check_headers(&[("host", "localhost"), ("sec-fetch-site", site)], Err(Refusal::ForeignOrigin));
        }
    }
}
