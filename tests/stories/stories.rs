//! US-1, US-2, US-4, US-5, US-7, US-9 and US-11.

use std::fs;

use serde_json::{Value, json};

use crate::gate::{Gate, register};

#[tokio::test(flavor = "multi_thread")]
async fn us1_the_default_scope_is_tested_while_off_and_nothing_is_saved_or_touched() {
    let gate = Gate::open_with(|home| {
        register(home, &[("a1", "笔记"), ("b2", "Work")]);
        for folder in ["笔记", "Work"] {
            fs::create_dir_all(home.join(folder)).unwrap();
            fs::write(home.join(folder).join("daily.md"), "untouched").unwrap();
        }
    })
    .await;
    let before = (gate.files("笔记"), gate.files("Work"));
    let reply = gate.must(json!({"command": "test-obsidian", "vaultPath": ""})).await;
    let vaults = reply["report"]["vaults"].as_array().unwrap();
    let named = |key: &str| vaults.iter().map(|v| v[key].as_str().unwrap()).collect::<Vec<_>>();
    let mut names = named("name");
    names.sort_unstable();
    assert_eq!(names, ["Work", "笔记"]);
    assert_eq!(reply["report"]["toolCount"], 18);
    assert!(!gate.handle().snapshot().obsidian.enabled);
    assert!(gate.saved().is_null());
    assert_eq!((gate.files("笔记"), gate.files("Work")), before);
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us2_an_unregistered_folder_is_tested_as_a_draft_and_only_that_folder_is_probed() {
    let gate = Gate::open_with(|home| {
        register(home, &[("dead", "gone")]);
        fs::create_dir_all(home.join("draft")).unwrap();
    })
    .await;
    let draft = gate.path("draft");
    let reply = gate.must(json!({"command": "test-obsidian", "vaultPath": draft})).await;
    assert_eq!(reply["report"]["vaults"][0]["path"], json!(draft));
    assert_eq!(reply["report"]["vaults"].as_array().unwrap().len(), 1);
    let seen = gate.handle().snapshot();
    assert_eq!((seen.obsidian.vault_path.as_str(), seen.obsidian.enabled), ("", false));
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us4_read_change_and_read_again_in_a_mode_that_may_write() {
    let (gate, key) = Gate::ready("execute").await;
    let read = json!({"path": "daily.md"});
    assert!(gate.mcp_tool(&key, "obsidian_read_note", read.clone()).await.done().contains("first line"));
    let patch = json!({"path": "daily.md", "oldString": "first line", "newString": "changed"});
    gate.mcp_tool(&key, "obsidian_patch_note", patch).await.done();
    assert!(gate.mcp_tool(&key, "obsidian_read_note", read).await.done().contains("changed"));
    assert_eq!(gate.read("vault/daily.md"), "# Daily\n\nchanged\n");
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us5_of_two_vaults_with_the_same_note_only_the_named_one_changes() {
    let gate = Gate::open_with(|home| {
        register(home, &[("one", "a/Notes"), ("two", "b/Notes")]);
        for folder in ["a/Notes", "b/Notes"] {
            fs::create_dir_all(home.join(folder)).unwrap();
            fs::write(home.join(folder).join("daily.md"), "same").unwrap();
        }
    })
    .await;
    gate.switch(true).await;
    let (_, key) = gate.runtime("claude-code", "execute", true).await;
    let listed = gate.tool(&key, "obsidian_list_vaults", json!({})).await;
    let vaults = listed.body["structuredContent"]["vaults"].as_array().unwrap().clone();
    let of_b = vaults.iter().find(|vault| vault["path"] == json!(gate.path("b/Notes"))).unwrap();

    let note = |id: Value| {
        let mut arguments = json!({"path": "daily.md", "content": "changed"});
        if !id.is_null() {
            arguments["vaultId"] = id;
        }
        arguments
    };
    gate.tool(&key, "obsidian_write_note", note(of_b["id"].clone())).await.done();
    assert_eq!(
        (gate.read("a/Notes/daily.md"), gate.read("b/Notes/daily.md")),
        ("same".into(), "changed".into())
    );

    let nobody = gate.tool(&key, "obsidian_write_note", note(Value::Null)).await;
    assert_eq!(nobody.refused(), "vault_required");
    let wrong = gate.tool(&key, "obsidian_write_note", note(json!("Notes"))).await;
    assert_eq!(wrong.refused(), "vault_unknown");
    for refused in [nobody, wrong] {
        let vaults = refused.body["structuredContent"]["vaults"].as_array().unwrap();
        assert_eq!(vaults.len(), 2, "the caller can name one at once: {refused:?}");
        for vault in vaults {
            assert_eq!(vault["name"], "Notes");
            assert!(refused.text().contains(vault["id"].as_str().unwrap()), "{refused:?}");
        }
    }
    assert_eq!(
        (gate.read("a/Notes/daily.md"), gate.read("b/Notes/daily.md")),
        ("same".into(), "changed".into())
    );
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us7_a_missing_registry_a_dead_path_and_an_unreadable_draft_say_exactly_why() {
    let gate = Gate::open().await;
    let test = |path: Value| json!({"command": "test-obsidian", "vaultPath": path});
    let missing = gate.control(test(json!(""))).await.unwrap_err();
    assert_eq!(missing["code"], "registry_missing");
    assert!(missing["message"].as_str().unwrap().contains("obsidian.json"), "{missing}");

    register(gate.folder.path(), &[("good", "good"), ("dead", "was/moved")]);
    fs::create_dir_all(gate.path("good")).unwrap();
    let dead = gate.control(test(json!(""))).await.unwrap_err();
    assert_eq!(dead["code"], "vault_unreachable");
    assert!(dead["message"].as_str().unwrap().contains("was/moved"), "{dead}");

    for (draft, reason) in
        [(json!("relative/path"), "absolute"), (json!(gate.path("not there")), "not there")]
    {
        let error = gate.control(test(draft)).await.unwrap_err();
        assert_eq!(error["code"], "scope_invalid");
        assert!(error["message"].as_str().unwrap().contains(reason), "{error}");
    }
    // The retry with a good folder uses the new draft.
    gate.must(test(json!(gate.path("good")))).await;
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us9_ask_reads_only_and_execute_writes_without_further_questions() {
    let (gate, execute) = Gate::ready("execute").await;
    let (_, ask) = gate.runtime("continue", "ask", true).await;
    let write = json!({"path": "daily.md", "content": "by execute", "mode": "overwrite"});
    let refused = gate.mcp_tool(&ask, "obsidian_write_note", write.clone()).await;
    assert_eq!(refused.refused(), "read_only_mode");
    assert!(gate.read("vault/daily.md").contains("first line"));
    gate.mcp_tool(&ask, "obsidian_read_note", json!({"path": "daily.md"})).await.done();
    gate.mcp_tool(&execute, "obsidian_write_note", write).await.done();
    assert_eq!(gate.read("vault/daily.md"), "by execute");
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us11_every_tool_is_listed_under_its_name_and_listing_vaults_is_one_more() {
    let (gate, key) = Gate::ready("full").await;
    let listed = gate.mcp(&key, "tools/list", json!({})).await;
    let tools = listed.body["result"]["tools"].as_array().unwrap().clone();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 19);
    assert_eq!(names[0], "obsidian_list_vaults");
    assert_eq!(gate.offered(&key).await, names, "both ways offer the same, in the same order");
    let unknown = gate.tool(&key, "obsidian_drop_vault", json!({})).await;
    assert_eq!(unknown.refused(), "unknown_tool");
    gate.close().await;
}
