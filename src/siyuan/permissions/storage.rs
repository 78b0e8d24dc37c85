//! Which places of a kernel's workspace its file endpoints may be used on.
//!
//! The kernel's own settings, its plugins' code and storage, and what runs inside SiYuan are out of reach:
//! whoever writes there writes past every permission here, and whoever reads there reads keys. Writing is
//! for what lies below `data/` and is notes or their assets.

use unicode_normalization::UnicodeNormalization;

use crate::siyuan::endpoint::shortened;

/// What is done with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Names, sizes and times alone.
    List,
    /// One file's content.
    Read,
    /// A file's content, or that of everything below a folder.
    Copy,
    /// Made, changed, moved or removed, a folder with all below it.
    Write,
}

/// Why a place of the workspace cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StorageProblem {
    #[error("the path {0:?} can be read in two ways; write it plainly, for example /data/assets/image.png")]
    Ambiguous(String),
    #[error("{0:?} belongs to the kernel's own settings, keys and working files, which no tool reaches")]
    Kernel(String),
    #[error(
        "{0:?} belongs to the storage of plugins, which may hold keys and which no tool reads or changes"
    )]
    PluginStorage(String),
    #[error("{0:?} holds code, templates or settings that SiYuan runs or follows; no tool changes these")]
    Code(String),
    #[error("{0:?} is not below /data/, and nothing else is written to")]
    NotData(String),
}

/// Below `data/`, what is run or followed and not read as notes.
const CODE: &[&str] = &["plugins", "widgets", "templates", "snippets", "storage"];

/// Checks a path relative to the workspace; a slash before it makes no difference.
///
/// # Errors
/// The place is out of reach for this use, or the path is ambiguous.
pub(super) fn check_workspace_path(path: &str, used: Use) -> Result<(), StorageProblem> {
    check(path, &parts_of(path)?, used)
}

/// The same for a path that the kernel takes relative to `data/`.
///
/// # Errors
/// As [`check_workspace_path`].
pub(super) fn check_data_path(path: &str, used: Use) -> Result<(), StorageProblem> {
    let mut parts = parts_of(path)?;
    parts.insert(0, "data".to_owned());
    check(path, &parts, used)
}

fn check(path: &str, parts: &[String], used: Use) -> Result<(), StorageProblem> {
    let shown = || shortened(path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match parts[..] {
        ["conf" | "temp", ..] => return Err(StorageProblem::Kernel(shown())),
        ["data", "storage", "petal", ..] => return Err(StorageProblem::PluginStorage(shown())),
        ["data", "storage", "local.json"] if used != Use::List => {
            return Err(StorageProblem::PluginStorage(shown()));
        }
        _ => {}
    }
    match used {
        Use::List | Use::Read => Ok(()),
        Use::Copy => match parts[..] {
            [] => Err(StorageProblem::Kernel(shown())),
            ["data"] | ["data", "storage"] => Err(StorageProblem::PluginStorage(shown())),
            _ => Ok(()),
        },
        Use::Write => match parts[..] {
            ["data", area, ..] if CODE.contains(&area) => Err(StorageProblem::Code(shown())),
            ["data", ref inner @ ..] if inner.iter().any(|part| part.starts_with('.')) => {
                Err(StorageProblem::Code(shown()))
            }
            ["data", _, ..] => Ok(()),
            _ => Err(StorageProblem::NotData(shown())),
        },
    }
}

/// The parts of a path, each as a file system that minds neither letter case nor width would see it.
fn parts_of(path: &str) -> Result<Vec<String>, StorageProblem> {
    let plain = path.strip_prefix('/').unwrap_or(path);
    let plain = plain.strip_suffix('/').unwrap_or(plain);
    if plain.is_empty() {
        return Ok(Vec::new());
    }
    plain
        .split('/')
        .map(|part| {
            if is_plain(part) {
                Ok(part.nfkc().collect::<String>().to_uppercase().to_lowercase())
            } else {
                Err(StorageProblem::Ambiguous(shortened(path)))
            }
        })
        .collect()
}

/// Whether a file system of the kernel's computer, whichever it is, finds this name and no other.
fn is_plain(part: &str) -> bool {
    let is_short_name =
        part.split_once('~').is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()));
    let edge = |c: char| c == '.' || c.is_whitespace();
    !part.is_empty()
        && !matches!(part, "." | "..")
        && !part.ends_with(edge)
        && !part.starts_with(char::is_whitespace)
        && !is_short_name
        && !part.chars().any(|c| c.is_control() || matches!(c, '\\' | ':') || is_invisible(c))
        // Marks that fold into a separator or a dot.
        && !part.nfkc().any(|c| matches!(c, '/' | '\\'))
        && !part.nfkc().collect::<String>().ends_with('.')
}

/// Characters that some file systems leave out of a name.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
#[path = "storage_tests.rs"]
mod tests;
