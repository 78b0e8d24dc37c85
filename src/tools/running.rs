//! Which calls run, how many a runtime may have, and how they went. Counts only: no arguments and
//! no results stay here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::settings::RuntimeId;

/// How calls went since the start of this process.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallStats {
    pub succeeded: u64,
    pub failed: u64,
    /// Running calls of each runtime that has some.
    pub running: HashMap<RuntimeId, usize>,
    /// The calls of each of the last minutes that had some, the oldest first.
    pub recent: Vec<Minute>,
    /// The latest call of each runtime.
    pub last: HashMap<RuntimeId, LastCall>,
}

/// For so many minutes the calls are counted by the minute.
pub const KEPT_MINUTES: u64 = 60;

/// The calls that ended within one minute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Minute {
    /// Minutes since 1970.
    pub minute: u64,
    pub succeeded: u64,
    pub failed: u64,
}

impl Minute {
    /// The minute of a moment, counted from 1970.
    pub fn number_of(moment: SystemTime) -> u64 {
        moment.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 60
    }
}

impl CallStats {
    fn count(&mut self, at: SystemTime, succeeded: bool) {
        let minute = Minute::number_of(at);
        self.recent.retain(|known| known.minute + KEPT_MINUTES > minute && known.minute <= minute);
        if self.recent.last().is_none_or(|last| last.minute != minute) {
            self.recent.push(Minute { minute, ..Minute::default() });
        }
        let of_all = if succeeded { &mut self.succeeded } else { &mut self.failed };
        *of_all += 1;
        if let Some(last) = self.recent.last_mut() {
            let of_minute = if succeeded { &mut last.succeeded } else { &mut last.failed };
            *of_minute += 1;
        }
    }
}

/// The latest call of a runtime.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastCall {
    pub tool: String,
    pub at: SystemTime,
    pub succeeded: bool,
}

#[derive(Debug, Default, Clone)]
pub(super) struct Running {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    stats: Mutex<CallStats>,
    ticks: watch::Sender<u64>,
}

/// A call that runs. Dropping it without an outcome counts as a failure.
#[derive(Debug)]
pub(super) struct Record {
    running: Running,
    runtime: RuntimeId,
    tool: String,
    succeeded: bool,
}

impl Running {
    fn stats_now(&self) -> MutexGuard<'_, CallStats> {
        // Counters stay whole whatever panicked while they were held.
        self.inner.stats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn stats(&self) -> CallStats {
        self.stats_now().clone()
    }

    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.inner.ticks.subscribe()
    }

    fn tick(&self) {
        self.inner.ticks.send_modify(|ticks| *ticks += 1);
    }

    /// Counts a call in, or gives back the limit that it would break.
    pub(super) fn begin(&self, runtime: &RuntimeId, tool: &str, limit: usize) -> Result<Record, usize> {
        {
            let mut stats = self.stats_now();
            let count = stats.running.entry(runtime.clone()).or_default();
            if *count >= limit {
                return Err(limit);
            }
            *count += 1;
        }
        self.tick();
        let tool = tool.chars().take(80).collect();
        Ok(Record { running: self.clone(), runtime: runtime.clone(), tool, succeeded: false })
    }
}

impl Record {
    pub(super) fn finish(mut self, succeeded: bool) {
        self.succeeded = succeeded;
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        {
            let mut stats = self.running.stats_now();
            if let Some(count) = stats.running.get_mut(&self.runtime) {
                *count -= 1;
                if *count == 0 {
                    stats.running.remove(&self.runtime);
                }
            }
            let at = SystemTime::now();
            stats.count(at, self.succeeded);
            let last = LastCall { tool: std::mem::take(&mut self.tool), at, succeeded: self.succeeded };
            stats.last.insert(self.runtime.clone(), last);
        }
        self.running.tick();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_hour_is_counted_by_the_minute() {
        let mut stats = CallStats::default();
        let at = |minute: u64| UNIX_EPOCH + std::time::Duration::from_secs(minute * 60 + 7);
        for (minute, succeeded) in [(100, true), (100, false), (101, true), (159, true), (160, false)] {
            stats.count(at(minute), succeeded);
        }
        let counted = |minute: u64| stats.recent.iter().find(|known| known.minute == minute).copied();
        assert_eq!(counted(100), None, "an hour ago");
        assert_eq!(counted(160), Some(Minute { minute: 160, succeeded: 0, failed: 1 }));
        assert_eq!((stats.recent.len(), stats.succeeded, stats.failed), (3, 3, 2));
        // A clock that was set back begins anew.
        stats.count(at(50), true);
        assert_eq!(stats.recent, [Minute { minute: 50, succeeded: 1, failed: 0 }]);
    }

    #[test]
    fn a_runtime_has_a_limit_of_its_own_and_dropping_a_call_frees_its_place() {
        let running = Running::default();
        let (a, b) = (RuntimeId::new("a").unwrap(), RuntimeId::new("b").unwrap());
        let first = running.begin(&a, "t", 1).unwrap();
        assert_eq!(running.begin(&a, "t", 1).unwrap_err(), 1);
        running.begin(&b, "t", 1).unwrap().finish(true);
        drop(first);
        running.begin(&a, "t", 1).unwrap().finish(true);
        let stats = running.stats();
        assert_eq!((stats.succeeded, stats.failed), (2, 1));
        assert!(stats.running.is_empty());
    }
}
