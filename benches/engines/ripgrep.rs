//! Plain ripgrep, the floor for any search: it names the files that hold one of the words, while a search
//! also counts them, cuts excerpts and ranks.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::vault::WORDS;

/// Names the files of the vault that hold one of the words.
pub fn search(vault: &Path) -> Result<Duration> {
    let mut command = Command::new("rg");
    command.args(["--files-with-matches", "--ignore-case", "--fixed-strings", "--glob", "*.md"]);
    for word in WORDS {
        command.args(["-e", word]);
    }
    command.arg(vault).stdin(Stdio::null()).stdout(Stdio::null());
    let begun = Instant::now();
    let status = command.status().context("ripgrep (`rg`) cannot be started")?;
    let time = begun.elapsed();
    ensure!(status.success(), "ripgrep found nothing");
    Ok(time)
}
