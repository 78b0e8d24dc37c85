//! The forms in which tools answer.

use serde_json::{Map, Value, json};

use super::error::NoteError;
use super::json;
use crate::obsidian::Output;

/// A plain text.
pub fn text(text: impl Into<String>) -> Output {
    let text: String = text.into();
    Output {
        content: vec![json!({"type": "text", "text": text})],
        structured: None,
        is_error: false,
        meta: None,
    }
}

/// A value as JSON text.
pub fn value(value: &Value, pretty: bool) -> Output {
    text(json::text(value, pretty))
}

/// The outcome of a change: an object that says in `success` whether it was made. Always indented.
pub fn outcome(fields: Map<String, Value>) -> Output {
    let is_error = fields.get("success") != Some(&Value::Bool(true));
    Output { is_error, ..value(&Value::Object(fields), true) }
}

/// The call ran and could not do it.
pub fn refusal(error: &NoteError) -> Output {
    Output { is_error: true, ..text(format!("Error: {error}")) }
}
