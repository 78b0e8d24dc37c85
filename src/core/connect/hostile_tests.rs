//! What may stand in a configuration and what may happen to it: nothing that the person wrote is lost.

use std::fs;

use serde_json::{Value, json};

use super::edit::{Fault, edited};
use super::tests::{Person, cursor, edit, http};
use super::*;
use crate::settings::RuntimeKind;

fn shape(kind: RuntimeKind, text: &str) -> String {
    match edited(program(kind).unwrap(), text, &http(kind)) {
        Err(Fault::Shape(reason)) => reason,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_name_that_stands_twice_in_our_entry_is_refused() {
    let text = r#"{"mcpServers": {"notegate": {"url": "a", "url": "b"}}}"#;
    assert!(shape(RuntimeKind::Cursor, text).contains("\"url\" stands twice"));
    assert!(
        shape(RuntimeKind::Continue, "mcpServers:\n- name: notegate\n  \"name\": x\n").contains("\"name\"")
    );
}

#[test]
fn an_anchor_in_our_item_that_is_used_elsewhere_is_no_mistake_of_the_file() {
    for text in [
        "mcpServers:\n  - &n\n    name: notegate\n    url: old\nother: *n\n",
        "mcpServers:\n  - name: notegate\n    url: &u old\nother: *u\n",
    ] {
        assert!(shape(RuntimeKind::Continue, text).contains("one place alone"));
    }
}

#[test]
fn headers_and_settings_beside_ours_stay() {
    let old = r#"{"mcpServers": {"notegate": {"url": "x", "headers": {"X-Mine": "1", "authorization": "Bearer old"}}}}"#;
    let read: Value = serde_json::from_str(&edit(RuntimeKind::Cursor, old)).unwrap();
    let headers = &read["mcpServers"]["notegate"]["headers"];
    assert_eq!(headers, &json!({"Authorization": "Bearer ng_k", "X-Mine": "1"}));

    for old in [
        "[mcp_servers.notegate]\nurl = \"x\"\nhttp_headers = { X-Mine = \"1\", Authorization = \"old\" }\n",
        "[mcp_servers.notegate]\nurl = \"x\"\n[mcp_servers.notegate.http_headers]\nX-Mine = \"1\"\nauthorization = \"old\"\n",
    ] {
        let new = edit(RuntimeKind::Codex, old);
        assert!(
            new.contains("X-Mine = \"1\"") && new.contains("Bearer ng_k") && !new.contains("old"),
            "{new}"
        );
    }

    let old = "mcpServers:\n  - name: notegate\n    requestOptions:\n      timeout: 5\n      headers:\n        X-Mine: \"y\"\n        Authorization: old\n    tags: [a, 1]\n";
    let new = edit(RuntimeKind::Continue, old);
    for stays in ["\n      timeout: 5\n", "\n        X-Mine: \"y\"\n", "- a\n", "- 1\n", "Bearer ng_k\n"] {
        assert!(new.contains(stays), "{stays:?} is not in\n{new}");
    }
    assert!(!new.contains("old"), "{new}");
}

#[test]
fn a_long_list_is_read_in_a_moment() {
    let lines: String = (0..20_000).map(|n| format!("  k{n}: 思源{n}\n")).collect();
    let (begun, old) = (std::time::Instant::now(), format!("名: x\np:\n{lines}"));
    assert!(edit(RuntimeKind::Continue, &old).starts_with(&old));
    // A hundredth of what it takes where each place is counted from the beginning.
    assert!(begun.elapsed().as_secs() < 30);
}

#[test]
fn two_writes_and_one_undo_lead_back_to_how_it_was_before_the_first() {
    let person = Person::new();
    let old = "{\"mcpServers\": {\"notegate\": {\"url\": \"by hand\"}}}";
    fs::write(person.file(), old).unwrap();
    let (_, first) = person.write(KeyPlace::Environment).unwrap();
    let (_, second) = person.write(KeyPlace::Environment).unwrap();
    assert_eq!(first, second);
    person.undo().unwrap();
    assert_eq!(fs::read_to_string(person.file()).unwrap(), old);
    assert!(matches!(person.undo(), Err(ConnectError::NothingToUndo(_))));
}

#[test]
fn no_backup_takes_the_place_of_another() {
    let person = Person::new();
    fs::write(person.file(), "{\"mine\": 1}").unwrap();
    let (_, first) = person.write(KeyPlace::Environment).unwrap();
    let edit = fs::read_to_string(person.file()).unwrap() + "\n";
    fs::write(person.file(), &edit).unwrap();
    let (_, second) = person.write(KeyPlace::Environment).unwrap();
    assert_eq!(fs::read_to_string(first.unwrap()).unwrap(), "{\"mine\": 1}");
    assert_eq!(fs::read_to_string(second.unwrap()).unwrap(), edit);
}

/// As after `kill -9` between the note and the file.
#[test]
fn a_write_that_was_cut_off_is_taken_back() {
    let person = Person::new();
    fs::write(person.file(), "{\"mine\": 1}").unwrap();
    let (_, backup) = person.write(KeyPlace::Environment).unwrap();
    fs::copy(backup.unwrap(), person.file()).unwrap();
    person.undo().unwrap();
    assert_eq!(fs::read_to_string(person.file()).unwrap(), "{\"mine\": 1}");
    fs::remove_file(person.file()).unwrap();
    person.write(KeyPlace::File).unwrap();
    fs::remove_file(person.file()).unwrap();
    person.undo().unwrap();
    assert!(!person.file().exists());
}

#[test]
fn a_file_that_is_written_between_the_look_and_the_write_is_left_alone() {
    let person = Person::new();
    for before in [None, Some("{}")] {
        if let Some(before) = before {
            fs::write(person.file(), before).unwrap();
        }
        let plan = person.plan(KeyPlace::Environment).unwrap();
        fs::write(person.file(), "{\"theirs\": 1}").unwrap();
        let error = plan.carry_out(None, &person.home(), &cursor()).unwrap_err();
        assert!(matches!(error, ConnectError::Changed { .. }), "{error}");
        assert_eq!(fs::read_to_string(person.file()).unwrap(), "{\"theirs\": 1}");
        assert!(matches!(person.undo(), Err(ConnectError::NothingToUndo(_))));
        assert_eq!(fs::read_dir(person.file().parent().unwrap()).unwrap().count(), 1, "no backup is left");
    }
}

#[cfg(unix)]
#[test]
fn every_refusal_says_what_to_do() {
    let person = Person::new();
    let told = || person.write(KeyPlace::Environment).unwrap_err().to_string();
    std::os::unix::fs::symlink("nowhere", person.file()).unwrap();
    assert!(told().contains("or remove the link"));
    fs::remove_file(person.file()).unwrap();
    fs::create_dir(person.file()).unwrap();
    assert!(told().contains("Move what stands there away"));
    fs::remove_dir(person.file()).unwrap();
    fs::write(person.file(), "{}").unwrap();
    super::tests::set_mode(&person.file(), 0o400);
    assert!(told().contains("chmod u+rw"));
    fs::remove_file(person.file()).unwrap();
    fs::write(person.file(), "[]").unwrap();
    assert!(told().contains("notegate runtime add"));
    fs::File::create(person.file()).unwrap().set_len(17 * 1024 * 1024).unwrap();
    assert!(told().contains("16 MB"));
    fs::remove_dir_all(person.file().parent().unwrap()).unwrap();
    fs::write(person.file().parent().unwrap(), "").unwrap();
    assert!(told().contains("where its folder should be"));
}
