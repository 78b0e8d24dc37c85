//! What each runtime is offered now, so that clients are told when it changes and only then.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

use crate::access::{Access, Policy};
use crate::settings::{Capability, RuntimeId};

/// The capabilities of every runtime under one policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Offer {
    revision: u64,
    runtimes: HashMap<RuntimeId, BTreeSet<Capability>>,
}

impl Offer {
    /// `None` for a runtime that there is no more.
    pub(super) fn of(&self, runtime: &RuntimeId) -> Option<&BTreeSet<Capability>> {
        self.runtimes.get(runtime)
    }
}

/// The latest [`Offer`], to be followed.
#[derive(Debug)]
pub(super) struct Offers(watch::Sender<Arc<Offer>>);

impl Offers {
    pub(super) fn new(policy: &Policy) -> Self {
        // Counting from the clock makes the numbers of two starts differ.
        let start = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Self(watch::Sender::new(Arc::new(Offer { revision: start << 16, runtimes: offered(policy) })))
    }

    /// Looks at the policy in force and gives the revision of what it offers.
    pub(super) fn refresh(&self, access: &Access) -> u64 {
        self.0.send_if_modified(|current| {
            // The policy is read inside, so that two refreshes cannot put an older one last.
            let runtimes = offered(&access.policy());
            let changed = current.runtimes != runtimes;
            if changed {
                *current = Arc::new(Offer { revision: current.revision + 1, runtimes });
            }
            changed
        });
        self.0.borrow().revision
    }

    pub(super) fn now(&self) -> Arc<Offer> {
        Arc::clone(&self.0.borrow())
    }

    pub(super) fn follow(&self) -> watch::Receiver<Arc<Offer>> {
        self.0.subscribe()
    }
}

fn offered(policy: &Policy) -> HashMap<RuntimeId, BTreeSet<Capability>> {
    policy.runtimes.iter().map(|runtime| (runtime.id.clone(), policy.capabilities(runtime))).collect()
}
