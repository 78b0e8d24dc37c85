//! A connection to one kernel: its address, its token and its bounds; the owner of every task that
//! a call runs in, and so the one place where all of them end.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT_ENCODING, AUTHORIZATION, HOST, USER_AGENT};
use http::{HeaderMap, HeaderValue};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::address::Address;
use super::dial::{self, Sent, Tls};
use super::error::{RequestError, TransportError};
use crate::secrets::Secret;

/// Largest answer that is read unless told otherwise: 16 MiB.
pub const DEFAULT_RESPONSE_LIMIT: usize = 16 * 1024 * 1024;

/// The bounds of each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// For the name, TCP and TLS together.
    pub connect_timeout: Duration,
    /// For a whole call, from its beginning to the last byte of its answer.
    pub timeout: Duration,
    /// Bytes of an answer's body, of a frame or of an event; also of all pages of one MCP list together.
    pub response_limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(5),
            timeout: Duration::from_secs(30),
            response_limit: DEFAULT_RESPONSE_LIMIT,
        }
    }
}

/// The token holds characters that no header carries: it cannot be the kernel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the token holds characters that no token has, such as a line end. Enter it again")]
pub struct TokenError;

/// The way to one kernel. Clones share it; [`Connection::dispose`] on one ends all.
#[derive(Clone)]
pub struct Connection {
    inner: Arc<Inner>,
}

struct Inner {
    address: Address,
    /// Host, user agent and token: what every request to this kernel begins with.
    headers: HeaderMap,
    options: Options,
    tls: Tls,
    closing: CancellationToken,
    tasks: TaskTracker,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Connection({})", self.inner.address)
    }
}

impl Connection {
    /// Prepares the way to the kernel at `address`. Nothing is sent.
    ///
    /// # Errors
    /// The token cannot stand in a header.
    pub fn new(address: Address, token: Option<&Secret>, options: Options) -> Result<Self, TokenError> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_str(&address.authority()).map_err(|_| TokenError)?);
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("notegate/", env!("CARGO_PKG_VERSION"))));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if let Some(token) = token {
            let mut value =
                HeaderValue::from_str(&format!("Token {}", token.reveal())).map_err(|_| TokenError)?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let (closing, tasks) = (CancellationToken::new(), TaskTracker::new());
        Ok(Self { inner: Arc::new(Inner { address, headers, options, tls: Tls::default(), closing, tasks }) })
    }

    pub fn address(&self) -> &Address {
        &self.inner.address
    }

    pub fn options(&self) -> Options {
        self.inner.options
    }

    /// Ends every call, socket, stream and session of this connection, and waits until the last has
    /// closed. Calls in flight return [`TransportError::Disposed`], and so does every later one.
    pub async fn dispose(&self) {
        self.inner.closing.cancel();
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    /// What every request begins with, and `more` that the caller may set.
    pub(super) fn headers(&self, more: &HeaderMap) -> Result<HeaderMap, RequestError> {
        if more.keys().any(|name| is_ours(name.as_str())) {
            return Err(RequestError::Header);
        }
        let mut headers = self.inner.headers.clone();
        headers.extend(more.clone());
        Ok(headers)
    }

    pub(super) async fn dial(&self, sent: Sent) -> Result<dial::Socket, TransportError> {
        dial::dial(&self.inner.address, &self.inner.tls, self.inner.options.connect_timeout, sent).await
    }

    /// Fires when this connection ends.
    pub(super) fn closing(&self) -> &CancellationToken {
        &self.inner.closing
    }

    /// Runs a task that [`Connection::dispose`] waits for. It must end soon after `closing` fires.
    pub(super) fn spawn<F>(&self, task: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.inner.tasks.spawn(task)
    }

    /// Runs one piece of work in a task of its own, until it is done, its time is over, `cancel` fires,
    /// the caller drops this future, or the connection ends.
    pub(super) async fn run<T, F>(
        &self,
        within: Duration,
        cancel: &CancellationToken,
        work: impl FnOnce(Sent) -> F,
    ) -> Result<T, TransportError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, TransportError>> + Send + 'static,
    {
        let sent = Sent::default();
        if self.inner.closing.is_cancelled() {
            return Err(TransportError::Disposed { sent: false });
        }
        if cancel.is_cancelled() {
            return Err(TransportError::Cancelled { sent: false });
        }
        let dropped = CancellationToken::new();
        let (closing, cancelled, caller_gone) = (self.inner.closing.clone(), cancel.clone(), dropped.clone());
        let (work, known) = (work(sent.clone()), sent.clone());
        let task = self.spawn(async move {
            tokio::select! {
                biased;
                outcome = tokio::time::timeout(within, work) => outcome
                    .unwrap_or_else(|_| Err(TransportError::Timeout { after: within, sent: known.get() })),
                () = closing.cancelled() => Err(TransportError::Disposed { sent: known.get() }),
                () = cancelled.cancelled() => Err(TransportError::Cancelled { sent: known.get() }),
                () = caller_gone.cancelled() => Err(TransportError::Cancelled { sent: known.get() }),
            }
        });
        let _caller_is_here = dropped.drop_guard();
        // A task is lost only with its runtime, or by a panic.
        task.await.unwrap_or(Err(TransportError::Broken { sent: sent.get() }))
    }
}

/// A header that says where a request goes, who sends it or how it is framed. A kernel would take some
/// of them for another caller's credentials, or take us for a foreign machine or page because of them.
fn is_ours(name: &str) -> bool {
    const OURS: &[&str] = &[
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "cookie",
        "expect",
        "forwarded",
        "host",
        "keep-alive",
        "origin",
        "referer",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
        "via",
        "x-auth-token",
        "x-real-ip",
    ];
    const FAMILIES: &[&str] = &["proxy-", "sec-", "x-forwarded-"];
    OURS.contains(&name) || FAMILIES.iter().any(|family| name.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection(token: &str) -> Result<Connection, TokenError> {
        let address = "http://127.0.0.1:1".parse().unwrap();
        Connection::new(address, Some(&Secret::from_text(token)), Options::default())
    }

    #[test]
    fn the_token_stands_in_no_printed_form() {
        let connection = connection("hunter2").unwrap();
        let headers = connection.headers(&HeaderMap::new()).unwrap();
        assert_eq!(headers[AUTHORIZATION], "Token hunter2");
        assert!(!format!("{connection:?} {headers:?} {}", connection.address()).contains("hunter2"));
    }

    #[test]
    fn a_token_that_would_end_its_header_is_refused_and_not_repeated() {
        let error = connection("hunter2\r\nX: 1").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"));
    }

    #[test]
    fn no_caller_sets_a_header_that_speaks_for_us() {
        let connection = connection("hunter2").unwrap();
        for name in
            ["Authorization", "Cookie", "HOST", "Origin", "X-Forwarded-For", "Sec-Fetch-Site", "X-Auth-Token"]
        {
            let more = HeaderMap::from_iter([(name.parse().unwrap(), HeaderValue::from_static("1"))]);
            assert_eq!(connection.headers(&more).unwrap_err(), RequestError::Header, "{name}");
        }
        let more = HeaderMap::from_iter([("Mcp-Session-Id".parse().unwrap(), HeaderValue::from_static("1"))]);
        assert_eq!(connection.headers(&more).unwrap()["mcp-session-id"], "1");
    }
}
