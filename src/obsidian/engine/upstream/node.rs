//! Finding Node, and asking it for its version.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::process::{Launch, Process};
use super::{Part, UpstreamConfig};
use crate::obsidian::environment::Environment;
use crate::obsidian::errors::MissingPart;

/// The oldest major version of Node that MCPVault runs on.
pub const NODE_OLDEST: u32 = 20;

/// The variable that names Node's program.
pub const NODE_VARIABLE: &str = "NOTEGATE_NODE";

/// Node's program, and where it lies in a folder of ours: as in the archives that Node publishes.
const PROGRAM: &str = if cfg!(windows) { "node.exe" } else { "node" };
const BUNDLED: &str = if cfg!(windows) { "node/node.exe" } else { "node/bin/node" };

/// How long Node may take to say its version; a first start from a slow disk takes seconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// Longest answer to `--version` that is looked at, in bytes.
const LONGEST_VERSION: usize = 256;

/// The versions that were asked for, by program and time of its last change.
#[derive(Debug, Default)]
pub(super) struct Versions {
    known: Mutex<HashMap<(PathBuf, Option<SystemTime>), String>>,
}

impl Versions {
    pub async fn find(
        &self,
        config: &UpstreamConfig,
        environment: &Environment,
    ) -> Result<Part, MissingPart> {
        let owned = config.clone();
        let found = tokio::task::spawn_blocking(move || locate(&owned)).await.ok().flatten();
        let (path, changed) = found.ok_or(MissingPart::Node)?;
        let key = (path, changed);
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(version) = known {
            return Ok(Part { path: key.0, version });
        }
        let unusable = |problem: String| MissingPart::NodeUnusable { path: key.0.clone(), problem };
        let version = ask(&key.0, environment).await.map_err(unusable)?;
        match major(&version) {
            Some(major) if major >= NODE_OLDEST => {}
            Some(_) => return Err(unusable(format!("it is version {version}"))),
            None => return Err(unusable(format!("it calls its version {version:?}"))),
        }
        let path = key.0.clone();
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, version.clone());
        Ok(Part { path, version })
    }
}

/// The program that is to be run, and when it was last changed.
fn locate(config: &UpstreamConfig) -> Option<(PathBuf, Option<SystemTime>)> {
    let bundled = || config.bundled.iter().map(|folder| folder.join(BUNDLED)).find(|path| is_program(path));
    let path = bundled()
        // A program that a person named is used or complained about, never passed over.
        .or_else(|| config.node.clone())
        .or_else(|| on_search_path(config.search_path.as_deref()?))?;
    let changed = std::fs::metadata(&path).and_then(|metadata| metadata.modified()).ok();
    Some((path, changed))
}

/// Relative entries of `PATH` are passed over: the vault is the working directory of the process.
fn on_search_path(search_path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search_path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(PROGRAM))
        .find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

async fn ask(node: &Path, environment: &Environment) -> Result<String, String> {
    let launch = Launch::version(node.to_path_buf(), environment);
    let mut process = Process::start(&launch).map_err(|error| error.to_string())?;
    let answer = tokio::time::timeout(PATIENCE, process.read_answer(LONGEST_VERSION)).await;
    let stderr = process.end(true).await;
    match answer {
        Ok(Ok(answer)) if !answer.trim().is_empty() => Ok(answer.trim().trim_start_matches('v').to_owned()),
        Ok(Ok(_)) => Err(format!("it does not say its version. {}", stderr.trim())),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("it did not say its version within {} seconds", PATIENCE.as_secs())),
    }
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}
