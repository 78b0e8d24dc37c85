//! A person's home after a while, as the core would tell of it: always the same, down to the second.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::core::{ActivitySettings, Command, Language, Limits, Snapshot, Theme};
use crate::ui::link::{Link, Outcome, Pending};
use crate::ui::notify::Notice;

/// 2026-03-02, 14:05:30 UTC.
pub const NOW: u64 = 1_772_460_330;

/// Moments as a snapshot holds them: so many seconds ago.
fn ago(seconds: u64) -> Value {
    at(NOW - seconds)
}

fn at(seconds: u64) -> Value {
    json!({"secs_since_epoch": seconds, "nanos_since_epoch": 0})
}

pub fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(NOW)
}

/// Answers what pages ask for by themselves; whatever else they ask for stays on its way.
#[derive(Debug)]
pub struct Furnished {
    snapshot: Arc<Snapshot>,
    unanswered: RefCell<Vec<oneshot::Sender<Outcome>>>,
}

impl Furnished {
    /// `asking`: two questions wait for the person.
    pub fn new(theme: Theme, language: Language, asking: bool) -> Self {
        let mut snapshot = home();
        snapshot["theme"] = json!(theme);
        snapshot["language"] = json!(language);
        if asking {
            snapshot["approvals"]["questions"] = questions();
        }
        Self { snapshot: serde_json::from_value(snapshot).unwrap(), unanswered: RefCell::default() }
    }
}

impl Link for Furnished {
    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot)
    }

    fn send(&self, command: Command) -> Pending {
        let (sender, pending) = Pending::new();
        let reply = match command {
            Command::Activity { .. } => {
                json!({"reply": "activity", "page": {"records": records(), "next": null}})
            }
            Command::Endpoints { .. } => json!({"reply": "endpoints", "list": endpoints()}),
            Command::TestObsidian { .. } => {
                json!({"reply": "tested", "report": {"vaults": vaults(), "toolCount": 18}})
            }
            Command::PlanConnection { .. } => json!({"reply": "connection-planned", "plan": connection()}),
            _ => {
                self.unanswered.borrow_mut().push(sender);
                return pending;
            }
        };
        sender.send(Ok(serde_json::from_value(reply).unwrap())).unwrap();
        pending
    }

    fn was_called(&self) -> bool {
        false
    }

    fn is_ending(&self) -> bool {
        false
    }

    fn tell(&self, _notice: Option<Notice>) {}
}

fn home() -> Value {
    json!({
        "version": "0.1.0",
        "generation": 12,
        "home": "/home/me/.config/notegate",
        "bridge": {"program": "/usr/bin/notegate", "home": null},
        "demo": false,
        "gateway": {"state": "listening", "url": "http://127.0.0.1:27277/mcp", "since": ago(7200)},
        "port": 27277,
        "language": null,
        "theme": "system",
        "textPercent": 100,
        "keepRunning": true,
        "autostart": false,
        "limits": Limits::default(),
        "retention": ActivitySettings::default(),
        "obsidian": {
            "enabled": true, "vaultPath": "", "engine": "native", "choosingFolder": false,
            "test": {"state": "not-tested"},
        },
        "siyuan": {"enabled": true, "defaultKernel": "home", "kernels": kernels()},
        "runtimes": runtimes(),
        "sessions": [
            {"label": SESSION, "runtime": "claude-code", "client": {"name": "claude-code", "version": "2.1.0"},
             "kernel": "home", "lastSeen": ago(38)},
        ],
        "calls": {
            "succeeded": 61, "failed": 4,
            "running": {},
            "recent": recent(),
            "last": {
                "claude-code": {"tool": "siyuan_update", "at": ago(38), "succeeded": true},
                "opencode": {"tool": "obsidian_read_note", "at": ago(2460), "succeeded": false},
            },
        },
        "activity": {"revision": 65, "problem": null},
        "approvals": {"questions": [], "paused": [], "answerable": true},
        "raised": 0,
        "closing": false,
    })
}

/// The calls of the last hour, by the minute.
fn recent() -> Value {
    let busy = [
        (52, 3, 0),
        (51, 7, 1),
        (50, 4, 0),
        (41, 2, 2),
        (40, 6, 0),
        (22, 9, 0),
        (21, 12, 1),
        (20, 5, 0),
        (3, 8, 0),
        (0, 5, 0),
    ];
    let minute = |(before, succeeded, failed)| json!({"minute": NOW / 60 - before, "succeeded": succeeded, "failed": failed});
    busy.map(minute).as_slice().into()
}

fn vaults() -> Value {
    let source = "/home/me/.config/obsidian/obsidian.json";
    json!([
        {"id": "3b1f0c4d5e6f7a8b", "name": "Work", "path": "/home/me/Documents/Work", "source": source},
        {"id": "9a8b7c6d5e4f3a2b", "name": "笔记", "path": "/home/me/文档/笔记", "source": source},
    ])
}

fn runtimes() -> Value {
    let runtime = |id: &str, name: &str, mode: &str, capabilities: &[&str], seen: Value| {
        json!({"id": id, "name": name, "kind": id, "mode": mode, "approval": "prompt",
               "capabilities": capabilities, "lastSeen": seen})
    };
    json!([
        runtime("claude-code", "Claude Code", "execute", &["obsidian", "siyuan"], ago(38)),
        runtime("opencode", "OpenCode", "ask", &["obsidian"], ago(2460)),
        runtime("continue", "Continue", "execute", &["obsidian"], Value::Null),
    ])
}

/// A change of OpenCode's configuration.
fn connection() -> Value {
    let line = |sign: &str, text: &str| json!({"sign": sign, "text": text});
    json!({
        "path": "/home/ada/.config/opencode/opencode.json",
        "exists": true,
        "readableByOthers": false,
        "places": ["file", "keyring", "environment"],
        "seen": "",
        "diff": [
            line("stays", "  \"theme\": \"system\", // as it was"),
            line("stays", "  \"mcp\": {"),
            line("goes", "    \"notegate\": { \"type\": \"local\", \"command\": [\"old\"] },"),
            line("comes", "    \"notegate\": {"),
            line("comes", "      \"type\": \"remote\","),
            line("comes", "      \"url\": \"http://127.0.0.1:27277/mcp\","),
            line("comes", "      \"headers\": { \"Authorization\": \"Bearer KEY\" },"),
            line("comes", "    },"),
            line("stays", "  }"),
        ],
        "canUndo": true,
    })
}

fn kernels() -> Value {
    let kernel = |id: &str, name: &str, address: &str, token: &str, check: Value| {
        json!({
            "id": id, "name": name, "address": address, "timeoutSeconds": 15, "portFile": null, "pid": null,
            "workspace": null, "disabled": false, "token": token, "permissions": {}, "declared": [],
            "discovered": [], "check": check,
        })
    };
    let mut home = kernel(
        "home",
        "Home",
        "auto",
        "stored",
        json!({
            "state": "passed", "number": 1, "at": ago(4000),
            "report": {
                "address": "http://127.0.0.1:6806", "version": "3.7.3", "workspace": "/home/me/SiYuan", "pid": 4711,
                "token": true, "warnings": [],
            },
        }),
    );
    home["pid"] = json!(4711);
    home["workspace"] = json!("/home/me/SiYuan");
    home["permissions"] = json!({
        "http POST /api/block/getBlockKramdown": "allow",
        "http POST /api/block/updateBlock": "ask-full-access",
        "http POST /api/block/deleteBlock": "deny",
    });
    let office = kernel(
        "office",
        "Office",
        "https://notes.example.org",
        "refused",
        json!({
            "state": "failed", "number": 2, "instances": [], "at": ago(3960),
            "error": {"code": "token_refused", "message": "the kernel refused the token"},
        }),
    );
    json!([home, office])
}

fn endpoints() -> Value {
    let row = |path: &str, effect: &str, permission: &str, note: &str| {
        json!({
            "key": format!("http POST {path}"), "protocol": "http", "method": "POST", "name": path,
            "group": path.split('/').nth(2), "effect": effect, "permission": permission, "closed": null,
            "origin": "contract", "note": note,
        })
    };
    let mut closed =
        row("/api/block/transferBlockRef", "writes", "ask", "Move references from a block to another");
    closed["closed"] = json!("transactions");
    json!({
        "kernel": "home", "version": "3.7.3", "total": 718, "changed": 3, "groups": ["attr", "block", "query"],
        "rows": [
            row("/api/attr/getBlockAttrs", "reads", "ask", "The attributes of a block"),
            row("/api/attr/setBlockAttrs", "writes", "ask", "Set attributes of a block"),
            row("/api/block/appendBlock", "writes", "ask", "Append a block to a parent"),
            row("/api/block/deleteBlock", "writes", "deny", "Delete a block"),
            row("/api/block/getBlockKramdown", "reads", "allow", "A block's Kramdown source"),
            row("/api/block/getChildBlocks", "reads", "ask", "The blocks below a block"),
            row("/api/block/insertBlock", "writes", "ask", "Insert a block beside another"),
            row("/api/block/moveBlock", "writes", "ask", "Move a block"),
            closed,
            row("/api/block/updateBlock", "writes", "ask-full-access", "Replace a block's content"),
            row("/api/query/sql", "reads", "ask", "Run an SQL query"),
        ],
    })
}

const SESSION: &str = "3f0c8a52-5c0e-4a57-9f3d-2f6a1c7d9b11";

fn records() -> Value {
    let mut number = 66;
    let mut record = |before: u64,
                      runtime: &str,
                      tool: &str,
                      writes: bool,
                      kernel: bool,
                      about: &str,
                      ending: [&str; 3]| {
        let [decision, outcome, code] = ending;
        number -= 1;
        let kind = if kernel { "block" } else { "note" };
        json!({
            "number": number, "operationId": format!("op-{number}"), "callId": format!("call-{number}"), "started": ago(before),
            "runtime": runtime, "session": (runtime == "claude-code").then_some(SESSION), "tool": tool, "writes": writes,
            "kernel": kernel.then_some("home"), "vault": null,
            "endpoints": if kernel { json!([{"key": "http POST /api/block/updateBlock", "permission": "ask"}]) } else { json!([]) },
            "decision": decision, "objects": [{"kind": kind, "id": about}], "outcome": outcome,
            "code": (!code.is_empty()).then_some(code), "durationMs": number,
        })
    };
    let block = "20260302140452-a1b2c3d";
    json!([
        record(38, "claude-code", "siyuan_update", true, true, block, ["approved", "succeeded", ""]),
        record(
            180,
            "claude-code",
            "siyuan_update",
            true,
            true,
            block,
            ["approved", "uncertain", "uncertain"]
        ),
        record(
            190,
            "claude-code",
            "siyuan_delete",
            true,
            true,
            block,
            ["refused-by-person", "refused", "approval_refused"]
        ),
        record(
            1210,
            "claude-code",
            "obsidian_search_notes",
            false,
            false,
            "堆肥",
            ["direct", "succeeded", ""]
        ),
        record(
            1260,
            "claude-code",
            "obsidian_patch_note",
            true,
            false,
            "笔记/堆肥.md",
            ["direct", "succeeded", ""]
        ),
        record(
            2460,
            "opencode",
            "obsidian_read_note",
            false,
            false,
            "Missing.md",
            ["direct", "failed", "not_found"]
        ),
        record(
            2475,
            "opencode",
            "obsidian_write_note",
            true,
            false,
            "Journal/2026-03-02.md",
            ["mode", "refused", "mode"]
        ),
        record(
            3120,
            "command-line",
            "obsidian_list_vaults",
            false,
            false,
            "Work",
            ["direct", "succeeded", ""]
        ),
        record(
            90_000,
            "opencode",
            "obsidian_read_note",
            false,
            false,
            "Garden/Plan.md",
            ["direct", "succeeded", ""]
        ),
    ])
}

fn questions() -> Value {
    let question = |id: u64, endpoint: &str, change: &str, asked: u64| {
        json!({
            "id": id, "runtime": "claude-code", "session": SESSION, "tool": "siyuan_update", "kernel": "home",
            "endpoints": [endpoint], "change": change, "asked": ago(asked), "ends": at(NOW - asked + 120), "state": "open",
            "since": ago(asked),
        })
    };
    let mut update = question(
        8,
        "http POST /api/block/updateBlock",
        "siyuan_update block 20260302140452-a1b2c3d\ndata:\n  # 堆肥\n  - turn it every two weeks\n  - 浇水",
        12,
    );
    update["text"] = json!({
        "document": "堆肥",
        "before": "# 堆肥\n- turn it every three weeks\n- 浇水",
        "after": "# 堆肥\n- turn it every two weeks\n- 浇水",
    });
    json!([
        update,
        question(7, "http POST /api/block/deleteBlock", "siyuan_delete block 20260302140452-a1b2c3d", 97),
    ])
}
