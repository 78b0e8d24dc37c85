//! What another contract changes, so that a person sees it before it takes the place of this one.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};

use super::catalogue::{Catalogue, Endpoint, Roles};
use crate::siyuan::endpoint::{Method, Route};

/// The difference between two contracts, endpoints in their order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    pub from: String,
    pub to: String,
    pub added: Vec<EndpointName>,
    pub removed: Vec<EndpointName>,
    /// Who may call, and what counts as writing. Comes first where it is shown: Ask mode rests on it.
    pub roles: Vec<RoleChange>,
    pub changed: Vec<FieldChange>,
}

/// An endpoint by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EndpointName {
    pub method: Method,
    pub path: Route,
}

/// An endpoint whose roles change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoleChange {
    #[serde(flatten)]
    pub endpoint: EndpointName,
    pub before: Roles,
    pub after: Roles,
}

/// An endpoint that takes or answers something else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    #[serde(flatten)]
    pub endpoint: EndpointName,
    /// One change each, in words.
    pub what: Vec<String>,
}

impl Changes {
    pub fn between(before: &Catalogue, after: &Catalogue) -> Self {
        let missing = |from: &Catalogue, of: &Catalogue| -> Vec<EndpointName> {
            let is_missing = |endpoint: &&Endpoint| from.endpoint(endpoint.method, &endpoint.path).is_none();
            of.endpoints().iter().filter(is_missing).map(name).collect()
        };
        let mut roles = Vec::new();
        let mut changed = Vec::new();
        for new in after.endpoints() {
            let Some(old) = before.endpoint(new.method, &new.path) else { continue };
            if old.roles != new.roles {
                roles.push(RoleChange { endpoint: name(new), before: old.roles, after: new.roles });
            }
            let what = differences(before, old, after, new);
            if !what.is_empty() {
                changed.push(FieldChange { endpoint: name(new), what });
            }
        }
        Self {
            from: before.version().to_owned(),
            to: after.version().to_owned(),
            added: missing(before, after),
            removed: missing(after, before),
            roles,
            changed,
        }
    }

    /// Whether the contracts say the same, whatever their versions are called.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.roles.is_empty() && self.changed.is_empty()
    }
}

fn name(endpoint: &Endpoint) -> EndpointName {
    EndpointName { method: endpoint.method, path: endpoint.path.clone() }
}

fn differences(before: &Catalogue, old: &Endpoint, after: &Catalogue, new: &Endpoint) -> Vec<String> {
    let mut what = Vec::new();
    if old.body != new.body {
        what.push(format!("body: {} → {}", old.body, new.body));
    }
    let fields = |catalogue: &Catalogue, endpoint: &Endpoint| {
        endpoint.request.as_ref().map(|request| catalogue.fields(request)).unwrap_or_default()
    };
    let (old_fields, new_fields) = (fields(before, old), fields(after, new));
    field_differences(&old_fields, &new_fields, &mut what);
    if what.is_empty() && !same(before, old.request.as_ref(), after, new.request.as_ref()) {
        what.push("inside the fields of the body".into());
    }
    let is_same_answer = same(before, old.data.as_ref(), after, new.data.as_ref())
        && old.channel == new.channel
        && old.envelope == new.envelope
        && old.statuses == new.statuses;
    if !is_same_answer {
        what.push("the answer".into());
    }
    what
}

fn field_differences(old: &Map<String, Value>, new: &Map<String, Value>, what: &mut Vec<String>) {
    let bare = |fields: &Map<String, Value>| -> BTreeSet<String> {
        fields.keys().map(|field| field.trim_end_matches('?').to_owned()).collect()
    };
    let find = |fields: &Map<String, Value>, name: &str| -> Option<String> {
        let (mark, kind) = fields
            .get(name)
            .map(|kind| ("", kind))
            .or_else(|| fields.get(&format!("{name}?")).map(|kind| (", optional", kind)))?;
        Some(format!("{}{mark}", kind.as_str().unwrap_or_default().replace("integer", "number")))
    };
    for name in bare(old).union(&bare(new)) {
        match (find(old, name), find(new, name)) {
            (None, Some(kind)) => what.push(format!("+ {name} ({kind})")),
            (Some(kind), None) => what.push(format!("- {name} ({kind})")),
            (Some(before), Some(after)) if before != after => {
                what.push(format!("{name}: {before} → {after}"))
            }
            _ => {}
        }
    }
}

/// Whether two schemas take the same, definitions included. Whole numbers count as numbers: one kernel's
/// description tells them apart, another's does not.
fn same(before: &Catalogue, old: Option<&Value>, after: &Catalogue, new: Option<&Value>) -> bool {
    let whole = |catalogue: &Catalogue, schema: Option<&Value>| {
        let defs = schema.map(|schema| catalogue.definitions_of([schema])).unwrap_or_default();
        (schema.map(plain), plain(&Value::Object(defs)))
    };
    whole(before, old) == whole(after, new)
}

/// A schema in which order and the kind of number do not count.
fn plain(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => {
            let is_set =
                |word: &str, value: &Value| matches!(word, "required" | "enum" | "type") && value.is_array();
            let members = map.iter().map(|(word, value)| {
                let mut value = plain(value);
                if let (true, Value::Array(list)) = (is_set(word, &value), &mut value) {
                    list.sort_by_key(Value::to_string);
                    list.dedup();
                }
                (word.clone(), value)
            });
            Value::Object(members.collect())
        }
        Value::Array(list) => list.iter().map(plain).collect(),
        Value::String(word) if word == "integer" => "number".into(),
        other => other.clone(),
    }
}
