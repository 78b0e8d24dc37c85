//! `siyuan_query`: notebooks, documents, search, SQL, the text of a block, and what is below it.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ToolSpec;
use super::id::Id;
use super::schema::{object, one_of, text, whole};
use super::way::{Done, Failed, Way};
use crate::siyuan::errors::SiyuanError;
use crate::siyuan::execution::Objects;
use crate::siyuan::permissions::Action;
use crate::siyuan::transport::TransportError;

/// Entries of a page, unless it is said.
const PAGE: usize = 64;

/// Blocks of a page of search results, unless it is said: as many as the kernel gives.
const FOUND: u32 = 32;

/// At so many rows a kernel cuts an SQL answer that has no LIMIT, unless its person set another number.
const CUT_AT: usize = 64;

#[derive(Debug, Deserialize)]
#[serde(tag = "action", rename_all = "lowercase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub(in crate::siyuan) enum Query {
    Notebooks {},
    Docs {
        notebook: Id,
        path: Option<String>,
        offset: Option<usize>,
        limit: Option<usize>,
    },
    Search {
        query: String,
        notebook: Option<Id>,
        syntax: Option<Syntax>,
        page: Option<u32>,
        limit: Option<u32>,
    },
    Sql {
        stmt: String,
    },
    Read {
        id: Id,
    },
    Children {
        id: Id,
        offset: Option<usize>,
        limit: Option<usize>,
    },
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::siyuan) enum Syntax {
    Keywords = 0,
    Query = 1,
    Regex = 3,
}

pub(super) fn spec() -> ToolSpec {
    let actions = ["notebooks", "docs", "search", "sql", "read", "children"];
    let fields = [
        (
            "action",
            one_of(
                &actions,
                "notebooks: all notebooks. docs: the documents directly below a notebook or document, a page at a time. search: blocks by words. sql: one SELECT on the index. read: a block or whole document as kramdown. children: the blocks directly below one.",
            ),
        ),
        ("notebook", text("docs (needed), search: the notebook's id.")),
        (
            "path",
            text(
                "docs: the path of a document as docs gave it, to list what is below it. Left out: the notebook's top level.",
            ),
        ),
        ("query", text("search (needed): what to look for.")),
        (
            "syntax",
            one_of(
                &["keywords", "query", "regex"],
                "search: how query is read; keywords unless said. query is SQLite FTS syntax.",
            ),
        ),
        (
            "stmt",
            text(
                "sql (needed): one SELECT with its own LIMIT, on blocks, spans, assets, attributes or refs. It only reads.",
            ),
        ),
        ("id", text("read, children (needed): a block's or document's id.")),
        ("page", whole(1, 1_000_000, "search: the page, from 1.")),
        (
            "offset",
            whole(
                0,
                10_000_000,
                "docs, children: how many entries to pass over; nextOffset of the page before.",
            ),
        ),
        ("limit", whole(1, 512, "docs, children, search: how many entries a page has.")),
    ];
    ToolSpec {
        name: "siyuan_query",
        title: "Read SiYuan notes",
        description: "Reads notes of a SiYuan kernel: list notebooks and documents, search, query the index with SQL, read a block or document, list the blocks below one. search and sql use an index that follows a write some seconds later; the others see it at once.",
        input_schema: object(&fields, &["action"]),
        writes: false,
        destructive: false,
        idempotent: true,
    }
}

impl Query {
    pub fn action(&self) -> Action {
        match self {
            Self::Notebooks {} => Action::Notebooks,
            Self::Docs { .. } => Action::Docs,
            Self::Search { .. } => Action::Search,
            Self::Sql { .. } => Action::Sql,
            Self::Read { .. } => Action::Read,
            Self::Children { .. } => Action::Children,
        }
    }

    pub fn body(&self) -> Value {
        match self {
            Self::Notebooks {} => json!({}),
            // Left to itself the kernel cuts the list at 512 and does not say so.
            Self::Docs { notebook, path, .. } => json!({
                "notebook": notebook.as_str(), "path": path.as_deref().unwrap_or("/"),
                "maxListCount": 0, "ignoreMaxListHint": true,
            }),
            Self::Search { query, notebook, syntax, page, limit } => {
                let mut body = json!({
                    "query": query, "method": syntax.unwrap_or(Syntax::Keywords) as u8,
                    "page": page.unwrap_or(1), "pageSize": limit.unwrap_or(FOUND),
                });
                if let Some(notebook) = notebook {
                    body["paths"] = json!([notebook.as_str()]);
                }
                body
            }
            Self::Sql { stmt } => json!({"stmt": stmt, "mode": "readonly"}),
            Self::Read { id } | Self::Children { id, .. } => json!({"id": id.as_str()}),
        }
    }

    pub fn objects(&self) -> Objects {
        match self {
            Self::Read { id } | Self::Children { id, .. } => Objects::blocks(vec![id.as_str().to_owned()]),
            _ => Objects::default(),
        }
    }

    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        let answer = way.post(self.action().path(), self.body()).await?;
        match self {
            Self::Notebooks {} => {
                let notebooks = entries(&answer.due()?, "notebooks")?;
                Ok(Done::new(json!({"notebooks": notebooks.iter().map(notebook).collect::<Vec<_>>()})))
            }
            Self::Docs { path, offset, limit, .. } => {
                let files = entries(&answer.due()?, "files")?;
                let mut done = page("docs", files.iter().map(document).collect(), *offset, *limit);
                if files.is_empty() && path.is_some() {
                    done.value.insert(
                        "note".into(),
                        "a document without others below it and one that is not there look the same here"
                            .into(),
                    );
                }
                Ok(done)
            }
            Self::Search { page, .. } => {
                let data = answer.due()?;
                let blocks: Vec<Value> = entries(&data, "blocks")?.iter().map(found).collect();
                let is_empty = blocks.is_empty();
                let value = json!({
                    "blocks": blocks, "total": data["matchedBlockCount"], "page": page.unwrap_or(1),
                    "pageCount": data["pageCount"],
                });
                Ok(Done { lags: true, is_empty, ..Done::new(value) })
            }
            Self::Sql { stmt } => {
                let truncated = answer.more.get("truncated").and_then(Value::as_bool).unwrap_or_default();
                let rows = match answer.accepted()? {
                    Value::Null => Vec::new(),
                    Value::Array(rows) => rows,
                    _ => return Err(TransportError::Unexpected { expected: "rows" }.into()),
                };
                let says_limit = stmt.to_ascii_lowercase().contains("limit");
                let (count, is_empty) = (rows.len(), rows.is_empty());
                let mut value = json!({"rows": rows, "count": count});
                if truncated || (!says_limit && count >= CUT_AT) {
                    value["note"] = "the kernel cuts rows off where a statement has no LIMIT; write one, with OFFSET for the next page".into();
                }
                Ok(Done { lags: true, is_empty, ..Done::new(value) })
            }
            Self::Read { id } => {
                let data = answer.due()?;
                let kramdown = data.get("kramdown").and_then(Value::as_str);
                let kramdown = kramdown.ok_or(TransportError::Unexpected { expected: "a block's text" })?;
                // What is not there reads as an empty text.
                if kramdown.is_empty() && !way.exists(id.as_str()).await? {
                    return Err(SiyuanError::NotFound(id.as_str().to_owned()).into());
                }
                Ok(Done::new(json!({"id": id.as_str(), "kramdown": kramdown})))
            }
            Self::Children { id, offset, limit } => {
                let Value::Array(children) = answer.due()? else {
                    return Err(TransportError::Unexpected { expected: "a list of blocks" }.into());
                };
                if children.is_empty() && !way.exists(id.as_str()).await? {
                    return Err(SiyuanError::NotFound(id.as_str().to_owned()).into());
                }
                Ok(page("children", children, *offset, *limit))
            }
        }
    }
}

/// A list in an answer; null stands for an empty one.
fn entries(data: &Value, name: &'static str) -> Result<Vec<Value>, TransportError> {
    match data.get(name) {
        Some(Value::Array(list)) => Ok(list.clone()),
        Some(Value::Null) => Ok(Vec::new()),
        _ => Err(TransportError::Unexpected { expected: "a list" }),
    }
}

/// A part of a list that came whole.
fn page(name: &str, list: Vec<Value>, offset: Option<usize>, limit: Option<usize>) -> Done {
    let (total, offset, limit) = (list.len(), offset.unwrap_or(0), limit.unwrap_or(PAGE));
    let part: Vec<Value> = list.into_iter().skip(offset).take(limit).collect();
    let end = offset.saturating_add(part.len());
    let mut value = json!({"total": total, "offset": offset});
    value[name] = part.into();
    if end < total {
        value["nextOffset"] = end.into();
    }
    Done::new(value)
}

fn notebook(entry: &Value) -> Value {
    let mut shown = json!({"id": entry["id"], "name": entry["name"], "closed": entry["closed"]});
    for mark in ["encrypted", "unlocked"] {
        if entry["encrypted"] == true {
            shown[mark] = entry[mark].clone();
        }
    }
    shown
}

fn document(entry: &Value) -> Value {
    let title = entry["name"].as_str().map(|name| plain(name.trim_end_matches(".sy")));
    json!({
        "id": entry["id"], "title": title, "path": entry["path"], "childCount": entry["subFileCount"],
        "updated": entry["mtime"],
    })
}

fn found(block: &Value) -> Value {
    json!({
        "id": block["id"], "docId": block["rootID"], "notebook": block["box"], "hPath": block["hPath"],
        "type": block["type"], "content": block["content"].as_str().map(plain),
    })
}

/// Text without the marks around hits and without HTML's escapes.
fn plain(html: &str) -> String {
    let text = html.replace("<mark>", "").replace("</mark>", "");
    // The ampersand last, or it would begin escapes that were none.
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .into_iter()
        .fold(text, |text, (escape, character)| text.replace(escape, character))
}
