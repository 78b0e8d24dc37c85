//! Obsidian vaults: types only so far.
pub mod engine;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VaultId(pub String);
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vault {
    pub id: VaultId,
    pub name: String,
    pub path: PathBuf,
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    Registered,
    Folder(PathBuf),
}
impl Scope {
    pub fn from_setting(path: &str) -> Self {
        if path.is_empty() { Self::Registered } else { Self::Folder(path.into()) }
    }
}
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport {
    pub vaults: Vec<Vault>,
    pub tool_count: usize,
}
#[derive(Debug, Clone)]
pub struct Environment;
impl Environment {
    pub fn from_process() -> Self {
        Self
    }
}
#[derive(Debug, Clone)]
pub struct UpstreamConfig;
impl UpstreamConfig {
    pub fn from_environment() -> Self {
        Self
    }
}
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    pub environment: Environment,
    pub protected: Vec<PathBuf>,
    pub upstream: UpstreamConfig,
    pub call_time: Duration,
}
#[derive(Debug)]
pub struct Service;
#[derive(Debug, thiserror::Error)]
#[error("stub")]
pub struct ObsidianError;
#[derive(Debug, thiserror::Error)]
#[error("stub")]
pub struct ArgumentError;
impl ObsidianError {
    pub fn code(&self) -> &'static str {
        "internal"
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub content: Vec<Value>,
    pub structured: Option<Value>,
    pub is_error: bool,
    pub meta: Option<Map<String, Value>>,
}
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
pub struct Diagnosis;
#[derive(Debug)]
pub struct ToolSpec {
    pub name: &'static str,
    pub upstream: Option<&'static str>,
    pub title: &'static str,
    pub description: &'static str,
    pub input_schema: Map<String, Value>,
    pub writes: bool,
    pub destructive: bool,
    pub idempotent: bool,
}
pub fn tools() -> &'static [ToolSpec] {
    &[]
}
pub fn check_arguments(_: &ToolSpec, _: &Map<String, Value>) -> Result<(), ArgumentError> {
    Ok(())
}
impl Service {
    pub fn new(_: ServiceConfig) -> Self {
        Self
    }
    pub async fn discover(&self, _: &Scope) -> Result<Vec<Vault>, ObsidianError> {
        Err(ObsidianError)
    }
    pub async fn test(&self, _: &Scope) -> Result<TestReport, ObsidianError> {
        Err(ObsidianError)
    }
    pub async fn call(
        &self,
        _: &Scope,
        _: &ToolSpec,
        _: Map<String, Value>,
        _: &CancellationToken,
    ) -> Result<Output, ObsidianError> {
        Err(ObsidianError)
    }
    pub async fn close(&self) {}
    pub async fn diagnose(&self) -> Diagnosis {
        Diagnosis
    }
}
