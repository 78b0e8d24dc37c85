//! An open kernel as an action uses it, and what an action comes to.

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::siyuan::contract::Catalogue;
use crate::siyuan::errors::{SiyuanError, told};
use crate::siyuan::execution::{Objects, Outcome};
use crate::siyuan::permissions::Screened;
use crate::siyuan::transport::{Connection, Envelope, Request, TransportError};

/// The way to the kernel of a call that may be sent.
pub(in crate::siyuan) struct Way<'a> {
    pub connection: &'a Connection,
    pub catalogue: &'a Catalogue,
    /// What has to be done about the body.
    pub screened: &'a Screened,
    pub cancel: &'a CancellationToken,
    pub is_local: bool,
}

/// What came of an action.
#[derive(Debug)]
pub(in crate::siyuan) struct Done {
    pub value: Map<String, Value>,
    pub outcome: Outcome,
    /// What only the answer told.
    pub objects: Objects,
    /// It was read from the index, which follows a write some seconds later.
    pub lags: bool,
    /// It was looked for, and nothing was found.
    pub is_empty: bool,
}

/// How an action failed.
#[derive(Debug)]
pub(in crate::siyuan) enum Failed {
    /// In the call itself.
    Sending(TransportError),
    /// While something was looked up before the call, of which nothing was sent.
    Looking(TransportError),
    /// The kernel answered, and its answer says so.
    Judged(SiyuanError),
}

impl From<TransportError> for Failed {
    fn from(error: TransportError) -> Self {
        told(&error).map_or(Self::Sending(error), Self::Judged)
    }
}

impl From<SiyuanError> for Failed {
    fn from(error: SiyuanError) -> Self {
        Self::Judged(error)
    }
}

impl Done {
    pub fn new(value: Value) -> Self {
        let value = match value {
            Value::Object(value) => value,
            other => Map::from_iter([("result".to_owned(), other)]),
        };
        let objects = Objects::default();
        Self { value, outcome: Outcome::Succeeded, objects, lags: false, is_empty: false }
    }

    /// Blocks that a write told of. Of a text that became several blocks the kernel names the first alone.
    pub fn blocks(ids: Vec<String>) -> Self {
        let value = json!({"blockIds": ids, "blockIdScope": "transaction-operations"});
        Self { objects: Objects::blocks(ids), ..Self::new(value) }
    }

    pub fn document(id: impl Into<String>, mut value: Value) -> Self {
        let id = id.into();
        value["docId"] = id.as_str().into();
        Self { objects: Objects::document(id), ..Self::new(value) }
    }
}

/// A document, as one of its blocks tells it.
pub(in crate::siyuan) struct Root {
    pub id: String,
    pub title: String,
}

impl Way<'_> {
    pub async fn post(&self, path: &str, body: Value) -> Result<Envelope, TransportError> {
        self.connection.send(Request::post(path, body), self.cancel).await?.envelope()
    }

    /// Whether a block or document is there, by the kernel's block tree, which knows a write at once.
    pub async fn exists(&self, id: &str) -> Result<bool, TransportError> {
        let found = self.post("/api/block/checkBlockExist", json!({"id": id})).await?.due()?;
        found.as_bool().ok_or(TransportError::Unexpected { expected: "whether the block is there" })
    }

    /// The document that holds a block, before something is done to it.
    pub async fn root(&self, id: &str) -> Result<Root, Failed> {
        // To ask for the document of what is not there costs the kernel a search through its files.
        if !self.exists(id).await.map_err(looking)? {
            return Err(SiyuanError::NotFound(id.to_owned()).into());
        }
        let info = self.post("/api/block/getBlockInfo", json!({"id": id})).await.map_err(looking)?;
        if info.code == 3 {
            return Err(SiyuanError::Indexing(id.to_owned()).into());
        }
        let info = info.due().map_err(looking)?;
        let text = |name: &str| info.get(name).and_then(Value::as_str).map(str::to_owned);
        match (text("rootID"), text("rootTitle")) {
            (Some(id), Some(title)) => Ok(Root { id, title }),
            _ => Err(Failed::Looking(TransportError::Unexpected { expected: "the document of a block" })),
        }
    }

    /// Holds an id to be a document's own: the kernel would take the document of any block for it.
    pub async fn own_document(&self, id: &str, way_on: &'static str) -> Result<Root, Failed> {
        let root = self.root(id).await?;
        if root.id == id {
            return Ok(root);
        }
        Err(SiyuanError::NotADocument { id: id.to_owned(), document: root.id, way_on }.into())
    }

    /// Looks whether something that the kernel said to have written is there. A look that fails tells nothing.
    pub async fn confirm(&self, id: &str) -> Result<(), Failed> {
        match self.exists(id).await {
            Ok(false) => {
                Err(SiyuanError::Uncertain(format!("it said success, and {id} is not there")).into())
            }
            Ok(true) | Err(_) => Ok(()),
        }
    }
}

fn looking(error: TransportError) -> Failed {
    match told(&error) {
        Some(SiyuanError::NoEffect(_)) | None => Failed::Looking(error),
        Some(judged) => Failed::Judged(judged),
    }
}
