//! Answers that are too large, too slow, broken off or none at all: what is known afterwards is said,
//! and nothing is sent a second time.

use notegate::siyuan::transport::{DEFAULT_RESPONSE_LIMIT, Options, Request, TransportError};
use serde_json::json;

use super::{MOMENT, connect, hasty, never, patient, soon, to};
use crate::kernel::Kernel;
use crate::kernel::faults::Fault;
use crate::kernel::raw::{Raw, Script};

const WRITE: &str = "/api/block/updateBlock";

fn write() -> Request {
    Request::post(WRITE, json!({"id": "x", "data": "", "dataType": "markdown"}))
}

#[tokio::test]
async fn an_answer_of_16_mib_is_read_and_one_byte_more_is_not() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    assert_eq!(DEFAULT_RESPONSE_LIMIT, 16 * 1024 * 1024);
    for announced in [true, false] {
        kernel.fault(WRITE, Fault::Large { bytes: DEFAULT_RESPONSE_LIMIT, announced });
        let answer = connection.send(write(), &never()).await.unwrap();
        assert_eq!(answer.body.len(), DEFAULT_RESPONSE_LIMIT);
        kernel.fault(WRITE, Fault::Large { bytes: DEFAULT_RESPONSE_LIMIT + 1, announced });
        let error = connection.send(write(), &never()).await.unwrap_err();
        assert_eq!(error, TransportError::TooLarge { limit: DEFAULT_RESPONSE_LIMIT });
        assert!(error.uncertain(), "the write was done, only its answer is unknown");
    }
    kernel.all_closed().await;
}

#[tokio::test]
async fn the_limit_counts_while_the_answer_arrives() {
    // The head and a little, and then nothing for ever: only a count of what has come ends this.
    let server = Raw::start(Script::SayAndHang(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",
    ))
    .await;
    let connection = to(&server.address(), Options { response_limit: 4, ..patient() });
    let error = soon("the limit", connection.send(write(), &never())).await.unwrap_err();
    assert_eq!(error, TransportError::TooLarge { limit: 4 });
}

#[tokio::test]
async fn a_call_without_an_answer_ends_with_its_time_and_may_have_worked() {
    let kernel = Kernel::start().await;
    for fault in [Fault::Hold, Fault::HoldBody] {
        kernel.fault(WRITE, fault);
        let error = hasty(&kernel.address()).send(write(), &never()).await.unwrap_err();
        assert_eq!(error, TransportError::Timeout { after: MOMENT, sent: true });
        assert!(error.uncertain());
        kernel.all_closed().await;
    }
    assert_eq!(kernel.seen_at(WRITE).len(), 2);
    let patient = connect(&kernel);
    let request = Request { timeout: Some(MOMENT), ..write() };
    let error = patient.send(request, &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Timeout { after: MOMENT, sent: true });
}

#[tokio::test]
async fn a_handshake_that_hangs_ends_in_time_and_nothing_was_sent() {
    let server = Raw::start(Script::Hang).await;
    let address = format!("https://127.0.0.1:{}", server.port());
    let connection = to(&address, Options { connect_timeout: MOMENT, ..patient() });
    let error = connection.send(write(), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::ConnectTimeout { after: MOMENT });
    assert!(!error.sent());
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_is_uncertain_and_sent_once() {
    let kernel = Kernel::start().await;
    kernel.fault(WRITE, Fault::Half);
    let error = connect(&kernel).send(write(), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Broken { sent: true });
    assert!(error.uncertain());
    assert_eq!(kernel.seen_at(WRITE).len(), 1);

    for script in [
        Script::ResetAfterHead,
        Script::Say(b""),
        Script::Say(b"HTTP/1.1 200 OK\r\nContent-Le"),
        Script::Say(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"code\""),
        Script::SayAndReset(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"code\""),
    ] {
        let server = Raw::start(script.clone()).await;
        let error =
            soon("the end", to(&server.address(), patient()).send(write(), &never())).await.unwrap_err();
        assert_eq!(error, TransportError::Broken { sent: true }, "{script:?}");
        assert_eq!(server.accepted(), 1, "{script:?}");
    }
}

#[tokio::test]
async fn a_reset_at_once_is_not_tried_again_either() {
    let server = Raw::start(Script::ResetAtOnce).await;
    let error = to(&server.address(), patient()).send(write(), &never()).await.unwrap_err();
    // The reset may come before our first byte or after it.
    assert!(matches!(error, TransportError::Broken { .. } | TransportError::NotReachable(_)), "{error:?}");
    assert_eq!(server.accepted(), 1);
}

#[tokio::test]
async fn what_speaks_no_http_is_said_to() {
    for greeting in
        [&b"SSH-2.0-OpenSSH_9.2\r\n\r\n"[..], b"\x15\x03\x01\x00\x02\x02\x50", b"HTTP/9.9 hello\r\n\r\n"]
    {
        let server = Raw::start(Script::Say(greeting)).await;
        let error = to(&server.address(), patient()).send(write(), &never()).await.unwrap_err();
        assert_eq!(error, TransportError::NotHttp);
        assert!(error.sent());
    }
}
