//! Verbs that end by themselves, with and without a running instance.

use std::path::Path;

use serde_json::json;

use crate::home::Home;

#[test]
fn a_key_is_printed_once_and_only_its_digest_is_kept() {
    let home = Home::new();
    let added = home.run(&["runtime", "add", "opencode", "--assign", "obsidian"]);
    assert_eq!(added.code, 0, "{}", added.stderr);
    let key = added.stdout.split_whitespace().find(|word| word.starts_with("ng_")).unwrap();
    assert_eq!(added.stdout.matches(key).count(), 1);
    assert_eq!(home.files_with(key), [] as [&Path; 0]);
    assert!(std::fs::read_to_string(home.path().join("settings.json")).unwrap().contains("keySha256"));
    assert!(!home.run(&["runtime", "list", "--json"]).stdout.contains("ng_"));

    let rotated = home.json(&["runtime", "rotate", "opencode"]);
    let new = rotated["key"].as_str().unwrap();
    assert_ne!(new, key);
    assert_eq!(home.files_with(new), [] as [&Path; 0]);
}

/// The same verbs work on the home directly and through the running instance.
#[test]
fn runtimes_are_added_listed_changed_and_removed() {
    let home = Home::new();
    let check = || {
        home.json(&["runtime", "add", "custom", "--name", "My editor", "--mode", "ask"]);
        home.json(&["runtime", "mode", "custom", "full"]);
        home.json(&["runtime", "assign", "custom", "obsidian"]);
        let listed = home.json(&["runtime", "list"]);
        let runtime = &listed["runtimes"][0];
        assert_eq!(runtime["name"], "My editor");
        assert_eq!(runtime["mode"], "full");
        assert_eq!(runtime["capabilities"], json!(["obsidian"]));
        home.json(&["runtime", "assign", "custom", "obsidian", "--off"]);
        assert_eq!(home.json(&["runtime", "list"])["runtimes"][0]["capabilities"], json!([]));
        home.json(&["runtime", "remove", "custom"]);
        assert_eq!(home.json(&["runtime", "list"]), json!({"runtimes": []}));
    };
    check();
    let _serving = home.serve();
    check();
}

#[test]
fn us1_a_scope_is_saved_absolute_tested_and_shown() {
    let home = Home::new();
    let vault = home.vault();
    // The test stands in the vault's parent folder; a running instance stands elsewhere.
    assert_eq!(home.json(&["obsidian", "scope", "vault"])["vaultPath"], vault.to_str().unwrap());
    assert_eq!(home.json(&["obsidian", "scope"]), json!({"vaultPath": vault, "enabled": false}));
    assert_eq!(home.json(&["obsidian", "vaults"])["vaults"][0]["path"], vault.to_str().unwrap());

    let missing = home.run(&["obsidian", "test", "nowhere", "--json"]);
    assert_eq!(missing.code, 1);
    assert!(missing.json()["error"]["message"].as_str().unwrap().contains("nowhere"), "{}", missing.stdout);
    assert_eq!(
        home.json(&["obsidian", "scope"])["vaultPath"],
        vault.to_str().unwrap(),
        "a test saves nothing"
    );

    assert_eq!(home.json(&["obsidian", "scope", "--all"])["vaultPath"], "");
}

#[test]
fn v04_a_vault_of_any_name_works_from_typing_to_the_call() {
    let home = Home::new();
    let name = "我的 \"notes\" & $HOME `x`";
    let vault = home.vault().join(name);
    std::fs::create_dir(&vault).unwrap();
    std::fs::write(vault.join("笔记.md"), "你好\n").unwrap();
    home.json(&["obsidian", "scope", &format!("vault/{name}")]);
    home.json(&["obsidian", "enable"]);
    let read = home.json(&["call", "obsidian_read_note", r#"{"path": "笔记.md"}"#]);
    assert!(read["content"][0]["text"].as_str().unwrap().contains("你好"), "{read}");
}

#[test]
fn a_call_says_by_its_exit_code_what_became_of_it() {
    let home = Home::new();
    home.with_runtime();
    let call = |arguments: &[&str]| home.run(&[&["call"], arguments].concat());

    let read = call(&["obsidian_read_note", r#"{"path": "Note.md"}"#]);
    assert_eq!(read.code, 0, "{}", read.stderr);
    assert!(read.stdout.contains("Hello."));
    let from_input = home.run_with(&["call", "obsidian_read_note", "-"], r#"{"path": "Note.md"}"#);
    assert_eq!((from_input.code, from_input.stdout), (0, read.stdout));

    let absent = call(&["obsidian_read_note", r#"{"path": "Absent.md"}"#]);
    assert_eq!((absent.code, absent.stdout.as_str()), (4, ""), "an error of the tool is no result");
    let refused =
        call(&["obsidian_delete_note", r#"{"path": "Note.md", "confirmPath": "Note.md"}"#, "--mode", "ask"]);
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    assert!(refused.stderr.contains("read_only_mode"), "{}", refused.stderr);
    assert!(home.vault().join("Note.md").exists());
    assert_eq!(call(&["obsidian_read_note", "{path}"]).code, 2);
}

#[test]
fn the_home_in_the_environment_holds_every_file() {
    let (home, other) = (Home::new(), Home::new());
    home.json(&["runtime", "add", "custom"]);
    let _serving = home.serve();
    assert_eq!(other.json(&["runtime", "list"]), json!({"runtimes": []}));
    assert_eq!(other.run(&["status"]).code, 3);
    let user = home.path().parent().unwrap().join("user");
    assert_eq!(std::fs::read_dir(user).unwrap().count(), 0, "nothing is written to the person's own folders");
}

#[test]
fn a_settings_file_that_is_not_understood_is_named_and_left_alone() {
    let home = Home::new();
    std::fs::create_dir(home.path()).unwrap();
    let file = home.path().join("settings.json");
    std::fs::write(&file, r#"{"obsidian": {"readOnly": true}}"#).unwrap();
    for verb in [&["serve"][..], &["runtime", "list"], &["obsidian", "enable"]] {
        let ended = home.run(verb);
        assert_eq!(ended.code, 1, "{verb:?}");
        assert!(ended.stderr.contains("obsidian.readOnly"), "{}", ended.stderr);
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), r#"{"obsidian": {"readOnly": true}}"#);
    let doctor = home.run(&["doctor", "--json"]);
    assert_eq!(doctor.code, 1);
    let settings =
        doctor.json()["findings"].as_array().unwrap().iter().find(|f| f["check"] == "settings").cloned();
    assert_eq!(settings.unwrap()["state"], "missing");
}

#[test]
fn the_tools_are_listed_without_anything_running() {
    let home = Home::new();
    let tools = home.json(&["tools"]);
    assert_eq!(tools["tools"].as_array().unwrap().len(), 24);
    assert!(!home.path().exists(), "a list makes no files");
}

/// `notegate tools | head -1`
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::Stdio;
    let home = Home::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ended = home.command(&["tools"]).stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "");
}

/// The same verb works on the home directly and through the running instance.
#[test]
fn lr8_an_engine_is_shown_and_chosen() {
    let home = Home::new();
    let check = || {
        for engine in ["upstream", "native"] {
            assert_eq!(home.json(&["obsidian", "engine", engine]), json!({"engine": engine}));
            assert_eq!(home.json(&["obsidian", "engine"]), json!({"engine": engine}));
        }
    };
    assert_eq!(home.json(&["obsidian", "engine"]), json!({"engine": "native"}), "unless another is chosen");
    check();
    let _serving = home.serve();
    check();
    let unknown = home.run(&["obsidian", "engine", "fast"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("the engines are native, upstream"), "{}", unknown.stderr);
}

#[test]
fn us6_without_node_the_native_engine_misses_nothing_and_the_other_says_what() {
    let home = Home::new();
    home.with_runtime();
    let run = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        command.env("PATH", "").env_remove("NOTEGATE_NODE");
        let output = command.output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let parts = || {
        let (_, found) = run(&["doctor", "--json"]);
        let found: serde_json::Value = serde_json::from_str(&found).unwrap();
        let findings = found["findings"].as_array().unwrap().clone();
        let of = |check: &str| findings.iter().find(|finding| finding["check"] == check).unwrap().clone();
        (of("engine")["detail"].clone(), of("node")["state"].clone())
    };
    assert_eq!(parts(), (json!("native"), json!("note")));
    let read = ["call", "obsidian_read_note", r#"{"path": "Note.md"}"#];
    assert!(run(&read).1.contains("Hello."));
    assert!(run(&["obsidian", "test"]).1.contains("18 tools"));

    home.json(&["obsidian", "engine", "upstream"]);
    assert_eq!(parts(), (json!("upstream"), json!("missing")));
    assert_eq!(run(&read).0, 4);
    let (code, told) = run(&["obsidian", "test", "--json"]);
    assert_eq!(code, 1);
    assert!(told.contains("engine_missing") && told.contains("notegate obsidian engine native"), "{told}");
}

#[test]
fn doctor_names_what_it_looked_at() {
    let home = Home::new();
    home.json(&["obsidian", "scope", "vault"]);
    let serving = home.serve();
    let doctor = home.run(&["doctor", "--json"]).json();
    let checks: Vec<&str> = doctor["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["check"].as_str().unwrap())
        .collect();
    for check in [
        "home", "settings", "instance", "display", "keyring", "kernels", "registry", "vaults", "engine",
        "node", "mcpvault",
    ] {
        assert!(checks.contains(&check), "{check} is not in {checks:?}");
    }
    let instance = doctor["findings"].as_array().unwrap().iter().find(|f| f["check"] == "instance").unwrap();
    assert!(instance["detail"].as_str().unwrap().contains(&serving.pid().to_string()), "{instance}");
}
