//! The direct tool API.

use notegate::core::{Command, RuntimeKind, SessionLabel, WorkMode};
use serde_json::{Value, json};

use crate::world::{TEXT, World, answer, names};

async fn call(world: &World, key: &str, tool: &str, body: &str) -> (u16, Value) {
    let request = world.http.post(world.url(&format!("/tools/{tool}"))).bearer_auth(key);
    let response = request.body(body.to_owned()).send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test]
async fn fr9_the_same_catalogue_as_over_mcp_in_the_form_of_functions() {
    let world = World::new().await;
    let listed: Value = world
        .http
        .get(world.url("/tools"))
        .bearer_auth(&world.key)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let mcp = answer(world.legacy(None, "tools/list", json!({})).send().await.unwrap()).await;
    let functions = listed["tools"].as_array().unwrap();
    let direct: Vec<_> = functions.iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
    assert_eq!(direct, names(&mcp));
    for (function, tool) in functions.iter().zip(mcp["result"]["tools"].as_array().unwrap()) {
        assert_eq!(function["type"], "function");
        assert_eq!(function["function"]["parameters"], tool["inputSchema"]);
        assert_eq!(function["function"]["description"], tool["description"]);
    }
    let without = world.add(RuntimeKind::Model, WorkMode::Execute, false).await;
    let none: Value =
        world.http.get(world.url("/tools")).bearer_auth(without).send().await.unwrap().json().await.unwrap();
    assert_eq!(none, json!({"tools": []}));
}

#[tokio::test]
async fn results_and_errors_of_tools_are_answered_with_200_and_in_full() {
    let world = World::new().await;
    let (status, reply) = call(&world, &world.key, "obsidian_read_note", r#"{"path":"quick.md"}"#).await;
    assert_eq!(status, 200);
    assert_eq!(reply, json!({"content": [{"type": "text", "text": TEXT}], "isError": false}));

    for (tool, body, code) in [
        ("obsidian_read_note", "{}", "invalid_arguments"),
        ("obsidian_read_note", "", "invalid_arguments"),
        ("obsidian_eat_note", "{}", "unknown_tool"),
        ("obsidian_read_note", r#"{"path":"quick.md","vaultId":"other"}"#, "vault_unknown"),
    ] {
        let (status, reply) = call(&world, &world.key, tool, body).await;
        assert_eq!((status, &reply["isError"]), (200, &json!(true)), "{reply}");
        assert_eq!(reply["structuredContent"]["code"], code, "{reply}");
        let text = reply["content"][0]["text"].as_str().unwrap();
        assert_eq!(text.contains("GET /tools"), code == "unknown_tool", "{text}");
    }
    let ask = world.add(RuntimeKind::Model, WorkMode::Ask, true).await;
    let (status, reply) = call(&world, &ask, "obsidian_write_note", r#"{"path":"n.md","content":"x"}"#).await;
    assert_eq!((status, &reply["structuredContent"]["code"]), (200, &json!("read_only_mode")));
}

#[tokio::test]
async fn only_the_form_of_a_request_is_a_matter_of_status() {
    let world = World::new().await;
    for body in ["[]", "{", "\"{}\"", "null"] {
        let (status, reply) = call(&world, &world.key, "obsidian_read_note", body).await;
        assert_eq!((status, &reply["error"]["code"]), (400, &json!("invalid_body")), "{body}");
    }
    world.goes_on().await;
}

#[tokio::test]
async fn a_session_label_is_shown_and_can_be_ended() {
    let world = World::new().await;
    let request = || {
        let request = world.http.post(world.url("/tools/obsidian_list_vaults")).bearer_auth(&world.key);
        request.header("notegate-session", "chat 5").body("{}")
    };
    assert_eq!(request().send().await.unwrap().status(), 200);
    let label = SessionLabel("chat 5".into());
    assert_eq!(world.handle().access().sessions()[0].label, label);
    world.command(Command::EndSession { session: label }).await;
    assert_eq!(request().send().await.unwrap().status(), 404);
    assert_eq!(call(&world, &world.key, "obsidian_list_vaults", "{}").await.0, 200);
}
