//! Calls on one file take turns (U-02): a change waits for every other call on that file, readings
//! go together. Files are known by their resolved identity, so vaults that overlap, links and
//! engines make no difference.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};
use unicode_normalization::UnicodeNormalization;

type Turn = RwLock<()>;

/// The files that calls are about at this moment.
#[derive(Debug, Default)]
pub(super) struct Locks {
    turns: Mutex<HashMap<String, Weak<Turn>>>,
}

/// Held while a call is on its files.
#[derive(Debug, Default)]
pub(super) struct Held {
    _writing: Vec<OwnedRwLockWriteGuard<()>>,
    _reading: Vec<OwnedRwLockReadGuard<()>>,
}

impl Locks {
    /// Waits for the turn on all of `files`. Dropping the future gives up the place in the queue.
    pub async fn hold(&self, files: &BTreeSet<PathBuf>, writes: bool) -> Held {
        let mut held = Held::default();
        // One order for all, so that two calls never wait for each other.
        for turn in self.turns(files) {
            if writes {
                held._writing.push(turn.write_owned().await);
            } else {
                held._reading.push(turn.read_owned().await);
            }
        }
        held
    }

    fn turns(&self, files: &BTreeSet<PathBuf>) -> Vec<Arc<Turn>> {
        // Spellings that some disk or an engine takes for one file share a turn: other case, other
        // Unicode form. That two files do so at times costs nothing but waiting.
        let one_spelling = |file: &PathBuf| file.to_string_lossy().to_lowercase().nfc().collect();
        let names: BTreeSet<String> = files.iter().map(one_spelling).collect();
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| turn.strong_count() > 0);
        names
            .into_iter()
            .map(|name| {
                let known = turns.get(&name).and_then(Weak::upgrade);
                known.unwrap_or_else(|| {
                    let turn = Arc::new(Turn::default());
                    turns.insert(name, Arc::downgrade(&turn));
                    turn
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn files(names: &[&str]) -> BTreeSet<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    fn is_free(locks: &Locks, names: &[&str], writes: bool) -> bool {
        let files = files(names);
        let mut waiting = Box::pin(locks.hold(&files, writes));
        matches!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(_))
    }

    #[tokio::test]
    async fn u02_changes_of_one_file_take_turns() {
        let locks = Locks::default();
        let held = locks.hold(&files(&["/v/a.md", "/v/b.md"]), true).await;
        assert!(!is_free(&locks, &["/v/b.md"], true));
        assert!(!is_free(&locks, &["/v/b.md"], false));
        assert!(!is_free(&locks, &["/v/B.MD"], true), "one file on a disk without case");
        assert!(is_free(&locks, &["/v/c.md"], true));
        assert!(is_free(&locks, &[], true));
        let _composed = locks.hold(&files(&["/v/\u{e9}.md"]), true).await;
        assert!(!is_free(&locks, &["/v/e\u{301}.md"], true), "one note in two Unicode forms (V-10)");
        drop(held);
        assert!(is_free(&locks, &["/v/b.md"], true));
    }

    #[tokio::test]
    async fn readings_go_together_and_nothing_is_kept() {
        let locks = Locks::default();
        let held = locks.hold(&files(&["/v/a.md"]), false).await;
        assert!(is_free(&locks, &["/v/a.md"], false));
        assert!(!is_free(&locks, &["/v/a.md"], true));
        drop(held);
        locks.hold(&files(&[]), false).await;
        assert!(locks.turns.lock().unwrap().is_empty());
    }
}
