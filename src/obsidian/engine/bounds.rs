//! Until when an operation may run: its cancellation, and its end in time.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::obsidian::errors::ObsidianError;

/// Longer than any process runs.
const FAR: Duration = Duration::from_secs(30 * 365 * 24 * 3600);

/// The bounds of one operation.
#[derive(Debug, Clone)]
pub(in crate::obsidian) struct Bounds {
    pub cancel: CancellationToken,
    until: Instant,
    limit: Duration,
}

impl Bounds {
    pub fn new(cancel: CancellationToken, limit: Duration) -> Self {
        let now = Instant::now();
        // A time that no clock reaches is as good as none.
        let until = now.checked_add(limit).unwrap_or(now + FAR);
        Self { cancel, until, limit }
    }

    /// Runs `work` within the bounds; outside of them it is dropped where it stands.
    pub async fn run<T>(&self, work: impl Future<Output = T>) -> Result<T, ObsidianError> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(ObsidianError::Cancelled),
            done = work => Ok(done),
            () = tokio::time::sleep_until(self.until) => Err(ObsidianError::Timeout { limit: self.limit }),
        }
    }

    /// Runs `work` on a thread that may block, and waits for its end in any case. At the bounds its
    /// token fires, and what it answers after that is not looked at.
    ///
    /// # Errors
    /// Out of bounds, or `work` panicked.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&CancellationToken) -> T + Send + 'static,
    ) -> Result<T, ObsidianError> {
        let stop = self.cancel.child_token();
        let _with_us = stop.clone().drop_guard();
        let token = stop.clone();
        let mut task = tokio::task::spawn_blocking(move || work(&token));
        match self.run(&mut task).await {
            // What a panic says may hold the text of a note, so it goes no further than the log.
            Ok(joined) => joined.map_err(|_| ObsidianError::Internal("the engine broke off".into())),
            Err(out_of_bounds) => {
                stop.cancel();
                let _ = task.await;
                Err(out_of_bounds)
            }
        }
    }

    /// No success is reported after a cancellation (LR-7, LR-8).
    pub fn check(&self) -> Result<(), ObsidianError> {
        if self.cancel.is_cancelled() { Err(ObsidianError::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    /// Works until it is told to stop, and then says so.
    fn endless(ended: &Arc<AtomicBool>) -> impl FnOnce(&CancellationToken) + Send + 'static {
        let ended = Arc::clone(ended);
        move |stop| {
            while !stop.is_cancelled() {
                std::thread::yield_now();
            }
            ended.store(true, Ordering::SeqCst);
        }
    }

    #[tokio::test]
    async fn lr7_work_is_told_to_stop_and_waited_for() {
        let ended = Arc::new(AtomicBool::new(false));
        let short = Bounds::new(CancellationToken::new(), Duration::from_millis(20));
        let outcome = short.run_blocking(endless(&ended)).await;
        assert!(matches!(outcome, Err(ObsidianError::Timeout { .. })));
        assert!(ended.swap(false, Ordering::SeqCst), "by the end of its time");

        let bounds = Bounds::new(CancellationToken::new(), LONG);
        let (outcome, ()) =
            tokio::join!(bounds.run_blocking(endless(&ended)), async { bounds.cancel.cancel() });
        assert!(matches!(outcome, Err(ObsidianError::Cancelled)));
        assert!(ended.load(Ordering::SeqCst), "by the end of its caller");
    }

    #[tokio::test]
    async fn a_limit_that_no_clock_reaches_is_none() {
        let bounds = Bounds::new(CancellationToken::new(), Duration::MAX);
        assert!(bounds.run(async { 7 }).await.is_ok_and(|done| done == 7));
    }

    #[tokio::test]
    async fn work_that_panics_is_answered_and_its_words_are_kept_back() {
        let bounds = Bounds::new(CancellationToken::new(), LONG);
        let outcome = bounds.run_blocking(|_| -> () { panic!("text of a note") }).await;
        let error = outcome.unwrap_err();
        assert_eq!(error.code(), "internal");
        assert!(!error.to_string().contains("text of a note"), "{error}");
    }
}
