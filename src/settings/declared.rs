//! Endpoints of a kernel that no contract names: declared by hand, or found by asking its MCP server.
//! Being here gives no permission.

use serde::{Deserialize, Serialize};

/// An endpoint that a person declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeclaredEndpoint {
    /// Its key, as `plugin my-plugin example.echo`.
    pub endpoint: String,
    /// What the person wrote about it.
    #[serde(default)]
    pub note: String,
}

/// A tool that a kernel's MCP server named when a person asked it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DiscoveredTool {
    pub name: String,
    /// What the server says of it, shortened.
    #[serde(default)]
    pub description: String,
}
