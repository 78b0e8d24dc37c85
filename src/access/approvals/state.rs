//! All questions, and what time and people do to them. Nothing here waits.

use std::collections::HashMap;
use std::time::SystemTime;

use tokio::time::Instant;

use super::question::{AnswerError, Binding, PauseReason, PauseView, Question, QuestionId, QuestionState};
use super::{ApprovalsView, Questions, TextChange, Times};
use crate::access::SessionLabel;
use crate::settings::RuntimeId;

/// How many questions that ended are still shown.
const ENDED_SHOWN: usize = 20;

/// So many unanswered questions hold a session back.
const UNANSWERED: u32 = 2;

/// A conversation of a runtime, as far as the protocol shows it.
type Session = (RuntimeId, Option<SessionLabel>);

#[derive(Debug)]
pub(super) struct State {
    questions: Questions,
    next: u64,
    unanswered: HashMap<Session, Unanswered>,
    /// Those who can answer.
    pub(super) answerers: usize,
    /// Until then somebody who was there is taken to come back.
    pub(super) visited_until: Option<Instant>,
    generation: u64,
    times: Times,
}

#[derive(Debug, Default)]
struct Unanswered {
    count: u32,
    paused: Option<Pause>,
}

#[derive(Debug, Clone, Copy)]
struct Pause {
    reason: PauseReason,
    until: Instant,
    ends: SystemTime,
}

impl Pause {
    fn new(reason: PauseReason, now: Instant, times: Times) -> Self {
        Self { reason, until: now + times.pause, ends: SystemTime::now() + times.pause }
    }
}

/// Somewhere among the numbers of four digits, so that an answer to a question of an earlier process fits none.
fn first_number() -> u64 {
    // Without chance, numbers begin alike each time, which is no harm while the person reads what they answer.
    1000 + u64::from(getrandom::u32().unwrap_or_default() % 8000)
}

impl State {
    pub(super) fn new(generation: u64, times: Times) -> Self {
        Self {
            questions: Questions::new(),
            next: first_number(),
            unanswered: HashMap::new(),
            answerers: 0,
            visited_until: None,
            generation,
            times,
        }
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    pub(super) fn question(&mut self, id: QuestionId) -> Option<&mut Question> {
        self.questions.get_mut(&id)
    }

    pub(super) fn somebody_can_answer(&self, now: Instant) -> bool {
        self.answerers > 0 || self.visited_until.is_some_and(|until| until > now)
    }

    pub(super) fn is_paused(&self, session: &Session) -> bool {
        self.unanswered.get(session).is_some_and(|unanswered| unanswered.paused.is_some())
    }

    /// The question that an identical call belongs to: one that is open, or decided and not taken yet.
    pub(super) fn standing(&self, binding: &Binding, now: Instant) -> Option<QuestionId> {
        let stands = |question: &Question| match question.state {
            QuestionState::Open | QuestionState::Approved => true,
            // Told to nobody yet.
            QuestionState::Refused => question.waiting == 0 && question.until > now,
            _ => false,
        };
        let found = self.questions.iter().rev().find(|(_, one)| one.binding == *binding && stands(one));
        found.map(|(id, _)| *id)
    }

    pub(super) fn open(
        &mut self,
        binding: Binding,
        change: String,
        text: Option<TextChange>,
        now: Instant,
    ) -> QuestionId {
        let id = QuestionId(self.next);
        self.next += 1;
        let asked = SystemTime::now();
        let question = Question {
            binding,
            change,
            text,
            asked,
            ends: asked + self.times.expiry,
            until: now + self.times.expiry,
            state: QuestionState::Open,
            since: asked,
            waiting: 0,
        };
        self.questions.insert(id, question);
        id
    }

    pub(super) fn answer(&mut self, id: QuestionId, approve: bool, now: Instant) -> Result<(), AnswerError> {
        let question = self.questions.get_mut(&id).ok_or(AnswerError::Unknown(id))?;
        match question.state {
            QuestionState::Open => {}
            QuestionState::TooLate | QuestionState::NobodyToAsk => return Err(AnswerError::TooLate(id)),
            QuestionState::Cancelled => return Err(AnswerError::Cancelled(id)),
            QuestionState::ConfigurationChanged => return Err(AnswerError::ConfigurationChanged(id)),
            _ => return Err(AnswerError::Answered(id)),
        }
        question.end(if approve { QuestionState::Approved } else { QuestionState::Refused });
        question.until = now + self.times.claim;
        let session = (question.binding.runtime.clone(), question.binding.session.clone());
        self.unanswered.remove(&session);
        self.forget_old_ones();
        Ok(())
    }

    /// Refuses what a session has asked, and for a while whatever else it would ask. What was approved before
    /// stays approved.
    pub(super) fn refuse_all(&mut self, runtime: &RuntimeId, session: Option<&SessionLabel>, now: Instant) {
        let asked = |question: &&mut Question| {
            question.state == QuestionState::Open
                && question.binding.runtime == *runtime
                && question.binding.session.as_ref() == session
        };
        for question in self.questions.values_mut().filter(asked) {
            question.end(QuestionState::Refused);
            question.until = now + self.times.claim;
        }
        let paused = Some(Pause::new(PauseReason::RefusedAll, now, self.times));
        self.unanswered.insert((runtime.clone(), session.cloned()), Unanswered { count: 0, paused });
        self.forget_old_ones();
    }

    pub(super) fn lift(&mut self, runtime: &RuntimeId, session: Option<&SessionLabel>) -> bool {
        let lifted = self.unanswered.remove(&(runtime.clone(), session.cloned()));
        lifted.is_some_and(|unanswered| unanswered.paused.is_some())
    }

    pub(super) fn configured(&mut self, generation: u64, now: Instant) {
        self.generation = generation;
        for question in
            self.questions.values_mut().filter(|question| question.binding.generation < generation)
        {
            if matches!(question.state, QuestionState::Open | QuestionState::Approved) {
                question.end(QuestionState::ConfigurationChanged);
            }
            question.until = question.until.min(now);
        }
        self.forget_old_ones();
    }

    /// Ends what has come to its end. `true`: something changed.
    pub(super) fn expire(&mut self, now: Instant) -> bool {
        let answerable = self.somebody_can_answer(now);
        let mut changed = self.visited_until.take_if(|until| *until <= now).is_some();
        let mut unanswered = Vec::new();
        // The monotonic clock stands still while the computer sleeps; what a person reads is the other one.
        let by_the_clock = SystemTime::now();
        for question in self.questions.values_mut() {
            let is_over = question.until <= now;
            match question.state {
                QuestionState::Open if is_over || question.ends <= by_the_clock => {
                    question.end(QuestionState::TooLate);
                    unanswered.push((question.binding.runtime.clone(), question.binding.session.clone()));
                }
                QuestionState::Open if !answerable => question.end(QuestionState::NobodyToAsk),
                QuestionState::Approved if is_over => question.end(QuestionState::NotTaken),
                _ => continue,
            }
            changed = true;
        }
        for session in unanswered {
            let unanswered = self.unanswered.entry(session).or_default();
            unanswered.count += 1;
            if unanswered.count >= UNANSWERED {
                unanswered.paused = Some(Pause::new(PauseReason::Unanswered, now, self.times));
            }
        }
        let before = self.unanswered.len();
        self.unanswered.retain(|_, unanswered| unanswered.paused.is_none_or(|pause| pause.until > now));
        changed |= before != self.unanswered.len();
        self.forget_old_ones();
        changed
    }

    /// When [`State::expire`] has something to do next.
    pub(super) fn next_end(&self) -> Option<Instant> {
        let standing =
            |question: &&Question| matches!(question.state, QuestionState::Open | QuestionState::Approved);
        let questions = self.questions.values().filter(standing).map(|question| question.until);
        let paused =
            self.unanswered.values().filter_map(|unanswered| unanswered.paused).map(|pause| pause.until);
        questions.chain(paused).chain(self.visited_until).min()
    }

    pub(super) fn view(&self, now: Instant) -> ApprovalsView {
        let mut paused: Vec<_> = self
            .unanswered
            .iter()
            .filter_map(|((runtime, session), unanswered)| {
                let Pause { reason, ends, .. } = unanswered.paused?;
                Some(PauseView { runtime: runtime.clone(), session: session.clone(), reason, ends })
            })
            .collect();
        paused.sort_by(|a, b| (&a.runtime, &a.session).cmp(&(&b.runtime, &b.session)));
        ApprovalsView {
            questions: self.questions.iter().rev().map(|(id, question)| question.view(*id)).collect(),
            paused,
            answerable: self.somebody_can_answer(now),
        }
    }

    /// Keeps the latest of those that ended, for whoever answers late and for whoever looks.
    fn forget_old_ones(&mut self) {
        let ended: Vec<QuestionId> = self
            .questions
            .iter()
            .filter(|(_, one)| {
                one.waiting == 0 && !matches!(one.state, QuestionState::Open | QuestionState::Approved)
            })
            .map(|(id, _)| *id)
            .collect();
        for id in ended.iter().take(ended.len().saturating_sub(ENDED_SHOWN)) {
            self.questions.remove(id);
        }
        // Sessions that left one question and never came back.
        const MOST_SESSIONS: usize = 1000;
        if self.unanswered.len() > MOST_SESSIONS {
            self.unanswered.retain(|_, unanswered| unanswered.paused.is_some());
        }
    }
}

impl Question {
    pub(super) fn end(&mut self, state: QuestionState) {
        self.state = state;
        self.since = SystemTime::now();
        self.text = None;
    }

    /// Its decision was told; nobody gets it again.
    pub(super) fn told(&mut self, now: Instant) {
        self.until = now;
    }
}
