//! Which endpoint each action of the four tools for reading and writing calls. Raw HTTP to the same path has
//! the same key, so one permission serves both.
//!
//! What an action looks up besides for its own safety (whether an id is a document's, whether the index is
//! up to date) answers to nobody and runs under the action's key.

use crate::siyuan::contract::{Catalogue, Resolved};
use crate::siyuan::endpoint::{EndpointKey, Method, Route};

/// An action of `siyuan_query`, `siyuan_create`, `siyuan_update` or `siyuan_delete`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Notebooks,
    Docs,
    Search,
    Sql,
    Read,
    Children,
    CreateDoc,
    CreateBlock,
    Append,
    UpdateBlock,
    RenameDoc,
    DeleteBlock,
    DeleteDoc,
}

impl Action {
    pub const ALL: [Self; 13] = [
        Self::Notebooks,
        Self::Docs,
        Self::Search,
        Self::Sql,
        Self::Read,
        Self::Children,
        Self::CreateDoc,
        Self::CreateBlock,
        Self::Append,
        Self::UpdateBlock,
        Self::RenameDoc,
        Self::DeleteBlock,
        Self::DeleteDoc,
    ];

    /// The tool, the word for the action in it, and the path that it calls.
    fn row(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Notebooks => ("siyuan_query", "notebooks", "/api/notebook/lsNotebooks"),
            Self::Docs => ("siyuan_query", "docs", "/api/filetree/listDocsByPath"),
            Self::Search => ("siyuan_query", "search", "/api/search/fullTextSearchBlock"),
            Self::Sql => ("siyuan_query", "sql", "/api/query/sql"),
            Self::Read => ("siyuan_query", "read", "/api/block/getBlockKramdown"),
            Self::Children => ("siyuan_query", "children", "/api/block/getChildBlocks"),
            Self::CreateDoc => ("siyuan_create", "doc", "/api/filetree/createDocWithMd"),
            Self::CreateBlock => ("siyuan_create", "block", "/api/block/insertBlock"),
            Self::Append => ("siyuan_create", "append", "/api/block/appendBlock"),
            Self::UpdateBlock => ("siyuan_update", "block", "/api/block/updateBlock"),
            Self::RenameDoc => ("siyuan_update", "rename_doc", "/api/filetree/renameDocByID"),
            Self::DeleteBlock => ("siyuan_delete", "block", "/api/block/deleteBlock"),
            Self::DeleteDoc => ("siyuan_delete", "doc", "/api/filetree/removeDocByID"),
        }
    }

    pub fn tool(self) -> &'static str {
        self.row().0
    }

    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The path that it posts to.
    pub fn path(self) -> &'static str {
        self.row().2
    }

    /// The action of a tool by its word.
    pub fn find(tool: &str, name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.tool() == tool && action.name() == name)
    }

    /// Whether it belongs to `siyuan_query`.
    pub fn is_query(self) -> bool {
        self.tool() == "siyuan_query"
    }

    /// What its permission is given to.
    pub fn key(self) -> EndpointKey {
        EndpointKey::http(Method::Post, Route::constant(self.path()))
    }

    pub(super) fn resolve(self, catalogue: &Catalogue) -> Resolved<'_> {
        let key = self.key();
        let endpoint = catalogue.at(self.path()).iter().find(|endpoint| endpoint.key() == key);
        Resolved { key, endpoint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::siyuan::endpoint::ApiPath;
    use crate::siyuan::permissions::closed;

    #[test]
    fn an_action_and_raw_http_to_its_path_share_a_key() {
        let catalogue = Catalogue::embedded();
        for action in Action::ALL {
            let raw = catalogue.resolve(Method::Post, &ApiPath::parse(action.path()).unwrap()).unwrap();
            assert_eq!(action.resolve(&catalogue), raw, "{action:?}");
            assert!(raw.endpoint.is_some(), "{action:?} is not in the contract");
            assert_eq!(action.key().to_string(), format!("http POST {}", action.path()));
            assert_eq!(closed::why(&action.key()), None, "{action:?}");
            assert_eq!(Action::find(action.tool(), action.name()), Some(action));
        }
        assert_eq!(Action::find("siyuan_query", "append"), None);
    }
}
