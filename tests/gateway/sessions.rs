//! Sessions are labels: what a missing, stale, foreign or ended one does.

use std::collections::BTreeSet;

use notegate::core::{Command, RuntimeId, RuntimeKind, SessionLabel, WorkMode};
use serde_json::{Value, json};

use crate::world::{Stream, TEXT, World, answer, custom, initialize, names, quick};

const STALE: &str = "0e4b6a1e-0000-4000-8000-000000000000";

async fn sent(request: reqwest::RequestBuilder) -> Value {
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    answer(response).await
}

fn get(world: &World, key: &str, session: Option<&str>) -> reqwest::RequestBuilder {
    let request = world.http.get(world.url("/mcp")).bearer_auth(key).header("accept", "text/event-stream");
    session.into_iter().fold(request, |request, session| request.header("mcp-session-id", session))
}

fn delete(world: &World, session: &str) -> reqwest::RequestBuilder {
    world.http.delete(world.url("/mcp")).bearer_auth(&world.key).header("mcp-session-id", session)
}

#[tokio::test]
async fn m01_m08_a_stale_or_missing_session_is_served() {
    let world = World::new().await;
    for session in [None, Some(STALE), Some("odd label"), Some("")] {
        assert_eq!(
            names(&sent(world.legacy(session, "tools/list", json!({}))).await).len(),
            19,
            "{session:?}"
        );
        assert_eq!(sent(world.legacy(session, "ping", json!({}))).await["result"], json!({}));
        let called = sent(world.legacy(session, "tools/call", quick())).await;
        assert_eq!(called["result"]["content"][0]["text"], TEXT);
        let told = world.notify(session, "notifications/initialized", json!({})).send().await.unwrap();
        assert_eq!(told.status(), 202);
        assert_eq!(
            get(&world, &world.key, session).send().await.unwrap().status(),
            405,
            "no stream without one"
        );
    }
    let reopened = world.legacy(Some(STALE), "initialize", initialize("2025-11-25")).send().await.unwrap();
    assert_ne!(reopened.headers()["mcp-session-id"], STALE, "a new one is made");
}

#[tokio::test]
async fn m03_a_setting_saved_during_a_conversation_breaks_nothing() {
    let world = World::new().await;
    let session = world.session().await;
    for enabled in [false, true] {
        world.switch(enabled).await;
        let listed = sent(world.legacy(Some(&session), "tools/list", json!({}))).await;
        assert_eq!(names(&listed).len(), if enabled { 19 } else { 0 });
    }
}

#[tokio::test]
async fn a_session_shows_its_client() {
    let world = World::new().await;
    let session = world.session().await;
    let listed = world.handle().access().sessions();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].label.0.as_str(), &listed[0].runtime), (session.as_str(), &custom()));
    let client = listed[0].client.as_ref().unwrap();
    assert_eq!((client.name.as_str(), client.version.as_str()), ("test client", "1.2"));
}

#[tokio::test]
async fn a_session_that_its_client_deleted_is_not_found() {
    let world = World::new().await;
    let session = world.session().await;
    let mut stream = Stream::of(get(&world, &world.key, Some(&session))).await;
    assert_eq!(delete(&world, &session).send().await.unwrap().status(), 204);
    for request in [
        world.legacy(Some(&session), "tools/list", json!({})),
        world.notify(Some(&session), "notifications/initialized", json!({})),
        get(&world, &world.key, Some(&session)),
        delete(&world, &session),
    ] {
        assert_eq!(request.send().await.unwrap().status(), 404);
    }
    assert!(!stream.reads("never").await, "the stream ends");
    let fresh = world.session().await;
    assert_eq!(names(&sent(world.legacy(Some(&fresh), "tools/list", json!({}))).await).len(), 19);
    let again = world.legacy(Some(&session), "initialize", initialize("2025-11-25")).send().await.unwrap();
    assert_eq!(again.status(), 200, "a client may begin anew without forgetting the old id");
}

#[tokio::test]
async fn a_session_that_the_person_ended_ends_its_calls_and_streams() {
    let world = World::new().await;
    let session = world.session().await;
    let mut stream = Stream::of(get(&world, &world.key, Some(&session))).await;
    let calling = tokio::spawn(world.legacy(Some(&session), "tools/call", world.slow()).send());
    world.arrived().await;
    world.command(Command::EndSession { session: SessionLabel(session.clone()) }).await;
    let called = answer(calling.await.unwrap().unwrap()).await;
    assert_eq!(called["result"]["structuredContent"]["code"], "revoked", "the call is still answered");
    assert!(!stream.reads("never").await, "the stream ends");
    let response = world.legacy(Some(&session), "tools/list", json!({})).send().await.unwrap();
    assert_eq!(response.status(), 404);
    assert_eq!(response.json::<Value>().await.unwrap()["error"]["code"], -32001);
    world.goes_on().await;
}

#[tokio::test]
async fn another_runtimes_session_is_as_good_as_none() {
    let world = World::new().await;
    let session = world.session().await;
    let other = world.add(RuntimeKind::OpenCode, WorkMode::Execute, false).await;
    let listed = sent(world.legacy_as(&other, Some(&session), "tools/list", json!({}))).await;
    assert_eq!(names(&listed).len(), 0, "served with its own grant");
    let called = sent(world.legacy_as(&other, Some(&session), "tools/call", quick())).await;
    assert_eq!(called["result"]["structuredContent"]["code"], "not_assigned");
    assert_eq!(get(&world, &other, Some(&session)).send().await.unwrap().status(), 405);
    let take = world.http.delete(world.url("/mcp")).bearer_auth(&other).header("mcp-session-id", &session);
    assert_eq!(take.send().await.unwrap().status(), 204);
    // Its owner noticed nothing of all that.
    assert_eq!(names(&sent(world.legacy(Some(&session), "tools/list", json!({}))).await).len(), 19);
    assert_eq!(world.handle().access().session_owners(&SessionLabel(session)), [custom()]);
}

#[tokio::test]
async fn m07_sessions_that_nobody_deletes_are_bounded_and_the_oldest_goes_first() {
    let world = World::with_settings(json!({"limits": {"sessions": 3}})).await;
    let mut opened = Vec::new();
    opened.push(world.session().await);
    let mut first = Stream::of(get(&world, &world.key, Some(&opened[0]))).await;
    for _ in 0..5 {
        opened.push(world.session().await);
    }
    let listed: BTreeSet<String> =
        world.handle().access().sessions().into_iter().map(|session| session.label.0).collect();
    assert_eq!(listed, opened[3..].iter().cloned().collect());
    assert!(!first.reads("never").await, "the stream of one that had to go ends");
    let listed = sent(world.legacy(Some(&opened[0]), "tools/list", json!({}))).await;
    assert_eq!(names(&listed).len(), 19, "and it is served all the same, as a stale one");
}

#[tokio::test]
async fn sessions_of_a_removed_runtime_are_closed() {
    let world = World::new().await;
    let key = world.add(RuntimeKind::OpenCode, WorkMode::Execute, true).await;
    let session = world.session_as(&key).await;
    let mut stream = Stream::of(get(&world, &key, Some(&session))).await;
    world.command(Command::RemoveRuntime { runtime: RuntimeId::new("opencode").unwrap() }).await;
    assert!(!stream.reads("never").await);
    assert!(world.handle().access().sessions().is_empty());
    let response = world.legacy_as(&key, Some(&session), "tools/list", json!({})).send().await.unwrap();
    assert_eq!(response.status(), 401);
}

#[tokio::test]
async fn a_rotated_key_keeps_the_sessions() {
    let world = World::new().await;
    let session = world.session().await;
    let notegate::core::Reply::KeyRotated { key, .. } =
        world.command(Command::RotateKey { runtime: custom() }).await
    else {
        panic!("no key");
    };
    let old = world.legacy(Some(&session), "tools/list", json!({})).send().await.unwrap();
    assert_eq!(old.status(), 401);
    let mut stream = Stream::of(get(&world, &key.0, Some(&session))).await;
    world.switch(false).await;
    assert!(stream.reads("notifications/tools/list_changed").await, "the session lives on");
}

#[tokio::test]
async fn an_idle_session_leaves() {
    let world = World::with_settings(json!({"limits": {"sessionIdleSeconds": 1}})).await;
    let session = world.session().await;
    let mut stream = Stream::of(get(&world, &world.key, Some(&session))).await;
    assert!(!stream.reads("never").await, "the stream ends by itself");
    assert_eq!(
        names(&sent(world.legacy(Some(&session), "tools/list", json!({}))).await).len(),
        19,
        "and is served"
    );
}
