//! What tools of the kernel's MCP server may be asked for, and what not.

use serde_json::{Value, json};

use super::*;

fn check(tool: &str, arguments: Value) -> Result<(), Reason> {
    let key = EndpointKey::mcp_tool(tool).unwrap();
    mcp(&key, Some(&json!({"name": tool, "arguments": arguments})))
}

#[test]
fn the_file_tool_of_the_kernels_mcp_server_keeps_to_the_same_places() {
    let check = |arguments: Value| check("siyuan_File", arguments);
    assert_eq!(check(json!({"action": "read", "path": "/data/assets/a.md"})), Ok(()));
    let write = json!({"action": "write", "path": "/data/assets/a.md", "data": "see /conf/../x"});
    assert_eq!(check(write), Ok(()));
    assert_eq!(check(json!({"action": "find", "path": "/data/assets", "include": "*.{md,..}"})), Ok(()));
    for arguments in [
        json!({"action": "read", "path": "/conf/conf.json"}),
        json!({"action": "write", "path": "/data/plugins/x/kernel.js"}),
        json!({"action": "rename", "from": "/data/assets/a", "to": "/data/plugins/a"}),
        json!({"action": "Delete", "path": "/data/storage"}),
        json!({"action": "grep", "dir": "/", "pattern": "token"}),
        json!({"action": "copy", "paths": ["/data/assets/a", "/conf"]}),
        json!({"path": "/data/plugins"}),
    ] {
        assert!(matches!(check(arguments.clone()), Err(Reason::Storage(_))), "{arguments}");
    }
}

/// It copies any file of the kernel's computer to where tools can read it.
#[test]
fn the_asset_tool_brings_no_file_into_the_notes() {
    for action in ["upload", "Upload", "", "move"] {
        let refused = check("asset", json!({"action": action, "id": "x", "files": "/etc/passwd"}));
        assert_eq!(refused, Err(Reason::ClosedAction { action: action.to_owned(), closed: Closed::Archive }));
    }
    assert!(matches!(check("asset", json!({"files": "/etc/passwd"})), Err(Reason::ClosedAction { .. })));
    assert_eq!(check("asset", json!([{"action": "stat"}])), Err(Reason::Unreadable));
    for arguments in [
        json!({"action": "unused"}),
        json!({"action": "stat", "path": "assets/a.png"}),
        json!({"action": "clean"}),
        json!({"action": "clean", "path": "assets/a.png"}),
    ] {
        assert_eq!(check("asset", arguments.clone()), Ok(()), "{arguments}");
    }
    for path in ["../conf/conf.json", "plugins/x/kernel.js"] {
        let refused = check("asset", json!({"action": "clean", "path": path}));
        assert!(matches!(refused, Err(Reason::Storage(_))), "{path}");
    }
}

#[test]
fn the_image_tool_gives_no_notes_to_a_model() {
    assert_eq!(check("image", json!({"action": "list", "documentID": "x"})), Ok(()));
    for action in ["analyze", "generate"] {
        let refused = check("image", json!({"action": action, "documentID": "x"}));
        assert_eq!(refused, Err(Reason::ClosedAction { action: action.to_owned(), closed: Closed::Agent }));
    }
}

#[test]
fn sql_by_way_of_a_tool_only_reads() {
    for (tool, read, write) in [
        ("sql", json!({"stmt": "select 1"}), json!({"stmt": "delete from blocks"})),
        (
            "search",
            json!({"query": "delete from blocks", "method": 0}),
            json!({"query": "delete from blocks", "method": 2}),
        ),
    ] {
        assert_eq!(check(tool, read), Ok(()), "{tool}");
        assert!(matches!(check(tool, write), Err(Reason::Sql(_))), "{tool}");
    }
    assert_eq!(check("search", json!({"action": "fulltext", "query": "/conf"})), Ok(()));
    assert_eq!(check("plugin__mine__echo", json!("anything")), Ok(()));
}
