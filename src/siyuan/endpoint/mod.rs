//! Endpoint keys: the names that permissions are given to, that a person is asked about, and that the
//! activity log shows.
//!
//! | key | for |
//! | --- | --- |
//! | `http POST /api/block/updateBlock` | one method and path, however it is called |
//! | `mcp tools/list` | a method of the kernel's MCP server |
//! | `mcp tools/call search` | one tool of that server, besides `mcp tools/call` |
//! | `plugin NAME METHOD` | a method of a kernel plugin |
//! | `plugin NAME $batch` | several calls of a plugin at once, besides each of them |
//! | `ws connect /ws` | a WebSocket |
//! | `ws send /ws CMD` | a message of one command on it, besides the connection |
//! | `connection status` | asking whether a kernel can be reached |
//!
//! A key is one text: what is printed is parsed to the same key, and what a kernel would take for the
//! same thing has the same key.

mod path;
mod target;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub use path::{ApiPath, MAX_PATH_BYTES, PathError, PathProblem, Route};
pub use target::{TargetError, WsTarget, is_credential_name};

/// The MCP method that runs a tool.
pub const TOOLS_CALL: &str = "tools/call";

/// What stands in a plugin's key for several calls at once. No method can be called so.
pub const BATCH: &str = "$batch";

/// The longest name of a tool, plugin, method or command, in characters.
const MAX_NAME_CHARS: usize = 200;

/// What a permission is given to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EndpointKey {
    Http { method: Method, route: Route },
    Mcp { method: Name },
    McpTool { tool: Name },
    Plugin { plugin: Name, method: Name },
    WsConnect { route: Route },
    WsSend { route: Route, command: Name },
    ConnectionStatus,
}

/// A text that is no endpoint key, or a name that none can hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("{0:?} is no endpoint key; one looks like \"http POST /api/block/updateBlock\"")]
    Unknown(String),
    #[error("{0:?} is no HTTP method that an endpoint has; write it in capitals, for example POST")]
    Method(String),
    #[error("the {what} {name:?} cannot be used: {problem}")]
    Name { what: &'static str, name: String, problem: &'static str },
    #[error(transparent)]
    Path(#[from] PathError),
}

/// The methods that the contract knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
    Options,
    Connect,
    Trace,
}

impl Method {
    pub const ALL: [Self; 9] = [
        Self::Get,
        Self::Head,
        Self::Post,
        Self::Put,
        Self::Patch,
        Self::Delete,
        Self::Options,
        Self::Connect,
        Self::Trace,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Connect => "CONNECT",
            Self::Trace => "TRACE",
        }
    }

    /// Whether a call can use it. The others ask for no endpoint's work: OPTIONS is answered before
    /// the kernel looks at credentials, CONNECT and TRACE belong to proxies.
    pub fn is_callable(self) -> bool {
        !matches!(self, Self::Options | Self::Connect | Self::Trace)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Method {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|method| method.as_str() == text);
        known.ok_or_else(|| KeyError::Method(shortened(text)))
    }
}

/// One word of a key: no blanks, nothing invisible.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(String);

impl Name {
    /// A plugin's method or a command on a WebSocket: free text of whoever wrote the plugin.
    fn free(what: &'static str, name: &str) -> Result<Self, KeyError> {
        let fits = |c: char| c.is_alphanumeric() || c.is_ascii_graphic();
        Self::of(what, name, fits, "a name has no blanks and nothing invisible in it")
    }

    fn ascii(what: &'static str, name: &str, marks: &str) -> Result<Self, KeyError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || marks.contains(c);
        Self::of(what, name, fits, "it may hold ASCII letters, digits and few marks only")
    }

    fn of(
        what: &'static str,
        name: &str,
        fits: impl Fn(char) -> bool,
        problem: &'static str,
    ) -> Result<Self, KeyError> {
        let wrong = |problem| Err(KeyError::Name { what, name: shortened(name), problem });
        if name.is_empty() {
            return wrong("it is empty");
        }
        if name.chars().count() > MAX_NAME_CHARS {
            return wrong("it is longer than 200 characters");
        }
        if !name.chars().all(fits) {
            return wrong(problem);
        }
        Ok(Self(name.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl EndpointKey {
    pub fn http(method: Method, route: Route) -> Self {
        Self::Http { method, route }
    }

    /// A method of the kernel's MCP server. [`TOOLS_CALL`] needs the tool's key besides.
    ///
    /// # Errors
    /// The name could not be one.
    pub fn mcp(method: &str) -> Result<Self, KeyError> {
        Ok(Self::Mcp { method: Name::ascii("MCP method", method, "/_-.$")? })
    }

    /// A tool of the kernel's MCP server. The kernel finds tools in any case and with its own prefix, so
    /// all of these spellings are one key.
    ///
    /// # Errors
    /// The name could not be one, or could be taken for two.
    pub fn mcp_tool(tool: &str) -> Result<Self, KeyError> {
        const PREFIX: &str = "siyuan_";
        let Name(spelt) = Name::ascii("MCP tool", tool, "_-./")?;
        let folded = spelt.to_ascii_lowercase();
        let plain = folded.strip_prefix(PREFIX).unwrap_or(&folded);
        if plain.is_empty() || plain.starts_with(PREFIX) {
            return Err(KeyError::Name {
                what: "MCP tool",
                name: shortened(tool),
                problem: "its prefix can be read in two ways",
            });
        }
        Ok(Self::McpTool { tool: Name(plain.to_owned()) })
    }

    /// A method of a kernel plugin.
    ///
    /// # Errors
    /// One of the names could not be one, or the method is called like the key of batches.
    pub fn plugin(plugin: &str, method: &str) -> Result<Self, KeyError> {
        if method == BATCH {
            return Err(KeyError::Name {
                what: "plugin method",
                name: method.to_owned(),
                problem: "the name stands for several calls at once",
            });
        }
        Ok(Self::Plugin { plugin: plugin_name(plugin)?, method: Name::free("plugin method", method)? })
    }

    /// Several calls of a plugin at once, besides the key of each.
    ///
    /// # Errors
    /// The plugin's name could not be one.
    pub fn plugin_batch(plugin: &str) -> Result<Self, KeyError> {
        Ok(Self::Plugin { plugin: plugin_name(plugin)?, method: Name(BATCH.to_owned()) })
    }

    pub fn ws_connect(route: Route) -> Self {
        Self::WsConnect { route }
    }

    /// A message on a WebSocket, by its command.
    ///
    /// # Errors
    /// The command could not be one.
    pub fn ws_send(route: Route, command: &str) -> Result<Self, KeyError> {
        Ok(Self::WsSend { route, command: Name::free("WebSocket command", command)? })
    }
}

/// A plugin's name is its folder's, and stands in an address.
fn plugin_name(name: &str) -> Result<Name, KeyError> {
    let known = Name::ascii("plugin name", name, "_-.")?;
    if name.starts_with('.') || name.ends_with('.') {
        return Err(KeyError::Name {
            what: "plugin name",
            name: shortened(name),
            problem: "a dot stands at its edge",
        });
    }
    Ok(known)
}

impl fmt::Display for EndpointKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http { method, route } => write!(f, "http {method} {route}"),
            Self::Mcp { method } => write!(f, "mcp {method}"),
            Self::McpTool { tool } => write!(f, "mcp {TOOLS_CALL} {tool}"),
            Self::Plugin { plugin, method } => write!(f, "plugin {plugin} {method}"),
            Self::WsConnect { route } => write!(f, "ws connect {route}"),
            Self::WsSend { route, command } => write!(f, "ws send {route} {command}"),
            Self::ConnectionStatus => f.write_str("connection status"),
        }
    }
}

impl FromStr for EndpointKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["http", method, route] => Ok(Self::http(method.parse()?, Route::parse(route)?)),
            ["mcp", TOOLS_CALL, tool] => Self::mcp_tool(tool),
            ["mcp", method] => Self::mcp(method),
            ["plugin", plugin, BATCH] => Self::plugin_batch(plugin),
            ["plugin", plugin, method] => Self::plugin(plugin, method),
            ["ws", "connect", route] => Ok(Self::ws_connect(Route::parse(route)?)),
            ["ws", "send", route, command] => Self::ws_send(Route::parse(route)?, command),
            ["connection", "status"] => Ok(Self::ConnectionStatus),
            _ => Err(KeyError::Unknown(shortened(text))),
        }
    }
}

impl Serialize for EndpointKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EndpointKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(|error: KeyError| de::Error::custom(error))
    }
}

/// As much of a text as an error repeats.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
