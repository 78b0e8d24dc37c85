//! `siyuan_create`, `siyuan_update` and `siyuan_delete`: what they write, and the kernel's silent failures.

use serde_json::{Value, json};

use super::world::World;
use super::{block_with, code, good, structured};
use crate::kernel::faults::Fault;
use crate::kernel::notes_ids::{CHILD, DOCUMENT, NOTEBOOK};
use crate::kernel::{Generation, Setup};

const CREATE: &str = "siyuan_create";
const UPDATE: &str = "siyuan_update";
const DELETE: &str = "siyuan_delete";
const APPEND: &str = "/api/block/appendBlock";
const NOWHERE: &str = "20990101000000-nothere";

fn append(text: &str) -> Value {
    json!({"action": "append", "parentID": DOCUMENT, "data": text})
}

#[tokio::test]
async fn a_title_that_a_kernel_would_not_keep_is_refused_before_anything_is_sent() {
    let world = World::new().await;
    for (tool, call) in [
        (CREATE, json!({"action": "doc", "notebook": NOTEBOOK, "path": "/a/../b", "markdown": ""})),
        (CREATE, json!({"action": "doc", "notebook": NOTEBOOK, "path": "/a\u{0}b", "markdown": ""})),
        (UPDATE, json!({"action": "rename_doc", "id": DOCUMENT, "title": "two\nlines"})),
    ] {
        assert_eq!(code(&world.call(tool, call).await), "invalid_arguments");
    }
    assert!(world.kernel.seen().is_empty());
}

#[tokio::test]
async fn a_new_document_is_answered_with_its_doc_id() {
    let world = World::new().await;
    let new = json!({"action": "doc", "notebook": NOTEBOOK, "path": "/验收", "markdown": "# 验收\n"});
    let made = good(world.call(CREATE, new).await);
    let id = made["docId"].as_str().unwrap();
    assert_eq!(world.kernel.notes().documents[id].title, "验收");
    assert!(made.get("blockIds").is_none());
}

#[tokio::test]
async fn a_text_of_several_blocks_is_answered_with_the_ids_of_the_operations_alone() {
    let world = World::new().await;
    let before = world.kernel.notes().documents[DOCUMENT].blocks.len();
    let made = good(world.call(CREATE, append("## One\n\ntwo\n\nthree")).await);
    assert_eq!(made["blockIds"].as_array().unwrap().len(), 1);
    assert_eq!(made["blockIdScope"], "transaction-operations");
    assert_eq!(world.kernel.notes().documents[DOCUMENT].blocks.len(), before + 3);
}

#[tokio::test]
async fn a_block_is_inserted_at_each_anchor() {
    let world = World::new().await;
    let first = block_with(&world.kernel, "First paragraph");
    for (anchor, at, text) in
        [("nextID", first.as_str(), "before"), ("previousID", &first, "after"), ("parentID", DOCUMENT, "top")]
    {
        let new = json!({"action": "block", "data": text, anchor: at});
        let made = good(world.call(CREATE, new).await);
        assert_eq!(made["blockIdScope"], "transaction-operations");
    }
    let notes = world.kernel.notes();
    let texts: Vec<_> =
        notes.documents[DOCUMENT].blocks.iter().map(|block| block.markdown.as_str()).collect();
    assert_eq!(texts[..5], ["top", "# Goals", "before", "First paragraph.", "after"]);
}

#[tokio::test]
async fn a_block_without_an_anchor_is_refused_and_nothing_is_sent() {
    let world = World::new().await;
    let answer = world.call(CREATE, json!({"action": "block", "data": "x"})).await;
    assert_eq!(code(&answer), "invalid_arguments");
    assert!(world.kernel.seen().is_empty());
}

/// The older kernel says success with an empty id, the newer one says what is wrong.
#[tokio::test]
async fn an_anchor_that_is_not_there_is_a_failure_with_either_kernel() {
    let world = World::new().await;
    let new = json!({"action": "block", "data": "x", "previousID": NOWHERE});
    assert_eq!(code(&world.call(CREATE, new.clone()).await), "no_effect");
    world.kernel.change(|setup| setup.generation = Generation::V3_8_6);
    let refused = world.call(CREATE, new).await;
    assert_eq!(code(&refused), "kernel_refused");
    assert_eq!(structured(&refused)["kernelMessage"], "block not found");
}

#[tokio::test]
async fn success_without_data_where_data_is_due_is_a_failure() {
    let world = World::new().await;
    for (path, tool, call) in [
        (APPEND, CREATE, append("x")),
        (
            "/api/filetree/createDocWithMd",
            CREATE,
            json!({"action": "doc", "notebook": NOTEBOOK, "path": "/x", "markdown": ""}),
        ),
        ("/api/block/updateBlock", UPDATE, json!({"action": "block", "id": CHILD, "data": "x"})),
        ("/api/notebook/lsNotebooks", "siyuan_query", json!({"action": "notebooks"})),
    ] {
        for data in ["null", "\"\"", "[]"] {
            world
                .kernel
                .fault(path, Fault::answer_with(200, format!(r#"{{"code":0,"msg":"","data":{data}}}"#)));
            let answer = world.call(tool, call.clone()).await;
            assert_eq!(answer["isError"], true, "{path} {data}: {answer}");
        }
    }
}

#[tokio::test]
async fn white_space_is_kept_and_an_empty_update_is_allowed() {
    let world = World::new().await;
    let id = block_with(&world.kernel, "First paragraph");
    let text = "  two  blanks\t\n";
    good(world.call(UPDATE, json!({"action": "block", "id": id, "data": text})).await);
    let updated = good(world.call(UPDATE, json!({"action": "block", "id": id, "data": ""})).await);
    assert_eq!(
        (&updated["blockIds"], &updated["blockIdScope"]),
        (&json!([id]), &json!("transaction-operations"))
    );
    let sent = world.kernel.seen_at("/api/block/updateBlock");
    assert_eq!((sent[0].json()["data"].as_str(), sent[1].json()["data"].as_str()), (Some(text), Some("")));
}

#[tokio::test]
async fn a_document_is_renamed_and_a_block_is_no_document() {
    let world = World::new().await;
    let renamed = json!({"action": "rename_doc", "id": DOCUMENT, "title": "新标题"});
    assert_eq!(good(world.call(UPDATE, renamed).await)["docId"], DOCUMENT);
    assert_eq!(world.kernel.notes().documents[DOCUMENT].title, "新标题");
    let block = json!({"action": "rename_doc", "id": block_with(&world.kernel, "First"), "title": "x"});
    let answer = world.call(UPDATE, block).await;
    assert_eq!((code(&answer), &structured(&answer)["docId"]), ("not_a_document", &json!(DOCUMENT)));
    assert_eq!(world.kernel.notes().documents[DOCUMENT].title, "新标题");
}

#[tokio::test]
async fn a_block_is_deleted_and_what_is_not_there_is_not_found() {
    let world = World::new().await;
    let id = block_with(&world.kernel, "First paragraph");
    let delete = json!({"action": "block", "id": id});
    assert_eq!(good(world.call(DELETE, delete.clone()).await)["blockIds"], json!([id]));
    assert!(world.kernel.notes().block(&id).is_none());
    assert_eq!(code(&world.call(DELETE, delete).await), "not_found");
    let document = world.call(DELETE, json!({"action": "block", "id": DOCUMENT})).await;
    assert_eq!(code(&document), "is_a_document");
    assert_eq!(world.kernel.seen_at("/api/block/deleteBlock").len(), 1);
}

/// The kernel would delete the whole document of any block.
#[tokio::test]
async fn deleting_a_document_by_the_id_of_a_block_is_refused_before_it_is_sent() {
    let world = World::new().await;
    let block = block_with(&world.kernel, "First paragraph");
    let answer = world.call(DELETE, json!({"action": "doc", "id": block})).await;
    assert_eq!(code(&answer), "not_a_document");
    let raw = json!({"channel": "http", "path": "/api/filetree/removeDocByID", "body": {"id": block}});
    assert_eq!(code(&world.call("siyuan_rpc", raw).await), "not_a_document");
    assert!(world.kernel.seen_at("/api/filetree/removeDocByID").is_empty());
    let deleted = good(world.call(DELETE, json!({"action": "doc", "id": DOCUMENT})).await);
    assert_eq!(deleted["docId"], DOCUMENT);
    assert!(world.kernel.notes().documents.is_empty());
}

/// S-08: what a failing transaction in the kernel looks like.
#[tokio::test]
async fn s08_a_success_behind_which_nothing_was_written_is_uncertain() {
    let world = World::new().await;
    let block = block_with(&world.kernel, "First paragraph");
    world.kernel.notes().lose_writes = true;
    for (tool, call) in [
        (CREATE, append("x")),
        (CREATE, json!({"action": "block", "data": "x", "nextID": block})),
        (CREATE, json!({"action": "doc", "notebook": NOTEBOOK, "path": "/x", "markdown": ""})),
        (UPDATE, json!({"action": "rename_doc", "id": DOCUMENT, "title": "x"})),
        (DELETE, json!({"action": "block", "id": block})),
        (DELETE, json!({"action": "doc", "id": DOCUMENT})),
    ] {
        let answer = world.call(tool, call.clone()).await;
        assert_eq!(code(&answer), "uncertain", "{call}");
        assert_eq!(structured(&answer)["outcome"], "uncertain");
    }
    assert_eq!(world.kernel.seen_at(APPEND).len(), 1);
}

/// The kernel did it, and its answer was lost on the way.
#[tokio::test]
async fn a_write_whose_answer_is_lost_is_uncertain_and_never_sent_again() {
    let world = World::new().await;
    for fault in [Fault::Half, Fault::answer_with(502, "bad gateway")] {
        world.kernel.fault(APPEND, fault);
        let sent = world.kernel.seen_at(APPEND).len();
        assert_eq!(code(&world.call(CREATE, append("x")).await), "uncertain");
        assert_eq!(world.kernel.seen_at(APPEND).len(), sent + 1);
    }
}

#[tokio::test]
async fn a_read_whose_answer_is_lost_has_failed_and_is_not_uncertain() {
    let world = World::new().await;
    world.kernel.fault("/api/notebook/lsNotebooks", Fault::Half);
    let answer = world.call("siyuan_query", json!({"action": "notebooks"})).await;
    assert_eq!(code(&answer), "kernel_unreachable");
    assert_eq!(world.kernel.seen_at("/api/notebook/lsNotebooks").len(), 1);
}

#[tokio::test]
async fn a_kernel_that_is_away_fails_and_is_not_uncertain() {
    let world = World::with(Setup::default()).await;
    let World { kernel, kernels, gateway, key, http } = world;
    kernel.stop().await;
    let url = format!("http://{}/tools/{CREATE}", gateway.address());
    let answer = http.post(url).bearer_auth(key).json(&append("x")).send().await.unwrap();
    assert_eq!(code(&answer.json::<Value>().await.unwrap()), "kernel_unreachable");
    drop(kernels);
}
