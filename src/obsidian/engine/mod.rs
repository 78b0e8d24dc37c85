//! What executes the 18 vault tools: `native`, in this process, or `upstream`, the real MCPVault under
//! Node.
//!
//! Invariant: an engine is handed a vault that was chosen and arguments that were checked. It does not
//! know scopes, and it never picks a vault. When an operation is over, nothing of it goes on: no
//! process, no thread.

mod bounds;
pub mod native;
mod upstream;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::environment::Environment;
use super::errors::ObsidianError;
use native::{NativeEngine, TrashPlace};

pub(super) use bounds::Bounds;
pub(super) use upstream::Part;
pub use upstream::{
    MCPVAULT_VARIABLE, MCPVAULT_VERSION, NODE_OLDEST, NODE_VARIABLE, Upstream, UpstreamConfig,
};

/// What a tool answered, as the engine gave it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// MCP content blocks.
    pub content: Vec<Value>,
    pub structured: Option<Value>,
    /// The tool did not do it; the content says why.
    pub is_error: bool,
    pub meta: Option<Map<String, Value>>,
}

/// One of the engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Our own, in this process.
    Native,
    /// MCPVault under Node, a process an operation.
    Upstream,
}

/// Both engines, ready to be used.
#[derive(Debug)]
pub(super) struct Engines {
    native: NativeEngine,
    pub upstream: Upstream,
    protected: Vec<PathBuf>,
}

impl Engines {
    /// `protected` are our own folders.
    pub fn new(upstream: UpstreamConfig, environment: &Environment, protected: Vec<PathBuf>) -> Self {
        let native = NativeEngine::new(TrashPlace { data_home: environment.data_home() });
        Self { native, upstream: Upstream::new(upstream, environment.clone()), protected }
    }

    /// Connects to a vault as for a call, and names the tools that there are. No tool is called.
    pub async fn list_tools(
        &self,
        engine: Engine,
        vault: &Path,
        bounds: &Bounds,
    ) -> Result<Vec<String>, ObsidianError> {
        match engine {
            Engine::Native => {
                let (native, vault, protected) = self.for_native(vault);
                let listed = bounds.run_blocking(move |_| native.list_tools(&vault, &protected)).await??;
                Ok(listed.map(str::to_owned).collect())
            }
            Engine::Upstream => self.upstream.list_tools(vault, bounds).await,
        }
    }

    /// Calls the tool that MCPVault calls `tool`.
    pub async fn call(
        &self,
        engine: Engine,
        vault: &Path,
        tool: &'static str,
        arguments: Map<String, Value>,
        bounds: &Bounds,
    ) -> Result<Output, ObsidianError> {
        match engine {
            Engine::Native => {
                let (native, vault, protected) = self.for_native(vault);
                let work = move |stop: &_| native.call(&vault, &protected, tool, &arguments, stop);
                let done = bounds.run_blocking(work).await??;
                bounds.check()?;
                Ok(done)
            }
            Engine::Upstream => self.upstream.call(vault, tool, arguments, bounds).await,
        }
    }

    fn for_native(&self, vault: &Path) -> (NativeEngine, PathBuf, Vec<PathBuf>) {
        (self.native.clone(), vault.to_owned(), self.protected.clone())
    }
}
