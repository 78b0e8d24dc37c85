//! The open sessions of legacy clients.
//!
//! rmcp carries a session's streams and knows nothing of runtimes; `access` knows whose session it is
//! and whether it may go on, and nothing of streams. Here the two are kept in step: a session that
//! `access` no longer lists (ended by the person, idle for too long, or the oldest of too many) is
//! closed, and one that went away by itself is forgotten.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::service::{Peer, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::{SessionId, SessionManager as _};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::access::{Access, ClientInfo, SessionLabel};
use crate::gateway::answers::Answers;
use crate::gateway::offers::{Offer, Offers};
use crate::settings::{Capability, RuntimeId};

/// How long the answers of an ended session may take to get out before its streams are closed. A call
/// of the session was revoked by then, and answers within its clean-up.
const CLOSE_GRACE: Duration = Duration::from_secs(3);

/// How long telling a client about its tools may take; who does not read is skipped.
const TELL_TIME: Duration = Duration::from_secs(5);

/// How often idle sessions are looked for, at most and at least.
const SWEEP_INTERVALS: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(30)];

#[derive(Debug)]
pub(super) struct Sessions {
    streams: Arc<LocalSessionManager>,
    access: Access,
    offers: Arc<Offers>,
    answers: Answers,
    tasks: TaskTracker,
    open: Mutex<HashMap<SessionLabel, Open>>,
}

#[derive(Debug)]
struct Open {
    runtime: RuntimeId,
    /// The way to the client, once it said that it is ready.
    peer: Option<Peer<RoleServer>>,
    /// What the client was last told about its tools.
    told: Option<BTreeSet<Capability>>,
}

impl Sessions {
    pub(super) fn new(
        streams: Arc<LocalSessionManager>,
        access: Access,
        offers: Arc<Offers>,
        answers: Answers,
        tasks: TaskTracker,
    ) -> Self {
        Self { streams, access, offers, answers, tasks, open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<SessionLabel, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a session of this runtime is open under this label. Whoever goes on to use it has its
    /// answer counted before it asks, so that the session is not closed in between.
    pub(super) async fn is_open(&self, label: &SessionLabel, runtime: &RuntimeId) -> bool {
        let known = self.open().get(label).is_some_and(|open| open.runtime == *runtime);
        // What rmcp no longer carries (its own task failed) would be answered with 404.
        known && self.streams.sessions.read().await.contains_key(label.0.as_str())
    }

    /// Takes in a session that rmcp has just made; `access` lists it already.
    pub(super) fn opened(&self, label: SessionLabel, runtime: RuntimeId, client: ClientInfo) {
        let told = self.offers.now().of(&runtime).cloned();
        self.access.describe_session(&runtime, &label, client);
        self.open().insert(label, Open { runtime, peer: None, told });
    }

    /// The client is ready to be told things.
    pub(super) fn initialized(&self, label: &SessionLabel, peer: Peer<RoleServer>) {
        if let Some(open) = self.open().get_mut(label) {
            open.peer = Some(peer);
        }
    }

    /// Ends a session for good, at its client's wish. One of another runtime goes on.
    pub(super) fn end(&self, label: &SessionLabel, runtime: &RuntimeId) {
        self.access.end_session(runtime, label);
        if self.open().get(label).is_some_and(|open| open.runtime == *runtime) {
            self.close(label);
        }
    }

    /// Closes the streams of a session. Requests find it gone at once; what it still has to answer
    /// gets out first.
    fn close(&self, label: &SessionLabel) {
        if self.open().remove(label).is_none() {
            return;
        }
        let (streams, answers, label) = (Arc::clone(&self.streams), self.answers.clone(), label.clone());
        self.tasks.spawn(async move {
            let _ = tokio::time::timeout(CLOSE_GRACE, answers.all_out_of(&label)).await;
            close_streams(&streams, &label).await;
        });
    }

    /// Closes the streams of a session that was made and never taken in.
    pub(super) async fn discard(&self, label: &SessionLabel) {
        close_streams(&self.streams, label).await;
    }

    /// Follows `access` until `closing` fires: keeps the sessions in step and tells clients when what
    /// they are offered changed.
    pub(super) async fn follow(self: Arc<Self>, closing: CancellationToken) {
        let mut ticks = self.access.watch();
        let [shortest, longest] = SWEEP_INTERVALS;
        loop {
            let idle = Duration::from_secs(self.access.policy().limits.session_idle_seconds);
            let pause = (idle / 4).clamp(shortest, longest);
            tokio::select! {
                () = closing.cancelled() => return,
                changed = ticks.changed() => if changed.is_err() { return },
                () = tokio::time::sleep(pause) => {
                    // Lets idle sessions go; when the next token ends is the core's concern.
                    let _ = self.access.expire();
                }
            }
            self.offers.refresh(&self.access);
            let offer = self.offers.now();
            self.keep_in_step(&offer).await;
            self.tell(&offer);
        }
    }

    async fn keep_in_step(&self, offer: &Offer) {
        let carried: HashSet<SessionLabel> =
            self.streams.sessions.read().await.keys().map(|id| SessionLabel(id.to_string())).collect();
        let listed: HashSet<(RuntimeId, SessionLabel)> =
            self.access.sessions().into_iter().map(|info| (info.runtime, info.label)).collect();
        let gone: Vec<(RuntimeId, SessionLabel)> = self
            .open()
            .iter()
            .filter(|(label, open)| {
                !listed.contains(&(open.runtime.clone(), (*label).clone()))
                    || !carried.contains(label)
                    || offer.of(&open.runtime).is_none()
            })
            .map(|(label, open)| (open.runtime.clone(), label.clone()))
            .collect();
        for (runtime, label) in gone {
            self.access.forget_session(&runtime, &label);
            self.close(&label);
        }
    }

    fn tell(&self, offer: &Offer) {
        for open in self.open().values_mut() {
            let now = offer.of(&open.runtime);
            if open.told.as_ref() == now {
                continue;
            }
            open.told = now.cloned();
            if let Some(peer) = open.peer.clone() {
                self.tasks.spawn(async move {
                    // A client that has no stream open reads the list again when it likes.
                    let _ = tokio::time::timeout(TELL_TIME, peer.notify_tool_list_changed()).await;
                });
            }
        }
    }
}

async fn close_streams(streams: &LocalSessionManager, label: &SessionLabel) {
    if let Err(error) = streams.close_session(&SessionId::from(label.0.as_str())).await {
        tracing::warn!(%error, "a session's streams did not close");
    }
}
