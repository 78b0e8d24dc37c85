//! What no permission opens in this release, each with its reason.
//!
//! A permission says that an endpoint may be called. That means something only where the endpoint itself
//! says what happens: not where it carries other calls inside, runs what it is given, hands out keys, or
//! reaches past the notes. Those stay closed, whatever the settings say. Letter case does not matter here,
//! so that no spelling slips past.

use serde::{Deserialize, Serialize};

use crate::siyuan::endpoint::EndpointKey;

/// Why an endpoint is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Closed {
    Agent,
    Archive,
    Cloud,
    Code,
    Control,
    Credentials,
    Desktop,
    Fetch,
    Messages,
    Method,
    Publish,
    Proxy,
    Secrets,
    Templates,
    Transactions,
    UploadAlias,
    WebDav,
    Wholesale,
    WrapperMcp,
    WrapperPlugin,
    WrapperWs,
}

impl Closed {
    /// The reason, to follow "is closed in this release:".
    pub fn why(self) -> &'static str {
        match self {
            Self::Agent => "it hands the work to a model, with tools of its own and beyond every rule here",
            Self::Archive => "it reads or writes files by the package or at places outside the workspace",
            Self::Cloud => "it acts on the person's cloud account or cloud storage",
            Self::Code => {
                "it installs, changes or reads code and data of plugins, which run with every right"
            }
            Self::Control => "it controls the kernel itself, or tells how its computer is set up",
            Self::Credentials => "it takes or changes passwords, keys or tokens",
            Self::Desktop => "it acts on the person's desktop or on the open window of SiYuan",
            Self::Fetch => {
                "it makes the kernel fetch what the caller chooses from the network or the local disk"
            }
            Self::Messages => "it passes messages to plugins and other programs, which may act on them",
            Self::Method => "no endpoint does its work by this method",
            Self::Publish => "it opens notes to the network",
            Self::Proxy => "it makes the kernel send any request anywhere, past every rule here",
            Self::Secrets => "its answer holds keys, tokens or passwords",
            Self::Templates => "it runs or stores templates, which read and query the whole workspace",
            Self::Transactions => {
                "it carries any operation on any block and does not say how it went; use siyuan_create, siyuan_update and \
                 siyuan_delete"
            }
            Self::UploadAlias => "it is another name of /api/asset/upload; use that",
            Self::WebDav => "it reaches every file of the workspace, settings included",
            Self::Wholesale => "it replaces or destroys notes or their history wholesale",
            Self::WrapperMcp => {
                "the kernel's MCP server is reached by siyuan_rpc with channel mcp, method by method"
            }
            Self::WrapperPlugin => "a plugin is reached by siyuan_rpc with channel plugin, method by method",
            Self::WrapperWs => "a WebSocket is reached by siyuan_rpc with channel ws, command by command",
        }
    }
}

/// Why the endpoint is closed; `None` where a permission decides.
pub fn why(key: &EndpointKey) -> Option<Closed> {
    match key {
        EndpointKey::Http { method, .. } if !method.is_callable() => Some(Closed::Method),
        EndpointKey::Http { route, .. } => {
            let path = route.as_str();
            is_one_of(path, ONLY_BY_WS).then_some(Closed::WrapperWs).or_else(|| by_path(path))
        }
        EndpointKey::WsConnect { route } | EndpointKey::WsSend { route, .. } => by_path(route.as_str()),
        EndpointKey::McpTool { tool } => {
            let listed = MCP_TOOLS.iter().find(|(_, names)| is_one_of(tool.as_str(), names));
            listed.map(|(closed, _)| *closed)
        }
        EndpointKey::Mcp { .. } | EndpointKey::Plugin { .. } | EndpointKey::ConnectionStatus => None,
    }
}

/// Events on a kernel's WebSocket that carry its whole configuration with every key. They are not passed on.
pub const WITHHELD_EVENTS: &[&str] = &["setConf", "setPublish"];

fn by_path(path: &str) -> Option<Closed> {
    if is_one_of(path, OPEN) {
        return None;
    }
    PATHS.iter().find(|(_, patterns)| is_one_of(path, patterns)).map(|(closed, _)| *closed)
}

/// Letter case does not matter. `…/` stands for the path itself and all below it, `…*` for all that begins so.
fn is_one_of(text: &str, patterns: &[&str]) -> bool {
    let rest_after = |start: &str| {
        let (head, rest) = text.split_at_checked(start.len())?;
        head.eq_ignore_ascii_case(start).then_some(rest)
    };
    patterns.iter().any(|pattern| {
        if let Some(start) = pattern.strip_suffix('*') {
            rest_after(start).is_some()
        } else if let Some(parent) = pattern.strip_suffix('/') {
            rest_after(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        } else {
            text.eq_ignore_ascii_case(pattern)
        }
    })
}

/// Where a WebSocket is the only way.
const ONLY_BY_WS: &[&str] = &["/ws"];

/// Stands open within what is closed below.
const OPEN: &[&str] = &[
    "/api/system/bootProgress",
    "/api/system/bootProgressSSE",
    "/api/system/currentTime",
    "/api/system/getBootAppearance",
    "/api/system/getChangelog",
    "/api/system/getCustomFonts",
    "/api/system/getEmojiConf",
    "/api/system/getSysFonts",
    "/api/system/version",
    "/api/transactions/undoState",
];

const PATHS: &[(Closed, &[&str])] = &[
    (Closed::WrapperMcp, &["/mcp/"]),
    (Closed::WrapperPlugin, &["/api/plugin/rpc/", "/ws/plugin/", "/plugin/private/", "/plugin/public/"]),
    (
        Closed::Proxy,
        &[
            "/api/network/forwardProxy",
            "/api/network/proxy/",
            "/ws/network/",
            "/es/network/",
            "/api/network/",
        ],
    ),
    (Closed::Transactions, &["/api/transactions/"]),
    (Closed::Agent, &["/api/ai/"]),
    (
        Closed::Credentials,
        &[
            "/.well-known/",
            "/oauth/",
            "/api/mcp/",
            "/api/account/",
            "/api/system/oidc/",
            "/api/system/setOIDC",
            "/api/system/setAPIToken",
            "/api/system/setAccessAuthCode",
            "/api/system/loginAuth",
            "/api/system/logoutAuth",
            "/api/system/getCaptcha",
            "/check-auth",
            "/api/notebook/unlock*",
            "/api/notebook/changeMasterPassword",
            "/api/notebook/createEncryptedNotebook",
            "/api/notebook/enableEncryptedNotebooks",
            "/api/notebook/disableEncryptedNotebooks",
            "/api/notebook/touchEncryptedNotebooks",
            "/api/notebook/setNotebookCryptoAutoLock",
            "/api/notebook/setEncryptedNotebookFollowSystemLock",
            "/api/notebook/lockEncryptedNotebooksOnSystemLock",
            "/api/notebook/exportNotebookCryptoBackup",
            "/api/notebook/importNotebookCryptoBackup",
            "/api/repo/initRepoKey*",
            "/api/repo/importRepoKey",
            "/api/filetree/authFilePublishAccess",
        ],
    ),
    (
        Closed::Secrets,
        &[
            "/api/system/getConf",
            "/api/system/exportConf",
            "/api/system/exportLog",
            "/api/system/exportTLSCABundle",
            "/api/system/exportTLSCACert",
            "/api/system/getNetwork",
            "/api/filetree/getPublishAccess",
            "/api/storage/getLocalStorage*",
        ],
    ),
    (
        Closed::Publish,
        &["/api/filetree/setPublishAccess", "/api/setting/setPublish", "/api/setting/getPublish"],
    ),
    (
        Closed::Cloud,
        &[
            "/api/sync/",
            "/api/cloud/",
            "/api/inbox/",
            "/api/setting/getCloudUser",
            "/api/setting/login2faCloudUser",
            "/api/setting/logoutCloudUser",
            "/api/repo/purgeCloudRepo",
            "/api/repo/downloadCloudSnapshot",
            "/api/repo/uploadCloudSnapshot",
            "/api/repo/removeCloudRepoTagSnapshot",
            "/api/asset/uploadCloud*",
            "/api/export/export2Liandi",
            "/api/bazaar/setBazaarPackageRating",
            "/api/filetree/moveLocalShorthands",
        ],
    ),
    (
        Closed::Control,
        &[
            "/api/system/",
            "/api/setting/",
            "/api/asset/resolveAssetPath",
            "/api/asset/setOCRConfig",
            "/debug/",
        ],
    ),
    (
        Closed::Code,
        &[
            "/api/petal/",
            "/api/snippet/setSnippet",
            "/api/snippet/removeSnippet",
            "/api/bazaar/install*",
            "/api/bazaar/uninstall*",
            "/api/bazaar/update*",
            "/api/bazaar/batchUpdatePackage",
            "/api/asset/importOCRModels",
            "/api/storage/setLocalStorage*",
            "/api/storage/removeLocalStorage*",
            "/api/storage/patchViewState",
            "/api/storage/removeViewState",
        ],
    ),
    (Closed::Messages, &["/api/broadcast/", "/ws/broadcast/", "/es/broadcast/"]),
    (
        Closed::Templates,
        &[
            "/api/template/",
            "/api/search/removeTemplate",
            // Holds the templates of paths and of daily notes.
            "/api/notebook/setNotebookConf",
        ],
    ),
    (
        Closed::Archive,
        &[
            "/api/convert/",
            "/api/import/",
            "/api/archive/",
            "/api/asset/insertLocalAssets",
            "/api/file/copyFile",
            "/api/file/globalCopyFiles",
            "/api/export/copyExportFile",
            "/api/export/exportAsFile",
            "/api/export/exportBrowserHTML",
            "/api/export/exportData*",
            "/api/export/exportDocx",
            "/api/export/exportHTML",
            "/api/export/exportMdHTML",
            "/api/export/exportResources",
            "/api/export/processPDF",
            "/api/notebook/importNotebookArchive",
            "/api/notebook/prepareNotebookArchive",
            "/api/notebook/commitNotebookArchive",
            "/api/repo/exportRepoFile",
            "/api/repo/getRepoFile",
            "/api/repo/openRepoSnapshotFile",
        ],
    ),
    (
        Closed::Wholesale,
        &[
            "/api/repo/checkoutRepo",
            "/api/repo/resetRepo",
            "/api/repo/purgeRepo",
            "/api/repo/rollbackRepoSnapshotFile",
            "/api/history/rollback*",
            "/api/history/clearWorkspaceHistory",
        ],
    ),
    (Closed::Desktop, &["/api/clipboard/", "/api/notification/", "/api/ui/"]),
    (
        Closed::Fetch,
        &[
            "/api/lute/html2BlockDOM",
            "/api/lute/wpsPresentation2BlockDOM",
            "/api/format/netImg2LocalAssets",
            "/api/format/netAssets2LocalAssets",
            "/api/extension/",
        ],
    ),
    (Closed::UploadAlias, &["/upload/"]),
    (Closed::WebDav, &["/webdav/", "/caldav/", "/carddav/"]),
];

/// Tools of the kernel's MCP server that come to the same as what is closed above. Their names are folded,
/// see [`EndpointKey::mcp_tool`]. Of some others single actions are closed: `screen_mcp` knows these.
const MCP_TOOLS: &[(Closed, &[&str])] = &[
    (Closed::Proxy, &["http_request"]),
    (Closed::Fetch, &["web_fetch", "web_search"]),
    (Closed::Templates, &["template"]),
    (Closed::Archive, &["export", "import", "unzip", "zip"]),
    (Closed::Wholesale, &["repo", "history"]),
    (Closed::Cloud, &["sync", "inbox"]),
    (Closed::Control, &["system", "log"]),
    (Closed::Code, &["bazaar*", "snippet", "skill"]),
    (Closed::Desktop, &["frontend"]),
];

#[cfg(test)]
#[path = "closed_tests.rs"]
mod tests;
