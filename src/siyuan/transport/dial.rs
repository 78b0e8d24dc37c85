//! Opening a socket to the one address: name, TCP, TLS. And the socket itself, which remembers
//! whether anything of ours was handed to it.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use rustls::pki_types::ServerName;
use rustls::{CertificateError, ClientConfig, Error as RustlsError};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Host;

use super::address::Address;
use super::error::{TlsFault, TransportError};

/// How long one address of a name has for itself before the next one is tried beside it.
const NEXT_ADDRESS: Duration = Duration::from_millis(250);

/// Whether a byte of a request was handed to a socket.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent(Arc<AtomicBool>);

impl Sent {
    pub fn get(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Begins anew with the next message of a socket that stays open.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Release);
    }
}

/// The TLS settings of a connection: ring, the system's certificates, HTTP/1.1. Made when first
/// needed, since reading the certificates takes a while.
#[derive(Debug, Default)]
pub(super) struct Tls(OnceCell<Arc<ClientConfig>>);

impl Tls {
    async fn config(&self) -> Result<Arc<ClientConfig>, TransportError> {
        let make = || async {
            let made = tokio::task::spawn_blocking(|| {
                let provider = Arc::new(rustls::crypto::ring::default_provider());
                let mut config = ClientConfig::builder_with_provider(provider)
                    .with_safe_default_protocol_versions()?
                    .with_platform_verifier()?
                    .with_no_client_auth();
                config.alpn_protocols = vec![b"http/1.1".to_vec()];
                Ok::<_, RustlsError>(Arc::new(config))
            });
            made.await.ok().and_then(Result::ok).ok_or(TransportError::Tls(TlsFault::NoRoots))
        };
        self.0.get_or_try_init(make).await.cloned()
    }
}

/// Connects within `within`. Nothing of the request is sent here.
pub(super) async fn dial(
    address: &Address,
    tls: &Tls,
    within: Duration,
    sent: Sent,
) -> Result<Socket, TransportError> {
    let dialled = async {
        let stream = tcp(resolve(address).await?).await?;
        // The small messages of a call go out at once.
        stream.set_nodelay(true).map_err(|error| unreachable_by(&error))?;
        if !address.tls() {
            return Ok(Stream::Plain(stream));
        }
        let name = match address.host() {
            Host::Domain(name) => {
                ServerName::try_from(name.clone()).map_err(|_| TransportError::UnknownHost)?
            }
            Host::Ipv4(ip) => IpAddr::V4(*ip).into(),
            Host::Ipv6(ip) => IpAddr::V6(*ip).into(),
        };
        let connector = TlsConnector::from(tls.config().await?);
        let secured =
            connector.connect(name, stream).await.map_err(|error| TransportError::Tls(fault(&error)))?;
        Ok(Stream::Tls(Box::new(secured)))
    };
    let stream = tokio::time::timeout(within, dialled)
        .await
        .unwrap_or(Err(TransportError::ConnectTimeout { after: within }))?;
    Ok(Socket { stream, sent })
}

/// Tries the addresses of a name one after the other, and the next one beside a slow one, so that one
/// that leads nowhere does not use up the time of the others.
async fn tcp(addresses: Vec<SocketAddr>) -> Result<TcpStream, TransportError> {
    let mut waiting = addresses.into_iter();
    let mut tries = FuturesUnordered::new();
    loop {
        tries.extend(waiting.next().map(TcpStream::connect));
        let outcome = tokio::select! {
            outcome = tries.next() => outcome,
            () = tokio::time::sleep(NEXT_ADDRESS), if waiting.len() > 0 => continue,
        };
        match outcome {
            Some(Ok(stream)) => return Ok(stream),
            Some(Err(error)) if tries.is_empty() && waiting.len() == 0 => return Err(unreachable_by(&error)),
            None if waiting.len() == 0 => return Err(TransportError::UnknownHost),
            Some(Err(_)) | None => {}
        }
    }
}

async fn resolve(address: &Address) -> Result<Vec<SocketAddr>, TransportError> {
    let ip = match address.host() {
        Host::Domain(name) => {
            let found = tokio::net::lookup_host((name.as_str(), address.port())).await;
            return Ok(found.map_err(|_| TransportError::UnknownHost)?.collect());
        }
        Host::Ipv4(ip) => IpAddr::V4(*ip),
        Host::Ipv6(ip) => IpAddr::V6(*ip),
    };
    Ok(vec![SocketAddr::new(ip, address.port())])
}

fn unreachable_by(error: &io::Error) -> TransportError {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => TransportError::Refused,
        kind => TransportError::NotReachable(kind),
    }
}

fn fault(error: &io::Error) -> TlsFault {
    let Some(error) = error.get_ref().and_then(|inner| inner.downcast_ref::<RustlsError>()) else {
        return TlsFault::NoAgreement;
    };
    match error {
        RustlsError::InvalidCertificate(reason) => match reason {
            CertificateError::UnknownIssuer | CertificateError::BadSignature => TlsFault::UnknownIssuer,
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                TlsFault::WrongName
            }
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. } => TlsFault::OutOfDate,
            _ => TlsFault::BadCertificate,
        },
        RustlsError::InvalidMessage(_) => TlsFault::NotTls,
        _ => TlsFault::NoAgreement,
    }
}

/// An open socket. Dropping it closes it.
#[derive(Debug)]
pub(super) struct Socket {
    stream: Stream,
    sent: Sent,
}

#[derive(Debug)]
enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, into),
            Stream::Tls(stream) => Pin::new(stream).poll_read(cx, into),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        // Before it is handed over: what becomes of it then cannot be known.
        self.sent.set();
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn of_several_addresses_the_one_that_answers_is_taken() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let good = listener.local_addr().unwrap();
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        for addresses in [vec![good], vec![gone, good], vec![gone, gone, good, gone]] {
            assert_eq!(tcp(addresses).await.unwrap().peer_addr().unwrap(), good);
        }
        assert_eq!(tcp(vec![gone, gone]).await.unwrap_err(), TransportError::Refused);
        assert_eq!(tcp(vec![]).await.unwrap_err(), TransportError::UnknownHost);
    }
}
