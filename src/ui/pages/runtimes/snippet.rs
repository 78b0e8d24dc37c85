//! A ready text for each kind of runtime, in the place and form that its program reads.

use crate::core::{GatewayState, RuntimeKind, Snapshot};

/// The MCP address: the one that is listened on, else the one that would be.
pub(super) fn endpoint(snapshot: &Snapshot) -> String {
    match &snapshot.gateway {
        GatewayState::Listening { url, .. } => url.clone(),
        _ => format!("http://127.0.0.1:{}/mcp", snapshot.port),
    }
}

/// The sentence that says where the text goes.
pub(super) fn place_key(kind: RuntimeKind) -> &'static str {
    match kind {
        RuntimeKind::Model => "place-model",
        RuntimeKind::OpenCode => "place-opencode",
        RuntimeKind::Continue => "place-continue",
        RuntimeKind::ClaudeCode => "place-claude-code",
        RuntimeKind::Codex => "place-codex",
        RuntimeKind::Cursor => "place-cursor",
        RuntimeKind::ClaudeDesktop => "place-claude-desktop",
        RuntimeKind::Dsh | RuntimeKind::RemoteAcp | RuntimeKind::Custom => "place-custom",
    }
}

/// The text itself.
pub(super) fn for_kind(kind: RuntimeKind, url: &str, key: &str) -> String {
    let bearer = format!("Bearer {key}");
    match kind {
        RuntimeKind::Model => {
            let tools = url.strip_suffix("/mcp").unwrap_or(url);
            format!("curl {tools}/tools -H \"Authorization: {bearer}\"")
        }
        RuntimeKind::OpenCode => json(&serde_json::json!({ "mcp": { "notegate": {
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
        RuntimeKind::Cursor => json(&serde_json::json!({ "mcpServers": { "notegate": {
            "url": url, "headers": { "Authorization": bearer },
        } } })),
        RuntimeKind::ClaudeDesktop => json(&serde_json::json!({ "mcpServers": { "notegate": {
            "command": "notegate", "args": ["stdio"], "env": { "NOTEGATE_KEY": key },
        } } })),
        RuntimeKind::Dsh | RuntimeKind::RemoteAcp | RuntimeKind::Custom => {
            format!("{url}\nAuthorization: {bearer}")
        }
    }
}

fn json(value: &serde_json::Value) -> String {
    // The alternate form of a value is its indented text; it cannot fail.
    format!("{value:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m19_to_m21_each_program_finds_the_key_where_it_reads_it() {
        let (url, key) = ("http://127.0.0.1:1/mcp", "ng_k");
        let check = |kind, part: &str| {
            let text = for_kind(kind, url, key);
            assert!(text.contains(part), "{kind:?}: {text}");
            assert!(text.contains(key), "{kind:?}: {text}");
        };
        check(RuntimeKind::OpenCode, "\"oauth\": false");
        check(RuntimeKind::Continue, "requestOptions:\n      headers:\n        Authorization: Bearer ng_k");
        check(RuntimeKind::Codex, "bearer_token_env_var");
        check(RuntimeKind::ClaudeCode, "--header \"Authorization: Bearer ng_k\"");
        check(RuntimeKind::Model, "http://127.0.0.1:1/tools");
        check(RuntimeKind::Custom, "Authorization: Bearer ng_k");
    }

    #[test]
    fn what_is_json_is_json() {
        for kind in [RuntimeKind::OpenCode, RuntimeKind::Cursor, RuntimeKind::ClaudeDesktop] {
            serde_json::from_str::<serde_json::Value>(&for_kind(kind, "u", "k")).unwrap();
        }
    }
}
