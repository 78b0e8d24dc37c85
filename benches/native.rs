//! Each tool of the native engine by itself, for finding what became slower: `cargo bench --bench native`.
//!
//! `cargo bench --bench engines` compares it with MCPVault.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use notegate::obsidian::engine::native::{NativeEngine, TrashPlace};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const NOTES: usize = 1000;

fn furnish(vault: &Path) {
    for number in 0..NOTES {
        let folder = vault.join(format!("Folder {}", number % 20));
        fs::create_dir_all(&folder).unwrap();
        let text = format!("Line {number} with words, a #tag{} and [[Note 1]].\n", number % 30).repeat(40);
        let note = format!("---\ntitle: Note {number}\ntags: [a, b]\n---\n# Note {number}\n\n{text}");
        fs::write(folder.join(format!("Note {number}.md")), note).unwrap();
    }
}

fn tools(criterion: &mut Criterion) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    furnish(folder.path());
    let engine = NativeEngine::new(TrashPlace::default());
    let path = "Folder 1/Note 1.md";
    let calls = [
        ("read_note", json!({"path": path})),
        ("get_note_outline", json!({"path": path})),
        ("get_frontmatter", json!({"path": path})),
        ("list_directory", json!({"path": "Folder 1"})),
        ("wiki_link", json!({"document": "[[Note 999]]"})),
        ("search_notes", json!({"query": "words note"})),
        ("list_all_tags", json!({})),
        ("get_vault_stats", json!({})),
        ("write_note", json!({"path": path, "content": "text\n"})),
        ("update_frontmatter", json!({"path": path, "frontmatter": {"status": "open"}})),
    ];
    for (tool, arguments) in calls {
        let Value::Object(arguments) = arguments else { unreachable!("written as an object") };
        let cancel = CancellationToken::new();
        let call = || engine.call(folder.path(), &[], tool, &arguments, &cancel);
        assert!(!call().unwrap().is_error, "{tool}");
        criterion.bench_function(tool, |bencher| bencher.iter(|| black_box(call().unwrap())));
    }
}

criterion_group!(benches, tools);
criterion_main!(benches);
