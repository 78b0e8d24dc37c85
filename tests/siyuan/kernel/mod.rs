//! A simulated kernel: what SiYuan 3.7.3 and 3.8 answer, with their traps, as far as we use them.
//!
//! It speaks HTTP and WebSocket on a port of its own, keeps its notes in memory, writes down every
//! request that reached it, and can be told to misbehave on any path. [`Setup`] is how it is set up,
//! and may change while it runs.

pub mod faults;
pub mod leaks;
pub mod origin;
pub mod other_process;
pub mod raw;

mod answer;
mod auth;
mod blocks;
mod dispatch;
mod documents;
mod files;
mod index;
mod markdown;
mod mcp;
mod notebooks;
mod notes;
mod rpc;
mod search;
mod sockets;
mod system;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Router, http::HeaderMap};
use serde_json::Value;
use tokio_util::sync::{CancellationToken, DropGuard};

use faults::Fault;
pub use notes::Notes;

/// What a fresh kernel holds.
pub mod notes_ids {
    pub use super::notes::{CHILD, DOCUMENT, NOTEBOOK};
}

pub mod rpc_names {
    pub use super::rpc::{PLUGIN, STOPPED};
}

pub mod mcp_names {
    pub use super::mcp::TOOLS;
}

use origin::{Log, Origin, Seen};

/// The token of a kernel that was not told another.
pub const TOKEN: &str = "tk+n/0q&k=\"y\\z 7";

/// Which kernel it is: how strictly it reads, and how it guards itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// Stumbles silently over missing fields; no throttling; its own MCP server.
    V3_7_3,
    /// Names the field that is missing; locks out after wrong tokens; checks origins.
    V3_8_6,
}

#[derive(Debug, Clone)]
pub struct Setup {
    pub generation: Generation,
    pub token: String,
    /// The lock-screen password. Without one everybody on this machine is the administrator.
    pub access_code: Option<String>,
    /// As if requests came from another machine.
    pub remote: bool,
    pub read_only: bool,
    /// As if the credentials were a reader's: what takes an administrator is answered with 403.
    pub reader: bool,
    /// 0 to 100; writes are refused below 100.
    pub boot_progress: u8,
    pub workspace: String,
    /// Stands before every path, as behind a proxy.
    pub prefix: String,
    /// How long SQL and search lag behind a write; `flushTransaction` ends the lag.
    pub index_delay: Duration,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            generation: Generation::V3_7_3,
            token: TOKEN.to_owned(),
            access_code: None,
            remote: false,
            read_only: false,
            reader: false,
            boot_progress: 100,
            workspace: "/home/me/SiYuan".to_owned(),
            prefix: String::new(),
            index_delay: Duration::ZERO,
        }
    }
}

impl Setup {
    pub const fn version(&self) -> &'static str {
        match self.generation {
            Generation::V3_7_3 => "3.7.3",
            Generation::V3_8_6 => "3.8.6",
        }
    }
}

/// A running kernel. Dropping it stops it.
pub struct Kernel {
    origin: Origin,
    shared: Arc<Shared>,
    _running: DropGuard,
}

/// What the kernel's parts share.
pub struct Shared {
    setup: Mutex<Setup>,
    notes: Mutex<Notes>,
    index: Mutex<index::Index>,
    guard: Mutex<auth::Guard>,
    faults: Mutex<HashMap<String, Fault>>,
    plugins: Mutex<rpc::Plugins>,
    mcp: Mutex<mcp::Server>,
    sockets: sockets::Sockets,
    log: Arc<Log>,
    /// Lets every request go that a fault holds.
    stop: CancellationToken,
}

impl Kernel {
    /// The kernel as it stands on a desk: no lock-screen password, one notebook with some notes.
    pub async fn start() -> Self {
        Self::with(Setup::default()).await
    }

    pub async fn with(setup: Setup) -> Self {
        let log = Arc::new(Log::default());
        let shared = Arc::new(Shared {
            setup: Mutex::new(setup),
            notes: Mutex::new(Notes::sample()),
            index: Mutex::new(index::Index::new()),
            guard: Mutex::default(),
            faults: Mutex::default(),
            plugins: Mutex::new(rpc::Plugins::sample()),
            mcp: Mutex::default(),
            sockets: sockets::Sockets::default(),
            log: log.clone(),
            stop: CancellationToken::new(),
        });
        let routes = Router::new()
            .fallback(dispatch::answer)
            .layer(middleware::from_fn_with_state(shared.clone(), misbehave))
            .with_state(shared.clone());
        let _running = shared.stop.clone().drop_guard();
        Self { origin: Origin::start(routes, log).await, shared, _running }
    }

    pub fn socket_address(&self) -> SocketAddr {
        self.origin.address()
    }

    pub fn port(&self) -> u16 {
        self.origin.address().port()
    }

    /// The address that a person would enter.
    pub fn address(&self) -> String {
        format!("http://{}{}", self.origin.address(), self.shared.setup().prefix)
    }

    /// Changes how it is set up, while it runs.
    pub fn change(&self, change: impl FnOnce(&mut Setup)) {
        change(&mut self.shared.setup());
    }

    /// Looks at the notes, or changes them behind the client's back.
    pub fn notes(&self) -> MutexGuard<'_, Notes> {
        self.shared.notes()
    }

    /// From now on requests to `path` meet this fault, whoever sends them.
    pub fn fault(&self, path: &str, fault: Fault) {
        self.shared.faults.lock().unwrap().insert(path.to_owned(), fault);
    }

    pub fn heal(&self, path: &str) {
        self.shared.faults.lock().unwrap().remove(path);
    }

    /// Every request that reached it, in order.
    pub fn seen(&self) -> Vec<Seen> {
        self.origin.log().seen()
    }

    /// Those to one path.
    pub fn seen_at(&self, path: &str) -> Vec<Seen> {
        self.seen().into_iter().filter(|seen| seen.path == path).collect()
    }

    /// Returns when a request to `path` has arrived.
    pub async fn arrived(&self, path: &str) {
        self.origin.log().until(|seen| seen.iter().any(|seen| seen.path == path)).await;
    }

    /// Returns when more than `known` requests have arrived.
    pub async fn seen_more_than(&self, known: usize) {
        self.origin.log().until(|seen| seen.len() > known).await;
    }

    /// Looks at the MCP server, or changes how it behaves.
    pub fn mcp<T>(&self, change: impl FnOnce(&mut mcp::Server) -> T) -> T {
        change(&mut self.shared.mcp.lock().unwrap())
    }

    /// The methods that plugins were asked for, in order.
    pub fn plugin_calls(&self) -> Vec<String> {
        self.shared.plugins.lock().unwrap().called.clone()
    }

    /// Every text that came over `/ws`.
    pub fn socket_texts(&self) -> Vec<String> {
        self.shared.sockets.received.lock().unwrap().clone()
    }

    /// How many sockets are open on its side.
    pub fn open_sockets(&self) -> usize {
        self.origin.open_sockets()
    }

    /// Returns when no socket is open on its side.
    pub async fn all_closed(&self) {
        self.origin.all_closed().await;
    }

    /// Sends an event to every socket on `/ws`.
    pub fn push(&self, event: &Value) {
        self.shared.sockets.push(&event.to_string());
    }

    /// Writes its entry into a port file, beside those that stand there.
    pub fn write_port_file(&self, file: &Path, pid: u32) {
        write_port_file(file, pid, self.port());
    }

    pub async fn stop(self) {
        self.shared.stop.cancel();
        self.origin.stop().await;
    }
}

/// Writes as a kernel does: the whole file anew, without a lock, other entries dropped if it cannot be read.
pub fn write_port_file(file: &Path, pid: u32, port: u16) {
    let known = std::fs::read(file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut entries: serde_json::Map<String, Value> = known.unwrap_or_default();
    entries.insert(pid.to_string(), port.to_string().into());
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, serde_json::to_vec_pretty(&entries).unwrap()).unwrap();
}

impl Shared {
    pub fn setup(&self) -> MutexGuard<'_, Setup> {
        self.setup.lock().unwrap()
    }

    pub fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap()
    }
}

/// Writes down what arrives, and answers in the way of a fault where one is set.
async fn misbehave(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let (request, seen) = shared.log.note(request).await;
    let prefix = shared.setup().prefix.clone();
    let Some(path) = seen.path.strip_prefix(&prefix).map(str::to_owned) else {
        return answer::not_found().into_response();
    };
    let fault = shared.faults.lock().unwrap().get(&path).cloned();
    let token = shared.setup().token.clone();
    match fault {
        Some(fault) => match fault.answer(&seen, &token, &shared.stop).await {
            Some(response) => response,
            None => next.run(request).await,
        },
        None => next.run(request).await,
    }
}

/// A header as text, empty where it is missing.
fn header(headers: &HeaderMap, name: &str) -> String {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).unwrap_or_default()
}
