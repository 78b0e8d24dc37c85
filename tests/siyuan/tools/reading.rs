//! `siyuan_query`, action by action.

use std::time::Duration;

use serde_json::json;

use super::world::World;
use super::{block_with, code, good};
use crate::kernel::notes_ids::{CHILD, DOCUMENT, NOTEBOOK};
use crate::kernel::{Kernel, Setup};

const QUERY: &str = "siyuan_query";

fn add_documents(kernel: &Kernel, count: usize) {
    let mut notes = kernel.notes();
    for number in 0..count {
        let mut document = notes.documents[DOCUMENT].clone();
        (document.id, document.title) = (notes.new_id(), format!("{number}"));
        document.blocks.clear();
        notes.insert(document);
    }
}

#[tokio::test]
async fn notebooks_are_listed() {
    let world = World::new().await;
    let found = good(world.call(QUERY, json!({"action": "notebooks", "kernelId": "local"})).await);
    assert_eq!(found["notebooks"][0], json!({"id": NOTEBOOK, "name": "笔记 Work", "closed": false}));
    assert_eq!(found["kernelId"], "local");
}

/// The kernel cuts its list at 512 without a word.
#[tokio::test]
async fn docs_are_paged_truly_beyond_the_cut_of_the_kernel() {
    let world = World::new().await;
    add_documents(&world.kernel, 600);
    let (mut ids, mut offset) = (std::collections::BTreeSet::new(), json!(0));
    loop {
        let ask = json!({"action": "docs", "notebook": NOTEBOOK, "limit": 250, "offset": offset});
        let page = good(world.call(QUERY, ask).await);
        assert_eq!(page["total"], 601);
        ids.extend(page["docs"].as_array().unwrap().iter().map(|doc| doc["id"].to_string()));
        match page.get("nextOffset") {
            Some(next) => offset = next.clone(),
            None => break,
        }
    }
    assert_eq!(ids.len(), 601);
}

#[tokio::test]
async fn docs_below_a_document_have_plain_titles() {
    let world = World::new().await;
    world.kernel.notes().documents.get_mut(CHILD).unwrap().title = "P & <Q>".into();
    let top = good(world.call(QUERY, json!({"action": "docs", "notebook": NOTEBOOK})).await);
    let path = &top["docs"][0]["path"];
    let below = json!({"action": "docs", "notebook": NOTEBOOK, "path": path});
    let below = good(world.call(QUERY, below).await);
    assert_eq!((&below["docs"][0]["id"], &below["docs"][0]["title"]), (&json!(CHILD), &json!("P & <Q>")));
    let leaf = json!({"action": "docs", "notebook": NOTEBOOK, "path": below["docs"][0]["path"]});
    assert!(good(world.call(QUERY, leaf).await)["note"].as_str().unwrap().contains("look the same"));
}

#[tokio::test]
async fn search_finds_blocks_without_the_marks_of_the_kernel() {
    let world = World::new().await;
    let found =
        good(world.call(QUERY, json!({"action": "search", "query": "First", "notebook": NOTEBOOK})).await);
    assert_eq!(found["blocks"][0]["content"], "First paragraph.");
    assert_eq!((&found["total"], &found["blocks"][0]["docId"]), (&json!(1), &json!(DOCUMENT)));
    assert!(found.get("note").is_none());
}

#[tokio::test]
async fn sql_is_sent_as_read_only_and_reads() {
    let world = World::new().await;
    let ask = json!({"action": "sql", "stmt": "SELECT id FROM blocks WHERE type = 'd' ORDER BY id LIMIT 1"});
    let found = good(world.call(QUERY, ask).await);
    assert_eq!((&found["rows"], &found["count"]), (&json!([{"id": DOCUMENT}]), &json!(1)));
    assert_eq!(world.kernel.seen_at("/api/query/sql")[0].json()["mode"], "readonly");
}

#[tokio::test]
async fn sql_that_writes_is_refused_before_it_is_sent() {
    let world = World::new().await;
    for stmt in ["DELETE FROM blocks", "SELECT 1; DROP TABLE blocks", "ATTACH 'x' AS y"] {
        let answer = world.call(QUERY, json!({"action": "sql", "stmt": stmt})).await;
        assert_eq!(code(&answer), "sql_not_read_only", "{stmt}");
    }
    assert!(world.kernel.seen().is_empty());
}

#[tokio::test]
async fn sql_without_a_limit_says_that_rows_may_be_missing() {
    let world = World::new().await;
    add_documents(&world.kernel, 100);
    let found = good(world.call(QUERY, json!({"action": "sql", "stmt": "SELECT id FROM blocks"})).await);
    assert_eq!(found["count"], 64);
    assert!(found["note"].as_str().unwrap().contains("LIMIT"));
}

#[tokio::test]
async fn a_block_and_a_whole_document_are_read() {
    let world = World::new().await;
    let id = block_with(&world.kernel, "First paragraph");
    let read = good(world.call(QUERY, json!({"action": "read", "id": id})).await);
    assert!(read["kramdown"].as_str().unwrap().starts_with("First paragraph.\n{: id="));
    let whole = good(world.call(QUERY, json!({"action": "read", "id": DOCUMENT})).await);
    assert!(whole["kramdown"].as_str().unwrap().contains("第二段 text"));
}

#[tokio::test]
async fn what_is_not_there_is_not_found_instead_of_empty() {
    let world = World::new().await;
    for action in ["read", "children"] {
        let answer = world.call(QUERY, json!({"action": action, "id": "20990101000000-nothere"})).await;
        assert_eq!(code(&answer), "not_found");
    }
}

#[tokio::test]
async fn children_are_paged() {
    let world = World::new().await;
    let first = good(world.call(QUERY, json!({"action": "children", "id": DOCUMENT, "limit": 3})).await);
    assert_eq!((&first["total"], &first["nextOffset"]), (&json!(4), &json!(3)));
    let rest = json!({"action": "children", "id": DOCUMENT, "limit": 3, "offset": 3});
    let rest = good(world.call(QUERY, rest).await);
    assert_eq!((rest["children"].as_array().unwrap().len(), rest.get("nextOffset")), (1, None));
}

#[tokio::test]
async fn a_fresh_write_that_search_misses_is_possibly_not_indexed_yet_and_not_sent_again() {
    let world = World::with(Setup { index_delay: Duration::MAX, ..Setup::default() }).await;
    let new = json!({"action": "append", "parentID": DOCUMENT, "data": "unheard words"});
    let written = good(world.call("siyuan_create", new).await);
    for ask in [
        json!({"action": "search", "query": "unheard"}),
        json!({"action": "sql", "stmt": "SELECT id FROM blocks WHERE content LIKE '%unheard%' LIMIT 5"}),
    ] {
        let found = good(world.call(QUERY, ask).await);
        assert!(found["note"].as_str().unwrap().contains("possibly not indexed yet"), "{found}");
    }
    assert_eq!(world.kernel.seen_at("/api/block/appendBlock").len(), 1);
    let read = good(world.call(QUERY, json!({"action": "read", "id": written["blockIds"][0]})).await);
    assert!(read["kramdown"].as_str().unwrap().starts_with("unheard words"), "by id it is there at once");
}
