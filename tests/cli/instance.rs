//! Instances: their start, their end, and who may run beside whom.

use std::net::TcpListener;
use std::path::Path;

use serde_json::{Value, json};

use crate::home::{Home, Process, eventually};

#[test]
fn serve_says_in_one_line_where_it_is_and_stop_ends_it() {
    let home = Home::new();
    let mut serving = home.serve();
    let fields: Vec<&String> = serving.ready.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["mcp", "tools", "home"]);
    assert!(serving.text("mcp").starts_with("http://127.0.0.1:") && serving.text("mcp").ends_with("/mcp"));
    assert_eq!(serving.text("home"), home.path().to_str().unwrap());

    let status = home.json(&["status"]);
    assert_eq!(status["gateway"]["url"], serving.ready["mcp"]);
    assert_eq!(home.json(&["stop"])["pid"], serving.pid());
    assert_eq!(serving.wait(), Some(0));
    assert_eq!(serving.rest(), [] as [&str; 0], "one line and no more");
    assert_eq!(home.run(&["status"]).code, 3);
}

#[test]
fn one_instance_a_home() {
    let home = Home::new();
    let serving = home.serve();
    let second = home.run(&["serve", "--json", "--port", "0"]);
    assert_eq!(second.code, 1);
    assert_eq!(second.json()["error"]["code"], "already_running");
    // The window's second start leaves the first one alone as well, and claims no window where none is.
    let window = home.run(&["--json"]);
    assert_eq!(window.code, 1);
    assert_eq!(window.json()["error"]["code"], "no_window");
    assert_eq!(home.json(&["status"])["gateway"]["url"], serving.ready["mcp"]);
    assert_eq!(home.run(&["status"]).code, 0);
}

#[test]
fn a_taken_port_is_a_clear_error_and_never_another_port() {
    let home = Home::new();
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ended = home.run(&["serve", "--port", &port, "--json"]);
    assert_eq!(ended.code, 1);
    let error = &ended.json()["error"];
    assert_eq!(ended.stdout.lines().count(), 1);
    assert_eq!(error["code"], "port_taken");
    assert!(error["message"].as_str().unwrap().contains(&port), "{error}");
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.contains("serve --port") && hint.contains("notegate port"), "{hint}");
    assert!(!hint.contains("settings.json"), "there is none: {hint}");
    assert!(!home.control_file().exists());

    home.json(&["port", &port]);
    let ended = home.run(&["serve", "--json"]);
    let error = &ended.json()["error"];
    assert_eq!(error["code"], "port_taken");
    let file = home.path().join("settings.json");
    assert!(error["hint"].as_str().unwrap().contains(file.to_str().unwrap()), "{error}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_cleanly() {
    use nix::sys::signal::Signal;
    for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
        let home = Home::new();
        let mut serving = home.serve();
        assert!(home.control_file().exists());
        // Twice at once, as `timeout` and some shells send it: that is one wish, not impatience.
        serving.signal(signal);
        serving.signal(signal);
        assert_eq!(serving.wait(), Some(0), "{signal}");
        assert!(!home.control_file().exists(), "{signal}");
    }
}

#[test]
fn what_a_dead_instance_left_is_recognised() {
    let home = Home::new();
    let mut serving = home.serve();
    serving.kill();
    assert!(home.control_file().exists());
    assert_eq!(home.run(&["status"]).code, 3);
    home.json(&["runtime", "add", "custom"]);
    assert!(!home.control_file().exists(), "whoever owns the home next clears it away");
    let again = home.serve();
    assert_eq!(home.json(&["status"])["gateway"]["url"], again.ready["mcp"]);
}

/// A dead instance's port may be another home's by now, which knows nothing of the first one's token.
#[test]
fn a_port_that_another_home_took_is_no_instance_of_this_one() {
    let (home, other) = (Home::new(), Home::new());
    let key = home.with_runtime();
    let mut dead = home.serve();
    dead.kill();
    let _other = other.serve();
    let mut stale: Value = serde_json::from_slice(&std::fs::read(home.control_file()).unwrap()).unwrap();
    let taken: Value = serde_json::from_slice(&std::fs::read(other.control_file()).unwrap()).unwrap();
    stale["address"] = taken["address"].clone();
    std::fs::write(home.control_file(), stale.to_string()).unwrap(); // which keeps its mode
    assert_eq!(home.run(&["status"]).code, 3);
    let mut bridge = home.command(&["stdio"]);
    bridge.env("NOTEGATE_KEY", key);
    let mut bridge = Process::open(bridge);
    bridge.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}));
    assert!(bridge.line().to_string().contains("not running"), "the key goes nowhere");
    home.json(&["runtime", "add", "custom"]);
    let again = home.serve();
    assert_eq!(home.json(&["status"])["gateway"]["url"], again.ready["mcp"]);
}

#[cfg(unix)]
#[test]
fn serve_goes_on_when_nobody_reads_that_it_is_ready() {
    let home = Home::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut serving = home.command(&["serve", "--port", "0"]).stdout(writer).spawn().unwrap();
    eventually("it can be reached", || home.run(&["status"]).code == 0);
    home.json(&["stop"]);
    assert_eq!(serving.wait().unwrap().code(), Some(0));
}

#[test]
fn an_instance_logs_its_life_into_its_home() {
    let home = Home::new();
    let mut serving = home.serve();
    home.json(&["stop"]);
    assert_eq!(serving.wait(), Some(0));
    let log = std::fs::read_to_string(home.path().join("log/notegate.log")).unwrap();
    assert!(log.contains(serving.text("mcp")) && log.contains("ended"), "{log}");
}

#[test]
fn the_log_tells_what_a_person_changed_and_that_keys_were_refused() {
    let home = Home::new();
    let key = home.with_runtime();
    let mut serving = home.serve();
    home.json(&["obsidian", "scope", "~/Elsewhere"]);
    home.json(&["obsidian", "disable"]);
    let added = home.json(&["runtime", "add", "opencode"]);
    home.json(&["runtime", "rotate", "opencode"]);
    home.json(&["runtime", "remove", "opencode"]);
    let mut bridge = home.command(&["stdio"]);
    bridge.env("NOTEGATE_KEY", "ng_wrong");
    let mut bridge = Process::open(bridge);
    bridge.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}));
    assert!(bridge.line()["error"].is_object());
    home.json(&["stop"]);
    assert_eq!(serving.wait(), Some(0));
    let log = std::fs::read_to_string(home.path().join("log/notegate.log")).unwrap();
    for part in [
        "scope saved",
        "Elsewhere",
        "capability switched capability=obsidian enabled=false",
        "runtime added runtime=opencode",
        "runtime has a new key runtime=opencode",
        "runtime removed runtime=opencode",
        "a request was refused for its key",
    ] {
        assert!(log.contains(part), "{part} in {log}");
    }
    for secret in [key.as_str(), added["key"].as_str().unwrap(), "ng_wrong"] {
        assert!(!log.contains(secret), "{log}");
    }
}

#[cfg(unix)]
#[test]
fn no_secret_of_an_instance_is_readable_by_others_or_logged() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let key = home.with_runtime();
    let serving = home.serve();
    let control: Value = serde_json::from_slice(&std::fs::read(home.control_file()).unwrap()).unwrap();
    let token = control["token"].as_str().unwrap().to_owned();
    let grant = home.json(&["grant", "custom"]);
    home.json(&["call", "obsidian_list_vaults"]);
    assert_eq!(home.files_with(&token), [home.control_file()]);
    assert_eq!(home.files_with(&key), [] as [&Path; 0]);
    assert_eq!(home.files_with(grant["token"].as_str().unwrap()), [] as [&Path; 0]);
    assert_eq!(std::fs::metadata(home.control_file()).unwrap().permissions().mode() & 0o777, 0o600);
    drop(serving);
}

#[test]
fn verbs_that_need_the_same_home_wait_for_each_other() {
    let home = Home::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| home.json(&["runtime", "add", "custom"]));
        }
    });
    let listed = home.json(&["runtime", "list"]);
    assert_eq!(listed["runtimes"].as_array().unwrap().len(), 4);
}

#[test]
fn a_grant_lives_in_the_running_instance_and_can_be_ended() {
    let home = Home::new();
    home.with_runtime();
    assert_eq!(home.run(&["grant", "custom"]).code, 3);
    let _serving = home.serve();
    let grant = home.json(&["grant", "custom", "--ttl", "10m"]);
    assert!(grant["token"].as_str().unwrap().starts_with("ngt_"));
    let number = grant["grant"].to_string();
    home.json(&["grant", "end", &number]);
    let again = home.run(&["grant", "end", &number, "--json"]);
    assert_eq!(again.json()["error"]["code"], "unknown_grant");
}

#[test]
fn stop_waits_until_the_home_is_free() {
    let home = Home::new();
    let mut first = home.serve();
    home.json(&["stop"]);
    let second = home.serve();
    assert_ne!(first.pid(), second.pid());
    eventually("the first one is gone", || first.wait() == Some(0));
}
