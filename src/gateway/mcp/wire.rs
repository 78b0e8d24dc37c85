//! Between our tools and rmcp's types: definitions and results, without loss.

use std::sync::{Arc, LazyLock};

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::tools::{self, Reply};

/// Tells one client family how long a result may be before it cuts it.
const MAX_RESULT_META: &str = "anthropic/maxResultSizeChars";

/// The schemas, shared by every answer that lists them.
static SCHEMAS: LazyLock<Vec<(&'static str, Arc<JsonObject>)>> = LazyLock::new(|| {
    tools::catalogue().iter().map(|tool| (tool.name, Arc::new(tool.input_schema.clone()))).collect()
});

/// A tool as MCP defines it. The schema passes as it is; the annotations describe and filter nothing.
pub(super) fn definition(tool: &'static tools::Tool, result_chars: usize) -> Tool {
    let shared = SCHEMAS.iter().find(|(name, _)| *name == tool.name).map(|(_, schema)| Arc::clone(schema));
    let schema = shared.unwrap_or_else(|| Arc::new(tool.input_schema.clone()));
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(!tool.writes)
        .destructive(tool.destructive)
        .idempotent(tool.idempotent)
        .open_world(false);
    let defined =
        Tool::new(tool.name, tool.description, schema).with_title(tool.title).with_annotations(annotations);
    if tool.writes {
        return defined; // What writes answers in a sentence.
    }
    defined.with_meta(MetaObject(JsonObject::from_iter([(MAX_RESULT_META.to_owned(), json!(result_chars))])))
}

/// A reply as MCP's tool result.
pub(super) fn result(reply: Reply) -> CallToolResult {
    let Reply { content, structured, is_error, meta } = reply;
    let content = content.into_iter().map(block).collect();
    let mut result = if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = structured.filter(Value::is_object);
    result.meta = meta.map(MetaObject);
    result
}

/// A block that rmcp's types cannot hold whole goes as its JSON text, so that nothing is lost.
fn block(block: Value) -> ContentBlock {
    match serde_json::from_value::<ContentBlock>(block.clone()) {
        Ok(typed) if serde_json::to_value(&typed).is_ok_and(|back| back == block) => typed,
        _ => ContentBlock::text(block.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m28_every_block_reaches_the_wire_whole() {
        let check = |block: Value, expected: Value| {
            let reply = Reply { content: vec![block], structured: None, is_error: false, meta: None };
            assert_eq!(serde_json::to_value(result(reply)).unwrap()["content"][0], expected);
        };
        for known in [
            json!({"type": "text", "text": "t"}),
            json!({"type": "image", "data": "AA==", "mimeType": "image/png"}),
            json!({"type": "resource", "resource": {"uri": "u:x", "mimeType": "text/plain", "text": "t"}}),
        ] {
            check(known.clone(), known);
        }
        for unknown in
            [json!({"type": "video", "data": "AA=="}), json!({"type": "text", "text": "t", "more": 1})]
        {
            let text = unknown.to_string();
            check(unknown, json!({"type": "text", "text": text}));
        }
    }

    #[test]
    fn structured_content_is_an_object_or_absent() {
        let reply = |structured| Reply { content: vec![], structured, is_error: true, meta: None };
        assert_eq!(result(reply(Some(json!({"code": "x"})))).structured_content, Some(json!({"code": "x"})));
        assert_eq!(result(reply(Some(json!([1])))).structured_content, None);
        assert_eq!(result(reply(None)).is_error, Some(true));
    }
}
