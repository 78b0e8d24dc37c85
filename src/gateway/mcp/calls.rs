//! The calls that are served by themselves, by the request that asked for them, so that
//! `notifications/cancelled` finds them. rmcp does this only inside a session that it carries; a
//! legacy client without one cancels as well.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use tokio_util::sync::CancellationToken;

use crate::access::SessionLabel;
use crate::settings::RuntimeId;

/// What a client can name a call by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct CallKey {
    pub runtime: RuntimeId,
    pub session: Option<SessionLabel>,
    pub request: RequestId,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Calls(Arc<Mutex<HashMap<CallKey, Vec<CancellationToken>>>>);

/// A call that is listed; dropping it takes it off.
#[derive(Debug)]
pub(super) struct Listed {
    calls: Calls,
    key: CallKey,
    cancel: CancellationToken,
}

impl Calls {
    fn table(&self) -> MutexGuard<'_, HashMap<CallKey, Vec<CancellationToken>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn list(&self, key: CallKey, cancel: CancellationToken) -> Listed {
        self.table().entry(key.clone()).or_default().push(cancel.clone());
        Listed { calls: self.clone(), key, cancel }
    }

    /// Cancels the call of this key. Without a session two programs of one runtime may use the same
    /// request id; then nobody can tell whose call is meant, and cancelling none is the lesser evil.
    pub(super) fn cancel(&self, key: &CallKey) {
        if let Some([only]) = self.table().get(key).map(Vec::as_slice) {
            only.cancel();
        }
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let mut table = self.calls.table();
        if let Some(cancels) = table.get_mut(&self.key) {
            if let Some(place) = cancels.iter().position(|cancel| *cancel == self.cancel) {
                cancels.swap_remove(place);
            }
            if cancels.is_empty() {
                table.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancellation_ends_the_one_call_that_it_names() {
        let calls = Calls::default();
        let key = |runtime: &str, request| CallKey {
            runtime: RuntimeId::new(runtime).unwrap(),
            session: None,
            request: RequestId::Number(request),
        };
        let [mine, other, twin] = std::array::from_fn(|_| CancellationToken::new());
        let _mine = calls.list(key("a", 1), mine.clone());
        let _other = calls.list(key("b", 1), other.clone());
        let twin_listed = calls.list(key("a", 1), twin.clone());
        calls.cancel(&key("a", 1));
        assert!(!mine.is_cancelled() && !twin.is_cancelled(), "two of one id: neither is taken");
        drop(twin_listed);
        calls.cancel(&key("a", 2));
        assert!(!mine.is_cancelled());
        calls.cancel(&key("a", 1));
        assert!(mine.is_cancelled() && !other.is_cancelled());
    }
}
