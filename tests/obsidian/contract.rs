//! Our 18 tools against those that the real package lists, asked without any code of ours.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use notegate::obsidian::tools;
use serde_json::{Map, Value, json};

use crate::world::mcpvault;

fn real_tools() -> Vec<Value> {
    let vault = tempfile::tempdir().unwrap();
    let mut child = Command::new("node")
        .arg(mcpvault().join("node_modules/@bitbonsai/mcpvault/dist/server.js"))
        .arg(vault.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |message: Value| writeln!(stdin, "{message}").unwrap();
    ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}));
    lines.next().unwrap().unwrap();
    ask(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}));
    let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    drop(stdin);
    child.wait().unwrap();
    assert_eq!(answer["result"].get("nextCursor"), None);
    answer["result"]["tools"].as_array().unwrap().clone()
}

/// All that constrains a value; wording is each side's own.
fn without_wording(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| *name != "description")
            .map(|(name, value)| (name.clone(), without_wording(value)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(entries) => entries.iter().map(without_wording).collect(),
        other => other.clone(),
    }
}

fn names(list: &Value) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[test]
fn us11_every_tool_field_default_and_constraint_is_the_real_ones() {
    let real = real_tools();
    let ours: Vec<_> = tools().iter().filter(|tool| tool.upstream.is_some()).collect();
    let real_names: Vec<_> = real.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(ours.iter().map(|tool| tool.upstream.unwrap()).collect::<Vec<_>>(), real_names);
    assert_eq!(real.len(), 18);
    for (tool, real) in ours.iter().zip(&real) {
        let real = &real["inputSchema"];
        let keywords: BTreeSet<_> = real.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(
            keywords.is_subset(&BTreeSet::from(["type", "properties", "required"])),
            "{}: {keywords:?}",
            tool.name
        );
        let empty = Map::new();
        let theirs = real["properties"].as_object().unwrap_or(&empty);
        let mut fields = tool.input_schema["properties"].as_object().unwrap().clone();
        let vault_id = fields.shift_remove("vaultId").unwrap();
        assert_eq!(without_wording(&vault_id), json!({"type": "string"}), "{}", tool.name);
        assert_eq!(
            fields.keys().collect::<BTreeSet<_>>(),
            theirs.keys().collect::<BTreeSet<_>>(),
            "{}",
            tool.name
        );
        for (name, field) in theirs {
            let ours = &fields[name];
            assert_eq!(without_wording(ours), without_wording(field), "{} of {}", name, tool.name);
            assert!(!ours["description"].as_str().unwrap().is_empty(), "{} of {}", name, tool.name);
            assert_ne!(ours["description"], field["description"], "{} of {}", name, tool.name);
        }
        let ours = tool.input_schema.get("required").cloned().unwrap_or_default();
        assert_eq!(names(&ours), names(&real["required"]), "{}", tool.name);
        assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
    }
}

/// MCPVault's own word on which tools change notes: those that its read-only mode leaves out.
#[test]
fn the_writing_tools_are_those_of_the_real_one() {
    let source =
        std::fs::read_to_string(mcpvault().join("node_modules/@bitbonsai/mcpvault/dist/src/createServer.js"))
            .unwrap();
    let (_, after) = source.split_once("MUTATING_TOOLS = new Set([").unwrap();
    let (list, _) = after.split_once(']').unwrap();
    let theirs: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    let ours: BTreeSet<&str> =
        tools().iter().filter(|tool| tool.writes).filter_map(|tool| tool.upstream).collect();
    assert_eq!(ours, theirs);
}
