//! The one list of tools.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::settings::Capability;
use crate::{obsidian, siyuan};

/// A tool as everybody sees it, and the capability that it belongs to.
#[derive(Debug)]
pub struct Tool {
    pub capability: Capability,
    /// The name that runtimes call.
    pub name: &'static str,
    /// A short name for people.
    pub title: &'static str,
    pub description: &'static str,
    /// A plain JSON schema: an object with `properties`, closed, without references.
    pub input_schema: &'static Map<String, Value>,
    /// It may change notes. Describes; filters nothing.
    pub writes: bool,
    /// What it changes may be lost.
    pub destructive: bool,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: bool,
    pub(super) door: Door,
}

/// Where a call of a tool goes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Door {
    Obsidian(&'static obsidian::ToolSpec),
    Siyuan(&'static siyuan::tools::ToolSpec),
}

static CATALOGUE: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let obsidian = obsidian::tools().iter().map(|spec| Tool {
        capability: Capability::Obsidian,
        name: spec.name,
        title: spec.title,
        description: spec.description,
        input_schema: &spec.input_schema,
        writes: spec.writes,
        destructive: spec.destructive,
        idempotent: spec.idempotent,
        door: Door::Obsidian(spec),
    });
    let siyuan = siyuan::tools::tools().iter().map(|spec| Tool {
        capability: Capability::Siyuan,
        name: spec.name,
        title: spec.title,
        description: spec.description,
        input_schema: &spec.input_schema,
        writes: spec.writes,
        destructive: spec.destructive,
        idempotent: spec.idempotent,
        door: Door::Siyuan(spec),
    });
    obsidian.chain(siyuan).collect()
});

/// Every tool, in the order in which it is shown everywhere.
pub fn catalogue() -> &'static [Tool] {
    &CATALOGUE
}

/// The tool of this name.
pub fn find(name: &str) -> Option<&'static Tool> {
    catalogue().iter().find(|tool| tool.name == name)
}
