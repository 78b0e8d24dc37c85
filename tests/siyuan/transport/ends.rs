//! Everything ends: a call with its caller, a connection with all that belongs to it.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use notegate::siyuan::transport::{Request, TransportError};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{connect, never, soon};
use crate::kernel::Kernel;
use crate::kernel::faults::Fault;

const WRITE: &str = "/api/block/updateBlock";

fn write() -> Request {
    Request::post(WRITE, json!({}))
}

#[tokio::test]
async fn each_call_releases_its_sockets_when_it_ends() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let cancel = never();
    connection.send(Request::get("/api/system/version"), &cancel).await.unwrap();
    connection.rpc(crate::kernel::rpc_names::PLUGIN, super::rpc::call("echo"), &cancel).await.unwrap();
    connection.mcp_list("tools/list", &cancel).await.unwrap();
    connection.socket("/ws", &super::sockets::query(), &cancel).await.unwrap().close().await;
    drop(connection.events(Request::get("/api/system/bootProgressSSE"), &cancel).await.unwrap());
    soon("the last socket", kernel.all_closed()).await;
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_it_began_sends_nothing() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let cancel = never();
    cancel.cancel();
    let unsent = TransportError::Cancelled { sent: false };
    assert_eq!(connection.send(write(), &cancel).await, Err(unsent.clone()));
    assert_eq!(connection.socket("/ws", &[], &cancel).await.unwrap_err(), unsent);
    assert_eq!(connection.events(write(), &cancel).await.unwrap_err(), unsent);
    assert_eq!(*connection.mcp(&cancel).await.unwrap_err().root(), unsent);
    assert_eq!((kernel.seen().len(), kernel.open_sockets()), (0, 0));
}

#[tokio::test]
async fn a_cancelled_call_says_that_it_was_sent_and_closes_its_socket() {
    let kernel = Kernel::start().await;
    kernel.fault(WRITE, Fault::Hold);
    let (connection, cancel) = (connect(&kernel), CancellationToken::new());
    let (outcome, ()) = tokio::join!(connection.send(write(), &cancel), async {
        kernel.arrived(WRITE).await;
        cancel.cancel();
    });
    let error = outcome.unwrap_err();
    assert_eq!(error, TransportError::Cancelled { sent: true });
    assert!(error.uncertain());
    soon("the socket", kernel.all_closed()).await;
    // The connection itself lives on.
    connection.send(Request::get("/api/system/version"), &never()).await.unwrap();
}

#[tokio::test]
async fn a_call_whose_caller_went_away_closes_its_socket() {
    let kernel = Kernel::start().await;
    kernel.fault(WRITE, Fault::Hold);
    let (connection, cancel) = (connect(&kernel), never());
    tokio::select! {
        outcome = connection.send(write(), &cancel) => panic!("{outcome:?}"),
        () = kernel.arrived(WRITE) => {}
    }
    soon("the socket", kernel.all_closed()).await;
}

#[tokio::test]
async fn dispose_ends_calls_sockets_streams_and_sessions_and_waits_for_each() {
    let kernel = Kernel::start().await;
    kernel.fault(WRITE, Fault::Hold);
    let (connection, cancel) = (connect(&kernel), never());
    let mut socket = connection.socket("/ws", &super::sockets::query(), &cancel).await.unwrap();
    let session = connection.mcp(&cancel).await.unwrap();
    kernel.fault(
        "/es",
        Fault::Answer { status: 200, content_type: "text/event-stream", body: "data: 1\n\n".repeat(999) },
    );
    let mut stream = connection.events(Request::get("/es"), &cancel).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap().data, "1");

    let (outcome, ()) = tokio::join!(connection.send(write(), &cancel), async {
        kernel.arrived(WRITE).await;
        // Neither the socket nor the stream nor the session is looked at by anybody meanwhile.
        soon("dispose", connection.dispose()).await;
    });
    assert_eq!(outcome, Err(TransportError::Disposed { sent: true }));
    soon("the sockets", kernel.all_closed()).await;

    let ended = loop {
        match stream.next().await {
            Ok(event) => assert!(event.is_some(), "the stream ended as if the kernel had ended it"),
            Err(error) => break error,
        }
    };
    assert_eq!(ended, TransportError::Disposed { sent: true });
    assert!(matches!(socket.next().await, Err(TransportError::Disposed { .. })));
    let message = notegate::siyuan::transport::Message::Text("late".to_owned());
    assert_eq!(socket.send(message).await, Err(TransportError::Disposed { sent: false }));
    let late = session.request("tools/list", None, &cancel).await.unwrap_err();
    assert!(
        matches!(late, TransportError::Disposed { sent: false } | TransportError::Closed { .. }),
        "{late:?}"
    );

    let seen = kernel.seen().len();
    let unsent = TransportError::Disposed { sent: false };
    assert_eq!(connection.send(write(), &cancel).await, Err(unsent.clone()));
    assert_eq!(connection.clone().socket("/ws", &[], &cancel).await.unwrap_err(), unsent);
    assert_eq!(kernel.seen().len(), seen);
    soon("dispose again", connection.dispose()).await;
}

#[tokio::test]
async fn dispose_does_not_wait_for_a_caller_who_does_not_look() {
    let kernel = Kernel::start().await;
    kernel.fault(WRITE, Fault::Hold);
    let (connection, cancel) = (connect(&kernel), never());
    let mut call = pin!(connection.send(write(), &cancel));
    // Begun, and then left alone.
    poll_fn(|cx| {
        assert!(call.as_mut().poll(cx).is_pending());
        Poll::Ready(())
    })
    .await;
    kernel.arrived(WRITE).await;
    soon("dispose", connection.dispose()).await;
    soon("the socket", kernel.all_closed()).await;
    assert_eq!(call.await, Err(TransportError::Disposed { sent: true }));
}
