//! The programs whose configuration we know: where it lies, and what our entry in it is. Each line was held
//! against the program's own version (`tests/clients`), where it runs on the tests' machine.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::KeyPlace;
use crate::obsidian::{Environment, Platform};
use crate::settings::{HOME_VARIABLE, RuntimeId, RuntimeKind};

use super::super::snapshot::Bridge;

/// The variable that a key is given in.
pub const KEY_VARIABLE: &str = "NOTEGATE_KEY";

/// How a configuration is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// With comments and trailing commas, as most programs read it.
    Json,
    Toml,
    Yaml,
}

impl Format {
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Toml => "TOML",
            Self::Yaml => "YAML",
        }
    }
}

/// A program with a configuration that we can write.
#[derive(Debug)]
pub struct Program {
    pub kind: RuntimeKind,
    pub format: Format,
    /// What the table (in YAML: the list) of servers is called.
    pub servers: &'static str,
    /// Where the file lies; the first one that is there, else the last.
    pub files: fn(&Environment) -> Option<Vec<PathBuf>>,
    pub places: &'static [KeyPlace],
}

const ANY: &[KeyPlace] = &KeyPlace::ALL;
/// It inserts no variables, and it would not be started with ours.
const NO_VARIABLE: &[KeyPlace] = &[KeyPlace::File, KeyPlace::Keyring];

const PROGRAMS: [Program; 7] = [
    Program {
        kind: RuntimeKind::OpenCode,
        format: Format::Json,
        servers: "mcp",
        // It has its configuration in the same place on every platform.
        files: |environment| {
            let folder = xdg_config(environment)?.join("opencode");
            Some(vec![folder.join("opencode.jsonc"), folder.join("opencode.json")])
        },
        places: ANY,
    },
    Program {
        kind: RuntimeKind::Continue,
        format: Format::Yaml,
        servers: "mcpServers",
        files: |environment| {
            Some(vec![folder(environment, "CONTINUE_GLOBAL_DIR", ".continue")?.join("config.yaml")])
        },
        places: ANY,
    },
    Program {
        kind: RuntimeKind::ClaudeCode,
        format: Format::Json,
        servers: "mcpServers",
        files: |environment| Some(vec![folder(environment, "CLAUDE_CONFIG_DIR", "")?.join(".claude.json")]),
        places: ANY,
    },
    Program {
        kind: RuntimeKind::Codex,
        format: Format::Toml,
        servers: "mcp_servers",
        files: |environment| Some(vec![folder(environment, "CODEX_HOME", ".codex")?.join("config.toml")]),
        places: ANY,
    },
    Program {
        kind: RuntimeKind::Cursor,
        format: Format::Json,
        servers: "mcpServers",
        files: |environment| Some(vec![environment.home()?.join(".cursor").join("mcp.json")]),
        places: ANY,
    },
    Program {
        kind: RuntimeKind::VsCode,
        format: Format::Json,
        servers: "servers",
        files: |environment| Some(vec![app_config(environment)?.join("Code").join("User").join("mcp.json")]),
        places: ANY,
    },
    Program {
        kind: RuntimeKind::ClaudeDesktop,
        format: Format::Json,
        servers: "mcpServers",
        files: |environment| {
            Some(vec![app_config(environment)?.join("Claude").join("claude_desktop_config.json")])
        },
        places: NO_VARIABLE,
    },
];

/// The program of this kind, if its configuration is known.
pub fn program(kind: RuntimeKind) -> Option<&'static Program> {
    PROGRAMS.iter().find(|program| program.kind == kind)
}

fn set(value: Option<&OsStr>) -> Option<PathBuf> {
    value.map(PathBuf::from).filter(|path| path.is_absolute())
}

/// The folder that a variable names, else one of the person's own.
fn folder(environment: &Environment, variable: &str, own: &str) -> Option<PathBuf> {
    set(environment.variable(variable)).or_else(|| Some(environment.home()?.join(own)))
}

fn xdg_config(environment: &Environment) -> Option<PathBuf> {
    folder(environment, "XDG_CONFIG_HOME", ".config")
}

/// Where desktop programs keep their configuration.
fn app_config(environment: &Environment) -> Option<PathBuf> {
    match environment.platform() {
        Platform::Linux => xdg_config(environment),
        Platform::MacOs => Some(environment.home()?.join("Library").join("Application Support")),
        Platform::Windows => set(environment.variable("APPDATA"))
            .or_else(|| Some(environment.home()?.join("AppData").join("Roaming"))),
    }
}

/// The key as an entry has it.
#[derive(Debug, Clone, Copy)]
pub enum Bearer<'a> {
    Key(&'a str),
    Variable,
}

/// How a program comes to the endpoint.
#[derive(Debug, Clone, Copy)]
pub enum Way<'a> {
    Http {
        url: &'a str,
        bearer: Bearer<'a>,
    },
    /// It starts our bridge, which is given the key, or finds that of a runtime in the keyring.
    Bridge {
        bridge: &'a Bridge,
        key: Result<&'a str, &'a RuntimeId>,
    },
}

/// What stands under our name in the configuration of a program.
pub fn entry(kind: RuntimeKind, way: Way<'_>) -> Map<String, Value> {
    let value = match way {
        Way::Http { url, bearer } => over_http(kind, url, bearer),
        Way::Bridge { bridge, key } => over_stdio(kind, bridge, key),
    };
    match value {
        Value::Object(map) => map,
        // Both build an object.
        _ => Map::new(),
    }
}

fn over_http(kind: RuntimeKind, url: &str, bearer: Bearer<'_>) -> Value {
    let authorization = match bearer {
        Bearer::Key(key) => format!("Bearer {key}"),
        Bearer::Variable => format!("Bearer {}", inserted(kind)),
    };
    let headers = json!({ "Authorization": authorization });
    match kind {
        RuntimeKind::OpenCode => {
            json!({ "type": "remote", "url": url, "headers": headers, "oauth": false, "enabled": true })
        }
        RuntimeKind::Continue => json!({
            "name": "notegate", "type": "streamable-http", "url": url, "requestOptions": { "headers": headers },
        }),
        RuntimeKind::Codex => match bearer {
            Bearer::Key(_) => json!({ "url": url, "http_headers": headers }),
            Bearer::Variable => json!({ "url": url, "bearer_token_env_var": KEY_VARIABLE }),
        },
        RuntimeKind::ClaudeCode | RuntimeKind::VsCode => {
            json!({ "type": "http", "url": url, "headers": headers })
        }
        _ => json!({ "url": url, "headers": headers }),
    }
}

/// How a program is told to insert the variable.
fn inserted(kind: RuntimeKind) -> String {
    match kind {
        RuntimeKind::OpenCode => format!("{{env:{KEY_VARIABLE}}}"),
        RuntimeKind::Continue => format!("${{{{ secrets.{KEY_VARIABLE} }}}}"),
        RuntimeKind::Cursor | RuntimeKind::VsCode => format!("${{env:{KEY_VARIABLE}}}"),
        _ => format!("${{{KEY_VARIABLE}}}"),
    }
}

/// The program has neither our search path nor our variables, so ours is named whole, and so is a home that is not
/// the usual one.
fn over_stdio(kind: RuntimeKind, bridge: &Bridge, key: Result<&str, &RuntimeId>) -> Value {
    let command = bridge.program.to_string_lossy();
    let mut arguments = vec!["stdio"];
    let mut variables = Map::new();
    match key {
        Ok(key) => {
            variables.insert(KEY_VARIABLE.into(), key.into());
        }
        Err(runtime) => arguments.extend(["--runtime", runtime.as_str()]),
    }
    if let Some(home) = &bridge.home {
        variables.insert(HOME_VARIABLE.into(), home.to_string_lossy().into());
    }
    if kind == RuntimeKind::OpenCode {
        let command: Vec<&str> = std::iter::once(&*command).chain(arguments).collect();
        let mut entry = json!({ "type": "local", "command": command, "enabled": true });
        if !variables.is_empty() {
            entry["environment"] = variables.into();
        }
        return entry;
    }
    let mut entry = match kind {
        RuntimeKind::Continue => json!({ "name": "notegate", "type": "stdio" }),
        RuntimeKind::ClaudeCode | RuntimeKind::Cursor | RuntimeKind::VsCode => json!({ "type": "stdio" }),
        _ => json!({}),
    };
    entry["command"] = (*command).into();
    entry["args"] = json!(arguments);
    if !variables.is_empty() {
        entry["env"] = variables.into();
    }
    entry
}

/// Fields of an entry that say how a program comes to us: what of an old entry stays beside the new one is anything
/// else, such as a timeout that the person set.
pub fn is_ours(field: &str) -> bool {
    matches!(
        field,
        "type"
            | "url"
            | "headers"
            | "oauth"
            | "enabled"
            | "command"
            | "args"
            | "env"
            | "environment"
            | "name"
            | "requestOptions"
            | "http_headers"
            | "env_http_headers"
            | "bearer_token_env_var"
            | "disabled"
    )
}

/// A field of ours with what else the person set in it, as a header or a variable of their own.
pub fn beside(old: Option<&Value>, new: &Value) -> Value {
    let (Some(Value::Object(old)), Value::Object(new)) = (old, new) else { return new.clone() };
    let mut whole: Map<String, Value> =
        new.iter().map(|(name, value)| (name.clone(), beside(old.get(name), value))).collect();
    for (name, value) in old.iter().filter(|(name, _)| !is_filled_in(name) && !new.contains_key(*name)) {
        whole.insert(name.clone(), value.clone());
    }
    Value::Object(whole)
}

/// Names in the fields of ours that say who the program is: none stays beside the new ones.
pub fn is_filled_in(name: &str) -> bool {
    name.eq_ignore_ascii_case("authorization") || name == KEY_VARIABLE || name == HOME_VARIABLE
}
