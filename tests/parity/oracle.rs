//! The real MCPVault: one process that answers call after call.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notegate::obsidian::Output;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Oracle {
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    asked: u64,
}

impl Oracle {
    /// Starts MCPVault on `vault`; its user's folder for data is `data`. `guarded`: as the product starts
    /// it, so that it runs no program that stands in a note.
    pub fn start(vault: &Path, data: &Path, guarded: bool) -> Self {
        let node = std::env::var_os("NOTEGATE_NODE").unwrap_or_else(|| "node".into());
        let mut process = Command::new(&node)
            .args(guarded.then_some("--disallow-code-generation-from-strings"))
            .arg(package().join("node_modules/@bitbonsai/mcpvault/dist/server.js"))
            .arg(vault)
            .env("XDG_DATA_HOME", data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{node:?} could not be started: {error}"));
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut oracle = Self { process, input, lines, asked: 0 };
        oracle.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "parity", "version": "1"}}),
        );
        oracle.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        oracle
    }

    pub fn call(&mut self, tool: &str, arguments: &Value) -> Output {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        output(&result)
    }

    /// Sends all calls before the first answer is waited for.
    pub fn call_together(&mut self, tool: &str, arguments: &[Value]) -> Vec<Output> {
        let calls = arguments.iter().map(|arguments| json!({"name": tool, "arguments": arguments}));
        let asked: Vec<u64> = calls.map(|call| self.send("tools/call", &call)).collect();
        let mut answers: Vec<(u64, Output)> = Vec::new();
        while answers.len() < asked.len() {
            let (id, result) = self.next_answer();
            answers.push((id, output(&result)));
        }
        answers.sort_by_key(|(id, _)| *id);
        answers.into_iter().map(|(_, output)| output).collect()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let asked = self.send(method, &params);
        let (id, result) = self.next_answer();
        assert_eq!(id, asked, "one call at a time");
        result
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.asked += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}));
        self.asked
    }

    fn next_answer(&mut self) -> (u64, Value) {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("no answer of MCPVault");
            let message: Value = serde_json::from_str(&line).unwrap();
            if let Some(id) = message["id"].as_u64() {
                assert!(message.get("error").is_none(), "{message}");
                return (id, message["result"].clone());
            }
        }
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
        self.input.flush().unwrap();
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn output(result: &Value) -> Output {
    Output {
        content: result["content"].as_array().cloned().unwrap_or_default(),
        structured: result.get("structuredContent").cloned(),
        is_error: result["isError"] == true,
        meta: None,
    }
}

/// The folder that holds MCPVault's `node_modules`.
fn package() -> PathBuf {
    let vendored = || Path::new(env!("CARGO_MANIFEST_DIR")).join("vendor/mcpvault");
    let folder = std::env::var_os("NOTEGATE_MCPVAULT").map_or_else(vendored, PathBuf::from);
    let installed = folder.join("node_modules/@bitbonsai/mcpvault");
    assert!(
        installed.is_dir(),
        "MCPVault is needed to compare with, and is not in {folder:?}. Run `npm ci --omit=dev --ignore-scripts` in vendor/mcpvault"
    );
    folder
}
