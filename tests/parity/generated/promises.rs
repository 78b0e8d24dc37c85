//! What the native engine promises whatever MCPVault does, held against a plain model of each tool: who reads
//! changes nothing, who is refused has changed nothing, no other file is touched, and of the note itself
//! only what was asked for.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::Setting;
use crate::tree::{self, Node, Tree};
use crate::twins::Outcome;

/// The first promise that the call broke. `after` is the native engine's vault then.
pub fn check(setting: &Setting, outcome: &Outcome, after: &Tree) -> Result<(), String> {
    let before = &setting.vault;
    let broken = |promise: &str| {
        let changes =
            tree::difference(before, after).replace("upstream", "before").replace("native", "after");
        Err(format!("{} {}\n  {promise}\n  {}\n{changes}", setting.tool, setting.arguments, outcome.native))
    };
    let files =
        |tree: &Tree| tree.iter().filter(|(_, node)| **node != Node::Folder).map(clone).collect::<Tree>();
    if (!setting.writes() || outcome.native.is_error) && files(after) != files(before) {
        return broken("nothing may have changed");
    }
    let named: Vec<String> =
        ["path", "oldPath", "newPath"].iter().filter_map(|name| found(setting, name)).collect();
    for (path, node) in files(before) {
        if after.get(&path) != Some(&node) && !named.contains(&path) {
            return broken(&format!("{path:?} is not named in the call"));
        }
    }
    if outcome.native.is_error
        || !setting.writes()
        || named.iter().any(|path| matches!(before.get(path), Some(Node::Link(_))))
    {
        return Ok(());
    }
    let text = |tree: &Tree, path: &str| match tree.get(path) {
        Some(Node::File(bytes)) => Some(bytes.clone()),
        _ => None,
    };
    let Some(path) = found(setting, "path").or_else(|| found(setting, "oldPath")) else { return Ok(()) };
    let (old, new) = (text(before, &path), text(after, &path));
    let is_kept = match setting.tool {
        "write_note" | "patch_note" | "update_frontmatter" | "manage_tags" => match (&old, &new) {
            (Some(old), Some(new)) => {
                edited(setting, &String::from_utf8_lossy(old), &String::from_utf8_lossy(new))
            }
            (None, new) => new.is_some(),
            (Some(_), None) => false,
        },
        "delete_note" => {
            new.is_none() && (setting.arguments["trashMode"] != "local" || holds(after, ".trash/", &old))
        }
        _ => {
            let target = found(setting, "newPath").unwrap_or_default();
            target == path || (new.is_none() || same_name(&path, &target)) && holds(after, "", &old)
        }
    };
    if is_kept { Ok(()) } else { broken("the note is not what the call makes of it") }
}

fn clone((path, node): (&String, &Node)) -> (String, Node) {
    (path.clone(), node.clone())
}

fn same_name(one: &str, other: &str) -> bool {
    one.nfc().eq(other.nfc())
}

/// Whether a file below `folder` has these bytes.
fn holds(tree: &Tree, folder: &str, bytes: &Option<Vec<u8>>) -> bool {
    tree.iter().any(|(path, node)| {
        path.starts_with(folder)
            && matches!((node, bytes), (Node::File(found), Some(bytes)) if found == bytes)
    })
}

/// Whether the call makes `new` of `old`.
fn edited(setting: &Setting, old: &str, new: &str) -> bool {
    let argument = |name: &str| setting.arguments[name].as_str().unwrap_or_default();
    let sets = setting.arguments["frontmatter"].as_object().is_some_and(|keys| !keys.is_empty());
    match setting.tool {
        "write_note" if argument("mode") == "overwrite" => sets || new == argument("content"),
        "write_note" if !sets && argument("mode") == "append" => {
            let added = new.strip_prefix(old).unwrap_or("lost");
            added.trim_start_matches(['\r', '\n']) == argument("content").trim_start_matches(['\r', '\n'])
        }
        "write_note" if !sets => {
            let at = old.len() - body(old).len();
            let added = new.strip_prefix(&old[..at]).and_then(|rest| rest.strip_suffix(&old[at..]));
            added.is_some_and(|added| added.trim_start() == argument("content").trim_start())
        }
        "patch_note" => {
            let (from, to) = (argument("oldString"), argument("newString"));
            let lf = |text: &str| text.replace("\r\n", "\n");
            new == old.replace(from, to) || lf(new) == lf(old).replace(from, &lf(to))
        }
        _ => new.ends_with(body(old)) | sets && others_stay(setting, old, new),
    }
}

/// N-11: each line of the block that begins another key is still there, byte for byte.
fn others_stay(setting: &Setting, old: &str, new: &str) -> bool {
    if setting.arguments["merge"] == false {
        return true;
    }
    let given = |line: &str| {
        let mut keys = setting.arguments["frontmatter"].as_object().into_iter().flat_map(|keys| keys.keys());
        keys.any(|key| line.starts_with(key)) || (setting.tool == "manage_tags" && line.starts_with("tags"))
    };
    let block = &old[..old.len() - body(old).len()];
    let begins_key = |line: &&str| line.starts_with(char::is_alphabetic) && !given(line);
    block.split_inclusive('\n').filter(begins_key).all(|line| new.contains(line))
}

/// The text behind a closed block.
fn body(text: &str) -> &str {
    let inner = text.trim_start_matches('\u{feff}');
    let rest = inner.strip_prefix("---\n").or_else(|| inner.strip_prefix("---\r\n"));
    let Some(rest) = rest else { return inner };
    let Some(end) = format!("\n{rest}").find("\n---") else { return inner };
    let behind = &rest[end + 3..];
    let behind = behind.strip_prefix('\r').unwrap_or(behind);
    behind.strip_prefix('\n').unwrap_or(behind)
}

/// The entry of the vault that a path names.
pub fn found(setting: &Setting, argument: &str) -> Option<String> {
    let given = setting.arguments.get(argument).and_then(Value::as_str)?;
    let path = plain(given);
    let slashed = plain(&given.replace('\\', "/"));
    let known = setting.vault.keys().find(|known| same_name(known, &path) || same_name(known, &slashed));
    let path = known.cloned().unwrap_or(slashed);
    match setting.vault.get(&path) {
        Some(Node::Link(target))
            if setting.tool == "write_note"
                || setting.tool == "patch_note"
                || setting.tool == "update_frontmatter"
                || setting.tool == "manage_tags" =>
        {
            Some(plain(target))
        }
        _ => Some(path),
    }
}

/// A path as it is meant.
fn plain(path: &str) -> String {
    let path = path.trim().trim_start_matches("<vault>");
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
