//! What was measured, as Markdown, and what the targets say to it.

#![allow(clippy::disallowed_macros, reason = "the table is what a bench prints")]

use std::time::Duration;

use super::served::Served;
use super::writing::Writing;

/// One tool, three ways.
#[derive(Debug)]
pub struct Timing {
    pub tool: &'static str,
    pub native: Duration,
    pub process: Duration,
    pub long_lived: Duration,
}

/// All tools on one vault.
#[derive(Debug, Default)]
pub struct Timings {
    pub tools: Vec<Timing>,
    /// A native search and ripgrep, in turns.
    pub search: (Duration, Duration),
}

impl Timings {
    fn of(&self, tool: &str) -> Option<&Timing> {
        self.tools.iter().find(|timing| timing.tool == tool)
    }

    #[expect(clippy::disallowed_macros, reason = "it is what this program is for")]
    pub fn print(&self, notes: usize) {
        println!("\n## {notes} notes\n");
        println!("| tool | native | MCPVault, a process a call | | MCPVault, one process | |");
        println!("| --- | ---: | ---: | ---: | ---: | ---: |");
        for Timing { tool, native, process, long_lived } in &self.tools {
            let (process_ratio, ratio) = (times(*process, *native), times(*long_lived, *native));
            println!(
                "| `{tool}` | {} | {} | {process_ratio:.0}× | {} | {ratio:.1}× |",
                shown(*native),
                shown(*process),
                shown(*long_lived)
            );
        }
        let (search, ripgrep) = (shown(self.search.0), shown(self.search.1));
        println!("\nIn turns: `search_notes` {search}, ripgrep with the same words {ripgrep}");
    }
}

/// The sizes of vaults that the targets speak of.
const FOR_SPEED: usize = 10_000;
const FOR_MEMORY: usize = 50_000;

/// What is aimed at, line by line.
#[derive(Debug, Default)]
pub struct Targets {
    lines: Vec<String>,
}

impl Targets {
    fn add(&mut self, what: &str, aim: &str, found: String, is_met: bool) {
        let met = if is_met { "met" } else { "**missed**" };
        self.lines.push(format!("| {what} | {aim} | {found} | {met} |"));
    }

    pub fn tools(&mut self, notes: usize, timings: &Timings) {
        if notes != FOR_SPEED {
            return;
        }
        for tool in ["search_notes", "list_all_tags", "get_vault_stats"] {
            let Some(timing) = timings.of(tool) else { continue };
            let ratio = times(timing.long_lived, timing.native);
            let what = format!("`{tool}`, {notes} notes, against MCPVault as one process");
            self.add(&what, "at least 10 times faster", format!("{ratio:.1} times"), ratio >= 10.0);
        }
        let ratio = times(timings.search.0, timings.search.1);
        let what = format!("`search_notes`, {notes} notes, against ripgrep");
        self.add(&what, "at most 2 times its time", format!("{ratio:.2} times"), ratio <= 2.0);
    }

    pub fn served(&mut self, notes: usize, served: &Served) {
        if notes == FOR_SPEED {
            let ratio = times(served.process, served.native);
            let found = format!("{ratio:.0} times ({} and {})", shown(served.native), shown(served.process));
            self.add(
                "`read_note` through the gateway, against MCPVault as a process a call",
                "at least 300 times faster",
                found,
                ratio >= 300.0,
            );
        }
        if notes == FOR_MEMORY {
            let megabytes = served.search_memory as f64 / 1e6;
            let what = format!("memory while {notes} notes are searched");
            self.add(&what, "at most 60 MB over idle", format!("{megabytes:.1} MB"), megabytes <= 60.0);
        }
    }

    pub fn writing(&mut self, writing: &Writing) {
        let ratio = times(writing.native, writing.bare);
        let found = format!("{ratio:.2} times ({} and {})", shown(writing.native), shown(writing.bare));
        self.add("a write", "at most 1.5 times write, sync and rename", found, ratio <= 1.5);
    }

    #[expect(clippy::disallowed_macros, reason = "it is what this program is for")]
    pub fn print(&self) {
        println!("\n## Targets\n\n| what | target | found | |\n| --- | --- | --- | --- |");
        for line in &self.lines {
            println!("{line}");
        }
    }
}

fn times(long: Duration, short: Duration) -> f64 {
    long.as_secs_f64() / short.as_secs_f64().max(1e-9)
}

fn shown(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    match milliseconds {
        100.0.. => format!("{milliseconds:.0} ms"),
        10.0.. => format!("{milliseconds:.1} ms"),
        _ => format!("{milliseconds:.2} ms"),
    }
}
