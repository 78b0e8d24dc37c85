//! Messages that cannot be served as they are, and clients that say little about what they read.

use serde_json::{Value, json};

use crate::world::{TEXT, World, answer, initialize, names};

#[tokio::test]
async fn broken_messages_are_answered_in_the_terms_of_json_rpc() {
    let world = World::new().await;
    for (body, code, id) in [
        (&b"{\"jsonrpc\":"[..], -32700, json!(null)),
        (b"", -32700, json!(null)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700, json!(null)),
        (b"[]", -32600, json!(null)),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600, json!(null)),
        (b"\"text\"", -32600, json!(null)),
        (b"{\"id\":3,\"method\":\"ping\"}", -32600, json!(3)),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":1}}",
            -32602,
            json!(3),
        ),
    ] {
        let response = world.mcp(&world.key).body(body).send().await.unwrap();
        assert_eq!(response.status(), 400, "{}", String::from_utf8_lossy(body));
        let answer: Value = response.json().await.unwrap();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{answer}");
        assert_eq!(answer["jsonrpc"], "2.0");
    }
    world.goes_on().await;
}

#[tokio::test]
async fn an_unknown_method_is_an_error_that_says_so() {
    let world = World::new().await;
    let response = world.legacy(None, "notes/steal", json!({})).send().await.unwrap();
    assert_eq!(answer(response).await["error"]["code"], -32601);
}

#[tokio::test]
async fn m13_an_unknown_version_is_answered_with_our_own_list() {
    let world = World::new().await;
    let ours = json!(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]);
    let check = async |request: reqwest::RequestBuilder| {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 400);
        let answer: Value = response.json().await.unwrap();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32022), &json!(7)), "{answer}");
        assert_eq!(answer["error"]["data"], json!({"requested": "2099-01-01", "supported": ours}));
    };
    let list = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {}});
    check(world.mcp(&world.key).header("mcp-protocol-version", "2099-01-01").json(&list)).await;
    let mut modern = list.clone();
    modern["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2099-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = world.mcp(&world.key).header("mcp-protocol-version", "2099-01-01");
    check(request.header("mcp-method", "tools/list").json(&modern)).await;

    // `initialize` proposes, and is answered with the newest that we speak in its era.
    for proposed in ["2099-01-01", "2026-07-28", "1"] {
        let request = world.mcp(&world.key).header("mcp-protocol-version", proposed);
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize(proposed)});
        let answer = answer(request.json(&body).send().await.unwrap()).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{proposed}");
    }
    let response = world
        .http
        .get(world.url("/mcp"))
        .bearer_auth(&world.key)
        .header("mcp-protocol-version", "2099-01-01")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 400);
}

#[tokio::test]
async fn m12_a_modern_request_whose_headers_and_body_disagree_is_refused() {
    let world = World::new().await;
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": meta}});
    let request = || world.mcp(&world.key).json(&body);
    for request in [
        request(),
        request().header("mcp-protocol-version", "2025-11-25").header("mcp-method", "tools/list"),
        request().header("mcp-protocol-version", "2026-07-28"),
        request().header("mcp-protocol-version", "2026-07-28").header("mcp-method", "tools/call"),
    ] {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 400);
        assert_eq!(answer(response).await["error"]["code"], -32020);
    }
}

#[tokio::test]
async fn accept_is_read_leniently_and_who_does_not_ask_for_streams_gets_json() {
    let world = World::new().await;
    let list = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"});
    let open = json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": initialize("2025-06-18")});
    for (accept, expected) in [
        (None, "application/json"),
        (Some("*/*"), "application/json"),
        (Some("application/json"), "application/json"),
        (Some("application/json, text/event-stream"), "text/event-stream"),
        (Some("text/event-stream"), "text/event-stream"),
    ] {
        for body in [&list, &open] {
            let mut request =
                world.http.post(world.url("/mcp")).bearer_auth(&world.key).body(body.to_string());
            if let Some(accept) = accept {
                request = request.header("accept", accept);
            }
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 200, "{accept:?}");
            assert_eq!(response.headers()["content-type"], expected, "{accept:?}");
            assert_eq!(
                response.headers().contains_key("mcp-session-id"),
                body == &open && expected != "application/json"
            );
            let answer = answer(response).await;
            assert_eq!(answer["id"], 7);
            assert!(answer["result"].is_object(), "{answer}");
        }
    }
}

#[tokio::test]
async fn a_client_that_reads_only_json_gets_json_in_a_session_and_with_a_progress_token_too() {
    let world = World::new().await;
    let session = world.session().await;
    let mut call = json!({"name": "obsidian_read_note", "arguments": {"path": "quick.md"}});
    call["_meta"] = json!({"progressToken": "p"});
    let request = world.legacy(Some(&session), "tools/call", call).header("accept", "application/json");
    let mut request = request.build().unwrap();
    request.headers_mut().insert("accept", "application/json".parse().unwrap());
    let response = world.http.execute(request).await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(answer(response).await["result"]["content"][0]["text"], TEXT);
    let listed = answer(world.legacy(Some(&session), "tools/list", json!({})).send().await.unwrap()).await;
    assert_eq!(names(&listed).len(), 19);
}
