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
            .map(|Tool { spec, .. }| {
                let kind = if spec.writes { "writes" } else { "reads" };
                vec![spec.name.to_owned(), kind.to_owned(), spec.title.to_owned()]
            })
            .collect();
        table(&rows)
    })?;
    Ok(Exit::Done)
}

fn described(tool: &Tool) -> Value {
    json!({
        "name": tool.spec.name,
        "capability": tool.capability,
        "title": tool.spec.title,
        "description": tool.spec.description,
        "writes": tool.spec.writes,
        "inputSchema": tool.spec.input_schema,
    })
}
