//! One entry of a JSON text, with comments and trailing commas, changed in place.

use std::collections::HashSet;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::edit::{Fault, NAME};
use super::programs::{beside, is_ours};

/// What programs read that take JSON with comments; nothing of JSON5 beyond that.
const READ: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The text with our entry in its table `servers`.
pub fn edit(text: &str, servers: &str, entry: &Map<String, Value>) -> Result<String, Fault> {
    let root = parse(text)?;
    let before = root.to_serde_value();
    let whole =
        root.object_value_or_create().ok_or_else(|| shape("it holds something else than an object"))?;
    match own(&whole, servers)? {
        Some(table) => match own(&table, NAME)? {
            Some(old) => merge(&old, entry)?,
            None => {
                table.append(NAME, object(entry));
            }
        },
        None => {
            whole.append(servers, CstInputValue::Object(vec![(NAME.into(), object(entry))]));
        }
    }
    let edited = root.to_string();
    // The library's word is not taken for it: what is not ours must read as it did.
    let mut after = parse(&edited)?.to_serde_value().unwrap_or_default();
    let mut before = before.unwrap_or_else(|| Value::Object(Map::new()));
    for value in [&mut before, &mut after] {
        let table = value.get_mut(servers).and_then(Value::as_object_mut);
        if table.is_some_and(|table| table.shift_remove(NAME).is_some() && table.is_empty())
            && let Some(whole) = value.as_object_mut()
        {
            whole.shift_remove(servers);
        }
    }
    if let Some(whole) = before.as_object_mut()
        && whole.get(servers).and_then(Value::as_object).is_some_and(Map::is_empty)
    {
        whole.shift_remove(servers);
    }
    if before == after { Ok(edited) } else { Err(shape("it could not be changed in that one place alone")) }
}

fn parse(text: &str) -> Result<CstRootNode, Fault> {
    CstRootNode::parse(text, &READ).map_err(|error| Fault::Broken {
        line: error.line_display(),
        column: error.column_display(),
        reason: error.kind().to_string(),
    })
}

/// The object that stands under a name.
fn own(within: &CstObject, name: &str) -> Result<Option<CstObject>, Fault> {
    let mut found = within.properties().into_iter().filter(|property| {
        property.name().and_then(|name| name.decoded_value().ok()).as_deref() == Some(name)
    });
    let Some(property) = found.next() else { return Ok(None) };
    if found.next().is_some() {
        return Err(shape(format!("{name:?} stands twice in it")));
    }
    property.object_value().map(Some).ok_or_else(|| shape(format!("{name:?} is no object in it")))
}

/// Sets what is ours in an entry that is there, and leaves what else the person set.
fn merge(old: &CstObject, entry: &Map<String, Value>) -> Result<(), Fault> {
    let mut names = HashSet::new();
    for property in old.properties() {
        let name = property.name().and_then(|name| name.decoded_value().ok()).unwrap_or_default();
        if !names.insert(name.clone()) {
            return Err(shape(format!("{name:?} stands twice in its entry {NAME:?}")));
        }
        if is_ours(&name) && !entry.contains_key(&name) {
            property.remove();
        }
    }
    for (name, value) in entry {
        let before = old.get(name).and_then(|property| property.value()?.to_serde_value());
        let value = &beside(before.as_ref(), value);
        match old.get(name) {
            Some(property)
                if property.value().and_then(|now| now.to_serde_value()).is_some_and(|now| now == *value) => {
            }
            Some(property) => property.set_value(input(value)),
            None => {
                old.append(name, input(value));
            }
        }
    }
    Ok(())
}

fn object(entry: &Map<String, Value>) -> CstInputValue {
    CstInputValue::Object(entry.iter().map(|(name, value)| (name.clone(), input(value))).collect())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(map) => object(map),
    }
}

fn shape(reason: impl Into<String>) -> Fault {
    Fault::Shape(reason.into())
}
