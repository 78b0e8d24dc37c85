//! Bringing a kernel's schemas into the form in which the catalogue keeps them, so that the same fields
//! read the same whichever kernel they come from.
//!
//! What a checker of bodies has no use for is left out. Objects are kept open: the kernel overlooks fields
//! that it does not know, and we warn of them.

use serde_json::{Map, Value, json};

/// The kernel's definition of any JSON value whatever.
const ANY_VALUE: &str = "#/$defs/JSONValue";

/// Words that are kept as they are.
const KEPT: &[&str] = &[
    "$ref",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "required",
];

/// # Errors
/// What cannot be a schema, in words.
pub(super) fn tidy(schema: &Value) -> Result<Value, String> {
    let map = match schema {
        Value::Bool(true) => return Ok(json!({})),
        Value::Bool(false) => return Ok(json!({"not": {}})),
        Value::Object(map) => map,
        _ => return Err(format!("a schema is an object, not {}", kind_of(schema))),
    };
    if map.get("$ref").is_some_and(|at| at == ANY_VALUE) {
        return Ok(json!({}));
    }
    let mut tidied = Map::new();
    if let Some(kind) = map.get("type").filter(|_| !map.contains_key("enum") && !map.contains_key("const")) {
        tidied.insert("type".into(), kind.clone());
    }
    match map.get("enum").map(Value::as_array) {
        Some(Some(values)) if values.len() == 1 => tidied.insert("const".into(), values[0].clone()),
        Some(Some(values)) => tidied.insert("enum".into(), values.clone().into()),
        Some(None) => return Err("enum is not a list".into()),
        None => map.get("const").and_then(|value| tidied.insert("const".into(), value.clone())),
    };
    for (word, value) in map {
        match word.as_str() {
            "properties" => {
                let fields = value.as_object().ok_or("properties are not an object")?;
                let fields: Result<Map<_, _>, _> = fields
                    .iter()
                    .map(|(name, field)| Ok::<_, String>((name.clone(), tidy(field)?)))
                    .collect();
                tidied.insert(word.clone(), fields?.into());
            }
            "items" | "not" => {
                tidied.insert(word.clone(), tidy(value)?);
            }
            "additionalProperties" if *value != Value::Bool(false) => {
                tidied.insert(word.clone(), tidy(value)?);
            }
            "anyOf" | "oneOf" | "allOf" => {
                let branches = value.as_array().ok_or_else(|| format!("{word} is not a list"))?;
                let branches: Result<Vec<_>, _> = branches.iter().map(tidy).collect();
                tidied.insert(word.clone(), branches?.into());
            }
            word if KEPT.contains(&word) => {
                tidied.insert(word.to_owned(), value.clone());
            }
            _ => {}
        }
    }
    Ok(joined(tidied))
}

/// A choice that only says "this type or null" becomes a list of types.
fn joined(schema: Map<String, Value>) -> Value {
    let (1, Some(Value::Array(branches))) = (schema.len(), schema.get("anyOf")) else {
        return Value::Object(schema);
    };
    let is_bare =
        |branch: &&Value| branch.as_object().is_some_and(|map| map.len() == 1 && map.contains_key("type"));
    let (bare, rest): (Vec<&Value>, Vec<&Value>) = branches.iter().partition(is_bare);
    let mut merged = match rest[..] {
        [] => Map::new(),
        [Value::Object(only)] if only.contains_key("type") => only.clone(),
        _ => return Value::Object(schema),
    };
    let mut kinds: Vec<Value> = Vec::new();
    for kind in rest.iter().chain(&bare).filter_map(|branch| branch.get("type")) {
        match kind {
            Value::Array(several) => kinds.extend(several.iter().cloned()),
            one => kinds.push(one.clone()),
        }
    }
    merged.insert("type".into(), kinds.into());
    Value::Object(merged)
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: Value, expected: Value) {
        assert_eq!(tidy(&schema).unwrap(), expected, "{schema}");
    }

    #[test]
    fn a_nullable_field_is_a_list_of_types() {
        check(json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), json!({"type": ["string", "null"]}));
        check(
            json!({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}),
            json!({"type": ["array", "null"], "items": {"type": "string"}}),
        );
        check(
            json!({"anyOf": [{"type": "null"}, {"type": "string"}, {"type": "number"}]}),
            json!({"type": ["null", "string", "number"]}),
        );
    }

    #[test]
    fn a_choice_between_shapes_stays_one() {
        let choice = json!({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]});
        check(choice.clone(), choice);
        let two = json!({"anyOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}},
            {"type": "array", "items": {"type": "string"}},
        ]});
        check(two.clone(), two);
    }

    #[test]
    fn objects_are_open_and_any_value_is_any() {
        check(
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/JSONValue"}}, "additionalProperties": false}),
            json!({"type": "object", "properties": {"a": {}}}),
        );
        check(
            json!({"type": "object", "additionalProperties": {"$ref": "#/$defs/JSONValue"}}),
            json!({"type": "object", "additionalProperties": {}}),
        );
    }

    #[test]
    fn an_enumeration_needs_no_type_and_one_value_is_a_constant() {
        check(json!({"type": "integer", "enum": [0]}), json!({"const": 0}));
        check(json!({"type": "string", "enum": ["a", "b"]}), json!({"enum": ["a", "b"]}));
    }

    #[test]
    fn what_a_checker_has_no_use_for_is_left_out() {
        check(
            json!({"type": "string", "pattern": "(a+)+$", "description": "x", "$comment": "y", "examples": []}),
            json!({"type": "string"}),
        );
    }

    #[test]
    fn what_is_no_schema_is_said() {
        for schema in
            [json!("x"), json!([1]), json!({"properties": 1}), json!({"anyOf": {}}), json!({"enum": 1})]
        {
            assert!(tidy(&schema).is_err(), "{schema}");
        }
    }
}
