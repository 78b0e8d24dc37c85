//! Clients hear when their tools change, in both eras, and only then.

use notegate::core::{Capability, Command, RuntimeKind, Theme, WorkMode};
use serde_json::{Value, json};

use crate::world::{Stream, World, custom};

const CHANGED: &str = "notifications/tools/list_changed";

fn listen(world: &World) -> reqwest::RequestBuilder {
    world.modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}))
}

async fn revision(world: &World) -> u64 {
    let health: Value = world.http.get(world.url("/health")).send().await.unwrap().json().await.unwrap();
    health["revision"].as_u64().unwrap()
}

#[tokio::test]
async fn the_switch_is_told_to_both_eras() {
    let world = World::new().await;
    let session = world.session().await;
    let mut legacy = Stream::of(
        world
            .http
            .get(world.url("/mcp"))
            .bearer_auth(&world.key)
            .header("accept", "text/event-stream")
            .header("mcp-session-id", &session),
    )
    .await;
    let mut modern = Stream::of(listen(&world)).await;
    assert!(modern.reads("notifications/subscriptions/acknowledged").await);
    for enabled in [false, true] {
        world.switch(enabled).await;
        assert!(legacy.reads(CHANGED).await, "legacy, {enabled}");
        assert!(modern.reads(CHANGED).await, "modern, {enabled}");
    }
    world.goes_on().await;
}

#[tokio::test]
async fn the_revision_changes_with_what_is_offered_and_with_nothing_else() {
    let world = World::new().await;
    let first = revision(&world).await;
    world.command(Command::SetTheme { theme: Theme::Dark }).await;
    world.switch(true).await;
    assert_eq!(revision(&world).await, first, "nothing changed for anybody");
    world.switch(false).await;
    let second = revision(&world).await;
    assert_ne!(second, first);
    world.switch(true).await;
    let third = revision(&world).await;
    assert!(third != second && third != first);
    let take =
        Command::SetAssignment { capability: Capability::Obsidian, runtime: custom(), assigned: false };
    world.command(take).await;
    assert_ne!(revision(&world).await, third);
}

#[tokio::test]
async fn a_listener_whose_runtime_is_removed_is_let_go() {
    let world = World::new().await;
    world.add(RuntimeKind::OpenCode, WorkMode::Execute, true).await;
    let mut stream = Stream::of(listen(&world)).await;
    assert!(stream.reads("notifications/subscriptions/acknowledged").await);
    world.command(Command::RemoveRuntime { runtime: custom() }).await;
    assert!(stream.reads(CHANGED).await);
    assert!(!stream.reads("never").await, "the stream ends");
}
