//! Questions that a call has for a person, and their answers.
//!
//! A call that must be approved asks ([`Approvals::ask`]) and waits. The question is shown to whoever can
//! answer (the window, `notegate approvals --watch`); nothing here depends on anything being drawn. An
//! answer counts once, and only for what was asked: the same runtime and session, tool, kernel and
//! endpoints, the same arguments by their digest, under the same settings. Whoever gets an approval holds
//! it against the settings once more before sending.
//!
//! Time is kept here ([`Approvals::keep_time`], which the core runs): a question ends at its moment and its
//! waiter gets the refusal then; an answer that comes later is told that nothing was sent. Most clients give
//! up after a minute. One that does not hear that its call still runs gets [`Declined::Pending`] before
//! that; its identical call joins the question, or takes the decision that was made meanwhile.
//!
//! Invariants: a question is answered once, and an approval is taken by one call; what ends a question ends
//! it for everyone who waits; without anybody who could answer nothing is asked.

mod ask;
mod digest;
mod question;
mod state;
mod text;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::SessionLabel;
use crate::secrets::filter::Filters;
use crate::settings::RuntimeId;

pub use ask::Approved;
pub use digest::ArgumentsDigest;
pub use question::{
    AnswerError, ApprovalsView, Ask, Declined, PauseReason, PauseView, QuestionId, QuestionState,
    QuestionView,
};
use state::State;
pub use text::TextChange;

/// While something has an end, the clock is looked at so often.
const LOOK_AT_THE_CLOCK: Duration = Duration::from_secs(5);

/// How long things last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// A question stands for so long.
    pub expiry: Duration,
    /// After so long a caller who hears nothing meanwhile is told to come back. Clients give up after 60 s.
    pub pending_after: Duration,
    /// For so long the questions of a session that left two of them unanswered are refused.
    pub pause: Duration,
    /// For so long a decision waits for its caller to come back.
    pub claim: Duration,
    /// A program that answers by looking again and again is taken to be there for so long in between.
    pub between_looks: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            expiry: Duration::from_secs(120),
            pending_after: Duration::from_secs(45),
            pause: Duration::from_secs(300),
            claim: Duration::from_secs(120),
            between_looks: Duration::from_secs(5),
        }
    }
}

/// The questions of an instance. Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct Approvals {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    state: Mutex<State>,
    /// Counts whatever can be seen. Waiters look again.
    ticks: watch::Sender<u64>,
    /// Counts whatever may end sooner or later than before.
    ends: watch::Sender<u64>,
    filters: Filters,
    times: Times,
}

/// Somebody who can answer; dropping it says that they are gone.
#[derive(Debug)]
pub struct Answerer {
    approvals: Approvals,
    comes_back: bool,
}

impl Approvals {
    /// `filters` take secrets out of what is shown; `generation` counts the settings that are in force.
    pub fn new(filters: Filters, generation: u64, times: Times) -> Self {
        let state = Mutex::new(State::new(generation, times));
        Self {
            inner: Arc::new(Inner {
                state,
                ticks: watch::Sender::new(0),
                ends: watch::Sender::new(0),
                filters,
                times,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What is done under the lock leaves the state whole at every step.
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self) {
        self.inner.ticks.send_modify(|ticks| *ticks += 1);
        self.inner.ends.send_modify(|ends| *ends += 1);
    }

    /// Works on the state and lets everyone look who waits.
    fn change<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        let done = work(&mut self.state());
        self.tick();
        done
    }

    /// Works on the state as it is at this moment: what has come to its end has ended.
    fn at_this_moment<T>(&self, work: impl FnOnce(&mut State, Instant) -> T) -> T {
        let (mut state, now) = (self.state(), Instant::now());
        let ended = state.expire(now);
        let done = work(&mut state, now);
        drop(state);
        if ended {
            self.tick();
        }
        done
    }

    /// Ticks whenever there is something new to be shown; the number is the revision of what there is.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.inner.ticks.subscribe()
    }

    /// Somebody can answer from now on, for as long as the result lives: the window.
    pub fn answerer(&self) -> Answerer {
        self.arrive(false)
    }

    /// The same for a program that looks, answers and looks again; it counts as there for some seconds in
    /// between.
    pub fn visitor(&self) -> Answerer {
        self.arrive(true)
    }

    fn arrive(&self, comes_back: bool) -> Answerer {
        let was_answerable = self.at_this_moment(|state, now| {
            state.answerers += 1;
            state.answerers > 1 || state.visited_until.is_some_and(|until| until > now)
        });
        // Who comes back is no news: it would be told of itself.
        if !was_answerable {
            self.tick();
        }
        Answerer { approvals: self.clone(), comes_back }
    }

    /// A person's answer.
    ///
    /// # Errors
    /// There is no such question any more. Nothing was sent, or somebody answered before.
    pub fn answer(&self, question: QuestionId, approve: bool) -> Result<(), AnswerError> {
        let answered = self.at_this_moment(|state, now| state.answer(question, approve, now));
        self.tick();
        answered
    }

    /// Refuses what a session has asked, and for a while whatever else it would ask.
    pub fn refuse_all(&self, runtime: &RuntimeId, session: Option<&SessionLabel>) {
        self.at_this_moment(|state, now| state.refuse_all(runtime, session, now));
        self.tick();
    }

    /// Lets a session ask again that was held back. `false`: it was not.
    pub fn lift(&self, runtime: &RuntimeId, session: Option<&SessionLabel>) -> bool {
        self.change(|state| state.lift(runtime, session))
    }

    /// New settings are in force: what was asked under others is not approved any more.
    pub fn configured(&self, generation: u64) {
        self.change(|state| state.configured(generation, Instant::now()));
    }

    /// What a person sees.
    pub fn view(&self) -> ApprovalsView {
        self.at_this_moment(|state, now| state.view(now))
    }

    /// Ends what has come to its end, at its moment, until `quit` fires. Somebody must run it.
    pub async fn keep_time(self, quit: CancellationToken) {
        let mut ends = self.inner.ends.subscribe();
        loop {
            ends.mark_unchanged();
            let next = self.at_this_moment(|state, _| state.next_end());
            let at_its_end = async {
                match next {
                    // The computer may sleep meanwhile, which no timer counts.
                    Some(moment) => {
                        tokio::time::sleep_until(moment.min(Instant::now() + LOOK_AT_THE_CLOCK)).await
                    }
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = quit.cancelled() => return,
                () = at_its_end => {}
                changed = ends.changed() => if changed.is_err() { return },
            }
        }
    }
}

impl Drop for Answerer {
    fn drop(&mut self) {
        let now = Instant::now();
        let until = self.comes_back.then(|| now + self.approvals.inner.times.between_looks);
        let mut state = self.approvals.state();
        state.answerers -= 1;
        state.visited_until = state.visited_until.max(until);
        let is_answerable = state.somebody_can_answer(now);
        drop(state);
        self.approvals.inner.ends.send_modify(|ends| *ends += 1);
        if !is_answerable {
            self.approvals.tick();
        }
    }
}

/// Questions by their number, which is their order.
type Questions = BTreeMap<QuestionId, question::Question>;

#[cfg(test)]
mod tests;
