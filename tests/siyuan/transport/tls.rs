//! https: a certificate is checked, with the system's authorities and nobody's else.
//!
//! `tests/siyuan/tls` holds an authority of our own and three certificates for the one key beside them.
//! The system is made to trust that authority for a process of its own (`SSL_CERT_FILE`).

use std::process::Command;
use std::sync::Arc;

use notegate::siyuan::transport::{Request, TlsFault, TransportError};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::json;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::{connect, never, patient, soon, to};
use crate::kernel::Kernel;

const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/siyuan/tls/authority.pem");

/// Stands before a kernel and speaks TLS for it. Gives back its port.
async fn front(kernel: &Kernel, certificate: &[u8]) -> u16 {
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("../tls/server.key")).unwrap();
    let chain = vec![CertificateDer::from_pem_slice(certificate).unwrap()];
    let config =
        rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let (listener, kernel) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), kernel.socket_address());
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // A client that does not trust us hangs up.
                let Ok(mut secured) = acceptor.accept(stream).await else { return };
                let mut plain = TcpStream::connect(kernel).await.unwrap();
                let _ = copy_bidirectional(&mut secured, &mut plain).await;
            });
        }
    });
    port
}

async fn fault(address: &str) -> TransportError {
    let error = to(address, patient()).send(Request::get("/api/system/version"), &never()).await.unwrap_err();
    assert!(!error.sent(), "{error}");
    error
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for_is_refused_and_nothing_is_sent() {
    let kernel = Kernel::start().await;
    let port = front(&kernel, include_bytes!("../tls/good.pem")).await;
    let error = fault(&format!("https://127.0.0.1:{port}")).await;
    assert!(matches!(error, TransportError::Tls(TlsFault::UnknownIssuer | TlsFault::NoRoots)), "{error:?}");
    assert_eq!(kernel.seen().len(), 0);
}

#[tokio::test]
async fn https_to_a_port_that_speaks_plain_http_is_said_to_be_that() {
    let kernel = Kernel::start().await;
    let error = fault(&format!("https://127.0.0.1:{}", kernel.port())).await;
    assert!(matches!(error, TransportError::Tls(TlsFault::NotTls | TlsFault::NoRoots)), "{error:?}");
}

#[test]
fn a_certificate_that_the_system_trusts_carries_every_protocol() {
    let here = std::env::current_exe().unwrap();
    let ran = Command::new(here)
        .args(["--exact", "transport::tls::in_a_process_that_trusts_our_authority", "--ignored"])
        .env("SSL_CERT_FILE", AUTHORITY)
        .env_remove("SSL_CERT_DIR")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

#[tokio::test]
#[ignore = "the test above runs it in a process of its own"]
async fn in_a_process_that_trusts_our_authority() {
    let kernel = Kernel::start().await;
    let good = front(&kernel, include_bytes!("../tls/good.pem")).await;
    for host in ["127.0.0.1", "localhost"] {
        let (connection, cancel) = (to(&format!("https://{host}:{good}"), patient()), never());
        let version =
            connection.send(Request::post("/api/system/version", json!({})), &cancel).await.unwrap();
        assert_eq!(version.envelope().unwrap().due().unwrap(), "3.7.3");
        let mut stream =
            connection.events(Request::get("/api/system/bootProgressSSE"), &cancel).await.unwrap();
        assert!(stream.next().await.unwrap().unwrap().data.contains("100"));
        assert_eq!(connection.mcp_list("tools/list", &cancel).await.unwrap().len(), 5);
        let mut socket = connection.socket("/ws", &super::sockets::query(), &cancel).await.unwrap();
        super::sockets::settle(&mut socket).await;
        soon("dispose", connection.dispose()).await;
    }
    let named = front(&kernel, include_bytes!("../tls/named.pem")).await;
    assert_eq!(fault(&format!("https://localhost:{named}")).await, TransportError::Tls(TlsFault::WrongName));
    let expired = front(&kernel, include_bytes!("../tls/expired.pem")).await;
    assert_eq!(
        fault(&format!("https://localhost:{expired}")).await,
        TransportError::Tls(TlsFault::OutOfDate)
    );
    let plain = format!("https://localhost:{}", kernel.port());
    assert_eq!(fault(&plain).await, TransportError::Tls(TlsFault::NotTls));
    connect(&kernel).send(Request::get("/api/system/version"), &never()).await.unwrap();
}
