//! The one spelling of a path, and everything that is refused for having two.
//!
//! A permission is given to a path as text, and the kernel's router, a proxy before it or the file
//! system behind it may read another one out of that text. So a path is not repaired: it is taken as
//! it stands, or refused with what is wrong.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::shortened;

/// The longest path, in bytes.
pub const MAX_PATH_BYTES: usize = 1024;

/// Folders that the kernel serves from its disk. On Windows and macOS their files are found in any case.
const SERVED_FROM_DISK: &[&str] = &[
    "appearance",
    "assets",
    "emojis",
    "export",
    "history",
    "plugins",
    "public",
    "repo",
    "snippets",
    "stage",
    "templates",
    "widgets",
];

/// A path that could be read in two ways.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the path {path:?} cannot be used: {problem}. Write it as the contract does, for example /api/block/updateBlock"
)]
pub struct PathError {
    /// The path, shortened.
    pub path: String,
    pub problem: PathProblem,
}

impl PathError {
    pub(crate) fn new(path: &str, problem: PathProblem) -> Self {
        Self { path: shortened(path), problem }
    }
}

/// What is wrong with a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    #[error("it does not begin with /")]
    NotAbsolute,
    #[error("it is longer than {MAX_PATH_BYTES} bytes")]
    TooLong,
    #[error("it holds a control character")]
    Control,
    #[error("it holds %, and an encoded path hides what it names")]
    Encoded,
    #[error("it holds ? or #, and a path ends before these")]
    Query,
    #[error("it holds a backslash")]
    Backslash,
    #[error("it holds {0:?}, which is none of ASCII's letters and looks like one or like nothing")]
    NotAscii(char),
    #[error("it holds {0:?}; only letters, digits and - _ . ~ stand between slashes")]
    Character(char),
    #[error("it holds //")]
    DoubleSlash,
    #[error("it ends in /")]
    TrailingSlash,
    #[error("a part of it is . or ..")]
    Dots,
    #[error("a part of it ends in a dot")]
    TrailingDot,
    /// The same letters in another case are a path of the contract.
    #[error("letter case matters, and the contract writes {0}")]
    Case(String),
}

/// A path that a call can ask for, in its one spelling.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ApiPath(String);

impl ApiPath {
    /// Takes a path as a caller gives it.
    ///
    /// # Errors
    /// It could be read as another path; see [`PathProblem`].
    pub fn parse(typed: &str) -> Result<Self, PathError> {
        check(typed, check_part).map_err(|problem| PathError::new(typed, problem))?;
        Ok(Self(typed.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ApiPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a key says of a path: itself, or the pattern of the contract that it falls under
/// (`/api/plugin/rpc/:name`, `/plugin/private/:name/*path`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Route(String);

impl Route {
    /// # Errors
    /// It is neither a path nor a pattern.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let parts = text.split('/').count();
        let mut place = 0;
        check(text, |part| {
            place += 1;
            let last = place + 1 == parts;
            let name = part.strip_prefix(':').or_else(|| part.strip_prefix('*').filter(|_| last));
            check_part(name.filter(|name| !name.is_empty()).unwrap_or(part))
        })
        .map_err(|problem| PathError::new(text, problem))?;
        Ok(Self(folded(text)))
    }

    /// A path that the program itself names, in its one spelling.
    pub(crate) fn constant(path: &'static str) -> Self {
        debug_assert!(ApiPath::parse(path).is_ok(), "{path}");
        Self(path.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it stands for more than one path.
    pub fn is_pattern(&self) -> bool {
        self.0.contains([':', '*'])
    }

    /// Whether a path falls under this pattern. A path falls under itself.
    pub fn covers(&self, path: &ApiPath) -> bool {
        let mut parts = path.0.split('/');
        for expected in self.0.split('/') {
            if expected.starts_with('*') {
                return parts.next().is_some();
            }
            match parts.next() {
                Some(part) if expected.starts_with(':') || part == expected => {}
                _ => return false,
            }
        }
        parts.next().is_none()
    }
}

impl Serialize for Route {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Route {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl From<&ApiPath> for Route {
    fn from(path: &ApiPath) -> Self {
        Self(folded(&path.0))
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// In lower case where the kernel would find the same file under it.
fn folded(path: &str) -> String {
    let first = path.split('/').nth(1).unwrap_or_default();
    if SERVED_FROM_DISK.iter().any(|folder| folder.eq_ignore_ascii_case(first)) {
        path.to_ascii_lowercase()
    } else {
        path.to_owned()
    }
}

fn check(
    path: &str,
    mut part_is_fine: impl FnMut(&str) -> Result<(), PathProblem>,
) -> Result<(), PathProblem> {
    if path.len() > MAX_PATH_BYTES {
        return Err(PathProblem::TooLong);
    }
    // What a path must not hold anywhere comes first: it says more than what it does to a part.
    for c in path.chars() {
        match c {
            c if c.is_control() => return Err(PathProblem::Control),
            '%' => return Err(PathProblem::Encoded),
            '?' | '#' => return Err(PathProblem::Query),
            '\\' => return Err(PathProblem::Backslash),
            c if !c.is_ascii() => return Err(PathProblem::NotAscii(c)),
            _ => {}
        }
    }
    let rest = path.strip_prefix('/').ok_or(PathProblem::NotAbsolute)?;
    if rest.is_empty() {
        return Ok(());
    }
    if rest.starts_with('/') || rest.contains("//") {
        return Err(PathProblem::DoubleSlash);
    }
    if rest.ends_with('/') {
        return Err(PathProblem::TrailingSlash);
    }
    rest.split('/').try_for_each(&mut part_is_fine)
}

fn check_part(part: &str) -> Result<(), PathProblem> {
    if let Some(wrong) = part.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_.~".contains(*c)) {
        return Err(PathProblem::Character(wrong));
    }
    match part {
        "." | ".." => Err(PathProblem::Dots),
        _ if part.ends_with('.') => Err(PathProblem::TrailingDot),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
