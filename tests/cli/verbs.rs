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
        home.json(&["runtime", "rename", "custom", "My other editor"]);
        assert_eq!(home.json(&["runtime", "list"])["runtimes"][0]["name"], "My other editor");
        home.json(&["runtime", "rename", "custom", "My editor"]);
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
fn what_a_new_runtime_needs_is_printed_and_what_is_missing_is_said() {
    let home = Home::new();
    let added = home.run(&["runtime", "add", "claude-desktop"]).stdout;
    for part in
        ["http://127.0.0.1:27277/mcp", "claude_desktop_config.json", "runtime assign claude-desktop obsidian"]
    {
        assert!(added.contains(part), "{part} in {added}");
    }
    // What is printed is what the program can read, and it leads to this program and this home.
    let start = added.find('{').unwrap();
    let (end, _) = added.rmatch_indices('}').next().unwrap();
    let text: serde_json::Value = serde_json::from_str(&added[start..=end]).unwrap();
    let server = &text["mcpServers"]["notegate"];
    assert_eq!(server["command"], env!("CARGO_BIN_EXE_notegate"));
    assert_eq!(server["env"]["NOTEGATE_HOME"], home.path().to_str().unwrap());
    assert!(added.contains(server["env"]["NOTEGATE_KEY"].as_str().unwrap()));

    let assigned = home.run(&["runtime", "assign", "claude-desktop", "obsidian"]).stdout;
    assert!(assigned.contains("switched off") && assigned.contains("notegate obsidian enable"), "{assigned}");
    home.json(&["obsidian", "enable"]);
    let assigned = home.run(&["runtime", "assign", "claude-desktop", "obsidian"]).stdout;
    assert_eq!(assigned, "claude-desktop can use obsidian now.\n");

    let serving = home.serve();
    let added = home.json(&["runtime", "add", "opencode", "--assign", "obsidian"]);
    assert_eq!(added["mcp"], serving.ready["mcp"]);
    assert!(added["configuration"].as_str().unwrap().contains(added["key"].as_str().unwrap()));
    home.json(&["runtime", "add", "custom"]);
    let refused = home.run(&["grant", "custom", "--json"]);
    assert_eq!(refused.json()["error"]["code"], "grant_refused", "{}", refused.stdout);
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
fn a_saved_scope_that_cannot_be_used_is_a_warning_and_a_tilde_is_the_users_folder() {
    let home = Home::new();
    let user = home.path().parent().unwrap().join("user");
    std::fs::create_dir(user.join("Notes")).unwrap();
    std::fs::write(user.join("file.md"), "").unwrap();
    let check = || {
        let saved = home.run(&["obsidian", "scope", "~/Notes"]);
        assert_eq!((saved.code, saved.stderr.as_str()), (0, ""));
        assert_eq!(saved.stdout, format!("Saved: {}\n", user.join("Notes").display()));
        assert_eq!(home.json(&["obsidian", "test", "~/Notes"])["toolCount"], 18);
        for (typed, why) in [("~/gone", "no such folder"), ("~/file.md", "a file, not a folder")] {
            let saved = home.run(&["obsidian", "scope", typed]);
            assert_eq!(saved.code, 0, "{}", saved.stderr);
            assert!(
                saved.stdout.starts_with("Saved: /") && !saved.stdout.contains("reached"),
                "{}",
                saved.stdout
            );
            assert!(saved.stderr.starts_with("warning: ") && saved.stderr.contains(why), "{}", saved.stderr);
            let saved = home.json(&["obsidian", "scope", typed]);
            assert_eq!(saved["warning"]["code"], "scope_invalid", "{saved}");
        }
        // No Obsidian is there.
        let all = home.json(&["obsidian", "scope", "--all"]);
        assert_eq!((&all["vaultPath"], &all["warning"]["code"]), (&json!(""), &json!("registry_missing")));
    };
    check();
    let _serving = home.serve();
    check();
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

#[test]
fn the_arguments_of_one_tool_are_shown_as_text_and_as_json() {
    let home = Home::new();
    let shown = home.run(&["tools", "obsidian_manage_tags"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    for part in [
        "obsidian_manage_tags",
        "operation",
        "\"add\" | \"remove\" | \"list\"",
        "required",
        "list of strings",
    ] {
        assert!(shown.stdout.contains(part), "{part} in {}", shown.stdout);
    }
    let tool = home.json(&["tools", "obsidian_manage_tags"]);
    assert_eq!((&tool["name"], &tool["writes"]), (&json!("obsidian_manage_tags"), &json!(true)));
    assert_eq!(tool["inputSchema"]["properties"]["operation"]["enum"], json!(["add", "remove", "list"]));
    assert!(home.run(&["tools", "obsidian_list_vaults"]).stdout.contains("no arguments"));

    let unknown = home.run(&["tools", "obsidian_fly", "--json"]);
    assert_eq!((unknown.code, unknown.json()["error"]["code"].clone()), (1, json!("unknown_tool")));
}

#[test]
fn a_port_is_saved_and_shown_and_zero_is_none() {
    let home = Home::new();
    assert_eq!(home.json(&["port"]), json!({"port": 27277}));
    assert_eq!(home.json(&["port", "28001"]), json!({"port": 28001}));
    assert_eq!(home.json(&["port"]), json!({"port": 28001}));
    for typed in ["0", "65536", "x"] {
        assert_eq!(home.run(&["port", typed]).code, 2, "{typed}");
    }
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

/// How `doctor` finds one thing, and its exit code.
fn found(home: &Home, check: &str) -> (String, i32) {
    let doctor = home.run(&["doctor", "--json"]);
    let findings = doctor.json()["findings"].as_array().unwrap().clone();
    let finding = findings.iter().find(|finding| finding["check"] == check).unwrap();
    (finding["state"].as_str().unwrap().to_owned(), doctor.code)
}

#[test]
fn doctor_finds_a_home_that_cannot_be_locked_or_made() {
    let home = Home::new();
    assert_eq!(found(&home, "home").0, "note");
    assert!(!home.path().exists(), "looking makes nothing");
    home.json(&["runtime", "add", "custom"]);
    assert_eq!(found(&home, "home").0, "ok");
    let lock = home.path().join("instance.lock");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    assert_eq!(found(&home, "home"), ("missing".into(), 1));
    std::fs::remove_dir_all(home.path()).unwrap();
    std::fs::write(home.path(), "in the way").unwrap();
    assert_eq!(found(&home, "home"), ("missing".into(), 1));
}

#[test]
fn doctor_finds_a_broken_list_of_vaults() {
    let home = Home::new();
    let list = home.path().parent().unwrap().join("user/config/obsidian/obsidian.json");
    std::fs::create_dir_all(list.parent().unwrap()).unwrap();
    std::fs::write(&list, "{broken").unwrap();
    assert_eq!(found(&home, "registry"), ("missing".into(), 1));
    home.json(&["obsidian", "scope", "vault"]);
    assert_eq!(found(&home, "registry").0, "note", "a chosen folder does without the list");
}

#[test]
fn doctor_misses_no_vault_while_obsidian_is_off() {
    let home = Home::new();
    assert_eq!(found(&home, "vaults"), ("note".into(), 0));
    home.json(&["obsidian", "enable"]);
    assert_eq!(found(&home, "vaults"), ("missing".into(), 1));
}

/// What `serve` writes to standard error, from its start to its end.
fn errors_of_serving(home: &Home) -> String {
    use std::io::BufRead as _;
    use std::process::Stdio;
    let mut command = home.command(&["serve", "--json", "--port", "0"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut ready = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
    assert_eq!(home.run(&["stop"]).code, 0);
    String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap()
}

#[test]
fn a_log_that_cannot_be_used_is_named_by_doctor_and_at_the_start() {
    let home = Home::new();
    assert_eq!(found(&home, "activity").0, "note");
    assert!(!home.path().exists(), "looking makes nothing");
    home.json(&["runtime", "add", "custom"]);
    let log = home.path().join("activity.sqlite");
    std::fs::write(
        &log,
        "no database at all, but a text that is longer than the head of one would be: 100 bytes or so",
    )
    .unwrap();
    assert_eq!(found(&home, "activity"), ("missing".into(), 1));
    let said = errors_of_serving(&home);
    assert!(said.contains("activity.sqlite") && said.contains("Move it away"), "{said}");
    std::fs::remove_file(&log).unwrap();
    assert_eq!(errors_of_serving(&home), "");
    assert_eq!(found(&home, "activity").0, "ok");
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
        "home", "settings", "instance", "activity", "display", "keyring", "kernels", "registry", "vaults",
        "engine", "node", "mcpvault",
    ] {
        assert!(checks.contains(&check), "{check} is not in {checks:?}");
    }
    let instance = doctor["findings"].as_array().unwrap().iter().find(|f| f["check"] == "instance").unwrap();
    assert!(instance["detail"].as_str().unwrap().contains(&serving.pid().to_string()), "{instance}");
}
