//! The path of a call, as the caller gave it and as it is meant.
//!
//! Runtimes give paths in many spellings: with a leading slash, absolute, with `~`, with `./`, with
//! blanks around them. Each is brought to parts below the vault's root; only a part that is `..` climbs
//! (V-14), and one that climbs out of the vault is refused before the disk is asked.

use std::ffi::OsStr;
use std::path::PathBuf;

use super::error::NoteError;
use super::filter;

/// A path inside the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultPath {
    /// As results name it: without the vault's own path and without one leading slash.
    pub shown: String,
    /// The names below the root, in their literal reading.
    parts: Vec<String>,
    /// The names when a backslash separates too. `None` where that makes no difference.
    slashed: Option<Vec<String>>,
}

impl VaultPath {
    /// Reads `given` as a path inside the vault, whose own path has the spellings `vault`.
    ///
    /// # Errors
    /// [`NoteError::Traversal`] when a reading of it climbs out of the vault.
    pub fn new(given: &str, vault: &[PathBuf]) -> Result<Self, NoteError> {
        let shown = shown(given, vault);
        let mut meant = shown.clone();
        // Each round takes something off the front, but for one `~`, so this ends. Several rounds,
        // because `//notes` and an absolute path behind a slash mean the same as without it.
        loop {
            let next = self::shown(&meant, vault);
            if next == meant {
                break;
            }
            meant = next;
        }
        let out = || NoteError::Traversal { path: given.to_owned() };
        let backslash_separates = cfg!(windows);
        let with_slashes = || lexical(&meant.replace('\\', "/")).ok_or_else(out);
        if backslash_separates {
            return Ok(Self { shown, parts: with_slashes()?, slashed: None });
        }
        let parts = lexical(&meant).ok_or_else(out)?;
        if !meant.contains('\\') {
            return Ok(Self { shown, parts, slashed: None });
        }
        let slashed = with_slashes()?;
        // `.\a.md` is no hidden file
        if parts.iter().any(|name| filter::is_hidden(name)) {
            return Ok(Self { shown, parts: slashed, slashed: None });
        }
        Ok(Self { shown, parts, slashed: Some(slashed) })
    }

    /// The vault itself.
    pub fn is_root(&self) -> bool {
        self.parts.is_empty()
    }

    /// The rest of a path that begins with `name`.
    pub(super) fn without(&self, name: &OsStr) -> Option<String> {
        let parts = self.slashed.as_ref().unwrap_or(&self.parts);
        let (first, rest) = parts.split_first()?;
        (name == first.as_str() && !rest.is_empty()).then(|| rest.join("/"))
    }

    /// The names below the root.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The same path below the folder `name` of the vault.
    pub(super) fn below(&self, name: &str) -> Self {
        let with_name =
            |parts: &[String]| [name.to_owned()].into_iter().chain(parts.iter().cloned()).collect();
        Self {
            shown: format!("{name}/{}", self.shown),
            parts: with_name(&self.parts),
            slashed: self.slashed.as_deref().map(with_name),
        }
    }

    /// The last name alone, below the folder `name` of the vault.
    pub(super) fn only_name_below(&self, name: &str) -> Self {
        let parts = self.slashed.as_ref().unwrap_or(&self.parts);
        let last = parts.last().cloned().unwrap_or_default();
        Self { shown: format!("{name}/{last}"), parts: vec![name.to_owned(), last], slashed: None }
    }

    /// The entry `name` of the folder at this path.
    pub(super) fn child(&self, name: &str) -> Self {
        let with_name = |parts: &[String]| parts.iter().cloned().chain([name.to_owned()]).collect();
        Self {
            shown: format!("{}/{name}", self.shown),
            parts: with_name(&self.parts),
            slashed: self.slashed.as_deref().map(with_name),
        }
    }

    /// The reading in which a backslash separates names, as on Windows.
    pub(super) fn with_backslashes_as_separators(&self) -> Option<Self> {
        let parts = self.slashed.clone()?;
        Some(Self { shown: self.shown.clone(), parts, slashed: None })
    }
}

/// How results name the path: one round of taking off what MCPVault takes off, with each spelling of the
/// vault's own path.
pub(super) fn shown(given: &str, vault: &[PathBuf]) -> String {
    let mut path = trim(given).to_owned();
    if (path == "~" || path.starts_with("~/"))
        && let Some(home) = dirs::home_dir()
        && let Some(home) = home.to_str()
    {
        path = format!("{home}{}", &path[1..]);
    }
    let slashed = path.replace('\\', "/");
    for root in vault {
        let root = root.to_string_lossy().replace('\\', "/");
        match slashed.strip_prefix(&root) {
            Some("") => return String::new(),
            // the replacement above keeps the number of bytes
            Some(rest) if rest.starts_with('/') => return path[root.len() + 1..].to_owned(),
            _ => {}
        }
    }
    path.strip_prefix('/').map_or(path.clone(), str::to_owned)
}

/// Trims as JavaScript does, which differs from Rust in two characters.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// White space by the rules of JavaScript.
pub(super) fn is_blank(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

/// The names of a path without `.` and `..`; `None` when it climbs out.
pub(super) fn lexical(path: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part.to_owned()),
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, expected: Option<&[&str]>) {
        let vault = ["/v/My vault", "/link"].map(PathBuf::from);
        let found = VaultPath::new(given, &vault).ok();
        let parts = found.as_ref().map(|path| path.parts.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(parts.as_deref(), expected, "{given:?}");
    }

    #[test]
    fn every_spelling_has_one_meaning() {
        check("a/b.md", Some(&["a", "b.md"]));
        check("  a/b.md\n", Some(&["a", "b.md"]));
        check("\u{feff}a.md", Some(&["a.md"]));
        check("/a/b.md", Some(&["a", "b.md"]));
        check("//a//b.md/", Some(&["a", "b.md"]));
        check("./a/./b.md", Some(&["a", "b.md"]));
        check("a/x/../b.md", Some(&["a", "b.md"]));
        check("/v/My vault/a.md", Some(&["a.md"]));
        check("/v/My vault", Some(&[]));
        check("//v/My vault/a.md", Some(&["a.md"]));
        check("/v/My vaulted/a.md", Some(&["v", "My vaulted", "a.md"]));
        check("/link/a.md", Some(&["a.md"]));
        check("/link", Some(&[]));
        check("/linked/a.md", Some(&["linked", "a.md"]));
        check("", Some(&[]));
        check(".", Some(&[]));
        check("-INBOX-.md", Some(&["-INBOX-.md"]));
        check("50%20 #1?.md", Some(&["50%20 #1?.md"]));
    }

    #[test]
    fn v11_a_path_that_climbs_out_is_refused() {
        check("..", None);
        check("../x.md", None);
        check("a/../../x.md", None);
        check("/../x.md", None);
        check(r"..\..\x.md", None);
        check(r"a\..\..\x.md", None);
        check("/v/My vault/../x.md", None);
    }

    #[test]
    fn v14_only_a_part_equal_to_two_dots_climbs() {
        check("notes..md", Some(&["notes..md"]));
        check("v1..v2 diff.md", Some(&["v1..v2 diff.md"]));
        check("..foo/a.md", Some(&["..foo", "a.md"]));
        check(".../a.md", Some(&["...", "a.md"]));
    }
}
