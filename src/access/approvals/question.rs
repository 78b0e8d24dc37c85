//! One question, the ways in which it can end, and how it looks to a person.

use std::fmt;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::{ArgumentsDigest, TextChange};
use crate::access::SessionLabel;
use crate::settings::{ApprovalPolicy, RuntimeId};

/// The most of a change that is shown, in characters.
const SHOWN_CHANGE: usize = 20_000;

/// What a call wants to have approved.
#[derive(Debug, Clone)]
pub struct Ask {
    pub runtime: RuntimeId,
    pub session: Option<SessionLabel>,
    /// What the runtime's policy says about being asked.
    pub policy: ApprovalPolicy,
    /// The settings under which the caller was let in.
    pub generation: u64,
    pub tool: String,
    pub kernel: Option<String>,
    /// The keys of what is reached.
    pub endpoints: Vec<String>,
    pub arguments: ArgumentsDigest,
    /// What is about to change, for a person to read. Secrets are taken out, and what is long is cut.
    pub change: String,
    /// The text that it would change, where one is known; treated the same.
    pub text: Option<TextChange>,
    /// The caller hears that its call still runs, so it waits as long as it takes.
    pub patient: bool,
}

/// Why a call was not approved. Nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Declined {
    #[error("the person refused it")]
    Refused,
    #[error("nobody answered in time. Ask the person, then repeat the call")]
    Expired,
    #[error("the call was cancelled while the person was being asked")]
    Cancelled,
    #[error(
        "it needs the person's approval, and nobody can answer now. The person can open Notegate's window or run \
         `notegate approvals --watch`"
    )]
    NobodyToAsk,
    #[error("it needs the person's approval, and this runtime is set never to ask")]
    NeverAsked,
    #[error(
        "the settings were changed while the person was being asked. Repeat the call to have it judged anew"
    )]
    ConfigurationChanged,
    #[error("the person is being asked. Repeat the identical call to wait for the answer or to receive it")]
    Pending,
    #[error("an identical call has used the person's answer. Repeat the call if it is meant twice")]
    Used,
    #[error(
        "questions of this session are refused for a while, since the person refused all of them or left two unanswered. The \
         person can lift that in Notegate"
    )]
    Paused,
}

impl Declined {
    /// The word for it in results, stable for scripts and models.
    pub fn code(self) -> &'static str {
        match self {
            Self::Refused => "approval_refused",
            Self::Expired => "approval_expired",
            Self::Cancelled => "approval_cancelled",
            Self::NobodyToAsk => "approval_unavailable",
            Self::NeverAsked => "approval_never",
            Self::ConfigurationChanged => "configuration_changed",
            Self::Pending => "approval_pending",
            Self::Used => "approval_used",
            Self::Paused => "approvals_paused",
        }
    }
}

/// Why a person's answer does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    #[error("there is no question {0}")]
    Unknown(QuestionId),
    #[error("too late: the time of question {0} was over. Nothing was sent")]
    TooLate(QuestionId),
    #[error("question {0} was answered before")]
    Answered(QuestionId),
    #[error("the call of question {0} was cancelled. Nothing was sent")]
    Cancelled(QuestionId),
    #[error("the settings were changed since question {0} was asked. Nothing was sent")]
    ConfigurationChanged(QuestionId),
}

impl AnswerError {
    pub fn code(self) -> &'static str {
        match self {
            Self::Unknown(_) => "unknown_question",
            Self::TooLate(_) => "too_late",
            Self::Answered(_) => "answered",
            Self::Cancelled(_) => "approval_cancelled",
            Self::ConfigurationChanged(_) => "configuration_changed",
        }
    }
}

/// Numbers the questions of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct QuestionId(pub u64);

impl fmt::Display for QuestionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionState {
    /// It can be answered.
    Open,
    /// It is approved, and its caller has not come back for that yet.
    Approved,
    /// It was approved, and the call went on.
    Used,
    Refused,
    /// Its time was over, and nothing was sent.
    TooLate,
    /// Its call ended, and nothing was sent.
    Cancelled,
    /// The settings were changed, and nothing was sent.
    ConfigurationChanged,
    /// Everybody who could answer had gone, and nothing was sent.
    NobodyToAsk,
    /// It was approved, and its caller did not come back. Nothing was sent.
    NotTaken,
}

/// What an answer is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binding {
    pub runtime: RuntimeId,
    pub session: Option<SessionLabel>,
    pub tool: String,
    pub kernel: Option<String>,
    pub endpoints: Vec<String>,
    pub arguments: ArgumentsDigest,
    pub generation: u64,
}

#[derive(Debug)]
pub(super) struct Question {
    pub binding: Binding,
    pub change: String,
    /// While it is open.
    pub text: Option<TextChange>,
    pub asked: SystemTime,
    pub ends: SystemTime,
    /// When it ends while it is open, and afterwards until when its decision waits for its caller.
    pub until: Instant,
    pub state: QuestionState,
    /// When it came to that state.
    pub since: SystemTime,
    /// Calls that wait for it now.
    pub waiting: usize,
}

impl Question {
    pub(super) fn view(&self, id: QuestionId) -> QuestionView {
        let Binding { runtime, session, tool, kernel, endpoints, .. } = self.binding.clone();
        QuestionView {
            id,
            runtime,
            session,
            tool,
            kernel,
            endpoints,
            change: self.change.clone(),
            text: self.text.clone(),
            asked: self.asked,
            ends: self.ends,
            state: self.state,
            since: self.since,
        }
    }
}

/// A question as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuestionView {
    pub id: QuestionId,
    pub runtime: RuntimeId,
    pub session: Option<SessionLabel>,
    pub tool: String,
    pub kernel: Option<String>,
    pub endpoints: Vec<String>,
    /// What is about to change, or was.
    pub change: String,
    /// The text that it would change, where one is known; gone when the question has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<TextChange>,
    pub asked: SystemTime,
    /// When it ends, if nobody answers.
    pub ends: SystemTime,
    pub state: QuestionState,
    /// When it came to that state.
    pub since: SystemTime,
}

/// Why the questions of a session are refused for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PauseReason {
    /// It left two questions unanswered.
    Unanswered,
    /// The person refused all that it asked.
    RefusedAll,
}

/// A session whose questions are refused for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseView {
    pub runtime: RuntimeId,
    pub session: Option<SessionLabel>,
    pub reason: PauseReason,
    pub ends: SystemTime,
}

/// All questions as a person sees them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalsView {
    /// The newest first: those that can be answered, and some that ended lately.
    pub questions: Vec<QuestionView>,
    pub paused: Vec<PauseView>,
    /// Somebody can answer now.
    pub answerable: bool,
}

/// The change as it is shown.
pub(super) fn shown(change: &str) -> String {
    cut(change, SHOWN_CHANGE)
}

/// Cuts what is longer than so many characters, and says so.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            let left = text[end..].chars().count();
            format!("{}… (and {left} characters more)", &text[..end])
        }
        None => text.to_owned(),
    }
}
