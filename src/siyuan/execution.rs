//! What a call is part of, and what the service needs of its surroundings: someone who records what is
//! done, and someone who asks a person.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::endpoint::EndpointKey;
use super::permissions::{Permission, Reason, Standing};
use crate::access::approvals::{Declined, TextChange};
use crate::secrets::filter::Filters;
use crate::settings::{ApprovalPolicy, KernelId, RuntimeId};

pub use crate::activity::{CallId, Decision as Decided, OperationId, Outcome};

/// The tool call of a runtime that something is done for. Made by whoever took the call in; no argument of
/// the call says any of it.
#[derive(Debug, Clone)]
pub struct Execution {
    pub runtime: RuntimeId,
    /// The session's label; by it the session's choice of a kernel is found.
    pub session: Option<String>,
    pub call: CallId,
    pub standing: Standing,
    /// The settings under which the call was let in.
    pub generation: u64,
    /// The caller hears that its call still runs, and so waits for a person as long as it takes.
    pub patient: bool,
    /// Holds true while a person is waited for: that time is not the call's own.
    pub asking: watch::Sender<bool>,
    /// Fires when the call is over, whatever became of it.
    pub cancel: CancellationToken,
}

/// Records what is done, before and after.
pub trait Observer: fmt::Debug + Send + Sync {
    /// Called before anything is sent, and for what is refused. Where it fails, nothing is sent.
    fn begin(&self, intent: Intent) -> BoxFuture<'_, Result<Box<dyn Recorded>, NotRecorded>>;
}

/// One operation whose intent is recorded. Dropped without an ending, it stands as what it may have done.
pub trait Recorded: Send + Sync {
    fn id(&self) -> &OperationId;

    /// Records how it ended.
    fn end(self: Box<Self>, ending: Ending) -> BoxFuture<'static, Result<(), NotRecorded>>;
}

/// Asks a person.
pub trait Approver: fmt::Debug + Send + Sync {
    /// Whether a person would be shown this as a new question, so that it is worth looking up what it is about.
    fn would_open(&self, question: &Question) -> bool;

    /// Returns when there is an answer, or when it is clear that there will be none.
    ///
    /// # Errors
    /// It was not approved.
    fn ask<'a>(
        &'a self,
        question: &'a Question,
        cancel: &'a CancellationToken,
    ) -> BoxFuture<'a, Result<(), Declined>>;
}

/// The record could not be written, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotRecorded(pub String);

/// What is about to be done, or was held back. It holds names and ids, and nothing of a note's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// `None` where a program in this process calls, and no runtime.
    pub runtime: Option<RuntimeId>,
    pub session: Option<String>,
    pub call: Option<CallId>,
    pub tool: &'static str,
    /// `None` where it is not known which one is meant, and where no kernel is asked.
    pub kernel: Option<KernelId>,
    /// Each endpoint that the call reaches, with the permission in force where one was looked at.
    pub endpoints: Vec<(EndpointKey, Option<Permission>)>,
    /// It may change something.
    pub writes: bool,
    pub decided: Decided,
    /// What the arguments name.
    pub objects: Objects,
}

/// What a refusal without a person rests on.
pub(super) fn decided_by(reason: &Reason) -> Decided {
    match reason {
        Reason::ReadOnlyMode | Reason::FullAccess => Decided::Mode,
        Reason::NeverAsks => Decided::Policy,
        Reason::NoExecution => Decided::NoAnswerer,
        _ => Decided::Configuration,
    }
}

/// What an answer that is no approval rests on.
pub(super) fn declined_by(declined: Declined) -> Decided {
    match declined {
        Declined::Refused => Decided::RefusedByPerson,
        Declined::Expired | Declined::Pending | Declined::Paused => Decided::Expired,
        Declined::Cancelled => Decided::Cancelled,
        Declined::NobodyToAsk => Decided::NoAnswerer,
        Declined::NeverAsked => Decided::Policy,
        Declined::ConfigurationChanged | Declined::Used => Decided::Configuration,
    }
}

/// How an operation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    pub outcome: Outcome,
    /// The code of the error that is answered.
    pub code: Option<&'static str>,
    /// What only the answer told.
    pub objects: Objects,
}

/// Documents and blocks, by their ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Objects {
    pub documents: Vec<String>,
    pub blocks: Vec<String>,
}

impl Objects {
    pub(super) fn document(id: impl Into<String>) -> Self {
        Self { documents: vec![id.into()], blocks: Vec::new() }
    }

    pub(super) fn blocks(ids: Vec<String>) -> Self {
        Self { documents: Vec::new(), blocks: ids }
    }
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub runtime: RuntimeId,
    pub session: Option<String>,
    pub call: CallId,
    pub policy: ApprovalPolicy,
    /// The settings under which the call was let in.
    pub generation: u64,
    /// See [`Execution::patient`].
    pub patient: bool,
    pub tool: &'static str,
    pub kernel: KernelId,
    pub endpoints: Vec<EndpointKey>,
    pub writes: bool,
    /// What the call asks for, whole; `kernelId` is not among it.
    pub arguments: Map<String, Value>,
    /// The same for a person to read.
    pub summary: String,
    /// The text that the call would change, where one is known; for that person alone.
    pub text: Option<TextChange>,
}

/// What the service stands on, shared by all calls.
#[derive(Debug, Clone)]
pub struct Surroundings {
    pub observer: Arc<dyn Observer>,
    pub approver: Arc<dyn Approver>,
    /// What must not be in an answer.
    pub filters: Filters,
}
