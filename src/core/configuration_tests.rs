//! The texts as the programs that they are for read them.

use std::path::PathBuf;

use serde_json::Value;

use super::*;
use crate::core::{Bridge, Core, Home, StartOptions};

/// The picture of a core on a home, as if its program stood at `program`.
async fn snapshot(program: &str, home: Option<&str>) -> Snapshot {
    let folder = tempfile::tempdir().unwrap();
    let core = Core::start(StartOptions::new(Home::at(folder.path()).unwrap())).unwrap();
    let mut snapshot = Snapshot::clone(&core.handle().snapshot());
    core.close().await;
    snapshot.port = 1;
    snapshot.bridge = Bridge { program: program.into(), home: home.map(PathBuf::from) };
    snapshot
}

#[tokio::test]
async fn m19_to_m21_each_program_finds_the_key_where_it_reads_it() {
    let snapshot = snapshot("/n", None).await;
    let check = |kind, part: &str| {
        let text = configuration(kind, &snapshot, "ng_k");
        assert!(text.contains(part), "{kind:?}: {text}");
        assert!(text.contains("ng_k"), "{kind:?}: {text}");
    };
    check(RuntimeKind::OpenCode, "\"oauth\": false");
    check(RuntimeKind::Continue, "requestOptions:\n      headers:\n        Authorization: Bearer ng_k");
    check(RuntimeKind::Codex, "bearer_token_env_var");
    check(RuntimeKind::ClaudeCode, "--header \"Authorization: Bearer ng_k\"");
    check(RuntimeKind::Model, "http://127.0.0.1:1/tools");
    check(RuntimeKind::Custom, "Authorization: Bearer ng_k");
}

#[tokio::test]
async fn what_is_json_is_json() {
    let snapshot = snapshot("/n", None).await;
    for kind in [RuntimeKind::OpenCode, RuntimeKind::Cursor, RuntimeKind::VsCode, RuntimeKind::ClaudeDesktop]
    {
        serde_json::from_str::<Value>(&configuration(kind, &snapshot, "k")).unwrap();
    }
}

#[tokio::test]
async fn a_client_that_starts_the_bridge_is_told_the_whole_path_and_an_unusual_home() {
    for (program, home) in [
        ("/opt/Note gate/notegate", None),
        ("/tmp/a \"b\"/notegate", Some("/tmp/notegate-demo-x/home 家")),
        (r"C:\Program Files\Notegate\notegate.exe", Some(r"D:\notes\new")),
    ] {
        let snapshot = snapshot(program, home).await;
        let text = configuration(RuntimeKind::ClaudeDesktop, &snapshot, "ng_k");
        let read: Value = serde_json::from_str(&text).unwrap();
        let server = &read["mcpServers"]["notegate"];
        assert_eq!((&server["command"], &server["args"]), (&json!(program), &json!(["stdio"])));
        assert_eq!(server["env"]["NOTEGATE_KEY"], "ng_k");
        assert_eq!(server["env"].get("NOTEGATE_HOME"), home.map(Value::from).as_ref());
    }
}

#[tokio::test]
async fn the_running_program_and_its_home_are_what_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let core = Core::start(StartOptions::new(Home::at(folder.path()).unwrap())).unwrap();
    let bridge = core.handle().snapshot().bridge.clone();
    assert_eq!(bridge.program, std::env::current_exe().unwrap());
    assert_eq!(bridge.home.as_deref(), Some(folder.path()));
    core.close().await;
}
