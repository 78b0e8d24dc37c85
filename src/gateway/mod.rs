//! The endpoint that chat runtimes connect to: HTTP on this computer's loopback address.
//!
//! | route | for | opened by |
//! | --- | --- | --- |
//! | `POST GET DELETE /mcp` | MCP clients of every protocol version that we speak | a runtime's key |
//! | `GET /tools`, `POST /tools/{name}` | models that are connected directly | a runtime's key |
//! | `POST /control` | our own command line | the control token |
//! | `GET /health` | anyone on this computer | nothing |
//!
//! Anything else, the well-known OAuth paths among it, is a plain 404.
//!
//! # How the two eras of MCP meet
//!
//! Versions up to 2025-11-25 open a conversation with `initialize`, may hold a session and name it in
//! a header; since 2026-07-28 every request stands by itself and carries its version in `_meta`. Both
//! come to `/mcp`, often at the same time, and [`mcp`] decides by request:
//!
//! - A modern request is served by itself.
//! - `initialize` opens a session where the client reads event streams.
//! - A legacy request in a session that is open goes there. One whose session id is missing, stale
//!   or another runtime's is served by itself, so that a restart of ours is invisible to a client
//!   that cannot initialise again.
//! - 404 is answered only where a session was ended by its client or by the person.
//!
//! Invariants: types of axum, hyper and rmcp stay inside this module; every request that reaches a
//! tool carries a [`crate::access::Grant`] that was made for this very request; no answer holds a secret that
//! is known, the key of its own request among them.

mod answers;
mod control;
mod direct;
mod errors;
mod health;
mod hosts;
mod identity;
mod limits;
mod mcp;
mod offers;
mod outgoing;
mod patience;
mod places;
mod server;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

pub use control::{ControlFile, ControlFileError};
pub use health::CHALLENGE;

use crate::core::{CommandError, GatewayState, Handle};
use crate::secrets::Secret;
use answers::Answers;
use offers::Offers;
use server::{Parts, Shared};

/// How long finishing waits for answers that are on their way, and then for connections to close.
const ANSWER_GRACE: Duration = Duration::from_secs(2);
const CONNECTION_GRACE: Duration = Duration::from_secs(3);

/// How the gateway is started.
#[derive(Debug)]
pub struct GatewayOptions {
    /// Port on 127.0.0.1; 0 lets the system choose.
    pub port: u16,
    /// The token that opens the control API.
    pub control: Secret,
}

/// Why the gateway cannot start.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    #[error(
        "port {0} of 127.0.0.1 is in use by another program. Stop that program, or choose another port for Notegate and \
         give it to the clients as well"
    )]
    PortTaken(u16),
    #[error("port {0} of 127.0.0.1 is not open to ordinary programs. Choose one above 1023")]
    PortReserved(u16),
    #[error("cannot listen on port {port} of 127.0.0.1: {source}")]
    Listen { port: u16, source: io::Error },
}

impl From<&GatewayError> for CommandError {
    fn from(error: &GatewayError) -> Self {
        let code = match error {
            GatewayError::PortTaken(_) => "port_taken",
            GatewayError::PortReserved(_) => "port_reserved",
            GatewayError::Listen { .. } => "cannot_listen",
        };
        let told = Self::new(code, error.to_string());
        match error {
            GatewayError::PortTaken(port) | GatewayError::PortReserved(port) => {
                told.about("port", port.to_string())
            }
            // The system's own words are worth reading.
            GatewayError::Listen { .. } => told,
        }
    }
}

/// What a gateway serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Serves {
    /// All routes.
    Endpoint,
    /// Our own command line alone, while the endpoint's port cannot be had.
    Control,
}

/// The running endpoint. End it with [`Gateway::finish`].
pub struct Gateway {
    address: SocketAddr,
    shared: Shared,
    /// Ends what follows changes and lets connections end.
    closing: CancellationToken,
    /// Ends the sessions and every stream.
    streams: CancellationToken,
    /// Ends connections that did not end by themselves.
    abort: CancellationToken,
    server: JoinHandle<()>,
    /// A gateway that is dropped without being finished serves nobody any more.
    _guards: [DropGuard; 3],
}

impl Gateway {
    /// Binds 127.0.0.1 and serves. Tells the core what became of it.
    ///
    /// # Errors
    /// The port cannot be had; another one is never taken in its place.
    pub async fn start(handle: Handle, options: GatewayOptions) -> Result<Self, GatewayError> {
        match Self::listen(handle.clone(), options, Serves::Endpoint).await {
            Ok(gateway) => {
                let url = gateway.mcp_url();
                handle.report_gateway(GatewayState::Listening { url, since: SystemTime::now() });
                Ok(gateway)
            }
            Err(error) => {
                let (error_shown, at) = (CommandError::from(&error), SystemTime::now());
                handle.report_gateway(GatewayState::Failed { error: error_shown, at });
                Err(error)
            }
        }
    }

    /// Serves the control API and nothing else, on any free port: an instance whose endpoint could not be
    /// opened can still be asked and ended by our own command line. The core is told nothing.
    ///
    /// # Errors
    /// Not even that can be had.
    pub async fn start_control_only(handle: Handle, control: Secret) -> Result<Self, GatewayError> {
        Self::listen(handle, GatewayOptions { port: 0, control }, Serves::Control).await
    }

    async fn listen(handle: Handle, options: GatewayOptions, serves: Serves) -> Result<Self, GatewayError> {
        let GatewayOptions { port, control } = options;
        let refused = |source: io::Error| match source.kind() {
            io::ErrorKind::AddrInUse => GatewayError::PortTaken(port),
            io::ErrorKind::PermissionDenied => GatewayError::PortReserved(port),
            _ => GatewayError::Listen { port, source },
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;

        let [closing, streams, abort] = std::array::from_fn(|_| CancellationToken::new());
        let (tasks, answers) = (TaskTracker::new(), Answers::default());
        let offers = Arc::new(Offers::new(&handle.access().policy()));
        let mcp = mcp::Endpoint::new(mcp::Surroundings {
            access: handle.access().clone(),
            tools: handle.tools().clone(),
            offers: Arc::clone(&offers),
            answers: answers.clone(),
            tasks: tasks.clone(),
            closing: closing.clone(),
            streams: streams.clone(),
        });
        let shared: Shared = Arc::new(Parts {
            serves,
            handle,
            control,
            port: address.port(),
            offers,
            answers,
            mcp,
            tasks,
            refusing: AtomicBool::new(false),
            refused_keys: identity::RefusedKeys::default(),
        });
        let router = server::router(Arc::clone(&shared));
        let server = tokio::spawn(server::serve(
            listener,
            router,
            limits::CONNECTIONS,
            closing.clone(),
            abort.clone(),
        ));
        let guards = [&closing, &streams, &abort].map(|token| token.clone().drop_guard());
        Ok(Self { address, shared, closing, streams, abort, server, _guards: guards })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What an MCP client is given.
    pub fn mcp_url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// What a program that calls tools directly is given.
    pub fn tools_url(&self) -> String {
        format!("http://{}/tools", self.address)
    }

    /// Refuses every new request from now on, and says why. Running ones go on.
    pub fn stop_accepting(&self) {
        self.shared.refusing.store(true, Ordering::Relaxed);
    }

    /// Ends the gateway: lets answers that are on their way out, then ends sessions, streams and the
    /// server, and waits for all of them. Bounded: what does not end in time is cut off.
    pub async fn finish(self) {
        self.stop_accepting();
        self.closing.cancel();
        if tokio::time::timeout(ANSWER_GRACE, self.shared.answers.all_out()).await.is_err() {
            tracing::warn!("answers that were still on their way are cut off");
        }
        self.streams.cancel();
        self.shared.tasks.close();
        let cut_off = async {
            tokio::time::sleep(CONNECTION_GRACE).await;
            self.abort.cancel();
            std::future::pending().await
        };
        tokio::select! {
            ended = self.server => if let Err(error) = ended {
                tracing::error!(%error, "the server did not end well");
            },
            () = cut_off => {}
        }
        if tokio::time::timeout(CONNECTION_GRACE, self.shared.tasks.wait()).await.is_err() {
            tracing::warn!("calls that did not clean up in time were left behind");
        }
        if self.shared.serves == Serves::Endpoint {
            self.shared.handle.report_gateway(GatewayState::Stopped { at: SystemTime::now() });
        }
    }
}
