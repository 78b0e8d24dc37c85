//! The headings of a note: CommonMark's ATX headings, outside of frontmatter and fenced code.
//!
//! Underlined (setext) headings are left out, as MCPVault leaves them out.

use super::frontmatter::Fence;
use super::path::trim;

/// One heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// From 1 to 6.
    pub level: usize,
    pub text: String,
    /// From 1, in the whole note.
    pub line: usize,
}

/// The headings of `text`, from the top.
pub fn headings(text: &str) -> Vec<Heading> {
    let body = Fence::find(text).map_or(0, |fence| fence.body);
    let first_line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..body]).count();
    let mut code = CodeFence::default();
    let mut headings = Vec::new();
    for (number, line) in text[body..].split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let line = line.strip_prefix('\u{feff}').filter(|_| body == 0 && number == 0).unwrap_or(line);
        if code.covers(line) {
            continue;
        }
        if let Some((level, text)) = heading(line) {
            headings.push(Heading { level, text, line: first_line + number });
        }
    }
    headings
}

/// Follows fenced code through the lines of a text.
#[derive(Debug, Default)]
pub(super) struct CodeFence {
    /// The character of the fence that is open, and how many of them opened it.
    open: Option<(char, usize)>,
}

impl CodeFence {
    /// Whether `line` is code or a fence. Lines are to be given in their order, without their ends.
    pub(super) fn covers(&mut self, line: &str) -> bool {
        let Some((mark, length, rest)) = fence(line) else { return self.open.is_some() };
        match self.open {
            // a backtick behind the marks makes it inline code
            None if mark == '`' && rest.contains('`') => return false,
            None => self.open = Some((mark, length)),
            Some((open, opened)) if mark == open && length >= opened && trim(rest).is_empty() => {
                self.open = None
            }
            Some(_) => {}
        }
        true
    }

    /// Whether the lines so far have left a fence open.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

/// The mark of a fence, how many there are, and what follows them.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let line = without_indent(line)?;
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let length = line.len() - rest.len();
    (length >= 3).then_some((mark, length, rest))
}

fn heading(line: &str) -> Option<(usize, String)> {
    let line = without_indent(line)?;
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    is_heading.then(|| (level, without_closing_marks(trim(rest)).to_owned()))
}

/// The line without up to three blanks; more make it code.
fn without_indent(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3).then_some(rest)
}

/// The text without a closing row of `#`, which needs a blank before it.
fn without_closing_marks(text: &str) -> &str {
    let rest = text.trim_end_matches('#');
    if rest.is_empty() {
        return rest;
    }
    let before = rest.trim_end_matches([' ', '\t']);
    if before.len() < rest.len() { before } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str, usize)]) {
        let found = headings(text);
        let found: Vec<_> = found.iter().map(|h| (h.level, h.text.as_str(), h.line)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn headings_of_commonmark() {
        check("# One\ntext\n## Two  \n###### Six\n", &[(1, "One", 1), (2, "Two", 3), (6, "Six", 4)]);
        check("#NoSpace\n####### Seven\n\\# Escaped\n    # Code\n", &[]);
        check("   # Indented\n#\tTab\n#\n", &[(1, "Indented", 1), (1, "Tab", 2), (1, "", 3)]);
        check(
            "# Closed ##\n# Open##\n# C#\n## ##\n# a # b #\n",
            &[(1, "Closed", 1), (1, "Open##", 2), (1, "C#", 3), (2, "", 4), (1, "a # b", 5)],
        );
        check("# A\r\n\r\n## B\r\n", &[(1, "A", 1), (2, "B", 3)]);
        check("Setext\n======\n\nTwo\n---\n", &[]);
        check("> # quoted\n- # listed\n", &[]);
        check("# no end", &[(1, "no end", 1)]);
        check("", &[]);
    }

    #[test]
    fn code_holds_no_headings() {
        check("```\n# a\n```\n# b\n", &[(1, "b", 4)]);
        check("~~~ sh\n# a\n```\n# c\n~~~\n# b\n", &[(1, "b", 6)]);
        check("````\n# a\n```\n# c\n````\n# b\n", &[(1, "b", 6)]);
        check("```\n# a\n``` sh\n# c\n", &[]);
        check("    ```\n# a\n", &[(1, "a", 2)]);
    }

    #[test]
    fn inline_code_at_the_start_of_a_line_opens_no_fence() {
        check("```x``` is code\n# a\n", &[(1, "a", 2)]);
    }

    #[test]
    fn frontmatter_is_skipped_and_counted() {
        check("---\n# comment\na: 1\n---\n# A\n", &[(1, "A", 5)]);
        check("---\r\n# comment\r\n---\r\n# A\r\n", &[(1, "A", 4)]);
        check("\u{feff}---\n# comment\n---\n# A\n", &[(1, "A", 4)]);
    }

    #[test]
    fn v03_a_byte_order_mark_hides_no_heading() {
        check("\u{feff}# A\n", &[(1, "A", 1)]);
    }

    #[test]
    fn a_thematic_break_at_the_top_hides_nothing() {
        check("---\n\n# A\n", &[(1, "A", 3)]);
    }

    #[test]
    fn a_line_of_five_megabytes_is_read() {
        let text = format!("# A\n{}\n# B", "x".repeat(5_000_000));
        check(&text, &[(1, "A", 1), (1, "B", 3)]);
    }
}
