//! `notegate tools`: what can be called. The list is part of the program, so nothing need run.

use serde_json::{Value, json};

use super::failure::{Exit, Failure};
use super::output::{Output, table};
use crate::core::{Tool, catalogue};

pub fn run(output: Output) -> Result<Exit, Failure> {
    let list: Vec<Value> = catalogue().iter().map(described).collect();
    output.result(json!({"tools": list}), || {
        let rows: Vec<Vec<String>> = catalogue()
            .iter()
            .map(|tool| {
                let kind = if tool.writes { "writes" } else { "reads" };
                vec![tool.name.to_owned(), kind.to_owned(), tool.title.to_owned()]
            })
            .collect();
        table(&rows)
    })?;
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
