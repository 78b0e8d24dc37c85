//! Differences that need more than one call after the other to be seen.

use std::thread;

use notegate::obsidian::engine::native::{NativeEngine, TrashPlace};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::differences::{self as d, Difference};
use super::oracle::Oracle;
use super::tree::{Node, Tree};
use super::twins::Twins;

/// Those that the tests here show.
pub const SHOWN: &[&Difference] =
    &[&d::PROGRAMS, &d::PARALLEL_EDITS, &d::LINE_NUMBERS, &d::LINKS_ARE_NAMED, &d::VAULT_BY_LINK];

/// Those that are not shown, and why.
pub const NOT_SHOWN: &[&Difference] = &[
    // There would be no answer to wait for.
    &d::LONG_ARGUMENTS,
    // It takes a reader, or a kill, at the right moment.
    &d::HALF_WRITTEN,
    // They take a file that may not be read, which is none for who may read everything.
    &d::READ_BEFORE_WRITE,
    &d::BROKEN_FOLDERS,
];

fn note(text: &str) -> Tree {
    Tree::from([("a.md".to_owned(), Node::File(text.as_bytes().to_vec()))])
}

#[test]
fn u01_mcpvault_alone_runs_a_program_in_a_note() {
    let twins = Twins::new();
    twins.fill(&note("---js\n{ title: 6 * 7 }\n---\nbody"));
    let vault = twins.vault_of("one");
    let read = json!({"path": "a.md"});
    let answer = |guarded| Oracle::start(&vault, &vault, guarded).call("read_note", &read).content;
    assert_eq!(answer(false)[0]["text"], r#"{"fm":{"title":42},"content":"body"}"#);
    // as the product starts it, and as the native engine reads it
    assert_eq!(answer(true), twins.native.call("read_note", &read).content);
}

#[test]
fn u02_mcpvault_loses_patches_that_come_together() {
    let mut twins = Twins::new();
    twins.fill(&note("1 2 3 4"));
    let patch = |number: usize| json!({"path": "a.md", "oldString": number.to_string(), "newString": "x"});
    let patches: Vec<_> = (1..=4).map(patch).collect();
    let lost = (0..20).any(|_| {
        twins.fill(&note("1 2 3 4"));
        let answers = twins.oracle.call_together("patch_note", &patches);
        let done = answers.iter().filter(|answer| !answer.is_error).count();
        let text = std::fs::read_to_string(twins.vault_of("one").join("a.md")).unwrap();
        text.matches('x').count() < done
    });
    assert!(lost, "MCPVault kept every patch");
    for _ in 0..100 {
        twins.fill(&note("1 2 3 4"));
        let done = thread::scope(|scope| {
            let native = &twins.native;
            let calls = patches.iter().map(|patch| scope.spawn(move || native.call("patch_note", patch)));
            let calls: Vec<_> = calls.collect();
            calls.into_iter().map(|call| call.join().unwrap()).filter(|answer| !answer.is_error).count()
        });
        let text = std::fs::read_to_string(twins.vault_of("two").join("a.md")).unwrap();
        assert!(done >= 1 && text.matches('x').count() == done, "{done} done: {text}");
    }
}

/// `compare` takes the lines of MCPVault for those of the note before it compares; here they are not.
#[test]
fn mcpvault_counts_lines_from_the_end_of_the_frontmatter() {
    let mut twins = Twins::new();
    twins.fill(&note("---\ntitle: words\n---\nbody\nfound words\n"));
    let lines = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()[0]["ln"].clone();
    for (arguments, upstream, native) in [
        (json!({"query": "words"}), 2, 5),
        (json!({"query": "words", "searchFrontmatter": true, "searchContent": false}), 1, 2),
        (json!({"query": "words", "searchFrontmatter": true}), 2, 2),
    ] {
        let outcome = twins.call("search_notes", &arguments);
        assert_eq!(
            (lines(&outcome.upstream.text), lines(&outcome.native.text)),
            (json!(upstream), json!(native))
        );
        assert_eq!(outcome.difference(), None);
    }
}

/// The notice is left out before answers are compared; here it is not.
#[test]
fn n18_only_the_native_engine_says_that_links_were_not_changed() {
    let mut twins = Twins::new();
    for (tool, arguments) in [
        ("move_note", json!({"oldPath": "a.md", "newPath": "b.md"})),
        (
            "move_file",
            json!({"oldPath": "a.md", "newPath": "b.md", "confirmOldPath": "a.md", "confirmNewPath": "b.md"}),
        ),
    ] {
        twins.fill(&note("text"));
        let outcome = twins.call(tool, &arguments);
        let notice = "Links to it in other notes were not changed";
        assert!(outcome.native.text.contains(notice) && !outcome.upstream.text.contains(notice));
        assert_eq!(outcome.difference(), None);
    }
}

/// The vaults of the other cases are given by their real paths; here it is given by a link.
#[test]
fn only_the_native_engine_knows_a_vault_by_the_link_that_leads_to_it() {
    let twins = Twins::new();
    twins.fill(&note("text"));
    let vault = twins.vault_of("one");
    let link = vault.with_file_name("link");
    std::os::unix::fs::symlink(&vault, &link).unwrap();
    let write = json!({"path": link.join("a.md"), "content": "new"});
    let below = vault.join(link.strip_prefix("/").unwrap()).join("a.md");
    assert!(!Oracle::start(&link, &vault, true).call("write_note", &write).is_error);
    assert_eq!(std::fs::read_to_string(&below).unwrap(), "new");
    let native = NativeEngine::new(TrashPlace::default());
    let done = native.call(&link, &[], "write_note", write.as_object().unwrap(), &CancellationToken::new());
    assert!(!done.unwrap().is_error);
    assert_eq!(std::fs::read_to_string(vault.join("a.md")).unwrap(), "new");
}
