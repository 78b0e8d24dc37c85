//! The schemas, and what each action asks of its arguments.

use super::*;

fn check(name: &str, arguments: Value, expected: Result<(), &str>) {
    let Value::Object(map) = arguments.clone() else { panic!("not an object") };
    let found = check_arguments(tool(name).unwrap(), &map).map_err(|error| error.to_string());
    match (&found, expected) {
        (Ok(()), Ok(())) => {}
        (Err(error), Err(part)) if error.contains(part) => {}
        _ => panic!("{name} {arguments}: {found:?}, expected {expected:?}"),
    }
}

use serde_json::json;

const ID: &str = "20261011180001-abcdefg";

#[test]
fn exactly_five_tools_with_schemas_that_strict_readers_accept() {
    let names: Vec<_> = tools().iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["siyuan_query", "siyuan_create", "siyuan_update", "siyuan_delete", "siyuan_rpc"]);
    for tool in tools() {
        let schema = &tool.input_schema;
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["additionalProperties"], false);
        assert!(schema["properties"]["kernelId"].is_object(), "{}", tool.name);
        let text = json!(schema).to_string();
        for word in ["$ref", "anyOf", "oneOf", "allOf"] {
            assert!(!text.contains(word), "{}: {word}", tool.name);
        }
        // Some models take one type a field, and nothing else.
        for (name, field) in schema["properties"].as_object().unwrap() {
            assert!(field["type"].is_string() && field["description"].is_string(), "{}: {name}", tool.name);
        }
        assert!(tool.name.len() + "mcp__notegate__".len() <= 60);
    }
}

#[test]
fn the_examples_of_the_specification_are_understood() {
    check("siyuan_query", json!({"action": "notebooks", "kernelId": "local"}), Ok(()));
    check("siyuan_query", json!({"action": "docs", "notebook": ID, "limit": 64, "offset": 0}), Ok(()));
    check("siyuan_query", json!({"action": "read", "id": ID}), Ok(()));
    check(
        "siyuan_create",
        json!({"action": "doc", "notebook": ID, "path": "/验收", "markdown": "# 验收\n"}),
        Ok(()),
    );
    check("siyuan_create", json!({"action": "append", "parentID": ID, "data": "正文\n"}), Ok(()));
    check("siyuan_update", json!({"action": "block", "id": ID, "data": "替换内容\n"}), Ok(()));
    check("siyuan_update", json!({"action": "rename_doc", "id": ID, "title": "新标题"}), Ok(()));
    for call in [
        json!({"channel": "contract", "path": "/api/block/", "limit": 20, "includeSchema": true}),
        json!({"channel": "http", "path": "/api/block/getBlockKramdown", "method": "POST", "body": {"id": ID}, "validate": true}),
        json!({"channel": "plugin", "plugin": "my-plugin", "method": "example.echo", "params": {"text": "你好"}}),
        json!({"channel": "mcp", "method": "tools/list"}),
        json!({"channel": "mcp", "method": "tools/call", "params": {"name": "search", "arguments": {}}}),
        json!({"channel": "ws", "path": "/ws?app=my-app&id=my-session&type=main", "messages": [], "durationMs": 1000, "maxMessages": 20}),
        json!({"channel": "connection", "action": "status"}),
    ] {
        check("siyuan_rpc", call, Ok(()));
    }
}

#[test]
fn a_block_needs_an_anchor_and_append_a_parent() {
    check("siyuan_create", json!({"action": "block", "data": "x"}), Err("nextID, previousID or parentID"));
    for anchor in ["nextID", "previousID", "parentID"] {
        check("siyuan_create", json!({"action": "block", "data": "x", anchor: ID}), Ok(()));
    }
    check("siyuan_create", json!({"action": "append", "data": "x"}), Err("parentID"));
}

#[test]
fn an_empty_update_is_allowed() {
    check("siyuan_update", json!({"action": "block", "id": ID, "data": ""}), Ok(()));
}

#[test]
fn no_argument_takes_a_token_or_a_header() {
    for name in ["token", "headers", "authorization"] {
        let mut call = json!({"channel": "http", "path": "/api/system/version"});
        call[name] = json!("x");
        check("siyuan_rpc", call, Err("has no argument"));
    }
    check("siyuan_query", json!({"action": "notebooks", "session": "x"}), Err("has no argument"));
}

#[test]
fn the_wrong_or_missing_argument_is_named() {
    check("siyuan_query", json!({}), Err("needs the argument \"action\""));
    check("siyuan_query", json!({"action": "drop"}), Err("cannot take action"));
    check("siyuan_query", json!({"action": "read"}), Err("missing field `id`"));
    check("siyuan_query", json!({"action": "read", "id": 7}), Err("cannot take id"));
    check("siyuan_query", json!({"action": "read", "id": "no id"}), Err("no SiYuan id"));
    check(
        "siyuan_query",
        json!({"action": "read", "id": ID, "stmt": "SELECT 1"}),
        Err("unknown field `stmt`"),
    );
    check("siyuan_query", json!({"action": "docs", "notebook": ID, "limit": 0}), Err("cannot take limit"));
    check("siyuan_delete", json!({"action": "doc"}), Err("needs the argument \"id\""));
    check("siyuan_rpc", json!({"channel": "http"}), Err("missing field `path`"));
    check("siyuan_rpc", json!({"channel": "http", "path": "/a", "body": {}, "text": ""}), Err("give one of"));
    check("siyuan_rpc", json!({"channel": "http", "path": "/a", "base64": "%"}), Err("no Base64"));
    check("siyuan_rpc", json!({"channel": "plugin", "plugin": "p"}), Err("needs method"));
    check("siyuan_rpc", json!({"channel": "plugin", "plugin": "p", "calls": []}), Err("at least one"));
    check("siyuan_rpc", json!({"channel": "connection"}), Err("missing field `action`"));
}
