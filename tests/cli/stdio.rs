//! The bridge for clients that only speak stdio.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::fake::Endpoint;
use crate::home::{Home, Process};

fn bridge(home: &Home, key: &str) -> Process {
    let mut command = home.command(&["stdio"]);
    command.env("NOTEGATE_KEY", key);
    Process::open(command)
}

fn initialize(bridge: &mut Process) {
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    bridge.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
    let answer = bridge.line();
    assert_eq!(answer["id"], 0);
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(answer["result"]["capabilities"]["tools"]["listChanged"], true);
    bridge.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
}

fn request(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// Sends a request and waits for its answer; what comes before it must be news.
#[track_caller]
fn ask(bridge: &mut Process, id: u64, method: &str, params: Value) -> Value {
    bridge.send(&request(id, method, params));
    loop {
        let line = bridge.line();
        if line["id"] == id {
            return line;
        }
        assert_eq!(line["method"], "notifications/tools/list_changed", "{line}");
    }
}

#[track_caller]
fn news(bridge: &Process) {
    assert_eq!(bridge.line()["method"], "notifications/tools/list_changed");
}

fn tool_count(answer: &Value) -> usize {
    answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}")).len()
}

/// An empty list would look as if all were well.
#[track_caller]
fn not_running(answer: &Value) {
    assert_eq!(answer["error"]["data"]["code"], "not_running", "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("Notegate is not running"), "{answer}");
}

/// The first line that a bridge says on standard error.
fn first_words(home: &Home, arguments: &[&str], key: &str) -> String {
    let mut command = home.command(&[&["stdio"], arguments].concat());
    let command = command.env("NOTEGATE_KEY", key).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    drop(child.stdin.take());
    child.wait().unwrap();
    line
}

#[test]
fn what_keeps_the_bridge_from_being_served_is_said_on_standard_error_at_once() {
    let (home, other) = (Home::new(), Home::new());
    let key = home.with_runtime();
    let check = |home: &Home, arguments: &[&str], key: &str, expected: &str| {
        let said = first_words(home, arguments, key);
        assert!(said.starts_with("notegate stdio: ") && said.contains(expected), "{expected}: {said}");
        assert!(!said.contains(key), "{said}");
    };
    check(&home, &[], &key, "Notegate is not running");
    let dead = Endpoint::new().url();
    check(&home, &["--url", &dead], &key, &dead);
    let _serving = home.serve();
    check(&other, &[], &key, other.path().to_str().unwrap());
    check(&home, &[], "ng_wrong", "refused the runtime key");

    let away =
        home.command(&["stdio", "--url", "http://192.0.2.1/mcp"]).env("NOTEGATE_KEY", &key).output().unwrap();
    assert_eq!(away.status.code(), Some(2));
    assert!(String::from_utf8(away.stderr).unwrap().contains("clear text"));
}

#[test]
fn m04_the_bridge_answers_while_notegate_is_down_and_recovers_by_itself() {
    let home = Home::new();
    let key = home.with_runtime();
    let mut bridge = bridge(&home, &key);
    initialize(&mut bridge);
    assert_eq!(ask(&mut bridge, 1, "ping", json!({}))["result"], json!({}));
    not_running(&ask(&mut bridge, 2, "tools/list", json!({})));
    let read = json!({"name": "obsidian_read_note", "arguments": {"path": "Note.md"}});
    let refused = ask(&mut bridge, 3, "tools/call", read.clone());
    assert_eq!(refused["result"]["isError"], true);
    assert_eq!(refused["result"]["structuredContent"]["code"], "not_running");
    assert!(refused["result"]["content"][0]["text"].as_str().unwrap().contains("Notegate is not running"));

    for _ in 0..2 {
        let mut serving = home.serve();
        news(&bridge);
        assert_eq!(tool_count(&ask(&mut bridge, 4, "tools/list", json!({}))), 19);
        let note = ask(&mut bridge, 5, "tools/call", read.clone());
        assert!(note["result"]["content"][0]["text"].as_str().unwrap().contains("Hello."), "{note}");
        serving.kill();
        news(&bridge);
        not_running(&ask(&mut bridge, 6, "tools/list", json!({})));
    }
    bridge.close_input();
    assert_eq!(bridge.wait(), Some(0));
}

#[test]
fn m03_a_saved_setting_is_news() {
    let home = Home::new();
    let key = home.with_runtime();
    let _serving = home.serve();
    let mut bridge = bridge(&home, &key);
    initialize(&mut bridge);
    assert_eq!(tool_count(&ask(&mut bridge, 1, "tools/list", json!({}))), 19);
    home.json(&["obsidian", "disable"]);
    news(&bridge);
    assert_eq!(tool_count(&ask(&mut bridge, 2, "tools/list", json!({}))), 0);
}

#[test]
fn requests_since_2026_07_28_stand_by_themselves() {
    let home = Home::new();
    let key = home.with_runtime();
    let mut bridge = bridge(&home, &key);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let with_meta = |mut params: Value| {
        params["_meta"] = meta.clone();
        params
    };
    let discovered = ask(&mut bridge, 1, "server/discover", with_meta(json!({})));
    assert!(discovered["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")));
    assert_eq!(discovered["result"]["resultType"], "complete");

    let listening = with_meta(json!({"notifications": {"toolsListChanged": true}}));
    bridge.send(&request(2, "subscriptions/listen", listening));
    let acknowledged = bridge.line();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    not_running(&ask(&mut bridge, 3, "tools/list", with_meta(json!({}))));

    let _serving = home.serve();
    let changed = bridge.line();
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert_eq!(changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 2);
    let listed = ask(&mut bridge, 4, "tools/list", with_meta(json!({})));
    assert_eq!((tool_count(&listed), &listed["result"]["resultType"]), (19, &json!("complete")));
    let read = with_meta(json!({"name": "obsidian_read_note", "arguments": {"path": "Note.md"}}));
    let note = ask(&mut bridge, 5, "tools/call", read);
    assert!(note["result"]["content"][0]["text"].as_str().unwrap().contains("Hello."), "{note}");
    bridge.close_input();
    assert_eq!(bridge.wait(), Some(0), "a subscription does not keep it alive");
}

#[test]
fn a_long_line_and_a_slow_call_hold_nothing_up() {
    let home = Home::new();
    let key = home.with_runtime();
    let _serving = home.serve();
    let mut bridge = bridge(&home, &key);
    initialize(&mut bridge);
    let long = "x".repeat(11 * 1024 * 1024);
    bridge.send(&request(
        1,
        "tools/call",
        json!({"name": "obsidian_search_notes", "arguments": {"query": "Hello"}}),
    ));
    bridge.send(&request(
        2,
        "tools/call",
        json!({"name": "obsidian_write_note", "arguments": {"path": "L.md", "content": long}}),
    ));
    bridge.send(&request(3, "ping", json!({})));
    let mut answered: Vec<u64> = (0..3).map(|_| bridge.line()["id"].as_u64().unwrap()).collect();
    answered.sort_unstable();
    assert_eq!(answered, [1, 2, 3]);
    assert!(!home.vault().join("L.md").exists());
}

#[test]
fn a_wrong_key_is_said_in_the_answer() {
    let home = Home::new();
    home.with_runtime();
    let _serving = home.serve();
    let mut bridge = bridge(&home, "ng_wrong");
    initialize(&mut bridge);
    let refused = ask(&mut bridge, 1, "tools/call", json!({"name": "obsidian_list_vaults", "arguments": {}}));
    assert_eq!(refused["result"]["structuredContent"]["code"], "key_refused", "{refused}");
    assert!(
        ask(&mut bridge, 2, "tools/list", json!({}))["error"]["message"].as_str().unwrap().contains("401")
    );
}

#[test]
fn the_end_of_the_input_lets_running_calls_be_answered() {
    let home = Home::new();
    let key = home.with_runtime();
    let _serving = home.serve();
    let mut bridge = bridge(&home, &key);
    for id in 0..4 {
        let read = json!({"name": "obsidian_read_note", "arguments": {"path": "Note.md"}});
        bridge.send(&request(id, "tools/call", read));
    }
    bridge.close_input();
    assert_eq!(bridge.wait(), Some(0));
    assert_eq!(bridge.rest().len(), 4);
}

#[test]
fn what_is_no_message_is_answered_so_and_the_conversation_goes_on() {
    let home = Home::new();
    let mut bridge = bridge(&home, "ng_x");
    bridge.send(&json!([1]));
    assert_eq!(bridge.line()["error"]["code"], -32600);
    assert_eq!(ask(&mut bridge, 1, "ping", json!({}))["result"], json!({}));
    assert_eq!(ask(&mut bridge, 2, "resources/list", json!({}))["error"]["code"], -32000);
}

fn bridge_to(home: &Home, endpoint: &Endpoint) -> Process {
    let mut command = home.command(&["stdio", "--url", &endpoint.url()]);
    command.env("NOTEGATE_KEY", "ng_key");
    Process::open(command)
}

fn call(id: u64) -> Value {
    request(id, "tools/call", json!({"name": "t", "arguments": {}}))
}

#[test]
fn a_cancelled_call_is_dropped_and_never_answered() {
    let (home, endpoint) = (Home::new(), Endpoint::new());
    let mut bridge = bridge_to(&home, &endpoint);
    bridge.send(&call(7));
    let running = endpoint.request();
    bridge.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}));
    running.until_dropped();
    assert_eq!(ask(&mut bridge, 8, "ping", json!({}))["result"], json!({}));
    bridge.close_input();
    assert_eq!(bridge.wait(), Some(0));
    assert_eq!(bridge.rest(), [] as [&str; 0]);
}

#[test]
fn progress_comes_before_the_answer_and_news_of_other_requests_does_not_wait() {
    let (home, endpoint) = (Home::new(), Endpoint::new());
    let mut bridge = bridge_to(&home, &endpoint);
    bridge.send(&call(1));
    let mut slow = endpoint.request();
    slow.begin_stream();
    slow.event(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}));
    assert_eq!(bridge.line()["params"]["progress"], 1);
    bridge.send(&call(2));
    endpoint.request().answer("200 OK", "application/json", r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
    assert_eq!(bridge.line()["id"], 2);
    slow.event(&json!({"jsonrpc": "2.0", "id": 1, "result": {"number": 12_345_678_901_234_567_890_u64}}));
    assert_eq!(bridge.line()["id"], 1);
}

#[test]
fn a_call_whose_connection_breaks_is_said_to_be_uncertain_and_not_repeated() {
    let (home, endpoint) = (Home::new(), Endpoint::new());
    let mut bridge = bridge_to(&home, &endpoint);
    bridge.send(&call(1));
    let mut broken = endpoint.request();
    broken.begin_stream();
    drop(broken);
    let answer = bridge.line();
    assert_eq!(answer["result"]["structuredContent"]["code"], "connection_lost", "{answer}");
    bridge.send(&call(2));
    assert_eq!(endpoint.request().body["id"], 2, "the first call was not sent again");
}

#[test]
fn each_era_gets_its_headers() {
    let (home, endpoint) = (Home::new(), Endpoint::new());
    let mut bridge = bridge_to(&home, &endpoint);
    initialize(&mut bridge);
    bridge.send(&call(1));
    let legacy = endpoint.request();
    assert_eq!(legacy.header("authorization"), Some("Bearer ng_key"));
    assert_eq!(legacy.header("mcp-protocol-version"), Some("2025-06-18"));
    assert_eq!(legacy.header("mcp-method"), None);
    let mut modern = call(2);
    modern["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    bridge.send(&modern);
    let modern = endpoint.request();
    assert_eq!(modern.header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(modern.header("mcp-method"), Some("tools/call"));
    assert_eq!(modern.header("mcp-name"), Some("t"));
}

#[test]
fn a_refusal_is_told_in_the_form_that_the_method_has() {
    let (home, endpoint) = (Home::new(), Endpoint::new());
    let mut bridge = bridge_to(&home, &endpoint);
    bridge.send(&call(1));
    endpoint.request().answer(
        "413 Payload Too Large",
        "text/plain",
        "the request body is larger than 10 bytes.\n",
    );
    let told = bridge.line();
    assert!(
        told["result"]["content"][0]["text"].as_str().unwrap().contains("larger than 10 bytes"),
        "{told}"
    );
    bridge.send(&request(2, "prompts/list", json!({})));
    let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no such method"}}"#;
    endpoint.request().answer("404 Not Found", "application/json", error);
    let told = bridge.line();
    assert_eq!((&told["id"], &told["error"]["code"]), (&json!(2), &json!(-32601)));
    bridge.send(&call(3));
    endpoint.request().answer("503 Service Unavailable", "text/plain", "closing");
    assert_eq!(bridge.line()["result"]["structuredContent"]["code"], "not_running");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_whatever_runs() {
    let (home, endpoint) = (Home::new(), Endpoint::new());
    let mut bridge = bridge_to(&home, &endpoint);
    bridge.send(&call(1));
    let running = endpoint.request();
    bridge.signal(nix::sys::signal::Signal::SIGTERM);
    running.until_dropped();
    assert_eq!(bridge.wait(), Some(0));
}
