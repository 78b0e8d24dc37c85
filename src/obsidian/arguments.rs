//! Checking the arguments of a call before anything else sees them.
//!
//! MCPVault looks at its arguments only as it uses them: an unknown `trashMode` deletes for good, a
//! misspelt name is overlooked. So each call is held against the schema first, and the message names
//! the argument and what it should have been (U-04, U-22).

use std::io;

use serde_json::{Map, Value};

use super::contract::{Field, Kind, ToolSpec, VAULT_ID};

/// The longest arguments, in bytes of JSON. MCPVault reads no line above 10 MiB and never answers
/// one; the difference is room for the rest of the line.
pub const LONGEST_ARGUMENTS: usize = 10 * 1024 * 1024 - 64 * 1024;

/// What is wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    #[error("{tool} needs the argument {name}: {about}")]
    Missing { tool: &'static str, name: &'static str, about: &'static str },
    #[error("{tool} has no argument {name:?}. It takes {}", takes(.known))]
    Unknown { tool: &'static str, name: String, known: Vec<&'static str> },
    #[error("the argument {name} of {tool} must be {expected}, not {found}")]
    Wrong { tool: &'static str, name: &'static str, expected: String, found: String },
    #[error("the argument {name} of {tool} holds {count} entries; the limit is {limit}. Split the call")]
    TooMany { tool: &'static str, name: &'static str, count: usize, limit: usize },
    #[error(
        "the arguments of {tool} are {bytes} bytes long; the limit is {LONGEST_ARGUMENTS}. Write in \
         parts, for example with mode append"
    )]
    TooLong { tool: &'static str, bytes: usize },
    #[error(
        "{old:?} and {new:?} are the same file, so there is nothing to move. Rename it by way of a third \
         name"
    )]
    SameFile { old: String, new: String },
}

/// The most paths that one call may name where MCPVault's own schema has no limit. Each is followed on
/// the disk before anything runs.
const MOST_PATHS: usize = 1_000;

/// Holds the arguments of a call against the schema of its tool.
///
/// # Errors
/// The first argument that is unknown, missing or wrong, by name.
pub fn check_arguments(tool: &ToolSpec, arguments: &Map<String, Value>) -> Result<(), ArgumentError> {
    let bytes = json_length(arguments);
    if bytes > LONGEST_ARGUMENTS {
        return Err(ArgumentError::TooLong { tool: tool.name, bytes });
    }
    // Unknown names first: who writes `name` for `path` is helped by both, the wrong one and the list.
    for (name, value) in arguments {
        if name == VAULT_ID && tool.takes_vault() {
            check_value(tool, &VAULT_ID_FIELD, value)?;
            continue;
        }
        let field = tool.field(name).ok_or_else(|| ArgumentError::Unknown {
            tool: tool.name,
            name: name.clone(),
            known: tool
                .fields
                .iter()
                .map(|field| field.name)
                .chain(tool.takes_vault().then_some(VAULT_ID))
                .collect(),
        })?;
        check_value(tool, field, value)?;
    }
    if let Some(Value::Array(paths)) = arguments.get("paths")
        && paths.len() > MOST_PATHS
    {
        let (count, limit) = (paths.len(), MOST_PATHS);
        return Err(ArgumentError::TooMany { tool: tool.name, name: "paths", count, limit });
    }
    match tool.fields.iter().find(|field| field.required && !arguments.contains_key(field.name)) {
        Some(field) => Err(ArgumentError::Missing { tool: tool.name, name: field.name, about: field.about }),
        None => Ok(()),
    }
}

const VAULT_ID_FIELD: Field = Field::optional(VAULT_ID, Kind::Text, "");

fn check_value(tool: &ToolSpec, field: &Field, value: &Value) -> Result<(), ArgumentError> {
    let wrong = |found: String| {
        Err(ArgumentError::Wrong { tool: tool.name, name: field.name, expected: expected(field), found })
    };
    match (field.kind, value) {
        (Kind::Text, Value::String(_))
        | (Kind::Flag, Value::Bool(_))
        | (Kind::Number, Value::Number(_))
        | (Kind::FreeObject, Value::Object(_)) => Ok(()),
        (Kind::OneOf(words), Value::String(word)) if words.contains(&word.as_str()) => Ok(()),
        (Kind::OneOf(_), Value::String(word)) => wrong(format!("{:?}", shortened(word))),
        (Kind::Texts { most }, Value::Array(entries)) => {
            match (most, entries.iter().find(|entry| !entry.is_string())) {
                (_, Some(entry)) => wrong(format!("a list that holds {}", kind_of(entry))),
                (Some(limit), None) if entries.len() > limit => Err(ArgumentError::TooMany {
                    tool: tool.name,
                    name: field.name,
                    count: entries.len(),
                    limit,
                }),
                _ => Ok(()),
            }
        }
        (Kind::Texts { .. } | Kind::FreeObject, Value::String(text)) if looks_like_json(text) => {
            wrong("the same as JSON inside a text; give the value itself".into())
        }
        (_, Value::Null) if !field.required => wrong("null; leave it out instead".into()),
        (_, value) => wrong(kind_of(value).into()),
    }
}

fn expected(field: &Field) -> String {
    match field.kind {
        Kind::Text => "a text".into(),
        Kind::Flag => "true or false".into(),
        Kind::Number => "a number".into(),
        Kind::OneOf(words) => {
            format!("one of {}", words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", "))
        }
        Kind::Texts { .. } => "a list of texts".into(),
        Kind::FreeObject => "an object".into(),
    }
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

fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['[', '{'])
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn takes(names: &[&str]) -> String {
    if names.is_empty() { "no arguments".into() } else { names.join(", ") }
}

/// The length of the arguments as they will be written, without writing them.
fn json_length(arguments: &Map<String, Value>) -> usize {
    struct Counter(usize);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    match serde_json::to_writer(&mut counter, arguments) {
        Ok(()) => counter.0,
        Err(_) => usize::MAX, // JSON values always can be written; if one cannot, it must not pass
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::obsidian::tool;

    fn check(name: &str, arguments: Value, expected: Result<(), &str>) {
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        let found = check_arguments(tool(name).unwrap(), &arguments).map_err(|error| error.to_string());
        match (&found, expected) {
            (Ok(()), Ok(())) => {}
            (Err(error), Err(part)) if error.contains(part) => {}
            _ => panic!("{name}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn valid_arguments_pass() {
        check("obsidian_list_vaults", json!({}), Ok(()));
        check("obsidian_read_note", json!({"path": "a.md", "vaultId": "x", "prettyPrint": true}), Ok(()));
        check("obsidian_list_directory", json!({}), Ok(()));
        check(
            "obsidian_update_frontmatter",
            json!({"path": "a.md", "frontmatter": {"any key": [1, null]}}),
            Ok(()),
        );
        check(
            "obsidian_search_notes",
            json!({"query": "--pre=/bin/sh", "limit": 1.5, "excludePaths": []}),
            Ok(()),
        );
        check("obsidian_read_multiple_notes", json!({"paths": vec!["a"; 10]}), Ok(()));
        check("obsidian_get_notes_info", json!({"paths": vec!["a"; 1_000]}), Ok(()));
    }

    #[test]
    fn u04_unknown_words_are_refused() {
        check(
            "obsidian_delete_note",
            json!({"path": "a.md", "confirmPath": "a.md", "trashMode": "zzz"}),
            Err(r#"trashMode of obsidian_delete_note must be one of "none", "local", "system", not "zzz""#),
        );
        check(
            "obsidian_manage_tags",
            json!({"path": "a.md", "operation": "x"}),
            Err("operation of obsidian_manage_tags"),
        );
        check(
            "obsidian_write_note",
            json!({"path": "a.md", "content": "", "mode": "x"}),
            Err("mode of obsidian_write_note"),
        );
    }

    #[test]
    fn u22_the_wrong_or_missing_argument_is_named() {
        check(
            "obsidian_read_note",
            json!({"name": "a.md"}),
            Err(r#"no argument "name". It takes path, prettyPrint, vaultId"#),
        );
        check("obsidian_read_note", json!({}), Err("needs the argument path"));
        check(
            "obsidian_read_note",
            json!({"path": ["a.md"]}),
            Err("path of obsidian_read_note must be a text, not a list"),
        );
        check(
            "obsidian_read_note",
            json!({"path": null}),
            Err("path of obsidian_read_note must be a text, not null"),
        );
        check(
            "obsidian_read_note",
            json!({"path": "a.md", "prettyPrint": "yes"}),
            Err("must be true or false, not a text"),
        );
        check(
            "obsidian_read_note",
            json!({"path": "a.md", "prettyPrint": null}),
            Err("null; leave it out instead"),
        );
        check(
            "obsidian_read_note",
            json!({"path": "a.md", "vaultId": 7}),
            Err("vaultId of obsidian_read_note must be a text"),
        );
        check("obsidian_read_multiple_notes", json!({"paths": "[\"a.md\"]"}), Err("give the value itself"));
        check(
            "obsidian_read_multiple_notes",
            json!({"paths": ["a.md", 7]}),
            Err("a list that holds a number"),
        );
        check(
            "obsidian_read_multiple_notes",
            json!({"paths": vec!["a"; 11]}),
            Err("11 entries; the limit is 10"),
        );
        check(
            "obsidian_update_frontmatter",
            json!({"path": "a", "frontmatter": "{}"}),
            Err("give the value itself"),
        );
        check(
            "obsidian_search_notes",
            json!({"query": "x", "limit": "5"}),
            Err("limit of obsidian_search_notes must be a number"),
        );
        check("obsidian_list_vaults", json!({"vaultId": "x"}), Err("It takes no arguments"));
    }

    #[test]
    fn u25_too_long_arguments_are_refused_with_the_limit() {
        check(
            "obsidian_write_note",
            json!({"path": "a.md", "content": "x".repeat(11_000_000)}),
            Err("the limit is 10420224"),
        );
        // What counts is the length on the wire: a line break takes two bytes there.
        check(
            "obsidian_write_note",
            json!({"path": "a.md", "content": "\n".repeat(6_000_000)}),
            Err("12000"),
        );
    }
}
