//! What executes the 18 vault tools. One engine so far: `upstream`, the real MCPVault under Node.
//!
//! Invariant: an engine is handed a vault that was chosen and arguments that were checked. It does not
//! know scopes, and it never picks a vault.

pub mod native;
mod upstream;

use std::future::Future;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::errors::ObsidianError;

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

/// Until when an operation may run: its cancellation, and its end in time.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    pub cancel: CancellationToken,
    until: Instant,
    limit: Duration,
}

impl Bounds {
    pub fn new(cancel: CancellationToken, limit: Duration) -> Self {
        Self { cancel, until: Instant::now() + limit, limit }
    }

    /// Runs `work` within the bounds; outside of them it is dropped where it stands.
    pub async fn run<T>(&self, work: impl Future<Output = T>) -> Result<T, ObsidianError> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(ObsidianError::Cancelled),
            done = work => Ok(done),
            () = tokio::time::sleep_until(self.until) => Err(ObsidianError::Timeout { limit: self.limit }),
        }
    }

    /// No success is reported after a cancellation (LR-7, LR-8).
    pub fn check(&self) -> Result<(), ObsidianError> {
        if self.cancel.is_cancelled() { Err(ObsidianError::Cancelled) } else { Ok(()) }
    }
}
