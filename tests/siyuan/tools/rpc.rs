//! `siyuan_rpc`, channel by channel.

use serde_json::{Value, json};

use super::world::World;
use super::{block_with, code, good, structured};
use crate::kernel::faults::Fault;
use crate::kernel::notes_ids::DOCUMENT;
use crate::kernel::rpc_names::PLUGIN;
use crate::kernel::{Generation, Setup, TOKEN};

const RPC: &str = "siyuan_rpc";

fn http(path: &str, body: Value) -> Value {
    json!({"channel": "http", "path": path, "body": body})
}

#[tokio::test]
async fn http_keeps_status_headers_and_envelope() {
    let world = World::new().await;
    world.allow("http GET /api/system/version").await;
    let call = json!({"channel": "http", "path": "/api/system/version", "method": "GET"});
    let answer = good(world.call(RPC, call).await);
    assert_eq!(answer["status"], 200);
    assert!(answer["headers"]["content-type"].as_str().unwrap().starts_with("application/json"));
    assert_eq!(answer["envelope"], json!({"code": 0, "msg": "", "data": "3.7.3"}));
}

#[tokio::test]
async fn http_and_the_tools_share_one_permission() {
    let world = World::bare(Setup::default()).await;
    let body = json!({"id": DOCUMENT});
    let call = http("/api/block/getBlockKramdown", body);
    assert_eq!(code(&world.call(RPC, call.clone()).await), "approval_unavailable");
    world.allow("http POST /api/block/getBlockKramdown").await;
    good(world.call(RPC, call).await);
    good(world.call("siyuan_query", json!({"action": "read", "id": DOCUMENT})).await);
}

#[tokio::test]
async fn http_that_the_kernel_refuses_is_an_error_that_holds_the_whole_answer() {
    let world = World::new().await;
    let answer = world
        .call(
            RPC,
            http(
                "/api/block/appendBlock",
                json!({"data": "x", "dataType": "markdown", "parentID": "20990101000000-nothere"}),
            ),
        )
        .await;
    assert_eq!(
        (answer["isError"].clone(), structured(&answer)["envelope"]["code"].clone()),
        (json!(true), json!(-1))
    );
    world.allow("http GET /api/nothing/here").await;
    let missing =
        world.call(RPC, json!({"channel": "http", "path": "/api/nothing/here", "method": "GET"})).await;
    assert_eq!((&missing["isError"], &structured(&missing)["status"]), (&json!(true), &json!(404)));
    assert_eq!(structured(&missing)["text"], "404 page not found");
}

#[tokio::test]
async fn raw_http_that_says_success_and_did_nothing_is_a_failure() {
    let world = World::new().await;
    let lost = json!({"data": "x", "dataType": "markdown", "previousID": "20990101000000-nothere"});
    assert_eq!(code(&world.call(RPC, http("/api/block/insertBlock", lost)).await), "no_effect");
    let silent = json!({"data": "x", "dataType": "markdown"});
    assert_eq!(code(&world.call(RPC, http("/api/block/appendBlock", silent)).await), "no_effect");
    world.kernel.fault("/api/block/updateBlock", Fault::answer_with(200, ""));
    let empty = http("/api/block/updateBlock", json!({"id": DOCUMENT, "data": "x", "dataType": "markdown"}));
    assert_eq!(code(&world.call(RPC, empty).await), "uncertain");
}

#[tokio::test]
async fn raw_http_that_was_sent_and_not_answered_is_uncertain_and_sent_once() {
    let world = World::new().await;
    world.kernel.fault("/api/block/updateBlock", Fault::Half);
    let call = http("/api/block/updateBlock", json!({"id": DOCUMENT, "data": "x", "dataType": "markdown"}));
    assert_eq!(code(&world.call(RPC, call).await), "uncertain");
    assert_eq!(world.kernel.seen_at("/api/block/updateBlock").len(), 1);
}

/// What stands before a kernel may say so after the kernel did its work.
#[tokio::test]
async fn a_proxys_failure_is_uncertain_for_a_write_and_a_failure_for_a_read() {
    let world = World::new().await;
    for (path, expected) in
        [("/api/block/updateBlock", "uncertain"), ("/api/block/getBlockKramdown", "kernel_refused")]
    {
        world.kernel.fault(path, Fault::answer_with(504, "gateway time-out"));
        let call = http(path, json!({"id": DOCUMENT, "data": "x", "dataType": "markdown"}));
        assert_eq!(code(&world.call(RPC, call).await), expected);
        assert_eq!(world.kernel.seen_at(path).len(), 1);
    }
}

#[tokio::test]
async fn http_takes_text_base64_forms_and_uploads() {
    let world = World::new().await;
    world.allow_all(&["http POST /api/echo/x".into(), "http POST /api/asset/upload".into()]).await;
    let send = async |body: Value| {
        let mut call = json!({"channel": "http", "path": "/api/echo/x"});
        call.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        world.call(RPC, call).await;
        let seen = world.kernel.seen_at("/api/echo/x").pop().unwrap();
        let kind = String::from_utf8_lossy(seen.header("content-type").unwrap_or_default()).into_owned();
        (seen.text(), kind)
    };
    assert_eq!(send(json!({"text": " a\n"})).await, (" a\n".into(), "text/plain; charset=utf-8".into()));
    assert_eq!(
        send(json!({"base64": "YSBi", "contentType": "image/png"})).await,
        ("a b".into(), "image/png".into())
    );
    assert_eq!(
        send(json!({"form": {"a": "1 2"}})).await,
        ("a=1+2".into(), "application/x-www-form-urlencoded".into())
    );
    assert_eq!(send(json!({"body": {"a": 1}})).await, (r#"{"a":1}"#.into(), "application/json".into()));
    assert_eq!(send(json!({})).await.0, "{}", "a kernel wants an object in every POST");
    let upload = json!({"channel": "http", "path": "/api/asset/upload", "multipart": [
        {"name": "assetsDirPath", "text": "/assets/"},
        {"name": "file[]", "fileName": "a.png", "base64": "iVBORw==", "contentType": "image/png"},
    ]});
    let stored = good(world.call(RPC, upload).await);
    assert!(stored["envelope"]["data"]["succMap"]["a.png"].is_string(), "{stored}");
    assert!(world.kernel.notes().files.values().any(|bytes| bytes == b"\x89PNG"));
}

#[tokio::test]
async fn a_file_comes_as_text_json_or_base64_and_its_refusal_as_an_error() {
    let world = World::new().await;
    world.allow("http POST /api/file/getFile").await;
    let files = [("/data/assets/a.txt", b"plain".to_vec()), ("/data/assets/b.bin", vec![0xff, 0])];
    world.kernel.notes().files.extend(files.map(|(path, bytes)| (path.to_owned(), bytes)));
    let get = |path: &str| world.call(RPC, http("/api/file/getFile", json!({"path": path})));
    assert_eq!(good(get("/data/assets/a.txt").await)["text"], "plain");
    assert_eq!(good(get("/data/assets/b.bin").await)["base64"], "/wA=");
    let missing = get("/data/assets/none").await;
    assert_eq!((&missing["isError"], &structured(&missing)["status"]), (&json!(true), &json!(202)));
    assert_eq!(code(&get("/conf/conf.json").await), "protected_storage");
}

#[tokio::test]
async fn validate_holds_the_body_against_the_contract_before_it_is_sent() {
    let world = World::new().await;
    let mut call = http("/api/block/getBlockKramdown", json!({}));
    call["validate"] = json!(true);
    let refused = world.call(RPC, call.clone()).await;
    assert_eq!(code(&refused), "body_invalid");
    assert!(!structured(&refused)["validation"]["errors"].as_array().unwrap().is_empty());
    assert!(world.kernel.seen_at("/api/block/getBlockKramdown").is_empty());
    call["body"] = json!({"id": DOCUMENT, "more": 1});
    let answer = good(world.call(RPC, call).await);
    assert_eq!(answer["validation"]["warnings"][0]["at"], "/more");
}

#[tokio::test]
async fn the_contract_is_offline_names_the_kernels_and_grants_nothing() {
    let world = World::bare(Setup::default()).await;
    let ask = json!({"channel": "contract", "path": "/api/block/", "limit": 20, "includeSchema": true});
    let found = good(world.call(RPC, ask).await);
    assert_eq!(found["endpoints"].as_array().unwrap().len(), 20);
    assert!(found["endpoints"][0]["schema"].is_object());
    assert_eq!(
        found["kernels"],
        json!([{"kernelId": "local", "name": "SiYuan", "disabled": false, "default": true}])
    );
    assert!(world.kernel.seen().is_empty());
    let call = world.call("siyuan_query", json!({"action": "read", "id": DOCUMENT})).await;
    assert_eq!(code(&call), "approval_unavailable");
    let words = json!({"channel": "contract", "words": "kramdown", "role": "reads", "method": "POST"});
    assert!(good(world.call(RPC, words).await)["total"].as_u64().unwrap() >= 2);
}

#[tokio::test]
async fn what_no_permission_opens_says_why() {
    let world = World::new().await;
    for (path, method) in [
        ("/mcp", "POST"),
        ("/api/plugin/rpc/sample-plugin", "POST"),
        ("/ws", "GET"),
        ("/api/network/forwardProxy", "POST"),
        ("/api/transactions", "POST"),
        ("/api/system/getConf", "POST"),
        ("/api/network/echo", "POST"),
    ] {
        world.allow(&format!("http {method} {path}")).await;
        let answer = world.call(RPC, json!({"channel": "http", "path": path, "method": method})).await;
        assert_eq!(code(&answer), "endpoint_closed", "{path}");
    }
    assert!(world.kernel.seen().is_empty());
}

#[tokio::test]
async fn paths_that_could_be_read_in_two_ways_are_refused() {
    let world = World::new().await;
    for path in [
        "/api/block/%67etBlockKramdown",
        "/api//block/getBlockKramdown",
        "/api/block/../block/getBlockKramdown",
        "/api/block/./getBlockKramdown",
        "/api\\block\\getBlockKramdown",
        "/api/block/getBlockKramdown?x=1",
        "/api/block/getBlockKramdown#x",
        "/api/block/getblockkramdown",
        "/api/block/getBlockKramdown.",
        "／api/block/getBlockKramdown",
    ] {
        let answer = world.call(RPC, http(path, json!({"id": DOCUMENT}))).await;
        assert_eq!(code(&answer), "ambiguous_path", "{path}");
    }
    let token =
        json!({"channel": "http", "path": "/api/system/version", "method": "GET", "query": {"token": "x"}});
    assert_eq!(code(&world.call(RPC, token).await), "credential_in_call");
    assert!(world.kernel.seen().is_empty());
}

#[tokio::test]
async fn plugin_methods_are_called_and_a_refusal_is_an_error() {
    let world = World::new().await;
    world.allow_all(&["echo", "fail"].map(|method| format!("plugin {PLUGIN} {method}"))).await;
    let call = |method: &str| json!({"channel": "plugin", "plugin": PLUGIN, "method": method, "params": {"text": "你好"}});
    assert_eq!(good(world.call(RPC, call("echo")).await)["result"], json!({"text": "你好"}));
    let failed = world.call(RPC, call("fail")).await;
    assert_eq!((&failed["isError"], &structured(&failed)["error"]["code"]), (&json!(true), &json!(-32603)));
    let mut notification = call("echo");
    notification["notification"] = json!(true);
    assert_eq!(good(world.call(RPC, notification).await)["outcome"], "sent");
}

#[tokio::test]
async fn a_batch_is_checked_whole_before_any_part_of_it_runs() {
    let world = World::new().await;
    let batch = json!({"channel": "plugin", "plugin": PLUGIN, "calls": [
        {"method": "echo", "paramsJson": "[1]"}, {"method": "fail"}, {"method": "echo", "notification": true},
    ]});
    for key in ["echo", "fail", "$batch"] {
        assert_eq!(code(&world.call(RPC, batch.clone()).await), "approval_unavailable", "before {key}");
        assert!(world.kernel.plugin_calls().is_empty());
        world.allow(&format!("plugin {PLUGIN} {key}")).await;
    }
    let answer = world.call(RPC, batch).await;
    let answers = &structured(&answer)["answers"];
    assert_eq!((&answers[0]["result"], &answers[2]["sent"]), (&json!([1]), &json!(true)));
    assert_eq!((&answers[1]["error"]["code"], &answer["isError"]), (&json!(-32603), &json!(true)));
    assert_eq!(world.kernel.plugin_calls(), ["echo", "fail", "echo"]);
}

#[tokio::test]
async fn mcp_lists_come_whole_and_a_tool_needs_its_own_permission() {
    let world = World::new().await;
    world.kernel.mcp(|server| server.page = 2);
    world.allow_all(&["mcp tools/list".into(), "mcp tools/call".into()]).await;
    let listed = good(world.call(RPC, json!({"channel": "mcp", "method": "tools/list"})).await);
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), crate::kernel::mcp_names::TOOLS.len());
    let call = |name: &str| json!({"channel": "mcp", "method": "tools/call", "params": {"name": name, "arguments": {"query": "x"}}});
    assert_eq!(code(&world.call(RPC, call("search")).await), "approval_unavailable");
    world.allow_all(&["mcp tools/call search".into(), "mcp tools/call block".into()]).await;
    let found = good(world.call(RPC, call("search")).await);
    assert!(found["result"]["content"][0]["text"].as_str().unwrap().contains("\"x\""));
    assert_eq!(world.call(RPC, call("block")).await["isError"], true, "a tool that fails");
    assert!(world.kernel.mcp(|server| server.sessions.is_empty()), "each call ends its session");
}

#[tokio::test]
async fn a_socket_needs_connect_and_each_command_and_withholds_the_configuration() {
    let world = World::new().await;
    let path = "/ws?app=my-app&id=my-session&type=main";
    let call = |messages: Value| json!({"channel": "ws", "path": path, "messages": messages, "durationMs": 30_000, "maxMessages": 1});
    assert_eq!(code(&world.call(RPC, call(json!([]))).await), "approval_unavailable");
    world.allow("ws connect /ws").await;
    assert_eq!(code(&world.call(RPC, call(json!([{"cmd": "hello"}]))).await), "approval_unavailable");
    world.allow("ws send /ws hello").await;
    assert_eq!(code(&world.call(RPC, call(json!([{"cmd": "hello"}, {}]))).await), "opaque_message");
    assert!(world.kernel.seen().is_empty());
    let answer = good(world.call(RPC, call(json!([{"cmd": "hello"}]))).await);
    assert_eq!((&answer["sent"], &answer["outcome"]), (&json!(1), &json!("sent")));
    assert!(answer["messages"][0]["msg"].as_str().unwrap().contains("hello"));
    let listening = world.call(RPC, call(json!([])));
    let pushing = async {
        world.kernel.arrived("/ws").await;
        loop {
            world.kernel.push(&json!({"cmd": "setConf", "data": {"api": {"token": "secret"}}}));
            tokio::task::yield_now().await;
        }
    };
    let heard = tokio::select! { heard = listening => good(heard), () = pushing => unreachable!() };
    assert_eq!(heard["messages"][0]["cmd"], "setConf");
    assert!(!heard.to_string().contains("secret"));
    world.kernel.all_closed().await;
}

/// It takes the upgrade, and closes with an odd frame: what was sent meanwhile reached nobody.
#[tokio::test]
async fn a_socket_that_lets_nobody_in_took_no_message() {
    let world = World::with(Setup { access_code: Some("secret code".into()), ..Setup::default() }).await;
    world.kernels.set_token(TOKEN).await;
    world.allow("ws connect /ws").await;
    world.allow("ws send /ws hello").await;
    let path = "/ws?app=my-app&id=my-session&type=main";
    for messages in [json!([]), json!([{"cmd": "hello"}])] {
        let call = json!({"channel": "ws", "path": path, "messages": messages, "durationMs": 30_000});
        let answer = world.call(RPC, call).await;
        assert_eq!((&answer["isError"], code(&answer)), (&json!(true), "kernel_unauthorized"), "{answer}");
    }
    assert!(world.kernel.socket_texts().is_empty());
}

#[tokio::test]
async fn the_connection_tells_its_status() {
    let world = World::bare(Setup { generation: Generation::V3_8_6, ..Setup::default() }).await;
    let call = json!({"channel": "connection", "action": "status"});
    assert_eq!(code(&world.call(RPC, call.clone()).await), "approval_unavailable");
    world.allow("connection status").await;
    let status = good(world.call(RPC, call).await);
    assert_eq!(
        (&status["reachable"], &status["version"], &status["bootProgress"]),
        (&json!(true), &json!("3.8.6"), &json!(100))
    );
}

#[tokio::test]
async fn each_call_closes_every_socket_that_it_opened() {
    let world = World::new().await;
    let id = block_with(&world.kernel, "First");
    good(world.call("siyuan_query", json!({"action": "read", "id": id})).await);
    world.kernel.all_closed().await;
}
