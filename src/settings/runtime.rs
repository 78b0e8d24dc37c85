//! Runtimes as they are saved: what kinds there are, what they can be given, and how they may work.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::schema::InvalidField;

/// A chat program that may connect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Runtime {
    pub id: RuntimeId,
    /// What the person calls it.
    pub name: String,
    pub kind: RuntimeKind,
    /// SHA-256 of its key. The key itself is nowhere; it was shown once.
    pub key_sha256: KeyDigest,
    /// The person asked to keep the key in the system's keyring, for `notegate stdio --runtime`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub key_kept: bool,
    #[serde(default)]
    pub mode: WorkMode,
    #[serde(default)]
    pub approval: ApprovalPolicy,
    /// The capabilities that the person assigned to it.
    #[serde(default)]
    pub capabilities: BTreeSet<Capability>,
}

/// Names a runtime in the settings, in the log and on the command line: letters, digits and `-`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct RuntimeId(String);

impl RuntimeId {
    /// # Errors
    /// An id is 1 to 64 ASCII letters, digits, `-` or `_`.
    pub fn new(id: impl Into<String>) -> Result<Self, InvalidField> {
        let id = id.into();
        let fits = !id.is_empty()
            && id.len() <= 64
            && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        if fits {
            Ok(Self(id))
        } else {
            let problem = format!("{id:?} is not a runtime id; use 1 to 64 letters, digits, - or _");
            Err(InvalidField::new("runtimes.id", problem))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RuntimeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for RuntimeId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(|error| de::Error::custom(error.problem))
    }
}

/// The chat programs that we know by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuntimeKind {
    /// A model that is connected directly, through the tool API.
    Model,
    #[serde(rename = "opencode")]
    OpenCode,
    Continue,
    ClaudeCode,
    Codex,
    Cursor,
    /// Visual Studio Code.
    #[serde(rename = "vscode")]
    VsCode,
    ClaudeDesktop,
    /// DeepSeek Harness.
    Dsh,
    /// A runtime on another machine, over the Agent Client Protocol.
    RemoteAcp,
    /// Any other MCP client.
    Custom,
}

/// Why a kind of runtime cannot be given a capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unavailable {
    /// It cannot restrict data tools to one conversation, so a grant could not be kept within it.
    NoScopedDataTools,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoScopedDataTools => f.write_str(
                "it cannot limit data tools to one conversation, so what you allow in one would be open to all of them",
            ),
        }
    }
}

impl RuntimeKind {
    /// Every kind, in the order in which they are shown.
    pub const ALL: [Self; 11] = [
        Self::Model,
        Self::OpenCode,
        Self::Continue,
        Self::ClaudeCode,
        Self::Codex,
        Self::Cursor,
        Self::VsCode,
        Self::ClaudeDesktop,
        Self::Custom,
        Self::Dsh,
        Self::RemoteAcp,
    ];

    /// The word for it in the settings and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::OpenCode => "opencode",
            Self::Continue => "continue",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::VsCode => "vscode",
            Self::ClaudeDesktop => "claude-desktop",
            Self::Dsh => "dsh",
            Self::RemoteAcp => "remote-acp",
            Self::Custom => "custom",
        }
    }

    /// Its own name, as its makers write it; the same in every language.
    pub fn product_name(self) -> &'static str {
        match self {
            Self::Model => "Direct model",
            Self::OpenCode => "OpenCode",
            Self::Continue => "Continue",
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
            Self::VsCode => "VS Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Dsh => "DeepSeek Harness",
            Self::RemoteAcp => "Remote ACP",
            Self::Custom => "MCP client",
        }
    }

    /// Whether this kind can be given `capability`.
    ///
    /// # Errors
    /// The reason why it cannot, to be shown to the person.
    pub fn supports(self, capability: Capability) -> Result<(), Unavailable> {
        match (self, capability) {
            (Self::Dsh | Self::RemoteAcp, Capability::Obsidian) => Err(Unavailable::NoScopedDataTools),
            _ => Ok(()),
        }
    }
}

impl FromStr for RuntimeKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            format!("{text:?} is not a kind of runtime; the kinds are {known}")
        })
    }
}

/// One of the things that a runtime can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Capability {
    Obsidian,
    Siyuan,
}

impl Capability {
    pub const ALL: [Self; 2] = [Self::Obsidian, Self::Siyuan];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Obsidian => "obsidian",
            Self::Siyuan => "siyuan",
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Capability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|capability| capability.as_str() == text)
            .ok_or_else(|| format!("{text:?} is not a capability; the capabilities are obsidian, siyuan"))
    }
}

/// How freely a runtime may work. A new runtime works normally.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkMode {
    /// Reading only.
    Ask,
    /// Normal permission.
    #[default]
    Execute,
    /// Full access.
    Full,
}

impl WorkMode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Execute => "execute",
            Self::Full => "full",
        }
    }

    pub fn may_write(self) -> bool {
        self != Self::Ask
    }
}

impl FromStr for WorkMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "ask" => Ok(Self::Ask),
            "execute" => Ok(Self::Execute),
            "full" => Ok(Self::Full),
            _ => Err(format!("{text:?} is not a work mode; the modes are ask, execute, full")),
        }
    }
}

/// What happens when a call would need a person's answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalPolicy {
    /// A person is asked.
    #[default]
    Prompt,
    /// It is refused.
    Never,
}

/// SHA-256 of a secret, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyDigest(pub [u8; 32]);

impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest(…)")
    }
}

impl Serialize for KeyDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(self.0))
    }
}

impl<'de> Deserialize<'de> for KeyDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut digest = [0; 32];
        // The text is not repeated in the error: someone may have put a key here by mistake.
        hex::decode_to_slice(&text, &mut digest)
            .map_err(|_| de::Error::custom("expected a SHA-256 digest of 64 hexadecimal digits"))?;
        Ok(Self(digest))
    }
}
