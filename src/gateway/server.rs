//! The routes, the order of checks that holds on all of them, and the loop that takes connections.
//!
//! Order: not closing, then `Host` and `Origin`, then the announced length, then the key, then the
//! body. What a handler sees has passed all of them and is wholly in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::answers::Answers;
use super::errors::Refusal;
use super::offers::Offers;
use super::{control, direct, health, hosts, identity, limits, mcp, outgoing};
use crate::core::Handle;
use crate::secrets::Secret;

/// What every route may use.
pub(super) type Shared = Arc<Parts>;

pub(super) struct Parts {
    pub handle: Handle,
    pub control: Secret,
    pub port: u16,
    pub offers: Arc<Offers>,
    pub answers: Answers,
    pub mcp: mcp::Endpoint,
    /// Work that outlives the request which began it.
    pub tasks: TaskTracker,
    pub refusing: AtomicBool,
}

impl Parts {
    fn body_limit(&self) -> usize {
        self.handle.access().policy().limits.body_bytes
    }
}

pub(super) fn router(shared: Shared) -> Router {
    let with_key = Router::new()
        .route("/mcp", any(mcp::serve))
        .route("/tools", get(direct::list))
        .route("/tools/{name}", post(direct::call))
        .method_not_allowed_fallback(wrong_method)
        .route_layer(middleware::from_fn_with_state(shared.clone(), runtime_key));
    let with_control = Router::new()
        .route("/control", post(control::command))
        .method_not_allowed_fallback(wrong_method)
        .route_layer(middleware::from_fn_with_state(shared.clone(), control_token));
    Router::new()
        .route("/health", get(health::health))
        .merge(with_key)
        .merge(with_control)
        // The well-known OAuth paths end here as well: a plain 404 that asks for no key.
        .fallback(|| async { Refusal::NotFound })
        .layer(middleware::from_fn_with_state(shared.clone(), from_here))
        .layer(middleware::from_fn_with_state(shared.clone(), outgoing::without_secrets))
        .layer(DefaultBodyLimit::disable())
        .with_state(shared)
}

async fn wrong_method(request: Request) -> Refusal {
    let allowed = if request.uri().path() == "/tools" { "GET" } else { "POST" };
    Refusal::WrongMethod { allowed }
}

/// The first checks, on every route.
async fn from_here(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let checked = if shared.refusing.load(Ordering::Relaxed) {
        Err(Refusal::Closing)
    } else {
        hosts::check(&parts, shared.port)
    };
    match checked {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(refusal) => limits::refuse(&parts.headers, body, refusal).await,
    }
}

/// Lets in requests with the key of a runtime; they carry their [`identity::Identity`] on.
async fn runtime_key(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let limit = shared.body_limit();
    let known = match limits::check_announced(&body, limit) {
        Ok(()) => identity::identify(shared.handle.access(), &parts.headers).await,
        Err(refusal) => Err(refusal),
    };
    match known {
        Ok(identity) => {
            let filter = shared.handle.filters().with_key(identity.key());
            parts.extensions.insert(identity);
            let mut response = with_whole_body(parts, body, limit, next).await;
            response.extensions_mut().insert(filter);
            response
        }
        Err(refusal) => limits::refuse(&parts.headers, body, refusal).await,
    }
}

/// Lets in our own command line.
async fn control_token(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let limit = shared.body_limit();
    let known = limits::check_announced(&body, limit)
        .and_then(|()| identity::check_control(&shared.control, &parts.headers));
    match known {
        Ok(()) => {
            let mut response = with_whole_body(parts, body, limit, next).await;
            response.extensions_mut().insert(shared.handle.filters().with_key(&shared.control));
            response
        }
        Err(refusal) => limits::refuse(&parts.headers, body, refusal).await,
    }
}

async fn with_whole_body(parts: http::request::Parts, body: Body, limit: usize, next: Next) -> Response {
    match limits::read(body, limit).await {
        Ok(bytes) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Takes connections, at most so many at a time, until `closing` fires; then lets each one end its
/// request. `abort` ends them all.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    most: usize,
    closing: CancellationToken,
    abort: CancellationToken,
) {
    let places = Arc::new(Semaphore::new(most));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            biased;
            () = closing.cancelled() => break,
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
        };
        match accepted {
            Ok((stream, _)) => match Arc::clone(&places).try_acquire_owned() {
                Ok(place) => {
                    let (router, closing) = (router.clone(), closing.clone());
                    connections.spawn(async move {
                        connection(stream, router, closing).await;
                        drop(place);
                    });
                }
                Err(_) => {
                    connections.spawn(turn_away(stream));
                }
            },
            Err(error) => {
                // Out of file handles, mostly. The ones in use come back, so wait for that a moment.
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
        }
    }
    drop(listener);
    loop {
        tokio::select! {
            biased;
            () = abort.cancelled() => break,
            ended = connections.join_next() => if ended.is_none() { return },
        }
    }
    connections.shutdown().await;
}

async fn connection(stream: TcpStream, router: Router, closing: CancellationToken) {
    let _ = stream.set_nodelay(true); // Only a matter of speed.
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // A client that goes away in mid-request ends up here; there is nothing to be done about it.
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Says why there is no place, instead of closing without a word.
async fn turn_away(mut stream: TcpStream) {
    let text = "Notegate has too many open connections. Close some and try again.\n";
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
    let write = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await
    };
    if !matches!(tokio::time::timeout(limits::HEAD_TIME, write).await, Ok(Ok(()))) {
        tracing::debug!("a connection above the limit could not be answered");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt as _;

    #[tokio::test]
    async fn a_connection_above_the_limit_is_told_so_and_a_freed_place_is_used_again() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (closing, abort) = (CancellationToken::new(), CancellationToken::new());
        let router = Router::new().route("/", get(|| async { "served" }));
        let server = tokio::spawn(serve(listener, router, 1, closing.clone(), abort));
        let ask = async || {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let (mut answer, head) =
                (String::new(), b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            // It may be turned away before it has said anything.
            let _ = stream.write_all(head).await;
            let _ = stream.read_to_string(&mut answer).await;
            answer
        };
        let mut held = TcpStream::connect(address).await.unwrap();
        held.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        held.read_u8().await.unwrap();
        let refused = ask().await;
        assert!(
            refused.starts_with("HTTP/1.1 503") && refused.contains("too many open connections"),
            "{refused}"
        );
        drop(held);
        while !ask().await.ends_with("served") {
            tokio::task::yield_now().await;
        }
        closing.cancel();
        server.await.unwrap();
    }
}
