//! What can be set, and the values that hold where nothing was set.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::runtime::{Runtime, RuntimeId};
use super::siyuan::SiyuanSettings;

/// The version of the settings file that this program writes.
pub const SCHEMA_VERSION: u32 = 1;

/// The port of the gateway unless another one is set.
pub const DEFAULT_PORT: u16 = 27277;

/// The longest `vaultPath`, in characters.
pub const MAX_PATH_CHARS: usize = 4096;

/// Everything that is kept between two starts. No secret is in it: keys are stored as digests, the
/// tokens of kernels in the system's keyring.
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
    pub siyuan: SiyuanSettings,
    #[serde(default)]
    pub activity: ActivitySettings,
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
            siyuan: SiyuanSettings::default(),
            activity: ActivitySettings::default(),
            runtimes: Vec::new(),
        }
    }
}

/// Where the gateway listens, and what it bears.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct GatewaySettings {
    /// Port on 127.0.0.1, from 1 on: clients are told it once and keep it.
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
    /// Sessions of one runtime kept at the same time; the one that is idle longest makes room.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WindowSettings {
    /// `None` follows the system.
    pub language: Option<Language>,
    pub theme: Theme,
    /// How large everything is, in percent of the usual size: 100 to 200.
    pub text_percent: u16,
    /// Closing the window hides it, and the endpoint goes on.
    pub keep_running: bool,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self { language: None, theme: Theme::default(), text_percent: 100, keep_running: false }
    }
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
    /// What carries out the tools; our own in files written before there was a choice.
    pub engine: VaultEngine,
}

/// What carries out the 18 vault tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VaultEngine {
    /// Our own, in this process. Needs nothing installed.
    #[default]
    Native,
    /// MCPVault under Node, a process a call.
    Upstream,
}

impl VaultEngine {
    pub const ALL: [Self; 2] = [Self::Native, Self::Upstream];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Upstream => "upstream",
        }
    }
}

impl fmt::Display for VaultEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for VaultEngine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|engine| engine.as_str() == text)
            .ok_or_else(|| format!("{text:?} is not an engine; the engines are native, upstream"))
    }
}

/// How long the record of what happened is kept; whichever ends sooner counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ActivitySettings {
    pub keep_days: u32,
    /// The number of operations, the newest ones.
    pub keep_rows: u64,
}

impl Default for ActivitySettings {
    fn default() -> Self {
        Self { keep_days: 90, keep_rows: 100_000 }
    }
}

/// A value that cannot be accepted: which field, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct InvalidField {
    pub field: String,
    pub problem: String,
    /// What is wrong as a stable word, and what that is about, where it is told in other languages too.
    pub case: Option<(&'static str, String)>,
}

impl InvalidField {
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), problem: problem.into(), case: None }
    }

    /// The same with the case as a word.
    pub fn about(self, word: &'static str, subject: impl ToString) -> Self {
        Self { case: Some((word, subject.to_string())), ..self }
    }
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
    Err(InvalidField::new("obsidian.vaultPath", problem))
}

impl Settings {
    /// Checks what the types alone cannot say.
    ///
    /// # Errors
    /// The first field that holds something impossible.
    pub fn validate(&self) -> Result<(), InvalidField> {
        normalise_vault_path(&self.obsidian.vault_path)?;
        self.siyuan.validate()?;
        if self.gateway.port == 0 {
            return Err(InvalidField::new("gateway.port", "a port is a number from 1 to 65535"));
        }
        let mut seen = BTreeSet::new();
        for (index, runtime) in self.runtimes.iter().enumerate() {
            if !seen.insert(&runtime.id) {
                let twice = format!("{} is there twice", runtime.id);
                return Err(InvalidField::new(format!("runtimes[{index}].id"), twice));
            }
            if runtime.name.trim().is_empty() {
                let field = format!("runtimes[{index}].name");
                return Err(InvalidField::new(field, "a runtime needs a name"));
            }
            for &capability in &runtime.capabilities {
                if let Err(reason) = runtime.kind.supports(capability) {
                    let name = runtime.kind.product_name();
                    let problem = format!("{name} cannot be given {capability}: {reason}");
                    return Err(InvalidField::new(format!("runtimes[{index}].capabilities"), problem));
                }
            }
        }
        let limits = &self.gateway.limits;
        for (name, value, range) in [
            ("gateway.limits.bodyBytes", limits.body_bytes as u64, 64 * 1024..=1024 * 1024 * 1024),
            ("gateway.limits.resultChars", limits.result_chars as u64, 1_000..=100_000_000),
            ("gateway.limits.callsPerRuntime", limits.calls_per_runtime as u64, 1..=1_000),
            ("gateway.limits.sessions", limits.sessions as u64, 1..=10_000),
            ("gateway.limits.sessionIdleSeconds", limits.session_idle_seconds, 1..=366 * 24 * 3600),
            ("gateway.limits.callSeconds", limits.call_seconds, 1..=86_400),
            ("window.textPercent", self.window.text_percent.into(), 100..=200),
            ("activity.keepDays", self.activity.keep_days.into(), 1..=36_500),
            ("activity.keepRows", self.activity.keep_rows, 1..=1_000_000_000),
        ] {
            if !range.contains(&value) {
                let problem = format!("must be from {} to {}", range.start(), range.end());
                return Err(InvalidField::new(name, problem));
            }
        }
        Ok(())
    }

    /// The runtime with this id.
    pub fn runtime(&self, id: &RuntimeId) -> Option<&Runtime> {
        self.runtimes.iter().find(|runtime| runtime.id == *id)
    }
}
