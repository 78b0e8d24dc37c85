//! Paths as text, by the rules of a platform that need not be the one we run on.
//!
//! Ids are made from a path's text, and registries are read for every platform in the tests, so
//! `std::path`, which knows only the running platform's rules, cannot serve here.

use super::environment::Platform;

/// The absolute path in its one spelling: no `.`, `..`, doubled or trailing separators; on Windows
/// with backslashes. `None` when it is not absolute. Links are not followed.
pub(super) fn normalise(text: &str, platform: Platform) -> Option<String> {
    match platform {
        Platform::Linux | Platform::MacOs => {
            let rest = text.strip_prefix('/')?;
            Some(format!("/{}", collapse(rest, &['/']).join("/")))
        }
        Platform::Windows => {
            let text = text.replace('/', "\\");
            let (root, rest) = windows_root(&text)?;
            Some(format!("{root}{}", collapse(rest, &['\\']).join("\\")))
        }
    }
}

/// The last part of a normalised path, or all of it when it is a root.
pub(super) fn last_part(normalised: &str, platform: Platform) -> &str {
    let separator = match platform {
        Platform::Linux | Platform::MacOs => '/',
        Platform::Windows => '\\',
    };
    match normalised.rsplit(separator).next() {
        Some(part) if !part.is_empty() => part,
        _ => normalised,
    }
}

/// Splits `C:\` or `\\server\share\` from what follows. `C:x` (relative to the drive) has no root.
fn windows_root(text: &str) -> Option<(String, &str)> {
    let bytes = text.as_bytes();
    if bytes.len() >= 3 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2] == b'\\' {
        return Some((text[..3].to_owned(), &text[3..]));
    }
    let mut parts = text.strip_prefix(r"\\")?.splitn(3, '\\');
    let (server, share) = (parts.next()?, parts.next()?);
    if server.is_empty() || share.is_empty() {
        return None;
    }
    Some((format!(r"\\{server}\{share}\"), parts.next().unwrap_or("")))
}

fn collapse<'a>(rest: &'a str, separators: &[char]) -> Vec<&'a str> {
    let mut parts = Vec::new();
    for part in rest.split(separators) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_a_path() {
        let check = |platform, text, expected: Option<&str>| {
            assert_eq!(normalise(text, platform).as_deref(), expected, "{text}");
        };
        check(Platform::Linux, "/home/anna//notes/./x/../", Some("/home/anna/notes"));
        check(Platform::Linux, "/../..", Some("/"));
        check(Platform::Linux, "/a b/笔记 & \"more\" ", Some("/a b/笔记 & \"more\" "));
        check(Platform::Linux, "notes", None);
        check(Platform::Linux, "~/notes", None);
        check(Platform::Linux, "", None);
        check(Platform::MacOs, "/Users/anna/Notes/", Some("/Users/anna/Notes"));
        check(Platform::Windows, r"C:\Users\Anna/Notes\.\", Some(r"C:\Users\Anna\Notes"));
        check(Platform::Windows, r"C:\..\x", Some(r"C:\x"));
        check(Platform::Windows, r"\\nas\share\Notes\", Some(r"\\nas\share\Notes"));
        check(Platform::Windows, r"C:notes", None);
        check(Platform::Windows, r"\notes", None);
        check(Platform::Windows, "/home/anna", None);
    }

    #[test]
    fn names_are_last_parts() {
        assert_eq!(last_part("/home/anna/笔记", Platform::Linux), "笔记");
        assert_eq!(last_part("/", Platform::Linux), "/");
        assert_eq!(last_part(r"C:\Notes", Platform::Windows), "Notes");
        assert_eq!(last_part(r"C:\", Platform::Windows), r"C:\");
    }
}
