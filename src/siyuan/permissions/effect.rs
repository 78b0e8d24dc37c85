//! Whether a call reads or writes, as Ask mode sees it.

use serde::{Deserialize, Serialize};

use super::judge::By;
use crate::siyuan::contract::Endpoint;
use crate::siyuan::endpoint::EndpointKey;

/// What a call does to the notes or to the kernel, as far as is known before it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    Reads,
    /// Or might: what is not known counts so.
    Writes,
}

impl Effect {
    /// What a raw call of `key` does; a tool may do less with it. `endpoint` is what the contract knows of it.
    pub fn of(key: &EndpointKey, endpoint: Option<&Endpoint>) -> Self {
        of(key, endpoint, By::Rpc)
    }
}

/// Endpoints that change something though the contract does not mark them, or leave files behind. The path,
/// or how it begins where it ends in `*`.
const CHANGE_ALL_THE_SAME: &[&str] = &[
    "/api/export/export*",
    "/api/graph/setGraphConf",
    "/api/repo/setRepoIndexRetentionDays",
    "/api/repo/setRetentionIndexesDaily",
    "/api/search/updateEmbedBlock",
    "/api/storage/batchUpdateRecentDocCloseTime",
    "/api/storage/updateRecentDoc*",
];

/// Begins as one of those above, and only answers.
const ONLY_ANSWER: &[&str] = &["/api/export/exportMdContent"];

/// What a call of `key` does. `endpoint` is what the contract knows of it.
pub(super) fn of(key: &EndpointKey, endpoint: Option<&Endpoint>, by: By) -> Effect {
    let reads = match key {
        // What siyuan_query sends is made to read: its SQL, for one, goes out as read-only.
        _ if by == By::Query => true,
        EndpointKey::ConnectionStatus => true,
        EndpointKey::Http { route, .. } => {
            endpoint.is_some_and(|endpoint| !endpoint.roles.writable)
                && (is_listed(route.as_str(), ONLY_ANSWER) || !is_listed(route.as_str(), CHANGE_ALL_THE_SAME))
        }
        EndpointKey::Mcp { .. }
        | EndpointKey::McpTool { .. }
        | EndpointKey::Plugin { .. }
        | EndpointKey::WsConnect { .. }
        | EndpointKey::WsSend { .. } => false,
    };
    if reads { Effect::Reads } else { Effect::Writes }
}

fn is_listed(path: &str, list: &[&str]) -> bool {
    list.iter().any(|listed| match listed.strip_suffix('*') {
        Some(start) => path.starts_with(start),
        None => path == *listed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::siyuan::contract::Catalogue;
    use crate::siyuan::endpoint::{ApiPath, Method};
    use crate::siyuan::permissions::closed;

    fn effect(method: Method, path: &str) -> Effect {
        let catalogue = Catalogue::embedded();
        let resolved = catalogue.resolve(method, &ApiPath::parse(path).unwrap()).unwrap();
        of(&resolved.key, resolved.endpoint, By::Rpc)
    }

    #[test]
    fn the_contracts_mark_decides() {
        for path in
            ["/api/block/getBlockKramdown", "/api/notebook/lsNotebooks", "/api/export/exportMdContent"]
        {
            assert_eq!(effect(Method::Post, path), Effect::Reads, "{path}");
        }
        assert_eq!(effect(Method::Get, "/api/system/version"), Effect::Reads);
        for path in ["/api/block/updateBlock", "/api/query/sql", "/api/filetree/listDocTree"] {
            assert_eq!(effect(Method::Post, path), Effect::Writes, "{path}");
        }
    }

    #[test]
    fn what_is_unknown_counts_as_writing() {
        assert_eq!(effect(Method::Post, "/api/block/getTomorrow"), Effect::Writes);
        assert_eq!(effect(Method::Get, "/api/block/getBlockKramdown"), Effect::Writes, "another method");
        assert_eq!(effect(Method::Get, "/assets/a.png"), Effect::Writes);
        for key in
            ["mcp tools/list", "mcp tools/call search", "plugin a b", "ws connect /ws", "ws send /ws ping"]
        {
            assert_eq!(of(&key.parse().unwrap(), None, By::Rpc), Effect::Writes, "{key}");
        }
        assert_eq!(of(&EndpointKey::ConnectionStatus, None, By::Rpc), Effect::Reads);
    }

    #[test]
    fn siyuan_query_only_reads() {
        let sql = "http POST /api/query/sql".parse().unwrap();
        assert_eq!(of(&sql, None, By::Query), Effect::Reads);
        assert_eq!(of(&sql, None, By::Write), Effect::Writes);
    }

    /// The contract's mark alone would let these through in Ask mode.
    #[test]
    fn no_endpoint_that_is_called_a_change_reads() {
        const CHANGES: &[&str] = &[
            "set",
            "update",
            "batchUpdate",
            "batchSet",
            "touch",
            "open",
            "cancel",
            "push",
            "post",
            "publish",
            "write",
            "remove",
            "create",
            "add",
            "unlock",
            "exit",
            "export",
            "save",
            "rollback",
            "refresh",
            "perform",
        ];
        let catalogue = Catalogue::embedded();
        let mut seen = 0;
        for endpoint in catalogue.endpoints() {
            let path = endpoint.path.as_str();
            let name = path.rsplit('/').next().unwrap();
            let is_change = CHANGES.iter().any(|word| {
                name.strip_prefix(word)
                    .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()))
            });
            if is_change && closed::why(&endpoint.key()).is_none() && path != "/api/export/exportMdContent" {
                seen += 1;
                assert_eq!(of(&endpoint.key(), Some(endpoint), By::Rpc), Effect::Writes, "{path}");
            }
        }
        assert!(seen > 80, "{seen}");
    }
}
