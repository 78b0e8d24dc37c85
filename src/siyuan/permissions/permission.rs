//! The four settings of an endpoint.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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
