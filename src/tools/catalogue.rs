//! The one list of tools.

use std::sync::LazyLock;

use crate::obsidian;
use crate::settings::Capability;

/// A tool and the capability that it belongs to.
#[derive(Debug)]
pub struct Tool {
    pub capability: Capability,
    pub spec: &'static obsidian::ToolSpec,
}

static CATALOGUE: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    obsidian::tools().iter().map(|spec| Tool { capability: Capability::Obsidian, spec }).collect()
});

/// Every tool, in the order in which it is shown everywhere.
pub fn catalogue() -> &'static [Tool] {
    &CATALOGUE
}

/// The tool of this name.
pub fn find(name: &str) -> Option<&'static Tool> {
    catalogue().iter().find(|tool| tool.spec.name == name)
}
