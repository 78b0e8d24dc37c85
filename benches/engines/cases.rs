//! One call of each tool, as a chat program would make it.

use std::fs;
use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::vault::WORDS;

/// The note that is read and written.
const NOTE: &str = "Bench/note.md";
const TEXT: &str = "---\ntitle: A note\ntags: [one, two]\nstatus: open\n---\n# First\n\nSome text with a [[link]] and a #tag.\n\n## Second\n\nMore text.\n";

/// A tool, by the name that MCPVault gives it, and its arguments; the number tells rounds apart.
#[derive(Debug)]
pub struct Case {
    pub tool: &'static str,
    arguments: fn(usize) -> Value,
}

impl Case {
    pub fn arguments(&self, number: usize) -> Map<String, Value> {
        match (self.arguments)(number) {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        }
    }

    /// Puts the note back as it is to be before each round, and takes away where it is moved to.
    pub fn prepare(&self, vault: &Path) -> Result<()> {
        let note = vault.join(NOTE);
        let folder = vault.join("Bench");
        fs::create_dir_all(&folder)?;
        fs::write(note, TEXT)?;
        match fs::remove_file(folder.join("moved.md")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }
}

pub const CASES: &[Case] = &[
    Case { tool: "read_note", arguments: |_| json!({"path": NOTE}) },
    Case { tool: "read_multiple_notes", arguments: |_| json!({"paths": [NOTE, "note 0.md", "note 1.md"]}) },
    Case { tool: "read_note_lines", arguments: |_| json!({"path": NOTE, "startLine": 2, "endLine": 6}) },
    Case { tool: "get_note_outline", arguments: |_| json!({"path": NOTE}) },
    Case { tool: "get_frontmatter", arguments: |_| json!({"path": NOTE}) },
    Case { tool: "get_notes_info", arguments: |_| json!({"paths": [NOTE, "note 0.md"]}) },
    Case { tool: "list_directory", arguments: |_| json!({"path": "Bench"}) },
    Case { tool: "wiki_link", arguments: |_| json!({"document": "[[note 0]]"}) },
    Case { tool: "search_notes", arguments: |_| json!({"query": WORDS.join(" "), "limit": 10}) },
    Case { tool: "list_all_tags", arguments: |_| json!({}) },
    Case { tool: "get_vault_stats", arguments: |_| json!({}) },
    Case {
        tool: "write_note",
        arguments: |number| json!({"path": NOTE, "content": format!("{TEXT}{number}\n")}),
    },
    Case {
        tool: "patch_note",
        arguments: |number| json!({"path": NOTE, "oldString": "More text.", "newString": format!("Text {number}.")}),
    },
    Case {
        tool: "update_frontmatter",
        arguments: |number| json!({"path": NOTE, "frontmatter": {"number": number}}),
    },
    Case { tool: "manage_tags", arguments: |_| json!({"path": NOTE, "operation": "add", "tags": ["three"]}) },
    Case { tool: "move_note", arguments: |_| json!({"oldPath": NOTE, "newPath": "Bench/moved.md"}) },
    Case {
        tool: "move_file",
        arguments: |_| {
            let moved = "Bench/moved.md";
            json!({"oldPath": NOTE, "newPath": moved, "confirmOldPath": NOTE, "confirmNewPath": moved})
        },
    },
    Case { tool: "delete_note", arguments: |_| json!({"path": NOTE, "confirmPath": NOTE}) },
];
