//! Whole calls: each row of the table by each channel, batches, and random ones.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::settings::{ApprovalPolicy, WorkMode};
use crate::siyuan::permissions::Closed;

/// Judges under these permissions. A key that is not named is `ask`.
fn judge(
    permissions: &[(&str, Permission)],
    standing: Option<Standing>,
    request: Request<'_>,
) -> Result<Ruling, Refused> {
    let catalogue = Catalogue::embedded();
    let permissions: BTreeMap<String, Permission> =
        permissions.iter().map(|(key, permission)| ((*key).to_owned(), *permission)).collect();
    Rules { catalogue: &catalogue, permissions: &permissions, standing }.judge(request)
}

fn standing(mode: WorkMode) -> Option<Standing> {
    Some(Standing { mode, approval: ApprovalPolicy::Prompt })
}

fn http<'a>(method: &'a str, path: &'a str, body: &'a Value) -> Request<'a> {
    Request::Http { method, path, query: &[], body: Body::Json(body) }
}

fn mcp<'a>(method: &'a str, params: &'a Value) -> Request<'a> {
    Request::Mcp { method, params: Some(params) }
}

/// One call by each channel, its keys, and whether it counts as writing.
fn by_each_channel(check: impl Fn(Request<'_>, &[&str], Effect)) {
    let (empty, id) = (json!({}), json!({"id": "20261011180001-abcdefg"}));
    check(
        http("POST", "/api/block/getBlockKramdown", &id),
        &["http POST /api/block/getBlockKramdown"],
        Effect::Reads,
    );
    check(http("POST", "/api/block/deleteBlock", &id), &["http POST /api/block/deleteBlock"], Effect::Writes);
    check(http("POST", "/api/future/x", &id), &["http POST /api/future/x"], Effect::Writes);
    for action in Action::ALL {
        let effect = if action.is_query() { Effect::Reads } else { Effect::Writes };
        check(Request::Action { action, body: &empty }, &[&action.key().to_string()], effect);
    }
    check(mcp("tools/list", &empty), &["mcp tools/list"], Effect::Writes);
    let call = json!({"name": "Search", "arguments": {}});
    check(mcp("tools/call", &call), &["mcp tools/call", "mcp tools/call search"], Effect::Writes);
    let plugin = |methods, is_batch| Request::Plugin { plugin: "p", methods, is_batch };
    check(plugin(&["a.b"], false), &["plugin p a.b"], Effect::Writes);
    check(plugin(&["a", "b", "a"], true), &["plugin p $batch", "plugin p a", "plugin p b"], Effect::Writes);
    check(plugin(&["a"], true), &["plugin p $batch", "plugin p a"], Effect::Writes);
    let messages = [json!({"cmd": "ping", "reqId": 1, "param": {}})];
    check(
        Request::Ws { target: "/ws?app=a&id=b&type=main", messages: &[] },
        &["ws connect /ws"],
        Effect::Writes,
    );
    check(
        Request::Ws { target: "/ws", messages: &messages },
        &["ws connect /ws", "ws send /ws ping"],
        Effect::Writes,
    );
    check(Request::Status, &["connection status"], Effect::Reads);
}

#[test]
fn each_row_of_the_table_holds_by_each_channel() {
    by_each_channel(|request, keys, effect| {
        for permission in Permission::ALL {
            let permissions: Vec<(&str, Permission)> = keys.iter().map(|key| (*key, permission)).collect();
            for mode in [WorkMode::Ask, WorkMode::Execute, WorkMode::Full] {
                let expected = decide(permission, standing(mode), effect);
                let found = judge(&permissions, standing(mode), request);
                match (&found, &expected) {
                    (Ok(ruling), Ok(decision)) => {
                        assert_eq!(ruling.decision, *decision, "{request:?} {permission} {mode:?}");
                        let reached: Vec<String> =
                            ruling.steps.iter().map(|step| step.key.to_string()).collect();
                        assert_eq!(reached, keys);
                        assert!(
                            ruling
                                .steps
                                .iter()
                                .all(|step| step.effect == effect && step.permission == permission)
                        );
                    }
                    (Err(refused), Err(reason)) => {
                        assert_eq!((&refused.reason, refused.permission), (reason, Some(permission)));
                        assert_eq!(refused.key.as_ref().unwrap().to_string(), keys[0]);
                    }
                    _ => panic!("{request:?} {permission} {mode:?}: {found:?}, expected {expected:?}"),
                }
            }
        }
    });
}

#[test]
fn what_nobody_set_asks() {
    by_each_channel(|request, _, _| {
        assert_eq!(judge(&[], standing(WorkMode::Execute), request).unwrap().decision, Decision::MustAsk);
        assert_eq!(judge(&[], standing(WorkMode::Full), request).unwrap_err().reason, Reason::FullAccess);
        assert_eq!(judge(&[], None, request).unwrap_err().reason, Reason::NoExecution);
    });
}

#[test]
fn never_is_refused_where_a_person_would_be_asked() {
    let never = |mode| Some(Standing { mode, approval: ApprovalPolicy::Never });
    by_each_channel(|request, _, effect| {
        assert_eq!(judge(&[], never(WorkMode::Execute), request).unwrap_err().reason, Reason::NeverAsks);
        let expected = if effect == Effect::Reads { Reason::NeverAsks } else { Reason::ReadOnlyMode };
        assert_eq!(judge(&[], never(WorkMode::Ask), request).unwrap_err().reason, expected);
    });
}

#[test]
fn a_tool_and_raw_http_share_a_permission() {
    let body = json!({"id": "x", "data": "", "dataType": "markdown"});
    let permissions = [("http POST /api/block/updateBlock", Permission::Allow)];
    for request in [
        Request::Action { action: Action::UpdateBlock, body: &body },
        http("POST", "/api/block/updateBlock", &body),
    ] {
        assert_eq!(
            judge(&permissions, standing(WorkMode::Full), request).unwrap().decision,
            Decision::Direct
        );
    }
    assert!(
        judge(&permissions, standing(WorkMode::Full), http("PUT", "/api/block/updateBlock", &body)).is_err()
    );
}

#[test]
fn ask_mode_takes_sql_from_siyuan_query_alone() {
    let body = json!({"stmt": "SELECT 1"});
    let permissions = [("http POST /api/query/sql", Permission::Allow)];
    let query = Request::Action { action: Action::Sql, body: &body };
    let ruling = judge(&permissions, standing(WorkMode::Ask), query).unwrap();
    assert_eq!(ruling.screened.set, [("mode", json!("readonly"))]);
    let raw = judge(&permissions, standing(WorkMode::Ask), http("POST", "/api/query/sql", &body));
    assert_eq!(raw.unwrap_err().reason, Reason::ReadOnlyMode);
    let writing = json!({"stmt": "DELETE FROM blocks"});
    for request in
        [Request::Action { action: Action::Sql, body: &writing }, http("POST", "/api/query/sql", &writing)]
    {
        let refused = judge(&permissions, standing(WorkMode::Execute), request).unwrap_err();
        assert_eq!(refused.reason.code(), "sql_not_read_only");
    }
}

#[test]
fn a_batch_is_judged_whole() {
    let methods = ["read", "write"];
    let batch = Request::Plugin { plugin: "p", methods: &methods, is_batch: true };
    let allow = Permission::Allow;
    let all = [("plugin p $batch", allow), ("plugin p read", allow), ("plugin p write", allow)];
    assert_eq!(judge(&all, standing(WorkMode::Execute), batch).unwrap().decision, Decision::Direct);
    for (missing, (key, _)) in all.iter().enumerate() {
        let mut some = all.to_vec();
        some.remove(missing);
        let asked = judge(&some, standing(WorkMode::Execute), batch).unwrap();
        assert_eq!(asked.decision, Decision::MustAsk, "{key}");
        some.push((key, Permission::Deny));
        let refused = judge(&some, standing(WorkMode::Execute), batch).unwrap_err();
        assert_eq!((refused.key.unwrap().to_string().as_str(), refused.reason), (*key, Reason::Denied));
    }
    let full =
        [("plugin p $batch", Permission::AskFullAccess), ("plugin p read", allow), ("plugin p write", allow)];
    assert_eq!(judge(&full, standing(WorkMode::Full), batch).unwrap().decision, Decision::AutoByFullAccess);
    let unmarked = Request::Plugin { plugin: "p", methods: &methods, is_batch: false };
    assert_eq!(judge(&all[1..], standing(WorkMode::Execute), unmarked).unwrap().decision, Decision::MustAsk);
    let none = Request::Plugin { plugin: "p", methods: &[], is_batch: true };
    assert_eq!(judge(&all, standing(WorkMode::Execute), none).unwrap_err().reason, Reason::EmptyBatch);
    let named = Request::Plugin { plugin: "p", methods: &["$batch"], is_batch: false };
    assert_eq!(
        judge(&all, standing(WorkMode::Execute), named).unwrap_err().reason.code(),
        "invalid_endpoint"
    );
}

#[test]
fn a_tool_needs_its_own_permission_besides_that_of_calling_tools() {
    let params = json!({"name": "block", "arguments": {}});
    let call = mcp("tools/call", &params);
    let (both, tool) = (("mcp tools/call", Permission::Allow), ("mcp tools/call block", Permission::Allow));
    assert_eq!(judge(&[both, tool], standing(WorkMode::Execute), call).unwrap().decision, Decision::Direct);
    for one in [both, tool] {
        assert_eq!(judge(&[one], standing(WorkMode::Execute), call).unwrap().decision, Decision::MustAsk);
    }
    for params in [json!({}), json!({"name": 7}), json!([]), json!(null)] {
        let refused = judge(&[both], standing(WorkMode::Execute), mcp("tools/call", &params)).unwrap_err();
        assert_eq!(refused.reason, Reason::NoTool);
    }
    let nameless = Request::Mcp { method: "tools/call", params: None };
    assert_eq!(judge(&[both], standing(WorkMode::Execute), nameless).unwrap_err().reason, Reason::NoTool);
}

#[test]
fn a_message_without_a_command_is_not_sent() {
    for message in [json!("ping"), json!([]), json!({}), json!({"cmd": 1}), json!({"cmd": null}), json!(null)]
    {
        let messages = [json!({"cmd": "ping"}), message];
        let refused =
            judge(&[], standing(WorkMode::Execute), Request::Ws { target: "/ws", messages: &messages });
        assert_eq!(refused.unwrap_err().reason, Reason::OpaqueMessage, "{messages:?}");
    }
    let two = [json!({"cmd": "ping", "CMD": "closews"})];
    let refused =
        judge(&[], standing(WorkMode::Execute), Request::Ws { target: "/ws", messages: &two }).unwrap_err();
    assert_eq!(refused.reason, Reason::TwoFields("cmd".into()));
}

#[test]
fn what_is_closed_no_permission_opens() {
    let body = json!({"url": "http://127.0.0.1:6806"});
    let proxy = http("POST", "/api/network/forwardProxy", &body);
    let allow = [("http POST /api/network/forwardProxy", Permission::Allow)];
    for standing in [standing(WorkMode::Execute), standing(WorkMode::Full), None] {
        let refused = judge(&allow, standing, proxy).unwrap_err();
        assert_eq!((&refused.reason, refused.permission), (&Reason::Closed(Closed::Proxy), None));
        let text = refused.to_string();
        assert!(text.starts_with("http POST /api/network/forwardProxy: this endpoint is closed"), "{text}");
    }
    let params = json!({"name": "http_request"});
    let tool = judge(&[], standing(WorkMode::Execute), mcp("tools/call", &params)).unwrap_err();
    assert_eq!(tool.reason, Reason::Closed(Closed::Proxy));
    let ws = Request::Ws { target: "/ws/network/proxy?u=ws://x", messages: &[] };
    assert_eq!(judge(&[], standing(WorkMode::Execute), ws).unwrap_err().reason.code(), "endpoint_closed");
}

/// A contract may hold patterns; what is closed and what a body asks for go by the very path.
#[test]
fn a_pattern_opens_nothing_that_is_closed_or_out_of_reach() {
    let written = json!({
        "version": "1",
        "endpoints": [
            {"method": "POST", "path": "/api/:group/:name", "body": "json", "roles": ["public"]},
        ],
        "$defs": {},
    });
    let catalogue = Catalogue::parse(&written.to_string()).unwrap();
    let key = "http POST /api/:group/:name";
    let permissions = BTreeMap::from([(key.to_owned(), Permission::Allow)]);
    let rules =
        Rules { catalogue: &catalogue, permissions: &permissions, standing: standing(WorkMode::Full) };
    let judge = |path, body: &Value| rules.judge(http("POST", path, body));
    let harmless = json!({"path": "/data/assets/a"});
    assert_eq!(judge("/api/file/getFile", &harmless).unwrap().steps[0].key.to_string(), key);
    let refused = judge("/api/network/forwardProxy", &harmless).unwrap_err();
    assert_eq!(refused.to_string().split(": ").next(), Some("http POST /api/network/forwardProxy"));
    assert_eq!(refused.reason, Reason::Closed(Closed::Proxy));
    let refused = judge("/api/file/getFile", &json!({"path": "/conf/conf.json"})).unwrap_err();
    assert_eq!(refused.reason.code(), "protected_storage");
}

#[test]
fn what_is_out_of_reach_no_permission_opens() {
    let body = json!({"path": "/conf/conf.json"});
    let allow = [("http POST /api/file/getFile", Permission::Allow)];
    let refused =
        judge(&allow, standing(WorkMode::Full), http("POST", "/api/file/getFile", &body)).unwrap_err();
    assert_eq!(refused.reason.code(), "protected_storage");
    assert_eq!(refused.key.unwrap().to_string(), allow[0].0);
}

#[test]
fn ambiguous_paths_credentials_and_odd_methods_are_refused() {
    let empty = json!({});
    let reason = |request| judge(&[], standing(WorkMode::Execute), request).unwrap_err().reason;
    for path in [
        "/api/%62lock/x",
        "/api//x",
        "/api/../mcp",
        "/api/x?y",
        "/API/block/updateBlock",
        "/ａpi/x",
        "/api/x/",
    ] {
        assert_eq!(reason(http("POST", path, &empty)).code(), "ambiguous_path", "{path}");
    }
    for target in ["/w%73", "//ws", "/ws/", "/./ws", "/ws#x", "/ｗs", "ws"] {
        assert_eq!(reason(Request::Ws { target, messages: &[] }).code(), "ambiguous_path", "{target}");
    }
    for method in ["post", "", "PROPFIND", "GET "] {
        assert_eq!(reason(http(method, "/api/x", &empty)).code(), "invalid_endpoint", "{method:?}");
    }
    let query = Request::Http {
        method: "GET",
        path: "/api/system/version",
        query: &["a", "Token"],
        body: Body::Empty,
    };
    assert_eq!(reason(query).code(), "credential_in_call");
    assert_eq!(reason(Request::Ws { target: "/ws?token=x", messages: &[] }).code(), "credential_in_call");
}

#[test]
fn an_action_carries_what_must_be_done_about_its_body() {
    let body = json!({"id": "20261011180001-abcdefg"});
    let delete = Request::Action { action: Action::DeleteDoc, body: &body };
    let ruling = judge(&[], standing(WorkMode::Execute), delete).unwrap();
    assert_eq!(ruling.screened.document.as_deref(), Some("20261011180001-abcdefg"));
}

fn permission() -> impl Strategy<Value = Permission> {
    prop::sample::select(&Permission::ALL[..])
}

proptest! {
    /// The model: nothing is closed, each key's row allows it, and the strictest row speaks.
    #[test]
    fn a_batch_comes_to_the_strictest_of_its_rows(
        rows in prop::collection::vec(permission(), 4),
        mode in prop::sample::select(vec![WorkMode::Ask, WorkMode::Execute, WorkMode::Full]),
        never in any::<bool>(),
        executed in any::<bool>(),
    ) {
        let keys = ["plugin p $batch", "plugin p a", "plugin p b", "plugin p c"];
        let permissions: Vec<(&str, Permission)> = keys.into_iter().zip(rows.iter().copied()).collect();
        let approval = if never { ApprovalPolicy::Never } else { ApprovalPolicy::Prompt };
        let standing = executed.then_some(Standing { mode, approval });
        let request = Request::Plugin { plugin: "p", methods: &["a", "b", "c"], is_batch: true };
        let each: Vec<_> = rows.iter().map(|row| decide(*row, standing, Effect::Writes)).collect();
        match judge(&permissions, standing, request) {
            Ok(ruling) => {
                let rank = |decision: &Decision| match decision {
                    Decision::Direct => 0,
                    Decision::AutoByFullAccess => 1,
                    Decision::MustAsk => 2,
                };
                let strictest = each.into_iter().map(Result::unwrap).max_by_key(rank).unwrap();
                prop_assert_eq!(ruling.decision, strictest);
            }
            Err(refused) => {
                let first = each.into_iter().find_map(Result::err);
                prop_assert_eq!(Some(refused.reason), first);
            }
        }
    }

    #[test]
    fn no_path_makes_it_panic(path in "\\PC{0,60}", method in "[A-Z]{0,8}") {
        let body = json!({});
        let _ = judge(&[], standing(WorkMode::Execute), http(&method, &path, &body));
        let _ = judge(&[], standing(WorkMode::Execute), Request::Ws { target: &path, messages: &[] });
    }
}
