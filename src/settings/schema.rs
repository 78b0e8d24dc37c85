//! What can be set, and the values that hold where nothing was set.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The version of the settings file that this program writes.
pub const SCHEMA_VERSION: u32 = 1;

/// The port of the gateway unless another one is set.
pub const DEFAULT_PORT: u16 = 27277;

/// The longest `vaultPath`, in characters.
pub const MAX_PATH_CHARS: usize = 4096;

/// Everything that is kept between two starts. No secret is in it: keys are stored as digests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    /// Version of the file's schema; a missing one is the first.
    #[serde(default = "first_version")]
    pub version: u32,
    #[serde(default)]
    pub gateway: GatewaySettings,
    #[serde(default)]
    pub window: WindowSettings,
    #[serde(default)]
    pub obsidian: ObsidianSettings,
    #[serde(default)]
    pub runtimes: Vec<Runtime>,
}

fn first_version() -> u32 {
    SCHEMA_VERSION
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: SCHEMA_VERSION,
            gateway: GatewaySettings::default(),
            window: WindowSettings::default(),
            obsidian: ObsidianSettings::default(),
            runtimes: Vec::new(),
        }
    }
}

/// Where the gateway listens, and what it bears.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct GatewaySettings {
    /// Port on 127.0.0.1; 0 lets the system choose one.
    pub port: u16,
    pub limits: Limits,
}

impl Default for GatewaySettings {
    fn default() -> Self {
        Self { port: DEFAULT_PORT, limits: Limits::default() }
    }
}

/// What one runtime can ask of the gateway. Each limit is answered with an error that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Limits {
    /// Largest request body, in bytes.
    pub body_bytes: usize,
    /// Longest result of a call, in characters.
    pub result_chars: usize,
    /// Calls of one runtime that run at the same time.
    pub calls_per_runtime: usize,
    /// Sessions kept at the same time; the one that is idle longest makes room.
    pub sessions: usize,
    /// How long a session may be idle, in seconds.
    pub session_idle_seconds: u64,
    /// How long a call may take, in seconds.
    pub call_seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 10 * 1024 * 1024,
            result_chars: 400_000,
            calls_per_runtime: 16,
            sessions: 200,
            session_idle_seconds: 6 * 3600,
            call_seconds: 120,
        }
    }
}

/// How the window looks and speaks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WindowSettings {
    /// `None` follows the system.
    pub language: Option<Language>,
    pub theme: Theme,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Language {
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh-CN")]
    SimplifiedChinese,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// The Obsidian capability. Which runtimes it is assigned to stands with each runtime.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ObsidianSettings {
    /// Off on first use and in files written before the capability existed (FR-1, US-10).
    pub enabled: bool,
    /// The scope: empty = every registered vault, otherwise one folder (FR-2). Kept trimmed.
    pub vault_path: String,
}

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
            Err(InvalidField {
                field: "runtimes.id".into(),
                problem: format!("{id:?} is not a runtime id; use 1 to 64 letters, digits, - or _"),
            })
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
            Self::NoScopedDataTools => f.write_str("it cannot limit data tools to one conversation"),
        }
    }
}

impl RuntimeKind {
    /// Every kind, in the order in which they are shown.
    pub const ALL: [Self; 10] = [
        Self::Model,
        Self::OpenCode,
        Self::Continue,
        Self::ClaudeCode,
        Self::Codex,
        Self::Cursor,
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
}

impl Capability {
    pub const ALL: [Self; 1] = [Self::Obsidian];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Obsidian => "obsidian",
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
            .ok_or_else(|| format!("{text:?} is not a capability; there is obsidian"))
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

/// A value that cannot be accepted: which field, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct InvalidField {
    pub field: String,
    pub problem: String,
}

/// Checks the shape of a `vaultPath` and trims it. Whether the folder exists is not looked at:
/// saving checks the form only, discovery and the connection test check the disk (seed 000).
///
/// # Errors
/// Longer than [`MAX_PATH_CHARS`], or holding control characters.
pub fn normalise_vault_path(typed: &str) -> Result<String, InvalidField> {
    let path = typed.trim();
    let problem = if path.chars().count() > MAX_PATH_CHARS {
        format!("the path is longer than {MAX_PATH_CHARS} characters")
    } else if path.chars().any(char::is_control) {
        format!(
            "the path reads {path:?}: it holds a control character. In a JSON file a backslash is written twice (\"C:\\\\notes\")"
        )
    } else {
        return Ok(path.to_owned());
    };
    Err(InvalidField { field: "obsidian.vaultPath".into(), problem })
}

impl Settings {
    /// Checks what the types alone cannot say.
    ///
    /// # Errors
    /// The first field that holds something impossible.
    pub fn validate(&self) -> Result<(), InvalidField> {
        normalise_vault_path(&self.obsidian.vault_path)?;
        let mut seen = BTreeSet::new();
        for (index, runtime) in self.runtimes.iter().enumerate() {
            if !seen.insert(&runtime.id) {
                return Err(InvalidField {
                    field: format!("runtimes[{index}].id"),
                    problem: format!("{} is there twice", runtime.id),
                });
            }
            for &capability in &runtime.capabilities {
                if let Err(reason) = runtime.kind.supports(capability) {
                    return Err(InvalidField {
                        field: format!("runtimes[{index}].capabilities"),
                        problem: format!(
                            "{} cannot be given {capability}: {reason}",
                            runtime.kind.product_name()
                        ),
                    });
                }
            }
        }
        let limits = &self.gateway.limits;
        for (name, value) in [
            ("bodyBytes", limits.body_bytes as u64),
            ("resultChars", limits.result_chars as u64),
            ("callsPerRuntime", limits.calls_per_runtime as u64),
            ("sessions", limits.sessions as u64),
            ("sessionIdleSeconds", limits.session_idle_seconds),
            ("callSeconds", limits.call_seconds),
        ] {
            if value == 0 {
                return Err(InvalidField {
                    field: format!("gateway.limits.{name}"),
                    problem: "must be at least 1".into(),
                });
            }
        }
        Ok(())
    }

    /// The runtime with this id.
    pub fn runtime(&self, id: &RuntimeId) -> Option<&Runtime> {
        self.runtimes.iter().find(|runtime| runtime.id == *id)
    }
}
