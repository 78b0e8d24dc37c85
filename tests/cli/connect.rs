//! `notegate connect`: the configuration of a program, written, shown and taken back.

use serde_json::{Value, json};

use crate::home::Home;

const CONFIGURATION: &str = "{\n  // mine\n  \"mcpServers\": {}\n}\n";

/// Cursor's configuration in this person's folder.
fn file(home: &Home) -> std::path::PathBuf {
    let file = home.user().join(".cursor/mcp.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    file
}

fn write_private(home: &Home, text: &str) {
    std::fs::write(file(home), text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(file(home), std::fs::Permissions::from_mode(0o600)).unwrap();
    }
}

fn runtimes(home: &Home) -> usize {
    home.json(&["runtime", "list"])["runtimes"].as_array().unwrap().len()
}

#[test]
fn a_program_is_connected_and_disconnected_by_one_verb() {
    let home = Home::new();
    write_private(&home, CONFIGURATION);
    let shown = home.json(&["connect", "cursor", "--dry-run"]);
    assert_eq!(shown["path"], json!(file(&home)));
    assert!(
        shown["diff"].as_array().unwrap().iter().any(|line| line.as_str().unwrap().contains("Bearer KEY"))
    );
    assert_eq!(std::fs::read_to_string(file(&home)).unwrap(), CONFIGURATION);
    assert_eq!(runtimes(&home), 0, "nothing is added for a look");

    let written = home.run(&["connect", "cursor", "--assign", "obsidian"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert!(written.stdout.contains("+     \"notegate\": {"), "{}", written.stdout);
    assert!(!written.stdout.contains("KEY=") && !written.stdout.contains("ng_"), "{}", written.stdout);
    let text = std::fs::read_to_string(file(&home)).unwrap();
    assert!(text.starts_with("{\n  // mine\n") && text.contains("Bearer ng_"), "{text}");
    assert!(home.files_with("ng_").is_empty(), "no file of ours holds the key");

    // A second time the runtime is the same, and its key a new one.
    home.json(&["connect", "cursor"]);
    assert_ne!(std::fs::read_to_string(file(&home)).unwrap(), text);
    assert_eq!(runtimes(&home), 1);
    // Back to how it was before the first time: the key in between is dead.
    home.json(&["connect", "cursor", "--undo"]);
    assert_eq!(std::fs::read_to_string(file(&home)).unwrap(), CONFIGURATION);
    let again = home.run(&["connect", "cursor", "--undo", "--json"]);
    assert_eq!((again.code, &again.json()["error"]["code"]), (1, &json!("nothing_to_undo")));
    let mut left = std::fs::read_dir(file(&home).parent().unwrap()).unwrap();
    assert!(left.all(|entry| entry.unwrap().path() == file(&home)), "no backup is left");
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_read_gets_no_key_and_no_runtime_is_added_for_it() {
    let home = Home::new();
    std::fs::write(file(&home), CONFIGURATION).unwrap();
    let refused = home.run(&["connect", "cursor", "--json"]);
    assert_eq!((refused.code, &refused.json()["error"]["code"]), (1, &json!("file_readable")));
    assert_eq!(runtimes(&home), 0);
    let written = home.json(&["connect", "cursor", "--key", "environment", "--assign", "obsidian"]);
    let key = written["key"].as_str().unwrap();
    let text = std::fs::read_to_string(file(&home)).unwrap();
    assert!(text.contains("Bearer ${env:NOTEGATE_KEY}") && !text.contains(key), "{text}");
}

#[test]
fn m23_a_broken_file_is_refused_with_its_place_and_no_runtime_is_added() {
    let home = Home::new();
    write_private(&home, "{\n  \"mcpServers\": {,}\n}\n");
    let refused: Value = home.run(&["connect", "cursor", "--json"]).json();
    assert_eq!(refused["error"]["code"], "file_broken");
    assert!(refused["error"]["message"].as_str().unwrap().contains("line 2"), "{refused}");
    assert_eq!(runtimes(&home), 0);
}
