//! A kernel that gives its own token away, in every way that there is of writing it and by every channel: nothing of
//! it comes to the runtime, into the record, the snapshot or a file.

use notegate::core::{Command, Query, Reply};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::world::World;
use crate::kernel::faults::Fault;
use crate::kernel::notes_ids::{DOCUMENT, NOTEBOOK};
use crate::kernel::rpc_names::PLUGIN;
use crate::kernel::{TOKEN, leaks};
use crate::kernels::world::locked;

/// What must be seen nowhere.
#[track_caller]
fn nothing_of_it(seen: &str, about: &str) {
    for (name, form) in leaks::encodings(TOKEN) {
        assert!(!seen.contains(&form), "{about}: {name} in {seen}");
    }
}

impl World {
    async fn with_token() -> Self {
        let world = Self::with(locked()).await;
        world.kernels.set_token(TOKEN).await;
        let more = [
            "http POST /api/block/getBlockInfo".into(),
            "mcp tools/call".into(),
            "mcp tools/call leak".into(),
            "ws connect /ws".into(),
            "ws send /ws leak".into(),
            format!("plugin {PLUGIN} leak"),
        ];
        world.allow_all(&more).await;
        world
    }

    /// Everything that can be seen of a call beside its answer.
    async fn traces(&self) -> String {
        let snapshot = serde_json::to_string(&*self.kernels.core.handle().snapshot()).unwrap();
        let record = match self.kernels.ask(Command::Activity { query: Query::default() }).await.unwrap() {
            Reply::Activity { page } => serde_json::to_string(&page).unwrap(),
            other => panic!("{other:?}"),
        };
        [snapshot, record, self.kernels.files()].join("\n")
    }
}

#[tokio::test]
async fn no_channel_gives_the_token_away() {
    let world = World::with_token().await;
    let info = json!({"channel": "http", "path": "/api/block/getBlockInfo", "body": {"id": DOCUMENT}});
    let socket = json!({"channel": "ws", "path": "/ws?app=a&id=b&type=main", "messages": [{"cmd": "leak"}],
        "durationMs": 30_000, "maxMessages": 1});
    for (path, tool, arguments) in [
        ("/api/block/getBlockInfo", "siyuan_rpc", info),
        ("/api/block/getBlockKramdown", "siyuan_query", json!({"action": "read", "id": DOCUMENT})),
        ("/api/query/sql", "siyuan_query", json!({"action": "sql", "stmt": "SELECT id FROM blocks"})),
        ("/api/search/fullTextSearchBlock", "siyuan_query", json!({"action": "search", "query": "x"})),
        ("/api/notebook/lsNotebooks", "siyuan_query", json!({"action": "notebooks"})),
        (
            "/api/filetree/createDocWithMd",
            "siyuan_create",
            json!({"action": "doc", "notebook": NOTEBOOK, "path": "/n", "markdown": "x"}),
        ),
        (
            "/api/block/appendBlock",
            "siyuan_create",
            json!({"action": "append", "parentID": DOCUMENT, "data": "x"}),
        ),
        (
            "-",
            "siyuan_rpc",
            json!({"channel": "mcp", "method": "tools/call", "params": {"name": "leak", "arguments": {}}}),
        ),
        ("-", "siyuan_rpc", json!({"channel": "plugin", "plugin": PLUGIN, "method": "leak"})),
        ("-", "siyuan_rpc", socket),
    ] {
        world.kernel.fault(path, Fault::Leak);
        let direct = world.call(tool, arguments.clone()).await.to_string();
        let params = json!({"name": tool, "arguments": arguments});
        let by_mcp = world.mcp(&world.key, "tools/call", params).await.to_string();
        world.kernel.heal(path);
        let reached = world.kernel.seen().iter().any(|seen| path == "-" || seen.path == path);
        assert!(reached, "{path}: {direct}");
        nothing_of_it(&direct, path);
        nothing_of_it(&by_mcp, path);
        assert!(!direct.contains("approval_unavailable"), "{path}: {direct}");
    }
    let raw = world
        .call("siyuan_rpc", json!({"channel": "mcp", "method": "tools/call", "params": {"name": "leak"}}));
    assert!(
        raw.await.to_string().contains("[redacted]"),
        "the answer was there, and the token was taken out of it"
    );
    nothing_of_it(&world.traces().await, "traces");
}

#[tokio::test]
async fn a_service_that_is_used_as_a_library_filters_as_well() {
    let world = World::with_token().await;
    world.kernel.fault("/api/block/getBlockInfo", Fault::Leak);
    let service = world.kernels.core.handle().tools().siyuan().clone();
    let arguments = json!({"channel": "http", "path": "/api/block/getBlockInfo", "body": {"id": DOCUMENT}});
    let Value::Object(arguments) = arguments else { unreachable!() };
    let output = service.invoke("siyuan_rpc", arguments, None).await.unwrap();
    nothing_of_it(&Value::Object(output.value).to_string(), "the library");
}

#[tokio::test]
async fn what_a_field_is_called_is_enough_to_hide_what_it_holds() {
    let world = World::with_token().await;
    let conf = json!({"code": 0, "msg": "", "data": {"api": {"token": "never seen before"}, "lang": "en"}});
    world.kernel.fault("/api/block/getBlockInfo", Fault::answer_with(200, conf.to_string()));
    let call = json!({"channel": "http", "path": "/api/block/getBlockInfo", "body": {"id": DOCUMENT}});
    let answer = world.call("siyuan_rpc", call).await;
    let data = &answer["structuredContent"]["envelope"]["data"];
    assert_eq!((&data["api"]["token"], &data["lang"]), (&json!("[redacted]"), &json!("en")), "{answer}");
    // The text of a note is the person's, whatever it looks like.
    let note = r#"{"token": "of a note"}"#;
    super::change_first_block(&world.kernel, note);
    let read = world
        .call("siyuan_query", json!({"action": "read", "id": super::block_with(&world.kernel, note)}))
        .await;
    assert!(read.to_string().contains("of a note"), "{read}");
}

#[test]
fn wherever_and_however_it_is_hidden_it_is_found() {
    let forms = leaks::encodings(TOKEN);
    let hidden = (0..forms.len(), 0..4_usize, 0..4_usize, any::<bool>(), "[a-z \"\\\\\n]{0,12}");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let world = runtime.block_on(World::with_token());
    let check = |(form, depth, place, in_message, around): (usize, usize, usize, bool, String)| {
        let mut hidden = json!(format!("{around} {} {around}", forms[form].1));
        for level in 0..depth {
            hidden = match (level + place) % 4 {
                0 => json!([1, hidden]),
                1 => json!({"data": hidden}),
                2 => json!(json!({"in": hidden}).to_string()),
                _ => json!({hidden.to_string(): null}),
            };
        }
        let (msg, data) =
            if in_message { (hidden.to_string(), Value::Null) } else { (String::new(), hidden) };
        let code = i64::from(in_message);
        let body = json!({"code": code, "msg": msg, "data": data}).to_string();
        world.kernel.fault("/api/block/getBlockInfo", Fault::answer_with(200, body));
        let call = json!({"channel": "http", "path": "/api/block/getBlockInfo", "body": {"id": DOCUMENT}});
        let answer = runtime.block_on(world.call("siyuan_rpc", call)).to_string();
        prop_assert!(!answer.contains(&forms[form].1), "{} in {answer}", forms[form].0);
        prop_assert!(answer.contains("[redacted]"), "{answer}");
        Ok(())
    };
    let mut runner = TestRunner::new(Config { cases: 96, failure_persistence: None, ..Config::default() });
    runner.run(&hidden, check).unwrap();
    nothing_of_it(&runtime.block_on(world.traces()), "traces");
}
