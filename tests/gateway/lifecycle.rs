//! The gateway's own beginning and end.

use std::time::{Duration, Instant};

use notegate::core::GatewayState;
use notegate::gateway::{Gateway, GatewayError, GatewayOptions};
use serde_json::json;

use crate::world::{DEADLINE, Stream, World, answer, until};

#[tokio::test]
async fn g12_a_taken_port_is_an_error_that_names_it_and_the_way_on() {
    let world = World::new().await;
    let port = world.gateway.address().port();
    let options = GatewayOptions { port, control: world.control.clone() };
    let Err(error) = Gateway::start(world.handle().clone(), options).await else { panic!("two on one port") };
    assert!(matches!(error, GatewayError::PortTaken(taken) if taken == port));
    let text = error.to_string();
    assert!(text.contains(&port.to_string()) && text.contains("choose another port"), "{text}");
    let failed = || matches!(&world.handle().snapshot().gateway, GatewayState::Failed { error, .. } if error.code == "port_taken");
    until("the core was not told", failed).await;
    world.goes_on().await;
}

#[tokio::test]
async fn it_listens_on_the_loopback_address_only() {
    let world = World::new().await;
    assert!(world.gateway.address().ip().is_loopback());
    assert_eq!(world.gateway.mcp_url(), world.url("/mcp"));
    assert_eq!(world.gateway.tools_url(), world.url("/tools"));
}

#[tokio::test]
async fn after_stop_accepting_new_requests_are_refused_and_running_ones_go_on() {
    let world = World::new().await;
    let calling = tokio::spawn(world.legacy(None, "tools/call", world.slow()).send());
    world.arrived().await;
    world.gateway.stop_accepting();
    for path in ["/health", "/tools", "/mcp", "/x"] {
        let response = world.http.get(world.url(path)).bearer_auth(&world.key).send().await.unwrap();
        assert_eq!(response.status(), 503, "{path}");
        assert!(response.text().await.unwrap().contains("closing"));
    }
    assert_eq!(world.running(), 1);
    world.core.end_calls().await;
    let called = answer(calling.await.unwrap().unwrap()).await;
    assert_eq!(called["result"]["structuredContent"]["code"], "revoked");
    assert!(called["result"]["content"][0]["text"].as_str().unwrap().contains("Notegate is closing"));
    world.end().await;
}

#[tokio::test]
async fn fr10_finish_ends_sessions_streams_and_the_server_in_bounded_time() {
    let world = World::new().await;
    let session = world.session().await;
    let mut stream = Stream::of(
        world
            .http
            .get(world.url("/mcp"))
            .bearer_auth(&world.key)
            .header("accept", "text/event-stream")
            .header("mcp-session-id", &session),
    )
    .await;
    let listen = world.modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let mut listener = Stream::of(listen).await;
    let calling = tokio::spawn(world.legacy(Some(&session), "tools/call", world.slow()).send());
    world.arrived().await;
    // A connection that says nothing does not hold it up either.
    let silent = tokio::net::TcpStream::connect(world.gateway.address()).await.unwrap();

    let (address, http, health) = (world.gateway.address(), world.http.clone(), world.url("/health"));
    let begun = Instant::now();
    tokio::time::timeout(DEADLINE, world.end()).await.expect("it does not end");
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    let called = answer(calling.await.unwrap().unwrap()).await;
    assert_eq!(called["result"]["structuredContent"]["code"], "revoked", "the call was answered first");
    assert!(!stream.reads("never").await);
    assert!(!listener.reads("never").await);
    assert!(http.get(health).send().await.is_err(), "nobody listens any more");
    drop(silent);
    tokio::net::TcpListener::bind(address).await.expect("the port is free again");
}
