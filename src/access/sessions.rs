//! Sessions: labels for conversations, what is known of each, and which were ended on purpose.
//!
//! A session is never an authority: a key is. What is kept here serves the window, the log and the
//! one rule that a session that was ended (by its client or by the person) stays ended (404).

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::settings::RuntimeId;

/// How many ended sessions are remembered.
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
    open: HashMap<SessionLabel, SessionInfo>,
    last_seen: HashMap<RuntimeId, SystemTime>,
    ended: VecDeque<SessionLabel>,
}

impl Sessions {
    /// Notes that a runtime was there. Returns the session that had to make room for a new one.
    pub(super) fn seen(
        &mut self,
        runtime: &RuntimeId,
        label: Option<&SessionLabel>,
        limit: usize,
    ) -> Option<SessionLabel> {
        let now = SystemTime::now();
        self.last_seen.insert(runtime.clone(), now);
        let label = label?;
        if let Some(info) = self.open.get_mut(label) {
            info.last_seen = now;
            return None;
        }
        let full = self.open.len() >= limit;
        let idle_longest = if full { self.open.values().min_by_key(|info| info.last_seen) } else { None };
        let evicted = idle_longest.map(|info| info.label.clone());
        if let Some(evicted) = &evicted {
            self.open.remove(evicted);
        }
        let info =
            SessionInfo { label: label.clone(), runtime: runtime.clone(), client: None, last_seen: now };
        self.open.insert(label.clone(), info);
        evicted
    }

    /// Forgets the sessions that were idle for so long, and returns them.
    pub(super) fn drop_idle(&mut self, longest: Duration) -> Vec<SessionLabel> {
        let now = SystemTime::now();
        let is_idle =
            |info: &SessionInfo| now.duration_since(info.last_seen).is_ok_and(|idle| idle > longest);
        self.open.extract_if(|_, info| is_idle(info)).map(|(label, _)| label).collect()
    }

    pub(super) fn describe(&mut self, label: &SessionLabel, client: ClientInfo) {
        if let Some(info) = self.open.get_mut(label) {
            info.client = Some(client);
        }
    }

    pub(super) fn owner(&self, label: &SessionLabel) -> Option<&RuntimeId> {
        self.open.get(label).map(|info| &info.runtime)
    }

    /// Ends a session for good.
    pub(super) fn end(&mut self, label: &SessionLabel) {
        self.open.remove(label);
        if !self.is_ended(label) {
            if self.ended.len() == ENDED_KEPT {
                self.ended.pop_front();
            }
            self.ended.push_back(label.clone());
        }
    }

    /// Forgets a session that went away by itself; a later request with its label is served.
    pub(super) fn forget(&mut self, label: &SessionLabel) {
        self.open.remove(label);
    }

    pub(super) fn is_ended(&self, label: &SessionLabel) -> bool {
        self.ended.contains(label)
    }

    pub(super) fn list(&self) -> Vec<SessionInfo> {
        let mut list: Vec<_> = self.open.values().cloned().collect();
        list.sort_by(|a, b| b.last_seen.cmp(&a.last_seen).then_with(|| a.label.cmp(&b.label)));
        list
    }

    pub(super) fn last_seen(&self, runtime: &RuntimeId) -> Option<SystemTime> {
        self.last_seen.get(runtime).copied()
    }
}
