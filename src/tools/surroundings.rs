//! What the service for kernels is given while there is no activity log and nobody to ask.

use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::{BoxFuture, ready};

use crate::siyuan::{Ending, Intent, NotRecorded, Observer, OperationId};

/// Records to the program's log, names and ids only.
#[derive(Debug, Default)]
pub struct LogObserver {
    count: AtomicU64,
}

impl Observer for LogObserver {
    fn begin<'a>(&'a self, intent: &'a Intent) -> BoxFuture<'a, Result<OperationId, NotRecorded>> {
        let operation = format!("op-{}", self.count.fetch_add(1, Ordering::Relaxed));
        let endpoint = intent.endpoints.first().map(|(key, _)| key.to_string());
        let Intent { tool, kernel, decided, writes, .. } = intent;
        tracing::debug!(operation, tool, %kernel, endpoint, ?decided, writes, "an operation begins");
        Box::pin(ready(Ok(OperationId(operation))))
    }

    fn end<'a>(
        &'a self,
        operation: &'a OperationId,
        ending: &'a Ending,
    ) -> BoxFuture<'a, Result<(), NotRecorded>> {
        tracing::debug!(operation = operation.0, outcome = ?ending.outcome, code = ending.code, "an operation ended");
        Box::pin(ready(Ok(())))
    }
}
