//! What is recorded of a call: before anything is sent, and how it ended.

use std::time::Duration;

use notegate::access::approvals::Declined;
use notegate::settings::{Permission, WorkMode};
use notegate::siyuan::{Decided, Outcome};
use serde_json::json;

use super::bench::{Bench, Line, execution};
use crate::kernel::faults::Fault;
use crate::kernel::notes_ids::DOCUMENT;

const APPEND: &str = "/api/block/appendBlock";
const KEY: &str = "http POST /api/block/appendBlock";

fn append() -> serde_json::Value {
    json!({"action": "append", "parentID": DOCUMENT, "data": "a secret thought"})
}

#[tokio::test]
async fn an_intent_that_cannot_be_recorded_sends_nothing() {
    let bench = Bench::new().await;
    *bench.record.refuses_intents.lock().unwrap() = true;
    let result = bench.invoke("siyuan_create", append(), Some(execution(WorkMode::Execute))).await;
    assert_eq!(result.unwrap_err().code(), "not_recorded");
    assert!(bench.kernel.seen().is_empty());
}

#[tokio::test]
async fn an_outcome_that_cannot_be_recorded_says_not_to_repeat_the_write() {
    let bench = Bench::new().await;
    *bench.record.refuses_endings.lock().unwrap() = true;
    let output = bench.invoke("siyuan_create", append(), Some(execution(WorkMode::Execute))).await.unwrap();
    assert!(output.value["note"].as_str().unwrap().contains("Do not repeat"));
}

#[tokio::test]
async fn a_call_is_recorded_with_everything_but_its_text() {
    let bench = Bench::new().await;
    let output = bench.invoke("siyuan_create", append(), Some(execution(WorkMode::Execute))).await.unwrap();
    let (intent, ending) = bench.record.take();
    assert_eq!(intent.runtime.as_ref().unwrap().as_str(), "custom");
    assert_eq!(
        (intent.session.as_deref(), intent.call.as_ref().map(|call| call.0.as_str())),
        (Some("chat 5"), Some("call-1"))
    );
    assert_eq!(
        (intent.tool, intent.kernel.as_ref().unwrap().as_str(), intent.writes),
        ("siyuan_create", "local", true)
    );
    assert_eq!(intent.endpoints[0].0.to_string(), KEY);
    assert_eq!((intent.endpoints[0].1, intent.decided), (Some(Permission::Ask), Decided::Approved));
    assert_eq!(intent.objects.blocks, [DOCUMENT]);
    assert_eq!((ending.outcome, ending.code), (Outcome::Succeeded, None));
    assert_eq!(json!(ending.objects.blocks), output.value["blockIds"]);
    assert!(!format!("{intent:?} {ending:?}").contains("secret thought"));
    assert!(output.value["operationId"].is_string());
}

#[tokio::test]
async fn how_a_call_was_decided_is_recorded_also_where_it_was_refused() {
    let bench = Bench::new().await;
    for (permission, mode, answer, decided, outcome) in [
        (
            Permission::Allow,
            WorkMode::Execute,
            Err(Declined::NobodyToAsk),
            Decided::Direct,
            Outcome::Succeeded,
        ),
        (
            Permission::AskFullAccess,
            WorkMode::Full,
            Err(Declined::NobodyToAsk),
            Decided::FullAccess,
            Outcome::Succeeded,
        ),
        (Permission::Ask, WorkMode::Execute, Ok(()), Decided::Approved, Outcome::Succeeded),
        (
            Permission::Ask,
            WorkMode::Execute,
            Err(Declined::Refused),
            Decided::RefusedByPerson,
            Outcome::Refused,
        ),
        (Permission::Ask, WorkMode::Execute, Err(Declined::Expired), Decided::Expired, Outcome::Refused),
        (Permission::Ask, WorkMode::Execute, Err(Declined::Cancelled), Decided::Cancelled, Outcome::Refused),
        (
            Permission::Ask,
            WorkMode::Execute,
            Err(Declined::NobodyToAsk),
            Decided::NoAnswerer,
            Outcome::Refused,
        ),
        (Permission::Ask, WorkMode::Full, Ok(()), Decided::Mode, Outcome::Refused),
        (Permission::Allow, WorkMode::Ask, Ok(()), Decided::Mode, Outcome::Refused),
        (Permission::Deny, WorkMode::Execute, Ok(()), Decided::Configuration, Outcome::Refused),
    ] {
        bench.permit(KEY, permission);
        bench.answers(move |_| answer);
        let _ = bench.invoke("siyuan_create", append(), Some(execution(mode))).await;
        let (intent, ending) = bench.record.take();
        assert_eq!((intent.decided, ending.outcome), (decided, outcome), "{permission} {mode:?} {answer:?}");
        assert_eq!(intent.endpoints[0].1, Some(permission));
    }
}

#[tokio::test]
async fn each_outcome_is_recorded_as_what_it_was() {
    let bench = Bench::new().await;
    bench.permit(KEY, Permission::Allow);
    for (fault, outcome) in [
        (Fault::Half, Outcome::Uncertain),
        (Fault::answer_with(200, r#"{"code":0,"msg":"","data":null}"#), Outcome::Failed),
        (Fault::answer_with(200, r#"{"code":-1,"msg":"no","data":null}"#), Outcome::Failed),
        (Fault::answer_with(401, r#"{"code":-1,"msg":"no"}"#), Outcome::Failed),
    ] {
        bench.kernel.fault(APPEND, fault);
        let result = bench.invoke("siyuan_create", append(), Some(execution(WorkMode::Execute))).await;
        let (_, ending) = bench.record.take();
        assert_eq!((ending.outcome, ending.code), (outcome, Some(result.unwrap_err().code())));
    }
    bench.permit_all(&[("ws connect /ws", Permission::Allow), ("ws send /ws ping", Permission::Allow)]);
    let ping = json!({"channel": "ws", "path": "/ws?app=a&id=b&type=main", "messages": [{"cmd": "ping"}], "durationMs": 1});
    bench.invoke("siyuan_rpc", ping, Some(execution(WorkMode::Execute))).await.unwrap();
    assert_eq!(bench.record.take().1.outcome, Outcome::Sent);
}

#[tokio::test]
async fn a_call_that_is_given_up_while_it_is_under_way_is_still_recorded_to_its_end() {
    let bench = Bench::new().await;
    bench.permit(KEY, Permission::Allow);
    bench.kernel.fault(APPEND, Fault::Hold);
    let call = bench.invoke("siyuan_create", append(), Some(execution(WorkMode::Execute)));
    tokio::select! {
        result = call => panic!("{result:?}"),
        () = bench.kernel.arrived(APPEND) => {} // and the call is dropped
    }
    tokio::time::timeout(Duration::from_secs(60), bench.service.close()).await.unwrap();
    let (_, ending) = bench.record.take();
    assert_eq!(ending.outcome, Outcome::Uncertain);
    assert_eq!(bench.kernel.seen_at(APPEND).len(), 1);
    bench.kernel.all_closed().await;
}

#[tokio::test]
async fn what_is_looked_up_offline_is_recorded_without_a_kernel() {
    let bench = Bench::new().await;
    bench.invoke("siyuan_rpc", json!({"channel": "contract"}), None).await.unwrap();
    let (intent, ending) = bench.record.take();
    assert_eq!((intent.kernel, intent.writes, intent.endpoints), (None, false, vec![]));
    assert_eq!(ending.outcome, Outcome::Succeeded);
    assert!(bench.kernel.seen().is_empty());
    bench.permit("connection status", Permission::Allow);
    bench.invoke("siyuan_rpc", json!({"channel": "connection", "action": "status"}), None).await.unwrap();
    assert!(matches!(bench.record.lines.lock().unwrap()[0], Line::Begun(_)));
}
