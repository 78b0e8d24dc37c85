//! A call that may be made, from its capability to its end, or to that of its caller, its grant or its time.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::catalogue::{Door, Tool};
use super::{Call, CallConfig, Code, Reply, ToolError, Tools, recorded};
use crate::access::Grant;
use crate::activity::{CallId, Decision};
use crate::obsidian;
use crate::siyuan::Execution;
use crate::siyuan::permissions::Standing;

/// How long an answer waits for the clean-up of a call that was ended. The clean-up itself goes on
/// until it is done, and closing waits for it.
const CLEAN_UP_GRACE: Duration = Duration::from_secs(2);

const CANCELLED: &str =
    "the call was cancelled. What had reached the disk by then stays; read before you repeat a write";

/// What a call is held within.
struct Bounds {
    grant: Arc<Grant>,
    cancel: CancellationToken,
    time: Duration,
    /// Tells the work to end.
    stop: CancellationToken,
    /// True while a person is waited for.
    asking: watch::Receiver<bool>,
}

/// How work and its bounds ended.
enum Ended<T> {
    Done(T),
    /// There is no success, whatever the work says; `None`: it has not come to its end in time.
    Cut(ToolError, Option<T>),
}

impl Tools {
    pub(super) async fn run(
        &self,
        config: &CallConfig,
        tool: &'static Tool,
        call: Call,
        id: CallId,
    ) -> Result<Reply, ToolError> {
        let stop = CancellationToken::new();
        let _stop_when_dropped = stop.clone().drop_guard();
        let (asks, asking) = watch::channel(false);
        let (grant, cancel) = (Arc::clone(&call.grant), call.cancel.clone());
        let bounds =
            Bounds { grant, cancel, time: Duration::from_secs(config.limits.call_seconds), stop, asking };
        match tool.door {
            Door::Obsidian(spec) => self.run_on_vaults(config, tool, spec, call, id, &bounds).await,
            Door::Siyuan(spec) => {
                let execution = execution(&call, id, &bounds.stop, asks);
                let work = self.inner.siyuan.invoke(spec.name, call.arguments, Some(execution));
                match bounds.hold(async { work.await.map_err(ToolError::from) }).await {
                    Ended::Done(result) => result.map(Reply::from),
                    // What is known of a write that was under way counts more than why it was ended.
                    Ended::Cut(_, Some(Err(error))) if error.is_uncertain() => Err(error),
                    Ended::Cut(cut, _) => Err(cut),
                }
            }
        }
    }

    /// Vaults know nothing of the record, so it is kept here.
    async fn run_on_vaults(
        &self,
        config: &CallConfig,
        tool: &'static Tool,
        spec: &'static obsidian::ToolSpec,
        call: Call,
        id: CallId,
        bounds: &Bounds,
    ) -> Result<Reply, ToolError> {
        let intent = recorded::intent(&call, id, Decision::Direct);
        let begun = self.inner.activity.begin(intent).await;
        let operation = begun.map_err(|error| ToolError::not_recorded(&error))?;
        let progress = obsidian::Progress::default();
        let CallConfig { scope, engine, .. } = config;
        let service = &self.inner.obsidian;
        let work = service.call_observed(scope, *engine, spec, call.arguments, &bounds.stop, &progress);
        let ended = bounds.hold(work).await;
        let said = match &ended {
            Ended::Done(result) => Some(result),
            Ended::Cut(_, result) => result.as_ref(),
        };
        let mut ending = recorded::ending(tool, said, &progress);
        if let Ended::Cut(cut, None | Some(Err(_))) = &ended {
            ending.code = Some(cut.code.as_str().to_owned());
        }
        let outcome = ending.outcome;
        let unrecorded = operation.end(ending).await.err();
        let reply = match ended {
            Ended::Done(result) => result.map(Reply::from).map_err(ToolError::from),
            Ended::Cut(cut, _) => Err(cut),
        };
        match unrecorded {
            Some(error) if recorded::must_not_be_repeated(tool, outcome) => {
                Ok(recorded::with_warning(reply.unwrap_or_else(Reply::from), &error))
            }
            _ => reply,
        }
    }
}

impl Bounds {
    /// Waits for the work, and ends it where a bound is met first.
    async fn hold<T>(&self, work: impl Future<Output = T>) -> Ended<T> {
        tokio::pin!(work);
        let cut = tokio::select! {
            biased;
            () = self.grant.ended().cancelled() => ToolError::revoked(&self.grant),
            () = self.cancel.cancelled() => ToolError::new(Code::Cancelled, CANCELLED),
            result = &mut work => {
                // The grant may have ended between the result and now; then there is no success.
                return if self.grant.ended().is_cancelled() {
                    Ended::Cut(ToolError::revoked(&self.grant), Some(result))
                } else {
                    Ended::Done(result)
                };
            }
            () = self.out_of_time() => ToolError::timeout(self.time.as_secs()),
        };
        self.stop.cancel();
        Ended::Cut(cut, tokio::time::timeout(CLEAN_UP_GRACE, work).await.ok())
    }

    /// Waits until the call has had its time. While a person is asked the time stands still.
    async fn out_of_time(&self) {
        let (mut asking, mut left) = (self.asking.clone(), self.time);
        loop {
            // An error says that there is nobody any more who could ask.
            let _ = asking.wait_for(|asking| !asking).await;
            let since = Instant::now();
            tokio::select! {
                () = tokio::time::sleep(left) => return,
                Ok(_) = asking.wait_for(|asking| *asking) => left = left.saturating_sub(since.elapsed()),
            }
        }
    }
}

/// What a kernel's service is told of the call that it works for.
fn execution(call: &Call, id: CallId, stop: &CancellationToken, asking: watch::Sender<bool>) -> Execution {
    let grant = &call.grant;
    Execution {
        runtime: grant.runtime.clone(),
        session: grant.session.as_ref().map(|label| label.0.clone()),
        call: id,
        standing: Standing { mode: grant.mode, approval: grant.approval },
        generation: grant.generation,
        patient: call.patient,
        asking,
        cancel: stop.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use super::*;
    use crate::access::{Access, Policy};
    use crate::settings::{RuntimeId, Settings, WorkMode};

    #[tokio::test]
    async fn the_time_in_which_a_person_is_asked_is_not_the_calls_own() {
        let (asks, asking) = watch::channel(true);
        let access = Access::new(Policy::from_settings(&Settings::default(), 1));
        let runtime = RuntimeId::new("custom").unwrap();
        let bounds = Bounds {
            grant: access.admit_local(runtime, WorkMode::Ask).await.unwrap(),
            cancel: CancellationToken::new(),
            time: Duration::from_millis(20),
            stop: CancellationToken::new(),
            asking,
        };
        let mut work = pin!(bounds.hold(std::future::pending::<()>()));
        // Far more than the call has, and still it is not over.
        assert!(tokio::time::timeout(Duration::from_millis(200), &mut work).await.is_err());
        asks.send_replace(false);
        assert!(matches!(work.await, Ended::Cut(ToolError { code: Code::Timeout, .. }, _)));
    }
}
