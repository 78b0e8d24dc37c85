//! `notegate siyuan …` over a simulated kernel, on the home directly and through the running instance.

use serde_json::json;

use crate::home::Home;
use crate::kernel::{Kernel, Setup};

/// A kernel that runs and registered itself where this home's user would have it.
async fn kernel(home: &Home, setup: Setup) -> Kernel {
    let kernel = Kernel::with(setup).await;
    kernel.write_port_file(&home.port_file(), std::process::id());
    kernel
}

#[test]
fn kernels_are_added_listed_changed_and_removed() {
    let home = Home::new();
    let check = || {
        let added = home.json(&["siyuan", "kernel", "add", "--name", "My notes"]);
        assert_eq!(added["kernel"]["id"], "local");
        assert_eq!(
            (&added["kernel"]["address"], &added["kernel"]["token"]),
            (&json!("auto"), &json!("none"))
        );
        let url = "https://notes.example.org/siyuan";
        home.json(&["siyuan", "kernel", "add", "far", "--address", url, "--timeout", "60"]);
        home.json(&["siyuan", "kernel", "default", "far"]);
        home.json(&["siyuan", "kernel", "disable", "local"]);
        let listed = home.json(&["siyuan", "kernel", "list"]);
        assert_eq!(listed["defaultKernel"], "far");
        let kernels = &listed["kernels"];
        assert_eq!((&kernels[0]["name"], &kernels[0]["disabled"]), (&json!("My notes"), &json!(true)));
        assert_eq!((&kernels[1]["address"], &kernels[1]["timeoutSeconds"]), (&json!(url), &json!(60)));

        home.json(&["siyuan", "permission", "far", "http POST /api/block/updateBlock", "allow"]);
        let set = |key: &str| home.json(&["siyuan", "permission", "far", key, "ask"])["remark"].clone();
        assert_eq!(set("http POST /api/block/getBlockInfo"), json!(null));
        let misspelt = set("http POST /api/block/updateBlok");
        assert!(misspelt.as_str().unwrap().contains("contract search"), "{misspelt}");
        let closed = set("http POST /api/system/getConf");
        assert!(closed.as_str().unwrap().contains("Nothing opens it"), "{closed}");
        home.json(&["siyuan", "kernel", "edit", "far", "--name", "Far away"]);
        let set = home.json(&["siyuan", "permission", "far", "list"]);
        assert_eq!(set["permissions"]["http POST /api/block/updateBlock"], "allow");
        home.json(&["siyuan", "kernel", "edit", "far", "--address", "https://other.example.org"]);
        assert_eq!(home.json(&["siyuan", "permission", "far"])["permissions"], json!({}));

        home.json(&["siyuan", "kernel", "default", "--none"]);
        home.json(&["siyuan", "kernel", "enable", "local"]);
        home.json(&["siyuan", "kernel", "remove", "far"]);
        home.json(&["siyuan", "kernel", "remove", "local"]);
        let listed = home.json(&["siyuan", "kernel", "list"]);
        assert_eq!(listed, json!({"enabled": false, "defaultKernel": null, "kernels": []}));
    };
    check();
    let _serving = home.serve();
    check();
}

#[test]
fn siyuan_is_switched_and_assigned_beside_obsidian() {
    let home = Home::new();
    home.json(&["runtime", "add", "custom", "--assign", "siyuan"]);
    home.json(&["runtime", "assign", "custom", "obsidian"]);
    home.json(&["siyuan", "enable"]);
    let listed = home.json(&["runtime", "list"]);
    assert_eq!(listed["runtimes"][0]["capabilities"], json!(["obsidian", "siyuan"]));
    home.json(&["runtime", "assign", "custom", "siyuan", "--off"]);
    assert_eq!(home.json(&["runtime", "list"])["runtimes"][0]["capabilities"], json!(["obsidian"]));
    assert_eq!(home.json(&["siyuan", "kernel", "list"])["enabled"], json!(true));
    home.json(&["siyuan", "disable"]);
    assert_eq!(home.json(&["siyuan", "kernel", "list"])["enabled"], json!(false));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_tells_what_was_found_and_binds() {
    let home = Home::new();
    home.json(&["siyuan", "kernel", "add"]);
    let absent = home.run(&["siyuan", "check", "local", "--json"]);
    assert_eq!((absent.code, &absent.json()["error"]["code"]), (1, &json!("kernel_not_running")));

    let kernel = kernel(&home, Setup::default()).await;
    let own = std::process::id();
    let report = home.json(&["siyuan", "check", "local"]);
    let expected = json!({
        "address": kernel.address(), "version": "3.7.3", "workspace": "/home/me/SiYuan", "pid": own, "token": false,
        "warnings": ["old-version", "open-to-everyone"],
    });
    assert_eq!(report, expected);
    assert_eq!(home.json(&["siyuan", "kernel", "list"])["kernels"][0]["pid"], own);

    let _serving = home.serve();
    let told = home.run(&["siyuan", "check", "local"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(told.stdout.starts_with("local works: SiYuan 3.7.3."), "{}", told.stdout);
    assert_eq!(told.stdout.matches("warning").count(), 2, "{}", told.stdout);
    let checked = &home.json(&["siyuan", "kernel", "list"])["kernels"][0]["check"];
    assert_eq!((&checked["state"], &checked["report"]["pid"]), (&json!("passed"), &json!(own)));

    home.json(&["siyuan", "kernel", "edit", "local", "--rebind"]);
    assert_eq!(home.json(&["siyuan", "kernel", "list"])["kernels"][0]["pid"], json!(null));
}

#[test]
fn without_a_keyring_a_token_is_kept_nowhere() {
    let home = Home::new();
    home.json(&["siyuan", "kernel", "add"]);
    let refused = home.run_with(&["siyuan", "token", "local"], "open-sesame\n");
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("keyring cannot be reached"), "{}", refused.stderr);
    assert!(refused.stderr.contains("Secret Service") || !cfg!(target_os = "linux"), "{}", refused.stderr);
    let kernels = home.json(&["siyuan", "kernel", "list"])["kernels"].clone();
    assert_eq!(kernels[0]["token"], "none");
    assert!(home.files_with("open-sesame").is_empty() && !refused.stderr.contains("open-sesame"));
    let empty = home.run_with(&["siyuan", "token", "local"], "\n");
    assert!(empty.stderr.contains("the token is empty"), "{}", empty.stderr);
}

/// `script` gives the program a terminal that would show what is typed.
#[cfg(target_os = "linux")]
#[test]
fn a_token_that_is_typed_at_a_terminal_is_not_shown() {
    use std::io::{Read, Write};
    use std::process::Stdio;
    let home = Home::new();
    home.json(&["siyuan", "kernel", "add"]);
    let verb = home.command(&["siyuan", "token", "local"]);
    let line = format!("{} siyuan token local", verb.get_program().to_str().unwrap());
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env_clear();
    script.envs(verb.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (mut shown, mut piece) = (String::new(), [0; 256]);
    while !shown.contains("it is not shown") {
        let read = output.read(&mut piece).unwrap();
        assert!(read > 0, "{shown}");
        shown += std::str::from_utf8(&piece[..read]).unwrap();
    }
    input.write_all(b"open-sesame\n").unwrap();
    output.read_to_string(&mut shown).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{shown}");
    assert!(shown.contains("keyring cannot be reached") && !shown.contains("sesame"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_looks_at_the_keyring_and_at_the_kernels_of_this_computer() {
    let home = Home::new();
    let finding = |check: &str| {
        let doctor = home.run(&["doctor", "--json"]).json();
        doctor["findings"].as_array().unwrap().iter().find(|found| found["check"] == check).unwrap().clone()
    };
    assert_eq!(finding("keyring")["state"], "note", "nothing needs it yet");
    assert_eq!(finding("kernels")["state"], "note");
    let kernel = kernel(&home, Setup::default()).await;
    let found = finding("kernels");
    assert_eq!(found["state"], "ok");
    let told = format!("process {} at port {}, 3.7.3", std::process::id(), kernel.port());
    assert!(found["detail"].as_str().unwrap().contains(&told), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_is_called_as_a_runtime_would_call_it() {
    let home = Home::new();
    home.json(&["siyuan", "kernel", "add"]);
    let list = r#"{"action": "notebooks"}"#;
    let off = home.run(&["call", "siyuan_query", list, "--json"]);
    assert_eq!((off.code, &off.json()["structuredContent"]["code"]), (4, &json!("switched_off")));
    home.json(&["siyuan", "enable"]);
    let none = home.run(&["call", "siyuan_query", list, "--json"]).json();
    assert_eq!(none["structuredContent"]["code"], "no_kernel");
    assert_eq!(none["structuredContent"]["kernels"], json!(["local"]));
    let found = home.json(&["call", "siyuan_rpc", r#"{"channel": "contract", "path": "/api/query/"}"#]);
    assert_eq!(found["structuredContent"]["endpoints"][0]["path"], "/api/query/sql");
    let kernel = kernel(&home, Setup::default()).await;
    home.json(&["siyuan", "kernel", "default", "local"]);
    home.json(&["siyuan", "permission", "local", "http POST /api/notebook/lsNotebooks", "allow"]);
    let listed = home.json(&["call", "siyuan_query", list]);
    assert_eq!(listed["structuredContent"]["notebooks"][0]["name"], "笔记 Work");
    assert_eq!(kernel.seen_at("/api/notebook/lsNotebooks").len(), 1);
}
