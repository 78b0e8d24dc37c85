//! What a call is part of, and what the service needs of its surroundings: someone who records what is
//! done, and someone who asks a person.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::endpoint::EndpointKey;
use super::permissions::{Permission, Reason, Standing};
use crate::settings::{KernelId, RuntimeId};

/// The tool call of a runtime that something is done for. Made by whoever took the call in; no argument of
/// the call says any of it.
#[derive(Debug, Clone)]
pub struct Execution {
    pub runtime: RuntimeId,
    /// The session's label; by it the session's choice of a kernel is found.
    pub session: Option<String>,
    pub call_id: String,
    pub standing: Standing,
    /// Fires when the call is over, whatever became of it.
    pub cancel: CancellationToken,
}

/// Records what is done, before and after.
pub trait Observer: fmt::Debug + Send + Sync {
    /// Called before anything is sent, and for what is refused. Where it fails, nothing is sent.
    fn begin<'a>(&'a self, intent: &'a Intent) -> BoxFuture<'a, Result<OperationId, NotRecorded>>;

    /// Called once for each operation that was begun.
    fn end<'a>(
        &'a self,
        operation: &'a OperationId,
        ending: &'a Ending,
    ) -> BoxFuture<'a, Result<(), NotRecorded>>;
}

/// Asks a person.
pub trait Approver: fmt::Debug + Send + Sync {
    /// Returns when there is an answer, or when it is clear that there will be none.
    fn ask<'a>(&'a self, question: &'a Question, cancel: &'a CancellationToken) -> BoxFuture<'a, Answer>;
}

/// The record could not be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the activity log could not be written")]
pub struct NotRecorded;

/// Names one operation in the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationId(pub String);

/// What is about to be done, or was held back. It holds names and ids, and nothing of a note's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// `None` where a program in this process calls, and no runtime.
    pub runtime: Option<RuntimeId>,
    pub session: Option<String>,
    pub call_id: Option<String>,
    pub tool: &'static str,
    pub kernel: KernelId,
    /// Each endpoint that the call reaches, with the permission in force where one was looked at.
    pub endpoints: Vec<(EndpointKey, Option<Permission>)>,
    /// It may change something.
    pub writes: bool,
    pub decided: Decided,
    /// What the arguments name.
    pub objects: Objects,
}

/// By what a call was let through or held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decided {
    Direct,
    FullAccess,
    Approved,
    RefusedByPerson,
    Mode,
    Policy,
    Configuration,
    Expired,
    Cancelled,
    NoAnswerer,
}

impl Decided {
    /// What a refusal without a person rests on.
    pub(super) fn by(reason: &Reason) -> Self {
        match reason {
            Reason::ReadOnlyMode | Reason::FullAccess => Self::Mode,
            Reason::NeverAsks => Self::Policy,
            Reason::NoExecution => Self::NoAnswerer,
            _ => Self::Configuration,
        }
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

/// How an operation came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    Succeeded,
    /// It was tried and came to nothing.
    Failed,
    /// It was not sent.
    Refused,
    /// It was given up before it could have changed anything.
    Cancelled,
    /// It went out, and no answer tells of its effect.
    Sent,
    /// It may have taken effect or not.
    Uncertain,
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
    pub call_id: String,
    pub tool: &'static str,
    pub kernel: KernelId,
    pub endpoints: Vec<EndpointKey>,
    pub writes: bool,
    /// What the call asks for, whole; `kernelId` is not among it.
    pub arguments: Map<String, Value>,
}

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    Approved,
    Refused,
    Expired,
    Cancelled,
    /// There is nobody who could answer.
    Nobody,
    /// The question stands, and the caller should repeat the identical call.
    Pending,
}

/// Where no person can be asked.
#[derive(Debug, Clone, Copy)]
pub struct NobodyToAsk;

impl Approver for NobodyToAsk {
    fn ask<'a>(&'a self, _: &'a Question, _: &'a CancellationToken) -> BoxFuture<'a, Answer> {
        Box::pin(std::future::ready(Answer::Nobody))
    }
}

/// What the service stands on, shared by all calls.
#[derive(Debug, Clone)]
pub struct Surroundings {
    pub observer: Arc<dyn Observer>,
    pub approver: Arc<dyn Approver>,
}
