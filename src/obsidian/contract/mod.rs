//! The 19 tools as runtimes see them: `obsidian_list_vaults` and MCPVault's 18 under our prefix.
//!
//! Names, fields, required fields, defaults and constraints are MCPVault 0.16.0's, held by a test
//! that asks the real one; the descriptions are ours. To each of the 18 comes an optional `vaultId`,
//! and the outer object is closed to unknown fields, because MCPVault overlooks a misspelt one.

mod fields;
mod table;

use std::sync::LazyLock;

use serde_json::{Map, Value};

pub(super) use fields::{Field, Kind};

/// The prefix of every tool's name.
pub const PREFIX: &str = "obsidian_";

/// The argument that names the vault.
pub const VAULT_ID: &str = "vaultId";

/// One tool, as it is offered.
#[derive(Debug)]
pub struct ToolSpec {
    /// The name that runtimes call.
    pub name: &'static str,
    /// The name that the engine knows; `None` for `obsidian_list_vaults`, which no engine does.
    pub upstream: Option<&'static str>,
    /// A short name for people.
    pub title: &'static str,
    pub description: &'static str,
    /// A plain JSON schema: an object with `properties`, closed, without references.
    pub input_schema: Map<String, Value>,
    /// It may change notes. Describes; filters nothing.
    pub writes: bool,
    /// What it changes may be lost.
    pub destructive: bool,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: bool,
    pub(super) fields: &'static [Field],
}

impl ToolSpec {
    pub(super) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether `vaultId` can be given.
    pub(super) fn takes_vault(&self) -> bool {
        self.upstream.is_some()
    }
}

/// All 19 tools, in a fixed order: `obsidian_list_vaults`, then MCPVault's order.
pub fn tools() -> &'static [ToolSpec] {
    static TOOLS: LazyLock<Vec<ToolSpec>> = LazyLock::new(table::build);
    &TOOLS
}

/// The tool of that name.
pub fn tool(name: &str) -> Option<&'static ToolSpec> {
    tools().iter().find(|tool| tool.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_is_19_tools_that_strict_readers_accept() {
        let tools = tools();
        assert_eq!(tools.len(), 19);
        assert_eq!(tools[0].name, "obsidian_list_vaults");
        for tool in tools {
            assert_eq!(
                tool.upstream.map(|name| format!("{PREFIX}{name}")).as_deref().unwrap_or(tools[0].name),
                tool.name
            );
            let schema = &tool.input_schema;
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert!(schema["properties"].is_object(), "{}", tool.name);
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
            assert_eq!(
                schema["properties"].get(VAULT_ID).is_some(),
                tool.upstream.is_some(),
                "{}",
                tool.name
            );
            let text = serde_json::to_string(schema).unwrap();
            for word in ["$ref", "anyOf", "oneOf", "allOf"] {
                assert!(!text.contains(word), "{}: {word}", tool.name);
            }
            assert!(tool.name.len() + "mcp__notegate__".len() <= 60, "{}", tool.name);
            assert!(!tool.destructive || tool.writes, "{}", tool.name);
        }
        assert!(tool("obsidian_read_note").is_some() && tool("read_note").is_none());
    }
}
