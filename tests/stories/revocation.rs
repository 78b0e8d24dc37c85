//! LR-8 and US-12: what ends grants, what happens to calls that run, and what comes after.

use std::fs;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::gate::{Answer, Gate, until};
use crate::long_search;

/// A search that is on its way.
struct Search {
    gate: Arc<Gate>,
    key: String,
    answer: tokio::task::JoinHandle<Answer>,
}

impl Search {
    /// A gate whose vault is so big that a search is still running when something happens to it.
    async fn begin(engine: &str) -> Self {
        Self::of(engine, long_search::ENDLESS).await
    }

    async fn of(engine: &str, names: usize) -> Self {
        let (gate, key) = Gate::ready("execute").await;
        gate.choose_engine(engine).await;
        long_search::prepare(&gate.path("vault"), names);
        let gate = Arc::new(gate);
        let answer = {
            let (gate, key) = (Arc::clone(&gate), key.clone());
            tokio::spawn(async move {
                gate.tool(&key, "obsidian_search_notes", json!({"query": "seven", "limit": 20})).await
            })
        };
        let search = Self { gate, key, answer };
        until("no search was seen", || search.is_seen()).await;
        search
    }

    fn is_seen(&self) -> bool {
        !self.gate.children().is_empty() || long_search::runs(&self.gate.path("vault"))
    }

    /// Holds that the search was ended by a revocation, and leaves nothing behind.
    async fn was_revoked(self) -> (Arc<Gate>, String) {
        let Self { gate, key, answer } = self;
        let answer = answer.await.unwrap();
        assert_eq!(answer.refused(), "revoked");
        assert!(answer.text().contains("What had reached the disk by then stays"), "{}", answer.text());
        gate.nothing_goes_on().await;
        (gate, key)
    }
}

const ENGINES: [&str; 2] = ["native", "upstream"];

async fn close(gate: Arc<Gate>) {
    Arc::into_inner(gate).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr8_us12_saving_the_scope_in_the_middle_of_a_search_ends_it_with_an_error() {
    for engine in ENGINES {
        let search = Search::begin(engine).await;
        // The same value as before: equal values revoke too.
        let same = json!({"command": "save-scope", "vaultPath": search.gate.path("vault")});
        search.gate.must(same).await;
        let (gate, key) = search.was_revoked().await;
        // The very next request is served under what is saved now (M-03).
        gate.tool(&key, "obsidian_read_note", json!({"path": "daily.md"})).await.done();
        close(gate).await;
    }
}

/// A number that MCPVault rounds and the native engine does not: it tells who answered.
const TELLING: &str = "---\nn: 9007199254740993\n---\n";

async fn answered_by(gate: &Gate, key: &str) -> &'static str {
    gate.write("vault/telling.md", TELLING);
    let frontmatter = gate.tool(key, "obsidian_get_frontmatter", json!({"path": "telling.md"})).await.done();
    if frontmatter.contains("9007199254740993") { "native" } else { "upstream" }
}

#[tokio::test(flavor = "multi_thread")]
async fn lr8_choosing_an_engine_ends_running_calls_and_the_next_one_is_served_by_it() {
    // The same engine again revokes too.
    for (before, after) in [("native", "upstream"), ("upstream", "native"), ("native", "native")] {
        let search = Search::begin(before).await;
        search.gate.choose_engine(after).await;
        let (gate, key) = search.was_revoked().await;
        assert_eq!(gate.saved()["obsidian"]["engine"], after);
        assert_eq!(answered_by(&gate, &key).await, after);
        close(gate).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lr8_an_engine_that_cannot_be_saved_ends_calls_and_the_old_one_serves_on() {
    let search = Search::begin("native").await;
    let (file, kept) = (search.gate.path("gate/settings.json"), search.gate.path("gate/kept.json"));
    fs::rename(&file, &kept).unwrap();
    search.gate.write("gate/settings.json/in the way", "");
    let choose = json!({"command": "set-engine", "engine": "upstream"});
    let error = search.gate.control(choose).await.unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("Nothing was changed"), "{error}");
    let (gate, key) = search.was_revoked().await;
    fs::remove_dir_all(&file).unwrap();
    fs::rename(&kept, &file).unwrap();
    assert_eq!(answered_by(&gate, &key).await, "native");
    close(gate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr8_us12_switching_off_ends_running_calls_and_nothing_is_granted_any_more() {
    for engine in ENGINES {
        let search = Search::begin(engine).await;
        search.gate.switch(false).await;
        let (gate, key) = search.was_revoked().await;
        let refused = gate.tool(&key, "obsidian_read_note", json!({"path": "daily.md"})).await;
        assert_eq!(refused.refused(), "switched_off");
        close(gate).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lr8_us12_changing_an_assignment_ends_running_calls_of_every_runtime() {
    let search = Search::begin("native").await;
    let (other, other_key) = search.gate.runtime("continue", "execute", true).await;
    search.gate.assign(&other, false).await;
    let (gate, _) = search.was_revoked().await; // a grant of another runtime dies as well
    let refused = gate.tool(&other_key, "obsidian_list_vaults", json!({})).await;
    assert_eq!(refused.refused(), "not_assigned");
    close(gate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr8_us12_a_failing_save_keeps_the_settings_and_the_running_call_is_ended_all_the_same() {
    let search = Search::begin("native").await;
    let (file, kept) = (search.gate.path("gate/settings.json"), search.gate.path("gate/kept.json"));
    fs::rename(&file, &kept).unwrap();
    fs::create_dir(&file).unwrap();
    search.gate.write("gate/settings.json/in the way", "");
    let save = json!({"command": "save-scope", "vaultPath": "/elsewhere"});
    let error = search.gate.control(save).await.unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("Nothing was changed"), "{error}");
    let (gate, key) = search.was_revoked().await;
    fs::remove_dir_all(&file).unwrap();
    fs::rename(&kept, &file).unwrap();
    // Served by a new grant, under the settings that stayed.
    gate.tool(&key, "obsidian_read_note", json!({"path": "daily.md"})).await.done();
    close(gate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr8_drafts_tests_and_invalid_input_end_nothing() {
    let Search { gate, answer, .. } = Search::of("native", 10).await;
    gate.must(json!({"command": "test-obsidian", "vaultPath": gate.path("vault")})).await;
    let invalid = json!({"command": "save-scope", "vaultPath": "a\u{7}b"});
    assert_eq!(gate.control(invalid).await.unwrap_err()["field"], "obsidian.vaultPath");
    let unknown = json!({
        "command": "set-assignment", "capability": "obsidian", "runtime": "nobody", "assigned": true,
    });
    gate.control(unknown).await.unwrap_err();
    let engine = gate.control(json!({"command": "set-engine", "engine": "fast"})).await.unwrap_err();
    assert!(engine["message"].as_str().unwrap().contains("`native` or `upstream`"), "{engine}");
    answer.await.unwrap().done();
    close(gate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr8_a_one_off_token_is_dead_for_good_and_a_key_is_not() {
    let (gate, key) = Gate::ready("execute").await;
    let issued = gate
        .must(json!({"command": "issue-grant", "runtime": "opencode", "mode": "ask", "lifetimeSeconds": 600}))
        .await;
    let token = issued["token"].as_str().unwrap().to_owned();
    assert!(token.starts_with("ngt_"));
    let read = json!({"path": "daily.md"});
    gate.tool(&token, "obsidian_read_note", read.clone()).await.done();
    let write = json!({"path": "daily.md", "content": "x"});
    assert_eq!(gate.tool(&token, "obsidian_write_note", write).await.refused(), "read_only_mode");

    gate.must(json!({"command": "save-scope", "vaultPath": gate.path("vault")})).await;
    for _ in 0..2 {
        assert_eq!(gate.tool(&token, "obsidian_read_note", read.clone()).await.status, 401);
    }
    gate.tool(&key, "obsidian_read_note", read).await.done();
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr8_a_new_key_and_a_removed_runtime_end_the_old_key() {
    let (gate, key) = Gate::ready("execute").await;
    let rotated = gate.must(json!({"command": "rotate-key", "runtime": "opencode"})).await;
    let new = rotated["key"].as_str().unwrap().to_owned();
    assert_eq!(gate.tool(&key, "obsidian_list_vaults", json!({})).await.status, 401);
    gate.tool(&new, "obsidian_list_vaults", json!({})).await.done();
    gate.must(json!({"command": "remove-runtime", "runtime": "opencode"})).await;
    assert_eq!(gate.tool(&new, "obsidian_list_vaults", json!({})).await.status, 401);
    gate.close().await;
}

/// Saves and calls cross each other: every call is either served or told that it was revoked, and
/// none is served for a vault that was out of scope when it was admitted.
#[tokio::test(flavor = "multi_thread")]
async fn lr8_calls_that_cross_a_save_are_served_by_the_old_scope_or_the_new_one_never_a_mixture() {
    let (gate, key) = Gate::ready("ask").await;
    gate.write("other/daily.md", "other");
    let gate = Arc::new(gate);
    let callers: Vec<_> = (0..4)
        .map(|_| {
            let (gate, key) = (Arc::clone(&gate), key.clone());
            tokio::spawn(async move {
                let mut seen = Vec::new();
                for _ in 0..25 {
                    let answer = gate.tool(&key, "obsidian_list_vaults", json!({})).await;
                    assert_eq!(answer.status, 200, "a key never fails: {answer:?}");
                    if answer.body["isError"] == true {
                        assert_eq!(answer.refused(), "revoked");
                    } else {
                        seen.push(answer.body["structuredContent"]["vaults"].clone());
                    }
                }
                seen
            })
        })
        .collect();
    for n in 0..20 {
        let path = gate.path(if n % 2 == 0 { "other" } else { "vault" });
        gate.must(json!({"command": "save-scope", "vaultPath": path})).await;
    }
    for caller in callers {
        for vaults in caller.await.unwrap() {
            assert_eq!(vaults.as_array().map(Vec::len), Some(1), "{vaults}");
        }
    }
    let now: Value =
        gate.tool(&key, "obsidian_list_vaults", json!({})).await.body["structuredContent"]["vaults"].clone();
    assert_eq!(now[0]["path"], json!(gate.path("vault")));
    close(gate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us12_closing_waits_for_running_calls_to_clean_up() {
    for engine in ENGINES {
        let search = Search::begin(engine).await;
        search.gate.handle().access().close();
        assert_eq!(search.answer.await.unwrap().refused(), "revoked");
        // `close` asserts that nothing goes on once the calls have ended.
        close(search.gate).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn us8_twenty_five_clients_that_leave_at_any_moment_leave_no_process() {
    let (gate, key) = Gate::ready("execute").await;
    gate.choose_engine("upstream").await;
    let gate = Arc::new(gate);
    let mut leaving = Vec::new();
    for n in 0..25_u64 {
        let (gate, key) = (Arc::clone(&gate), key.clone());
        leaving.push(tokio::spawn(async move {
            let call = gate.tool(&key, "obsidian_list_all_tags", json!({}));
            // Moments spread over the life of a call, another one for each.
            let patience = std::time::Duration::from_millis(n * 37);
            tokio::time::timeout(patience, call).await.is_ok()
        }));
    }
    for client in leaving {
        client.await.unwrap();
    }
    gate.nothing_goes_on().await;
    close(gate).await;
}
