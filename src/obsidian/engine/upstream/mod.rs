//! The `upstream` engine: MCPVault 0.16.0 as it is published, under Node, over stdio.
//!
//! One process an operation. It is started after the vault was chosen and the arguments were checked,
//! and it is gone when the operation is over, whichever way that was (LR-7).

mod connection;
mod node;
mod package;
mod process;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{Bounds, Output};
use crate::obsidian::environment::Environment;
use crate::obsidian::errors::{MissingPart, ObsidianError};

pub use node::{NODE_OLDEST, NODE_VARIABLE};
pub use package::{MCPVAULT_VARIABLE, MCPVAULT_VERSION};

use connection::{Broken, Connection};
use process::{Launch, Process};

/// Where Node and MCPVault are looked for.
#[derive(Debug, Clone, Default)]
pub struct UpstreamConfig {
    /// Folders of this installation that may hold `node` and `mcpvault`; they come first for Node.
    pub bundled: Vec<PathBuf>,
    /// Node's program, as `NOTEGATE_NODE` names it; next in turn.
    pub node: Option<PathBuf>,
    /// The value of `PATH`; last for Node.
    pub search_path: Option<OsString>,
    /// The folder that holds MCPVault's `node_modules`, as `NOTEGATE_MCPVAULT` names it; the only one
    /// when it is given.
    pub package: Option<PathBuf>,
    /// The `vendor/mcpvault` of the checkout that this program was built in; last for MCPVault.
    pub checkout: Option<PathBuf>,
}

impl UpstreamConfig {
    /// What the environment and the place of this program say.
    pub fn from_environment() -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let program = std::env::current_exe().ok();
        Self {
            bundled: program.as_deref().map(bundled_folders).unwrap_or_default(),
            node: set(NODE_VARIABLE).and_then(from_here),
            search_path: set("PATH"),
            package: set(MCPVAULT_VARIABLE).and_then(from_here),
            checkout: program.as_deref().and_then(package::checkout).or_else(package::checkout_of_cargo),
        }
    }
}

/// A path that a person named counts from where this program was started, not from the vault that is
/// the working directory of a call. One that counts from a folder that is gone names nothing.
fn from_here(named: OsString) -> Option<PathBuf> {
    std::path::absolute(named).ok()
}

/// Beside the program, and where packages for Linux and macOS keep what belongs to it.
fn bundled_folders(program: &Path) -> Vec<PathBuf> {
    let Some(folder) = program.parent() else { return Vec::new() };
    let mut folders = vec![folder.to_path_buf()];
    if let Some(above) = folder.parent() {
        folders.push(above.join("lib/notegate"));
        folders.push(above.join("Resources"));
    }
    folders
}

/// The engine.
#[derive(Debug)]
pub struct Upstream {
    config: UpstreamConfig,
    environment: Environment,
    nodes: node::Versions,
}

/// A part that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::obsidian) struct Part {
    pub path: PathBuf,
    pub version: String,
}

impl Upstream {
    pub fn new(config: UpstreamConfig, environment: Environment) -> Self {
        Self { config, environment, nodes: node::Versions::default() }
    }

    /// The package, checked: exactly the version whose contract we offer.
    pub(in crate::obsidian) async fn find_package(&self) -> Result<Part, MissingPart> {
        let config = self.config.clone();
        match tokio::task::spawn_blocking(move || package::find(&config)).await {
            Ok(found) => found,
            Err(error) => {
                Err(MissingPart::PackageUnusable { path: PathBuf::new(), problem: error.to_string() })
            }
        }
    }

    /// Node, checked for its version (once for each program, as long as the file stays the same).
    pub(in crate::obsidian) async fn find_node(&self) -> Result<Part, MissingPart> {
        self.nodes.find(&self.config, &self.environment).await
    }

    /// The names of the tools that MCPVault offers for a vault. No tool is called.
    pub(in crate::obsidian) async fn list_tools(
        &self,
        vault: &Path,
        bounds: &Bounds,
    ) -> Result<Vec<String>, ObsidianError> {
        self.connect(vault, bounds, async |connection| connection.list_tools().await).await
    }

    /// Calls one tool. The arguments go out, and the result comes back, as they are.
    pub(in crate::obsidian) async fn call(
        &self,
        vault: &Path,
        tool: &str,
        arguments: Map<String, Value>,
        bounds: &Bounds,
    ) -> Result<Output, ObsidianError> {
        self.connect(vault, bounds, async |connection| connection.call(tool, arguments).await).await
    }

    /// One connection: start, initialise, do `work`, close; the process is gone at the end of it.
    async fn connect<T>(
        &self,
        vault: &Path,
        bounds: &Bounds,
        work: impl AsyncFnOnce(&Connection) -> Result<T, Broken>,
    ) -> Result<T, ObsidianError> {
        let launch = bounds.run(self.prepare(vault)).await??;
        bounds.check()?;
        let mut process = Process::start(&launch)?;
        let outcome = converse(&mut process, bounds, work).await;
        let stderr = process.end(outcome.is_ok()).await;
        let done = outcome.map_err(|stopped| match stopped {
            Stopped::Broken(broken) => ObsidianError::EngineFailed { problem: broken.to_string(), stderr },
            Stopped::OutOfBounds(error) => error,
        })?;
        bounds.check()?;
        Ok(done)
    }

    async fn prepare(&self, vault: &Path) -> Result<Launch, ObsidianError> {
        let package = self.find_package().await?;
        let node = self.find_node().await?;
        Ok(Launch::server(node.path, package::server(&package.path), vault, &self.environment))
    }
}

/// Why a conversation did not come to its end.
enum Stopped {
    Broken(Broken),
    OutOfBounds(ObsidianError),
}

impl From<Broken> for Stopped {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

impl From<ObsidianError> for Stopped {
    fn from(error: ObsidianError) -> Self {
        Self::OutOfBounds(error)
    }
}

/// Initialise, `work`, close. The connection is closed on every way out.
async fn converse<T>(
    process: &mut Process,
    bounds: &Bounds,
    work: impl AsyncFnOnce(&Connection) -> Result<T, Broken>,
) -> Result<T, Stopped> {
    let connection = bounds.run(Connection::open(process.take_pipes()?)).await??;
    let outcome = bounds.run(work(&connection)).await;
    if !matches!(outcome, Ok(Ok(_))) {
        process.kill(); // at once: closing politely could wait for it
    }
    connection.close().await;
    Ok(outcome??)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_part_counts_from_where_the_program_was_started() {
        let here = std::env::current_dir().unwrap();
        for (named, expected) in [("node", here.join("node")), ("./tools/node", here.join("tools/node"))] {
            assert_eq!(from_here(named.into()), Some(expected), "{named}");
        }
        let absolute = here.join("node");
        assert_eq!(from_here(absolute.clone().into()), Some(absolute));
    }
}
