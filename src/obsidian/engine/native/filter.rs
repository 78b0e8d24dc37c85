//! Which names the tools reach. Names only: whether something is a folder is for the disk to say (V-15).

use super::path::VaultPath;

/// Names that are out of reach at any depth, besides hidden ones.
const RESTRICTED: [&str; 2] = ["node_modules", "thumbs.db"];

/// The endings of files that count as notes.
const NOTE_ENDINGS: [&str; 5] = ["md", "markdown", "txt", "base", "canvas"];

/// Whether a file or folder of this name, and all below it, is out of reach (V-12, V-25).
///
/// Windows ignores dots and blanks at the end of a name, and two of the three systems ignore case, so
/// `.GIT. ` is `.git`. A name that begins with two dots and goes on is a name like others (V-14).
pub fn is_hidden(name: &str) -> bool {
    let name = name.trim_end_matches(['.', ' ']);
    let begins_with_one_dot = name.starts_with('.') && !name.starts_with("..");
    begins_with_one_dot || RESTRICTED.iter().any(|restricted| name.eq_ignore_ascii_case(restricted))
}

/// Whether a file of this name counts as a note: it has one of the known endings, or none at all.
///
/// An ending is what follows the last dot, if it is made of one to ten letters and digits: `1. Project`
/// has none.
pub fn is_note(name: &str) -> bool {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_ending(ending) => {
            NOTE_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
        }
        _ => true,
    }
}

fn is_ending(text: &str) -> bool {
    (1..=10).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether any name on the way to `path` is out of reach, in any reading of it.
pub fn is_hidden_path(path: &VaultPath) -> bool {
    let hidden = |path: &VaultPath| path.parts().iter().any(|name| is_hidden(name));
    hidden(path) || path.with_backslashes_as_separators().is_some_and(|path| hidden(&path))
}

/// Whether a note tool may go to `path`, unless it is a folder.
pub fn is_note_path(path: &VaultPath) -> bool {
    !is_hidden_path(path) && path.parts().last().is_none_or(|name| is_note(name))
}

/// Whether Windows takes the name for that of another file: it drops dots and blanks at the end, and a colon
/// leads to a stream within a file (`a.md::$DATA` is `a.md`). The other characters are in no name there.
pub fn is_ambiguous(name: &str) -> bool {
    name.ends_with(['.', ' '])
        || name.chars().any(|c| c.is_control() || matches!(c, ':' | '<' | '>' | '"' | '|' | '?' | '*'))
}

/// Whether Windows takes a file of this name for a device, whatever its ending and folder.
pub fn is_device(name: &str) -> bool {
    let stem = name.split(['.', ':']).next().unwrap_or(name).trim_end();
    let numbered = |prefix: &str| {
        stem.len() > prefix.len()
            && stem.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            && matches!(
                &stem[prefix.len()..],
                "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"
            )
    };
    let named = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    named.iter().any(|device| stem.eq_ignore_ascii_case(device)) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v12_hidden_and_system_names_are_out_of_reach_in_any_spelling() {
        for name in [
            ".env",
            ".obsidian",
            ".OBSIDIAN",
            ".git",
            ".Git.",
            ".git ",
            ".git. .",
            ".trash",
            ".secrets.md",
            "node_modules",
            "Node_Modules",
            "node_modules.",
            "Thumbs.db",
            ".DS_Store",
        ] {
            assert!(is_hidden(name), "{name}");
        }
    }

    #[test]
    fn v14_dots_elsewhere_in_a_name_hide_nothing() {
        for name in
            ["..foo", "notes..md", "v1..v2 diff.md", "a.md", "x.git", "obsidian", "node_modules2", "...", ""]
        {
            assert!(!is_hidden(name), "{name}");
        }
    }

    #[test]
    fn notes_have_a_known_ending_or_none() {
        for name in [
            "a.md",
            "a.MD",
            "a.markdown",
            "b.txt",
            "c.base",
            "d.canvas",
            "README",
            "1. Project",
            "a.-",
            "a.toolongending",
        ] {
            assert!(is_note(name), "{name}");
        }
        for name in ["a.png", "a.md.bak", "v1.2", "a.json"] {
            assert!(!is_note(name), "{name}");
        }
    }

    #[test]
    fn v11_names_that_windows_takes_for_others() {
        for name in
            ["a.md.", "a.md ", "a.md::$DATA", "a.md:stream", ".obsidian::$INDEX_ALLOCATION", "a?.md", "x\n"]
        {
            assert!(is_ambiguous(name), "{name:?}");
        }
        for name in ["a.md", ".a b", "a~1.md", "é (x) [y] #1 & 100%.md"] {
            assert!(!is_ambiguous(name), "{name:?}");
        }
    }

    #[test]
    fn v11_names_of_windows_devices() {
        for name in ["con", "CON.md", "nul", "Aux.tar.md", "com1", "LPT9.md", "com¹.md", "con .md", "nul:x"]
        {
            assert!(is_device(name), "{name}");
        }
        for name in ["console.md", "com.md", "com10.md", "com0.md", "a.con", "null.md", "comé.md"] {
            assert!(!is_device(name), "{name}");
        }
    }
}
