//! What the activity log is told about a call.

use serde_json::{Value, json};

use super::{Call, Reply, Tool};
use crate::activity::{ActivityError, CallId, Decision, Ending, Intent, Object, ObjectKind, Outcome};
use crate::obsidian::{self, ObsidianError, Output, Progress, VAULT_ID};
use crate::settings::Capability;

/// What is about to be done, or was refused.
pub(super) fn intent(call: &Call, id: CallId, decision: Decision) -> Intent {
    let text = |name: &str| call.arguments.get(name).and_then(Value::as_str).map(str::to_owned);
    // Of a tool that we do not know nobody can say what its arguments are.
    let tool = super::find(&call.tool);
    let of = |capability| tool.filter(|tool| tool.capability == capability);
    let paths = of(Capability::Obsidian).into_iter().flat_map(|_| obsidian::paths_in(&call.arguments));
    Intent {
        call: id,
        runtime: call.grant.runtime.clone(),
        session: call.grant.session.as_ref().map(|label| label.0.clone()),
        tool: call.tool.clone(),
        writes: tool.is_some_and(|tool| tool.writes),
        kernel: of(Capability::Siyuan).and_then(|_| text("kernelId")),
        vault: of(Capability::Obsidian).and_then(|_| text(VAULT_ID)),
        endpoints: Vec::new(),
        decision,
        objects: paths.map(|path| Object { kind: ObjectKind::Note, id: path.to_owned() }).collect(),
    }
}

/// What is known of the effect of a call; `None`: it has not come to its end in time.
pub(super) fn ending(
    tool: &Tool,
    result: Option<&Result<Output, ObsidianError>>,
    progress: &Progress,
) -> Ending {
    let error = match result {
        Some(Ok(Output { is_error: false, .. })) => return Ending::new(Outcome::Succeeded, None),
        // The tool itself says that it did not do it.
        Some(Ok(_)) => return Ending::new(Outcome::Failed, None),
        Some(Err(error)) => Some(error),
        None => None,
    };
    // Everything else is said before the engine touches anything.
    let cut_short = matches!(
        error,
        None | Some(
            ObsidianError::Cancelled
                | ObsidianError::Timeout { .. }
                | ObsidianError::EngineFailed { .. }
                | ObsidianError::Internal(_)
        )
    );
    let outcome = match error {
        _ if tool.writes && cut_short && progress.engine_began() => Outcome::Uncertain,
        Some(ObsidianError::Cancelled | ObsidianError::Closing) | None => Outcome::Cancelled,
        Some(_) => Outcome::Failed,
    };
    Ending::new(outcome, error.map(ObsidianError::code))
}

/// Whether whoever called must hear that the call is not to be repeated, if the log does not know it.
pub(super) fn must_not_be_repeated(tool: &Tool, outcome: Outcome) -> bool {
    tool.writes && matches!(outcome, Outcome::Succeeded | Outcome::Uncertain | Outcome::Sent)
}

/// The reply to a call that was made and whose outcome could not be recorded.
pub(super) fn with_warning(mut reply: Reply, error: &ActivityError) -> Reply {
    let warning = format!(
        "Warning (outcome_not_recorded): this call was carried out, but Notegate could not record how it came out. Do not \
         repeat it; read what it was to change instead. {error}"
    );
    reply.content.push(json!({"type": "text", "text": warning}));
    if let Some(Value::Object(fields)) = &mut reply.structured {
        fields.insert("warning".into(), json!({"code": "outcome_not_recorded", "message": warning}));
    }
    reply
}
