//! Why a call of the five tools gave no result.

use serde_json::{Map, Value, json};

use super::contract::{ContractError, Report};
use super::execution::NotRecorded;
use super::kernels::KernelError;
use super::permissions::{Reason, Refused};
use super::transport::{EnvelopeFault, TransportError};
use crate::access::approvals::Declined;
use crate::settings::KernelId;

/// Why a call gave no result. What is not said to be uncertain has changed nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SiyuanError {
    #[error("{0}")]
    Arguments(String),
    /// Which kernel is meant cannot be said; none is picked in its place.
    #[error("{error}. {}", there_are(.kernels))]
    Target { error: KernelError, kernels: Vec<KernelId> },
    #[error("{0}. Nothing was sent")]
    Refused(Refused),
    #[error("{0}. Nothing was sent")]
    NotApproved(Declined),
    #[error(
        "the kernel's settings were changed while this call waited, so nothing was sent. Repeat it to have it judged anew"
    )]
    Changed,
    #[error("nothing was sent, because it could not be recorded: {0}")]
    NotRecorded(NotRecorded),
    #[error("the contract cannot be used, and without it nothing is known of the endpoint: {0}")]
    Contract(String, &'static str),
    #[error("the body does not fit the contract of the endpoint, so nothing was sent: {}", first(.0))]
    BodyInvalid(Report),
    #[error("{id} is no document but a block of the document {document}; nothing was changed. {way_on}")]
    NotADocument { id: String, document: String, way_on: &'static str },
    #[error(
        "{0} is a document; nothing was deleted. Use action doc to delete it with all documents below it"
    )]
    IsADocument(String),
    #[error("there is no {0} in the open notebooks of this kernel. Nothing was changed")]
    NotFound(String),
    #[error("the kernel is indexing, so that {0} possibly is not indexed yet. Try again in some seconds")]
    Indexing(String),
    #[error("the kernel refused with code {code}: {msg}")]
    KernelRefused { code: i64, msg: String },
    #[error("the kernel said success and did nothing: {0}")]
    NoEffect(&'static str),
    #[error(transparent)]
    Kernel(KernelError),
    /// It was sent, and may have taken effect or not.
    #[error(
        "it is uncertain whether the kernel did it: {0}. It was sent once and is not sent again: read before you repeat it"
    )]
    Uncertain(String),
    #[error("the call was cancelled before anything was sent")]
    Cancelled,
    /// Another error, without a secret that its text held.
    #[error("{message}")]
    Cleaned { code: &'static str, message: String, details: Map<String, Value> },
    #[error("Notegate failed inside; its log has the detail. If the call writes, read before you repeat it")]
    Internal,
}

impl SiyuanError {
    /// The word for it, stable for scripts and models.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Arguments(_) => "invalid_arguments",
            Self::Target { error, .. } | Self::Kernel(error) => error.code(),
            Self::Refused(Refused { reason, .. }) => reason.code(),
            Self::NotApproved(declined) => declined.code(),
            Self::Changed => "configuration_changed",
            Self::NotRecorded(_) => "not_recorded",
            Self::Contract(_, code) => code,
            Self::BodyInvalid(_) => "body_invalid",
            Self::NotADocument { .. } => "not_a_document",
            Self::IsADocument(_) => "is_a_document",
            Self::NotFound(_) => "not_found",
            Self::Indexing(_) => "indexing",
            Self::KernelRefused { .. } => "kernel_refused",
            Self::NoEffect(_) => "no_effect",
            Self::Uncertain(_) => "uncertain",
            Self::Cancelled => "cancelled",
            Self::Cleaned { code, .. } => code,
            Self::Internal => "internal",
        }
    }

    /// Further facts, for the structured part of an answer.
    pub fn details(&self) -> Map<String, Value> {
        let details = match self {
            Self::Cleaned { details, .. } => return details.clone(),
            Self::Target { kernels, .. } => json!({"kernels": kernels}),
            Self::Refused(Refused { key, permission, .. }) => {
                json!({"endpoint": key, "permission": permission})
            }
            Self::BodyInvalid(report) => json!({"validation": report}),
            Self::NotADocument { document, .. } => json!({"docId": document}),
            Self::KernelRefused { code, msg } => json!({"kernelCode": code, "kernelMessage": msg}),
            Self::Uncertain(_) => json!({"outcome": "uncertain"}),
            Self::Kernel(error) if !error.instances().is_empty() => json!({"instances": error.instances()}),
            _ => json!({}),
        };
        let mut details = details.as_object().cloned().unwrap_or_default();
        details.retain(|_, value| !value.is_null());
        details
    }

    /// Whether the call was ended by its caller before anything was sent.
    pub(super) fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled | Self::Kernel(KernelError::Cancelled))
    }
}

impl From<Refused> for SiyuanError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<Reason> for SiyuanError {
    fn from(reason: Reason) -> Self {
        Self::Refused(Refused { key: None, permission: None, reason })
    }
}

impl From<ContractError> for SiyuanError {
    fn from(error: ContractError) -> Self {
        let code = error.code();
        Self::Contract(error.to_string(), code)
    }
}

/// What an answer means that tells of itself what the kernel thought.
pub(super) fn told(error: &TransportError) -> Option<SiyuanError> {
    match error {
        TransportError::Kernel { code, msg } => {
            Some(SiyuanError::KernelRefused { code: *code, msg: msg.clone() })
        }
        TransportError::Envelope(EnvelopeFault::NoData) => Some(SiyuanError::NoEffect(
            "its answer holds no data where data is due. An argument may be one that it cannot use",
        )),
        _ => None,
    }
}

fn there_are(kernels: &[KernelId]) -> String {
    match kernels {
        [] => "No kernel is configured in Notegate".into(),
        ids => {
            let ids = ids.iter().map(KernelId::as_str).collect::<Vec<_>>().join(", ");
            format!("The configured kernels are: {ids}")
        }
    }
}

fn first(report: &Report) -> String {
    let found = report.errors.first();
    let at = |at: &str| if at.is_empty() { String::new() } else { format!("{at} ") };
    found.map(|finding| format!("{}{}", at(&finding.at), finding.problem)).unwrap_or_default()
}
