//! What of the surroundings matters: the platform, the user's folder, and the few variables that
//! name places or set how a child process speaks.
//!
//! It is a value, so that a test can stand on another platform, and so that a child process gets the
//! variables it needs and never ours (keys, tokens, options that make Node load code).

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Whose rules hold for paths and for where Obsidian keeps its registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Platform {
    /// Linux and other Unix systems that follow the XDG folders.
    Linux,
    MacOs,
    Windows,
}

impl Platform {
    /// The platform that this program was built for.
    pub fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }
}

/// Variables that are kept from the process's own environment; all others stay behind.
const KEPT: [&str; 36] = [
    "APPDATA",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COMSPEC",
    "CONTINUE_GLOBAL_DIR",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_TIME",
    "LOCALAPPDATA",
    "LOGNAME",
    "PATH",
    "PATHEXT",
    "PROGRAMDATA",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERDOMAIN",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
    "XDG_CONFIG_HOME",
    "XDG_CURRENT_DESKTOP",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
];

/// The surroundings of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    platform: Platform,
    home: Option<PathBuf>,
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// The surroundings of this process.
    pub fn from_process() -> Self {
        let mut environment =
            Self { platform: Platform::current(), home: dirs::home_dir(), variables: BTreeMap::new() };
        for name in KEPT {
            if let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) {
                environment.variables.insert(name.into(), value);
            }
        }
        environment
    }

    /// Surroundings with a user's folder and no variables.
    pub fn new(platform: Platform, home: impl Into<PathBuf>) -> Self {
        Self { platform, home: Some(home.into()), variables: BTreeMap::new() }
    }

    /// The same with one variable more.
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    pub fn platform(&self) -> Platform {
        self.platform
    }

    /// The user's own folder.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The user's folder for data, as the XDG folders have it.
    pub(super) fn data_home(&self) -> Option<PathBuf> {
        let named = self.variable("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| Some(self.home()?.join(".local/share")))
    }

    /// A variable that is set and not empty.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// The whole environment of a child process.
    pub(super) fn for_child(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        let home = match self.platform {
            Platform::Windows => "USERPROFILE",
            Platform::Linux | Platform::MacOs => "HOME",
        };
        self.variables
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
            .filter(move |(name, _)| *name != home)
            .chain(self.home.as_deref().map(|folder| (OsStr::new(home), folder.as_os_str())))
    }
}
