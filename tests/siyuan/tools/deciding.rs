//! The table of permissions over every channel, and what a person's answer does.

use notegate::access::approvals::Declined;
use notegate::settings::{ApprovalPolicy, Permission, WorkMode};
use notegate::siyuan::SiyuanError;
use serde_json::{Value, json};

use super::bench::{Bench, change, execution, with_policy};
use crate::kernel::notes_ids::{DOCUMENT, NOTEBOOK};
use crate::kernel::rpc_names::PLUGIN;
use crate::kernels::world::{LOCAL, id};

/// A call of each channel, the keys that it needs, and whether it only reads.
pub fn channels() -> Vec<(&'static str, Value, Vec<String>, bool)> {
    let key = |path: &str| vec![format!("http POST {path}")];
    let plugin = |method: &str| format!("plugin {PLUGIN} {method}");
    let ws = "/ws?app=a&id=b&type=main";
    vec![
        ("siyuan_query", json!({"action": "notebooks"}), key("/api/notebook/lsNotebooks"), true),
        (
            "siyuan_query",
            json!({"action": "docs", "notebook": NOTEBOOK}),
            key("/api/filetree/listDocsByPath"),
            true,
        ),
        (
            "siyuan_query",
            json!({"action": "search", "query": "x"}),
            key("/api/search/fullTextSearchBlock"),
            true,
        ),
        ("siyuan_query", json!({"action": "sql", "stmt": "SELECT 1 LIMIT 1"}), key("/api/query/sql"), true),
        ("siyuan_query", json!({"action": "read", "id": DOCUMENT}), key("/api/block/getBlockKramdown"), true),
        (
            "siyuan_query",
            json!({"action": "children", "id": DOCUMENT}),
            key("/api/block/getChildBlocks"),
            true,
        ),
        (
            "siyuan_create",
            json!({"action": "doc", "notebook": NOTEBOOK, "path": "/x", "markdown": ""}),
            key("/api/filetree/createDocWithMd"),
            false,
        ),
        (
            "siyuan_create",
            json!({"action": "block", "data": "x", "parentID": DOCUMENT}),
            key("/api/block/insertBlock"),
            false,
        ),
        (
            "siyuan_create",
            json!({"action": "append", "data": "x", "parentID": DOCUMENT}),
            key("/api/block/appendBlock"),
            false,
        ),
        (
            "siyuan_update",
            json!({"action": "block", "id": DOCUMENT, "data": "x"}),
            key("/api/block/updateBlock"),
            false,
        ),
        (
            "siyuan_update",
            json!({"action": "rename_doc", "id": DOCUMENT, "title": "x"}),
            key("/api/filetree/renameDocByID"),
            false,
        ),
        (
            "siyuan_rpc",
            json!({"channel": "http", "path": "/api/block/getBlockKramdown", "body": {"id": DOCUMENT}}),
            key("/api/block/getBlockKramdown"),
            true,
        ),
        (
            "siyuan_rpc",
            json!({"channel": "http", "path": "/api/unknown/thing", "body": {}}),
            key("/api/unknown/thing"),
            false,
        ),
        (
            "siyuan_rpc",
            json!({"channel": "plugin", "plugin": PLUGIN, "method": "echo"}),
            vec![plugin("echo")],
            false,
        ),
        (
            "siyuan_rpc",
            json!({"channel": "plugin", "plugin": PLUGIN, "calls": [{"method": "echo"}, {"method": "fail"}]}),
            vec![plugin("$batch"), plugin("echo"), plugin("fail")],
            false,
        ),
        (
            "siyuan_rpc",
            json!({"channel": "mcp", "method": "tools/list"}),
            vec!["mcp tools/list".into()],
            false,
        ),
        (
            "siyuan_rpc",
            json!({"channel": "mcp", "method": "tools/call", "params": {"name": "search", "arguments": {}}}),
            vec!["mcp tools/call".into(), "mcp tools/call search".into()],
            false,
        ),
        (
            "siyuan_rpc",
            json!({"channel": "ws", "path": ws, "durationMs": 1}),
            vec!["ws connect /ws".into()],
            false,
        ),
        (
            "siyuan_rpc",
            json!({"channel": "ws", "path": ws, "durationMs": 1, "messages": [{"cmd": "ping"}]}),
            vec!["ws connect /ws".into(), "ws send /ws ping".into()],
            false,
        ),
        (
            "siyuan_rpc",
            json!({"channel": "connection", "action": "status"}),
            vec!["connection status".into()],
            true,
        ),
    ]
}

/// What stands for one permission of a kernel.
#[derive(Debug, PartialEq, Eq)]
pub enum Expected {
    Sent,
    Asked,
    Code(&'static str),
}

/// The table of the specification, written down anew.
pub fn expected(permission: Permission, mode: WorkMode, reads: bool) -> Expected {
    use Expected::{Asked, Code, Sent};
    match (permission, mode) {
        (Permission::Deny, _) => Code("denied"),
        (_, WorkMode::Ask) if !reads => Code("read_only_mode"),
        (Permission::Allow, _) => Sent,
        (Permission::AskFullAccess, WorkMode::Full) => Sent,
        (Permission::Ask, WorkMode::Full) => Code("full_access_refuses"),
        (Permission::Ask | Permission::AskFullAccess, _) => Asked,
    }
}

#[tokio::test]
async fn every_row_of_the_table_holds_on_every_channel() {
    let bench = Bench::new().await;
    for (tool, arguments, keys, reads) in channels() {
        for permission in Permission::ALL {
            for mode in [WorkMode::Ask, WorkMode::Execute, WorkMode::Full] {
                bench.forget_permissions();
                keys.iter().for_each(|key| bench.permit(key, permission));
                let expected = expected(permission, mode, reads);
                bench.answers(|_| Err(Declined::Refused));
                let (sent, seen) = (bench.sent(), bench.kernel.seen().len());
                let result = bench.invoke(tool, arguments.clone(), Some(execution(mode))).await;
                let asked = std::mem::take(&mut *bench.person.asked.lock().unwrap());
                let about = format!("{arguments} {permission} {mode:?}: {result:?}");
                match &expected {
                    Expected::Sent => {
                        assert!(
                            !matches!(&result, Err(SiyuanError::Refused(_) | SiyuanError::NotApproved(_))),
                            "{about}"
                        );
                        assert!(asked.is_empty(), "{about}");
                        let status = keys == ["connection status"];
                        assert!(bench.sent() > sent || status && bench.kernel.seen().len() > seen, "{about}");
                    }
                    Expected::Asked => {
                        assert_eq!(result.unwrap_err().code(), "approval_refused", "{about}");
                        let endpoints: Vec<_> = asked[0].endpoints.iter().map(ToString::to_string).collect();
                        assert_eq!((endpoints, asked.len()), (keys.clone(), 1), "{about}");
                        assert_eq!(bench.kernel.seen().len(), seen, "{about}");
                    }
                    Expected::Code(code) => {
                        assert_eq!(result.as_ref().unwrap_err().code(), *code, "{about}");
                        assert!(asked.is_empty(), "{about}");
                        assert_eq!(bench.kernel.seen().len(), seen, "{about}");
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn without_an_execution_both_asking_settings_refuse_and_allow_passes() {
    let bench = Bench::new().await;
    for (tool, arguments, keys, _) in channels() {
        for permission in Permission::ALL {
            bench.forget_permissions();
            keys.iter().for_each(|key| bench.permit(key, permission));
            let seen = bench.kernel.seen().len();
            let result = bench.invoke(tool, arguments.clone(), None).await;
            let code = result.map(|_| ()).map_err(|error| error.code());
            match permission {
                Permission::Allow => assert!(!matches!(code, Err("no_execution" | "denied")), "{arguments}"),
                Permission::Deny => assert_eq!(code, Err("denied")),
                Permission::Ask | Permission::AskFullAccess => assert_eq!(code, Err("no_execution")),
            }
            assert_eq!(bench.kernel.seen().len() > seen, permission == Permission::Allow, "{arguments}");
        }
    }
    assert!(bench.person.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_nobody_set_is_asked_and_a_policy_of_never_refuses() {
    let bench = Bench::new().await;
    let read = json!({"action": "read", "id": DOCUMENT});
    assert!(bench.invoke("siyuan_query", read.clone(), Some(execution(WorkMode::Execute))).await.is_ok());
    assert_eq!(bench.person.asked.lock().unwrap().len(), 1);
    let never = with_policy(WorkMode::Execute, ApprovalPolicy::Never);
    assert_eq!(bench.invoke("siyuan_query", read, Some(never)).await.unwrap_err().code(), "never_asks");
}

#[tokio::test]
async fn each_answer_but_yes_is_its_own_error_and_nothing_is_sent() {
    let bench = Bench::new().await;
    for (answer, code) in [
        (Err(Declined::Refused), "approval_refused"),
        (Err(Declined::Expired), "approval_expired"),
        (Err(Declined::Cancelled), "approval_cancelled"),
        (Err(Declined::NobodyToAsk), "approval_unavailable"),
        (Err(Declined::Pending), "approval_pending"),
    ] {
        bench.answers(move |_| answer);
        let call = json!({"action": "append", "parentID": DOCUMENT, "data": "x"});
        let refused = bench.invoke("siyuan_create", call, Some(execution(WorkMode::Execute))).await;
        assert_eq!(refused.unwrap_err().code(), code);
    }
    assert!(bench.kernel.seen().is_empty());
}

#[tokio::test]
async fn a_yes_is_for_one_call() {
    let bench = Bench::new().await;
    for _ in 0..3 {
        let call = json!({"action": "append", "parentID": DOCUMENT, "data": "x"});
        bench.invoke("siyuan_create", call, Some(execution(WorkMode::Execute))).await.unwrap();
    }
    assert_eq!(bench.person.asked.lock().unwrap().len(), 3);
}

#[tokio::test]
async fn the_question_says_who_asks_for_what_on_which_kernel() {
    let bench = Bench::new().await;
    let call = json!({"action": "append", "parentID": DOCUMENT, "data": "x", "kernelId": LOCAL});
    bench.invoke("siyuan_create", call, Some(execution(WorkMode::Execute))).await.unwrap();
    let asked = bench.person.asked.lock().unwrap().remove(0);
    assert_eq!((asked.runtime.as_str(), asked.session.as_deref()), ("custom", Some("chat 5")));
    assert_eq!((asked.tool, asked.kernel, asked.writes), ("siyuan_create", id(LOCAL), true));
    assert_eq!(
        Value::Object(asked.arguments),
        json!({"action": "append", "parentID": DOCUMENT, "data": "x"})
    );
}

#[tokio::test]
async fn a_configuration_that_changed_while_the_person_was_asked_sends_nothing() {
    let call = json!({"action": "append", "parentID": DOCUMENT, "data": "x"});
    let changes: [fn(&mut notegate::settings::SiyuanSettings); 4] = [
        |settings| {
            let key = "http POST /api/block/appendBlock".to_owned();
            settings.kernels[0].permissions.insert(key, Permission::Allow);
        },
        |settings| {
            let key = "http POST /api/block/appendBlock".to_owned();
            settings.kernels[0].permissions.insert(key, Permission::Deny);
        },
        |settings| settings.kernels[0].disabled = true,
        |settings| settings.kernels[0].address = "http://127.0.0.1:9".parse().unwrap(),
    ];
    for edit in changes {
        let bench = Bench::new().await;
        let kernels = bench.kernels.clone();
        bench.answers(move |_| {
            change(&kernels, edit);
            Ok(())
        });
        let result = bench.invoke("siyuan_create", call.clone(), Some(execution(WorkMode::Execute))).await;
        let code = result.unwrap_err().code();
        assert!(matches!(code, "configuration_changed" | "denied"), "{code}");
        assert!(bench.kernel.seen().is_empty());
    }
}

/// A permission of another endpoint is no reason to ask anew.
#[tokio::test]
async fn what_does_not_concern_the_call_may_change_meanwhile() {
    let bench = Bench::new().await;
    let kernels = bench.kernels.clone();
    bench.answers(move |_| {
        change(&kernels, |settings| {
            settings.kernels[0].permissions.insert("connection status".into(), Permission::Deny);
        });
        Ok(())
    });
    let call = json!({"action": "append", "parentID": DOCUMENT, "data": "x"});
    bench.invoke("siyuan_create", call, Some(execution(WorkMode::Execute))).await.unwrap();
}
