//! One child process, from its start to its certain end.
//!
//! It runs in a process group (a job on Windows) of its own, so that what it started itself ends with
//! it. [`Process::end`] is the ordinary way out; dropping a `Process` on any other way (a panic, a
//! future that is dropped) kills the group at once and leaves the reaping to the runtime.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

use super::connection::Broken;
use crate::obsidian::environment::Environment;
use crate::obsidian::errors::ObsidianError;

/// How long a process that was closed politely may take to leave by itself. MCPVault takes 30 ms.
const GRACE: Duration = Duration::from_millis(1500);

/// How long a killed process may take to be gone. Longer only when the system holds it fast.
const REAPING: Duration = Duration::from_secs(5);

/// How much of what a process says on its error output is kept, in bytes: the beginning.
const KEPT: usize = 4096;

/// What is to be started.
#[derive(Debug)]
pub(super) struct Launch {
    program: PathBuf,
    arguments: Vec<OsString>,
    folder: Option<PathBuf>,
    environment: Vec<(OsString, OsString)>,
}

impl Launch {
    /// MCPVault on a vault. The flag keeps the YAML library underneath from running a note's `---js`
    /// frontmatter as a program (U-01).
    pub fn server(node: PathBuf, server: PathBuf, vault: &Path, environment: &Environment) -> Self {
        let arguments = vec![
            "--disallow-code-generation-from-strings".into(),
            server.into_os_string(),
            as_argument(vault),
        ];
        Self::new(node, arguments, Some(vault.to_path_buf()), environment)
    }

    /// Asks Node for its version.
    pub fn version(node: PathBuf, environment: &Environment) -> Self {
        Self::new(node, vec!["--version".into()], None, environment)
    }

    fn new(
        program: PathBuf,
        arguments: Vec<OsString>,
        folder: Option<PathBuf>,
        environment: &Environment,
    ) -> Self {
        let environment =
            environment.for_child().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { program, arguments, folder, environment }
    }
}

/// MCPVault trims its argument; a separator at the end protects a name that ends in a blank (V-04).
fn as_argument(vault: &Path) -> OsString {
    let mut argument = vault.as_os_str().to_owned();
    if vault.to_string_lossy().ends_with(char::is_whitespace) {
        argument.push("/");
    }
    argument
}

/// The two ends of a conversation.
pub(super) struct Pipes {
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
}

/// A running child process.
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    stderr: JoinHandle<()>,
    said: Arc<Mutex<Vec<u8>>>,
    ended: bool,
}

impl Process {
    pub fn start(launch: &Launch) -> Result<Self, ObsidianError> {
        let failed = |error: io::Error| ObsidianError::EngineFailed {
            problem: format!("{:?} cannot be started ({error})", launch.program),
            stderr: String::new(),
        };
        let mut command = CommandWrap::with_new(&launch.program, |command| {
            command
                .args(&launch.arguments)
                .env_clear()
                .envs(launch.environment.iter().map(|(name, value)| (name, value)));
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            if let Some(folder) = &launch.folder {
                command.current_dir(folder);
            }
        });
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        command.wrap(KillOnDrop);
        let mut child = command.spawn().map_err(failed)?;
        let said = Arc::new(Mutex::new(Vec::new()));
        let stderr = tokio::spawn(listen(child.stderr().take(), Arc::clone(&said)));
        Ok(Self { child, stderr, said, ended: false })
    }

    /// Input and output, for a conversation. They can be taken once.
    pub fn take_pipes(&mut self) -> Result<Pipes, Broken> {
        match (self.child.stdin().take(), self.child.stdout().take()) {
            (Some(stdin), Some(stdout)) => Ok(Pipes { stdin, stdout }),
            _ => Err(Broken::NoPipes),
        }
    }

    /// Closes the input and reads the output to its end, at most so many bytes of it.
    pub async fn read_answer(&mut self, most: usize) -> io::Result<String> {
        if let Some(mut stdin) = self.child.stdin().take() {
            // It may have left already; then its answer is there all the same.
            let _ = stdin.shutdown().await;
        }
        let mut answer = Vec::new();
        if let Some(stdout) = self.child.stdout().as_mut() {
            stdout.take(most as u64).read_to_end(&mut answer).await?;
        }
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    /// Ends the process and all that it started, and returns what it said on its error output.
    ///
    /// A polite end gives it time to leave by itself, now that its input is closed. The group is
    /// killed in any case, and before the process is reaped: until then nothing else can bear its
    /// number.
    pub async fn end(mut self, polite: bool) -> String {
        if polite {
            drop(self.child.stdin().take());
            // The end of its error output is the end of the process.
            let _ = tokio::time::timeout(GRACE, &mut self.stderr).await;
        }
        self.kill();
        if tokio::time::timeout(REAPING, self.child.wait()).await.is_err() {
            tracing::warn!(pid = self.child.id(), "a killed process does not end; the system holds it");
        }
        self.ended = true;
        if !self.stderr.is_finished() {
            // What it had said is read by now, unless something that left the group holds the pipe.
            let _ = tokio::time::timeout(GRACE, &mut self.stderr).await;
        }
        self.stderr.abort();
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&said).into_owned()
    }

    /// Kills the process and its group at once. [`Self::end`] must follow, to see it gone.
    pub fn kill(&mut self) {
        // It fails when nothing is left to kill.
        let _ = self.child.start_kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            self.kill();
            self.stderr.abort();
        }
    }
}

/// Reads an error output to its end, so that the process never waits for room in the pipe, and keeps
/// its beginning.
async fn listen(stderr: Option<ChildStderr>, said: Arc<Mutex<Vec<u8>>>) {
    let Some(mut stderr) = stderr else { return };
    let mut buffer = [0; 1024];
    while let Ok(count) = stderr.read(&mut buffer).await {
        if count == 0 {
            return;
        }
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        let room = KEPT.saturating_sub(said.len());
        said.extend_from_slice(&buffer[..count.min(room)]);
    }
}

#[cfg(all(test, target_os = "linux"))]
#[path = "process_tests.rs"]
mod tests;
