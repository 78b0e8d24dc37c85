//! One argument of a tool, and its JSON schema.

use serde_json::{Map, Value, json};

use super::VAULT_ID;

/// What an argument may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::obsidian) enum Kind {
    Text,
    Flag,
    Number,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A list of texts, of at most so many where a limit is given.
    Texts {
        most: Option<usize>,
    },
    /// An object whose keys are the caller's.
    FreeObject,
}

/// What holds where an optional argument is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::obsidian) enum Preset {
    Text(&'static str),
    Flag(bool),
    Number(i64),
}

/// An argument of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::obsidian) struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
    pub preset: Option<Preset>,
    pub about: &'static str,
}

impl Field {
    pub const fn required(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, required: true, preset: None, about }
    }

    pub const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, required: false, preset: None, about }
    }

    pub const fn preset(name: &'static str, kind: Kind, preset: Preset, about: &'static str) -> Self {
        Self { name, kind, required: false, preset: Some(preset), about }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::Number => json!({"type": "number"}),
            Kind::OneOf(words) => json!({"type": "string", "enum": words}),
            Kind::Texts { most: None } => json!({"type": "array", "items": {"type": "string"}}),
            Kind::Texts { most: Some(most) } => {
                json!({"type": "array", "items": {"type": "string"}, "maxItems": most})
            }
            Kind::FreeObject => json!({"type": "object"}),
        };
        schema["description"] = self.about.into();
        match self.preset {
            Some(Preset::Text(text)) => schema["default"] = text.into(),
            Some(Preset::Flag(flag)) => schema["default"] = flag.into(),
            Some(Preset::Number(number)) => schema["default"] = number.into(),
            None => {}
        }
        schema
    }
}

/// The schema of a tool's arguments; `vault_id` adds the argument that names the vault.
pub(super) fn object(fields: &[Field], vault_id: bool) -> Map<String, Value> {
    let mut properties = Map::new();
    if vault_id {
        properties.insert(
            VAULT_ID.into(),
            json!({
                "type": "string",
                "description": "Which vault, by the id that obsidian_list_vaults returns. May be left out only \
                    while one single vault is in scope.",
            }),
        );
    }
    properties.extend(fields.iter().map(|field| (field.name.to_owned(), field.schema())));
    let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema.insert("additionalProperties".into(), false.into());
    schema
}
