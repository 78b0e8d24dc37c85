//! Where a WebSocket connects: a path, and a query that the permission does not depend on.

use percent_encoding::percent_decode_str;

use super::{ApiPath, PathError, shortened};

const MAX_QUERY_BYTES: usize = 4096;

/// The path and query of a WebSocket, as `/ws?app=…&id=…&type=main`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WsTarget {
    pub path: ApiPath,
    /// Without its question mark; empty when there is none.
    pub query: String,
}

/// A target that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("the query {0:?} cannot be used: it is too long, or holds what no query can")]
    Query(String),
    #[error("the query holds {0:?}; a kernel's credentials come from its settings alone, never from a call")]
    Credential(String),
}

impl WsTarget {
    /// Takes a target as a caller gives it.
    ///
    /// # Errors
    /// The path is ambiguous, the query is none, or it carries a credential.
    pub fn parse(typed: &str) -> Result<Self, TargetError> {
        let (path, query) = typed.split_once('?').unwrap_or((typed, ""));
        let path = ApiPath::parse(path)?;
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.~=&%+:/,@!*'()$".contains(c);
        if query.len() > MAX_QUERY_BYTES || !query.chars().all(fits) {
            return Err(TargetError::Query(shortened(query)));
        }
        for pair in query.split('&') {
            let name = pair.split_once('=').map_or(pair, |(name, _)| name);
            if is_credential_name(&percent_decode_str(name).decode_utf8_lossy()) {
                return Err(TargetError::Credential(shortened(name)));
            }
        }
        Ok(Self { path, query: query.to_owned() })
    }
}

/// Whether a kernel would read a credential from a query parameter of this name.
pub fn is_credential_name(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case("token")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_is_apart_from_the_path() {
        let target = WsTarget::parse("/ws?app=my-app&id=my-session&type=main").unwrap();
        assert_eq!(
            (target.path.as_str(), target.query.as_str()),
            ("/ws", "app=my-app&id=my-session&type=main")
        );
        assert_eq!(WsTarget::parse("/ws").unwrap().query, "");
    }

    #[test]
    fn a_credential_in_the_query_is_refused_in_every_spelling() {
        for query in ["token=x", "app=a&token=x", "Token=x", "%74oken=x", "t%6Fken=x", "token", "%20token=x"]
        {
            let error = WsTarget::parse(&format!("/ws?{query}")).unwrap_err();
            assert!(matches!(error, TargetError::Credential(_)), "{query}: {error}");
            assert!(!error.to_string().contains("=x"), "{error}");
        }
        assert!(WsTarget::parse("/ws?app=token").is_ok());
    }

    #[test]
    fn what_no_query_holds_is_refused() {
        for query in ["a=b#c", "a=b c", "a=\u{e9}", "a=\r\nX: y", "a=b?c", "a;b", "\u{ff1f}"] {
            assert!(
                matches!(WsTarget::parse(&format!("/ws?{query}")), Err(TargetError::Query(_))),
                "{query:?}"
            );
        }
        assert!(matches!(WsTarget::parse(&format!("/ws?{}", "a".repeat(5000))), Err(TargetError::Query(_))));
        for target in ["/ws%3Fapp=a", "/ws\u{ff1f}app=a", "//ws?a=b", "ws?a=b", "/ws/?a=b", "https://x/ws"] {
            assert!(matches!(WsTarget::parse(target), Err(TargetError::Path(_))), "{target:?}");
        }
    }
}
