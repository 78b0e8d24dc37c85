//! Writes the man pages and the shell completions for packages, from the command line's own description:
//! `cargo run --example manual FOLDER`. It is no part of the program, and so are the crates that it uses.

use std::path::PathBuf;
use std::{env, fs};

use clap_complete::Shell;

fn main() -> anyhow::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| anyhow::anyhow!("usage: manual FOLDER"))?;
    let (pages, completions) = (folder.join("man"), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    clap_mangen::generate_to(notegate::cli::command(), &pages)?;
    for shell in [Shell::Bash, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut notegate::cli::command(), "notegate", &completions)?;
    }
    Ok(())
}
