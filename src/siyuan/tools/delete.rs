//! `siyuan_delete`: a block, or a document with everything below it.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::ToolSpec;
use super::id::Id;
use super::schema::{object, one_of, text};
use super::text::Subject;
use super::transactions::block_ids;
use super::way::{Done, Failed, Way};
use crate::siyuan::errors::SiyuanError;
use crate::siyuan::execution::Objects;
use crate::siyuan::permissions::Action;

/// A kernel answers before the block is gone; so often, and with such a pause, is looked whether it is.
const LOOKS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(100);

pub(super) const WAY_ON: &str = "The kernel would delete the whole document. Use action block to delete the block, or give the document's id";

#[derive(Debug, Deserialize)]
#[serde(tag = "action", rename_all = "lowercase", deny_unknown_fields)]
pub(in crate::siyuan) enum Delete {
    Block { id: Id },
    Doc { id: Id },
}

pub(super) fn spec() -> ToolSpec {
    let fields = [
        (
            "action",
            one_of(
                &["block", "doc"],
                "block: a block with what is inside it; of a heading only the line itself. doc: a document with all documents below it.",
            ),
        ),
        ("id", text("The block's or document's id.")),
    ];
    ToolSpec {
        name: "siyuan_delete",
        title: "Delete SiYuan notes",
        description: "Deletes a block or a document of a SiYuan kernel. For doc the id must be the document's own: a block's id is refused. SiYuan keeps deleted documents in its history for a time.",
        input_schema: object(&fields, &["action", "id"]),
        writes: true,
        destructive: true,
        idempotent: true,
    }
}

impl Delete {
    fn id(&self) -> &str {
        match self {
            Self::Block { id } | Self::Doc { id } => id.as_str(),
        }
    }

    /// What would be gone.
    pub fn subject(&self) -> Subject<'_> {
        match self {
            Self::Block { id } => Subject::Block(id.as_str()),
            Self::Doc { id } => Subject::Document(id.as_str()),
        }
    }

    pub fn action(&self) -> Action {
        match self {
            Self::Block { .. } => Action::DeleteBlock,
            Self::Doc { .. } => Action::DeleteDoc,
        }
    }

    pub fn body(&self) -> Value {
        json!({"id": self.id()})
    }

    pub fn objects(&self) -> Objects {
        match self {
            Self::Block { id } => Objects::blocks(vec![id.as_str().to_owned()]),
            Self::Doc { id } => Objects::document(id.as_str()),
        }
    }

    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        let (id, path) = (self.id(), self.action().path());
        match self {
            Self::Block { .. } => {
                // A kernel says success for what is not there, and for a document, which it leaves.
                if way.root(id).await?.id == id {
                    return Err(SiyuanError::IsADocument(id.to_owned()).into());
                }
                let ids = block_ids(&way.post(path, self.body()).await?.due()?)?;
                gone(way, id).await?;
                Ok(Done::blocks(ids))
            }
            Self::Doc { .. } => {
                way.own_document(id, WAY_ON).await?;
                way.post(path, self.body()).await?.accepted()?;
                gone(way, id).await?;
                Ok(Done::document(id, json!({"deleted": true})))
            }
        }
    }
}

/// Looks until what was deleted is gone. A look that fails tells nothing.
async fn gone(way: &Way<'_>, id: &str) -> Result<(), Failed> {
    for look in 1..=LOOKS {
        match way.exists(id).await {
            Ok(true) if look < LOOKS => tokio::time::sleep(PAUSE).await,
            Ok(true) => break,
            Ok(false) | Err(_) => return Ok(()),
        }
    }
    Err(SiyuanError::Uncertain(format!("it said success, and {id} is still there")).into())
}
