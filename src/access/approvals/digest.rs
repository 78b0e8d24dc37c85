//! What was asked about, as a digest: an answer must not count for other arguments, and the arguments
//! themselves need not be kept.

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// SHA-256 of a call's arguments, in a form in which the order of fields does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArgumentsDigest([u8; 32]);

impl ArgumentsDigest {
    pub fn of(arguments: &Map<String, Value>) -> Self {
        let mut hash = Sha256::new();
        add_fields(arguments, &mut hash);
        Self(hash.finalize().into())
    }
}

/// Each value with its kind and length before it, so that no two values read the same.
fn add(value: &Value, hash: &mut Sha256) {
    match value {
        Value::Object(fields) => add_fields(fields, hash),
        Value::Array(entries) => {
            hash.update(format!("[{}:", entries.len()));
            entries.iter().for_each(|entry| add(entry, hash));
        }
        Value::String(text) => add_text(text, hash),
        other => hash.update(format!("{other};")),
    }
}

fn add_fields(fields: &Map<String, Value>, hash: &mut Sha256) {
    let mut sorted: Vec<_> = fields.iter().collect();
    sorted.sort_by_key(|(name, _)| *name);
    hash.update(format!("{{{}:", sorted.len()));
    for (name, value) in sorted {
        add_text(name, hash);
        add(value, hash);
    }
}

fn add_text(text: &str, hash: &mut Sha256) {
    hash.update(format!("\"{}:", text.len()));
    hash.update(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn digest(value: Value) -> ArgumentsDigest {
        ArgumentsDigest::of(value.as_object().unwrap())
    }

    #[test]
    fn the_order_of_fields_does_not_matter_and_everything_else_does() {
        assert_eq!(
            digest(json!({"a": 1, "b": {"c": [], "d": null}})),
            digest(json!({"b": {"d": null, "c": []}, "a": 1}))
        );
        let all = [
            json!({}),
            json!({"a": 1}),
            json!({"a": 1.0}),
            json!({"a": "1"}),
            json!({"a": true}),
            json!({"a": [1, 2]}),
            json!({"a": [[1], 2]}),
            json!({"a": [2, 1]}),
            json!({"a": {"b": "c"}}),
            json!({"a": "b\"1:c"}),
            json!({"a": "b", "c": ""}),
            json!({"a": "", "bc": ""}),
        ]
        .map(digest);
        for (index, one) in all.iter().enumerate() {
            assert!(!all[index + 1..].contains(one), "{index}");
        }
    }
}
