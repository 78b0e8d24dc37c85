//! The way of a call through this module: arguments, scope, vault, paths, turn, engine.
//!
//! Each operation runs in a task of its own that [`Service::close`] waits for. So an operation cleans
//! up after itself whatever becomes of its caller: when the caller's future is dropped, the operation
//! is cancelled, and its process or its thread comes to an end all the same.

use std::collections::BTreeSet;
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::arguments::check_arguments;
use super::contract::{ToolSpec, VAULT_ID};
use super::diagnosis::{self, Diagnosis};
use super::engine::{Bounds, Engine, Engines, Output, UpstreamConfig};
use super::environment::Environment;
use super::errors::ObsidianError;
use super::guard::Guard;
use super::locks::{Held, Locks};
use super::{Scope, Vault, scope};

/// How often a call looks again where its paths lead when that changed while it waited for its turn.
const MOST_LOOKS: usize = 8;

/// What the service is told once; it reads no settings.
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    pub environment: Environment,
    /// Our own folders, which no vault makes reachable.
    pub protected: Vec<PathBuf>,
    pub upstream: UpstreamConfig,
    /// How long one operation may take, from its beginning to its answer.
    pub call_time: Duration,
}

/// What a test of a scope found (LR-6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TestReport {
    pub vaults: Vec<Vault>,
    /// Tools of the engine, counted by name over all vaults; `obsidian_list_vaults` is not one.
    pub tool_count: usize,
}

/// Tells whether a call has come to its engine. Until then nothing of a vault was touched.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<AtomicBool>);

impl Progress {
    fn engine_begins(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub fn engine_began(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Access to the vaults in scope.
pub struct Service {
    inner: Arc<Inner>,
    running: TaskTracker,
    closing: AtomicBool,
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("running", &self.running.len()).finish_non_exhaustive()
    }
}

struct Inner {
    config: ServiceConfig,
    engines: Engines,
    locks: Locks,
}

impl Service {
    pub fn new(config: ServiceConfig) -> Self {
        let engines = Engines::new(config.upstream.clone(), &config.environment, config.protected.clone());
        let inner = Arc::new(Inner { config, engines, locks: Locks::default() });
        Self { inner, running: TaskTracker::new(), closing: AtomicBool::new(false) }
    }

    /// The vaults in scope, in a stable order.
    ///
    /// # Errors
    /// A scope that cannot be used as a whole (LR-5).
    pub async fn discover(&self, scope: &Scope) -> Result<Vec<Vault>, ObsidianError> {
        let scope = scope.clone();
        self.operate(&CancellationToken::new(), async move |inner, bounds| {
            inner.discover(&scope, &bounds).await
        })
        .await
    }

    /// Tests a scope, saved or not, with an engine: finds its vaults, and connects to each in turn to list
    /// the tools. Changes no note and calls no tool (LR-6).
    pub async fn test(&self, scope: &Scope, engine: Engine) -> Result<TestReport, ObsidianError> {
        let scope = scope.clone();
        let work = async move |inner: Arc<Inner>, bounds| inner.test(&scope, engine, &bounds).await;
        self.operate(&CancellationToken::new(), work).await
    }

    /// Calls a tool by an engine. `arguments` may hold `vaultId`.
    ///
    /// The answer is given when nothing of the call goes on, no process and no thread. `cancel` ends the call at any moment;
    /// what has reached the disk by then stays (LR-7).
    ///
    /// # Errors
    /// What kept the tool from being run. A tool that ran and failed is an [`Output`] with `is_error`.
    pub async fn call(
        &self,
        scope: &Scope,
        engine: Engine,
        tool: &'static ToolSpec,
        arguments: Map<String, Value>,
        cancel: &CancellationToken,
    ) -> Result<Output, ObsidianError> {
        self.call_observed(scope, engine, tool, arguments, cancel, &Progress::default()).await
    }

    /// The same, for a caller who must know how far the call has come.
    pub async fn call_observed(
        &self,
        scope: &Scope,
        engine: Engine,
        tool: &'static ToolSpec,
        arguments: Map<String, Value>,
        cancel: &CancellationToken,
        progress: &Progress,
    ) -> Result<Output, ObsidianError> {
        check_arguments(tool, &arguments)?;
        let (scope, progress) = (scope.clone(), progress.clone());
        let work = async move |inner: Arc<Inner>, bounds| {
            inner.call(&scope, engine, tool, arguments, &bounds, &progress).await
        };
        self.operate(cancel, work).await
    }

    /// Refuses new operations from now on, and waits until each running one has cleaned up, also those
    /// that were cancelled before.
    pub async fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
        self.running.close();
        self.running.wait().await;
    }

    /// What is found and what is missing, for `notegate doctor`. Starts Node to ask for its version.
    pub async fn diagnose(&self) -> Diagnosis {
        diagnosis::diagnose(&self.inner.config.environment, &self.inner.engines.upstream).await
    }

    /// Runs one operation as a task that is waited for at closing, and cancelled with its caller.
    async fn operate<T, W>(
        &self,
        cancel: &CancellationToken,
        work: impl FnOnce(Arc<Inner>, Bounds) -> W,
    ) -> Result<T, ObsidianError>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, ObsidianError>> + Send + 'static,
    {
        // Counted before the question is asked, so that closing either waits for us or refuses us.
        let counted = self.running.token();
        if self.closing.load(Ordering::SeqCst) {
            return Err(ObsidianError::Closing);
        }
        let cancel = cancel.child_token();
        let _with_caller = cancel.clone().drop_guard();
        let bounds = Bounds::new(cancel, self.inner.config.call_time);
        bounds.check()?;
        let task = self.running.spawn(work(Arc::clone(&self.inner), bounds));
        drop(counted);
        match task.await {
            Ok(done) => done,
            Err(error) => Err(ObsidianError::Internal(error.to_string())),
        }
    }
}

impl Inner {
    async fn discover(&self, scope: &Scope, bounds: &Bounds) -> Result<Vec<Vault>, ObsidianError> {
        let (scope, environment) = (scope.clone(), self.config.environment.clone());
        blocking(bounds, move || scope.resolve(&environment)).await
    }

    async fn test(
        &self,
        scope: &Scope,
        engine: Engine,
        bounds: &Bounds,
    ) -> Result<TestReport, ObsidianError> {
        let vaults = self.discover(scope, bounds).await?;
        let mut names = BTreeSet::new();
        for vault in &vaults {
            self.guard(vault, bounds).await?;
            names.extend(self.engines.list_tools(engine, &vault.path, bounds).await?);
        }
        Ok(TestReport { vaults, tool_count: names.len() })
    }

    async fn call(
        &self,
        scope: &Scope,
        engine: Engine,
        tool: &'static ToolSpec,
        mut arguments: Map<String, Value>,
        bounds: &Bounds,
        progress: &Progress,
    ) -> Result<Output, ObsidianError> {
        let vaults = self.discover(scope, bounds).await?;
        let Some(upstream) = tool.upstream else { return Ok(listing(&vaults)) };
        let id = arguments.shift_remove(VAULT_ID);
        let vault = scope::choose(vaults, id.as_ref().and_then(Value::as_str))?;
        let guard = self.guard(&vault, bounds).await?;
        let _held = self.take_turn(guard, engine, tool, &arguments, bounds).await?;
        progress.engine_begins();
        self.engines.call(engine, &vault.path, upstream, arguments, bounds).await
    }

    async fn guard(&self, vault: &Vault, bounds: &Bounds) -> Result<Arc<Guard>, ObsidianError> {
        let (path, protected) = (vault.path.clone(), self.config.protected.clone());
        let environment = self.config.environment.clone();
        let guard = move || Guard::new(&path, environment.home(), &protected, environment.platform());
        blocking(bounds, guard).await.map(Arc::new)
    }

    /// Waits until the call may have its files. Where its paths lead is looked at before the wait and
    /// after it, and must be the same.
    async fn take_turn(
        &self,
        guard: Arc<Guard>,
        engine: Engine,
        tool: &'static ToolSpec,
        arguments: &Map<String, Value>,
        bounds: &Bounds,
    ) -> Result<Held, ObsidianError> {
        let arguments = Arc::new(paths_among(arguments));
        let look = async || {
            let (guard, arguments) = (Arc::clone(&guard), Arc::clone(&arguments));
            let stop = CancellationToken::new();
            let _with_us = stop.clone().drop_guard();
            blocking(bounds, move || guard.reach(engine, tool, &arguments, &stop)).await
        };
        let mut reach = look().await?;
        for _ in 0..MOST_LOOKS {
            let held = bounds.run(self.locks.hold(&reach.files, tool.writes)).await?;
            let now = look().await?;
            if now == reach {
                return Ok(held);
            }
            reach = now;
        }
        Err(ObsidianError::Internal(format!("the paths of {} keep changing", tool.name)))
    }
}

/// The arguments that paths are read from, without the text of notes.
fn paths_among(arguments: &Map<String, Value>) -> Map<String, Value> {
    let is_text_of_a_note =
        |name: &str| matches!(name, "content" | "oldString" | "newString" | "frontmatter");
    let kept = arguments.iter().filter(|(name, _)| !is_text_of_a_note(name));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The answer of `obsidian_list_vaults`.
fn listing(vaults: &[Vault]) -> Output {
    let list: Vec<Value> =
        vaults.iter().map(|vault| json!({"id": vault.id, "name": vault.name, "path": vault.path})).collect();
    let structured = json!({ "vaults": list });
    Output {
        content: vec![json!({"type": "text", "text": structured.to_string()})],
        structured: Some(structured),
        is_error: false,
        meta: None,
    }
}

/// Work on files, off the threads that must not wait.
async fn blocking<T: Send + 'static>(
    bounds: &Bounds,
    work: impl FnOnce() -> Result<T, ObsidianError> + Send + 'static,
) -> Result<T, ObsidianError> {
    match bounds.run(tokio::task::spawn_blocking(work)).await? {
        Ok(done) => done,
        Err(error) => Err(ObsidianError::Internal(error.to_string())),
    }
}
