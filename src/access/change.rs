//! A change of what grants rest on, from its beginning to its end.

use std::sync::Arc;

use super::book::Access;
use super::grant::EndReason;
use super::policy::Policy;
use crate::settings::{Capability, RuntimeId};

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

/// A change under way. Commit it with the new policy; dropping it keeps the old one, and the
/// grants that it revoked stay dead.
#[derive(Debug)]
#[must_use = "requests wait until the change is committed or dropped"]
pub struct Change {
    access: Access,
}

impl Change {
    pub(super) fn of(access: Access) -> Self {
        Self { access }
    }

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
