//! One table of a TOML text, changed in place.

use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value as Toml};

use super::edit::{Fault, NAME};
use super::programs::{is_filled_in, is_ours};

/// The text with our table in its table `servers`.
pub fn edit(text: &str, servers: &str, entry: &Map<String, Value>) -> Result<String, Fault> {
    let mut document = parse(text)?;
    if !document.contains_key(servers) {
        let mut table = Table::new();
        table.set_implicit(true);
        document.insert(servers, Item::Table(table));
    }
    // What stands at the end of the text stays before what is added to it.
    let trailing = document.trailing().as_str().unwrap_or_default().to_owned();
    let in_braces = document.get(servers).is_some_and(Item::is_inline_table);
    let table = document.get_mut(servers).and_then(Item::as_table_like_mut);
    let table = table.ok_or_else(|| Fault::Shape(format!("{servers:?} is no table in it")))?;
    match table.get_mut(NAME) {
        Some(old) => {
            let old = old.as_table_like_mut();
            merge(old.ok_or_else(|| Fault::Shape(format!("{NAME:?} is no table in it")))?, entry);
        }
        None if in_braces => {
            table.insert(NAME, Item::Value(inline(entry)));
        }
        None => {
            let mut new = Table::new();
            merge(&mut new, entry);
            let gap = if text.trim().is_empty() { "" } else { "\n" };
            new.decor_mut().set_prefix(format!("{trailing}{gap}"));
            new.set_position(Some(isize::MAX));
            table.insert(NAME, Item::Table(new));
            document.set_trailing("");
        }
    }
    let edited = document.to_string();
    let mut after = parse(&edited)?;
    let mut before = parse(text)?;
    for document in [&mut before, &mut after] {
        if let Some(table) = document.get_mut(servers).and_then(Item::as_table_like_mut) {
            table.remove(NAME);
        }
    }
    if plain(before.as_table(), servers) == plain(after.as_table(), servers) {
        Ok(edited)
    } else {
        Err(Fault::Shape("it could not be changed in that one place alone".into()))
    }
}

/// What a text says, however it is written; an empty table of servers says nothing.
fn plain(table: &dyn TableLike, servers: &str) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    for (name, item) in table.iter() {
        match item.as_table_like() {
            Some(inner) => {
                let inner = plain(inner, servers);
                if name != servers || !inner.is_empty() {
                    lines.push((name.to_owned(), format!("{inner:?}")));
                }
            }
            None => lines.push((name.to_owned(), item.to_string().trim().to_owned())),
        }
    }
    lines
}

fn parse(text: &str) -> Result<DocumentMut, Fault> {
    text.parse::<DocumentMut>().map_err(|error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let before = text.get(..at).unwrap_or_default();
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Fault::Broken { line, column, reason: error.message().trim().to_owned() }
    })
}

/// Sets what is ours, and leaves what else the person set.
fn merge(table: &mut dyn TableLike, entry: &Map<String, Value>) {
    let old: Vec<String> = table.iter().map(|(name, _)| name.to_owned()).collect();
    for name in old.iter().filter(|name| is_ours(name) && !entry.contains_key(*name)) {
        table.remove(name);
    }
    for (name, value) in entry {
        let mut new = value_of(value);
        if let (Some(new), Some(old)) =
            (new.as_inline_table_mut(), table.get(name).and_then(Item::as_table_like))
        {
            for (name, item) in old.iter().filter(|(name, _)| !is_filled_in(name)) {
                if let (false, Some(value)) = (new.contains_key(name), item.as_value()) {
                    new.insert(name, value.clone());
                }
            }
        }
        match table.get_mut(name) {
            Some(Item::Value(old)) => {
                // Comments beside a value stay with it.
                *new.decor_mut() = old.decor().clone();
                *old = new;
            }
            _ => {
                table.insert(name, Item::Value(new));
            }
        }
    }
}

fn value_of(value: &Value) -> Toml {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Array(values) => Toml::Array(values.iter().map(value_of).collect::<Array>()),
        Value::Object(map) => inline(map),
        Value::String(text) => text.as_str().into(),
        // No entry has another.
        other => other.to_string().into(),
    }
}

fn inline(map: &Map<String, Value>) -> Toml {
    let table: InlineTable = map.iter().map(|(name, value)| (name.as_str(), value_of(value))).collect();
    Toml::InlineTable(table)
}
