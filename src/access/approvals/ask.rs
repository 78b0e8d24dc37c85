//! A call that asks and waits.

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Approvals;
use super::question::{Ask, Binding, Declined, QuestionId, QuestionState, shown};
use super::state::State;
use crate::settings::ApprovalPolicy;

/// A person's approval of one call. It is given once; hold it against the settings before sending.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "an approval that is not used is used up all the same"]
pub struct Approved {
    /// The settings under which it was asked and given.
    pub generation: u64,
}

impl Approvals {
    /// Asks a person, and waits for the answer, the end of the question, or `cancel`. Dropping the future
    /// cancels as well.
    ///
    /// # Errors
    /// There was no approval, for the reason that the error gives. Nothing may be sent.
    pub async fn ask(&self, ask: Ask, cancel: &CancellationToken) -> Result<Approved, Declined> {
        if ask.policy == ApprovalPolicy::Never {
            return Err(Declined::NeverAsked);
        }
        let patient = ask.patient;
        let mut ticks = self.watch();
        let mut waiter = self.enter(ask)?;
        let away = tokio::time::sleep(self.inner.times.pending_after);
        tokio::pin!(away);
        loop {
            ticks.mark_unchanged();
            if let Some(outcome) = waiter.look() {
                return outcome;
            }
            tokio::select! {
                biased;
                () = cancel.cancelled() => return Err(Declined::Cancelled),
                // The sender lives as long as `self`, so this cannot fail.
                _ = ticks.changed() => {}
                () = &mut away, if !patient => {
                    waiter.leave();
                    return Err(Declined::Pending);
                }
            }
        }
    }

    /// Whether a person would be shown a new question by this now: there is somebody, and no identical one stands.
    pub fn would_open(&self, ask: Ask) -> bool {
        ask.policy != ApprovalPolicy::Never
            && self.at_this_moment(|state, now| matches!(admitted(state, ask, now), Ok(Admitted::New(_))))
    }

    /// Joins the question of an identical call, or opens one.
    fn enter(&self, ask: Ask) -> Result<Waiter, Declined> {
        let (change, text) = (shown(&self.inner.filters.written(&ask.change)), ask.text.clone());
        let text = text.map(|text| text.shown(&self.inner.filters));
        let entered = self.at_this_moment(|state, now| {
            let question = match admitted(state, ask, now)? {
                Admitted::Joins(question) => question,
                Admitted::New(binding) => state.open(binding, change, text, now),
            };
            if let Some(question) = state.question(question) {
                question.waiting += 1;
            }
            Ok(question)
        });
        self.tick();
        entered.map(|question| Waiter { approvals: self.clone(), question, stays: false })
    }
}

/// What becomes of a call that asks.
enum Admitted {
    /// An identical one has a question that stands.
    Joins(QuestionId),
    New(Binding),
}

fn admitted(state: &State, ask: Ask, now: Instant) -> Result<Admitted, Declined> {
    let Ask { runtime, session, generation, tool, kernel, endpoints, arguments, .. } = ask;
    if generation < state.generation() {
        return Err(Declined::ConfigurationChanged);
    }
    let generation = state.generation();
    let session_of = (runtime.clone(), session.clone());
    let binding = Binding { runtime, session, tool, kernel, endpoints, arguments, generation };
    match state.standing(&binding, now) {
        Some(question) => Ok(Admitted::Joins(question)),
        None if state.is_paused(&session_of) => Err(Declined::Paused),
        None if !state.somebody_can_answer(now) => Err(Declined::NobodyToAsk),
        None => Ok(Admitted::New(binding)),
    }
}

/// A call that waits. Dropped, it takes its question with it, unless others wait for that as well or it
/// only went to come back.
struct Waiter {
    approvals: Approvals,
    question: QuestionId,
    /// The question stays when the waiter goes.
    stays: bool,
}

impl Waiter {
    /// What there is for this call by now. An approval is for the first who looks.
    fn look(&mut self) -> Option<Result<Approved, Declined>> {
        let looked = self.approvals.at_this_moment(|state, now| {
            let question = state.question(self.question)?;
            Some(match question.state {
                QuestionState::Open => return None,
                QuestionState::Approved => {
                    question.end(QuestionState::Used);
                    Ok(Approved { generation: question.binding.generation })
                }
                QuestionState::Refused => {
                    question.told(now);
                    Err(Declined::Refused)
                }
                QuestionState::Used => Err(Declined::Used),
                QuestionState::TooLate | QuestionState::NotTaken => Err(Declined::Expired),
                QuestionState::Cancelled => Err(Declined::Cancelled),
                QuestionState::ConfigurationChanged => Err(Declined::ConfigurationChanged),
                QuestionState::NobodyToAsk => Err(Declined::NobodyToAsk),
            })
        });
        if looked.is_some() {
            self.approvals.tick(); // what became of it is shown
        }
        looked
    }

    /// Goes without taking the question along.
    fn leave(&mut self) {
        self.stays = true;
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.approvals.change(|state| {
            let Some(question) = state.question(self.question) else { return };
            question.waiting -= 1;
            let stands = matches!(question.state, QuestionState::Open | QuestionState::Approved);
            if question.waiting == 0 && !self.stays && stands {
                question.end(QuestionState::Cancelled);
            }
        });
    }
}
