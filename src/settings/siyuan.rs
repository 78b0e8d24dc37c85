//! SiYuan as it is saved: the kernels, what each may be asked, and which one a session works on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::declared::{DeclaredEndpoint, DiscoveredTool};
use super::kernel_address::KernelAddress;
use super::schema::{InvalidField, MAX_PATH_CHARS};

/// How long a kernel may take to answer unless another time is set, in seconds.
pub const DEFAULT_KERNEL_SECONDS: u32 = 15;

/// How many sessions' choices are kept; the oldest choice makes room.
pub const MAX_SESSION_CHOICES: usize = 1000;

const MAX_KERNEL_SECONDS: u32 = 600;
const MAX_NAME_CHARS: usize = 60;
const MAX_KEY_CHARS: usize = 4096;
const MAX_DECLARED: usize = 500;

/// How many tools of a kernel's MCP server are kept.
pub const MAX_DISCOVERED: usize = 500;
const MAX_SESSION_CHARS: usize = 1024;

/// The SiYuan capability. Which runtimes it is assigned to stands with each runtime.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SiyuanSettings {
    /// Off on first use and in files written before the capability existed.
    pub enabled: bool,
    pub kernels: Vec<Kernel>,
    /// Where a call goes that names no kernel, from a session that chose none.
    pub default_kernel: Option<KernelId>,
    /// What sessions chose, the latest last. A choice outlives its kernel: such a session is refused,
    /// and never sent to another kernel.
    pub session_choices: Vec<SessionChoice>,
}

/// The kernel that a session works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionChoice {
    /// The session's label.
    pub session: String,
    pub kernel: KernelId,
}

/// A SiYuan server, local or remote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Kernel {
    pub id: KernelId,
    /// What the person calls it.
    pub name: String,
    #[serde(default)]
    pub address: KernelAddress,
    /// How long one answer may take, in seconds.
    #[serde(default = "default_seconds")]
    pub timeout_seconds: u32,
    /// The file in which kernels of this computer register their ports, in place of SiYuan's own.
    #[serde(default)]
    pub port_file: Option<String>,
    /// The process that the kernel is bound to: typed, or found by the first check.
    #[serde(default)]
    pub pid: Option<u32>,
    /// The workspace that answered at first; another one is refused.
    #[serde(default)]
    pub workspace: Option<String>,
    #[serde(default)]
    pub disabled: bool,
    #[serde(default)]
    pub token: TokenState,
    /// Endpoint key → permission. What is not here is [`Permission::Ask`].
    #[serde(default)]
    pub permissions: BTreeMap<String, Permission>,
    /// Endpoints beyond the contract that the person declared. They give no permission.
    #[serde(default)]
    pub declared: Vec<DeclaredEndpoint>,
    /// The MCP tools that the server named when the person asked it last. They give no permission.
    #[serde(default)]
    pub discovered: Vec<DiscoveredTool>,
}

/// Which server a kernel is. What was granted to one server is never carried over to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelPlace {
    pub address: KernelAddress,
    pub port_file: Option<String>,
    pub pid: Option<u32>,
}

fn default_seconds() -> u32 {
    DEFAULT_KERNEL_SECONDS
}

/// Names a kernel in calls, in the settings and on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct KernelId(String);

impl KernelId {
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
            let problem = format!("{id:?} is not a kernel id; use 1 to 64 letters, digits, - or _");
            Err(InvalidField::new("siyuan.kernels.id", problem))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KernelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for KernelId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(|error| de::Error::custom(error.problem))
    }
}

/// What is known of a kernel's token. The token itself is in the system's keyring alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenState {
    /// None was given.
    #[default]
    None,
    Stored,
    /// The kernel refused it. Nothing is sent until it is replaced: kernels lock out who goes on.
    Refused,
}

/// What a call of one endpoint of one kernel meets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Permission {
    /// A person is asked each time; with full access it is refused.
    #[default]
    Ask,
    /// A person is asked each time; with full access it is granted.
    AskFullAccess,
    Deny,
    Allow,
}

impl Permission {
    pub const ALL: [Self; 4] = [Self::Ask, Self::AskFullAccess, Self::Deny, Self::Allow];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::AskFullAccess => "ask-full-access",
            Self::Deny => "deny",
            Self::Allow => "allow",
        }
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Permission {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|permission| permission.as_str() == text).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            format!("{text:?} is not a permission; the permissions are {known}")
        })
    }
}

impl SiyuanSettings {
    /// The kernel with this id.
    pub fn kernel(&self, id: &KernelId) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.id == *id)
    }

    pub fn kernel_mut(&mut self, id: &KernelId) -> Option<&mut Kernel> {
        self.kernels.iter_mut().find(|kernel| kernel.id == *id)
    }

    /// What a session chose, whether that kernel is still there or not.
    pub fn choice(&self, session: &str) -> Option<&KernelId> {
        self.session_choices.iter().find(|choice| choice.session == session).map(|choice| &choice.kernel)
    }

    /// Notes what a session chose; `None` takes its choice back.
    pub fn choose(&mut self, session: &str, kernel: Option<KernelId>) {
        self.session_choices.retain(|choice| choice.session != session);
        if let Some(kernel) = kernel {
            if self.session_choices.len() >= MAX_SESSION_CHOICES {
                self.session_choices.remove(0);
            }
            self.session_choices.push(SessionChoice { session: session.to_owned(), kernel });
        }
    }

    pub(super) fn validate(&self) -> Result<(), InvalidField> {
        let mut seen = BTreeSet::new();
        for (index, kernel) in self.kernels.iter().enumerate() {
            let at = |error: InvalidField| InvalidField {
                field: format!("siyuan.kernels[{index}].{}", error.field),
                ..error
            };
            if !seen.insert(&kernel.id) {
                return Err(at(InvalidField::new("id", format!("{} is there twice", kernel.id))));
            }
            kernel.validate().map_err(at)?;
        }
        if let Some(default) = &self.default_kernel
            && self.kernel(default).is_none()
        {
            let problem = format!("there is no kernel {default}");
            return Err(InvalidField::new("siyuan.defaultKernel", problem));
        }
        let mut seen = BTreeSet::new();
        for (index, SessionChoice { session, .. }) in self.session_choices.iter().enumerate() {
            let fits = !session.is_empty() && session.chars().count() <= MAX_SESSION_CHARS;
            if !fits || !seen.insert(session) {
                let field = format!("siyuan.sessionChoices[{index}].session");
                return Err(InvalidField::new(field, "a session is named once, in 1 to 1024 characters"));
            }
        }
        Ok(())
    }
}

impl Kernel {
    pub fn place(&self) -> KernelPlace {
        KernelPlace { address: self.address.clone(), port_file: self.port_file.clone(), pid: self.pid }
    }

    /// Says which server the kernel is. Another one than before (a first binding too) has no
    /// permissions, its workspace is not known, and it has not refused the token.
    pub fn move_to(&mut self, place: KernelPlace) {
        if self.place() == place {
            return;
        }
        let KernelPlace { address, port_file, pid } = place;
        (self.address, self.port_file, self.pid) = (address, port_file, pid);
        self.forget_server();
    }

    /// Forgets what was granted to the server and known of it.
    pub fn forget_server(&mut self) {
        self.permissions.clear();
        self.discovered.clear();
        self.workspace = None;
        if self.token == TokenState::Refused {
            self.token = TokenState::Stored;
        }
    }

    /// Checks one kernel; the fields are named without their place in the list.
    ///
    /// # Errors
    /// The first field that holds something impossible.
    pub fn validate(&self) -> Result<(), InvalidField> {
        if self.name.trim() != self.name || self.name.is_empty() {
            let error = InvalidField::new("name", "a kernel needs a name, without blanks around it");
            return Err(error.about("kernel_name_empty", ""));
        }
        if self.name.chars().count() > MAX_NAME_CHARS || self.name.chars().any(char::is_control) {
            let problem = format!("a name has at most {MAX_NAME_CHARS} characters and no control character");
            return Err(InvalidField::new("name", problem).about("kernel_name", MAX_NAME_CHARS));
        }
        if !(1..=MAX_KERNEL_SECONDS).contains(&self.timeout_seconds) {
            let error = InvalidField::new("timeoutSeconds", format!("must be 1 to {MAX_KERNEL_SECONDS}"));
            return Err(error.about("kernel_seconds", MAX_KERNEL_SECONDS));
        }
        match &self.address {
            KernelAddress::Auto => {}
            KernelAddress::At(_) if self.port_file.is_some() => {
                let error = InvalidField::new(
                    "portFile",
                    "only a kernel whose address is auto is looked up in a file",
                );
                return Err(error.about("port_file_unused", ""));
            }
            KernelAddress::At(url) if self.pid.is_some() && !url.is_loopback() => {
                let error =
                    InvalidField::new("pid", "a process can be named for a kernel of this computer only");
                return Err(error.about("pid_elsewhere", ""));
            }
            KernelAddress::At(_) => {}
        }
        let is_path_text =
            |path: &str| path.chars().count() <= MAX_PATH_CHARS && !path.chars().any(char::is_control);
        if self.port_file.as_deref().is_some_and(|file| !is_path_text(file) || !Path::new(file).is_absolute())
        {
            let problem = format!("give the whole path of the file, in at most {MAX_PATH_CHARS} characters");
            return Err(InvalidField::new("portFile", problem).about("port_file_path", MAX_PATH_CHARS));
        }
        if self.workspace.as_deref().is_some_and(|folder| folder.is_empty() || !is_path_text(folder)) {
            let problem = format!("must be a path of at most {MAX_PATH_CHARS} characters");
            return Err(InvalidField::new("workspace", problem));
        }
        // Process ids are signed on Unix; what does not fit there is nobody's.
        if self.pid.is_some_and(|pid| pid == 0 || i32::try_from(pid).is_err()) {
            return Err(InvalidField::new("pid", "this is nobody's process id").about("pid_nobody", ""));
        }
        for key in self.permissions.keys() {
            check_endpoint_text(key)?;
        }
        for declared in &self.declared {
            check_endpoint_text(&declared.endpoint)?;
        }
        if self.declared.len() > MAX_DECLARED {
            let problem = format!("at most {MAX_DECLARED} endpoints can be declared");
            return Err(InvalidField::new("declared", problem));
        }
        if self.discovered.len() > MAX_DISCOVERED {
            return Err(InvalidField::new("discovered", format!("at most {MAX_DISCOVERED} tools are kept")));
        }
        Ok(())
    }
}

/// Checks the form of an endpoint key. Whether it names an endpoint is not known here.
///
/// # Errors
/// It is empty, too long, has blanks around it, or holds a control character.
fn check_endpoint_text(key: &str) -> Result<(), InvalidField> {
    let fits = !key.is_empty()
        && key.trim() == key
        && key.chars().count() <= MAX_KEY_CHARS
        && !key.chars().any(char::is_control);
    if fits {
        return Ok(());
    }
    let shown: String = key.chars().take(80).collect();
    let problem = format!("{shown:?} is no endpoint key; one looks like http POST /api/block/updateBlock");
    Err(InvalidField::new("permissions", problem))
}

#[cfg(test)]
#[path = "siyuan_tests.rs"]
mod tests;
