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
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::answers::Answers;
use super::errors::Refusal;
use super::identity::RefusedKeys;
use super::offers::Offers;
use super::patience::Patient;
use super::places::{Held, Place, Places};
use super::{Serves, control, direct, health, hosts, identity, limits, mcp, outgoing};
use crate::core::Handle;
use crate::secrets::Secret;

/// What every route may use.
pub(super) type Shared = Arc<Parts>;

pub(super) struct Parts {
    pub serves: Serves,
    pub handle: Handle,
    pub control: Secret,
    pub port: u16,
    pub offers: Arc<Offers>,
    pub answers: Answers,
    pub mcp: mcp::Endpoint,
    /// Work that outlives the request which began it.
    pub tasks: TaskTracker,
    pub refusing: AtomicBool,
    pub refused_keys: RefusedKeys,
}

impl Parts {
    fn body_limit(&self) -> usize {
        self.handle.access().policy().limits.body_bytes
    }
}

pub(super) fn router(shared: Shared) -> Router {
    let with_control = Router::new()
        .route("/control", post(control::command))
        .method_not_allowed_fallback(wrong_method)
        .route_layer(middleware::from_fn_with_state(shared.clone(), control_token));
    let others = match shared.serves {
        Serves::Endpoint => for_runtimes(&shared),
        Serves::Control => Router::new().fallback(|| async { Refusal::NotOpen }),
    };
    Router::new()
        .route("/health", get(health::health))
        .merge(with_control)
        .merge(others)
        .layer(middleware::from_fn_with_state(shared.clone(), from_here))
        .layer(middleware::from_fn_with_state(shared.clone(), outgoing::without_secrets))
        .layer(DefaultBodyLimit::disable())
        .with_state(shared)
}

/// The endpoint itself.
fn for_runtimes(shared: &Shared) -> Router<Shared> {
    Router::new()
        .route("/mcp", any(mcp::serve))
        .route("/tools", get(direct::list))
        .route("/tools/{name}", post(direct::call))
        .method_not_allowed_fallback(wrong_method)
        .route_layer(middleware::from_fn_with_state(shared.clone(), runtime_key))
        // The well-known OAuth paths end here as well: a plain 404 that asks for no key.
        .fallback(|| async { Refusal::NotFound })
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
            keep_place(&parts);
            let filter = shared.handle.filters().with_key(identity.key());
            parts.extensions.insert(identity);
            let mut response = with_whole_body(parts, body, limit, next).await;
            response.extensions_mut().insert(filter);
            response
        }
        Err(refusal) => {
            shared.refused_keys.note(&refusal, parts.uri.path());
            limits::refuse(&parts.headers, body, refusal).await
        }
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
            keep_place(&parts);
            let mut response = with_whole_body(parts, body, limit, next).await;
            response.extensions_mut().insert(shared.handle.filters().with_key(&shared.control));
            response
        }
        Err(refusal) => limits::refuse(&parts.headers, body, refusal).await,
    }
}

/// Whoever had a good key keeps the connection's place.
fn keep_place(parts: &http::request::Parts) {
    if let Some(place) = parts.extensions.get::<Arc<Place>>() {
        place.is_known();
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
    let places = Places::new(most);
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            biased;
            () = closing.cancelled() => break,
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
        };
        match accepted {
            Ok((stream, _)) => match places.take() {
                Some(held) => {
                    connections.spawn(connection(stream, router.clone(), closing.clone(), held));
                }
                // Those that are being turned away are bounded as well; the rest is closed without a word.
                None if connections.len() < most + limits::TURNED_AWAY => {
                    connections.spawn(turn_away(stream));
                }
                None => drop(stream),
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

async fn connection(stream: TcpStream, router: Router, closing: CancellationToken, held: Held) {
    let _ = stream.set_nodelay(true); // Only a matter of speed.
    let stream = Patient::new(stream, limits::UNREAD_TIME);
    let (router, place) = (TowerToHyperService::new(router), Arc::clone(&held.place));
    let service = service_fn(move |mut request: http::Request<Incoming>| {
        request.extensions_mut().insert(Arc::clone(&place));
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = held.place.leave().cancelled() => return,
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
         Content-Length: {}\r\nRetry-After: 1\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
    let write = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await?;
        // What was sent and not read would make the system break the connection off, and take back the
        // answer with it.
        let mut request = [0; 8 * 1024];
        while stream.read(&mut request).await? > 0 {}
        Ok::<_, std::io::Error>(())
    };
    if !matches!(tokio::time::timeout(limits::TURN_AWAY_TIME, write).await, Ok(Ok(()))) {
        tracing::debug!("a connection above the limit could not be answered");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Extension;

    #[tokio::test]
    async fn a_connection_above_the_limit_is_told_so_and_a_freed_place_is_used_again() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (closing, abort) = (CancellationToken::new(), CancellationToken::new());
        let router = Router::new().route(
            "/",
            get(|Extension(place): Extension<Arc<Place>>| async move {
                place.is_known();
                "served"
            }),
        );
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
        let silent = TcpStream::connect(address).await.unwrap();
        while !ask().await.ends_with("served") {
            tokio::task::yield_now().await;
        }
        drop(silent);
        closing.cancel();
        server.await.unwrap();
    }
}
