//! Links that open a note in Obsidian.

use std::fmt::Write;
use std::path::Path;

/// The link to the note `path` of the vault at `root`: the absolute path, without the ending `.md`.
pub fn obsidian_uri(root: &Path, path: &str) -> String {
    let absolute = format!("{}/{}", root.to_string_lossy(), path.strip_prefix('/').unwrap_or(path));
    let mut uri = String::from("obsidian:///");
    for byte in absolute.strip_suffix(".md").unwrap_or(&absolute).bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' => uri.push(byte.into()),
            b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => uri.push(byte.into()),
            // Writing to a text never fails.
            byte => write!(uri, "%{byte:02X}").unwrap_or_default(),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_encoded_and_slashes_kept() {
        let check = |path, expected| assert_eq!(obsidian_uri(Path::new("/v/My vault"), path), expected);
        check("a/b.md", "obsidian:////v/My%20vault/a/b");
        check("/c.txt", "obsidian:////v/My%20vault/c.txt");
        check("é #1 (x)!.md", "obsidian:////v/My%20vault/%C3%A9%20%231%20(x)!");
    }
}
