//! `get_vault_stats`: how much there is, and what changed last. No note is read for it.

use std::cmp::Reverse;
use std::io;

use serde_json::json;

use super::call::Call;
use super::error::NoteError;
use super::info::milliseconds;
use super::walk::{Found, Visitor, order, report, walk};
use super::{answer, filter};
use crate::obsidian::Output;

/// How many notes are named when the call does not say, and at most.
const RECENT: f64 = 5.0;
const MOST_RECENT: f64 = 20.0;

/// Counts notes, folders and bytes, and names the notes that changed last.
pub fn get_vault_stats(call: &Call<'_>) -> Result<Output, NoteError> {
    let given = call.arguments.number("recentCount")?.filter(|count| *count != 0.0);
    // between 0 and 20, rounded down
    let count = given.unwrap_or(RECENT).clamp(0.0, MOST_RECENT) as usize;
    let pretty = call.arguments.pretty()?;
    let walked = walk(call.root, call.cancel, || Stats { count, ..Stats::default() })?;
    let mut all = Stats { count, ..Stats::default() };
    for stats in walked.visitors {
        all.notes += stats.notes;
        all.folders += stats.folders;
        all.size += stats.size;
        all.recent.extend(stats.recent);
    }
    all.keep_recent();
    let recent: Vec<_> =
        all.recent.iter().map(|(modified, path)| json!({"path": path, "modified": modified})).collect();
    let fields = json!({"notes": all.notes, "folders": all.folders, "size": all.size, "recent": recent});
    Ok(report(answer::value(&fields, pretty), &walked.unreadable))
}

/// What one thread has counted.
#[derive(Debug, Default)]
struct Stats {
    count: usize,
    notes: u64,
    folders: u64,
    size: u64,
    /// When each was changed, in milliseconds; more than are wanted, until they are sorted.
    recent: Vec<(i64, String)>,
    /// What changed before this is not among the wanted.
    since: Option<i64>,
}

impl Stats {
    /// Keeps those that changed last; of equal ones, those that a walk meets first.
    fn keep_recent(&mut self) {
        self.recent
            .sort_by(|(a, one), (b, other)| Reverse(a).cmp(&Reverse(b)).then_with(|| order(one, other)));
        self.recent.truncate(self.count);
        self.since =
            self.recent.last().map(|(modified, _)| *modified).filter(|_| self.recent.len() == self.count);
    }
}

impl Visitor for Stats {
    fn enter(&mut self, _: &str) -> bool {
        self.folders += 1;
        true
    }

    fn wants(&mut self, path: &str) -> bool {
        filter::is_note(path.rsplit('/').next().unwrap_or(path))
    }

    fn visit(&mut self, file: &Found<'_>) -> io::Result<()> {
        const MOST_KEPT: usize = 256;
        let metadata = file.dir.symlink_metadata(file.name)?;
        self.notes += 1;
        self.size += metadata.len();
        let modified = milliseconds(metadata.modified()?.into_std());
        if self.since.is_none_or(|since| modified >= since) {
            self.recent.push((modified, file.path.to_owned()));
        }
        if self.recent.len() >= MOST_KEPT {
            self.keep_recent();
        }
        Ok(())
    }
}
