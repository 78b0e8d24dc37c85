//! Both eras at one address: handshakes, lists and calls.

use notegate::core::{Capability, Command, RuntimeKind, WorkMode};
use serde_json::{Value, json};

use crate::world::{TEXT, World, answer, custom, initialize, names, quick};

async fn sent(request: reqwest::RequestBuilder) -> Value {
    answer(request.send().await.unwrap()).await
}

#[tokio::test]
async fn every_legacy_version_is_answered_with_itself() {
    let world = World::new().await;
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize(version)});
        let result = sent(world.mcp(&world.key).json(&body)).await["result"].clone();
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "notegate");
        assert_eq!(result["capabilities"]["tools"]["listChanged"], true);
        assert!(result["instructions"].as_str().unwrap().contains("vaultId"));
    }
}

#[tokio::test]
async fn m11_discover_first_lists_our_versions() {
    let world = World::new().await;
    let result = sent(world.modern("server/discover", json!({}))).await["result"].clone();
    assert_eq!(
        result["supportedVersions"],
        json!(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
    );
    assert_eq!(result["capabilities"]["tools"]["listChanged"], true);
}

#[tokio::test]
async fn m10_a_modern_request_beside_legacy_ones() {
    let world = World::new().await;
    let session = world.session().await;
    let legacy = sent(world.legacy(Some(&session), "tools/list", json!({}))).await;
    let modern = sent(world.modern("tools/list", json!({}))).await;
    let again = sent(world.legacy(Some(&session), "tools/list", json!({}))).await;
    assert_eq!(names(&legacy).len(), 19);
    assert_eq!(names(&legacy), names(&modern));
    assert_eq!(legacy, again);
    assert_eq!((&modern["result"]["ttlMs"], &modern["result"]["cacheScope"]), (&json!(0), &json!("private")));
    assert_eq!(modern["result"]["resultType"], "complete");
    assert_eq!(legacy["result"].get("resultType"), None);

    for request in [
        world.legacy(Some(&session), "tools/call", quick()),
        world.legacy(None, "tools/call", quick()),
        world.modern("tools/call", quick()),
    ] {
        let answer = sent(request).await;
        assert_eq!(answer["result"]["content"], json!([{"type": "text", "text": TEXT}]), "{answer}");
    }
    assert_eq!(sent(world.legacy(Some(&session), "ping", json!({}))).await["result"], json!({}));
    assert_eq!(world.modern("ping", json!({})).send().await.unwrap().status(), 404, "there is none any more");
}

#[tokio::test]
async fn m24_definitions_are_plain_and_annotated() {
    let world = World::new().await;
    let listed = sent(world.legacy(None, "tools/list", json!({}))).await;
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let (name, schema) = (tool["name"].as_str().unwrap(), &tool["inputSchema"]);
        assert_eq!(schema["type"], "object", "{name}");
        assert!(schema["properties"].is_object() && schema["additionalProperties"] == false, "{name}");
        let hints = &tool["annotations"];
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint"] {
            assert!(hints[hint].is_boolean(), "{name} {hint}");
        }
        assert_eq!(hints["openWorldHint"], false, "{name}");
        assert!(!tool["title"].as_str().unwrap().is_empty());
        let reads = hints["readOnlyHint"] == true;
        assert_eq!(tool["_meta"]["anthropic/maxResultSizeChars"] == 400_000, reads, "{name}");
        // M-27: the longest prefix of a client is its own word, the server's name and underscores.
        assert!(name.len() + "mcp__notegate__".len() <= 60, "{name}");
    }
    let write = &listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .find(|t| t["name"] == "obsidian_write_note")
        .unwrap()["annotations"];
    assert_eq!(write["readOnlyHint"], false);
}

#[tokio::test]
async fn us10_only_what_is_on_and_assigned_is_listed() {
    let world = World::new().await;
    let without = world.add(RuntimeKind::OpenCode, WorkMode::Full, false).await;
    let listed =
        async |key: &str| names(&sent(world.legacy_as(key, None, "tools/list", json!({}))).await).len();
    assert_eq!((listed(&world.key).await, listed(&without).await), (19, 0));
    world.switch(false).await;
    assert_eq!(listed(&world.key).await, 0);
    let answer = sent(world.legacy(None, "tools/call", quick())).await;
    assert_eq!(answer["result"]["structuredContent"]["code"], "switched_off");
    world.switch(true).await;
    assert_eq!(listed(&world.key).await, 19);
    let take =
        Command::SetAssignment { capability: Capability::Obsidian, runtime: custom(), assigned: false };
    world.command(take).await;
    assert_eq!(listed(&world.key).await, 0);
}

#[tokio::test]
async fn us9_ask_lists_everything_and_refuses_to_write() {
    let world = World::new().await;
    let key = world.add(RuntimeKind::Continue, WorkMode::Ask, true).await;
    let listed = sent(world.legacy_as(&key, None, "tools/list", json!({}))).await;
    assert_eq!(names(&listed).len(), 19);
    let write = json!({"name": "obsidian_write_note", "arguments": {"path": "new.md", "content": "x"}});
    let answer = sent(world.legacy_as(&key, None, "tools/call", write)).await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(answer["result"]["structuredContent"]["code"], "read_only_mode");
    assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("read_only_mode"));
    assert!(!world.vault().join("new.md").exists());
    let answer = sent(world.legacy_as(&key, None, "tools/call", quick())).await;
    assert_eq!(answer["result"]["content"][0]["text"], TEXT);
}

#[tokio::test]
async fn a08_an_unknown_tool_or_argument_is_a_tool_error_that_a_model_can_read() {
    let world = World::new().await;
    for (call, code) in [
        (json!({"name": "obsidian_eat_note"}), "unknown_tool"),
        (json!({"name": "obsidian_read_note", "arguments": {"name": "x.md"}}), "invalid_arguments"),
    ] {
        for request in [world.legacy(None, "tools/call", call.clone()), world.modern("tools/call", call)] {
            let answer = sent(request).await;
            assert_eq!(answer["result"]["isError"], true, "{answer}");
            assert_eq!(answer["result"]["structuredContent"]["code"], code, "{answer}");
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert_eq!(text.contains("tools/list"), code == "unknown_tool", "{text}");
        }
    }
}
