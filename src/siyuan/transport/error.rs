//! What can go wrong between us and a kernel, in our own words.
//!
//! Each error knows whether the request may have reached the kernel, and whether it may have taken
//! effect there: that decides whether a write is said to have failed or to be uncertain.

use std::io;
use std::time::Duration;

use super::envelope::EnvelopeFault;

/// Why a call to a kernel gave no answer that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    #[error("the request cannot be sent: {0}")]
    Request(#[from] RequestError),
    #[error("the name of the kernel's host is not known here. Check the kernel's address and the network")]
    UnknownHost,
    #[error("nothing listens at the kernel's address. Start SiYuan, or correct the address")]
    Refused,
    /// The system's own word for it, such as "network unreachable".
    #[error("the kernel cannot be reached ({0}). Check the kernel's address and the network")]
    NotReachable(io::ErrorKind),
    #[error("the kernel's address took no connection within {} s. Check the address and the network", seconds(.after))]
    ConnectTimeout { after: Duration },
    #[error("no secure connection to the kernel: {0}")]
    Tls(TlsFault),
    #[error("the kernel gave no complete answer within {} s. Raise the kernel's time-out if it needs longer", seconds(.after))]
    Timeout { after: Duration, sent: bool },
    #[error(
        "the connection to the kernel ended before its answer was complete. Look whether SiYuan still runs"
    )]
    Broken { sent: bool },
    #[error("what answers at the kernel's address does not speak HTTP. Check the address")]
    NotHttp,
    #[error("the kernel refused the call (401): {0}")]
    Unauthorized(AuthRefusal),
    #[error("the kernel refused the call (403): it lets only its administrator do this")]
    Forbidden,
    #[error(
        "the kernel locked out further attempts after wrong tokens (429){}. Correct the token, and wait",
        wait(.retry_after)
    )]
    Throttled { retry_after: Option<Duration> },
    /// `to` is scheme, host and path only: the rest of a location may hold secrets.
    #[error(
        "the kernel's address redirects to {to} ({status}), and redirects are not followed. Enter the final address"
    )]
    Redirect { status: u16, to: String },
    #[error("the kernel answered with status {status}")]
    Status { status: u16 },
    #[error("the kernel's answer is larger than {limit} bytes and was given up. Ask for less at a time")]
    TooLarge { limit: usize },
    #[error("the kernel's answer cannot be understood: {0}")]
    Envelope(#[from] EnvelopeFault),
    /// The kernel's own words, in its language, possibly with HTML.
    #[error("the kernel refused with code {code}: {msg}")]
    Kernel { code: i64, msg: String },
    #[error("the kernel's answer is not {expected}")]
    Unexpected { expected: &'static str },
    /// What the kernel's MCP server answered instead of a result; `message` is its own.
    #[error("the kernel's MCP server refused with code {code}: {message}")]
    Mcp { code: i64, message: String },
    /// A step before the call itself failed, so nothing of the call was sent.
    #[error(transparent)]
    Handshake(Box<TransportError>),
    #[error("the kernel closed the socket{}", close_code(.code))]
    Closed { code: Option<u16>, sent: bool },
    #[error("the call was cancelled")]
    Cancelled { sent: bool },
    #[error("the connection to the kernel was ended by Notegate")]
    Disposed { sent: bool },
}

impl TransportError {
    /// Whether the request, or a part of it, may have reached the kernel.
    pub const fn sent(&self) -> bool {
        match self {
            Self::Request(_)
            | Self::UnknownHost
            | Self::Refused
            | Self::NotReachable(_)
            | Self::ConnectTimeout { .. }
            | Self::Tls(_)
            | Self::Handshake(_) => false,
            Self::Timeout { sent, .. }
            | Self::Broken { sent }
            | Self::Closed { sent, .. }
            | Self::Cancelled { sent }
            | Self::Disposed { sent } => *sent,
            Self::NotHttp
            | Self::Unauthorized(_)
            | Self::Forbidden
            | Self::Throttled { .. }
            | Self::Redirect { .. }
            | Self::Status { .. }
            | Self::TooLarge { .. }
            | Self::Envelope(_)
            | Self::Kernel { .. }
            | Self::Unexpected { .. }
            | Self::Mcp { .. } => true,
        }
    }

    /// Whether the request may have taken effect although this error is all that is known of it.
    ///
    /// Not so where nothing was sent, nor where the kernel itself said no.
    pub const fn uncertain(&self) -> bool {
        match self {
            Self::Unauthorized(_)
            | Self::Forbidden
            | Self::Throttled { .. }
            | Self::Redirect { .. }
            | Self::Kernel { .. }
            | Self::Mcp { .. } => false,
            // A proxy's 502 or 504 says nothing of what the kernel behind it did.
            Self::Status { status } => *status < 400 || *status >= 500,
            other => other.sent(),
        }
    }

    /// What went wrong underneath: the failure itself, or that of the handshake before the call.
    pub fn root(&self) -> &Self {
        match self {
            Self::Handshake(error) => error.root(),
            other => other,
        }
    }

    /// The same end of a socket, seen by a message of which it is known whether it was sent.
    pub(super) fn with_sent(self, sent: bool) -> Self {
        match self {
            Self::Timeout { after, .. } => Self::Timeout { after, sent },
            Self::Closed { code, .. } => Self::Closed { code, sent },
            Self::Cancelled { .. } => Self::Cancelled { sent },
            Self::Disposed { .. } => Self::Disposed { sent },
            Self::Broken { .. } => Self::Broken { sent },
            refused @ Self::Unauthorized(_) => refused,
            _ => Self::Closed { code: None, sent },
        }
    }
}

/// What is wrong with a request before anything is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    #[error("its method is none that a kernel answers")]
    Method,
    #[error(
        "its path must begin with one slash, and hold no empty, `.` or `..` part, no backslash, query or fragment"
    )]
    Path,
    #[error("its query holds a token. The kernel's token is added by Notegate, as a header")]
    TokenInQuery,
    #[error("it sets a header that only Notegate sets, or one that cannot be written")]
    Header,
    #[error("its body is not Base64")]
    Base64,
    #[error("a name, a file name or a type in its form cannot be written")]
    Form,
    #[error(
        "the name of the plugin is none: it is empty, or holds a slash or another character that no name has"
    )]
    PluginName,
    #[error("a batch needs at least one call")]
    EmptyBatch,
    #[error("`params` of an RPC call are an object or a list")]
    RpcParams,
    #[error("this MCP method belongs to the connection itself and cannot be called")]
    McpMethod,
}

/// Why the kernel takes a caller for a stranger. Told from its answer, whose text is not passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AuthRefusal {
    #[error("the token is wrong. Enter the one that SiYuan shows under Settings, About")]
    WrongToken,
    #[error("SiYuan has a lock-screen password and wants the kernel's token. Enter it")]
    TokenNeeded,
    #[error(
        "without a lock-screen password SiYuan serves only its own machine. Set one there, and enter the token here"
    )]
    NotLocal,
    #[error("SiYuan takes the request for one from a foreign web page")]
    Origin,
    #[error("while SiYuan has a lock-screen password, its event socket takes no token")]
    SocketTakesNoToken,
    #[error("it gives no reason that is known. Check the token")]
    Unexplained,
}

/// Why TLS did not come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TlsFault {
    #[error(
        "the certificate is signed by nobody this system trusts. \
         SiYuan signs its own: add its authority to the system's certificates, or use http on the same machine"
    )]
    UnknownIssuer,
    #[error("the certificate is for another name. Use the name in the certificate as the address")]
    WrongName,
    #[error("the certificate has expired or is not valid yet. Renew it, or correct this machine's clock")]
    OutOfDate,
    #[error("the certificate is not acceptable")]
    BadCertificate,
    #[error("the other side does not speak TLS. If it is a kernel, its address begins with http://")]
    NotTls,
    #[error(
        "this system has no certificates to check the kernel's with. Install its package of root certificates"
    )]
    NoRoots,
    #[error("the two sides have no protocol in common, or the other side gave up")]
    NoAgreement,
}

fn seconds(time: &Duration) -> f64 {
    time.as_secs_f64()
}

fn wait(retry_after: &Option<Duration>) -> String {
    retry_after.map(|time| format!(" for another {} s", time.as_secs())).unwrap_or_default()
}

fn close_code(code: &Option<u16>) -> String {
    code.map(|code| format!(" with code {code}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_knows_whether_it_was_sent_and_whether_it_may_have_worked() {
        use TransportError as E;
        let after = Duration::from_secs(30);
        let cases = [
            (E::Request(RequestError::Path), false, false),
            (E::UnknownHost, false, false),
            (E::Refused, false, false),
            (E::NotReachable(io::ErrorKind::NetworkUnreachable), false, false),
            (E::ConnectTimeout { after }, false, false),
            (E::Tls(TlsFault::UnknownIssuer), false, false),
            (E::Timeout { after, sent: false }, false, false),
            (E::Timeout { after, sent: true }, true, true),
            (E::Broken { sent: true }, true, true),
            (E::Cancelled { sent: true }, true, true),
            (E::Disposed { sent: false }, false, false),
            (E::Closed { code: None, sent: true }, true, true),
            (E::NotHttp, true, true),
            (E::TooLarge { limit: 1 }, true, true),
            (E::Envelope(EnvelopeFault::NoData), true, true),
            (E::Unexpected { expected: "it" }, true, true),
            (E::Status { status: 404 }, true, false),
            (E::Status { status: 502 }, true, true),
            (E::Unauthorized(AuthRefusal::WrongToken), true, false),
            (E::Forbidden, true, false),
            (E::Throttled { retry_after: None }, true, false),
            (E::Redirect { status: 302, to: "/".to_owned() }, true, false),
            (E::Kernel { code: -1, msg: String::new() }, true, false),
            (E::Mcp { code: -32601, message: String::new() }, true, false),
            (E::Handshake(Box::new(E::Broken { sent: true })), false, false),
        ];
        for (error, sent, uncertain) in cases {
            assert_eq!((error.sent(), error.uncertain()), (sent, uncertain), "{error:?}");
        }
    }
}
