//! Every endpoint that is known to need special treatment, and what it gets.

use super::*;
use crate::siyuan::contract::Catalogue;
use crate::siyuan::endpoint::{ApiPath, Method};

#[track_caller]
fn check(expected: Option<Closed>, keys: &[&str]) {
    for key in keys {
        assert_eq!(why(&key.parse().unwrap()), expected, "{key}");
    }
}

fn post(paths: &str) -> Vec<String> {
    paths.split_whitespace().map(|path| format!("http POST /api/{path}")).collect()
}

#[track_caller]
fn check_post(expected: Option<Closed>, paths: &str) {
    let keys = post(paths);
    check(expected, &keys.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn proxies_and_echo_are_closed_by_every_method() {
    check_post(
        Some(Closed::Proxy),
        "network/forwardProxy network/proxy network/echo network/echo/x network/tomorrow",
    );
    check(
        Some(Closed::Proxy),
        &[
            "http GET /api/network/proxy",
            "http GET /api/network/echo",
            "http PUT /api/network/echo/a",
            "http GET /ws/network/proxy",
            "http GET /es/network/proxy",
            "ws connect /ws/network/proxy",
            "ws send /ws/network/proxy x",
        ],
    );
}

#[test]
fn wrappers_are_not_reached_by_raw_http() {
    check(
        Some(Closed::WrapperMcp),
        &["http POST /mcp", "http GET /mcp", "http DELETE /mcp", "http POST /mcp/x", "ws connect /mcp"],
    );
    check(
        Some(Closed::WrapperPlugin),
        &[
            "http POST /api/plugin/rpc",
            "http POST /api/plugin/rpc/:name",
            "http GET /api/plugin/rpc/my-plugin",
            "http GET /ws/plugin/rpc",
            "http GET /ws/plugin/rpc/:name",
            "ws connect /ws/plugin/rpc/my-plugin",
            "http GET /plugin/private/:name/*path",
            "http POST /plugin/private/my-plugin/a",
            "ws connect /plugin/private/my-plugin/a",
        ],
    );
    check(Some(Closed::WrapperWs), &["http GET /ws", "http POST /ws"]);
    check(None, &["ws connect /ws", "ws send /ws ping", "plugin my-plugin a", "mcp tools/list"]);
    check_post(None, "plugin/getLoadedPlugin plugin/listLoadedPlugins");
}

#[test]
fn transactions_are_closed() {
    check_post(
        Some(Closed::Transactions),
        "transactions transactions/undo transactions/redo transactions/clearHistory",
    );
    check_post(None, "transactions/undoState");
}

#[test]
fn what_runs_templates_pandoc_or_archives_is_closed() {
    check_post(
        Some(Closed::Templates),
        "template/render template/renderSprig template/manage template/docSaveAsTemplate",
    );
    check_post(Some(Closed::Templates), "search/removeTemplate notebook/setNotebookConf");
    check_post(Some(Closed::Archive), "convert/pandoc archive/zip archive/unzip asset/insertLocalAssets");
    check_post(
        Some(Closed::Archive),
        "import/importStdMd import/importData import/startObsidianVaultAnalysis import/importSY",
    );
    check_post(Some(Closed::Archive), "file/globalCopyFiles file/copyFile export/copyExportFile");
    check_post(
        Some(Closed::Archive),
        "export/exportDocx export/exportHTML export/exportMdHTML export/exportDataInFolder",
    );
    check_post(Some(Closed::Archive), "export/exportData export/exportResources export/exportBrowserHTML");
}

#[test]
fn what_destroys_wholesale_is_closed() {
    check_post(
        Some(Closed::Wholesale),
        "repo/checkoutRepo repo/resetRepo repo/purgeRepo repo/rollbackRepoSnapshotFile",
    );
    check_post(Some(Closed::Wholesale), "history/rollbackDocHistory history/rollbackNotebookHistory");
    check_post(Some(Closed::Wholesale), "history/rollbackAssetsHistory history/rollbackAttributeViewHistory");
    check_post(Some(Closed::Wholesale), "history/clearWorkspaceHistory");
}

#[test]
fn what_acts_in_the_cloud_is_closed() {
    check_post(Some(Closed::Cloud), "sync/performSync sync/setSyncProviderS3 sync/exportSyncProviderS3");
    check_post(Some(Closed::Cloud), "sync/exportSyncProviderWebDAV cloud/getCloudSpace inbox/getShorthands");
    check_post(Some(Closed::Credentials), "account/login account/deactivate");
    check_post(Some(Closed::Cloud), "setting/getCloudUser setting/login2faCloudUser");
}

#[test]
fn settings_code_and_plugins_are_closed() {
    check_post(
        Some(Closed::Control),
        "setting/setAI setting/setSecrets setting/setVariables setting/patch setting/setSnippet",
    );
    check_post(Some(Closed::Publish), "setting/setPublish setting/getPublish filetree/setPublishAccess");
    check_post(
        Some(Closed::Code),
        "snippet/setSnippet snippet/removeSnippet petal/setPetalEnabled petal/loadPetals",
    );
    check_post(
        Some(Closed::Code),
        "petal/savePluginPublishData bazaar/installBazaarPlugin bazaar/installLocalBazaarPackage",
    );
    check_post(
        Some(Closed::Code),
        "bazaar/uninstallBazaarTheme bazaar/batchUpdatePackage bazaar/updateBazaarPackage",
    );
    check_post(
        Some(Closed::Code),
        "storage/setLocalStorage storage/setLocalStorageVal storage/setLocalStorageVals",
    );
    check_post(
        Some(Closed::Code),
        "storage/removeLocalStorageVal storage/removeLocalStorageVals storage/patchViewState",
    );
    check_post(None, "snippet/getSnippet bazaar/getBazaarPlugin storage/getRecentDocs storage/setCriterion");
}

#[test]
fn models_agents_and_oauth_are_closed() {
    check_post(
        Some(Closed::Agent),
        "ai/agent/chat ai/agent/confirm ai/chatGPT ai/chatGPTWithAction ai/chatgpt/export",
    );
    check_post(Some(Closed::Agent), "ai/mcpOAuthAuthorize ai/mcpEnvironmentVariables ai/editor/chat");
    check_post(
        Some(Closed::Credentials),
        "mcp/getOAuth mcp/setOAuth mcp/addOAuthClient mcp/removeOAuthClient",
    );
    check(
        Some(Closed::Credentials),
        &[
            "http GET /.well-known/oauth-protected-resource",
            "http GET /.well-known/oauth-protected-resource/mcp",
            "http GET /.well-known/oauth-authorization-server",
            "http GET /oauth/mcp/authorize",
            "http POST /oauth/mcp/token",
            "http POST /oauth/mcp/consent",
            "http POST /oauth/mcp/revoke",
            "http GET /api/system/oidc/callback",
            "http POST /api/system/oidc/start",
        ],
    );
}

#[test]
fn messages_and_the_desktop_are_closed() {
    check_post(
        Some(Closed::Messages),
        "broadcast/postMessage broadcast/publish broadcast/getChannels broadcast/getChannelInfo",
    );
    check(
        Some(Closed::Messages),
        &["http GET /ws/broadcast", "ws connect /ws/broadcast", "http GET /es/broadcast/subscribe"],
    );
    check_post(
        Some(Closed::Desktop),
        "clipboard/readFilePaths clipboard/writeFilePath notification/pushMsg ui/reloadUI",
    );
}

#[test]
fn what_fetches_for_the_caller_is_closed() {
    check_post(
        Some(Closed::Fetch),
        "lute/html2BlockDOM format/netImg2LocalAssets format/netAssets2LocalAssets extension/copy",
    );
    check(Some(Closed::UploadAlias), &["http POST /upload"]);
    check(
        Some(Closed::WebDav),
        &[
            "http GET /webdav/conf/conf.json",
            "http PUT /webdav",
            "http GET /caldav/x",
            "http DELETE /carddav/x",
        ],
    );
}

#[test]
fn control_of_the_kernel_is_closed() {
    check_post(
        Some(Closed::Control),
        "system/exit system/setNetworkServe system/setNetworkServeTLS system/setNetworkProxy system/setWorkspaceDir \
         system/createWorkspaceDir system/removeWorkspaceDir system/removeWorkspaceDirPhysically system/importConf \
         system/importTLSCABundle system/setAutoLaunch system/rebuildDataIndex system/clearTempFiles \
         system/vacuumDataIndex system/uiproc system/getWorkspaceInfo system/getWorkspaces asset/resolveAssetPath \
         system/somethingNew",
    );
    check_post(
        Some(Closed::Credentials),
        "system/setAPIToken system/setAccessAuthCode system/setOIDC system/loginAuth system/logoutAuth \
         notebook/unlockNotebook notebook/unlockAndOpenNotebook notebook/changeMasterPassword \
         notebook/createEncryptedNotebook notebook/exportNotebookCryptoBackup notebook/importNotebookCryptoBackup \
         repo/initRepoKey repo/initRepoKeyFromPassphrase repo/importRepoKey",
    );
    check(Some(Closed::Control), &["http GET /debug/pprof/heap"]);
    check_post(None, "system/version system/bootProgress system/currentTime system/getEmojiConf");
    check(None, &["http GET /api/system/version", "http GET /api/system/bootProgressSSE"]);
}

#[test]
fn answers_that_hold_secrets_are_closed() {
    check_post(
        Some(Closed::Secrets),
        "system/getConf system/exportConf system/getNetwork system/exportTLSCABundle system/exportLog \
         filetree/getPublishAccess storage/getLocalStorage storage/getLocalStorageVal storage/getLocalStorageVals",
    );
    assert_eq!(WITHHELD_EVENTS, ["setConf", "setPublish"]);
}

/// Named among the special ones, and left to a permission: each does one thing to what its body names, and
/// the bodies that could do more are looked at before sending.
#[test]
fn what_is_judged_by_its_body_or_by_its_permission_is_open() {
    check_post(None, "query/sql search/fullTextSearchBlock search/searchEmbedBlock search/findReplace");
    check_post(None, "filetree/removeDocByID filetree/createDocWithMd filetree/createDailyNote");
    check_post(
        None,
        "block/batchUpdateBlock block/batchInsertBlock attr/batchSetBlockAttrs av/batchSetAttributeViewBlockAttrs",
    );
    check_post(
        None,
        "file/getFile file/putFile file/removeFile file/renameFile file/readDir file/workspaceCopyFiles",
    );
    check_post(
        None,
        "asset/upload export/exportMdContent export/preview notebook/lsNotebooks notebook/createNotebook",
    );
    check(
        None,
        &["http GET /assets/a.png", "http GET /export/a.zip", "http GET /history/a", "http GET /public/a"],
    );
}

#[test]
fn methods_that_do_no_endpoints_work_are_closed() {
    for method in ["OPTIONS", "CONNECT", "TRACE"] {
        check(Some(Closed::Method), &[&format!("http {method} /api/block/getBlockInfo")]);
    }
}

#[test]
fn letter_case_opens_nothing() {
    check(Some(Closed::Control), &["http POST /API/System/Exit"]);
    check(Some(Closed::WrapperMcp), &["http POST /MCP", "http POST /Mcp/x"]);
    check(Some(Closed::Proxy), &["http POST /api/Network/ForwardProxy"]);
    for endpoint in Catalogue::embedded().endpoints() {
        let key = endpoint.key();
        let EndpointKey::Http { method, route } = &key else { unreachable!() };
        let shouted = format!("http {method} {}", route.as_str().to_ascii_uppercase());
        assert_eq!(why(&shouted.parse().unwrap()), why(&key), "{key}");
    }
}

#[test]
fn what_only_begins_alike_is_open() {
    check(None, &["http POST /mcpx", "http POST /wsx", "http POST /api/transactionsx", "ws connect /wsx"]);
    check_post(None, "settings/x systems/x ai2/x");
}

#[test]
fn tools_of_the_kernels_mcp_server_open_no_way_around() {
    for (expected, tools) in [
        (Closed::Proxy, &["http_request", "HTTP_Request", "siyuan_http_request"][..]),
        (Closed::Fetch, &["web_fetch", "web_search"]),
        (Closed::Templates, &["template"]),
        (Closed::Archive, &["unzip", "import", "export"]),
        (Closed::Wholesale, &["repo", "history"]),
        (Closed::Cloud, &["sync", "inbox"]),
        (Closed::Control, &["system"]),
        (Closed::Code, &["bazaar", "bazaar_install", "snippet"]),
    ] {
        for tool in tools {
            assert_eq!(why(&EndpointKey::mcp_tool(tool).unwrap()), Some(expected), "{tool}");
        }
    }
    for tool in ["search", "block", "document", "file", "sql", "plugin__mine__echo"] {
        assert_eq!(why(&EndpointKey::mcp_tool(tool).unwrap()), None, "{tool}");
    }
}

#[test]
fn every_reason_is_told_and_used() {
    let catalogue = Catalogue::embedded();
    let used: std::collections::HashSet<Closed> =
        catalogue.endpoints().iter().filter_map(|endpoint| why(&endpoint.key())).collect();
    assert!(used.len() >= 15, "{used:?}");
    for (closed, patterns) in PATHS {
        assert!(closed.why().len() > 20);
        for pattern in *patterns {
            let path = pattern.trim_end_matches(['/', '*']);
            let key = EndpointKey::http(Method::Get, (&ApiPath::parse(path).unwrap()).into());
            assert!(why(&key).is_some() || pattern.ends_with('*'), "{pattern}");
        }
    }
    for path in OPEN {
        assert!(!catalogue.at(path).is_empty(), "{path} is not in the contract");
    }
}
