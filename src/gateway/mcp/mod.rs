//! `/mcp`: one address for every version that we speak.
//!
//! rmcp serves, and here is decided how: which of its three services a request goes to, and what it
//! may see of the request. See [`crate::gateway`] for the rules.
//!
//! | service | for |
//! | --- | --- |
//! | `in_sessions` | `initialize` of clients that read streams, and everything in a session that is open |
//! | `alone` | whatever stands by itself, answered by a stream |
//! | `alone_json` | the same for clients that read JSON only |

mod accept;
mod calls;
mod handler;
mod message;
mod sessions;
mod versions;
mod wire;

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderName, Method, StatusCode, header};
use rmcp::model::RequestId;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::accept::Form;
use self::calls::{Asked, CallKey, Calls, InFlight};
use self::handler::Handler;
use self::message::Message;
use self::sessions::Sessions;
use self::versions::Era;
use super::answers::Answers;
use super::errors::{Refusal, RpcError};
use super::identity::{self, Caller, Identity};
use super::offers::Offers;
use super::server::Shared;
use crate::access::{Access, ClientInfo, SessionLabel};
use crate::tools::Tools;

static SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// What the endpoint is given.
pub(super) struct Surroundings {
    pub access: Access,
    pub tools: Tools,
    pub offers: Arc<Offers>,
    pub answers: Answers,
    pub tasks: TaskTracker,
    pub closing: CancellationToken,
    pub streams: CancellationToken,
}

/// The MCP endpoint.
pub(super) struct Endpoint {
    in_sessions: StreamableHttpService<Handler, LocalSessionManager>,
    alone: StreamableHttpService<Handler, NeverSessionManager>,
    alone_json: StreamableHttpService<Handler, NeverSessionManager>,
    access: Access,
    sessions: Arc<Sessions>,
    calls: Calls,
    in_flight: InFlight,
    answers: Answers,
    tasks: TaskTracker,
}

impl Endpoint {
    /// Begins to follow `access`; `closing` ends that.
    pub(super) fn new(surroundings: Surroundings) -> Self {
        let Surroundings { access, tools, offers, answers, tasks, closing, streams } = surroundings;
        let mut carried = LocalSessionManager::default();
        // Idle sessions are ended by `sessions`, which knows of every use, not by rmcp on its own.
        carried.session_config.keep_alive = None;
        let carried = Arc::new(carried);

        let sessions = Arc::new(Sessions::new(
            Arc::clone(&carried),
            access.clone(),
            Arc::clone(&offers),
            answers.clone(),
            tasks.clone(),
        ));
        tasks.spawn(Arc::clone(&sessions).follow(closing.clone()));

        let calls = Calls::default();
        let handler =
            Handler { tools, calls: calls.clone(), sessions: Arc::clone(&sessions), offers, closing };
        // Hosts, origins and sizes were checked before; the body is in memory.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(usize::MAX)
            .with_cancellation_token(streams);
        let by_itself = |json| {
            let (handler, config) = (handler.clone(), config.clone());
            StreamableHttpService::new(
                move || Ok(handler.clone()),
                Arc::new(NeverSessionManager::default()),
                config.with_legacy_session_mode(false).with_json_response(json),
            )
        };
        let (alone, alone_json) = (by_itself(false), by_itself(true));
        let in_sessions = StreamableHttpService::new(move || Ok(handler.clone()), carried, config);
        Self {
            in_sessions,
            alone,
            alone_json,
            access,
            sessions,
            calls,
            in_flight: InFlight::default(),
            answers,
            tasks,
        }
    }

    async fn post(&self, mut parts: Parts, identity: Identity, body: Bytes) -> Result<Response, Refusal> {
        let message = Message::parse(&body)?;
        message.check_form()?;
        let era = versions::era(&parts.headers, &message)?;
        let form = accept::form(&parts.headers);
        accept::normalise(&mut parts.headers);
        let named = identity::session_label(&parts.headers, &SESSION)?;

        if let Some(client) = message.initialize() {
            // The header may name a proposal that we do not know; the body's counts.
            parts.headers.remove(versions::HEADER);
            parts.headers.remove(&SESSION);
            let request = with_caller(parts, identity.clone().without_session(), form, body);
            return match form {
                Form::Stream => self.open_session(request, identity, client).await,
                Form::Json => Ok(unwrapped(self.alone_json.handle(request).await)),
            };
        }

        let caller = identity.in_session(&self.access, named).await?;
        if let Some(request) = message.cancels() {
            self.calls.cancel(&CallKey {
                runtime: caller.grant.runtime.clone(),
                session: caller.session.clone(),
                request: request.clone(),
            });
        }
        let underway = (message.wants_answer() && !message.is_subscription())
            .then(|| self.answers.begin(caller.session.clone()));
        // Who reads JSON only is served by itself even in a session; messages that nobody answers
        // belong to the session all the same.
        let in_session = era == Era::Legacy
            && (form == Form::Stream || !message.wants_answer())
            && self.is_open(&caller).await;
        if !in_session {
            parts.headers.remove(&SESSION);
        }
        let asked = match message.request_id().filter(|_| in_session) {
            Some(request) => Some(self.begin(&caller, request)?),
            None => None,
        };
        if let Some(asked) = &asked {
            parts.extensions.insert(Arc::clone(asked));
        }
        let request = with_caller(parts, caller, form, body);
        let response = if in_session {
            let response = unwrapped(self.in_sessions.handle(request).await);
            match asked {
                Some(asked) => calls::until_sent(asked, response),
                None => response,
            }
        } else if form == Form::Stream {
            unwrapped(self.alone.handle(request).await)
        } else {
            unwrapped(self.alone_json.handle(request).await)
        };
        Ok(match underway {
            Some(underway) => underway.until_sent(response),
            None => response,
        })
    }

    /// Takes note of a request in a session.
    ///
    /// # Errors
    /// One of the same id is still being answered.
    fn begin(&self, caller: &Caller, request: &RequestId) -> Result<Arc<Asked>, Box<RpcError>> {
        let (runtime, session) = (caller.grant.runtime.clone(), caller.session.clone());
        self.in_flight.begin(CallKey { runtime, session, request: request.clone() }).ok_or_else(|| {
            let text = "a request of this id is still being answered in this session; give each its own id";
            RpcError::new(RpcError::INVALID_REQUEST, request.clone().into_json_value(), text)
        })
    }

    /// Whether the caller names a session of its own that is open.
    async fn is_open(&self, caller: &Caller) -> bool {
        match &caller.session {
            Some(label) => self.sessions.is_open(label, &caller.grant.runtime).await,
            None => false,
        }
    }

    /// Opens a session. The work is a task of its own, so that a client which goes away in the middle
    /// leaves no session behind that nobody knows of.
    async fn open_session(
        &self,
        request: Request,
        identity: Identity,
        client: ClientInfo,
    ) -> Result<Response, Refusal> {
        let (service, access, sessions) =
            (self.in_sessions.clone(), self.access.clone(), Arc::clone(&self.sessions));
        let opening = self.tasks.spawn(async move {
            let response = unwrapped(service.handle(request).await);
            let given = response.headers().get(&SESSION).and_then(|id| id.to_str().ok());
            let Some(label) = given.map(|id| SessionLabel(id.to_owned())) else { return Ok(response) };
            match identity.in_session(&access, Some(label.clone())).await {
                Ok(caller) => {
                    sessions.opened(label, caller.grant.runtime.clone(), client);
                    Ok(response)
                }
                Err(refusal) => {
                    sessions.discard(&label).await;
                    Err(refusal)
                }
            }
        });
        opening.await.unwrap_or_else(|error| {
            tracing::error!(%error, "opening a session failed inside");
            Ok(StatusCode::INTERNAL_SERVER_ERROR.into_response())
        })
    }

    /// The stream of an open session. There is none without a session: 405 tells a client so.
    async fn get(&self, mut parts: Parts, identity: Identity) -> Result<Response, Refusal> {
        versions::check_header(&parts.headers)?;
        let named = identity::session_label(&parts.headers, &SESSION)?;
        let caller = identity.in_session(&self.access, named).await?;
        if !self.is_open(&caller).await {
            return Err(Refusal::WrongMethod { allowed: "POST" });
        }
        accept::normalise(&mut parts.headers);
        let request = with_caller(parts, caller, Form::Stream, Bytes::new());
        Ok(unwrapped(self.in_sessions.handle(request).await))
    }

    /// Ends the session. One that is not known is as good as ended.
    async fn delete(&self, parts: Parts, identity: Identity) -> Result<Response, Refusal> {
        let named = identity::session_label(&parts.headers, &SESSION)?;
        let caller = identity.in_session(&self.access, named).await?;
        if let Some(label) = &caller.session {
            self.sessions.end(label, &caller.grant.runtime);
        }
        Ok(StatusCode::NO_CONTENT.into_response())
    }
}

/// The route's handler, after all checks.
pub(super) async fn serve(State(shared): State<Shared>, request: Request) -> Result<Response, Refusal> {
    let endpoint = &shared.mcp;
    let (mut parts, body) = request.into_parts();
    // The key goes no further than this.
    parts.headers.remove(header::AUTHORIZATION);
    let identity = parts.extensions.remove::<Identity>().ok_or(Refusal::NoKey)?;
    match parts.method {
        Method::POST => {
            // Whole in memory by the checks before, so this neither waits nor fails.
            let body = axum::body::to_bytes(body, usize::MAX).await.map_err(|_| Refusal::BrokenBody)?;
            endpoint.post(parts, identity, body).await
        }
        Method::GET => endpoint.get(parts, identity).await,
        Method::DELETE => endpoint.delete(parts, identity).await,
        _ => Err(Refusal::WrongMethod { allowed: "POST, GET, DELETE" }),
    }
}

fn with_caller(mut parts: Parts, caller: Caller, form: Form, body: Bytes) -> Request {
    parts.extensions.insert(caller);
    parts.extensions.insert(form);
    Request::from_parts(parts, Body::from(body))
}

fn unwrapped<B>(response: http::Response<B>) -> Response
where
    B: axum::body::HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    response.map(Body::new)
}
