//! One grant: what it allows, and its end.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

use tokio_util::sync::CancellationToken;

use crate::access::SessionLabel;
use crate::settings::{ApprovalPolicy, Capability, RuntimeId, RuntimeKind, WorkMode};

/// Numbers the grants of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GrantId(pub u64);

impl fmt::Display for GrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "grant {}", self.0)
    }
}

/// Why a grant ended; calls in flight report it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndReason {
    /// The scope of a capability was saved.
    ScopeSaved(Capability),
    /// What carries out a capability was chosen.
    EngineSaved(Capability),
    /// A capability was switched on or off.
    SwitchFlipped(Capability),
    /// A capability's assignment to runtimes was changed.
    AssignmentChanged(Capability),
    /// What a capability works on was changed, as a kernel or its token.
    TargetChanged(Capability),
    /// The runtime was removed, got a new key or another mode.
    RuntimeChanged,
    /// The person ended the session, or the one-off token.
    EndedByPerson,
    /// The lifetime of a one-off token is over.
    Expired,
    /// Notegate is closing.
    ShuttingDown,
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ScopeSaved(capability) => write!(f, "the {capability} scope was saved"),
            Self::EngineSaved(capability) => write!(f, "the engine for {capability} was saved"),
            Self::SwitchFlipped(capability) => write!(f, "{capability} was switched on or off"),
            Self::AssignmentChanged(capability) => write!(f, "the assignment of {capability} was changed"),
            Self::TargetChanged(capability) => write!(f, "what {capability} works on was changed"),
            Self::RuntimeChanged => f.write_str("the runtime was changed"),
            Self::EndedByPerson => f.write_str("it was ended in Notegate"),
            Self::Expired => f.write_str("its lifetime is over"),
            Self::ShuttingDown => f.write_str("Notegate is closing"),
        }
    }
}

/// The right of one session of one runtime to call. Lives in memory only.
#[derive(Debug)]
pub struct Grant {
    pub id: GrantId,
    pub runtime: RuntimeId,
    pub kind: RuntimeKind,
    pub mode: WorkMode,
    pub approval: ApprovalPolicy,
    /// Capabilities that were on, assigned and available when the grant was made.
    pub capabilities: BTreeSet<Capability>,
    /// The settings under which it was made.
    pub generation: u64,
    /// A label for the log; no authority.
    pub session: Option<SessionLabel>,
    /// Made from a one-off token (dead for good once revoked), not from a key.
    pub one_off: bool,
    ended: CancellationToken,
    reason: OnceLock<EndReason>,
}

/// What a grant is made of; everything but its end.
pub(super) struct GrantParts {
    pub id: GrantId,
    pub runtime: RuntimeId,
    pub kind: RuntimeKind,
    pub mode: WorkMode,
    pub approval: ApprovalPolicy,
    pub capabilities: BTreeSet<Capability>,
    pub generation: u64,
    pub session: Option<SessionLabel>,
    pub one_off: bool,
}

impl Grant {
    pub(super) fn new(parts: GrantParts) -> Self {
        let GrantParts { id, runtime, kind, mode, approval, capabilities, generation, session, one_off } =
            parts;
        Self {
            id,
            runtime,
            kind,
            mode,
            approval,
            capabilities,
            generation,
            session,
            one_off,
            ended: CancellationToken::new(),
            reason: OnceLock::new(),
        }
    }

    pub fn covers(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// Fires when the grant ends. Calls in flight select on it.
    pub fn ended(&self) -> &CancellationToken {
        &self.ended
    }

    /// Why it ended, or `None` while it lives.
    pub fn end_reason(&self) -> Option<EndReason> {
        // The reason is set before the token fires, so a fired token always has one.
        self.ended.is_cancelled().then(|| self.reason.get().copied().unwrap_or(EndReason::EndedByPerson))
    }

    /// Ends the grant at once, without waiting for its calls. The first reason stays.
    pub(super) fn end(&self, reason: EndReason) {
        self.reason.get_or_init(|| reason);
        self.ended.cancel();
    }
}
