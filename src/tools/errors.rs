//! Everything that a tool call can answer instead of a result, in one place.

use serde_json::{Map, Value, json};

use super::{Reply, Way};
use crate::access::Grant;
use crate::activity::ActivityError;
use crate::obsidian::{ObsidianError, Vault};
use crate::settings::Capability;
use crate::siyuan::SiyuanError;

/// The codes of tool errors. A client can rely on them; the texts may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// No tool has this name.
    UnknownTool,
    /// An argument is missing, unknown or of the wrong type; nothing was done.
    InvalidArguments,
    /// The capability is switched off.
    SwitchedOff,
    /// The capability is not assigned to this runtime.
    NotAssigned,
    /// The runtime works in Ask; the tool writes.
    ReadOnlyMode,
    /// The grant ended while the call ran, or before it began.
    Revoked,
    /// The caller gave up.
    Cancelled,
    /// The call took longer than is allowed.
    Timeout,
    /// The result is longer than is allowed.
    ResultTooLarge,
    /// Too many calls of this runtime run at the same time.
    Busy,
    /// The call cannot be recorded, so it was not made.
    NotRecorded,
    /// A code of the capability, see [`ObsidianError::code`] and [`SiyuanError::code`].
    Capability(&'static str),
    /// A fault of ours.
    Internal,
}

impl Code {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::InvalidArguments => "invalid_arguments",
            Self::SwitchedOff => "switched_off",
            Self::NotAssigned => "not_assigned",
            Self::ReadOnlyMode => "read_only_mode",
            Self::Revoked => "revoked",
            Self::Cancelled => "cancelled",
            Self::Timeout => "timeout",
            Self::ResultTooLarge => "result_too_large",
            Self::Busy => "busy",
            Self::NotRecorded => "not_recorded",
            Self::Capability(code) => code,
            Self::Internal => "internal",
        }
    }
}

/// An error that is answered as a tool result: `isError`, a text, and `structuredContent`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    pub code: Code,
    pub message: String,
    /// Further facts for the structured part.
    pub details: Map<String, Value>,
}

impl ToolError {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: Map::new() }
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.into(), value.into());
        self
    }

    pub(super) fn unknown_tool(name: &str, way: Way) -> Self {
        let shown: String = name.chars().take(80).collect();
        let list = match way {
            Way::Mcp => "tools/list",
            Way::Direct => "GET /tools",
            Way::CommandLine => "`notegate tools`",
        };
        Self::new(
            Code::UnknownTool,
            format!("there is no tool {shown:?}; {list} names those that are offered"),
        )
    }

    pub(super) fn switched_off(capability: Capability) -> Self {
        Self::new(
            Code::SwitchedOff,
            format!("{capability} is switched off in Notegate. The person can switch it on there"),
        )
    }

    pub(super) fn not_assigned(grant: &Grant, capability: Capability) -> Self {
        Self::new(
            Code::NotAssigned,
            format!(
                "{capability} is not assigned to {} in Notegate. The person can assign it there",
                grant.runtime
            ),
        )
    }

    pub(super) fn read_only(grant: &Grant, tool: &str) -> Self {
        Self::new(
            Code::ReadOnlyMode,
            format!(
                "{tool} changes notes, and {} works in Ask mode, which only reads. Nothing was changed. The person can choose \
                 Execute in Notegate",
                grant.runtime
            ),
        )
    }

    pub(super) fn revoked(grant: &Grant) -> Self {
        let reason = grant.end_reason().map(|reason| reason.to_string()).unwrap_or_default();
        let way_on = if grant.one_off {
            "The token stays dead; ask for a new one"
        } else {
            "Repeat the call to have it served under the settings of now"
        };
        Self::new(
            Code::Revoked,
            format!("the call was ended because {reason}. What had reached the disk by then stays. {way_on}"),
        )
    }

    pub(super) fn timeout(seconds: u64) -> Self {
        Self::new(
            Code::Timeout,
            format!(
                "the call took longer than {seconds} seconds and was ended. What had reached the disk by then stays; read before \
                 you repeat a write, or ask for less at a time"
            ),
        )
        .with("limitSeconds", seconds)
    }

    pub(super) fn too_large(capability: Capability, chars: usize, limit: usize) -> Self {
        Self::new(
            Code::ResultTooLarge,
            format!(
                "the result has {chars} characters, more than the {limit} that one result may have. Ask for a part: {}",
                match capability {
                    Capability::Obsidian => {
                        "obsidian_get_note_outline and obsidian_read_note_lines read a long note piece by piece; a list gets \
                         shorter with a narrower path or a smaller limit"
                    }
                    Capability::Siyuan => {
                        "siyuan_query children lists the blocks of a long document, which can be read one by one; where that \
                         takes the kernel too long, siyuan_query sql takes a part, as SELECT id, substr(markdown, 1, 1000) FROM \
                         blocks WHERE root_id = 'the id' LIMIT 50. A list gets shorter with a smaller limit. A write has been done all the same"
                    }
                }
            ),
        )
        .with("resultChars", chars)
        .with("limitChars", limit)
    }

    pub(super) fn busy(limit: usize) -> Self {
        Self::new(
            Code::Busy,
            format!("{limit} calls of this runtime run already, which is the most at the same time. Repeat it when one has ended"),
        )
        .with("limitCalls", limit)
    }

    /// Whether a write may have taken effect although there is no answer.
    pub(super) fn is_uncertain(&self) -> bool {
        self.details.get("outcome").is_some_and(|outcome| outcome == "uncertain")
    }

    pub(super) fn not_recorded(error: &ActivityError) -> Self {
        Self::new(Code::NotRecorded, format!("the call was not made: {error}"))
    }

    /// A fault of ours: said as such, without its inner detail.
    pub fn internal() -> Self {
        Self::new(
            Code::Internal,
            "Notegate failed inside; its log has the detail. If the tool writes, read before you repeat it",
        )
    }
}

impl From<ObsidianError> for ToolError {
    fn from(error: ObsidianError) -> Self {
        let told = Self::new(Code::Capability(error.code()), error.to_string());
        match error.choice() {
            Some(vaults) => {
                let named = |vault: &Vault| json!({"id": vault.id, "name": vault.name});
                told.with("vaults", vaults.iter().map(named).collect::<Vec<_>>())
            }
            None => told,
        }
    }
}

impl From<SiyuanError> for ToolError {
    fn from(error: SiyuanError) -> Self {
        let (code, details) = (Code::Capability(error.code()), error.details());
        Self { code, message: error.to_string(), details }
    }
}

impl From<ToolError> for Reply {
    /// The text carries the code as well: some clients show only one of the two parts.
    fn from(error: ToolError) -> Self {
        let code = error.code.as_str();
        let mut structured =
            Map::from_iter([("code".to_owned(), json!(code)), ("message".to_owned(), json!(error.message))]);
        structured.extend(error.details);
        Self {
            content: vec![json!({"type": "text", "text": format!("Error ({code}): {}", error.message)})],
            structured: Some(Value::Object(structured)),
            is_error: true,
            meta: None,
        }
    }
}
