//! The simulated kernel itself: it has the traps that whoever tests against it counts on.

use std::time::Duration;

use notegate::secrets::Secret;
use notegate::siyuan::transport::{Connection, Envelope, Options, Request};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::kernel::notes_ids::{CHILD, DOCUMENT, NOTEBOOK};
use crate::kernel::{Generation, Kernel, Setup, TOKEN, write_port_file};

struct Caller(Connection);

impl Caller {
    fn new(kernel: &Kernel) -> Self {
        let token = Secret::from_text(TOKEN);
        let options = Options { timeout: Duration::from_secs(60), ..Options::default() };
        Self(Connection::new(kernel.address().parse().unwrap(), Some(&token), options).unwrap())
    }

    async fn call(&self, path: &str, body: Value) -> Envelope {
        let answer = self.0.send(Request::post(path, body), &CancellationToken::new()).await.unwrap();
        answer.envelope().unwrap()
    }

    async fn due(&self, path: &str, body: Value) -> Value {
        self.call(path, body).await.due().unwrap()
    }
}

/// The id in the answer to a write.
fn id(transactions: &Value) -> &str {
    transactions[0]["doOperations"][0]["id"].as_str().unwrap()
}

#[tokio::test]
async fn blocks_are_written_and_read_back_at_once() {
    let kernel = Kernel::start().await;
    let caller = Caller::new(&kernel);
    let new = json!({"data": "## New\n\ntwo blocks", "dataType": "markdown", "parentID": DOCUMENT});
    let written = caller.due("/api/block/appendBlock", new).await;
    let heading = id(&written).to_owned();
    let html = written[0]["doOperations"][0]["data"].as_str().unwrap();
    assert_eq!(html.matches("data-node-id").count(), 2);
    let read = caller.due("/api/block/getBlockKramdown", json!({"id": heading})).await;
    assert!(read["kramdown"].as_str().unwrap().starts_with(&format!("## New\n{{: id=\"{heading}\"")));
    let below = caller.due("/api/block/getChildBlocks", json!({"id": heading})).await;
    assert_eq!((below[0]["type"].as_str(), below[0]["markdown"].as_str()), (Some("p"), Some("two blocks")));
    let before = json!({"data": "first", "dataType": "markdown", "nextID": heading});
    let first = id(&caller.due("/api/block/insertBlock", before).await).to_owned();
    let change = json!({"id": first, "data": "", "dataType": "markdown"});
    caller.due("/api/block/updateBlock", change).await;
    let read = caller.due("/api/block/getBlockKramdown", json!({"id": first})).await;
    assert!(read["kramdown"].as_str().unwrap().starts_with("\n{:"));
    caller.due("/api/block/deleteBlock", json!({"id": first})).await;
    assert_eq!(caller.due("/api/block/checkBlockExist", json!({"id": first})).await, json!(false));
}

#[tokio::test]
async fn the_traps_of_writing_are_there() {
    let kernel = Kernel::start().await;
    let caller = Caller::new(&kernel);
    let nowhere = "20990101000000-nothere";
    // An anchor that is not there: success, and an empty id.
    let lost = json!({"data": "x", "dataType": "markdown", "previousID": nowhere});
    assert_eq!(id(&caller.due("/api/block/insertBlock", lost.clone()).await), "");
    // Deleting what is not there, and deleting a document as if it were a block.
    for gone in [nowhere, DOCUMENT] {
        assert_eq!(caller.call("/api/block/deleteBlock", json!({"id": gone})).await.code, 0);
    }
    assert_eq!(caller.due("/api/block/checkBlockExist", json!({"id": DOCUMENT})).await, json!(true));
    // A heading has no children of its own.
    let heading = caller.due("/api/block/getChildBlocks", json!({"id": DOCUMENT})).await[0]["id"].clone();
    let below = json!({"data": "x", "dataType": "markdown", "parentID": heading});
    assert_eq!(caller.call("/api/block/appendBlock", below).await.code, -1);
    // Whatever block it is given, the whole document goes, and all below it.
    caller.call("/api/filetree/removeDocByID", json!({"id": heading})).await.accepted().unwrap();
    assert!(kernel.notes().documents.is_empty());
    // Newer kernels name what is wrong.
    kernel.change(|setup| setup.generation = Generation::V3_8_6);
    assert_eq!(caller.call("/api/block/insertBlock", lost).await.msg, "block not found");
    assert_eq!(
        caller.call("/api/block/appendBlock", json!({"data": ""})).await.msg,
        "Field [dataType] is required"
    );
}

#[tokio::test]
async fn a_write_can_be_lost_behind_a_success() {
    let kernel = Kernel::start().await;
    let caller = Caller::new(&kernel);
    kernel.notes().lose_writes = true;
    let new = json!({"notebook": NOTEBOOK, "path": "/New", "markdown": "x"});
    let id = caller.due("/api/filetree/createDocWithMd", new).await;
    assert_eq!(caller.due("/api/block/checkBlockExist", json!({"id": id})).await, json!(false));
}

#[tokio::test]
async fn documents_are_found_by_id_by_path_and_by_title() {
    let kernel = Kernel::start().await;
    let caller = Caller::new(&kernel);
    let new = json!({"notebook": NOTEBOOK, "path": "/A/B", "markdown": "text"});
    let created = caller.due("/api/filetree/createDocWithMd", new.clone()).await;
    let again = caller.due("/api/filetree/createDocWithMd", new).await;
    let both = caller.due("/api/filetree/getIDsByHPath", json!({"notebook": NOTEBOOK, "path": "/A/B"})).await;
    assert_eq!(both.as_array().unwrap().len(), 2, "the same title does not overwrite: {created} {again}");
    assert_eq!(caller.due("/api/filetree/getHPathByID", json!({"id": CHILD})).await, "/Projects/Notegate");
    let path = format!("/{DOCUMENT}/{CHILD}.sy");
    let expected = json!({"path": path, "notebook": NOTEBOOK});
    assert_eq!(caller.due("/api/filetree/getPathByID", json!({"id": CHILD})).await, expected);
    caller
        .call("/api/filetree/renameDocByID", json!({"id": DOCUMENT, "title": "P & <Q>"}))
        .await
        .accepted()
        .unwrap();
    assert_eq!(caller.due("/api/filetree/getHPathByID", json!({"id": CHILD})).await, "/P & <Q>/Notegate");
    let listed = caller.due("/api/filetree/listDocsByPath", json!({"notebook": NOTEBOOK, "path": "/"})).await;
    assert_eq!(
        listed["files"].as_array().unwrap().iter().filter(|file| file["name"] == "P &amp; &lt;Q>").count(),
        1
    );
    let unknown = json!({"notebook": NOTEBOOK, "path": "/20990101000000-nothere.sy"});
    assert_eq!(caller.due("/api/filetree/listDocsByPath", unknown).await["files"], json!([]));
}

#[tokio::test]
async fn a_list_is_cut_at_512_and_an_sql_answer_at_64_without_a_word() {
    let kernel = Kernel::start().await;
    let caller = Caller::new(&kernel);
    for number in 0..600 {
        let mut notes = kernel.notes();
        let mut document = notes.documents[DOCUMENT].clone();
        (document.id, document.title) = (notes.new_id(), format!("{number}"));
        document.blocks.clear();
        notes.insert(document);
    }
    let listed = caller.due("/api/filetree/listDocsByPath", json!({"notebook": NOTEBOOK, "path": "/"})).await;
    assert_eq!(listed["files"].as_array().unwrap().len(), 512);
    let all = json!({"notebook": NOTEBOOK, "path": "/", "maxListCount": 0});
    let listed = caller.due("/api/filetree/listDocsByPath", all).await;
    assert_eq!(listed["files"].as_array().unwrap().len(), 601);
    let rows = |statement: &str| caller.due("/api/query/sql", json!({"stmt": statement, "mode": "readonly"}));
    assert_eq!(rows("SELECT id FROM blocks").await.as_array().unwrap().len(), 64);
    let page = "SELECT id FROM blocks WHERE type='d' ORDER BY hpath LIMIT 100 OFFSET 550";
    assert_eq!(rows(page).await.as_array().unwrap().len(), 52);
}

#[tokio::test]
async fn sql_and_search_lag_behind_until_they_are_flushed() {
    let kernel = Kernel::with(Setup { index_delay: Duration::MAX, ..Setup::default() }).await;
    let caller = Caller::new(&kernel);
    let search = json!({"query": "second words"});
    let sql = json!({"stmt": "SELECT content FROM blocks WHERE content LIKE '%second words%'"});
    let new = json!({"data": "Second words", "dataType": "markdown", "parentID": DOCUMENT});
    caller.due("/api/block/appendBlock", new).await;
    assert_eq!(caller.due("/api/search/fullTextSearchBlock", search.clone()).await["matchedBlockCount"], 0);
    assert_eq!(caller.call("/api/query/sql", sql.clone()).await.data, Value::Null);
    caller.call("/api/sqlite/flushTransaction", json!({})).await.accepted().unwrap();
    let found = caller.due("/api/search/fullTextSearchBlock", search).await;
    assert_eq!(
        (&found["matchedBlockCount"], &found["blocks"][0]["type"]),
        (&json!(1), &json!("NodeParagraph"))
    );
    assert_eq!(caller.due("/api/query/sql", sql).await, json!([{"content": "Second words"}]));
}

#[tokio::test]
async fn sql_writes_unless_it_is_told_to_read() {
    let kernel = Kernel::start().await;
    let caller = Caller::new(&kernel);
    let sql =
        |statement: &str, mode: &str| caller.call("/api/query/sql", json!({"stmt": statement, "mode": mode}));
    assert_eq!(sql("DELETE FROM blocks", "readonly").await.code, -1);
    assert_eq!(sql("SELECT 1; SELECT 2", "readonly").await.msg, "SQL statement is not single");
    assert_eq!(sql("SELECT nothing FROM nowhere", "readonly").await.code, 1);
    assert_eq!(sql("DELETE FROM blocks", "").await.code, 0);
    assert_eq!(sql("SELECT count(*) AS n FROM blocks", "").await.data, json!([{"n": 0}]));
}

#[tokio::test]
async fn a_closed_notebook_hides_its_documents() {
    let kernel = Kernel::start().await;
    let caller = Caller::new(&kernel);
    caller.call("/api/notebook/closeNotebook", json!({"notebook": NOTEBOOK})).await.accepted().unwrap();
    let info = caller.call("/api/block/getBlockInfo", json!({"id": DOCUMENT})).await;
    assert_eq!((info.code, info.msg.as_str()), (-1, ""));
    let listed =
        caller.call("/api/filetree/listDocsByPath", json!({"notebook": NOTEBOOK, "path": "/"})).await;
    assert_eq!(listed.msg, "Query notebook failed");
    assert_eq!(caller.due("/api/notebook/lsNotebooks", json!({})).await["notebooks"][0]["closed"], true);
}

#[tokio::test]
async fn the_port_file_is_written_as_a_kernel_writes_it() {
    let (kernel, home) = (Kernel::start().await, tempfile::tempdir().unwrap());
    let file = home.path().join(".config/siyuan/port.json");
    kernel.write_port_file(&file, 12345);
    write_port_file(&file, 20011, 6806);
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, format!("{{\n  \"12345\": \"{}\",\n  \"20011\": \"6806\"\n}}", kernel.port()));
    std::fs::write(&file, "{\"123").unwrap();
    kernel.write_port_file(&file, 7);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("{{\n  \"7\": \"{}\"\n}}", kernel.port()));
}
