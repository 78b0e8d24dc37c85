//! The book of grants: made on demand, revoked in one step.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use tokio::sync::watch;

use super::grant::{EndReason, Grant, GrantId, GrantParts};
use super::policy::Policy;
use super::sessions::{ClientInfo, SessionInfo, SessionLabel, Sessions};
use crate::secrets::{self, NoRandomness, Purpose, Secret};
use crate::settings::{Capability, KeyDigest, RuntimeId, WorkMode};

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

#[derive(Debug)]
struct State {
    policy: Arc<Policy>,
    /// A change is under way: what will hold is not known yet, so requests wait.
    changing: bool,
    closed: bool,
    next_grant: u64,
    /// The current grant of each key and session.
    current: HashMap<(RuntimeId, Option<SessionLabel>), Arc<Grant>>,
    /// Grants of former generations that still carry calls.
    former: Vec<Weak<Grant>>,
    tokens: HashMap<KeyDigest, Token>,
    sessions: Sessions,
}

#[derive(Debug)]
struct Token {
    grant: Arc<Grant>,
    expires: SystemTime,
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

/// Which grants a change ends.
#[derive(Debug, Clone)]
pub enum Revoke {
    /// Every grant that contains the capability, whole (LR-8).
    Containing(Capability, EndReason),
    /// Every grant of the runtime.
    Runtime(RuntimeId, EndReason),
    /// None: the change is of no concern to grants.
    Nothing,
}

/// A one-off grant to be issued.
#[derive(Debug, Clone)]
pub struct TokenSpec {
    pub runtime: RuntimeId,
    /// At most what the runtime itself has.
    pub mode: WorkMode,
    /// At most what the runtime is given now; `None` takes all of that.
    pub capabilities: Option<BTreeSet<Capability>>,
    pub lifetime: Duration,
}

/// A one-off grant that was issued.
#[derive(Debug)]
pub struct IssuedToken {
    pub token: Secret,
    pub id: GrantId,
    pub capabilities: BTreeSet<Capability>,
    pub expires: SystemTime,
}

/// Why a one-off grant cannot be issued.
#[derive(Debug, thiserror::Error)]
pub enum IssueError {
    #[error("there is no runtime {0}; `notegate runtime list` shows them")]
    UnknownRuntime(RuntimeId),
    #[error("{runtime} is not given {capability} now: switch it on and assign it first")]
    NotGiven { runtime: RuntimeId, capability: Capability },
    #[error("{runtime} works in mode {}; a grant cannot have more", .allowed.as_str())]
    ModeTooHigh { runtime: RuntimeId, allowed: WorkMode },
    #[error("a lifetime of {0:?} cannot be used; give 1 second to 30 days")]
    Lifetime(Duration),
    #[error("Notegate is closing")]
    Closing,
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}

const LONGEST_TOKEN: Duration = Duration::from_secs(30 * 24 * 3600);

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

    fn state(&self) -> MutexGuard<'_, State> {
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

    /// Issues a one-off token: it is the grant, and is dead once revoked.
    ///
    /// # Errors
    /// It would hold more than its runtime has.
    pub fn issue(&self, spec: TokenSpec) -> Result<IssuedToken, IssueError> {
        if spec.lifetime < Duration::from_secs(1) || spec.lifetime > LONGEST_TOKEN {
            return Err(IssueError::Lifetime(spec.lifetime));
        }
        let token = Secret::generate(Purpose::GrantToken)?;
        let mut state = self.state();
        if state.closed {
            return Err(IssueError::Closing);
        }
        let policy = Arc::clone(&state.policy);
        let Some(runtime) = policy.runtime(&spec.runtime) else {
            return Err(IssueError::UnknownRuntime(spec.runtime));
        };
        if rank(spec.mode) > rank(runtime.mode) {
            return Err(IssueError::ModeTooHigh { runtime: spec.runtime, allowed: runtime.mode });
        }
        let given = policy.capabilities(runtime);
        let capabilities = spec.capabilities.unwrap_or_else(|| given.clone());
        if let Some(&capability) = capabilities.difference(&given).next() {
            return Err(IssueError::NotGiven { runtime: spec.runtime, capability });
        }
        let id = state.take_id();
        let expires = SystemTime::now() + spec.lifetime;
        let grant = Arc::new(Grant::new(GrantParts {
            id,
            runtime: runtime.id.clone(),
            kind: runtime.kind,
            mode: spec.mode,
            approval: runtime.approval,
            capabilities: capabilities.clone(),
            generation: policy.generation,
            session: None,
            one_off: true,
        }));
        state.drop_expired();
        state.tokens.insert(token.digest(), Token { grant, expires });
        Ok(IssuedToken { token, id, capabilities, expires })
    }

    /// Ends the calls of tokens whose lifetime is over, lets idle sessions go, and says when the next
    /// token ends.
    pub fn expire(&self) -> Option<SystemTime> {
        let mut state = self.state();
        state.drop_expired();
        let longest = Duration::from_secs(state.policy.limits.session_idle_seconds);
        for label in state.sessions.drop_idle(longest) {
            state.let_go(&label);
        }
        state.tokens.values().map(|token| token.expires).min()
    }

    /// Ends a one-off grant. `false` when there is none of this id.
    pub fn end_token(&self, id: GrantId) -> bool {
        let mut state = self.state();
        let before = state.tokens.len();
        state.tokens.retain(|_, token| {
            let is_it = token.grant.id == id;
            if is_it {
                token.grant.end(EndReason::EndedByPerson);
            }
            !is_it
        });
        before != state.tokens.len()
    }

    /// Begins a change of what grants rest on: revokes at once, without waiting for calls to end,
    /// and holds new requests until the change is committed or dropped. Validate before.
    pub fn begin_change(&self, revoke: &Revoke) -> Change {
        let mut state = self.state();
        state.revoke(revoke);
        state.changing = true;
        drop(state);
        self.tick();
        Change { access: self.clone() }
    }

    /// Says who a session's client is.
    pub fn describe_session(&self, label: &SessionLabel, client: ClientInfo) {
        self.state().sessions.describe(label, client);
        self.tick();
    }

    /// The runtime that a known session belongs to.
    pub fn session_owner(&self, label: &SessionLabel) -> Option<RuntimeId> {
        self.state().sessions.owner(label).cloned()
    }

    /// Ends a session for good: its client deleted it, or the person ended it.
    pub fn end_session(&self, label: &SessionLabel) {
        let mut state = self.state();
        state.sessions.end(label);
        state.drop_session(label, EndReason::EndedByPerson);
        drop(state);
        self.tick();
    }

    /// Forgets a session that went away by itself.
    pub fn forget_session(&self, label: &SessionLabel) {
        let mut state = self.state();
        state.sessions.forget(label);
        state.let_go(label);
    }

    pub fn session_is_ended(&self, label: &SessionLabel) -> bool {
        self.state().sessions.is_ended(label)
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

    fn tick(&self) {
        self.inner.ticks.send_modify(|ticks| *ticks += 1);
    }
}

fn rank(mode: WorkMode) -> u8 {
    match mode {
        WorkMode::Ask => 0,
        WorkMode::Execute => 1,
        WorkMode::Full => 2,
    }
}

impl State {
    fn take_id(&mut self) -> GrantId {
        let id = GrantId(self.next_grant);
        self.next_grant += 1;
        id
    }

    fn admit_token(
        &mut self,
        credential: &str,
        session: Option<&SessionLabel>,
    ) -> Result<Arc<Grant>, Denied> {
        let presented = secrets::digest(credential);
        // The table is keyed by digest: what its look-up could tell by time is about a hash that
        // nobody can steer towards a stored one.
        let Some(token) = self.tokens.get(&presented) else { return Err(Denied::UnknownKey) };
        let grant = Arc::clone(&token.grant);
        if token.expires <= SystemTime::now() {
            grant.end(EndReason::Expired);
        }
        if let Some(reason) = grant.end_reason() {
            return Err(Denied::DeadToken(reason));
        }
        self.note_seen(&grant.runtime, session);
        Ok(grant)
    }

    /// Tokens stay for an hour after their end so that their holders learn why they are dead.
    fn drop_expired(&mut self) {
        let now = SystemTime::now();
        self.tokens.retain(|_, token| {
            if token.expires <= now {
                token.grant.end(EndReason::Expired);
            }
            token.expires + Duration::from_secs(3600) > now
        });
    }

    fn revoke(&mut self, revoke: &Revoke) {
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
    fn note_seen(&mut self, runtime: &RuntimeId, session: Option<&SessionLabel>) {
        let limit = self.policy.limits.sessions;
        if let Some(evicted) = self.sessions.seen(runtime, session, limit) {
            self.let_go(&evicted);
        }
    }

    /// Keeps no grant for a session that nobody asks for any more. Calls that still run under it go on.
    fn let_go(&mut self, label: &SessionLabel) {
        let gone: Vec<_> =
            self.current.extract_if(|(_, session), _| session.as_ref() == Some(label)).collect();
        for (_, grant) in gone {
            self.keep_revocable(&grant);
        }
    }

    /// A grant that is not current any more can still carry calls, and must still be found then.
    fn keep_revocable(&mut self, grant: &Arc<Grant>) {
        self.former.retain(|grant| grant.strong_count() > 0);
        self.former.push(Arc::downgrade(grant));
    }

    fn drop_session(&mut self, label: &SessionLabel, reason: EndReason) {
        self.end_where(reason, |grant| grant.session.as_ref() == Some(label));
    }
}

/// A change under way. Commit it with the new policy; dropping it keeps the old one, and the
/// grants that it revoked stay dead.
#[derive(Debug)]
#[must_use = "requests wait until the change is committed or dropped"]
pub struct Change {
    access: Access,
}

impl Change {
    /// Puts the new policy in force and lets the waiting requests go on under it.
    pub fn commit(self, policy: Policy) {
        self.access.state().policy = Arc::new(policy);
        // Dropping `self` ends the change.
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        self.access.state().changing = false;
        self.access.tick();
    }
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;
