//! `notegate activity`, and what is left of calls when their instance is killed.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::home::{Home, Process, eventually};

/// Takes a tool's call and never answers it.
const NEVER_ANSWERS: &str = r#"
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const {id, method} of lines.map((line) => JSON.parse(line))) {
    if (method !== 'initialize') continue;
    const result = {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 's', version: '1'}};
    process.stdout.write(JSON.stringify({jsonrpc: '2.0', id, result}) + '\n');
  }
});
process.stdin.on('end', () => process.exit());
"#;

fn stand_in(home: &Home) -> PathBuf {
    let place = home.tmp().join("package");
    let package = place.join("node_modules/@bitbonsai/mcpvault");
    std::fs::create_dir_all(package.join("dist")).unwrap();
    let manifest = json!({"name": "@bitbonsai/mcpvault", "version": "0.16.0"});
    std::fs::write(package.join("package.json"), manifest.to_string()).unwrap();
    std::fs::write(package.join("dist/server.js"), NEVER_ANSWERS).unwrap();
    place
}

fn serve(home: &Home) -> Process {
    let mut command = home.command(&["serve", "--json", "--port", "0"]);
    command.env("NOTEGATE_MCPVAULT", stand_in(home));
    Process::start(command)
}

fn call(home: &Home, tool: &str, arguments: &Value) -> Child {
    let mut command: Command = home.command(&["call", tool, &arguments.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn outcomes(home: &Home, more: &[&str]) -> Vec<String> {
    let listed = home.json(&[&["activity"], more].concat());
    let records = listed["records"].as_array().unwrap();
    records.iter().map(|record| record["outcome"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn calls_that_run_when_the_instance_is_killed_are_uncertain_afterwards() {
    let home = Home::new();
    home.with_runtime();
    home.json(&["obsidian", "engine", "upstream"]);
    let mut serving = serve(&home);
    let mut calls: Vec<Child> = (0..5)
        .map(|number| {
            let note = json!({"path": format!("{number}.md"), "content": "text"});
            call(&home, "obsidian_write_note", &note)
        })
        .collect();
    eventually("five calls run", || outcomes(&home, &["--outcome", "running"]).len() == 5);
    serving.kill();
    for call in &mut calls {
        call.wait().unwrap();
    }
    // No instance runs any more: the home itself is asked.
    assert_eq!(outcomes(&home, &[]), ["uncertain"; 5]);
    assert_eq!(outcomes(&home, &["--text", "3.md"]), ["uncertain"]);
    assert!(outcomes(&home, &["--outcome", "running"]).is_empty());
    // And it stays so: nothing is sent again.
    let _serving = home.serve();
    assert_eq!(outcomes(&home, &[]), ["uncertain"; 5]);
}

#[test]
fn what_happened_is_shown_page_by_page_and_filtered() {
    let home = Home::new();
    let empty = home.run(&["activity"]);
    assert_eq!((empty.code, empty.stdout.as_str()), (0, "Nothing is recorded that fits.\n"));
    home.with_runtime();
    for number in 0..3 {
        home.run(&["call", "obsidian_read_note", &json!({"file": number}).to_string()]);
    }
    home.run(&["call", "obsidian_list_vaults"]);
    let first = home.json(&["activity", "--limit", "2"]);
    assert_eq!(first["records"][0]["tool"], "obsidian_list_vaults");
    assert_eq!(first["records"][0]["outcome"], "succeeded");
    assert_eq!(first["records"][1]["code"], "invalid_arguments");
    let next = first["next"].to_string();
    let second = home.json(&["activity", "--before", &next]);
    assert_eq!((second["records"].as_array().unwrap().len(), &second["next"]), (2, &Value::Null));
    assert_eq!(outcomes(&home, &["--tool", "obsidian_list_vaults"]), ["succeeded"]);
    assert_eq!(outcomes(&home, &["--outcome", "refused", "--runtime", "command-line"]).len(), 3);
    assert_eq!(outcomes(&home, &["--session", "nobody"]).len(), 0);
    let text = home.run(&["activity", "--limit", "1"]).stdout;
    assert!(
        text.starts_with("TIME") && text.contains("obsidian_list_vaults") && text.contains("--before"),
        "{text}"
    );
}

#[test]
fn following_shows_each_call_once_when_it_has_ended() {
    let home = Home::new();
    home.with_runtime();
    home.run(&["call", "obsidian_list_vaults"]);
    assert_eq!(home.run(&["activity", "--follow"]).code, 3, "nothing happens while nothing runs");
    let mut serving = home.serve();
    let mut following =
        Process::open(home.command(&["activity", "--follow", "--json", "--outcome", "succeeded"]));
    let mut refused = 0;
    // It follows from some moment on; calls are made until the first one is shown.
    let shown = loop {
        home.run(&["call", "obsidian_list_vaults"]);
        refused += home.run(&["call", "obsidian_fly"]).code;
        if let Some(line) = following.line_if_any() {
            break line;
        }
    };
    assert!(refused > 0);
    assert_eq!(
        (shown["tool"].as_str(), shown["outcome"].as_str()),
        (Some("obsidian_list_vaults"), Some("succeeded"))
    );
    home.json(&["stop"]);
    serving.wait();
    assert_eq!(following.wait(), Some(0), "it ends with the instance");
    let mut numbers: Vec<u64> = following
        .rest()
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["number"].as_u64().unwrap())
        .collect();
    numbers.insert(0, shown["number"].as_u64().unwrap());
    assert!(numbers.is_sorted_by(|a, b| a < b), "in their order, each once: {numbers:?}");
}

#[test]
fn a_damaged_log_is_named_with_the_way_out() {
    let home = Home::new();
    home.with_runtime();
    let log = home.path().join("activity.sqlite");
    std::fs::write(&log, "no database ".repeat(100)).unwrap();
    let ended = home.run(&["activity", "--json"]);
    assert_eq!((ended.code, ended.json()["error"]["code"].as_str()), (1, Some("activity")));
    let called = home.run(&["call", "obsidian_list_vaults"]);
    assert_eq!(called.code, 4);
    assert!(
        called.stderr.contains("activity.sqlite") && called.stderr.contains("Move it away"),
        "{}",
        called.stderr
    );
    std::fs::remove_file(&log).unwrap();
    assert_eq!(home.run(&["call", "obsidian_list_vaults"]).code, 0);
}
