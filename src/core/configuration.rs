//! What a person puts into the settings of a chat program: a ready text for each kind of runtime, in the
//! form that its program reads.

use serde_json::{Map, Value, json};

use super::snapshot::{GatewayState, Snapshot};
use crate::settings::{HOME_VARIABLE, RuntimeKind};

/// Stands for a key that is not known any more.
pub const KEY_PLACEHOLDER: &str = "KEY";

/// The MCP address: the one that is listened on, else the one that would be.
pub fn endpoint_url(snapshot: &Snapshot) -> String {
    match &snapshot.gateway {
        GatewayState::Listening { url, .. } => url.clone(),
        _ => format!("http://127.0.0.1:{}/mcp", snapshot.port),
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
        RuntimeKind::OpenCode => indented(&json!({ "mcp": { "notegate": {
            "type": "remote", "url": url, "headers": { "Authorization": bearer }, "oauth": false, "enabled": true,
        } } })),
        RuntimeKind::Continue => format!(
            "mcpServers:\n  - name: notegate\n    type: streamable-http\n    url: {url}\n    requestOptions:\n      headers:\n        Authorization: {bearer}"
        ),
        RuntimeKind::ClaudeCode => {
            format!("claude mcp add --transport http notegate {url} --header \"Authorization: {bearer}\"")
        }
        RuntimeKind::Codex => format!(
            "# NOTEGATE_KEY={key}\n[mcp_servers.notegate]\nurl = \"{url}\"\nbearer_token_env_var = \"NOTEGATE_KEY\""
        ),
        RuntimeKind::Cursor => indented(&json!({ "mcpServers": { "notegate": {
            "url": url, "headers": { "Authorization": bearer },
        } } })),
        RuntimeKind::ClaudeDesktop => indented(&over_stdio(snapshot, key)),
        RuntimeKind::Dsh | RuntimeKind::RemoteAcp | RuntimeKind::Custom => {
            format!("{url}\nAuthorization: {bearer}")
        }
    }
}

/// For a client that starts the bridge by itself. It has neither our search path nor our variables, so the
/// program is named whole, and so is a home that is not the usual one.
fn over_stdio(snapshot: &Snapshot, key: &str) -> Value {
    let mut variables = Map::from_iter([("NOTEGATE_KEY".to_owned(), Value::from(key))]);
    if let Some(home) = &snapshot.bridge.home {
        variables.insert(HOME_VARIABLE.into(), home.to_string_lossy().into());
    }
    json!({ "mcpServers": { "notegate": {
        "command": snapshot.bridge.program.to_string_lossy(), "args": ["stdio"], "env": variables,
    } } })
}

fn indented(value: &Value) -> String {
    // The alternate form of a value is its indented text; it cannot fail.
    format!("{value:#}")
}

#[cfg(test)]
#[path = "configuration_tests.rs"]
mod tests;
