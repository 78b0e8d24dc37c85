//! What is missing or misbehaves, and what is said then.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notegate::obsidian::{Engine, LONGEST_ARGUMENTS, ServiceConfig, UpstreamConfig};
use serde_json::json;

use crate::world::{ENGINES, World, json_of, mcpvault, package, text};

/// A program of the given text, made executable.
fn program(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

async fn read(change: impl FnOnce(&mut ServiceConfig)) -> (World, String, &'static str) {
    let world = World::upstream(change);
    world.write("v/a.md", "text");
    let error =
        world.call(&world.folder("v"), "obsidian_read_note", json!({"path": "a.md"})).await.unwrap_err();
    let (said, code) = (error.to_string(), error.code());
    (world, said, code)
}

#[tokio::test]
async fn fr8_missing_parts_are_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let old = program(folder.path(), "old", "#!/bin/sh\necho v18.19.0\n");
    let odd = program(folder.path(), "odd", "#!/bin/sh\necho hello\n");
    let none = folder.path().join("none");
    let with = |node: Option<PathBuf>, package: PathBuf| UpstreamConfig {
        node,
        package: Some(package),
        search_path: None,
        ..UpstreamConfig::default()
    };
    for (upstream, expected) in [
        (with(None, none.clone()), ["MCPVault 0.16.0 was not found", "npm ci --omit=dev --ignore-scripts"]),
        (with(None, mcpvault()), ["Node.js was not found", "Install version 20 or newer"]),
        (with(Some(old), mcpvault()), ["it is version 18.19.0", "Install version 20 or newer"]),
        (with(Some(odd), mcpvault()), ["calls its version \"hello\"", "NOTEGATE_NODE"]),
        (with(Some(none), mcpvault()), ["cannot be started", "NOTEGATE_NODE"]),
    ] {
        let (_world, said, code) = read(|config| config.upstream = upstream).await;
        assert_eq!(code, "engine_missing", "{said}");
        assert!(expected.iter().all(|part| said.contains(part)), "{said}");
    }
}

#[tokio::test]
async fn nodes_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let says =
        |name: &str, version: &str| program(folder.path(), name, &format!("#!/bin/sh\necho {version}\n"));
    says("path/node", "v20.0.1");
    let named = says("named", "v21.0.0");
    let version = async |upstream: &UpstreamConfig| {
        let world = World::upstream(|config| config.upstream = upstream.clone());
        world.service.diagnose().await.node.version.unwrap()
    };
    let relative_first = std::env::join_paths([Path::new("relative"), &folder.path().join("path")]).unwrap();
    let mut upstream = UpstreamConfig { search_path: Some(relative_first), ..UpstreamConfig::default() };
    assert_eq!(version(&upstream).await, "20.0.1");
    upstream.node = Some(named);
    assert_eq!(version(&upstream).await, "21.0.0");
    says("bundled/node/bin/node", "v22.0.0");
    upstream.bundled = vec![folder.path().join("bundled")];
    assert_eq!(version(&upstream).await, "22.0.0");
}

#[tokio::test]
async fn fr8_a_server_that_fails_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let broken = package(folder.path(), "require('a-module-that-is-not-there')");
    let (world, said, code) = read(|config| config.upstream.package = Some(broken)).await;
    assert_eq!(code, "engine_failed");
    assert!(said.contains("a-module-that-is-not-there"), "{said}");
    world.no_child_is_left().await;
}

#[tokio::test]
async fn lr7_a_server_that_never_answers_is_ended_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let stubborn = "process.on('SIGTERM', () => {}); require('child_process').spawn('sleep', ['1000']); \
                    setInterval(() => {}, 1000);";
    let stubborn = package(folder.path(), stubborn);
    let (world, said, code) = read(|config| {
        config.upstream.package = Some(stubborn);
        config.call_time = Duration::from_millis(1500);
    })
    .await;
    assert_eq!(code, "timeout");
    assert!(said.contains("1.5 seconds"), "{said}");
    world.no_child_is_left().await;
}

#[tokio::test]
async fn a_list_of_tools_without_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let endless = package(
        folder.path(),
        r#"require('readline').createInterface({input: process.stdin}).on('line', line => {
            const {id, method} = JSON.parse(line);
            const results = {
                'initialize': {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'x', version: '1'}},
                'tools/list': {tools: [], nextCursor: 'again'},
            };
            if (results[method]) console.log(JSON.stringify({jsonrpc: '2.0', id, result: results[method]}));
        })"#,
    );
    let world = World::upstream(|config| config.upstream.package = Some(endless));
    world.vault("v");
    let error = world.service.test(&world.folder("v"), Engine::Upstream).await.unwrap_err();
    assert_eq!(error.code(), "engine_failed");
    assert!(error.to_string().contains("does not end"), "{error}");
}

#[tokio::test]
async fn secrets_in_our_environment_do_not_reach_the_child() {
    let folder = tempfile::tempdir().unwrap();
    let telling =
        package(folder.path(), "console.error(Object.keys(process.env).sort().join()); process.exit(1)");
    let (_world, said, _) = read(|config| config.upstream.package = Some(telling)).await;
    assert!(said.ends_with("HOME,PATH"), "{said}");
}

#[tokio::test]
async fn our_home_is_out_of_reach_through_the_service() {
    for engine in ENGINES {
        let world = World::on(engine);
        world.write("gate/settings.json", "{}");
        world.write("a.md", "text");
        let scope = world.folder("");
        let arguments = json!({"oldPath": "gate/settings.json", "newPath": "x.md",
            "confirmOldPath": "gate/settings.json", "confirmNewPath": "x.md"});
        let refused = world.call(&scope, "obsidian_move_file", arguments).await.unwrap_err();
        assert_eq!(refused.code(), "protected");
        let refused = world.service.test(&world.folder("gate"), engine).await.unwrap_err();
        assert_eq!(refused.code(), "protected");
        world.done(&scope, "obsidian_read_note", json!({"path": "a.md"})).await;
    }
}

/// MCPVault cannot be told to leave a folder out when it walks; the native engine leaves it out.
#[tokio::test]
async fn notes_in_our_own_folder_are_found_by_no_engine() {
    for engine in ENGINES {
        let world = World::on(engine);
        world.write("gate/note.md", "quokka");
        world.write("a.md", "quokka");
        let found = world.call(&world.folder(""), "obsidian_search_notes", json!({"query": "quokka"})).await;
        match engine {
            Engine::Native => {
                let hits = json_of(&text(&found.unwrap()));
                assert_eq!((hits.as_array().unwrap().len(), &hits[0]["p"]), (1, &json!("a.md")));
            }
            Engine::Upstream => assert_eq!(found.unwrap_err().code(), "protected"),
        }
    }
}

/// V-16: MCPVault would delete it; the native engine leaves it where it is.
#[tokio::test]
async fn v16_a_move_onto_itself_loses_nothing() {
    for engine in ENGINES {
        let world = World::on(engine);
        world.write("v/a.md", "text");
        let arguments = json!({"oldPath": "a.md", "newPath": "./a.md", "overwrite": true});
        let moved = world.call(&world.folder("v"), "obsidian_move_note", arguments).await;
        assert_eq!(moved.is_ok_and(|output| !output.is_error), engine == Engine::Native);
        assert_eq!(world.read("v/a.md"), "text");
    }
}

#[tokio::test]
async fn us6_the_native_engine_needs_nothing_else() {
    let world = World {
        engine: Engine::Native,
        ..World::upstream(|config| config.upstream = UpstreamConfig::default())
    };
    world.write("v/a.md", "text");
    world.done(&world.folder("v"), "obsidian_read_note", json!({"path": "a.md"})).await;
    assert_eq!(world.service.test(&world.folder("v"), Engine::Native).await.unwrap().tool_count, 18);
}

#[tokio::test]
async fn the_diagnosis_names_what_is_there_and_what_is_not() {
    let world = World::new();
    let diagnosis = world.service.diagnose().await;
    assert_eq!(diagnosis.registries.len(), 3);
    assert!(diagnosis.registries.iter().all(|registry| !registry.exists));
    assert_eq!(diagnosis.mcpvault.version.as_deref(), Some("0.16.0"));
    assert!(diagnosis.node.path.is_some() && diagnosis.node.problem.is_none());

    world.vault("v");
    world.register(&[("1", "v")]);
    let diagnosis = world.service.diagnose().await;
    assert!(diagnosis.registries[0].exists);
}

#[tokio::test]
async fn u25_the_longest_arguments_still_get_an_answer() {
    let world = World::on(Engine::Upstream);
    world.vault("v");
    let room = LONGEST_ARGUMENTS - r#"{"path":"a.md","content":""}"#.len();
    let write = async |length: usize| {
        let arguments = json!({"path": "a.md", "content": "x".repeat(length)});
        world.call(&world.folder("v"), "obsidian_write_note", arguments).await
    };
    assert_eq!(write(room + 1).await.unwrap_err().code(), "invalid_arguments");
    assert!(!write(room).await.unwrap().is_error);
    assert_eq!(fs::metadata(world.path("v/a.md")).unwrap().len(), room as u64);
}
