//! Who is turned away, and where a kernel points elsewhere.

use std::time::Duration;

use notegate::secrets::Secret;
use notegate::siyuan::transport::{AuthRefusal, Connection, Options, Request, TransportError};
use serde_json::json;

use super::{connect, never, patient};
use crate::kernel::faults::Fault;
use crate::kernel::origin::Origin;
use crate::kernel::{Generation, Kernel, Setup};

async fn refused(kernel: &Kernel, token: Option<&str>) -> TransportError {
    let token = token.map(Secret::from_text);
    let connection = Connection::new(kernel.address().parse().unwrap(), token.as_ref(), patient()).unwrap();
    let error =
        connection.send(Request::post("/api/notebook/lsNotebooks", json!({})), &never()).await.unwrap_err();
    assert!(error.sent() && !error.uncertain(), "{error}");
    error
}

#[tokio::test]
async fn each_401_has_its_reason_and_is_not_tried_again() {
    let locked = Setup { access_code: Some("lock".to_owned()), ..Setup::default() };
    let cases = [
        (Setup::default(), Some("wrong"), AuthRefusal::WrongToken),
        (locked.clone(), Some("wrong"), AuthRefusal::WrongToken),
        (locked, None, AuthRefusal::TokenNeeded),
        (Setup { remote: true, ..Setup::default() }, None, AuthRefusal::NotLocal),
    ];
    for (setup, token, expected) in cases {
        let kernel = Kernel::with(setup).await;
        assert_eq!(refused(&kernel, token).await, TransportError::Unauthorized(expected));
        assert_eq!(kernel.seen().len(), 1);
    }
    let kernel = Kernel::start().await;
    kernel.fault(
        "/api/notebook/lsNotebooks",
        Fault::answer_with(401, r#"{"code":-1,"msg":"Auth failed: invalid request origin"}"#),
    );
    assert_eq!(refused(&kernel, None).await, TransportError::Unauthorized(AuthRefusal::Origin));
    kernel.fault("/api/notebook/lsNotebooks", Fault::answer_with(401, ""));
    assert_eq!(refused(&kernel, None).await, TransportError::Unauthorized(AuthRefusal::Unexplained));
}

#[tokio::test]
async fn a_403_says_that_it_takes_an_administrator() {
    let kernel = Kernel::with(Setup { reader: true, ..Setup::default() }).await;
    let connection = connect(&kernel);
    connection.send(Request::post("/api/notebook/lsNotebooks", json!({})), &never()).await.unwrap();
    let error = connection.send(Request::post("/api/query/sql", json!({})), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Forbidden);
    assert!(error.sent() && !error.uncertain());
}

#[tokio::test]
async fn a_429_says_how_long_to_wait() {
    let kernel = Kernel::with(Setup { generation: Generation::V3_8_6, ..Setup::default() }).await;
    for _ in 0..5 {
        assert_eq!(
            refused(&kernel, Some("wrong")).await,
            TransportError::Unauthorized(AuthRefusal::WrongToken)
        );
    }
    let locked = refused(&kernel, Some("wrong")).await;
    assert_eq!(locked, TransportError::Throttled { retry_after: Some(Duration::from_secs(30)) });
    assert!(locked.to_string().contains("another 30 s"), "{locked}");
}

#[tokio::test]
async fn a_redirect_is_named_and_the_thief_gets_nothing() {
    let (kernel, thief) = (Kernel::start().await, Origin::thief().await);
    let connection = connect(&kernel);
    let to = format!("http://user:secret@{}/api/take?token=secret#secret", thief.address());
    for status in [301, 302, 303, 307, 308] {
        let fault = Fault::Redirect { status, to: to.clone() };
        for path in
            ["/api/notebook/lsNotebooks", "/api/block/deleteBlock", "/ws", "/es", "/mcp", "/api/plugin/rpc/a"]
        {
            kernel.fault(path, fault.clone());
        }
        let named = TransportError::Redirect { status, to: format!("http://{}/api/take", thief.address()) };
        let cancel = never();
        let errors = [
            connection.send(Request::get("/api/notebook/lsNotebooks"), &cancel).await.unwrap_err(),
            connection.send(Request::post("/api/block/deleteBlock", json!({})), &cancel).await.unwrap_err(),
            connection.socket("/ws", &[], &cancel).await.unwrap_err(),
            connection.events(Request::get("/es"), &cancel).await.unwrap_err(),
            connection.mcp(&cancel).await.unwrap_err().root().clone(),
            connection.rpc("a", super::rpc::call("b"), &cancel).await.unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error, named);
            assert!(error.sent() && !error.uncertain());
        }
    }
    assert_eq!(thief.log().seen().len(), 0);
    assert_eq!(kernel.seen().len(), 6 * 5);
}

#[tokio::test]
async fn the_redirect_to_the_login_page_is_an_error_too() {
    let kernel = Kernel::start().await;
    let to = "/check-auth?to=%2Fapi".to_owned();
    kernel.fault("/api/system/getConf", Fault::Redirect { status: 302, to });
    let error = connect(&kernel).send(Request::get("/api/system/getConf"), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Redirect { status: 302, to: "/check-auth".to_owned() });
    assert_eq!(kernel.seen().len(), 1);
}

#[tokio::test]
async fn nothing_listens_or_the_name_is_unknown_and_nothing_was_sent() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (address, expected) in [
        (format!("http://{gone}"), TransportError::Refused),
        (format!("https://{gone}"), TransportError::Refused),
        ("http://kernel.invalid".to_owned(), TransportError::UnknownHost),
    ] {
        let connection = Connection::new(address.parse().unwrap(), None, Options::default()).unwrap();
        let error = connection.send(Request::get("/api/system/version"), &never()).await.unwrap_err();
        assert_eq!(error, expected, "{address}");
        assert!(!error.sent() && !error.uncertain());
    }
}
