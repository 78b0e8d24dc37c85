//! Scope and vault: which vaults there are, and which one a call reaches.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use notegate::obsidian::{Engine, Scope, UpstreamConfig};
use serde_json::{Value, json};

use crate::world::{ENGINES, World, json_of, mcpvault, text};

/// A stand-in for Node that records each start, and then is Node.
fn recording_node(folder: &Path) -> UpstreamConfig {
    let node = folder.join("node-stand-in");
    let record = folder.join("starts");
    fs::write(&node, format!("#!/bin/sh\necho started >> '{}'\nexec node \"$@\"\n", record.display()))
        .unwrap();
    fs::set_permissions(&node, fs::Permissions::from_mode(0o755)).unwrap();
    UpstreamConfig { node: Some(node), package: Some(mcpvault()), ..UpstreamConfig::default() }
}

#[tokio::test]
async fn us1_the_default_scope_is_tested_without_touching_a_note() {
    for engine in ENGINES {
        the_default_scope_is_tested(engine).await;
    }
}

async fn the_default_scope_is_tested(engine: Engine) {
    let world = World::on(engine);
    world.write("one/daily.md", "one");
    world.write("two/daily.md", "two");
    world.register(&[("1", "one"), ("2", "two")]);
    let before = world.files("");
    let report = world.service.test(&Scope::Registered, engine).await.unwrap();
    let seen: Vec<_> = report.vaults.iter().map(|vault| (vault.id.as_str(), vault.path.clone())).collect();
    assert_eq!(seen, [("1", world.path("one")), ("2", world.path("two"))]);
    assert_eq!(report.tool_count, 18, "LR-6: by name, not times the vaults");
    assert_eq!(world.files(""), before);
    world.no_child_is_left().await;
}

#[tokio::test]
async fn us2_an_unregistered_folder_is_tested_alone() {
    let world = World::new();
    world.vault("registered");
    world.vault("chosen folder & \"笔记\"");
    world.register(&[("1", "registered"), ("2", "gone")]);
    for engine in ENGINES {
        let report = world.service.test(&world.folder("chosen folder & \"笔记\""), engine).await.unwrap();
        assert_eq!(report.vaults.len(), 1, "LR-2: the broken registry is not looked at");
        assert_eq!(report.vaults[0].path, world.path("chosen folder & \"笔记\""));
        assert_eq!(report.vaults[0].id.as_str().len(), 64);
        assert_eq!(report.tool_count, 18);
    }
}

#[tokio::test]
async fn us5_only_the_named_vault_changes() {
    let world = World::new();
    world.write("one/daily.md", "old");
    world.write("two/daily.md", "old");
    world.register(&[("1", "one"), ("2", "two")]);
    let listed = json_of(&world.done(&Scope::Registered, "obsidian_list_vaults", json!({})).await);
    assert_eq!(
        listed,
        json!({"vaults": [
            {"id": "1", "name": "one", "path": world.path("one")},
            {"id": "2", "name": "two", "path": world.path("two")},
        ]})
    );
    let write = |id: Option<&str>, content: &str| {
        let mut arguments = json!({"path": "daily.md", "content": content});
        if let Some(id) = id {
            arguments["vaultId"] = id.into();
        }
        arguments
    };
    world.done(&Scope::Registered, "obsidian_write_note", write(Some("2"), "new")).await;
    assert_eq!((world.read("one/daily.md"), world.read("two/daily.md")), ("old".into(), "new".into()));
    for (id, code) in [(None, "vault_required"), (Some("3"), "vault_unknown"), (Some(""), "vault_unknown")] {
        let error =
            world.call(&Scope::Registered, "obsidian_write_note", write(id, "lost")).await.unwrap_err();
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains("obsidian_list_vaults"), "{error}");
    }
    assert_eq!((world.read("one/daily.md"), world.read("two/daily.md")), ("old".into(), "new".into()));
}

#[tokio::test]
async fn us4_read_change_and_read_again_in_the_only_vault() {
    let world = World::new();
    world.write("notes/day.md", "---\nmood: good\n---\nText\n");
    world.register(&[("1", "notes")]);
    let read =
        json_of(&world.done(&Scope::Registered, "obsidian_read_note", json!({"path": "day.md"})).await);
    assert_eq!(read, json!({"fm": {"mood": "good"}, "content": "Text\n"}));
    let patch = json!({"path": "day.md", "oldString": "Text", "newString": "Changed", "vaultId": "1"});
    world.done(&Scope::Registered, "obsidian_patch_note", patch).await;
    assert_eq!(world.read("notes/day.md"), "---\nmood: good\n---\nChanged\n");
}

#[tokio::test]
async fn us7_a_dead_path_fails_the_scope_and_a_good_folder_works_then() {
    let world = World::new();
    world.write("good/a.md", "text");
    world.register(&[("1", "good"), ("2", "gone")]);
    let error = world.service.test(&Scope::Registered, Engine::Native).await.unwrap_err();
    assert_eq!(error.code(), "vault_unreachable");
    assert!(error.to_string().contains("gone\"") && error.to_string().contains("no such folder"), "{error}");
    // LR-5: the good vault is not used instead, not even by its id
    let arguments = json!({"path": "a.md", "vaultId": "1"});
    let error = world.call(&Scope::Registered, "obsidian_read_note", arguments).await.unwrap_err();
    assert_eq!(error.code(), "vault_unreachable");
    assert_eq!(world.service.test(&world.folder("good"), Engine::Native).await.unwrap().tool_count, 18);
}

#[tokio::test]
async fn lr3_unknown_vault_starts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::upstream(|config| config.upstream = recording_node(folder.path()));
    world.write("one/a.md", "");
    world.vault("two");
    world.register(&[("1", "one"), ("2", "two")]);
    let refused = [
        (Scope::Registered, "obsidian_read_note", json!({"path": "a.md"}), "vault_required"),
        (Scope::Registered, "obsidian_read_note", json!({"path": "a.md", "vaultId": "3"}), "vault_unknown"),
        (world.folder("one"), "obsidian_read_note", json!({"path": "a.md", "vaultId": "1"}), "vault_unknown"),
        (world.folder("gone"), "obsidian_read_note", json!({"path": "a.md"}), "scope_invalid"),
        (world.folder("one"), "obsidian_read_note", json!({"path": "../two/a.md"}), "outside_vault"),
        (world.folder("one"), "obsidian_delete_note", json!({"path": "a.md"}), "invalid_arguments"),
    ];
    for (scope, tool, arguments, code) in refused {
        assert_eq!(world.call(&scope, tool, arguments).await.unwrap_err().code(), code);
    }
    world.done(&Scope::Registered, "obsidian_list_vaults", json!({})).await;
    assert!(!folder.path().join("starts").exists(), "nothing was to be started");

    // The same stand-in shows that it would have been seen: its version, and one start a call.
    let arguments = json!({"path": "a.md", "vaultId": "1"});
    world.done(&Scope::Registered, "obsidian_read_note", arguments.clone()).await;
    world.done(&Scope::Registered, "obsidian_read_note", arguments).await;
    assert_eq!(fs::read_to_string(folder.path().join("starts")).unwrap().lines().count(), 3);
}

#[tokio::test]
async fn v04_any_folder_name_works_down_to_the_child_process() {
    for engine in ENGINES {
        any_folder_name_works(World::on(engine)).await;
    }
}

async fn any_folder_name_works(world: World) {
    for name in ["a 'quoted' \"vault\" & $HOME; 笔记", "Notes ", "--read-only"] {
        let note = format!("{name}/x.md");
        world.write(&note, "text");
        let arguments = json!({"path": "x.md", "content": "new"});
        world.done(&world.folder(name), "obsidian_write_note", arguments).await;
        assert_eq!(world.read(&note), "new", "{name}");
    }
}

#[tokio::test]
async fn results_come_back_untouched() {
    let world = World::on(Engine::Upstream);
    world.write("v/a.md", "text");
    world.write("v/sub/a.md", "text");
    let output =
        world.call(&world.folder("v"), "obsidian_wiki_link", json!({"document": "[[a]]"})).await.unwrap();
    assert_eq!(
        output.structured,
        Some(json!({"document": "a", "path": "a.md", "alternatives": ["sub/a.md"]}))
    );
    assert_eq!(output.content.len(), 1);
    assert_eq!(output.content[0]["type"], "text");
    let output =
        world.call(&world.folder("v"), "obsidian_read_note", json!({"path": "gone.md"})).await.unwrap();
    assert!(output.is_error);
    assert_eq!(output.structured, None::<Value>);
    assert_eq!(
        text(&output),
        "Error: File not found: gone.md. Use list_directory to see available files, or check the path spelling."
    );
}
