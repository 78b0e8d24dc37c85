//! US-3 and US-10, through the settings file.

use std::fs;

use serde_json::json;

use crate::gate::{Gate, write};

#[tokio::test(flavor = "multi_thread")]
async fn us3_a_folder_and_then_the_default_are_saved_and_neither_switches_on() {
    let gate = Gate::open().await;
    fs::create_dir_all(gate.path("folder")).unwrap();
    for scope in [json!(gate.path("folder")), json!("")] {
        gate.must(json!({"command": "test-obsidian", "vaultPath": gate.path("folder")})).await;
        gate.must(json!({"command": "save-scope", "vaultPath": scope})).await;
        assert_eq!(
            gate.saved()["obsidian"],
            json!({"enabled": false, "vaultPath": scope, "engine": "native"})
        );
        assert_eq!(json!(gate.handle().snapshot().obsidian.vault_path), scope);
    }
    gate.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us10_old_settings_keep_everything_else_and_an_unassigned_session_cannot_call() {
    let gate = Gate::open_with(|home| {
        let old = json!({"version": 1, "gateway": {"port": 4123}, "window": {"theme": "dark", "language": "zh-CN"}});
        write(home, "gate/settings.json", old.to_string());
        fs::create_dir_all(home.join("vault")).unwrap();
    })
    .await;
    assert!(!gate.handle().snapshot().obsidian.enabled, "off by default");
    gate.must(json!({"command": "save-scope", "vaultPath": gate.path("vault")})).await;
    let (id, key) = gate.runtime("opencode", "execute", false).await;
    gate.switch(true).await;
    assert_eq!(gate.tool(&key, "obsidian_list_vaults", json!({})).await.refused(), "not_assigned");

    gate.assign(&id, true).await;
    gate.tool(&key, "obsidian_list_vaults", json!({})).await.done();
    let saved = gate.saved();
    assert_eq!(saved["gateway"]["port"], 4123);
    assert_eq!((&saved["window"]["theme"], &saved["window"]["language"]), (&json!("dark"), &json!("zh-CN")));
    assert_eq!(saved["obsidian"]["vaultPath"], json!(gate.path("vault")), "the scope was not rewritten");
    gate.close().await;
}
