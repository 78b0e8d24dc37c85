//! Each of the 18 tools once, with what it did looked at on disk.

use std::collections::BTreeSet;
use std::fs;

use notegate::obsidian::tools;
use serde_json::json;

use crate::world::{ENGINES, World, json_of};

#[tokio::test]
async fn us11_all_18_tools_do_their_work() {
    for engine in ENGINES {
        all_tools(World::on(engine)).await;
    }
}

async fn all_tools(world: World) {
    world.write(
        "v/Plan.md",
        "---\nstatus: open\ntags: [work]\n---\n# Plan\n\nSee [[Idea]]. #inline\n\n## Next\n\nText\n",
    );
    world.write("v/Ideas/Idea.md", "# Idea\n\nA rare word: quokka\n");
    world.write("v/old.md", "to the vault's trash");
    world.write("v/older.md", "to the system's trash");
    world.write("v/oldest.md", "gone for good");
    let image: Vec<u8> = (0..=255).cycle().take(70_000).collect();
    world.write("v/image.png", &image);
    let scope = world.folder("v");
    let called = std::cell::RefCell::new(BTreeSet::from(["obsidian_list_vaults".to_owned()]));
    let done = async |name: &str, arguments| {
        let name = format!("obsidian_{name}");
        called.borrow_mut().insert(name.clone());
        world.done(&scope, &name, arguments).await
    };

    let note = json_of(&done("read_note", json!({"path": "Plan.md"})).await);
    assert_eq!(note["fm"], json!({"status": "open", "tags": ["work"]}));
    assert!(note["content"].as_str().unwrap().starts_with("# Plan"));

    done("write_note", json!({"path": "New/Note.md", "content": "body\n", "frontmatter": {"any key": 1}}))
        .await;
    assert_eq!(world.read("v/New/Note.md"), "---\nany key: 1\n---\nbody\n");
    done("write_note", json!({"path": "New/Note.md", "content": "end\n", "mode": "append"})).await;
    assert!(world.read("v/New/Note.md").ends_with("body\nend\n"));

    done("patch_note", json!({"path": "Plan.md", "oldString": "Text", "newString": "$& changed"})).await;
    assert!(world.read("v/Plan.md").ends_with("## Next\n\n$& changed\n"));

    let listed = json_of(&done("list_directory", json!({})).await);
    assert_eq!(listed["dirs"], json!(["Ideas", "New"]));
    assert!(listed["files"].as_array().unwrap().contains(&json!("image.png")));

    let hits = json_of(&done("search_notes", json!({"query": "quokka", "limit": 3})).await);
    assert_eq!(hits[0]["p"], "Ideas/Idea.md");

    done("move_note", json!({"oldPath": "Ideas/Idea.md", "newPath": "Archive/Idea.md"})).await;
    assert!(world.read("v/Archive/Idea.md").contains("quokka") && !world.path("v/Ideas/Idea.md").exists());

    let (old, new) = ("image.png", "Files/picture.png");
    let arguments = json!({"oldPath": old, "newPath": new, "confirmOldPath": old, "confirmNewPath": new});
    done("move_file", arguments).await;
    assert_eq!(fs::read(world.path("v/Files/picture.png")).unwrap(), image, "byte for byte");
    assert!(!world.path("v/image.png").exists());

    let several = json_of(&done("read_multiple_notes", json!({"paths": ["Plan.md", "gone.md"]})).await);
    assert_eq!((several["ok"].as_array().unwrap().len(), several["err"].as_array().unwrap().len()), (1, 1));

    done("update_frontmatter", json!({"path": "Plan.md", "frontmatter": {"status": "done"}})).await;
    assert_eq!(json_of(&done("get_frontmatter", json!({"path": "Plan.md"})).await)["status"], "done");
    assert!(world.read("v/Plan.md").contains("status: done"));

    let infos = json_of(&done("get_notes_info", json!({"paths": ["Plan.md"]})).await);
    assert_eq!(infos[0]["path"], "Plan.md");

    done("manage_tags", json!({"path": "Archive/Idea.md", "operation": "add", "tags": ["animal"]})).await;
    assert!(world.read("v/Archive/Idea.md").contains("animal"));

    let stats = json_of(&done("get_vault_stats", json!({"recentCount": 1})).await);
    assert_eq!((&stats["notes"], stats["recent"].as_array().unwrap().len()), (&json!(6), 1));

    let tags = done("list_all_tags", json!({})).await;
    assert!(tags.contains("animal") && tags.contains("work") && tags.contains("inline"), "{tags}");

    let linked = json_of(&done("wiki_link", json!({"document": "[[Idea|the idea]]"})).await);
    assert_eq!(linked["path"], "Archive/Idea.md");

    let outline = json_of(&done("get_note_outline", json!({"path": "Plan.md"})).await);
    assert_eq!((&outline[0]["text"], &outline[1]["level"]), (&json!("Plan"), &json!(2)));

    let line = outline[1]["line"].clone();
    assert_eq!(
        done("read_note_lines", json!({"path": "Plan.md", "startLine": line, "endLine": line})).await,
        "## Next"
    );

    done("delete_note", json!({"path": "old.md", "confirmPath": "old.md", "trashMode": "local"})).await;
    assert_eq!(world.read("v/.trash/old.md"), "to the vault's trash");
    done("delete_note", json!({"path": "older.md", "confirmPath": "older.md", "trashMode": "system"})).await;
    let trash = world.files(".local/share/Trash/files");
    assert_eq!(trash.into_values().collect::<Vec<_>>(), [b"to the system's trash"]);
    done("delete_note", json!({"path": "oldest.md", "confirmPath": "oldest.md"})).await;
    for name in ["old.md", "older.md", "oldest.md"] {
        assert!(!world.path("v").join(name).exists(), "{name}");
    }

    assert_eq!(called.into_inner(), tools().iter().map(|tool| tool.name.to_owned()).collect());
    world.no_child_is_left().await;
}

#[tokio::test]
async fn u01_a_program_in_the_frontmatter_is_never_run() {
    for engine in ENGINES {
        no_program_is_run(World::on(engine)).await;
    }
}

async fn no_program_is_run(world: World) {
    let proof = world.path("proof");
    let program = format!("---js\nrequire('fs').writeFileSync({proof:?}, 'ran')\n---\nbody\n");
    world.write("v/evil.md", &program);
    let scope = world.folder("v");
    let read = world.done(&scope, "obsidian_read_note", json!({"path": "evil.md"})).await;
    world.done(&scope, "obsidian_list_all_tags", json!({})).await;
    assert!(!proof.exists());
    assert!(read.contains("body"), "{read}");
    assert_eq!(world.read("v/evil.md"), program);
}
