//! A write of the native engine beside what any safe write costs: write, sync, rename.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use notegate::obsidian::engine::native::{NativeEngine, TrashPlace};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::clock::{Patience, in_turns};

/// Medians of both, measured in turns.
#[derive(Debug)]
pub struct Writing {
    pub native: Duration,
    pub bare: Duration,
}

pub async fn measure() -> Result<Writing> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let engine = NativeEngine::new(TrashPlace::default());
    let text = |number: usize| format!("{}\n", number % 10).repeat(2000);
    let bare = async |number| {
        let text = text(number);
        let begun = Instant::now();
        write(folder.path(), &text)?;
        Ok(begun.elapsed())
    };
    let native = async |number| {
        let arguments = json!({"path": "native.md", "content": text(number)});
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let begun = Instant::now();
        call(&engine, folder.path(), &arguments)?;
        Ok(begun.elapsed())
    };
    let (native, bare) = in_turns(Patience::MUCH, native, bare).await?;
    Ok(Writing { native, bare })
}

fn write(folder: &Path, text: &str) -> Result<()> {
    let (temporary, note) = (folder.join("bare.tmp"), folder.join("bare.md"));
    let mut file = File::create(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(fs::rename(temporary, note)?)
}

fn call(engine: &NativeEngine, vault: &Path, arguments: &Map<String, Value>) -> Result<()> {
    let output = engine.call(vault, &[], "write_note", arguments, &CancellationToken::new())?;
    ensure!(!output.is_error, "write_note failed: {:?}", output.content);
    Ok(())
}
