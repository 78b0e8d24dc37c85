//! MCPVault as one process that answers call after call: what it could do at its best.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};
use notegate::obsidian::{MCPVAULT_VARIABLE, NODE_VARIABLE};
use serde_json::{Map, Value, json};

/// A running MCPVault. Ended when it is dropped.
#[derive(Debug)]
pub struct LongLived {
    process: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    asked: u64,
}

impl LongLived {
    pub fn start(vault: &Path) -> Result<Self> {
        let node = std::env::var_os(NODE_VARIABLE).unwrap_or_else(|| "node".into());
        let vendored = || Path::new(env!("CARGO_MANIFEST_DIR")).join("vendor/mcpvault");
        let package = std::env::var_os(MCPVAULT_VARIABLE).map_or_else(vendored, PathBuf::from);
        let mut process = Command::new(node)
            .arg("--disallow-code-generation-from-strings")
            .arg(package.join("node_modules/@bitbonsai/mcpvault/dist/server.js"))
            .arg(vault)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("Node cannot be started")?;
        let input = process.stdin.take().context("it has no input")?;
        let lines = BufReader::new(process.stdout.take().context("it has no output")?).lines();
        let mut this = Self { process, input, lines, asked: 0 };
        let us = json!({"name": "bench", "version": "1"});
        this.ask(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": us}),
        )?;
        this.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(this)
    }

    /// Calls a tool that must succeed.
    pub fn call(&mut self, tool: &str, arguments: &Map<String, Value>) -> Result<()> {
        let result = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        ensure!(result["isError"] != true, "{tool} failed: {result}");
        Ok(())
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.asked += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}))?;
        loop {
            let line = self.lines.next().context("MCPVault ended; is it installed in vendor/mcpvault?")??;
            let mut message: Value = serde_json::from_str(&line)?;
            if message["id"] == self.asked {
                ensure!(message["error"].is_null(), "{method}: {message}");
                return Ok(message["result"].take());
            }
        }
    }

    fn say(&mut self, message: &Value) -> Result<()> {
        writeln!(self.input, "{message}")?;
        Ok(self.input.flush()?)
    }
}

impl Drop for LongLived {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
