//! What a person puts into the settings of a chat program: a ready text for each kind of runtime, in the
//! form that its program reads.

use serde_json::json;

use super::connect::{self, Bearer, KEY_VARIABLE, Way};
use super::snapshot::{GatewayState, Snapshot};
use crate::settings::RuntimeKind;

/// Stands for a key that is not known any more.
pub const KEY_PLACEHOLDER: &str = "KEY";

/// The MCP address: the one that is listened on, else the one that would be.
pub fn endpoint_url(snapshot: &Snapshot) -> String {
    url_of(&snapshot.gateway, snapshot.port)
}

pub(super) fn url_of(gateway: &GatewayState, port: u16) -> String {
    match gateway {
        GatewayState::Listening { url, .. } => url.clone(),
        _ => format!("http://127.0.0.1:{port}/mcp"),
    }
}

/// The text for a runtime of this kind with this key, to be copied as it is.
pub fn configuration(kind: RuntimeKind, snapshot: &Snapshot, key: &str) -> String {
    let (url, bearer) = (endpoint_url(snapshot), format!("Bearer {key}"));
    match kind {
        RuntimeKind::Model => {
            let tools = url.strip_suffix("/mcp").unwrap_or(&url);
            format!("curl {tools}/tools -H \"Authorization: {bearer}\"")
        }
        RuntimeKind::OpenCode | RuntimeKind::Cursor | RuntimeKind::VsCode => {
            in_its_table(kind, Way::Http { url: &url, bearer: Bearer::Key(key) })
        }
        RuntimeKind::Continue => format!(
            "mcpServers:\n  - name: notegate\n    type: streamable-http\n    url: {url}\n    requestOptions:\n      headers:\n        Authorization: {bearer}"
        ),
        RuntimeKind::ClaudeCode => {
            format!("claude mcp add --transport http notegate {url} --header \"Authorization: {bearer}\"")
        }
        RuntimeKind::Codex => format!(
            "# {KEY_VARIABLE}={key}\n[mcp_servers.notegate]\nurl = \"{url}\"\nbearer_token_env_var = \"{KEY_VARIABLE}\""
        ),
        RuntimeKind::ClaudeDesktop => {
            in_its_table(kind, Way::Bridge { bridge: &snapshot.bridge, key: Ok(key) })
        }
        RuntimeKind::Dsh | RuntimeKind::RemoteAcp | RuntimeKind::Custom => {
            format!("{url}\nAuthorization: {bearer}")
        }
    }
}

/// An entry as JSON, with the table that it stands in.
fn in_its_table(kind: RuntimeKind, way: Way<'_>) -> String {
    let servers = connect::program(kind).map_or("mcpServers", |program| program.servers);
    // The alternate form of a value is its indented text; it cannot fail.
    format!("{:#}", json!({ servers: { "notegate": connect::entry(kind, way) } }))
}

#[cfg(test)]
#[path = "configuration_tests.rs"]
mod tests;
