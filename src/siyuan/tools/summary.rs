//! A call as a person reads it who is asked about it: in names and values alone, so that it is the same in every
//! language.
//!
//! Whoever asks is not to be trusted with how it looks. Each line of a text is indented, so that no text can end and go on
//! as if it were another argument; what is invisible, or turns the direction of the letters, is written out.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Call, word};

/// The longest value that stands beside its name, in characters.
const BESIDE: usize = 100;

/// So much is shown of a text within JSON, in characters.
const WITHIN: usize = 300;

impl Call {
    /// On the first line what is called; then an argument each: the short ones first, so that what is cut is the end
    /// of a long text. What is cut and what is secret is the business of whoever shows it.
    pub fn summary(&self) -> String {
        let (mut summary, told) = self.head();
        let others = self.arguments.iter().filter(|(name, _)| !told.contains(&name.as_str()));
        let (short, long): (Vec<_>, Vec<_>) = others
            .map(|(name, value)| (name, visible(&written(value))))
            .partition(|(_, text)| is_short(text));
        for (name, text) in short {
            let _ = write!(summary, "\n{name}: {text}"); // a String takes everything
        }
        for (name, text) in long {
            let _ = write!(summary, "\n{name}:");
            for line in text.split('\n') {
                let _ = write!(summary, "\n  {line}");
            }
        }
        summary
    }

    /// What is called, and the arguments that say so.
    fn head(&self) -> (String, &'static [&'static str]) {
        let channel = self.arguments.get("channel").and_then(Value::as_str);
        let (first, told): (Vec<&str>, &'static [&'static str]) = match channel {
            Some("http") => (vec![self.text("method").unwrap_or("POST")], &["channel", "method", "path"]),
            Some("plugin") => (vec!["plugin"], &["channel", "plugin", "method"]),
            Some("mcp") => (vec!["mcp"], &["channel", "method"]),
            Some("ws") => (vec!["ws"], &["channel", "path"]),
            Some(channel) => (vec![channel, self.text("action").unwrap_or_default()], &["channel", "action"]),
            None => (vec![self.tool.name, word(&self.arguments)], &["action", "id"]),
        };
        let named = told.iter().filter(|name| !matches!(**name, "channel" | "action"));
        // The method of HTTP has a usual one, and stands there already.
        let named = named.filter(|name| channel != Some("http") || **name != "method");
        let rest = named.filter_map(|name| self.text(name));
        let words: Vec<String> =
            first.iter().copied().chain(rest).map(|word| visible(word).replace('\n', "\\n")).collect();
        (words.join(" "), told)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).and_then(Value::as_str)
    }
}

fn is_short(text: &str) -> bool {
    !text.contains('\n') && text.chars().nth(BESIDE).is_none()
}

/// Texts as they are, everything else as JSON: on one line where it is short. Of a long text within JSON the beginning
/// stands for it, so that none hides the fields that follow.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace("\r\n", "\n"),
        other => {
            let other = with_short_texts(other);
            let line = other.to_string();
            if is_short(&line) { line } else { format!("{other:#}") }
        }
    }
}

/// Writes out what cannot be seen, or makes other characters look as if they stood elsewhere.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let unseen = (c.is_control() && c != '\n' && c != '\t')
            || matches!(
                c,
                '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}'
            )
            || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}')
            || matches!(c, '\u{e0000}'..='\u{e007f}');
        if unseen {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

fn with_short_texts(value: &Value) -> Value {
    match value {
        Value::String(text) => match text.char_indices().nth(WITHIN) {
            Some((end, _)) => {
                let left = text[end..].chars().count();
                format!("{}… (and {left} characters more)", &text[..end]).into()
            }
            None => value.clone(),
        },
        Value::Array(list) => list.iter().map(with_short_texts).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), with_short_texts(member))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tool;
    use super::*;

    fn check(name: &str, arguments: Value, expected: &str) {
        let Value::Object(arguments) = arguments else { panic!("no object") };
        assert_eq!(Call::read(tool(name).unwrap(), arguments).unwrap().summary(), expected);
    }

    const BLOCK: &str = "20261011180002-abcdefg";

    #[test]
    fn the_first_line_says_what_is_called() {
        check(
            "siyuan_update",
            json!({"action": "block", "id": BLOCK, "data": "new text"}),
            "siyuan_update block 20261011180002-abcdefg\ndata: new text",
        );
        check(
            "siyuan_delete",
            json!({"id": BLOCK, "action": "doc"}),
            "siyuan_delete doc 20261011180002-abcdefg",
        );
        check(
            "siyuan_query",
            json!({"action": "sql", "stmt": "SELECT 1"}),
            "siyuan_query sql\nstmt: SELECT 1",
        );
        check(
            "siyuan_rpc",
            json!({"channel": "http", "path": "/api/x", "body": {"a": 1}}),
            "POST /api/x\nbody: {\"a\":1}",
        );
        check("siyuan_rpc", json!({"channel": "http", "method": "GET", "path": "/api/x"}), "GET /api/x");
        check(
            "siyuan_rpc",
            json!({"channel": "plugin", "plugin": "mine", "method": "echo", "params": {}}),
            "plugin mine echo\nparams: {}",
        );
        check(
            "siyuan_rpc",
            json!({"channel": "mcp", "method": "tools/call", "params": {"name": "search"}}),
            "mcp tools/call\nparams: {\"name\":\"search\"}",
        );
        check("siyuan_rpc", json!({"channel": "connection", "action": "status"}), "connection status");
    }

    #[test]
    fn long_texts_come_last_and_their_lines_are_indented() {
        check(
            "siyuan_create",
            json!({"action": "doc", "markdown": "# One\r\npath: /Elsewhere\n", "notebook": BLOCK, "path": "/Trip"}),
            "siyuan_create doc\nnotebook: 20261011180002-abcdefg\npath: /Trip\nmarkdown:\n  # One\n  path: /Elsewhere\n  ",
        );
        let statement = format!("SELECT {}", "x, ".repeat(60));
        check(
            "siyuan_query",
            json!({"action": "sql", "stmt": statement}),
            &format!("siyuan_query sql\nstmt:\n  {statement}"),
        );
        check(
            "siyuan_rpc",
            json!({"channel": "http", "path": "/api/x", "body": {"long": "y".repeat(90), "n": 1}}),
            &format!("POST /api/x\nbody:\n  {{\n    \"long\": \"{}\",\n    \"n\": 1\n  }}", "y".repeat(90)),
        );
    }

    #[test]
    fn a_long_text_hides_no_field_behind_it() {
        let summary = |arguments: Value| {
            let Value::Object(arguments) = arguments else { panic!("no object") };
            Call::read(tool("siyuan_rpc").unwrap(), arguments).unwrap().summary()
        };
        let body = json!({"a": "A".repeat(4000), "list": ["B".repeat(4000)], "toNotebook": "x"});
        let shown = summary(json!({"channel": "http", "path": "/api/x", "body": body}));
        assert!(
            shown.contains("\"toNotebook\": \"x\"") && shown.contains("(and 3700 characters more)"),
            "{shown}"
        );
        assert!(shown.len() < 1000, "{}", shown.len());
    }

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        check(
            "siyuan_update",
            json!({"action": "block", "id": BLOCK, "data": "a\u{202e}b\u{0}c\u{200b}d"}),
            "siyuan_update block 20261011180002-abcdefg\ndata: a\\u{202e}b\\u{0}c\\u{200b}d",
        );
        check("siyuan_rpc", json!({"channel": "http", "path": "/api/x\nid: 1"}), "POST /api/x\\nid: 1");
    }
}
