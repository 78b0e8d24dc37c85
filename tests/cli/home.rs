//! A home for one test, and the program run in it, out of reach of the person's own files.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Longer than anything takes on a busy machine; reached only by a failure.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// Waits until `condition` holds.
#[expect(clippy::disallowed_methods, reason = "the test's own thread, between two looks at the condition")]
pub fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + DEADLINE;
    while !condition() {
        assert!(Instant::now() < end, "not within {DEADLINE:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// An isolated home, and a user's folders beside it.
pub struct Home {
    root: TempDir,
}

/// How a verb ended.
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The one JSON value on standard output.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {:?} / {:?}", self.stdout, self.stderr))
    }
}

impl Home {
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for folder in ["user", "tmp", "vault"] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
        }
        std::fs::write(root.path().join("vault/Note.md"), "# Note\n\nHello.\n").unwrap();
        Self { root }
    }

    pub fn path(&self) -> PathBuf {
        self.root.path().join("home")
    }

    pub fn vault(&self) -> PathBuf {
        self.root.path().join("vault")
    }

    /// The person's own folder.
    pub fn user(&self) -> PathBuf {
        self.root.path().join("user")
    }

    pub fn tmp(&self) -> PathBuf {
        self.root.path().join("tmp")
    }

    /// Where kernels of this home's user register themselves.
    pub fn port_file(&self) -> PathBuf {
        self.root.path().join("user/.config/siyuan/port.json")
    }

    pub fn control_file(&self) -> PathBuf {
        self.path().join("control.json")
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let user = self.root.path().join("user");
        let mut command = Command::new(env!("CARGO_BIN_EXE_notegate"));
        command
            .args(arguments)
            .current_dir(self.root.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("NOTEGATE_HOME", self.path())
            .env("HOME", &user)
            .env("XDG_CONFIG_HOME", user.join("config"))
            .env("XDG_DATA_HOME", user.join("data"))
            .env("TMPDIR", self.tmp());
        for name in ["NOTEGATE_MCPVAULT", "NOTEGATE_NODE", "LD_LIBRARY_PATH"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
    }

    /// Runs a verb to its end.
    pub fn run(&self, arguments: &[&str]) -> Ended {
        Ended::from(self.command(arguments).stdin(Stdio::null()).output().unwrap())
    }

    /// The same with something on standard input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Ended {
        run_to_end(&mut self.command(arguments), input)
    }

    /// Runs a verb that must succeed, and gives back its JSON.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        let ended = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(ended.code, 0, "{arguments:?}: {}{}", ended.stdout, ended.stderr);
        ended.json()
    }

    /// A runtime with Obsidian on the test's vault. Gives back its key.
    pub fn with_runtime(&self) -> String {
        self.json(&["obsidian", "scope", self.vault().to_str().unwrap()]);
        self.json(&["obsidian", "enable"]);
        let added = self.json(&["runtime", "add", "custom", "--assign", "obsidian"]);
        added["key"].as_str().unwrap().to_owned()
    }

    /// Starts the endpoint on a free port and waits until it is ready.
    pub fn serve(&self) -> Process {
        Process::start(self.command(&["serve", "--json", "--port", "0"]))
    }

    /// Every file of the home that contains `text`.
    pub fn files_with(&self, text: &str) -> Vec<PathBuf> {
        files(&self.path())
            .into_iter()
            .filter(|file| {
                let bytes = std::fs::read(file).unwrap();
                bytes.windows(text.len()).any(|window| window == text.as_bytes())
            })
            .collect()
    }
}

/// Runs a program to its end, with something on its standard input.
pub fn run_to_end(command: &mut Command, input: &str) -> Ended {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Ended::from(child.wait_with_output().unwrap())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// A program that goes on running. Ended when it is dropped.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Its first line, which says that it is ready.
    pub ready: Value,
}

impl Process {
    /// Starts one that says in its first line that it is ready.
    pub fn start(command: Command) -> Self {
        let mut process = Self::open(command);
        process.ready = process.line();
        process
    }

    /// Starts one that is spoken with.
    pub fn open(mut command: Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines, ready: Value::Null }
    }

    pub fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").and_then(|()| input.flush()).unwrap();
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line, as JSON.
    #[track_caller]
    pub fn line(&self) -> Value {
        let line = self.lines.recv_timeout(DEADLINE).expect("a line in time");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// The next line, as JSON, if there is one yet.
    pub fn line_if_any(&self) -> Option<Value> {
        self.lines.try_recv().ok().map(|line| serde_json::from_str(&line).unwrap())
    }

    /// The lines that are left, once the program has ended.
    pub fn rest(&self) -> Vec<String> {
        self.lines.iter().collect()
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn text(&self, name: &str) -> &str {
        self.ready[name].as_str().unwrap()
    }

    #[cfg(unix)]
    pub fn signal(&self, signal: nix::sys::signal::Signal) {
        let pid = nix::unistd::Pid::from_raw(i32::try_from(self.child.id()).unwrap());
        nix::sys::signal::kill(pid, signal).unwrap();
    }

    /// Waits for its end, and gives back its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        let mut code = None;
        eventually("the process ends", || match self.child.try_wait().unwrap() {
            Some(status) => {
                code = status.code();
                true
            }
            None => false,
        });
        code
    }

    /// Ends it without giving it a chance to clean up.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
