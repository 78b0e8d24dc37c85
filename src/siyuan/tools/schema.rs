//! The schemas of the tools' arguments, and holding arguments against them.

use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value, json};

use crate::siyuan::errors::SiyuanError;

/// The argument that names the kernel.
pub(crate) const KERNEL_ID: &str = "kernelId";

/// A closed object. To each tool comes `kernelId`.
pub(super) fn object(fields: &[(&str, Value)], required: &[&str]) -> Map<String, Value> {
    let mut properties: Map<String, Value> =
        fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let kernel = text("The kernel to work on. Left out: the one that this session chose, else the default.");
    properties.insert(KERNEL_ID.to_owned(), kernel);
    closed(properties, required)
}

/// A closed object inside an argument.
pub(super) fn inner(fields: &[(&str, Value)], required: &[&str]) -> Value {
    closed(fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect(), required)
        .into()
}

fn closed(properties: Map<String, Value>, required: &[&str]) -> Map<String, Value> {
    Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), properties.into()),
        ("required".to_owned(), json!(required)),
        ("additionalProperties".to_owned(), json!(false)),
    ])
}

pub(super) fn text(about: &str) -> Value {
    json!({"type": "string", "description": about})
}

pub(super) fn flag(about: &str) -> Value {
    json!({"type": "boolean", "description": about})
}

pub(super) fn one_of(words: &[&str], about: &str) -> Value {
    json!({"type": "string", "enum": words, "description": about})
}

pub(super) fn whole(from: u64, to: u64, about: &str) -> Value {
    json!({"type": "integer", "minimum": from, "maximum": to, "description": about})
}

pub(super) fn list(items: Value, about: &str) -> Value {
    json!({"type": "array", "items": items, "description": about})
}

/// An object whose names are free.
pub(super) fn free(about: &str) -> Value {
    json!({"type": "object", "description": about})
}

/// Holds arguments against a tool's schema.
///
/// # Errors
/// The first thing that is wrong, with the argument's name. Values are not repeated.
pub(super) fn check(
    tool: &str,
    schema: &Map<String, Value>,
    arguments: &Map<String, Value>,
) -> Result<(), SiyuanError> {
    let validator = jsonschema::options().offline().build(&Value::Object(schema.clone()));
    let validator = validator.map_err(|_| SiyuanError::Internal)?;
    let arguments = Value::Object(arguments.clone());
    let Some(error) = validator.iter_errors(&arguments).next() else { return Ok(()) };
    let problem = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let known = schema["properties"].as_object().into_iter().flat_map(Map::keys);
            let known = known.map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("has no argument {}. It takes {known}", unexpected.join(", "))
        }
        ValidationErrorKind::Required { property } => format!("needs the argument {property}"),
        _ => {
            let at = error.instance_path().as_str().trim_start_matches('/').replace('/', ".");
            format!("cannot take {at}: {}", error.masked_with("it"))
        }
    };
    Err(SiyuanError::Arguments(format!("{tool} {problem}")))
}
