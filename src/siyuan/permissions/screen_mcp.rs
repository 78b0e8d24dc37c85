//! What a call of a tool of the kernel's MCP server asks for, where the tool's name alone does not say it: its
//! files, its SQL, and the actions of some tools that come to the same as endpoints that are closed.
//!
//! Tools that are not listed here do what their permission says.

use serde_json::{Map, Value};

use super::closed::Closed;
use super::refusal::Reason;
use super::screen::{Rule, Screened, apply};
use super::storage::{Use, check_workspace_path};
use crate::siyuan::endpoint::{EndpointKey, shortened};

/// Tools whose arguments are held to the same rules as the body of the endpoint that does the same.
const RULES: &[(&str, &[Rule])] =
    &[("sql", &[Rule::Sql("stmt")]), ("search", &[Rule::SqlByMethod("query", "method")])];

/// The actions that stand open.
type Actions = &'static [(&'static str, &'static [Rule])];

/// Tools of which only some actions are open, and why the others, and those that a later kernel may add, are not.
const ACTIONS: &[(&str, Closed, Actions)] = &[
    (
        "asset",
        Closed::Archive,
        &[
            ("unused", &[]),
            ("stat", &[Rule::Data("path", Use::List)]),
            ("clean", &[Rule::Data("path", Use::Write)]),
        ],
    ),
    ("image", Closed::Agent, &[("list", &[])]),
];

/// Judges the arguments of a call of one of the tools.
///
/// # Errors
/// They ask for what no permission opens, or cannot be judged.
pub(super) fn mcp(key: &EndpointKey, params: Option<&Value>) -> Result<(), Reason> {
    let EndpointKey::McpTool { tool } = key else { return Ok(()) };
    let arguments =
        params.and_then(|params| params.get("arguments")).filter(|arguments| !arguments.is_null());
    let tool = tool.as_str();
    let none = Map::new();
    let fields = || match arguments {
        None => Ok(&none),
        Some(Value::Object(fields)) => Ok(fields),
        Some(_) => Err(Reason::Unreadable),
    };
    let rules = if tool == "file" {
        return arguments.map_or(Ok(()), files);
    } else if let Some((_, rules)) = RULES.iter().find(|(name, _)| *name == tool) {
        rules
    } else if let Some((_, closed, open)) = ACTIONS.iter().find(|(name, ..)| *name == tool) {
        let action = fields()?.get("action").and_then(Value::as_str).unwrap_or_default();
        let listed = open.iter().find(|(name, _)| *name == action);
        let (_, rules) =
            listed.ok_or_else(|| Reason::ClosedAction { action: shortened(action), closed: *closed })?;
        rules
    } else {
        return Ok(());
    };
    let mut screened = Screened::default();
    rules.iter().try_for_each(|rule| apply(*rule, fields()?, &mut screened))
}

/// The `file` tool reaches the workspace as the file endpoints do.
fn files(arguments: &Value) -> Result<(), Reason> {
    let used = match arguments.get("action").and_then(Value::as_str) {
        Some("list" | "stat" | "find") => Use::List,
        Some("read") => Use::Read,
        Some("grep") => Use::Copy,
        _ => Use::Write,
    };
    paths_in(arguments, used)
}

/// Every text but what is known to be none is held to be a path.
fn paths_in(value: &Value, used: Use) -> Result<(), Reason> {
    const NO_PATHS: &[&str] = &["action", "content", "data", "include", "pattern", "query"];
    match value {
        Value::String(path) => Ok(check_workspace_path(path, used)?),
        Value::Array(list) => list.iter().try_for_each(|entry| paths_in(entry, used)),
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !NO_PATHS.contains(&name.as_str()))
            .try_for_each(|(_, member)| paths_in(member, used)),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[path = "screen_mcp_tests.rs"]
mod tests;
