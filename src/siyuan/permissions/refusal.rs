//! Why a call was not sent. Nothing of it was.

use super::closed::Closed;
use super::sql::SqlProblem;
use super::storage::StorageProblem;
use crate::settings::Permission;
use crate::siyuan::endpoint::{EndpointKey, KeyError, PathError, TargetError};

/// A call that was refused before anything was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", .key.as_ref().map(|key| format!("{key}: ")).unwrap_or_default())]
pub struct Refused {
    /// The endpoint that it is about; absent where none could be named.
    pub key: Option<EndpointKey>,
    /// The permission that decided, where one did.
    pub permission: Option<Permission>,
    pub reason: Reason,
}

/// What the call met.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("the query parameter {0:?} carries a credential; a kernel's come from its settings alone")]
    Credential(String),
    #[error("this endpoint is closed in this release: {}", .0.why())]
    Closed(Closed),
    #[error("the action {action:?} of this tool is closed in this release: {}", .closed.why())]
    ClosedAction { action: String, closed: Closed },
    #[error(
        "what the body asks for has to be judged first, so give it as a JSON object, or as fields where the endpoint takes a form"
    )]
    Unreadable,
    #[error("the field {0:?} cannot be judged: give {1}")]
    Field(String, &'static str),
    #[error("the body holds both {0:?} and what a kernel may take for the same field; leave one out")]
    TwoFields(String),
    #[error(transparent)]
    Sql(#[from] SqlProblem),
    #[error(transparent)]
    Storage(#[from] StorageProblem),
    #[error("the field {0:?} names a template, and templates are closed in this release; leave it out")]
    Template(&'static str),
    #[error("a batch holds at least one call")]
    EmptyBatch,
    #[error("tools/call needs params with the tool's name")]
    NoTool,
    #[error(
        "a message on a WebSocket is an object with a text \"cmd\"; others are not sent, since nothing says what they do"
    )]
    OpaqueMessage,
    #[error("the person denied it for this kernel. It can be changed in Notegate")]
    Denied,
    #[error(
        "it may change something, and this runtime works in Ask mode, which only reads. The person can choose Execute in Notegate"
    )]
    ReadOnlyMode,
    #[error(
        "it asks a person each time, and this runtime has full access, with which nobody is asked. The person can allow it, or \
         set it to pass with full access, in Notegate"
    )]
    FullAccess,
    #[error(
        "it would have to ask the person, and this runtime is set never to ask. The person can allow it, or let the runtime ask, \
         in Notegate"
    )]
    NeverAsks,
    #[error(
        "it would have to ask the person, and this call comes from no tool call that a question could belong to"
    )]
    NoExecution,
}

impl Reason {
    /// The word for it in results and in the log, stable for scripts and models.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Key(KeyError::Path(_)) | Self::Target(TargetError::Path(_)) => "ambiguous_path",
            Self::Key(_) | Self::Target(TargetError::Query(_)) => "invalid_endpoint",
            Self::Target(TargetError::Credential(_)) | Self::Credential(_) => "credential_in_call",
            Self::Closed(_) | Self::ClosedAction { .. } => "endpoint_closed",
            Self::Unreadable | Self::Field(..) | Self::TwoFields(_) => "body_not_judged",
            Self::Sql(_) => "sql_not_read_only",
            Self::Storage(_) => "protected_storage",
            Self::Template(_) => "endpoint_closed",
            Self::EmptyBatch | Self::NoTool => "invalid_arguments",
            Self::OpaqueMessage => "opaque_message",
            Self::Denied => "denied",
            Self::ReadOnlyMode => "read_only_mode",
            Self::FullAccess => "full_access_refuses",
            Self::NeverAsks => "never_asks",
            Self::NoExecution => "no_execution",
        }
    }
}

impl From<PathError> for Reason {
    fn from(error: PathError) -> Self {
        Self::Key(error.into())
    }
}
