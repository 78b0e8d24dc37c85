//! `notegate tools`: what can be called, and with which arguments. The list is part of the program, so
//! nothing need run.

use serde_json::{Value, json};

use super::arguments::Tools;
use super::failure::{Exit, Failure};
use super::output::{Output, table};
use crate::core::{Tool, catalogue};

pub fn run(typed: &Tools, output: Output) -> Result<Exit, Failure> {
    match &typed.name {
        None => {
            let list: Vec<Value> = catalogue().iter().map(described).collect();
            output.result(json!({"tools": list}), list_text)?;
        }
        Some(name) => {
            let tool = catalogue().iter().find(|tool| tool.name == name).ok_or_else(|| {
                Failure::new("unknown_tool", format!("there is no tool {name:?}"))
                    .hint("`notegate tools` lists them")
            })?;
            output.result(described(tool), || text(tool))?;
        }
    }
    Ok(Exit::Done)
}

fn described(tool: &Tool) -> Value {
    json!({
        "name": tool.name,
        "capability": tool.capability,
        "title": tool.title,
        "description": tool.description,
        "writes": tool.writes,
        "inputSchema": tool.input_schema,
    })
}

fn effect(tool: &Tool) -> &'static str {
    if tool.writes { "writes" } else { "reads" }
}

fn list_text() -> String {
    let row = |tool: &Tool| [tool.name, effect(tool), tool.title].map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = catalogue().iter().map(row).collect();
    format!("{}\n\n`notegate tools NAME` shows the arguments of one.", table(&rows))
}

fn text(tool: &Tool) -> String {
    let head = format!("{} ({}, {})\n{}", tool.name, tool.title, effect(tool), tool.description);
    let schema = &tool.input_schema;
    let required = |name: &str| {
        schema.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|n| n == name))
    };
    let Some(fields) =
        schema.get("properties").and_then(Value::as_object).filter(|fields| !fields.is_empty())
    else {
        return format!("{head}\n\nIt takes no arguments.");
    };
    let rows: Vec<Vec<String>> = fields
        .iter()
        .map(|(name, field)| {
            let need = match field.get("default") {
                _ if required(name) => "required".to_owned(),
                Some(default) => format!("default {default}"),
                None => "optional".to_owned(),
            };
            let about = field["description"].as_str().unwrap_or_default().to_owned();
            vec![format!("  {name}"), kind(field), need, about]
        })
        .collect();
    format!("{head}\n\nArguments\n{}", table(&rows))
}

/// What an argument may be, in JSON's words.
fn kind(field: &Value) -> String {
    if let Some(words) = field["enum"].as_array() {
        return words.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    match field["type"].as_str() {
        Some("array") => format!("list of {}s", field["items"]["type"].as_str().unwrap_or("value")),
        Some(kind) => kind.to_owned(),
        None => "value".to_owned(),
    }
}
