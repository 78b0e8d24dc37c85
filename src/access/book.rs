//! The book of grants: made on demand, revoked in one step.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use tokio::sync::watch;

use super::change::{Change, Revoke};
use super::grant::{EndReason, Grant, GrantId, GrantParts};
use super::policy::Policy;
use super::sessions::{ClientInfo, SessionInfo, SessionLabel, Sessions};
use super::tokens::Token;
use crate::secrets::Purpose;
use crate::settings::{KeyDigest, RuntimeId, WorkMode};

/// Shared by everything that lets calls in.
#[derive(Debug, Clone)]
pub struct Access {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    state: Mutex<State>,
    /// Counts what happens to grants: a change that begins or ends, a closing. Waiters listen.
    ticks: watch::Sender<u64>,
}

type Current = HashMap<(RuntimeId, Option<SessionLabel>), Arc<Grant>>;

/// What the lock guards. The other files of this module work on it, and nothing else does.
#[derive(Debug)]
pub(super) struct State {
    pub(super) policy: Arc<Policy>,
    /// A change is under way: what will hold is not known yet, so requests wait.
    pub(super) changing: bool,
    pub(super) closed: bool,
    next_grant: u64,
    /// The current grant of each key and session.
    current: Current,
    /// Grants of former generations that still carry calls.
    former: Vec<Weak<Grant>>,
    pub(super) tokens: HashMap<KeyDigest, Token>,
    pub(super) sessions: Sessions,
}

/// Why a credential got no grant. Says nothing about which part was wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    #[error("the key is not one of Notegate's. Add a runtime in Notegate and use the key that it shows")]
    UnknownKey,
    #[error("the one-off token is dead: {0}. Ask the program that started you for a new one")]
    DeadToken(EndReason),
    #[error("Notegate is closing")]
    Closing,
}

impl Access {
    pub fn new(policy: Policy) -> Self {
        let state = State {
            policy: Arc::new(policy),
            changing: false,
            closed: false,
            next_grant: 1,
            current: HashMap::new(),
            former: Vec::new(),
            tokens: HashMap::new(),
            sessions: Sessions::default(),
        };
        Self { inner: Arc::new(Inner { state: Mutex::new(state), ticks: watch::Sender::new(0) }) }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // A panic while the lock is held leaves maps that are still whole; going on is right.
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The policy that is in force.
    pub fn policy(&self) -> Arc<Policy> {
        Arc::clone(&self.state().policy)
    }

    /// Ticks whenever the policy or the grants change; for `tools/list_changed`.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.inner.ticks.subscribe()
    }

    /// Turns a presented credential into a grant. While a change is under way it waits for the
    /// change to end, so the caller is served by what is saved then.
    ///
    /// # Errors
    /// The credential is unknown or dead, or Notegate is closing.
    pub async fn admit(
        &self,
        credential: &str,
        session: Option<&SessionLabel>,
    ) -> Result<Arc<Grant>, Denied> {
        let mut ticks = self.inner.ticks.subscribe();
        loop {
            ticks.mark_unchanged();
            if let Some(outcome) = self.try_admit(credential, session) {
                return outcome;
            }
            // The sender lives as long as `self`, so this cannot fail.
            let _ = ticks.changed().await;
        }
    }

    /// `None` while a change is under way.
    fn try_admit(
        &self,
        credential: &str,
        session: Option<&SessionLabel>,
    ) -> Option<Result<Arc<Grant>, Denied>> {
        let mut state = self.state();
        if state.closed {
            return Some(Err(Denied::Closing));
        }
        if credential.starts_with(Purpose::GrantToken.prefix()) {
            return Some(state.admit_token(credential, session));
        }
        if state.changing {
            return None;
        }
        let policy = Arc::clone(&state.policy);
        let Some(runtime) = policy.runtime_by_key(credential) else {
            return Some(Err(Denied::UnknownKey));
        };
        state.note_seen(&runtime.id, session);
        let key = (runtime.id.clone(), session.cloned());
        if let Some(grant) = state.current.get(&key)
            && grant.generation == policy.generation
            && grant.end_reason().is_none()
        {
            return Some(Ok(Arc::clone(grant)));
        }
        let grant = Arc::new(Grant::new(GrantParts {
            id: state.take_id(),
            runtime: runtime.id.clone(),
            kind: runtime.kind,
            mode: runtime.mode,
            approval: runtime.approval,
            capabilities: policy.capabilities(runtime),
            generation: policy.generation,
            session: session.cloned(),
            one_off: false,
        }));
        if let Some(old) = state.current.insert(key, Arc::clone(&grant)) {
            state.keep_revocable(&old);
        }
        Some(Ok(grant))
    }

    /// A grant for the person's own command line: every capability that is switched on.
    ///
    /// # Errors
    /// Notegate is closing.
    pub async fn admit_local(&self, runtime: RuntimeId, mode: WorkMode) -> Result<Arc<Grant>, Denied> {
        let mut ticks = self.inner.ticks.subscribe();
        loop {
            ticks.mark_unchanged();
            {
                let mut state = self.state();
                if state.closed {
                    return Err(Denied::Closing);
                }
                if !state.changing {
                    let grant = Arc::new(Grant::new(GrantParts {
                        id: state.take_id(),
                        runtime,
                        kind: crate::settings::RuntimeKind::Custom,
                        mode,
                        approval: Default::default(),
                        capabilities: state.policy.enabled.clone(),
                        generation: state.policy.generation,
                        session: None,
                        one_off: true,
                    }));
                    state.keep_revocable(&grant);
                    return Ok(grant);
                }
            }
            let _ = ticks.changed().await;
        }
    }

    /// Begins a change of what grants rest on: revokes at once, without waiting for calls to end,
    /// and holds new requests until the change is committed or dropped. Validate before.
    pub fn begin_change(&self, revoke: &Revoke) -> Change {
        let mut state = self.state();
        state.revoke(revoke);
        state.changing = true;
        drop(state);
        self.tick();
        Change::of(self.clone())
    }

    /// Says who a session's client is.
    pub fn describe_session(&self, runtime: &RuntimeId, label: &SessionLabel, client: ClientInfo) {
        self.state().sessions.describe(runtime, label, client);
        self.tick();
    }

    /// The runtimes that have a session of this label open.
    pub fn session_owners(&self, label: &SessionLabel) -> Vec<RuntimeId> {
        self.state().sessions.owners(label)
    }

    /// Ends a session for good: its client deleted it, or the person ended it.
    pub fn end_session(&self, runtime: &RuntimeId, label: &SessionLabel) {
        let mut state = self.state();
        state.sessions.end(runtime, label);
        state.drop_session(runtime, label, EndReason::EndedByPerson);
        drop(state);
        self.tick();
    }

    /// Forgets a session that went away by itself.
    pub fn forget_session(&self, runtime: &RuntimeId, label: &SessionLabel) {
        let mut state = self.state();
        state.sessions.forget(runtime, label);
        state.let_go(runtime, label);
    }

    pub fn session_is_ended(&self, runtime: &RuntimeId, label: &SessionLabel) -> bool {
        self.state().sessions.is_ended(runtime, label)
    }

    /// The open sessions, the most recent first.
    pub fn sessions(&self) -> Vec<SessionInfo> {
        self.state().sessions.list()
    }

    /// When a runtime last presented its key to this process.
    pub fn last_seen(&self, runtime: &RuntimeId) -> Option<SystemTime> {
        self.state().sessions.last_seen(runtime)
    }

    /// Ends every grant and admits nobody any more.
    pub fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.end_where(EndReason::ShuttingDown, |_| true);
        drop(state);
        self.tick();
    }

    pub(super) fn tick(&self) {
        self.inner.ticks.send_modify(|ticks| *ticks += 1);
    }
}

impl State {
    pub(super) fn take_id(&mut self) -> GrantId {
        let id = GrantId(self.next_grant);
        self.next_grant += 1;
        id
    }

    pub(super) fn revoke(&mut self, revoke: &Revoke) {
        match revoke {
            Revoke::Containing(capability, reason) => {
                self.end_where(*reason, |grant| grant.covers(*capability));
            }
            Revoke::Runtime(id, reason) => self.end_where(*reason, |grant| grant.runtime == *id),
            Revoke::Nothing => {}
        }
    }

    fn end_where(&mut self, reason: EndReason, dies: impl Fn(&Grant) -> bool) {
        self.current.retain(|_, grant| {
            let dead = dies(grant);
            if dead {
                grant.end(reason);
            }
            !dead
        });
        self.former.retain(|grant| {
            let Some(grant) = grant.upgrade() else { return false };
            if dies(&grant) {
                grant.end(reason);
            }
            grant.end_reason().is_none()
        });
        for token in self.tokens.values() {
            if dies(&token.grant) {
                token.grant.end(reason);
            }
        }
    }

    /// Notes who was there; the session that makes room for a new one lets its grant go.
    pub(super) fn note_seen(&mut self, runtime: &RuntimeId, session: Option<&SessionLabel>) {
        let limit = self.policy.limits.sessions;
        let is_busy = |label: &SessionLabel| is_busy(&self.current, &self.former, runtime, label);
        if let Some(evicted) = self.sessions.seen(runtime, session, limit, is_busy) {
            self.let_go(runtime, &evicted);
        }
    }

    /// Lets go the sessions that were idle for so long.
    pub(super) fn let_idle_go(&mut self, longest: Duration) {
        let is_busy =
            |runtime: &RuntimeId, label: &SessionLabel| is_busy(&self.current, &self.former, runtime, label);
        for (runtime, label) in self.sessions.drop_idle(longest, is_busy) {
            self.let_go(&runtime, &label);
        }
    }

    /// Keeps no grant for a session that nobody asks for any more. Calls that still run under it go on.
    pub(super) fn let_go(&mut self, runtime: &RuntimeId, label: &SessionLabel) {
        if let Some(grant) = self.current.remove(&(runtime.clone(), Some(label.clone()))) {
            self.keep_revocable(&grant);
        }
    }

    /// A grant that is not current any more can still carry calls, and must still be found then.
    fn keep_revocable(&mut self, grant: &Arc<Grant>) {
        self.former.retain(|grant| grant.strong_count() > 0);
        self.former.push(Arc::downgrade(grant));
    }

    fn drop_session(&mut self, runtime: &RuntimeId, label: &SessionLabel, reason: EndReason) {
        self.end_where(reason, |grant| grant.runtime == *runtime && grant.session.as_ref() == Some(label));
    }
}

/// Whether something of the session still runs: a call holds its grant until it is over.
fn is_busy(current: &Current, former: &[Weak<Grant>], runtime: &RuntimeId, label: &SessionLabel) -> bool {
    let held = |grant: &Arc<Grant>| Arc::strong_count(grant) > 1;
    let former = former.iter().filter_map(Weak::upgrade);
    current.get(&(runtime.clone(), Some(label.clone()))).is_some_and(held)
        || former.into_iter().any(|grant| grant.runtime == *runtime && grant.session.as_ref() == Some(label))
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;
