//! The calls that are served by themselves, by the request that asked for them, so that
//! `notifications/cancelled` finds them. rmcp does this only inside a session that it carries; a
//! legacy client without one cancels as well.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::response::Response;
use futures_util::StreamExt as _;
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

/// The requests of open sessions that are being answered. rmcp carries answers by their request's id, so
/// of two with one id the first would never get its own.
#[derive(Debug, Clone, Default)]
pub(super) struct InFlight(Arc<Mutex<HashSet<CallKey>>>);

/// A request that is being answered: from when it came until its work has ended and its answer is out.
#[derive(Debug)]
pub(super) struct Asked {
    all: InFlight,
    key: CallKey,
}

impl InFlight {
    /// `None` while a request of the same id is being answered.
    pub(super) fn begin(&self, key: CallKey) -> Option<Arc<Asked>> {
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        is_new.then(|| Arc::new(Asked { all: self.clone(), key }))
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

/// Ties the request to the stream of its answer. A client that lost it may come back for the answer, so
/// the work goes on, and the id stays taken for as long.
pub(super) fn until_sent(asked: Arc<Asked>, response: Response) -> Response {
    response.map(|body| {
        Body::from_stream(body.into_data_stream().map(move |chunk| {
            let _held_until_the_stream_is_dropped = &asked;
            chunk
        }))
    })
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

    #[tokio::test]
    async fn an_id_is_taken_until_its_work_has_ended_and_its_answer_is_out() {
        let all = InFlight::default();
        let key = CallKey {
            runtime: RuntimeId::new("a").unwrap(),
            session: Some(SessionLabel("s".into())),
            request: RequestId::Number(1),
        };
        let begun = all.begin(key.clone()).unwrap();
        assert!(all.begin(key.clone()).is_none());
        let work = Arc::clone(&begun);
        let answered = until_sent(begun, Response::new(Body::from("x")));
        axum::body::to_bytes(answered.into_body(), 10).await.unwrap();
        assert!(all.begin(key.clone()).is_none(), "its work goes on");
        drop(work);
        assert!(all.begin(key).is_some());
    }

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
