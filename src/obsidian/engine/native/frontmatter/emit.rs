//! JSON values as YAML text, in the form that MCPVault gives them.
//!
//! One thing differs on purpose: no line is folded at 80 characters. Obsidian does not fold, and a
//! value that stands on one line is found by a search for it.

use serde_json::{Map, Value};

use super::scalar;
use super::yaml::Style;

const STEP: &str = "  ";

/// The lines of a mapping, each but the last ending in `\n`, at the given indent.
pub fn mapping(map: &Map<String, Value>, indent: &str) -> String {
    let lines: Vec<String> = map.iter().map(|(key, value)| pair(key, value, indent)).collect();
    lines.join(&format!("\n{indent}"))
}

/// One key and its value. The first line has no indent; the others have at least `indent`.
pub fn pair(key: &str, value: &Value, indent: &str) -> String {
    format!("{}:{}", self::key(key, indent), value_text(value, indent, Style::Plain))
}

/// What stands behind the colon of a key at `indent`: a blank and a value, or a line end and lines.
/// A string keeps the `style` that was there before.
pub fn value_text(value: &Value, indent: &str, style: Style) -> String {
    let inner = format!("{indent}{STEP}");
    if is_block_collection(value) {
        format!("\n{inner}{}", node(value, &inner, style))
    } else {
        format!(" {}", node(value, &inner, style))
    }
}

/// What stands behind the `- ` of an item of a list at `indent`.
pub fn item(value: &Value, indent: &str) -> String {
    node(value, &format!("{indent}{STEP}"), Style::Plain)
}

/// Whether the value is written on lines of its own.
pub fn is_block_collection(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
        _ => false,
    }
}

fn node(value: &Value, indent: &str, style: Style) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => scalar::number_text(number),
        Value::String(text) => string(text, indent, style),
        Value::Array(items) if items.is_empty() => "[]".to_owned(),
        Value::Object(map) if map.is_empty() => "{}".to_owned(),
        Value::Array(items) => {
            let inner = format!("{indent}{STEP}");
            let lines: Vec<String> =
                items.iter().map(|item| format!("- {}", node(item, &inner, Style::Plain))).collect();
            lines.join(&format!("\n{indent}"))
        }
        Value::Object(map) => mapping(map, indent),
    }
}

fn string(text: &str, indent: &str, style: Style) -> String {
    if text.chars().any(is_control) {
        return double_quoted(text);
    }
    match style {
        Style::DoubleQuoted => double_quoted(text),
        Style::SingleQuoted => single_quoted(text),
        Style::Block => block(text, indent),
        Style::Plain | Style::Other => plain(text, indent),
    }
}

fn plain(text: &str, indent: &str) -> String {
    if text.contains('\n') {
        return block(text, indent);
    }
    if needs_quotes(text) || scalar::is_special(text) { quoted(text) } else { text.to_owned() }
}

fn key(text: &str, indent: &str) -> String {
    let is_marker =
        indent.is_empty() && (text.starts_with('%') || text.starts_with("---") || text.starts_with("..."));
    if text.chars().any(is_control) {
        double_quoted(text)
    } else if text.contains('\n') || is_marker || needs_quotes(text) || scalar::is_special(text) {
        quoted(text)
    } else {
        text.to_owned()
    }
}

/// Whether a line, written plainly, would be read as something else than itself.
fn needs_quotes(text: &str) -> bool {
    let starts_badly = text.starts_with([
        '\n', '\t', ' ', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`',
    ]);
    let starts_like_a_list =
        matches!(text, "-" | "?") || ["- ", "-\t", "? ", "?\t"].iter().any(|start| text.starts_with(start));
    let holds = |pairs: &[&str]| pairs.iter().any(|pair| text.contains(pair));
    starts_badly
        || starts_like_a_list
        || holds(&[": ", ":\t", " #", "\t#"])
        || text.ends_with(['\n', '\t', ' ', ':'])
}

/// Characters that are written escaped. A byte-order mark is one, since readers drop it.
fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{feff}')
}

fn quoted(text: &str) -> String {
    if text.contains('"') && !text.contains('\'') { single_quoted(text) } else { double_quoted(text) }
}

fn single_quoted(text: &str) -> String {
    if text.contains('\n') {
        return double_quoted(text);
    }
    format!("'{}'", text.replace('\'', "''"))
}

fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => {
                // a blank before a line end would be lost if the line were ever folded
                if out.ends_with(' ') {
                    out.insert(out.len() - 1, '\\');
                }
                out.push_str("\\n");
            }
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0' => out.push_str("\\0"),
            '\u{7}' => out.push_str("\\a"),
            '\u{b}' => out.push_str("\\v"),
            '\u{1b}' => out.push_str("\\e"),
            '\u{1}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            '\u{feff}' => out.push_str("\\uFEFF"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A text of several lines behind a `|`.
fn block(text: &str, indent: &str) -> String {
    let blank = |c: char| c == ' ' || c == '\t';
    let last_line = text.rsplit('\n').next().unwrap_or_default();
    let ends_in_blanks = text.contains('\n') && !last_line.is_empty() && last_line.chars().all(blank);
    if ends_in_blanks || text.trim_matches(['\n', '\t', ' ']).is_empty() {
        return quoted(text);
    }
    let trimmed = text.trim_end_matches(['\n', '\t', ' ']);
    let end = &text[trimmed.len()..];
    let keep = match end.find('\n') {
        None => "-",
        Some(at) if at + 1 == end.len() => "",
        Some(_) => "+",
    };
    let begins_with_blank = text.trim_start_matches('\n').starts_with(' ') || text.starts_with(' ');
    let size = if begins_with_blank { "2" } else { "" };
    let body = text.strip_suffix('\n').unwrap_or(text);
    let mut out = format!("|{size}{keep}");
    for (at, line) in body.split('\n').enumerate() {
        out.push('\n');
        // the first line is indented even when it is empty, as MCPVault does it
        if !line.is_empty() || at == 0 {
            out.push_str(indent);
            out.push_str(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(value: Value, expected: &str) {
        assert_eq!(pair("k", &value, ""), expected);
    }

    #[test]
    fn words_that_mean_something_else_are_quoted() {
        for text in [
            "true", "Null", "~", "1", "0x1F", "007", "1e3", ".5", ".inf", "", " a", "a ", "a:", "a: b",
            "a #b",
        ] {
            check(json!(text), &format!("k: \"{text}\""));
        }
        for text in [
            "- a", "-", "?", "? a", "#a", "[x]", "{x}", ",a", "&a", "*a", "!a", "|a", ">a", "@a", "`a`", "%x",
        ] {
            check(json!(text), &format!("k: \"{text}\""));
        }
        for text in [
            "a",
            "yes",
            "on",
            "2024-01-01",
            "12:30",
            "a:b",
            "a#b",
            "-a",
            "?a",
            "x]",
            "it's",
            "a\\",
            "http://x/y#z",
            "中文",
            "=",
        ] {
            check(json!(text), &format!("k: {text}"));
        }
    }

    #[test]
    fn quotes_inside_of_quotes() {
        check(json!("\"a\""), "k: '\"a\"'");
        check(json!("'a"), "k: \"'a\"");
        check(json!("\"it's\""), "k: \"\\\"it's\\\"\"");
        check(json!("a\tb"), "k: a\tb");
        check(json!("a\rb\0\u{7}\u{1b}\u{7f}\u{85}\u{feff}"), "k: \"a\\rb\\0\\a\\e\\x7f\\x85\\uFEFF\"");
    }

    #[test]
    fn text_of_several_lines() {
        check(json!("a\nb"), "k: |-\n  a\n  b");
        check(json!("a\nb\n"), "k: |\n  a\n  b");
        check(json!("a\n\n"), "k: |+\n  a\n");
        check(json!("\na"), "k: |-\n  \n  a");
        check(json!(" a\nb"), "k: |2-\n   a\n  b");
        check(json!("a\n\n b"), "k: |-\n  a\n\n   b");
        check(json!("a\n "), "k: \"a\\n \"");
        check(json!("---\na"), "k: |-\n  ---\n  a");
    }

    #[test]
    fn lists_and_mappings() {
        check(json!([]), "k: []");
        check(json!({}), "k: {}");
        check(json!(["a", 1, null, true, 1.5]), "k:\n  - a\n  - 1\n  - null\n  - true\n  - 1.5");
        check(json!([["a", "b"], []]), "k:\n  - - a\n    - b\n  - []");
        check(json!([{ "a": 1, "b": [2] }]), "k:\n  - a: 1\n    b:\n      - 2");
        check(json!({ "a": { "b": "x\ny" } }), "k:\n  a:\n    b: |-\n      x\n      y");
        check(json!(["x\ny"]), "k:\n  - |-\n    x\n    y");
    }

    #[test]
    fn keys() {
        let check = |key: &str, expected: &str| assert_eq!(pair(key, &json!(1), ""), expected);
        check("a b", "a b: 1");
        check("日本", "日本: 1");
        check("a: b", "\"a: b\": 1");
        check("1", "\"1\": 1");
        check("", "\"\": 1");
        check("#x", "\"#x\": 1");
        check("---", "\"---\": 1");
        check("a\nb", "\"a\\nb\": 1");
    }
}
