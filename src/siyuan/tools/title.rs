//! Titles of documents, as they come from a caller.

/// Holds a title, or a path of titles, to be one that a kernel keeps as it is: it drops some control characters,
/// and takes a step of dots for a way through its tree.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(field: &str, titles: &str) -> Result<(), String> {
    if titles.chars().any(char::is_control) {
        return Err(format!("{field} holds a control character, such as a line break; leave it out"));
    }
    match titles.split('/').map(str::trim).find(|title| matches!(*title, "." | "..")) {
        Some(dots) => {
            Err(format!("{field} holds the step {dots:?}, which is no title; write the path plainly"))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_dots_and_control_characters_are_no_titles() {
        for good in ["/Projects/New note", "...", "a..b", "v1.", "笔记 ✓", ""] {
            assert_eq!(check("path", good), Ok(()), "{good}");
        }
        for bad in ["..", "/a/../b", "./b", "/a/ .. ", "a\0b", "two\nlines", "a\u{85}b"] {
            assert!(check("path", bad).unwrap_err().starts_with("path holds"), "{bad:?}");
        }
    }
}
