//! The program as it is served: a read through the gateway, and the memory of a search.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::cases::CASES;
use super::clock::{Patience, median};
use super::vault::WORDS;

/// What was measured from outside.
#[derive(Debug)]
pub struct Served {
    /// `read_note` through the gateway.
    pub native: Duration,
    pub process: Duration,
    /// How much more memory the program took at the most while it searched than before, in bytes.
    pub search_memory: u64,
}

pub async fn measure(vault: &Path) -> Result<Served> {
    CASES[0].prepare(vault)?;
    let program = Program::start(vault)?;
    let before = memory(program.pid())?;
    let search = json!({"query": WORDS.join(" "), "limit": 20});
    let mut at_most = 0;
    for _ in 0..5 {
        let searching = program.call("search_notes", &search);
        tokio::pin!(searching);
        loop {
            tokio::select! {
                done = &mut searching => break done?,
                () = tokio::time::sleep(Duration::from_millis(1)) => at_most = at_most.max(memory(program.pid())?),
            }
        }
    }
    let read = CASES[0].arguments(0).into();
    let reading = async |_| {
        let begun = Instant::now();
        program.call("read_note", &read).await?;
        Ok(begun.elapsed())
    };
    let native = median(Patience::MUCH, reading).await?;
    program.run(&["obsidian", "engine", "upstream"])?;
    let process = median(Patience::LITTLE, reading).await?;
    Ok(Served { native, process, search_memory: at_most.saturating_sub(before) })
}

/// What a process holds that is not in any file, in bytes.
fn memory(pid: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")).context("no RssAnon in /proc")?;
    Ok(kilobytes.parse::<u64>()? * 1024)
}

/// A running `notegate serve` with a runtime that has the vault.
struct Program {
    home: TempDir,
    process: Child,
    tools: String,
    key: String,
    http: reqwest::Client,
}

impl Program {
    fn start(vault: &Path) -> Result<Self> {
        let home = tempfile::tempdir()?;
        let verb = |arguments: &[&str]| run(home.path(), arguments);
        verb(&["obsidian", "scope", vault.to_str().context("the path is no text")?])?;
        verb(&["obsidian", "enable"])?;
        let added = verb(&["runtime", "add", "custom", "--assign", "obsidian"])?;
        let mut process =
            command(home.path(), &["serve", "--json", "--port", "0"]).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("it has no output")?).read_line(&mut line)?;
        let ready: Value = serde_json::from_str(&line)?;
        let text = |value: &Value| value.as_str().map(str::to_owned).context("it says something else");
        let (tools, key) = (text(&ready["tools"])?, text(&added["key"])?);
        let _ = rustls::crypto::ring::default_provider().install_default(); // reqwest wants one
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self { home, process, tools, key, http })
    }

    fn pid(&self) -> u32 {
        self.process.id()
    }

    fn run(&self, arguments: &[&str]) -> Result<Value> {
        run(self.home.path(), arguments)
    }

    async fn call(&self, tool: &str, arguments: &Value) -> Result<()> {
        let url = format!("{}/obsidian_{tool}", self.tools);
        let answer = self.http.post(url).bearer_auth(&self.key).json(arguments).send().await?;
        let answer: Value = answer.json().await?;
        ensure!(answer["isError"] == false, "{tool} failed: {answer}");
        Ok(())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Nothing depends on its end: its home goes with it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_notegate"));
    command.args(arguments).env("NOTEGATE_HOME", home.join("home")).stdin(Stdio::null());
    command
}

fn run(home: &Path, arguments: &[&str]) -> Result<Value> {
    let output = command(home, &[arguments, &["--json"]].concat()).output()?;
    ensure!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    Ok(serde_json::from_slice(&output.stdout)?)
}
