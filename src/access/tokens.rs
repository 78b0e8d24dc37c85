//! One-off grant tokens: a host that starts a runtime itself gives it one. The token is the grant, and
//! is dead once it was revoked or its lifetime is over.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::book::{Access, Denied, State};
use super::grant::{EndReason, Grant, GrantId, GrantParts};
use super::sessions::SessionLabel;
use crate::secrets::{self, NoRandomness, Purpose, Secret};
use crate::settings::{Capability, RuntimeId, WorkMode};

#[derive(Debug)]
pub(super) struct Token {
    pub(super) grant: Arc<Grant>,
    pub(super) expires: SystemTime,
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
    #[error(
        "{0} is given nothing now, so a grant for it would allow nothing: assign a capability and switch it on first"
    )]
    NothingGiven(RuntimeId),
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
    /// Issues a one-off token: it is the grant, and is dead once revoked.
    ///
    /// Never call it while a change is under way; the core, which does both, takes one command at a time.
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
        if capabilities.is_empty() {
            return Err(IssueError::NothingGiven(spec.runtime));
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
        state.let_idle_go(longest);
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
}

fn rank(mode: WorkMode) -> u8 {
    match mode {
        WorkMode::Ask => 0,
        WorkMode::Execute => 1,
        WorkMode::Full => 2,
    }
}

impl State {
    pub(super) fn admit_token(
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
    pub(super) fn drop_expired(&mut self) {
        let now = SystemTime::now();
        self.tokens.retain(|_, token| {
            if token.expires <= now {
                token.grant.end(EndReason::Expired);
            }
            token.expires + Duration::from_secs(3600) > now
        });
    }
}
