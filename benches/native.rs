//! Each tool of the native engine by itself, for finding what became slower: `cargo bench --bench native`.
//!
//! `cargo bench --bench engines` compares it with MCPVault.

#[path = "engines/vault.rs"]
mod vault;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use notegate::obsidian::engine::native::{NativeEngine, TrashPlace};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use vault::{Vault, WORDS};

const NOTES: usize = 1000;

fn tools(criterion: &mut Criterion) {
    let vault = Vault::generate(NOTES).unwrap();
    let engine = NativeEngine::new(TrashPlace::default());
    let path = "note 0.md";
    let calls = [
        ("read_note", json!({"path": path})),
        ("get_note_outline", json!({"path": path})),
        ("get_frontmatter", json!({"path": path})),
        ("list_directory", json!({"path": "Area 1"})),
        ("wiki_link", json!({"document": "[[note 999]]"})),
        ("search_notes", json!({"query": WORDS.join(" ")})),
        ("list_all_tags", json!({})),
        ("get_vault_stats", json!({})),
        ("write_note", json!({"path": "new.md", "content": "text\n"})),
        ("update_frontmatter", json!({"path": path, "frontmatter": {"status": "open"}})),
    ];
    for (tool, arguments) in calls {
        let Value::Object(arguments) = arguments else { unreachable!("written as an object") };
        let cancel = CancellationToken::new();
        let call = || engine.call(vault.path(), &[], tool, &arguments, &cancel);
        assert!(!call().unwrap().is_error, "{tool}");
        criterion.bench_function(tool, |bencher| bencher.iter(|| black_box(call().unwrap())));
    }
}

criterion_group!(benches, tools);
criterion_main!(benches);
