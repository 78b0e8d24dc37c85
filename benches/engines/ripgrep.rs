//! Plain ripgrep on the same vault, the floor for any search: it names the files that hold one of the
//! words, while a search also counts them, cuts excerpts and ranks.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::clock::{Patience, median};
use super::vault::WORDS;

pub async fn measure(vault: &Path) -> Result<Duration> {
    median(Patience::MUCH, async |_| {
        let mut command = Command::new("rg");
        command.args(["--files-with-matches", "--ignore-case", "--fixed-strings", "--glob", "*.md"]);
        for word in WORDS {
            command.args(["-e", word]);
        }
        let begun = Instant::now();
        let status = command.arg(vault).stdin(Stdio::null()).stdout(Stdio::null()).status();
        let time = begun.elapsed();
        ensure!(status.context("ripgrep (`rg`) cannot be started")?.success(), "ripgrep found nothing");
        Ok(time)
    })
    .await
}
