//! Channel `mcp`: a method of the kernel's own MCP server. Lists are answered whole, whatever their pages.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::siyuan::errors::SiyuanError;
use crate::siyuan::execution::Outcome;
use crate::siyuan::permissions::{Request, Rules, Ruling};
use crate::siyuan::tools::way::{Done, Failed, Way};

/// Lists, and where their items stand.
const LISTS: &[(&str, &str)] = &[
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::siyuan) struct Mcp {
    method: String,
    params: Option<Value>,
}

impl Mcp {
    pub fn check(&self) -> Result<(), String> {
        match self.params {
            None | Some(Value::Object(_)) => Ok(()),
            Some(_) => Err("params must be an object".into()),
        }
    }

    pub fn judge(&self, rules: &Rules<'_>) -> Result<Ruling, SiyuanError> {
        Ok(rules.judge(Request::Mcp { method: &self.method, params: self.params.as_ref() })?)
    }

    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        let params: Option<Map<String, Value>> = self.params.as_ref().and_then(Value::as_object).cloned();
        let list = LISTS.iter().find(|(name, _)| *name == self.method);
        if let (Some((_, field)), true) = (list, params.as_ref().is_none_or(Map::is_empty)) {
            let items = way.connection.mcp_list(&self.method, way.cancel).await?;
            return Ok(Done::new(json!({"result": {*field: items}})));
        }
        let mut result = way.connection.mcp_request(&self.method, params, way.cancel).await?;
        describe_media(&mut result);
        let failed = result.get("isError").and_then(Value::as_bool).unwrap_or_default();
        let outcome = if failed { Outcome::Failed } else { Outcome::Succeeded };
        Ok(Done { outcome, ..Done::new(json!({"result": result})) })
    }
}

/// The bytes of images and sounds are not passed on, wherever they stand.
fn describe_media(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(describe_media),
        Value::Object(members) => {
            let kind = members.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
            for name in ["data", "blob"] {
                let is_media = name == "blob" || matches!(kind.as_str(), "image" | "audio");
                if let (true, Some(Value::String(data))) = (is_media, members.get(name)) {
                    let about = format!("[{} bytes, not passed on]", data.len() / 4 * 3);
                    members.insert(name.to_owned(), about.into());
                }
            }
            members.values_mut().for_each(describe_media);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_images_and_sounds_only_a_description_is_left() {
        let mut result = json!({"content": [
            {"type": "image", "data": "AAAAAAAA", "mimeType": "image/png"},
            {"type": "text", "text": "kept", "data": "kept"},
            {"type": "resource", "resource": {"uri": "a:b", "blob": "AAAA"}},
        ]});
        describe_media(&mut result);
        assert_eq!(result["content"][0]["data"], "[6 bytes, not passed on]");
        assert_eq!(result["content"][1], json!({"type": "text", "text": "kept", "data": "kept"}));
        assert_eq!(result["content"][2]["resource"]["blob"], "[3 bytes, not passed on]");
    }
}
