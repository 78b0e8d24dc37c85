//! Vaults and calls changed in one respect.

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

use super::Setting;
use super::promises::found;
use crate::tree::{Node, Tree};
use crate::twins::Twins;

pub fn with_argument(setting: &Setting, name: &str, from: &Value, to: Value) -> Setting {
    let mut setting = setting.clone();
    if setting.arguments.get(name) == Some(from) {
        setting.arguments[name] = to;
    }
    setting
}

/// With each text among the arguments changed.
pub fn with_texts(setting: &Setting, change: impl Fn(&str) -> String) -> Setting {
    fn changed(value: &Value, change: &impl Fn(&str) -> String) -> Value {
        match value {
            Value::String(text) => change(text).into(),
            Value::Array(items) => items.iter().map(|item| changed(item, change)).collect(),
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| (name.clone(), changed(value, change))).collect()
            }
            other => other.clone(),
        }
    }
    Setting { arguments: changed(&setting.arguments, &change), ..setting.clone() }
}

/// With each path among the arguments changed.
pub fn with_paths(setting: &Setting, change: impl Fn(&str) -> String) -> Setting {
    let mut setting = setting.clone();
    for name in
        ["path", "confirmPath", "oldPath", "newPath", "confirmOldPath", "confirmNewPath", "paths", "document"]
    {
        match setting.arguments.get_mut(name) {
            Some(Value::String(path)) => *path = change(path),
            Some(Value::Array(paths)) => {
                for path in paths.iter_mut() {
                    *path = change(path.as_str().unwrap()).into();
                }
            }
            _ => {}
        }
    }
    setting
}

/// With each path changed, in the vault and in the call.
pub fn renamed(setting: &Setting, change: impl Fn(&str) -> String) -> Setting {
    let vault: Tree = setting.vault.iter().map(|(path, node)| (change(path), node.clone())).collect();
    Setting { vault, ..with_paths(setting, change) }
}

/// With the text of each note changed.
pub fn with_notes(setting: &Setting, change: impl Fn(&str) -> String) -> Setting {
    let mut setting = setting.clone();
    for node in setting.vault.values_mut() {
        if let Node::File(bytes) = node
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            let lf = text.replace("\r\n", "\n");
            let changed = change(&lf);
            if changed != lf {
                let ends = if lf == text { "\n" } else { "\r\n" };
                *bytes = changed.replace('\n', ends).into_bytes();
            }
        }
    }
    setting
}

pub fn without_mark(setting: &Setting) -> Setting {
    with_notes(setting, |text| text.trim_start_matches('\u{feff}').to_owned())
}

pub fn lf(setting: &Setting) -> Setting {
    let mut setting = setting.clone();
    for node in setting.vault.values_mut() {
        if let Node::File(bytes) = node
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            *bytes = text.replace("\r\n", "\n").into_bytes();
        }
    }
    setting
}

/// With a plain file in the place of a link to one of `targets`.
pub fn linked(setting: &Setting, targets: &[&str]) -> Setting {
    let mut setting = setting.clone();
    for node in setting.vault.values_mut() {
        if matches!(node, Node::Link(target) if targets.contains(&target.as_str())) {
            *node = Node::File(b"in place of a link\n".to_vec());
        }
    }
    setting
}

pub fn with_note_to_delete(setting: &Setting, mode: &str) -> Setting {
    let mut setting = setting.clone();
    if setting.tool == "delete_note"
        && setting.arguments["trashMode"] == mode
        && let Some(path) = found(&setting, "path").filter(|path| !path.is_empty())
    {
        setting.vault.entry(path).or_insert(Node::File(b"x".to_vec()));
    }
    setting
}

/// Without notes whose names a link fits in other case, another Unicode form, or with the ending.
pub fn without_other_spellings(setting: &Setting) -> Setting {
    let mut setting = setting.clone();
    if setting.tool == "wiki_link" {
        let given = setting.arguments["document"].as_str().unwrap().trim_matches(['[', ']']);
        let document = given.split(['|', '#', '\\']).next().unwrap_or_default().to_owned();
        let folded = |text: &str| text.nfc().collect::<String>().to_lowercase();
        setting.vault.retain(|path, _| {
            let stem = path.strip_suffix(".md").unwrap_or(path);
            let name = if document.contains('/') { stem } else { stem.rsplit('/').next().unwrap() };
            name == document || folded(name) != folded(&document)
        });
    }
    setting
}

fn opens(text: &str) -> Option<&str> {
    text.trim_start_matches('\u{feff}').strip_prefix("---")
}

/// With a blank line above what looks like a block but never closes.
pub fn closed(setting: &Setting) -> Setting {
    let close = |text: &str| match opens(text) {
        Some(rest) if !rest.contains("\n---") => format!("\n{text}"),
        _ => text.to_owned(),
    };
    let mut setting = with_notes(setting, close);
    if let Some(content) = setting.arguments.get("content").and_then(Value::as_str) {
        setting.arguments["content"] = close(content).into();
    }
    setting
}

/// The text without the block that it begins with.
pub fn body_alone(text: &str) -> String {
    let Some(rest) = opens(text) else { return text.to_owned() };
    let Some(end) = rest.find("\n---") else { return text.to_owned() };
    let behind = &rest[end + 4..];
    behind.trim_start_matches('\r').strip_prefix('\n').unwrap_or(behind).to_owned()
}

/// What MCPVault reads in each note, by its path. The notes stand under names that it takes.
fn read_by_mcpvault(vault: &Tree, twins: &mut Twins) -> Vec<(String, Value)> {
    let notes: Vec<(&String, &Node)> =
        vault.iter().filter(|(_, node)| matches!(node, Node::File(_))).collect();
    let named = notes.iter().enumerate().map(|(number, (_, node))| (format!("{number}.md"), (*node).clone()));
    twins.fill(&named.collect());
    let read = |(number, (path, _)): (usize, &(&String, &Node))| {
        let read = twins.oracle.call("read_note", &json!({"path": format!("{number}.md")}));
        let read = serde_json::from_str(read.content[0]["text"].as_str().unwrap());
        ((*path).clone(), read.unwrap_or_default())
    };
    notes.iter().enumerate().map(read).collect()
}

/// The text without `tags` that have no value.
pub fn without_empty_tags(text: &str) -> String {
    let mut lines = text.split_inclusive('\n').peekable();
    let mut kept = String::new();
    while let Some(line) = lines.next() {
        let value = line.strip_prefix("tags:").map(str::trim);
        let goes_on = lines.peek().is_some_and(|next| next.starts_with([' ', '-', '\t']) && *next != "---\n");
        match value {
            Some("[]" | "null" | "Null" | "~") => {}
            Some("") if !goes_on => {}
            _ => kept += line,
        }
    }
    kept
}

/// With another name for `tags` where it is no list of texts without `#`.
pub fn without_odd_tags(setting: &Setting, twins: &mut Twins) -> Setting {
    let mut repaired = setting.clone();
    for (path, read) in read_by_mcpvault(&setting.vault, twins) {
        let is_plain = |tag: &Value| tag.as_str().is_some_and(|tag| !tag.starts_with('#'));
        let is_odd = match &read["fm"]["tags"] {
            Value::Null => false,
            Value::Array(tags) => !tags.iter().all(is_plain),
            _ => true,
        };
        let Some(Node::File(bytes)) = repaired.vault.get_mut(&path) else { continue };
        if is_odd && let Ok(text) = std::str::from_utf8(bytes) {
            *bytes = text.replacen("\ntags:", "\ntagged:", 1).into_bytes();
        }
    }
    repaired
}

/// With `k: 1` in each block that MCPVault cannot read.
pub fn with_valid_frontmatter(setting: &Setting, twins: &mut Twins) -> Setting {
    let mut repaired = setting.clone();
    for (path, read) in read_by_mcpvault(&setting.vault, twins) {
        let Some(Node::File(bytes)) = repaired.vault.get_mut(&path) else { continue };
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        let body = body_alone(text);
        if body != text && read["content"] == text {
            *bytes = format!("---\nk: 1\n---\n{body}").into_bytes();
        }
    }
    repaired
}

/// With `k: 1` in each block that is no mapping, or one in braces, in the vault and in the text to be written.
pub fn without_odd_blocks(setting: &Setting) -> Setting {
    let repair = |text: &str| match opens(text) {
        Some(rest) if rest.starts_with(['\n', '\r']) => {
            let first = rest.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
            match first {
                Some(line) if line != "---" && (line.starts_with(['{', '-']) || !line.contains(':')) => {
                    format!("---\nk: 1\n---\n{}", body_alone(text))
                }
                _ => text.to_owned(),
            }
        }
        _ => text.to_owned(),
    };
    let mut setting = with_notes(setting, repair);
    if let Some(content) = setting.arguments.get("content").and_then(Value::as_str) {
        setting.arguments["content"] = repair(content).into();
    }
    setting
}

/// The text without comments and empty lines at the end of its block.
pub fn without_last_comment(text: &str) -> String {
    let (block, body) = text.split_at(text.len() - body_alone(text).len());
    let Some(block) = block.strip_suffix("---\n") else { return text.to_owned() };
    let mut block = block;
    while let Some((rest, line)) = block.strip_suffix('\n').and_then(|block| block.rsplit_once('\n')) {
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            break;
        }
        block = &block[..rest.len() + 1];
    }
    format!("{block}---\n{body}")
}

/// Without the few spellings of YAML that MCPVault's parser takes for broken or reads in its own way.
pub fn without_corners(text: &str) -> String {
    let mut text = text.to_owned();
    for (corner, plain) in [
        ("\n[k]:", "\nk1:"),
        ("\n{k}:", "\nk2:"),
        ("\n{{x}}:", "\nk3:"),
        ("\n\tk: 1", "\nk4: 1"),
        ("\n\t\n", "\n\n"),
        ("\n...\n", "\n"),
    ] {
        text = text.replace(corner, plain);
    }
    text
}

/// Without `#` where one of the two sees a tag and the other does not.
pub fn without_doubtful_tags(setting: &Setting) -> Setting {
    let alike: &[&str] = match setting.tool {
        "list_all_tags" => &["#tag here", "text #one/two"],
        "manage_tags" => &["#tag here"],
        _ => return setting.clone(),
    };
    with_notes(setting, |text| {
        let (block, body) = text.split_at(text.len() - body_alone(text).len());
        let lines = body.split('\n').map(|line| match line {
            line if alike.contains(&line) => line.to_owned(),
            line if line.starts_with("```") || line.starts_with("~~~") => String::new(),
            line => without_marks(line),
        });
        format!("{block}{}", lines.collect::<Vec<_>>().join("\n"))
    })
}

/// The line without each `#` that something follows.
fn without_marks(line: &str) -> String {
    let follows = |at: usize| line[at + 1..].starts_with(|c: char| c != ' ' && c != '#');
    line.char_indices().filter(|(at, c)| *c != '#' || !follows(*at)).map(|(_, c)| c).collect()
}

/// With each note as MCPVault writes it when nothing is to change, unless it says something else then.
pub fn as_mcpvault_writes_it(setting: &Setting, twins: &mut Twins) -> Setting {
    let mut repaired = setting.clone();
    if !setting.writes() {
        return repaired;
    }
    let before = read_by_mcpvault(&setting.vault, twins);
    for (number, (path, _)) in before.iter().enumerate() {
        let name = format!("{number}.md");
        match setting.tool {
            "manage_tags" => {
                twins.oracle.call(setting.tool, &json!({"path": name, "operation": "add", "tags": []}))
            }
            _ => twins.oracle.call("write_note", &json!({"path": name, "content": "", "mode": "append"})),
        };
        let written = std::fs::read(twins.vault_of("one").join(name)).unwrap();
        let Some(Node::File(bytes)) = repaired.vault.get_mut(path) else { continue };
        if std::str::from_utf8(bytes).is_ok() {
            *bytes = written;
        }
    }
    if read_by_mcpvault(&repaired.vault, twins) == before { repaired } else { setting.clone() }
}
