//! Everything of a kernel that a permission can be given to: its contract, what every kernel has besides, what a
//! person declared, the MCP tools that were found, and what was granted without being any of these.

use serde::{Deserialize, Serialize};

use super::catalogue::Catalogue;
use crate::settings::{DeclaredEndpoint, DiscoveredTool};
use crate::siyuan::endpoint::{EndpointKey, KeyError};
use crate::siyuan::permissions::Closed;
use crate::siyuan::permissions::closed;

const MAX_NOTE_CHARS: usize = 500;

/// What every kernel has that no contract of its HTTP API names.
const ALWAYS: [&str; 4] = ["connection status", "mcp tools/call", "mcp tools/list", "ws connect /ws"];

/// One line of a kernel's list of endpoints.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: EndpointKey,
    pub origin: Origin,
    pub note: String,
    /// Why no permission opens it in this release.
    pub closed: Option<Closed>,
}

/// How an endpoint came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    Contract,
    /// Every kernel has it.
    Always,
    Declared,
    Discovered,
    /// It has a permission of its own, and nothing else is known of it.
    Granted,
}

/// Why an endpoint cannot be declared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeclareError {
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("{0} is a pattern; declare one path at a time")]
    Pattern(EndpointKey),
    #[error("{0} stands in the contract already; give it a permission there")]
    Known(EndpointKey),
    #[error("{key} is closed in this release: {why}")]
    Closed { key: EndpointKey, why: &'static str },
    #[error("a note has at most {MAX_NOTE_CHARS} characters")]
    Note,
}

/// Checks what a person declares, and gives back its key.
///
/// # Errors
/// It is no key, is known, or is closed.
pub fn declared_key(catalogue: &Catalogue, declared: &DeclaredEndpoint) -> Result<EndpointKey, DeclareError> {
    let key: EndpointKey = declared.endpoint.parse()?;
    if declared.note.chars().count() > MAX_NOTE_CHARS {
        return Err(DeclareError::Note);
    }
    if let Some(closed) = closed::why(&key) {
        return Err(DeclareError::Closed { key, why: closed.why() });
    }
    if let EndpointKey::Http { route, .. }
    | EndpointKey::WsConnect { route }
    | EndpointKey::WsSend { route, .. } = &key
        && route.is_pattern()
    {
        return Err(DeclareError::Pattern(key));
    }
    let is_known = match &key {
        EndpointKey::Http { method, route } => {
            catalogue.at(route.as_str()).iter().any(|e| e.method == *method)
        }
        EndpointKey::ConnectionStatus => true,
        _ => false,
    };
    if is_known { Err(DeclareError::Known(key)) } else { Ok(key) }
}

/// The endpoints of a kernel, each once: those of the contract, then what every kernel has, what was declared,
/// what was found, and what else of the keys in `granted` there is. What cannot be a key is left out: no call could
/// reach it.
pub fn entries<'a>(
    catalogue: &Catalogue,
    declared: &[DeclaredEndpoint],
    discovered: &[DiscoveredTool],
    granted: impl IntoIterator<Item = &'a str>,
) -> Vec<Entry> {
    let known = catalogue
        .endpoints()
        .iter()
        .map(|endpoint| (endpoint.key(), Origin::Contract, endpoint.note.clone().unwrap_or_default()));
    let declared = declared.iter().filter_map(|declared| {
        Some((declared.endpoint.parse().ok()?, Origin::Declared, declared.note.clone()))
    });
    let discovered = discovered.iter().filter_map(|tool| {
        Some((EndpointKey::mcp_tool(&tool.name).ok()?, Origin::Discovered, tool.description.clone()))
    });
    let keyed = |origin| move |key: &str| Some((key.parse().ok()?, origin, String::new()));
    let always = ALWAYS.into_iter().filter_map(keyed(Origin::Always));
    let granted = granted.into_iter().filter_map(keyed(Origin::Granted));
    let mut seen = std::collections::HashSet::new();
    known
        .chain(always)
        .chain(declared)
        .chain(discovered)
        .chain(granted)
        .filter(|(key, ..)| seen.insert(key.clone()))
        .map(|(key, origin, note)| Entry { closed: closed::why(&key), key, origin, note })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(endpoint: &str) -> DeclaredEndpoint {
        DeclaredEndpoint { endpoint: endpoint.into(), note: "mine".into() }
    }

    #[test]
    fn each_protocol_can_be_declared() {
        let catalogue = Catalogue::embedded();
        for endpoint in [
            "http POST /api/anki/connect",
            "plugin my-plugin example.echo",
            "mcp resources/list",
            "mcp tools/call plugin__mine__echo",
            "ws send /ws ping",
            "ws connect /ws",
        ] {
            assert_eq!(declared_key(&catalogue, &declared(endpoint)).unwrap().to_string(), endpoint);
        }
    }

    #[test]
    fn what_is_known_closed_or_no_key_cannot_be_declared() {
        let catalogue = Catalogue::embedded();
        let check = |endpoint: &str, expected: &str| {
            let error = declared_key(&catalogue, &declared(endpoint)).unwrap_err().to_string();
            assert!(error.contains(expected), "{endpoint}: {error}");
        };
        check("http POST /api/block/updateBlock", "stands in the contract already");
        check("http POST /API/block/updateBlock", "stands in the contract already");
        check("connection status", "stands in the contract already");
        check("http POST /api/network/forwardProxy", "is closed in this release");
        check("ws connect /ws/network/proxy", "is closed in this release");
        check("mcp tools/call http_request", "is closed in this release");
        check("http POST /api/x/", "ends in /");
        check("http GET /api/x/:name", "is a pattern");
        check("everything", "is no endpoint key");
        let long = DeclaredEndpoint { endpoint: "mcp x".into(), note: "n".repeat(501) };
        assert_eq!(declared_key(&catalogue, &long), Err(DeclareError::Note));
    }

    #[test]
    fn a_kernels_list_holds_each_endpoint_once() {
        let catalogue = Catalogue::embedded();
        let tool = |name: &str| DiscoveredTool { name: name.into(), description: "found".into() };
        let list = entries(
            &catalogue,
            &[
                declared("mcp tools/call search"),
                declared("http POST /api/block/updateBlock"),
                declared("nonsense"),
            ],
            &[tool("Search"), tool("block"), tool("two words")],
            ["plugin mine echo", "http POST /api/block/updateBlock", "two words"],
        );
        assert_eq!(list.len(), catalogue.endpoints().len() + ALWAYS.len() + 3);
        let origin =
            |key: &str| list.iter().find(|entry| entry.key.to_string() == key).map(|entry| entry.origin);
        assert_eq!(origin("http POST /api/block/updateBlock"), Some(Origin::Contract));
        assert_eq!(origin("mcp tools/call search"), Some(Origin::Declared));
        assert_eq!(origin("mcp tools/call block"), Some(Origin::Discovered));
        assert_eq!(origin("plugin mine echo"), Some(Origin::Granted));
        for key in ALWAYS {
            assert_eq!(origin(key), Some(Origin::Always), "{key}");
        }
        let proxy = list.iter().find(|entry| entry.key.to_string().ends_with("forwardProxy")).unwrap();
        assert_eq!(proxy.closed, Some(Closed::Proxy));
    }
}
