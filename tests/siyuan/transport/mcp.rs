//! The client of the kernel's MCP server.

use http::Method;
use notegate::siyuan::transport::{AuthRefusal, Options, RequestError, TransportError};
use serde_json::{Map, Value, json};

use super::{connect, never, patient, soon, to};
use crate::kernel::faults::Fault;
use crate::kernel::mcp_names::TOOLS;
use crate::kernel::{Generation, Kernel, Setup};

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn tool(name: &str, arguments: Value) -> Option<Map<String, Value>> {
    Some(object(json!({"name": name, "arguments": arguments})))
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// What was sent, as method of HTTP and of MCP.
fn conversation(kernel: &Kernel) -> Vec<String> {
    let method = |body: &[u8]| {
        let message: Value = serde_json::from_slice(body).unwrap_or_default();
        message["method"].as_str().unwrap_or_default().to_owned()
    };
    kernel
        .seen()
        .iter()
        .map(|seen| format!("{} {}", seen.method, method(&seen.body)).trim().to_owned())
        .collect()
}

#[tokio::test]
async fn a_session_is_opened_used_and_ended_on_both_sides() {
    let kernel = Kernel::with(Setup { generation: Generation::V3_8_6, ..Setup::default() }).await;
    let connection = connect(&kernel);
    let result =
        connection.mcp_request("tools/call", tool("search", json!({"query": "笔"})), &never()).await.unwrap();
    assert_eq!(result["content"][0]["text"], r#"{"query":"笔","found":[]}"#);
    let expected = ["POST initialize", "POST notifications/initialized", "POST tools/call", "DELETE"];
    assert_eq!(conversation(&kernel), expected);
    let seen = kernel.seen();
    assert_eq!(seen[0].json()["params"]["protocolVersion"], "2025-11-25");
    assert_eq!(seen[0].header("mcp-session-id"), None);
    for later in &seen[1..] {
        assert_eq!(later.header("mcp-session-id"), Some(&b"session000000000"[..]));
        assert_eq!(later.header("mcp-protocol-version"), Some(&b"2025-11-25"[..]));
    }
    assert!(seen.iter().all(|seen| seen.header("authorization").unwrap().starts_with(b"Token ")));
    assert!(seen.iter().all(|seen| seen.method != Method::GET), "no stream is left open beside the calls");
    assert_eq!(kernel.mcp(|server| server.sessions.len()), 0);
    soon("the sockets", kernel.all_closed()).await;
}

#[tokio::test]
async fn an_older_version_is_accepted_and_one_beyond_2025_11_25_is_not() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let session = connection.mcp(&never()).await.unwrap();
    assert_eq!(session.protocol_version(), "2025-06-18");
    session.close().await;
    for version in ["2026-07-28", "2099-01-01"] {
        kernel.mcp(|server| server.version = Some(version));
        let error = connection.mcp(&never()).await.unwrap_err();
        assert!(matches!(error.root(), TransportError::Unexpected { .. }), "{error:?}");
        assert!(!error.sent() && !error.uncertain(), "nothing of a call was sent");
    }
    assert_eq!(kernel.mcp(|server| server.sessions.len()), 0);
}

#[tokio::test]
async fn all_pages_of_a_list_are_fetched_and_what_no_version_knows_is_kept() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    for page in [0, 1, 2, 5] {
        kernel.mcp(|server| server.page = page);
        let tools = connection.mcp_list("tools/list", &never()).await.unwrap();
        assert_eq!(names(&tools), TOOLS);
        assert_eq!(
            (&tools[4]["effectScope"], &tools[4]["readOnlyHint"]),
            (&json!("workspace"), &json!(true))
        );
    }
    let pages = conversation(&kernel).iter().filter(|line| *line == "POST tools/list").count();
    assert_eq!(pages, 1 + 5 + 3 + 1);
}

#[tokio::test]
async fn a_list_that_does_not_end_or_is_too_large_is_given_up() {
    let kernel = Kernel::start().await;
    kernel.mcp(|server| (server.page, server.endless) = (1, true));
    let error = connect(&kernel).mcp_list("tools/list", &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Unexpected { expected: "a list that ends" });
    kernel.mcp(|server| server.endless = false);
    let connection = to(&kernel.address(), Options { response_limit: 1000, ..patient() });
    let error = connection.mcp_list("tools/list", &never()).await.unwrap_err();
    assert_eq!(error, TransportError::TooLarge { limit: 1000 });
}

#[tokio::test]
async fn answers_in_an_event_stream_are_read_as_well() {
    let kernel = Kernel::start().await;
    kernel.mcp(|server| server.streams = true);
    let tools = connect(&kernel).mcp_list("tools/list", &never()).await.unwrap();
    assert_eq!(names(&tools), TOOLS);
    soon("the sockets", kernel.all_closed()).await;
}

#[tokio::test]
async fn a_failing_tool_is_a_result_and_an_unknown_method_an_error() {
    let kernel = Kernel::start().await;
    let session = connect(&kernel).mcp(&never()).await.unwrap();
    let failed = session.request("tools/call", tool("block", json!({})), &never()).await.unwrap();
    assert_eq!((&failed["isError"], &failed["content"][0]["text"]), (&json!(true), &json!("block failed")));
    let error = session.request("resources/list", None, &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Mcp { code: -32601, message: "Method not found".to_owned() });
    assert_eq!(session.request("ping", None, &never()).await, Ok(json!({})));
    let seen = kernel.seen().len();
    for ours in ["initialize", "notifications/initialized", "server/discover", "subscriptions/listen", ""] {
        let error = session.request(ours, None, &never()).await.unwrap_err();
        assert_eq!(error, TransportError::Request(RequestError::McpMethod), "{ours}");
    }
    assert_eq!(kernel.seen().len(), seen);
    session.close().await;
}

#[tokio::test]
async fn a_lost_session_is_an_error_and_nothing_is_sent_again() {
    let kernel = Kernel::start().await;
    let session = connect(&kernel).mcp(&never()).await.unwrap();
    kernel.mcp(|server| server.sessions.clear());
    let error = session.request("tools/call", tool("search", json!({})), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Status { status: 404 });
    assert!(!error.uncertain());
    session.close().await;
    let expected = ["POST initialize", "POST notifications/initialized", "POST tools/call", "DELETE"];
    assert_eq!(conversation(&kernel), expected);
}

#[tokio::test]
async fn a_call_that_breaks_off_or_is_cancelled_is_uncertain_and_sent_once() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let session = connection.mcp(&never()).await.unwrap();
    kernel.fault("/mcp", Fault::Half);
    let error = session.request("tools/call", tool("block", json!({})), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Broken { sent: true });
    kernel.fault("/mcp", Fault::Hold);
    let cancel = never();
    let seen = kernel.seen().len();
    let (outcome, ()) =
        tokio::join!(session.request("tools/call", tool("block", json!({})), &cancel), async {
            kernel.seen_more_than(seen).await;
            kernel.heal("/mcp");
            cancel.cancel();
        });
    assert_eq!(outcome, Err(TransportError::Cancelled { sent: true }));
    session.close().await;
    let sent = conversation(&kernel);
    assert_eq!(sent.iter().filter(|line| *line == "POST tools/call").count(), 2);
    assert!(sent.contains(&"POST notifications/cancelled".to_owned()), "the kernel is told: {sent:?}");
    soon("the sockets", kernel.all_closed()).await;
}

#[tokio::test]
async fn a_handshake_that_fails_says_why_and_that_nothing_of_the_call_was_sent() {
    let kernel = Kernel::start().await;
    kernel.change(|setup| setup.token = "another".to_owned());
    let connection = connect(&kernel);
    let error = connection.mcp_request("tools/call", tool("block", json!({})), &never()).await.unwrap_err();
    assert_eq!(*error.root(), TransportError::Unauthorized(AuthRefusal::WrongToken));
    assert!(!error.sent() && !error.uncertain());
    assert_eq!(conversation(&kernel), ["POST initialize"]);
    for (fault, expected) in [
        (Fault::Half, TransportError::Broken { sent: true }),
        (Fault::answer_with(200, "<html>"), TransportError::Unexpected { expected: "an MCP answer" }),
        (Fault::answer_with(404, "404 page not found"), TransportError::Status { status: 404 }),
        (
            Fault::answer_with(
                200,
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
            ),
            TransportError::Mcp { code: -32700, message: "Parse error".to_owned() },
        ),
    ] {
        kernel.fault("/mcp", fault);
        let error = connection.mcp_request("tools/list", None, &never()).await.unwrap_err();
        assert_eq!(*error.root(), expected);
        assert!(!error.sent() && !error.uncertain());
    }
    soon("the sockets", kernel.all_closed()).await;
}
