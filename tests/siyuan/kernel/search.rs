//! `/api/query/sql`, `/api/search/fullTextSearchBlock` and the flush: what reads the index.

use serde_json::{Value, json};

use super::answer::{Answer, Arguments, Reply, fail};
use super::index::Refusal;
use super::{Generation, Shared};

/// What a SELECT without a limit is cut at.
const SQL_LIMIT: usize = 64;

pub fn answer(shared: &Shared, endpoint: &str, arguments: &Arguments) -> Option<Answer> {
    let (setup, notes) = (shared.setup().clone(), shared.notes());
    let mut index = shared.index.lock().unwrap();
    index.follow(&notes, &setup);
    drop(notes);
    Some(match endpoint {
        "sql" => sql(&index, setup.generation, arguments),
        "fullTextSearchBlock" => full_text(&index, arguments),
        _ => return None,
    })
}

/// Waits for nothing and indexes at once.
pub fn flush(shared: &Shared, path: &str) -> Option<Answer> {
    (path == "/api/sqlite/flushTransaction").then(|| {
        shared.index.lock().unwrap().catch_up(&shared.notes());
        Ok(Reply::Data(Value::Null))
    })
}

fn sql(index: &super::index::Index, generation: Generation, arguments: &Arguments) -> Answer {
    let statement = arguments.bound("stmt")?;
    let mode = arguments.optional("mode").unwrap_or_default();
    if !["", "readonly", "multiple"].contains(&mode) {
        return fail(&format!("unknown [{mode}]"));
    }
    match index.query(&statement, mode, SQL_LIMIT) {
        Err(Refusal::Checked(message)) => fail(&message),
        Err(Refusal::Sqlite(message)) => Err(Reply::Fail(1, message)),
        Ok((rows, truncated)) => Ok(match generation {
            // No rows are null here.
            Generation::V3_7_3 if rows.is_empty() => Reply::Data(Value::Null),
            Generation::V3_7_3 => Reply::Data(rows.into()),
            Generation::V3_8_6 => Reply::Envelope(
                json!({"code": 0, "msg": "", "data": rows, "limit": SQL_LIMIT, "truncated": truncated}),
            ),
        }),
    }
}

fn full_text(index: &super::index::Index, arguments: &Arguments) -> Answer {
    let query = arguments.optional("query").unwrap_or_default().to_owned();
    let page = usize::try_from(arguments.number("page").unwrap_or(1)).unwrap_or(1).max(1);
    let size = match arguments.number("pageSize").unwrap_or(32) {
        size if size > 0 => usize::try_from(size).unwrap(),
        _ => 32,
    };
    let quoted = query.replace('\'', "''");
    let matches = if query.is_empty() {
        "0".to_owned()
    } else {
        format!("instr(lower(content), lower('{quoted}')) > 0 OR id = '{quoted}'")
    };
    let statement = format!("SELECT * FROM blocks WHERE {matches} ORDER BY id LIMIT -1");
    let Ok((rows, _)) = index.query(&statement, "", usize::MAX) else { return fail("search failed") };
    let mut roots: Vec<&Value> = rows.iter().map(|row| &row["root_id"]).collect();
    roots.sort_by_key(|root| root.to_string());
    roots.dedup();
    let (found, documents) = (rows.len(), roots.len());
    let blocks: Vec<Value> =
        rows.iter().skip((page - 1) * size).take(size).map(|row| block(row, &query)).collect();
    Ok(Reply::Data(json!({
        "blocks": blocks, "matchedBlockCount": found, "matchedRootCount": documents,
        "pageCount": found.div_ceil(size), "docMode": false,
    })))
}

fn block(row: &Value, query: &str) -> Value {
    let long = match row["type"].as_str().unwrap() {
        "d" => "NodeDocument",
        "h" => "NodeHeading",
        "l" => "NodeList",
        "i" => "NodeListItem",
        "b" => "NodeBlockquote",
        "c" => "NodeCodeBlock",
        _ => "NodeParagraph",
    };
    let content = super::markdown::escape(row["content"].as_str().unwrap());
    json!({
        "box": row["box"], "path": row["path"], "hPath": row["hpath"], "id": row["id"], "rootID": row["root_id"],
        "parentID": row["parent_id"], "name": "", "alias": "", "memo": "", "tag": "",
        "content": content.replace(query, &format!("<mark>{query}</mark>")), "fcontent": "", "markdown": row["markdown"],
        "folded": false, "type": long, "subType": row["subtype"], "refText": "", "refs": null, "defID": "", "defPath": "",
        "ial": null, "children": null, "depth": 0, "count": 0, "refCount": 0, "sort": 0,
        "created": row["created"], "updated": "", "riffCardID": "", "riffCard": null,
    })
}
