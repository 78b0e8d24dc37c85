//! `notegate call`: a tool call of the person at this computer. It takes the way of every call.

use std::io::Read;

use serde_json::{Map, Value, json};

use super::arguments::Call;
use super::failure::{Exit, Failure};
use super::output::Output;
use super::reach::execute;
use crate::core::{Command, Reply};

pub async fn run(typed: Call, output: Output) -> Result<Exit, Failure> {
    let arguments = arguments(typed.arguments).await?;
    let command = Command::CallTool { tool: typed.tool, arguments, mode: typed.mode };
    let Reply::ToolResult { content, structured_content, is_error } = execute(command).await? else {
        return Err(Failure::new("internal", "a tool call was answered with something else"));
    };
    if output.is_json() {
        let mut result = json!({"content": content, "isError": is_error});
        if let Some(structured) = structured_content {
            result["structuredContent"] = structured;
        }
        output.line(result)?;
    } else {
        let text = content.iter().map(shown).collect::<Vec<_>>().join("\n");
        if is_error { output.note(text) } else { output.line(text)? }
    }
    Ok(if is_error { Exit::ToolError } else { Exit::Done })
}

async fn arguments(typed: String) -> Result<Map<String, Value>, Failure> {
    let text = if typed == "-" { from_standard_input().await? } else { typed };
    match serde_json::from_str(&text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err(Failure::usage("the arguments are not a JSON object")
            .hint("write them like '{\"path\": \"Welcome.md\"}'")),
        Err(error) => Err(Failure::usage(format!("the arguments are not valid JSON: {error}"))
            .hint("write them like '{\"path\": \"Welcome.md\"}'")),
    }
}

async fn from_standard_input() -> Result<String, Failure> {
    let reading = tokio::task::spawn_blocking(|| {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).map(|_| text)
    });
    match reading.await {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(error)) => {
            Err(Failure::new("input", format!("cannot read the arguments from standard input: {error}")))
        }
        Err(error) => Err(Failure::new("internal", error.to_string())),
    }
}

/// A content block for a person. What is not text is named, not shown.
fn shown(block: &Value) -> String {
    match block["text"].as_str() {
        Some(text) => text.to_owned(),
        None => format!("[{}: use --json]", block["type"].as_str().unwrap_or("content")),
    }
}
