//! Sessions: labels for conversations, what is known of each, and which were ended on purpose.
//!
//! A session is never an authority: a key is. What is kept here serves the window, the log and the
//! one rule that a session that was ended (by its client or by the person) stays ended (404). A label is
//! a runtime's own: whatever another runtime does under the same label, or under many that it made up,
//! concerns its own sessions alone.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::settings::RuntimeId;

/// How many ended sessions of one runtime are remembered.
const ENDED_KEPT: usize = 4096;

/// Labels one conversation, as far as the protocol shows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionLabel(pub String);

impl fmt::Display for SessionLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a client says of itself when it connects. Shown, never trusted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientInfo {
    pub name: String,
    pub version: String,
}

/// What is known of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInfo {
    pub label: SessionLabel,
    pub runtime: RuntimeId,
    pub client: Option<ClientInfo>,
    pub last_seen: SystemTime,
}

#[derive(Debug, Default)]
pub(super) struct Sessions {
    open: HashMap<RuntimeId, HashMap<SessionLabel, SessionInfo>>,
    last_seen: HashMap<RuntimeId, SystemTime>,
    ended: HashMap<RuntimeId, VecDeque<SessionLabel>>,
}

impl Sessions {
    /// Notes that a runtime was there. Returns the session of the same runtime that had to make room for
    /// a new one: the one that is idle longest, and never one that `is_busy`.
    pub(super) fn seen(
        &mut self,
        runtime: &RuntimeId,
        label: Option<&SessionLabel>,
        limit: usize,
        is_busy: impl Fn(&SessionLabel) -> bool,
    ) -> Option<SessionLabel> {
        let now = SystemTime::now();
        self.last_seen.insert(runtime.clone(), now);
        let label = label?;
        let open = self.open.entry(runtime.clone()).or_default();
        if let Some(info) = open.get_mut(label) {
            info.last_seen = now;
            return None;
        }
        let idle = || open.values().filter(|info| !is_busy(&info.label));
        let idle_longest = if open.len() >= limit { idle().min_by_key(|info| info.last_seen) } else { None };
        let evicted = idle_longest.map(|info| info.label.clone());
        if let Some(evicted) = &evicted {
            open.remove(evicted);
        }
        let info =
            SessionInfo { label: label.clone(), runtime: runtime.clone(), client: None, last_seen: now };
        open.insert(label.clone(), info);
        evicted
    }

    /// Forgets the sessions that were idle for so long and are not busy, and returns them.
    pub(super) fn drop_idle(
        &mut self,
        longest: Duration,
        is_busy: impl Fn(&RuntimeId, &SessionLabel) -> bool,
    ) -> Vec<(RuntimeId, SessionLabel)> {
        let now = SystemTime::now();
        let is_idle = |info: &SessionInfo| {
            now.duration_since(info.last_seen).is_ok_and(|idle| idle > longest)
                && !is_busy(&info.runtime, &info.label)
        };
        let gone = self.open.values_mut().flat_map(|open| open.extract_if(|_, info| is_idle(info)));
        gone.map(|(label, info)| (info.runtime, label)).collect()
    }

    pub(super) fn describe(&mut self, runtime: &RuntimeId, label: &SessionLabel, client: ClientInfo) {
        if let Some(info) = self.open.get_mut(runtime).and_then(|open| open.get_mut(label)) {
            info.client = Some(client);
        }
    }

    /// The runtimes that have a session of this label open; more than one only where a client made the
    /// label up.
    pub(super) fn owners(&self, label: &SessionLabel) -> Vec<RuntimeId> {
        self.open
            .iter()
            .filter(|(_, open)| open.contains_key(label))
            .map(|(runtime, _)| runtime.clone())
            .collect()
    }

    /// Ends a session for good.
    pub(super) fn end(&mut self, runtime: &RuntimeId, label: &SessionLabel) {
        self.forget(runtime, label);
        let ended = self.ended.entry(runtime.clone()).or_default();
        if !ended.contains(label) {
            if ended.len() == ENDED_KEPT {
                ended.pop_front();
            }
            ended.push_back(label.clone());
        }
    }

    /// Forgets a session that went away by itself; a later request with its label is served.
    pub(super) fn forget(&mut self, runtime: &RuntimeId, label: &SessionLabel) {
        if let Some(open) = self.open.get_mut(runtime) {
            open.remove(label);
        }
    }

    pub(super) fn is_ended(&self, runtime: &RuntimeId, label: &SessionLabel) -> bool {
        self.ended.get(runtime).is_some_and(|ended| ended.contains(label))
    }

    pub(super) fn list(&self) -> Vec<SessionInfo> {
        let mut list: Vec<_> = self.open.values().flat_map(HashMap::values).cloned().collect();
        list.sort_by(|a, b| b.last_seen.cmp(&a.last_seen).then_with(|| a.label.cmp(&b.label)));
        list
    }

    pub(super) fn last_seen(&self, runtime: &RuntimeId) -> Option<SystemTime> {
        self.last_seen.get(runtime).copied()
    }
}
