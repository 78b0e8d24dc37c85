//! Reading a schema by its fields: which an object may have, and in few words what each takes.

use serde_json::{Map, Value};

use super::catalogue::Catalogue;

/// How many values of an enumeration are named.
const MAX_WORDS: usize = 8;

impl Catalogue {
    /// The schemas without references and choices that `schemas` come down to.
    pub(super) fn leaves<'a>(&'a self, schemas: &[&'a Value]) -> Vec<&'a Map<String, Value>> {
        let mut open: Vec<&Value> = schemas.to_vec();
        let mut followed: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        while let Some(schema) = open.pop() {
            let Value::Object(schema) = schema else { continue };
            let choices: Vec<&Value> = ["anyOf", "oneOf", "allOf"]
                .into_iter()
                .filter_map(|word| schema.get(word).and_then(Value::as_array))
                .flatten()
                .collect();
            let target = schema.get("$ref").and_then(Value::as_str).and_then(|at| self.definition(at));
            if choices.is_empty() && !schema.contains_key("$ref") || schema.contains_key("properties") {
                found.push(schema);
            }
            open.extend(choices);
            if let Some((name, target)) = target
                && !followed.contains(&name)
            {
                followed.push(name);
                open.push(target);
            }
        }
        found
    }

    /// The fields of a body, each with what it takes. An optional one is named with a question mark.
    pub fn fields(&self, schema: &Value) -> Map<String, Value> {
        let leaves = self.leaves(&[schema]);
        let mut fields = Map::new();
        for leaf in &leaves {
            let required: Vec<&str> = leaf
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            for (name, field) in leaf.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let mark = if required.contains(&name.as_str()) { "" } else { "?" };
                fields.insert(format!("{name}{mark}"), self.word(field).into());
            }
        }
        fields.sort_keys();
        fields
    }

    /// What a schema takes, in few words: `string`, `array of string`, `object|null`, `"md"|"textmark"`.
    pub(super) fn word(&self, schema: &Value) -> String {
        let mut words: Vec<String> = Vec::new();
        for leaf in self.leaves(&[schema]) {
            for word in self.leaf_words(leaf) {
                if !words.contains(&word) {
                    words.push(word);
                }
            }
        }
        words.sort_by_key(|word| word == "null");
        if words.len() > MAX_WORDS {
            words.truncate(MAX_WORDS);
            words.push("…".into());
        }
        words.join("|")
    }

    fn leaf_words(&self, leaf: &Map<String, Value>) -> Vec<String> {
        if let Some(value) = leaf.get("const") {
            return vec![value.to_string()];
        }
        if let Some(values) = leaf.get("enum").and_then(Value::as_array) {
            return values.iter().map(Value::to_string).collect();
        }
        let kinds = kinds(leaf);
        if kinds.is_empty() {
            return vec![if leaf.contains_key("properties") { "object" } else { "any" }.into()];
        }
        let with_items = |kind: &str| match leaf.get("items") {
            Some(items) if kind == "array" && !items.get("$ref").is_some_and(|at| self.leads_back(at)) => {
                let word = self.word(items);
                if word.contains('|') { format!("array of ({word})") } else { format!("array of {word}") }
            }
            _ => kind.to_owned(),
        };
        kinds.into_iter().map(with_items).collect()
    }

    /// Whether a reference stands for a list of the same: its words would have no end.
    fn leads_back(&self, reference: &Value) -> bool {
        reference.as_str().and_then(|at| self.definition(at)).is_none_or(|(_, schema)| {
            let leaves = self.leaves(&[schema]);
            leaves.iter().any(|leaf| leaf.contains_key("items"))
        })
    }
}

/// The JSON types that a schema names; none where it names none.
pub(super) fn kinds(leaf: &Map<String, Value>) -> Vec<&str> {
    match leaf.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
