//! A listening origin that writes down what reaches it and counts its open sockets: the ground under
//! the simulated kernel, and the thief that redirects point to.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method};
use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: Method,
    /// As it stood in the request line, still encoded.
    pub path: String,
    pub query: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers.get(name).map(|value| value.as_bytes())
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// What arrived at an origin, in order.
pub struct Log {
    seen: Mutex<Vec<Seen>>,
    changed: watch::Sender<()>,
}

impl Default for Log {
    fn default() -> Self {
        Self { seen: Mutex::default(), changed: watch::Sender::new(()) }
    }
}

impl Log {
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Writes a request down, and gives it back whole. The body of an upgrade is not read.
    pub async fn note(&self, request: Request) -> (Request, Seen) {
        let (head, body) = request.into_parts();
        let upgrade = head.headers.contains_key("upgrade");
        let (body, bytes) = if upgrade {
            (body, Vec::new())
        } else {
            // What a client cut off counts as nothing sent.
            let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
            (Body::from(bytes.clone()), bytes.to_vec())
        };
        let seen = Seen {
            method: head.method.clone(),
            path: head.uri.path().to_owned(),
            query: head.uri.query().unwrap_or_default().to_owned(),
            headers: head.headers.clone(),
            body: bytes,
        };
        self.seen.lock().unwrap().push(seen.clone());
        self.changed.send_replace(());
        (Request::from_parts(head, body), seen)
    }

    /// Returns when `true_of` holds for what has arrived.
    pub async fn until(&self, true_of: impl Fn(&[Seen]) -> bool) {
        let mut changes = self.changed.subscribe();
        while !true_of(&self.seen.lock().unwrap()) {
            changes.changed().await.unwrap();
        }
    }
}

/// A server on a port of its own. Dropping it stops it.
pub struct Origin {
    address: SocketAddr,
    open: watch::Sender<usize>,
    log: Arc<Log>,
    stop: CancellationToken,
    server: Option<JoinHandle<()>>,
}

impl Origin {
    pub async fn start(routes: Router, log: Arc<Log>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let (address, open, stop) =
            (listener.local_addr().unwrap(), watch::Sender::new(0), CancellationToken::new());
        let counting = Counting { listener, open: open.clone() };
        let stopped = stop.clone();
        let server = tokio::spawn(async move {
            tokio::select! {
                served = axum::serve(counting, routes) => served.unwrap(),
                () = stopped.cancelled() => {}
            }
        });
        Self { address, open, log, stop, server: Some(server) }
    }

    /// A place that nothing should ever be sent to: it takes everything and says "ok".
    pub async fn thief() -> Self {
        async fn take(State(log): State<Arc<Log>>, request: Request) -> &'static str {
            log.note(request).await;
            r#"{"code":0,"msg":"","data":"stolen"}"#
        }
        let log = Arc::new(Log::default());
        Self::start(Router::new().fallback(take).with_state(log.clone()), log).await
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn log(&self) -> &Log {
        &self.log
    }

    pub fn open_sockets(&self) -> usize {
        *self.open.borrow()
    }

    pub async fn all_closed(&self) {
        self.open.subscribe().wait_for(|open| *open == 0).await.unwrap();
    }

    pub async fn stop(mut self) {
        self.stop.cancel();
        if let Some(server) = self.server.take() {
            server.await.unwrap();
        }
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

struct Counting {
    listener: TcpListener,
    open: watch::Sender<usize>,
}

impl Listener for Counting {
    type Io = Counted;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Counted, SocketAddr) {
        let (stream, peer) = Listener::accept(&mut self.listener).await;
        self.open.send_modify(|open| *open += 1);
        (Counted { stream, open: self.open.clone() }, peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

struct Counted {
    stream: TcpStream,
    open: watch::Sender<usize>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.open.send_modify(|open| *open -= 1);
    }
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
