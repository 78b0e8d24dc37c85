//! Where a note's frontmatter stands.
//!
//! Found by its lines alone, whatever they hold: an edit of the body needs to know where the body
//! begins even when the YAML is broken (U-10).

use std::ops::Range;

const BOM: &str = "\u{feff}";
const MARK: &str = "---";

/// In what the block says it is written, behind its first `---`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Language {
    Yaml,
    Json,
    /// Anything else. It is read as text, and a program in it is never run (U-01).
    Other(String),
}

/// A block at the start of a note, closed on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    pub language: Language,
    /// Where the first `---` is: behind a byte-order mark.
    pub start: usize,
    /// The lines between the marks, each with its line end. They begin at the second line.
    pub inner: Range<usize>,
    /// Where the body begins.
    pub body: usize,
    /// How the first line ends: `\n` or `\r\n`.
    pub newline: &'static str,
}

impl Fence {
    /// Finds the block at the start of `text`.
    ///
    /// A block that never closes is none: the line was a thematic break.
    pub fn find(text: &str) -> Option<Self> {
        let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
        let behind = text[start..].strip_prefix(MARK)?;
        let line_end = behind.find('\n')?;
        let (first, newline) = match behind[..line_end].strip_suffix('\r') {
            Some(first) => (first, "\r\n"),
            None => (&behind[..line_end], "\n"),
        };
        let language = Language::named(first)?;
        let begin = start + MARK.len() + line_end;
        let close = begin + text[begin..].find("\n---")? + 1;
        let mut body = close + MARK.len();
        for end in ["\r", "\n"] {
            if text[body..].starts_with(end) {
                body += 1;
            }
        }
        Some(Self { language, start, inner: begin + 1..close, body, newline })
    }
}

impl Language {
    fn named(first: &str) -> Option<Self> {
        let name = first.trim();
        match name.to_ascii_lowercase().as_str() {
            "" | "yaml" | "yml" => Some(Self::Yaml),
            "json" if name == "json" => Some(Self::Json),
            // `----` and a line of text behind the mark begin no block
            other if other.starts_with('-') || other.contains(char::is_whitespace) => None,
            _ => Some(Self::Other(name.to_owned())),
        }
    }
}

/// Where text may be put at the very start of a note: behind a byte-order mark.
pub fn text_start(text: &str) -> usize {
    if text.starts_with(BOM) { BOM.len() } else { 0 }
}

/// How the lines of `text` end, judged by the first.
pub fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The language, the lines between the marks, and the body.
    fn check(text: &str, expected: Option<(&str, &str, &str)>) {
        let found = Fence::find(text);
        let found = found.as_ref().map(|fence| {
            let language = match &fence.language {
                Language::Yaml => "yaml",
                Language::Json => "json",
                Language::Other(name) => name,
            };
            (language, &text[fence.inner.clone()], &text[fence.body..])
        });
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn blocks_in_their_spellings() {
        check("---\na: 1\n---\nbody\n", Some(("yaml", "a: 1\n", "body\n")));
        check("---\na: 1\n---", Some(("yaml", "a: 1\n", "")));
        check("---\n---\nbody", Some(("yaml", "", "body")));
        check("---\n\n---\n\nbody", Some(("yaml", "\n", "\nbody")));
        check("---  \na: 1\n---\n", Some(("yaml", "a: 1\n", "")));
        check("---yaml\na: 1\n---\n", Some(("yaml", "a: 1\n", "")));
        check("---json\n{}\n---\n", Some(("json", "{}\n", "")));
        check("---\na: 1\n----\nbody", Some(("yaml", "a: 1\n", "-\nbody")));
    }

    #[test]
    fn v03_a_byte_order_mark_and_crlf_are_seen_through() {
        check("\u{feff}---\na: 1\n---\nbody", Some(("yaml", "a: 1\n", "body")));
        check("---\r\na: 1\r\n---\r\nbody\r\n", Some(("yaml", "a: 1\r\n", "body\r\n")));
        check("---\r\n---\r\nbody", Some(("yaml", "", "body")));
    }

    #[test]
    fn a_thematic_break_or_an_open_block_is_none() {
        check("---\n\nSome text\n", None);
        check("---\ntitle: x\nbody", None);
        check("---", None);
        check("", None);
        check("----\na: 1\n---\n", None);
        check("--- a heading ---\ntext\n---\n", None);
        check("text\n---\na: 1\n---\n", None);
        check("\n---\na: 1\n---\n", None);
        check("---\na: 1\n  ---\n", None);
    }

    #[test]
    fn u01_a_program_is_a_block_in_another_language() {
        check("---js\n{ title: process.exit() }\n---\nx", Some(("js", "{ title: process.exit() }\n", "x")));
    }
}
