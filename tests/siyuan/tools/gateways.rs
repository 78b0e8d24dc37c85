//! The five tools as both gateways and the command line offer them.

use notegate::core::{Capability, Command, Reply, WorkMode};
use serde_json::{Map, Value, json};

use super::world::{ACTIONS, World, add_runtime};
use super::{block_with, code, good};
use crate::kernel::TOKEN;
use crate::kernel::notes_ids::DOCUMENT;
use crate::kernels::world::locked;

const FIVE: [&str; 5] = ["siyuan_query", "siyuan_create", "siyuan_update", "siyuan_delete", "siyuan_rpc"];

async fn listed(world: &World) -> Vec<String> {
    let list = world.mcp(&world.key, "tools/list", json!({})).await;
    let tools = list["result"]["tools"].as_array().unwrap_or_else(|| panic!("{list}"));
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn exactly_five_tools_are_listed_in_a_fixed_order_while_siyuan_is_on_and_assigned() {
    let world = World::new().await;
    assert_eq!(listed(&world).await, FIVE);
    let direct: Value = world
        .http
        .get(world.url("/tools"))
        .bearer_auth(&world.key)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let names: Vec<_> =
        direct["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(names, FIVE);
    world.kernels.ask(Command::SetEnabled { capability: Capability::Siyuan, enabled: false }).await.unwrap();
    assert!(listed(&world).await.is_empty());
    let off = world.call("siyuan_query", json!({"action": "notebooks"})).await;
    assert_eq!(code(&off), "switched_off");
}

#[tokio::test]
async fn mcp_and_direct_calls_give_the_same_answer_whole_in_its_text() {
    let world = World::new().await;
    let arguments = json!({"action": "read", "id": DOCUMENT});
    let params = json!({"name": "siyuan_query", "arguments": arguments});
    let by_mcp = world.mcp(&world.key, "tools/call", params).await["result"].clone();
    let by_hand = world.call("siyuan_query", arguments).await;
    for mut answer in [by_mcp, by_hand] {
        let text: Value = serde_json::from_str(answer["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, answer["structuredContent"]);
        assert!(answer["structuredContent"]["kramdown"].as_str().unwrap().contains("First paragraph."));
        if answer.get("isError").is_none() {
            answer["isError"] = json!(false);
        }
        good(answer);
    }
}

#[tokio::test]
async fn ask_mode_only_reads() {
    let world = World::new().await;
    let key = add_runtime(&world.kernels, WorkMode::Ask).await;
    world.allow_all(&["connection status".into(), "mcp tools/list".into()]).await;
    let call = async |tool, arguments| world.call_as(&key, None, tool, arguments).await;
    let body = json!({"id": DOCUMENT, "data": "x", "dataType": "markdown"});
    for (tool, arguments) in [
        ("siyuan_query", json!({"action": "read", "id": DOCUMENT})),
        ("siyuan_query", json!({"action": "sql", "stmt": "SELECT id FROM blocks LIMIT 1"})),
        ("siyuan_rpc", json!({"channel": "contract"})),
        ("siyuan_rpc", json!({"channel": "connection", "action": "status"})),
        (
            "siyuan_rpc",
            json!({"channel": "http", "path": "/api/block/getBlockKramdown", "body": {"id": DOCUMENT}}),
        ),
    ] {
        good(call(tool, arguments).await);
    }
    let before = world.kernel.seen().len();
    for (tool, arguments) in [
        ("siyuan_create", json!({"action": "append", "parentID": DOCUMENT, "data": "x"})),
        ("siyuan_update", json!({"action": "block", "id": DOCUMENT, "data": "x"})),
        ("siyuan_delete", json!({"action": "doc", "id": DOCUMENT})),
        ("siyuan_rpc", json!({"channel": "http", "path": "/api/block/updateBlock", "body": body})),
        ("siyuan_rpc", json!({"channel": "http", "path": "/api/unknown/getThing", "body": {}})),
        ("siyuan_rpc", json!({"channel": "mcp", "method": "tools/list"})),
    ] {
        assert_eq!(code(&call(tool, arguments.clone()).await), "read_only_mode", "{arguments}");
    }
    assert_eq!(world.kernel.seen().len(), before);
}

#[tokio::test]
async fn the_person_at_this_computer_calls_the_same_way() {
    let world = World::new().await;
    let arguments = Map::from_iter([("action".to_owned(), json!("notebooks"))]);
    let command = Command::CallTool { tool: "siyuan_query".into(), arguments, mode: WorkMode::Ask };
    match world.kernels.ask(command).await.unwrap() {
        Reply::ToolResult { is_error, structured_content, .. } => {
            assert!(!is_error, "{structured_content:?}");
            assert_eq!(structured_content.unwrap()["notebooks"].as_array().unwrap().len(), 1);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(world.kernel.seen_at(ACTIONS[0]).len(), 1);
}

/// LR-8: what was under way when SiYuan is switched off ends, and says what is known of it.
#[tokio::test]
async fn a_write_under_way_when_siyuan_is_switched_off_is_uncertain() {
    let world = World::new().await;
    world.kernel.fault("/api/block/appendBlock", crate::kernel::faults::Fault::Hold);
    let write = world.call("siyuan_create", json!({"action": "append", "parentID": DOCUMENT, "data": "x"}));
    let switching = async {
        world.kernel.arrived("/api/block/appendBlock").await;
        let off = Command::SetEnabled { capability: Capability::Siyuan, enabled: false };
        world.kernels.ask(off).await.unwrap();
    };
    let (answer, ()) = tokio::join!(write, switching);
    assert_eq!(code(&answer), "uncertain");
    assert_eq!(world.kernel.seen_at("/api/block/appendBlock").len(), 1);
}

#[tokio::test]
async fn the_token_goes_to_the_kernel_and_into_no_answer() {
    let world = World::with(locked()).await;
    world.kernels.set_token(TOKEN).await;
    let read = json!({"action": "read", "id": DOCUMENT});
    let answer = world.call("siyuan_query", read.clone()).await;
    assert!(!answer.to_string().contains(&json!(TOKEN).to_string()));
    good(answer);
    let seen = world.kernel.seen_at("/api/block/getBlockKramdown");
    assert_eq!(seen[0].header("authorization"), Some(format!("Token {TOKEN}").as_bytes()));
}

#[tokio::test]
async fn a_wrong_token_is_shown_once_and_then_nothing_is_sent() {
    let world = World::with(locked()).await;
    world.kernels.set_token("mistaken").await;
    let read = json!({"action": "read", "id": DOCUMENT});
    assert_eq!(code(&world.call("siyuan_query", read.clone()).await), "token_refused");
    let seen = world.kernel.seen().len();
    assert_eq!(code(&world.call("siyuan_query", read).await), "token_refused");
    assert_eq!(world.kernel.seen().len(), seen);
    let shown = world.kernel.seen().iter().filter(|seen| seen.header("authorization").is_some()).count();
    assert_eq!(shown, 1);
}

#[tokio::test]
async fn a_result_beyond_the_limit_says_how_to_get_at_it() {
    let world = World::new().await;
    let id = block_with(&world.kernel, "First paragraph");
    world.kernel.notes().block_mut(&id).unwrap().markdown = "x".repeat(400_001);
    let answer = world.call("siyuan_query", json!({"action": "read", "id": id})).await;
    assert_eq!(code(&answer), "result_too_large");
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("siyuan_query children"));
}

#[tokio::test]
async fn no_tool_takes_who_calls_from_its_arguments() {
    let world = World::new().await;
    for name in ["session", "runtime", "callId", "mode", "execution"] {
        let mut arguments = json!({"action": "notebooks"});
        arguments[name] = json!("x");
        assert_eq!(code(&world.call("siyuan_query", arguments).await), "invalid_arguments", "{name}");
    }
}
