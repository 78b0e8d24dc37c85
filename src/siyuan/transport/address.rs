//! Where a kernel is: the one origin that a connection ever speaks to, and the prefix below it.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::{Host, Url};

use super::error::RequestError;

/// What stands in a path as it is: the unreserved characters and those with a meaning of their own there.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@')
    .remove(b'/');

/// A kernel's address: scheme, host, port, and the path prefix that a proxy in front of it may want.
///
/// It holds no credentials, so printing it is harmless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    tls: bool,
    host: Host,
    port: u16,
    /// Empty, or `/a/b`: never ends in a slash.
    prefix: String,
}

/// Why a text is not the address of a kernel. The text itself is left out: it may hold credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error(
        "this is not an address. Write it like http://127.0.0.1:6806 or https://notes.example.org/siyuan"
    )]
    NotAnAddress,
    #[error("the address begins with neither http:// nor https://. A kernel is reached over one of the two")]
    Scheme,
    #[error(
        "the address holds a user name or a password. Remove it: the kernel's token is kept in the keyring"
    )]
    Credentials,
    #[error("the address holds a query (`?…`). Remove it, a token in it too: that is kept in the keyring")]
    Query,
    #[error("the address holds a fragment (`#…`). Remove it")]
    Fragment,
}

impl Address {
    /// The kernel that listens on this port of this machine.
    pub const fn local(port: u16) -> Self {
        Self { tls: false, host: Host::Ipv4(Ipv4Addr::LOCALHOST), port, prefix: String::new() }
    }

    /// Whether the host is this machine by its name: a loopback address or `localhost`.
    pub fn is_loopback(&self) -> bool {
        match &self.host {
            Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
            Host::Ipv4(ip) => ip.is_loopback(),
            Host::Ipv6(ip) => ip.is_loopback(),
        }
    }

    pub const fn port(&self) -> u16 {
        self.port
    }

    pub(super) const fn tls(&self) -> bool {
        self.tls
    }

    pub(super) const fn host(&self) -> &Host {
        &self.host
    }

    /// What the `Host` header says.
    pub(super) fn authority(&self) -> String {
        if self.port == default_port(self.tls) {
            self.host.to_string()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    /// The target of a request line: prefix, path and query.
    ///
    /// `path` is plain text, as the kernel knows it; whatever an address cannot carry is encoded here,
    /// a `%` too. What would change the meaning of the path on its way is an error.
    pub(super) fn target(&self, path: &str, query: &[(String, String)]) -> Result<String, RequestError> {
        if !path.starts_with('/') || path.contains(['\\', '?', '#']) || path.contains(char::is_control) {
            return Err(RequestError::Path);
        }
        let mut segments = path[1..].split('/').peekable();
        while let Some(segment) = segments.next() {
            if matches!(segment, "." | "..") || (segment.is_empty() && segments.peek().is_some()) {
                return Err(RequestError::Path);
            }
        }
        if query.iter().any(|(name, _)| name == "token") {
            return Err(RequestError::TokenInQuery);
        }
        let mut target = format!("{}{}", self.prefix, utf8_percent_encode(path, PATH));
        if !query.is_empty() {
            let pairs = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
            target.push('?');
            target.push_str(&pairs);
        }
        Ok(target)
    }
}

const fn default_port(tls: bool) -> u16 {
    if tls { 443 } else { 80 }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let url = Url::parse(text.trim()).map_err(|_| AddressError::NotAnAddress)?;
        let tls = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return Err(AddressError::Scheme),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::Credentials);
        }
        if url.query().is_some() {
            return Err(AddressError::Query);
        }
        if url.fragment().is_some() {
            return Err(AddressError::Fragment);
        }
        let host = url.host().ok_or(AddressError::NotAnAddress)?.to_owned();
        let port = url.port().unwrap_or(default_port(tls));
        Ok(Self { tls, host, port, prefix: url.path().trim_end_matches('/').to_owned() })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}{}", if self.tls { "https" } else { "http" }, self.authority(), self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_is_an_origin_and_a_prefix() {
        let cases = [
            ("http://127.0.0.1:6806", "http://127.0.0.1:6806", "127.0.0.1:6806"),
            (" http://127.0.0.1:6806/ ", "http://127.0.0.1:6806", "127.0.0.1:6806"),
            ("https://notes.example.org/siyuan/", "https://notes.example.org/siyuan", "notes.example.org"),
            ("HTTPS://Notes.Example.org:443/a/b//", "https://notes.example.org/a/b", "notes.example.org"),
            ("http://[::1]:6806/", "http://[::1]:6806", "[::1]:6806"),
            (
                "http://笔记.example/思源",
                "http://xn--uvz335a.example/%E6%80%9D%E6%BA%90",
                "xn--uvz335a.example",
            ),
        ];
        for (text, shown, authority) in cases {
            assert_eq!(address(text).to_string(), shown);
            assert_eq!(address(text).authority(), authority);
        }
        assert_eq!(Address::local(6806), address("http://127.0.0.1:6806"));
    }

    #[test]
    fn an_address_with_credentials_query_or_fragment_is_refused_and_not_repeated() {
        let cases = [
            ("127.0.0.1:6806", AddressError::NotAnAddress),
            ("notes", AddressError::NotAnAddress),
            ("http://", AddressError::NotAnAddress),
            ("ws://127.0.0.1:6806", AddressError::Scheme),
            ("file:///etc/passwd", AddressError::Scheme),
            ("http://me:hunter2@127.0.0.1", AddressError::Credentials),
            ("http://hunter2@127.0.0.1", AddressError::Credentials),
            ("http://127.0.0.1/?token=hunter2", AddressError::Query),
            ("http://127.0.0.1/?", AddressError::Query),
            ("http://127.0.0.1/#hunter2", AddressError::Fragment),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Address>().unwrap_err();
            assert_eq!(error, expected, "{text}");
            assert!(!format!("{error} {error:?}").contains("hunter2"));
        }
    }

    #[test]
    fn a_target_stays_below_the_prefix_and_is_encoded_once() {
        let address = address("https://notes.example.org/siyuan");
        let query = [("q".to_owned(), "a b&c=笔".to_owned())];
        assert_eq!(address.target("/api/x", &[]).unwrap(), "/siyuan/api/x");
        assert_eq!(address.target("/api/x/", &query).unwrap(), "/siyuan/api/x/?q=a+b%26c%3D%E7%AC%94");
        assert_eq!(
            address.target("/assets/50% 图.png", &[]).unwrap(),
            "/siyuan/assets/50%25%20%E5%9B%BE.png"
        );
        assert_eq!(address.target("/%2e%2e/x", &[]).unwrap(), "/siyuan/%252e%252e/x");
        for path in [
            "",
            "api",
            "http://thief/",
            "//thief/x",
            "/a//b",
            "/../x",
            "/a/.",
            "/a\\b",
            "/a?b",
            "/a#b",
            "/a\r\nb",
        ] {
            assert_eq!(address.target(path, &[]), Err(RequestError::Path), "{path:?}");
        }
        let token = [("token".to_owned(), "x".to_owned())];
        assert_eq!(address.target("/api/x", &token), Err(RequestError::TokenInQuery));
    }

    #[test]
    fn this_machine_is_known_by_its_names() {
        for text in [
            "http://127.0.0.1",
            "http://127.8.8.8",
            "http://[::1]",
            "http://localhost:1",
            "http://a.localhost",
        ] {
            assert!(address(text).is_loopback(), "{text}");
        }
        for text in ["http://192.168.1.2", "http://localhost.example.org", "http://notlocalhost"] {
            assert!(!address(text).is_loopback(), "{text}");
        }
    }
}
