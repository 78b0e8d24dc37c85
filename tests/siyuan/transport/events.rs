//! Server-sent events.

use notegate::siyuan::transport::{Options, Request, TransportError};

use super::{connect, never, patient, soon, to};
use crate::kernel::faults::Fault;
use crate::kernel::{Kernel, Setup};

#[tokio::test]
async fn the_boot_is_followed_to_its_end() {
    let kernel = Kernel::with(Setup { boot_progress: 20, ..Setup::default() }).await;
    let mut stream =
        connect(&kernel).events(Request::get("/api/system/bootProgressSSE"), &never()).await.unwrap();
    let mut steps = Vec::new();
    while let Some(event) = stream.next().await.unwrap() {
        let progress: serde_json::Value = serde_json::from_str(&event.data).unwrap();
        steps.push(progress["progress"].as_u64().unwrap());
    }
    assert_eq!(steps, [20, 60, 100]);
    assert_eq!(kernel.seen()[0].header("accept"), Some(&b"text/event-stream"[..]));
}

#[tokio::test]
async fn what_is_no_event_stream_is_said_to_be_none() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let error = connection.events(Request::get("/api/system/version"), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Unexpected { expected: "an event stream" });
    let error = connection.events(Request::get("/es/none"), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Status { status: 404 });
}

#[tokio::test]
async fn an_event_is_bounded_and_a_stream_that_breaks_off_says_so() {
    let kernel = Kernel::start().await;
    let connection = to(&kernel.address(), Options { response_limit: 64, ..patient() });
    let stream =
        |body: String| Fault::Answer { status: 200, content_type: "text/event-stream; charset=utf-8", body };
    kernel.fault("/es", stream(format!("data: 1\n\ndata: {}\n\n", "a".repeat(64))));
    let mut events = connection.events(Request::get("/es"), &never()).await.unwrap();
    assert_eq!(events.next().await, Err(TransportError::TooLarge { limit: 64 }));
    kernel.fault("/es", Fault::Half);
    let error = connection.events(Request::get("/es"), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Unexpected { expected: "an event stream" });
    soon("the sockets", kernel.all_closed()).await;
}

#[tokio::test]
async fn a_dropped_or_cancelled_stream_closes_its_socket() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let body = "data: 1\n\n".repeat(10_000);
    kernel.fault("/es", Fault::Answer { status: 200, content_type: "text/event-stream", body });
    let mut dropped = connection.events(Request::get("/es"), &never()).await.unwrap();
    dropped.next().await.unwrap();
    drop(dropped);
    soon("the socket", kernel.all_closed()).await;

    let cancel = never();
    let mut cancelled = connection.events(Request::get("/es"), &cancel).await.unwrap();
    cancel.cancel();
    let ended = loop {
        match cancelled.next().await {
            Ok(Some(_)) => {}
            other => break other,
        }
    };
    assert_eq!(ended, Err(TransportError::Cancelled { sent: true }));
    soon("the socket", kernel.all_closed()).await;
}
