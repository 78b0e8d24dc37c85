//! All 19 tools of either engine, once through `/mcp` and once through `/tools`, with what they did
//! checked on disk.

use serde_json::{Value, json};

use crate::gate::{Answer, Gate};

#[derive(Clone, Copy)]
enum Way {
    Mcp,
    Direct,
}

struct Caller {
    gate: Gate,
    key: String,
    way: Way,
}

impl Caller {
    async fn call(&self, tool: &str, arguments: Value) -> Answer {
        match self.way {
            Way::Mcp => self.gate.mcp_tool(&self.key, tool, arguments).await,
            Way::Direct => self.gate.tool(&self.key, tool, arguments).await,
        }
    }

    async fn done(&self, tool: &str, arguments: Value) -> String {
        self.call(tool, arguments).await.done()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn us11_all_tools_through_mcp() {
    every_tool(Way::Mcp, "native").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us11_all_tools_through_the_direct_api() {
    every_tool(Way::Direct, "native").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us11_all_tools_through_mcp_and_mcpvault() {
    every_tool(Way::Mcp, "upstream").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn us11_all_tools_through_the_direct_api_and_mcpvault() {
    every_tool(Way::Direct, "upstream").await;
}

/// Bytes that no text survives as.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\xff\xfe\x80";

async fn every_tool(way: Way, engine: &str) {
    let (gate, key) = Gate::ready("execute").await;
    gate.choose_engine(engine).await;
    gate.write(
        "vault/projects/plan.md",
        "---\ntags: [work]\nstatus: open\n---\n# Plan\n\n## Next\n\nSee [[daily]].\n",
    );
    gate.write("vault/picture.png", PICTURE);
    for name in ["gone for good", "to the vault's trash", "to the system's trash"] {
        gate.write(&format!("vault/{name}.md"), name);
    }
    let caller = Caller { gate, key, way };
    reading(&caller).await;
    writing(&caller).await;
    moving(&caller).await;
    deleting(&caller).await;
    caller.gate.close().await;
}

async fn reading(caller: &Caller) {
    let vaults = caller.done("obsidian_list_vaults", json!({})).await;
    assert!(vaults.contains("\"vaults\""), "{vaults}");
    let note: Value =
        serde_json::from_str(&caller.done("obsidian_read_note", json!({"path": "projects/plan.md"})).await)
            .unwrap();
    assert_eq!(note["fm"]["status"], "open");
    let listing = caller.done("obsidian_list_directory", json!({})).await;
    assert!(listing.contains("projects") && listing.contains("picture.png"), "{listing}");
    let found = caller.done("obsidian_search_notes", json!({"query": "first line"})).await;
    assert!(found.contains("daily.md"), "{found}");
    let several = json!({"paths": ["daily.md", "projects/plan.md", "nowhere.md"]});
    let several: Value =
        serde_json::from_str(&caller.done("obsidian_read_multiple_notes", several).await).unwrap();
    assert_eq!(several["ok"].as_array().unwrap().len(), 2);
    assert_eq!(several["err"].as_array().unwrap().len(), 1);
    let info = caller.done("obsidian_get_notes_info", json!({"paths": ["daily.md"]})).await;
    assert!(info.contains("daily.md"), "{info}");
    let frontmatter = caller.done("obsidian_get_frontmatter", json!({"path": "projects/plan.md"})).await;
    assert!(frontmatter.contains("open"), "{frontmatter}");
    let stats: Value =
        serde_json::from_str(&caller.done("obsidian_get_vault_stats", json!({})).await).unwrap();
    assert_eq!(stats["notes"], 5);
    let tags = caller.done("obsidian_list_all_tags", json!({})).await;
    assert!(tags.contains("work"), "{tags}");
    let linked = caller.call("obsidian_wiki_link", json!({"document": "[[plan|the plan]]"})).await;
    assert!(linked.done().contains("# Plan"));
    assert_eq!(linked.body["structuredContent"]["path"], "projects/plan.md", "kept as upstream gave it");
    let outline = caller.done("obsidian_get_note_outline", json!({"path": "projects/plan.md"})).await;
    assert!(outline.contains("Next"), "{outline}");
    let lines = json!({"path": "daily.md", "startLine": 3, "endLine": 3});
    assert_eq!(caller.done("obsidian_read_note_lines", lines).await, "first line");
}

async fn writing(caller: &Caller) {
    let gate = &caller.gate;
    let note =
        json!({"path": "new/note.md", "content": "body\n", "frontmatter": {"任意": [1, 2], "z": 1, "a": 2}});
    caller.done("obsidian_write_note", note).await;
    assert_eq!(gate.read("vault/new/note.md"), "---\n任意:\n  - 1\n  - 2\nz: 1\na: 2\n---\nbody\n");
    let patch = json!({"path": "daily.md", "oldString": "first line", "newString": "$& literally"});
    caller.done("obsidian_patch_note", patch).await;
    assert_eq!(gate.read("vault/daily.md"), "# Daily\n\n$& literally\n");
    let update = json!({"path": "projects/plan.md", "frontmatter": {"status": "done"}});
    caller.done("obsidian_update_frontmatter", update).await;
    assert!(gate.read("vault/projects/plan.md").contains("status: done"));
    let tags = json!({"path": "daily.md", "operation": "add", "tags": ["日记"]});
    caller.done("obsidian_manage_tags", tags).await;
    assert!(gate.read("vault/daily.md").contains("日记"));
    // A tool that fails says so as it does upstream, and what it says is passed on.
    let nowhere = json!({"path": "daily.md", "oldString": "not in it", "newString": "x"});
    let failed = caller.call("obsidian_patch_note", nowhere).await;
    assert_eq!(failed.body["isError"], true);
    assert!(failed.text().contains("String not found in note"), "{}", failed.text());
}

async fn moving(caller: &Caller) {
    let gate = &caller.gate;
    caller.done("obsidian_move_note", json!({"oldPath": "new/note.md", "newPath": "moved/笔记.md"})).await;
    assert!(gate.read("vault/moved/笔记.md").ends_with("body\n"));
    assert!(!gate.path("vault/new/note.md").exists());
    let file = json!({
        "oldPath": "picture.png", "newPath": "attachments/picture.png",
        "confirmOldPath": "picture.png", "confirmNewPath": "attachments/picture.png",
    });
    caller.done("obsidian_move_file", file).await;
    assert_eq!(std::fs::read(gate.path("vault/attachments/picture.png")).unwrap(), PICTURE);
    assert!(!gate.path("vault/picture.png").exists());
}

async fn deleting(caller: &Caller) {
    let gate = &caller.gate;
    let delete = |name: &str, mode: &str| {
        let path = format!("{name}.md");
        json!({"path": path, "confirmPath": path, "trashMode": mode})
    };
    caller.done("obsidian_delete_note", delete("gone for good", "none")).await;
    caller.done("obsidian_delete_note", delete("to the vault's trash", "local")).await;
    caller.done("obsidian_delete_note", delete("to the system's trash", "system")).await;
    for name in ["gone for good", "to the vault's trash", "to the system's trash"] {
        assert!(!gate.path(&format!("vault/{name}.md")).exists(), "{name}");
    }
    assert_eq!(gate.read("vault/.trash/to the vault's trash.md"), "to the vault's trash");
    let everything = gate.files("");
    let kept: Vec<_> =
        everything.iter().filter(|(_, bytes)| bytes.as_slice() == b"to the system's trash").collect();
    assert!(kept.len() <= 1, "in one trash at the most: {kept:?}");

    let wrong = json!({"path": "daily.md", "confirmPath": "other.md"});
    let refused = caller.call("obsidian_delete_note", wrong).await;
    assert_eq!(refused.body["isError"], true);
    let unknown = caller.call("obsidian_delete_note", delete("daily", "zzz")).await;
    assert_eq!(unknown.refused(), "invalid_arguments", "u04: upstream would delete for good");
    assert!(gate.path("vault/daily.md").exists());
}
