//! Checks of kernels: one of each at a time, with its steps and its end to be seen.

use std::collections::BTreeMap;
use std::time::SystemTime;

use tokio_util::sync::CancellationToken;

use super::actor::{Actor, Answer, Message, reply};
use super::kernels::KernelMessage;
use super::{CommandError, KernelCheck, Reply};
use crate::settings::KernelId;
use crate::siyuan::kernels::{CheckReport, CheckStep, KernelError};

/// The checks of this process.
#[derive(Debug, Default)]
pub(super) struct Checks {
    count: u64,
    checks: BTreeMap<KernelId, Check>,
}

#[derive(Debug)]
struct Check {
    state: KernelCheck,
    cancel: CancellationToken,
}

impl Checks {
    pub(super) fn state(&self, kernel: &KernelId) -> KernelCheck {
        self.checks.get(kernel).map(|check| check.state.clone()).unwrap_or_default()
    }

    /// Begins a check; `None` while one of this kernel runs.
    fn begin(&mut self, kernel: &KernelId, cancel: CancellationToken) -> Option<u64> {
        if matches!(self.state(kernel), KernelCheck::Checking { .. }) {
            return None;
        }
        self.count += 1;
        let number = self.count;
        let state = KernelCheck::Checking { number, step: CheckStep::Finding, since: SystemTime::now() };
        self.checks.insert(kernel.clone(), Check { state, cancel });
        Some(number)
    }

    pub(super) fn step(&mut self, kernel: &KernelId, ours: u64, now: CheckStep) {
        if let Some(Check { state: KernelCheck::Checking { number, step, .. }, .. }) =
            self.checks.get_mut(kernel)
            && *number == ours
        {
            *step = now;
        }
    }

    /// Notes how a check ended, unless the kernel was changed meanwhile.
    pub(super) fn end(&mut self, kernel: &KernelId, ours: u64, outcome: &Result<CheckReport, KernelError>) {
        let Some(check) = self.checks.get_mut(kernel) else { return };
        if !matches!(check.state, KernelCheck::Checking { number, .. } if number == ours) {
            return;
        }
        let (number, at) = (ours, SystemTime::now());
        check.state = match outcome.clone() {
            Ok(report) => KernelCheck::Passed { number, report, at },
            // It says nothing of the kernel.
            Err(KernelError::Cancelled) => KernelCheck::NotChecked,
            Err(error) => {
                let instances = error.instances().to_vec();
                KernelCheck::Failed { number, error: error.into(), instances, at }
            }
        };
    }

    pub(super) fn cancel(&self, kernel: &KernelId) {
        if let Some(check) = self.checks.get(kernel) {
            check.cancel.cancel();
        }
    }

    /// Forgets the check of a kernel that is not what it was, and cancels it if it runs.
    pub(super) fn forget(&mut self, kernel: &KernelId) {
        if let Some(check) = self.checks.remove(kernel) {
            check.cancel.cancel();
        }
    }
}

impl Actor {
    pub(super) fn begin_kernel_check(&mut self, id: KernelId, answer: Answer) {
        if let Err(error) = self.known_kernel(&id) {
            return reply(answer, Err(error));
        }
        // A core that is closing has no inbox any more, and nobody to tell.
        let Some(inbox) = self.inbox.upgrade() else { return };
        let cancel = self.ending.child_token();
        let Some(number) = self.checks.begin(&id, cancel.clone()) else {
            let busy = format!("a check of {id} is running already; wait for its result");
            return reply(answer, Err(CommandError::new("check_running", busy)));
        };
        let kernels = self.kernels.clone();
        self.work.spawn(async move {
            let steps = |step| {
                let message = KernelMessage::Step { kernel: id.clone(), number, step };
                // An actor that has ended shows nothing any more.
                let _ = inbox.send(Message::Kernel(message));
            };
            let outcome = kernels.check(&id, &steps, &cancel).await;
            let _ =
                inbox.send(Message::Kernel(KernelMessage::Checked { kernel: id, number, outcome, answer }));
        });
    }

    pub(super) fn begin_resuming(&mut self, id: KernelId, pid: Option<u32>, answer: Answer) {
        if let Err(error) = self.known_kernel(&id) {
            return reply(answer, Err(error));
        }
        // A core that is closing has no inbox any more, and nobody to tell.
        let Some(inbox) = self.inbox.upgrade() else { return };
        let (kernels, cancel) = (self.kernels.clone(), self.ending.child_token());
        self.work.spawn(async move {
            let outcome = kernels.resume(&id, pid, &cancel).await;
            let _ = inbox.send(Message::Kernel(KernelMessage::Resumed { kernel: id, outcome, answer }));
        });
    }

    pub(super) fn end_kernel_check(
        &mut self,
        kernel: &KernelId,
        number: u64,
        outcome: Result<CheckReport, KernelError>,
        answer: Answer,
    ) {
        self.checks.end(kernel, number, &outcome);
        self.publish();
        let outcome = outcome.map(|report| Reply::KernelChecked { report });
        reply(answer, outcome.map_err(CommandError::from));
    }
}
