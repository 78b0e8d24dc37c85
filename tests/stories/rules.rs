//! LR-1 to LR-7; LR-8 has a file of its own.

use std::fs;

use serde_json::json;

use crate::gate::{Gate, register, until};
use crate::long_search;

#[tokio::test(flavor = "multi_thread")]
async fn lr1_only_the_switch_switches_only_saving_saves_and_testing_does_neither() {
    let gate = Gate::open().await;
    gate.write("vault/a.md", "a");
    let vault = gate.path("vault");
    gate.must(json!({"command": "test-obsidian", "vaultPath": vault})).await;
    assert!(gate.saved().is_null(), "a test saves nothing");

    gate.must(json!({"command": "save-scope", "vaultPath": vault})).await;
    let saved = |enabled: bool| json!({"enabled": enabled, "vaultPath": vault, "engine": "native"});
    assert_eq!(gate.saved()["obsidian"], saved(false));

    gate.switch(true).await;
    assert_eq!(gate.saved()["obsidian"], saved(true));

    gate.must(json!({"command": "test-obsidian", "vaultPath": vault})).await;
    assert_eq!(gate.saved()["obsidian"], saved(true));
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr2_a_chosen_folder_bypasses_the_registry_and_empty_means_every_registered_vault() {
    let gate = Gate::open_with(|home| {
        register(home, &[("one", "a/Notes"), ("two", "b/Notes")]);
        for folder in ["a/Notes", "b/Notes", "elsewhere"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
    })
    .await;
    gate.switch(true).await;
    let (_, key) = gate.runtime("model", "execute", true).await;
    let listed = |text: String| -> Vec<String> {
        let list: serde_json::Value = serde_json::from_str(&text).unwrap();
        list["vaults"].as_array().unwrap().iter().map(|v| v["id"].as_str().unwrap().into()).collect()
    };
    let all = gate.tool(&key, "obsidian_list_vaults", json!({})).await.done();
    assert_eq!(listed(all), ["one", "two"], "registered vaults keep their ids");

    // A registry that is broken is of no concern to a chosen folder.
    gate.write(".config/obsidian/obsidian.json", "{broken");
    gate.must(json!({"command": "save-scope", "vaultPath": gate.path("elsewhere")})).await;
    let chosen = listed(gate.tool(&key, "obsidian_list_vaults", json!({})).await.done());
    assert_eq!(chosen.len(), 1);
    assert_eq!(chosen[0].len(), 64, "the SHA-256 of the path: {chosen:?}");
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr3_an_unknown_vault_changes_nothing_not_even_in_the_only_vault() {
    let (gate, key) = Gate::ready("execute").await;
    let before = gate.files("vault");
    let write = json!({"vaultId": "no such vault", "path": "new.md", "content": "x"});
    assert_eq!(gate.tool(&key, "obsidian_write_note", write).await.refused(), "vault_unknown");
    assert_eq!(gate.files("vault"), before);
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr4_tools_are_offered_by_switch_and_assignment_only_and_all_of_them() {
    let gate = Gate::open().await;
    gate.write("vault/a.md", "a");
    gate.must(json!({"command": "save-scope", "vaultPath": gate.path("vault")})).await;
    let (assigned, key) = gate.runtime("opencode", "ask", true).await;
    let (_, other) = gate.runtime("continue", "full", false).await;
    assert!(gate.offered(&key).await.is_empty(), "switched off");
    assert_eq!(gate.tool(&key, "obsidian_list_vaults", json!({})).await.refused(), "switched_off");

    gate.switch(true).await;
    assert_eq!(gate.offered(&key).await.len(), 19, "Ask filters nothing");
    assert!(gate.offered(&other).await.is_empty());
    assert_eq!(gate.tool(&other, "obsidian_list_vaults", json!({})).await.refused(), "not_assigned");

    gate.assign(&assigned, false).await;
    assert!(gate.offered(&key).await.is_empty());
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr5_a_dead_registered_path_fails_the_request_and_no_other_vault_takes_its_place() {
    let gate = Gate::open_with(|home| {
        register(home, &[("alive", "alive"), ("dead", "moved away")]);
        fs::create_dir_all(home.join("alive")).unwrap();
    })
    .await;
    gate.switch(true).await;
    let (_, key) = gate.runtime("codex", "execute", true).await;
    for arguments in [json!({}), json!({"vaultId": "alive"})] {
        let answer = gate.tool(&key, "obsidian_get_vault_stats", arguments).await;
        assert_eq!(answer.refused(), "vault_unreachable");
        assert!(answer.text().contains("moved away"), "names the folder: {}", answer.text());
    }
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr6_a_test_connects_to_each_vault_and_counts_tools_by_name() {
    let gate = Gate::open_with(|home| {
        register(home, &[("one", "one"), ("two", "two"), ("three", "three")]);
        for folder in ["one", "two", "three"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
    })
    .await;
    for engine in ["native", "upstream"] {
        gate.choose_engine(engine).await;
        let reply = gate.must(json!({"command": "test-obsidian", "vaultPath": ""})).await;
        assert_eq!(reply["report"]["vaults"].as_array().unwrap().len(), 3);
        assert_eq!(reply["report"]["toolCount"], 18, "not three times as many: {engine}");
    }
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr7_a_call_leaves_no_process_behind_whether_it_ends_or_its_client_leaves() {
    let (gate, key) = Gate::ready("execute").await;
    gate.choose_engine("upstream").await;
    gate.tool(&key, "obsidian_read_note", json!({"path": "daily.md"})).await.done();
    gate.nothing_goes_on().await;

    {
        let call = gate.tool(&key, "obsidian_read_note", json!({"path": "daily.md"}));
        tokio::pin!(call);
        // The client goes away as soon as the process is seen.
        tokio::select! {
            _ = &mut call => panic!("the process was never seen"),
            () = until("no process was started", || !gate.children().is_empty()) => {}
        }
    }
    gate.nothing_goes_on().await;
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lr7_a_client_that_leaves_ends_its_call_in_this_process() {
    let (gate, key) = Gate::ready("ask").await;
    long_search::prepare(&gate.path("vault"), long_search::ENDLESS);
    {
        let call = gate.tool(&key, "obsidian_search_notes", json!({"query": "text"}));
        tokio::pin!(call);
        tokio::select! {
            _ = &mut call => panic!("the search did not last"),
            () = until("no search was seen", || long_search::runs(&gate.path("vault"))) => {}
        }
    }
    gate.nothing_goes_on().await;
    gate.close().await;
}
