//! The versions of MCP that we speak. The list is our own: a newer rmcp may know versions that we
//! have not tried, and those are not offered.

use http::{HeaderMap, HeaderName};
use rmcp::model::{ErrorData, ProtocolVersion};

use super::message::Message;
use crate::gateway::errors::{Refusal, RpcError};

/// Oldest first.
pub(super) static SPOKEN: [ProtocolVersion; 5] = [
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

/// The newest that opens a conversation with `initialize`; offered to who asks for another one.
pub(super) const NEWEST_LEGACY: ProtocolVersion = ProtocolVersion::V_2025_11_25;

pub(super) const HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// How a request is to be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// Up to 2025-11-25.
    Legacy,
    /// Since 2026-07-28: by itself, whatever else there is.
    Modern,
}

/// The era of a message, by its header and by what it says itself.
///
/// # Errors
/// It names a version that we do not speak; the error lists ours.
pub(super) fn era(headers: &HeaderMap, message: &Message) -> Result<Era, Refusal> {
    if message.initialize().is_some() {
        // Here the version is a proposal, and the answer is a counter-proposal.
        return Ok(Era::Legacy);
    }
    let named = header_version(headers)?;
    let own = message.version();
    for version in [&named, &own].into_iter().flatten() {
        if !SPOKEN.contains(version) {
            return Err(unsupported(message, version.clone()).into());
        }
    }
    let is_modern = |version: &ProtocolVersion| !version.has_initialize();
    let modern = message.is_discover() || own.is_some() || named.as_ref().is_some_and(is_modern);
    Ok(if modern { Era::Modern } else { Era::Legacy })
}

/// The version in the header of a request without a body.
pub(super) fn check_header(headers: &HeaderMap) -> Result<(), Refusal> {
    match header_version(headers)? {
        Some(version) if !SPOKEN.contains(&version) => {
            Err(Refusal::Rpc(unsupported_error(serde_json::Value::Null, version)))
        }
        _ => Ok(()),
    }
}

fn header_version(headers: &HeaderMap) -> Result<Option<ProtocolVersion>, Refusal> {
    let mut values = headers.get_all(HEADER).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Refusal::Repeated("MCP-Protocol-Version"));
    }
    let text = String::from_utf8_lossy(value.as_bytes()).trim().to_owned();
    // A version is any text to rmcp, so this cannot fail; what it does not know is not in our list.
    Ok(serde_json::from_value(serde_json::Value::String(text)).ok())
}

fn unsupported(message: &Message, version: ProtocolVersion) -> Box<RpcError> {
    unsupported_error(message.id(), version)
}

fn unsupported_error(id: serde_json::Value, version: ProtocolVersion) -> Box<RpcError> {
    let error = ErrorData::unsupported_protocol_version(version, &SPOKEN);
    Box::new(RpcError { code: error.code.0, id, message: error.message.into_owned(), data: error.data })
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn era_of(header: Option<&'static str>, body: &str) -> Result<Era, Refusal> {
        let mut headers = HeaderMap::new();
        if let Some(version) = header {
            headers.insert(HEADER, HeaderValue::from_static(version));
        }
        era(&headers, &Message::parse(body.as_bytes()).unwrap())
    }

    const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    const MODERN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    const DISCOVER: &str = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{}}}"#;
    const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2099-01-01","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;

    #[test]
    fn m10_each_message_is_of_one_era() {
        assert_eq!(era_of(None, LIST), Ok(Era::Legacy));
        for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
            assert_eq!(era_of(Some(version), LIST), Ok(Era::Legacy), "{version}");
        }
        assert_eq!(era_of(Some("2026-07-28"), LIST), Ok(Era::Modern));
        assert_eq!(era_of(Some("2026-07-28"), MODERN), Ok(Era::Modern));
        assert_eq!(era_of(None, DISCOVER), Ok(Era::Modern));
    }

    #[test]
    fn m13_a_version_that_we_do_not_speak_is_answered_with_our_list_except_by_initialize() {
        for version in ["2099-01-01", "", "1"] {
            let Err(Refusal::Rpc(error)) = era_of(Some(version), LIST) else { panic!("{version} was taken") };
            assert_eq!(error.code, -32022);
            assert_eq!(error.data.unwrap()["supported"].as_array().unwrap().len(), SPOKEN.len());
        }
        assert_eq!(era_of(Some("2099-01-01"), INITIALIZE), Ok(Era::Legacy));
    }
}
