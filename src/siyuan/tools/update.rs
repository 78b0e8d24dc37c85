//! `siyuan_update`: a block's whole text, a document's title.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ToolSpec;
use super::id::Id;
use super::schema::{object, one_of, text};
use super::text::Subject;
use super::title;
use super::transactions::block_ids;
use super::way::{Done, Failed, Way};
use crate::siyuan::errors::SiyuanError;
use crate::siyuan::execution::Objects;
use crate::siyuan::permissions::Action;

#[derive(Debug, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::siyuan) enum Update {
    Block { id: Id, data: String },
    RenameDoc { id: Id, title: String },
}

pub(super) fn spec() -> ToolSpec {
    let fields = [
        (
            "action",
            one_of(
                &["block", "rename_doc"],
                "block: replace a block's whole text; its id stays. rename_doc: change a document's title.",
            ),
        ),
        ("id", text("The block's or document's id.")),
        (
            "data",
            text(
                "block (needed): Markdown of one block, kept as it is; may be empty. Of several blocks the kernel keeps the first alone, but for a document, whose whole text it replaces. Attributes stay only where the {: …} line of siyuan_query read is among it.",
            ),
        ),
        ("title", text("rename_doc (needed): the new title.")),
    ];
    ToolSpec {
        name: "siyuan_update",
        title: "Change SiYuan notes",
        description: "Replaces a block of a SiYuan kernel, or renames a document. A block is answered with blockIds (the ids in the kernel's transactions), a document with docId.",
        input_schema: object(&fields, &["action", "id"]),
        writes: true,
        destructive: true,
        idempotent: true,
    }
}

impl Update {
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::RenameDoc { title, .. } => title::check("title", title),
            Self::Block { .. } => Ok(()),
        }
    }

    pub(super) const WAY_ON: &str = "Give the document's id";

    /// What it would change, and what that would be.
    pub fn subject(&self) -> (Subject<'_>, Option<&str>) {
        match self {
            Self::Block { id, data } => (Subject::Block(id.as_str()), Some(data)),
            Self::RenameDoc { id, title } => (Subject::Title(id.as_str()), Some(title)),
        }
    }

    pub fn action(&self) -> Action {
        match self {
            Self::Block { .. } => Action::UpdateBlock,
            Self::RenameDoc { .. } => Action::RenameDoc,
        }
    }

    pub fn body(&self) -> Value {
        match self {
            Self::Block { id, data } => json!({"id": id.as_str(), "data": data, "dataType": "markdown"}),
            Self::RenameDoc { id, title } => json!({"id": id.as_str(), "title": title}),
        }
    }

    pub fn objects(&self) -> Objects {
        match self {
            Self::Block { id, .. } => Objects::blocks(vec![id.as_str().to_owned()]),
            Self::RenameDoc { id, .. } => Objects::document(id.as_str()),
        }
    }

    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        match self {
            Self::Block { .. } => {
                let data = way.post(self.action().path(), self.body()).await?.due()?;
                Ok(Done::blocks(block_ids(&data)?))
            }
            Self::RenameDoc { id, title } => {
                let before = way.own_document(id.as_str(), Self::WAY_ON).await?;
                way.post(self.action().path(), self.body()).await?.accepted()?;
                // The kernel tidies titles, so only one that is still the old one tells anything.
                if let Ok(now) = way.root(id.as_str()).await
                    && now.title == before.title
                    && now.title != title.trim()
                {
                    let lost = format!("it said success, and {} has its old title", id.as_str());
                    return Err(SiyuanError::Uncertain(lost).into());
                }
                Ok(Done::document(id.as_str(), json!({"title": title})))
            }
        }
    }
}
