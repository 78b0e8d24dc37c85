//! Calls: side by side, long ones with their progress, and their end by notification, by going away, by revocation.

use notegate::core::{RuntimeKind, WorkMode};
use serde_json::{Value, json};

use crate::world::{Stream, TEXT, World, answer, quick};

fn cancelled() -> Value {
    json!({"requestId": 7, "reason": "test"})
}

#[tokio::test]
async fn us8_a_call_in_a_session_is_cancelled_by_notification() {
    let world = World::new().await;
    let session = world.session().await;
    let calling = tokio::spawn(world.legacy(Some(&session), "tools/call", world.slow()).send());
    world.arrived().await;
    let told = world.notify(Some(&session), "notifications/cancelled", cancelled()).send().await.unwrap();
    assert_eq!(told.status(), 202);
    world.no_call_runs().await;
    let text = calling.await.unwrap().unwrap().text().await.unwrap();
    assert!(!text.contains("\"result\""), "what was cancelled is not answered: {text}");
    world.goes_on().await;
}

#[tokio::test]
async fn us8_a_call_without_an_open_session_is_cancelled_by_notification_too() {
    let world = World::new().await;
    for session in [None, Some("stale")] {
        let calling = tokio::spawn(world.legacy(session, "tools/call", world.slow()).send());
        world.arrived().await;
        // Neither another runtime nor another session nor another id ends it.
        let other = world.add(RuntimeKind::OpenCode, WorkMode::Execute, true).await;
        let foreign = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled()});
        world.legacy_as(&other, session, "", json!({})).json(&foreign).send().await.unwrap();
        world.notify(Some("elsewhere"), "notifications/cancelled", cancelled()).send().await.unwrap();
        world.notify(session, "notifications/cancelled", json!({"requestId": "7"})).send().await.unwrap();
        assert_eq!(world.running(), 1);
        world.notify(session, "notifications/cancelled", cancelled()).send().await.unwrap();
        world.no_call_runs().await;
        let called = answer(calling.await.unwrap().unwrap()).await;
        assert_eq!(called["result"]["structuredContent"]["code"], "cancelled", "{session:?}");
    }
}

#[tokio::test]
async fn us8_a_client_that_goes_away_takes_its_call_along_where_it_cannot_come_back() {
    let world = World::new().await;
    let requests = [
        world.legacy(None, "tools/call", world.slow()),
        world.modern("tools/call", world.slow()),
        world
            .http
            .post(world.url("/mcp"))
            .bearer_auth(&world.key)
            .json(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": world.slow()})),
        world
            .http
            .post(world.url("/tools/obsidian_search_notes"))
            .bearer_auth(&world.key)
            .json(&world.slow()["arguments"]),
    ];
    for request in requests {
        let calling = tokio::spawn(request.send());
        world.arrived().await;
        calling.abort();
        // Reads what came so far; for a stream the head did.
        if let Ok(Ok(response)) = calling.await {
            drop(response);
        }
        world.no_call_runs().await;
    }
    world.goes_on().await;
}

#[tokio::test]
async fn a_client_that_loses_its_connection_in_a_session_keeps_its_call() {
    let world = World::new().await;
    let session = world.session().await;
    let response = world.legacy(Some(&session), "tools/call", world.slow()).send().await.unwrap();
    world.arrived().await;
    drop(response);
    // The answer can be fetched later, so the call goes on until it is cancelled.
    world.goes_on().await;
    assert_eq!(world.running(), 1);
    world.notify(Some(&session), "notifications/cancelled", cancelled()).send().await.unwrap();
    world.no_call_runs().await;
}

#[tokio::test]
async fn lr8_a_call_in_flight_ends_with_an_error_when_its_grant_is_revoked() {
    let world = World::new().await;
    let session = world.session().await;
    for request in [
        world.legacy(Some(&session), "tools/call", world.slow()),
        world.legacy(None, "tools/call", world.slow()),
        world.modern("tools/call", world.slow()),
    ] {
        let calling = tokio::spawn(request.send());
        world.arrived().await;
        world.switch(true).await;
        let called = answer(calling.await.unwrap().unwrap()).await;
        assert_eq!(called["result"]["structuredContent"]["code"], "revoked", "{called}");
        assert_eq!(called["result"]["isError"], true);
    }
    let called = world.legacy(Some(&session), "tools/call", quick()).send().await.unwrap();
    assert_eq!(answer(called).await["result"]["content"][0]["text"], TEXT, "the next one is served");
}

#[tokio::test]
async fn m31_a_long_call_reports_progress_to_who_asked_for_it() {
    let world = World::new().await.with_the_silent_engine().await;
    let session = world.session().await;
    let mut call = quick();
    call["_meta"] = json!({"progressToken": "p"});
    let reports = async |request| Stream::of(request).await.reads("notifications/progress").await;
    let (legacy, alone, modern) = tokio::join!(
        reports(world.legacy(Some(&session), "tools/call", call.clone())),
        reports(world.legacy(None, "tools/call", call.clone())),
        reports(world.modern("tools/call", call.clone())),
    );
    assert!(legacy && alone && modern);
}

#[tokio::test]
async fn calls_of_one_runtime_at_the_same_time_are_limited() {
    let world = World::with_settings(json!({"limits": {"callsPerRuntime": 1}})).await;
    let calling = tokio::spawn(world.legacy(None, "tools/call", world.slow()).send());
    world.arrived().await;
    let second = answer(world.modern("tools/call", quick()).send().await.unwrap()).await;
    assert_eq!(second["result"]["structuredContent"]["code"], "busy");
    calling.abort();
    drop(calling);
    world.no_call_runs().await;
}

#[tokio::test]
async fn an_id_that_is_still_being_answered_in_a_session_is_refused_and_the_first_is_answered() {
    let world = World::new().await;
    let session = world.session().await;
    let slow = world.slow();
    let first = tokio::spawn(world.legacy(Some(&session), "tools/call", slow).send());
    world.arrived().await;
    let again = world.legacy(Some(&session), "ping", json!({})).send().await.unwrap();
    assert_eq!(again.status(), 400);
    let again: Value = again.json().await.unwrap();
    assert_eq!((&again["id"], &again["error"]["code"]), (&json!(7), &json!(-32600)), "{again}");
    world.switch(false).await;
    let answered = answer(first.await.unwrap().unwrap()).await;
    assert_eq!(answered["result"]["isError"], true, "{answered}");
    world.no_call_runs().await;
    let pong = world.legacy(Some(&session), "ping", json!({})).send().await.unwrap();
    assert_eq!(pong.status(), 200, "the id is free again");
}

#[tokio::test]
async fn calls_of_one_session_run_side_by_side_and_each_gets_its_own_answer() {
    let world = World::with_settings(json!({"limits": {"callsPerRuntime": 50}})).await;
    let session = world.session().await;
    for number in 0..20 {
        std::fs::write(world.vault().join(format!("{number}.md")), format!("note {number}")).unwrap();
    }
    // One that does not end holds none of the others up.
    let slow = tokio::spawn(world.legacy(Some(&session), "tools/call", world.slow()).send());
    world.arrived().await;
    let calls = (0..20).map(|number| {
        let read = json!({"name": "obsidian_read_note", "arguments": {"path": format!("{number}.md")}});
        let message =
            json!({"jsonrpc": "2.0", "id": format!("call-{number}"), "method": "tools/call", "params": read});
        let request = world.legacy(Some(&session), "tools/call", json!({})).json(&message);
        async move { (number, answer(request.send().await.unwrap()).await) }
    });
    for (number, answered) in futures_util::future::join_all(calls).await {
        assert_eq!(answered["id"], format!("call-{number}"));
        assert!(answered["result"].to_string().contains(&format!("note {number}")), "{answered}");
    }
    world.switch(false).await;
    slow.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_result_of_four_megabytes_comes_whole_where_the_person_allows_it() {
    let world = World::with_settings(json!({"limits": {"resultChars": 5_000_000}})).await;
    let line = "A line of a long note, with 中文 in it.\n";
    let text = line.repeat((4 << 20) / line.len());
    std::fs::write(world.vault().join("long.md"), &text).unwrap();
    let read = json!({"name": "obsidian_read_note", "arguments": {"path": "long.md"}});
    let session = world.session().await;
    for request in [
        world.legacy(Some(&session), "tools/call", read.clone()),
        world.legacy(None, "tools/call", read.clone()),
        world.modern("tools/call", read.clone()),
    ] {
        let answered = answer(request.send().await.unwrap()).await;
        let shown = answered["result"]["content"][0]["text"].as_str().unwrap();
        let shown: Value = serde_json::from_str(shown).unwrap();
        assert_eq!(shown["content"].as_str().unwrap().len(), text.len());
    }
}
