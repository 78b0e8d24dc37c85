//! `siyuan_create`: a document from Markdown, a block beside or below another, a block at the end of one.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ToolSpec;
use super::id::Id;
use super::schema::{object, one_of, text};
use super::title;
use super::transactions::block_ids;
use super::way::{Done, Failed, Way};
use crate::siyuan::errors::SiyuanError;
use crate::siyuan::execution::Objects;
use crate::siyuan::permissions::Action;

#[derive(Debug, Deserialize)]
#[serde(tag = "action", rename_all = "lowercase", deny_unknown_fields)]
pub(in crate::siyuan) enum Create {
    Doc {
        notebook: Id,
        /// Of titles, not of ids.
        path: String,
        markdown: String,
    },
    Block {
        data: String,
        #[serde(rename = "nextID")]
        next: Option<Id>,
        #[serde(rename = "previousID")]
        previous: Option<Id>,
        #[serde(rename = "parentID")]
        parent: Option<Id>,
    },
    Append {
        data: String,
        #[serde(rename = "parentID")]
        parent: Id,
    },
}

pub(super) fn spec() -> ToolSpec {
    let fields = [
        (
            "action",
            one_of(
                &["doc", "block", "append"],
                "doc: a new document; never overwrites. block: insert before nextID, after previousID, or as the first below parentID. append: insert as the last below parentID.",
            ),
        ),
        ("notebook", text("doc (needed): the notebook's id.")),
        (
            "path",
            text(
                "doc (needed): the path of titles, such as /Projects/New note. Parents that are missing are created.",
            ),
        ),
        ("markdown", text("doc (needed): the text; may be empty.")),
        ("data", text("block, append (needed): Markdown, kept as it is. It may become several blocks.")),
        ("nextID", text("block: insert before this block.")),
        ("previousID", text("block: insert after this block.")),
        (
            "parentID",
            text(
                "block: insert as the first below this document, quote, list or other container. append (needed): as the last.",
            ),
        ),
    ];
    ToolSpec {
        name: "siyuan_create",
        title: "Add SiYuan notes",
        description: "Adds a document or blocks to a SiYuan kernel. A new document is answered with docId; blocks with blockIds, the ids in the kernel's transactions (blockIdScope): of a text that became several blocks the first alone, so their number is not the number of blocks.",
        input_schema: object(&fields, &["action"]),
        writes: true,
        destructive: false,
        idempotent: false,
    }
}

impl Create {
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Block { next: None, previous: None, parent: None, .. } => {
                Err("it needs nextID, previousID or parentID, which say where to insert".into())
            }
            Self::Doc { path, .. } if path.trim_matches(['/', ' ']).is_empty() => {
                Err("path needs a title, such as /New note".into())
            }
            Self::Doc { path, .. } => title::check("path", path),
            _ => Ok(()),
        }
    }

    pub fn action(&self) -> Action {
        match self {
            Self::Doc { .. } => Action::CreateDoc,
            Self::Block { .. } => Action::CreateBlock,
            Self::Append { .. } => Action::Append,
        }
    }

    pub fn body(&self) -> Value {
        match self {
            Self::Doc { notebook, path, markdown } => {
                json!({"notebook": notebook.as_str(), "path": path, "markdown": markdown})
            }
            Self::Block { data, next, previous, parent } => {
                let mut body = json!({"data": data, "dataType": "markdown"});
                for (name, id) in [("nextID", next), ("previousID", previous), ("parentID", parent)] {
                    if let Some(id) = id {
                        body[name] = id.as_str().into();
                    }
                }
                body
            }
            Self::Append { data, parent } => {
                json!({"data": data, "dataType": "markdown", "parentID": parent.as_str()})
            }
        }
    }

    pub fn objects(&self) -> Objects {
        let anchors = match self {
            Self::Doc { .. } => Vec::new(),
            Self::Block { next, previous, parent, .. } => {
                [next, previous, parent].into_iter().flatten().collect()
            }
            Self::Append { parent, .. } => vec![parent],
        };
        Objects::blocks(anchors.into_iter().map(|id| id.as_str().to_owned()).collect())
    }

    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        let data = way.post(self.action().path(), self.body()).await?.due()?;
        match self {
            Self::Doc { .. } => {
                let id = data.as_str().filter(|id| !id.is_empty());
                let id = id.ok_or(SiyuanError::NoEffect("its answer holds no id of a new document"))?;
                way.confirm(id).await?;
                Ok(Done::document(id, json!({})))
            }
            Self::Block { .. } | Self::Append { .. } => {
                let ids = block_ids(&data)?;
                way.confirm(&ids[0]).await?;
                Ok(Done::blocks(ids))
            }
        }
    }
}
