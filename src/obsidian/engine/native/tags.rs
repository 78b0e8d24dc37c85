//! The tags of a note: those in the frontmatter, and `#tags` in the body.
//!
//! What counts in the body is what Obsidian takes for a tag: not code, not comments, not parts of links
//! or addresses, not numbers (U-13).

use serde_json::{Map, Value};

use super::outline::CodeFence;
use super::path::{is_blank, trim};

/// The tags that the frontmatter names: a list, or one text with commas or blanks between them. Without
/// `#`, as they are spelt, each once.
pub fn in_frontmatter(frontmatter: &Value) -> Vec<&str> {
    let names: Vec<&str> = match frontmatter.get(key_in(frontmatter)) {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(text)) => text.split(|c| c == ',' || is_blank(c)).collect(),
        _ => Vec::new(),
    };
    unique(names)
}

/// Whether a key of the frontmatter names tags. Obsidian takes it in capitals as well.
pub fn is_key(key: &str) -> bool {
    matches!(key, "tags" | "Tags" | "TAGS")
}

/// The key that names the tags, as it is spelt in the frontmatter.
pub fn key_in(frontmatter: &Value) -> &str {
    let mut keys = frontmatter.as_object().into_iter().flat_map(Map::keys);
    keys.find(|key| is_key(key)).map_or("tags", String::as_str)
}

/// The names as tags, each once.
pub fn unique(names: Vec<&str>) -> Vec<&str> {
    let mut tags = Vec::new();
    for name in names.into_iter().map(bare).filter(|name| !name.is_empty()) {
        if !tags.contains(&name) {
            tags.push(name);
        }
    }
    tags
}

/// A tag without blanks around it and `#` before it.
pub fn bare(tag: &str) -> &str {
    trim(trim(tag).trim_start_matches('#'))
}

/// What the frontmatter's `tags` must become so that it names all of `tags`. `None` when it does.
///
/// Tags of the body are not copied (U-13), and items that are no text stay.
pub fn added(frontmatter: &Value, tags: &[String]) -> Option<Value> {
    let present = in_frontmatter(frontmatter);
    let mut new: Vec<&str> = Vec::new();
    for tag in tags.iter().map(|tag| bare(tag)) {
        if !tag.is_empty() && !present.contains(&tag) && !new.contains(&tag) {
            new.push(tag);
        }
    }
    if new.is_empty() {
        return None;
    }
    let mut items = items(frontmatter);
    items.extend(new.into_iter().map(Value::from));
    Some(Value::Array(items))
}

/// What the frontmatter's `tags` must become so that it names none of `tags`: `None` when it does not
/// now, `Some(None)` when nothing is left of it.
pub fn removed(frontmatter: &Value, tags: &[String]) -> Option<Option<Value>> {
    let unwanted: Vec<&str> = tags.iter().map(|tag| bare(tag)).collect();
    let before = items(frontmatter);
    let is_wanted = |item: &&Value| item.as_str().is_none_or(|tag| !unwanted.contains(&bare(tag)));
    let after: Vec<Value> = before.iter().filter(is_wanted).cloned().collect();
    (after.len() < before.len()).then(|| (!after.is_empty()).then_some(Value::Array(after)))
}

/// The items of `tags` as a list.
fn items(frontmatter: &Value) -> Vec<Value> {
    match frontmatter.get(key_in(frontmatter)) {
        Some(Value::Array(items)) => items.clone(),
        Some(Value::String(_)) => in_frontmatter(frontmatter).into_iter().map(Value::from).collect(),
        _ => Vec::new(),
    }
}

/// The tags of a body in their order, as they are spelt and as often as they stand there.
pub fn in_body(body: &str) -> Vec<&str> {
    // Most notes have no `#` that could begin a tag; they need no closer look.
    if !memchr::memchr_iter(b'#', body.as_bytes()).any(|at| tag_at(body, at).is_some()) {
        return Vec::new();
    }
    Scan { body, at: 0, tags: Vec::new(), open: Vec::new(), in_list: false, behind_text: false }.run()
}

/// What ends a run of bytes that mean nothing.
const SPECIAL: [bool; 256] = {
    let (mut table, mut at) = ([false; 256], 0);
    let special = b"\n\\`%<[]#";
    while at < special.len() {
        table[special[at] as usize] = true;
        at += 1;
    }
    table
};

/// A walk through a body, from one place that means something to the next.
struct Scan<'a> {
    body: &'a str,
    at: usize,
    tags: Vec<&'a str>,
    /// Ends of comments that do not occur any more; looking for them again and again would take long.
    open: Vec<&'static str>,
    /// The lines so far have begun a list (or a footnote) and not ended it.
    in_list: bool,
    /// The line before is text, which an indented line goes on.
    behind_text: bool,
}

impl<'a> Scan<'a> {
    fn run(mut self) -> Vec<&'a str> {
        let mut at_line_start = true;
        while self.at < self.body.len() {
            if at_line_start && (self.skip_indented_code() || self.skip_code()) {
                continue;
            }
            at_line_start = false;
            let rest = &self.body[self.at..];
            let step = match rest.as_bytes()[0] {
                b'\n' => {
                    at_line_start = true;
                    1
                }
                b'\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                b'`' => inline_code(rest),
                b'%' if rest.starts_with("%%") => self.comment(rest, 2, "%%"),
                b'<' if rest.starts_with("<!--") => self.comment(rest, 4, "-->"),
                b'[' if rest.starts_with("[[") => enclosed(link_text(rest), 2, "]]").unwrap_or(2),
                b']' if rest.starts_with("](") => enclosed(link_text(rest), 2, ")").unwrap_or(2),
                b'#' => match tag_at(self.body, self.at) {
                    Some(tag) => {
                        self.tags.push(tag);
                        1 + tag.len()
                    }
                    None => 1,
                },
                _ => self.ordinary(rest),
            };
            self.at += step;
        }
        self.tags
    }

    /// The length of a comment, or of its mark when it never ends.
    fn comment(&mut self, rest: &str, mark: usize, close: &'static str) -> usize {
        if self.open.contains(&close) {
            return mark;
        }
        enclosed(rest, mark, close).unwrap_or_else(|| {
            self.open.push(close);
            mark
        })
    }

    /// How many bytes mean nothing here.
    fn ordinary(&self, rest: &str) -> usize {
        let is_special = |byte: &u8| SPECIAL[usize::from(*byte)];
        1 + rest.as_bytes()[1..].iter().position(is_special).unwrap_or(rest.len() - 1)
    }

    /// Skips a line that is code by its indent. In a list the indent belongs to the list.
    fn skip_indented_code(&mut self) -> bool {
        let rest = &self.body[self.at..];
        let line = &rest[..memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1)];
        let content = line.trim_start_matches([' ', '\t']);
        if trim(content).is_empty() {
            self.behind_text = false;
            return false;
        }
        let indent = &line[..line.len() - content.len()];
        let is_deep = indent.len() >= 4 || indent.contains('\t');
        if is_deep && !self.in_list && !self.behind_text {
            self.at += line.len();
            return true;
        }
        let is_item = !content.starts_with('>') && unquoted(content, true).len() < content.len();
        if is_item || content.starts_with("[^") {
            self.in_list = true;
        } else if indent.is_empty() && !self.behind_text {
            self.in_list = false;
        }
        self.behind_text = true;
        false
    }

    /// Skips a block of code that begins with this line, also one in a quote or a list.
    fn skip_code(&mut self) -> bool {
        // Most lines begin none. A byte beyond ASCII may be a blank before one.
        let before_code = |byte: &u8| matches!(byte, b'0'..=b'9' | 0x0b..=b'\r' | b' ' | b'\t' | b'>' | b'-' | b'*' | b'+' | b'.' | b')');
        let first = self.body.as_bytes()[self.at..].iter().find(|byte| !before_code(byte));
        if first.is_none_or(|byte| byte.is_ascii() && !matches!(byte, b'`' | b'~')) {
            return false;
        }
        let mut code = CodeFence::default();
        let mut at = self.at;
        for line in self.body[self.at..].split_inclusive('\n') {
            let content = unquoted(line.trim_end_matches(['\n', '\r']), at == self.at);
            if !code.covers(content) {
                return false;
            }
            at += line.len();
            if !code.is_open() {
                break;
            }
        }
        self.at = at;
        self.behind_text = false;
        true
    }
}

/// The line without what quotes and lists put before it.
fn unquoted(line: &str, may_be_item: bool) -> &str {
    let line = line.trim_start_matches([' ', '\t', '>']);
    if !may_be_item {
        return line;
    }
    let marker = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match marker.strip_prefix(['-', '*', '+', '.', ')']) {
        Some(rest) if rest.starts_with(' ') => rest.trim_start(),
        _ => line,
    }
}

/// Where a link may end: on its line, and not too far on.
fn link_text(text: &str) -> &str {
    const LONGEST: usize = 4096;
    let text = &text[..text.floor_char_boundary(LONGEST)];
    memchr::memchr(b'\n', text.as_bytes()).map_or(text, |end| &text[..end])
}

/// The length of what begins with `open` bytes and ends with `close`.
fn enclosed(text: &str, open: usize, close: &str) -> Option<usize> {
    let (rest, close) = (&text.as_bytes()[open..], close.as_bytes());
    let mut places = memchr::memchr_iter(close[0], rest);
    places.find(|at| rest[*at..].starts_with(close)).map(|at| open + at + close.len())
}

/// The length of a span of code, or of the backticks when they open none.
fn inline_code(text: &str) -> usize {
    const LONGEST: usize = 65_536;
    let run = |text: &str| text.len() - text.trim_start_matches('`').len();
    let marks = run(text);
    let text = &text[..text.floor_char_boundary(marks + LONGEST)];
    let mut at = marks;
    while let Some(next) = text[at..].find('`') {
        let between = &text[at..at + next];
        // code does not go on behind an empty line
        if between.contains("\n\n") || between.contains("\n\r\n") {
            break;
        }
        at += next;
        let length = run(&text[at..]);
        at += length;
        if length == marks {
            return at;
        }
    }
    marks
}

/// The tag whose `#` is at `at`, if one may begin there.
fn tag_at(body: &str, at: usize) -> Option<&str> {
    if body[..at].chars().next_back().is_some_and(|before| !is_blank(before)) {
        return None;
    }
    let rest = &body[at + 1..];
    let tag = &rest[..rest.find(|c| !is_tag_character(c)).unwrap_or(rest.len())];
    let is_number = tag.chars().all(|c| c.is_ascii_digit());
    let has_word = tag.chars().any(|c| !matches!(c, '-' | '_' | '/'));
    (!is_number && has_word).then_some(tag)
}

fn is_tag_character(c: char) -> bool {
    match c {
        '-' | '_' | '/' => true,
        _ if c.is_ascii() => c.is_ascii_alphanumeric(),
        // punctuation: general, supplemental, that of Chinese and Japanese, and its wide forms
        '\u{2000}'..='\u{206f}'
        | '\u{2e00}'..='\u{2e7f}'
        | '\u{3000}'..='\u{3004}'
        | '\u{3008}'..='\u{3020}' => false,
        '\u{ff01}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}'
        | '\u{ff3b}'..='\u{ff40}'
        | '\u{ff5b}'..='\u{ff65}' => false,
        _ => !is_blank(c) && !c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(body: &str, expected: &[&str]) {
        assert_eq!(in_body(body), expected, "{body:?}");
    }

    #[test]
    fn tags_stand_alone_or_behind_a_blank() {
        check("#one two #three\n#four", &["one", "three", "four"]);
        check("#a/b #A-b_c #x1", &["a/b", "A-b_c", "x1"]);
        check("#again #again", &["again", "again"]);
        check("end#no a#no (#no) #", &[]);
        check("#a, #b. #c! #d's", &["a", "b", "c", "d"]);
        check("x\t#tab\r\n#crlf\r\n", &["tab", "crlf"]);
    }

    #[test]
    fn tags_in_other_scripts() {
        check("#标签，正文 #日本語。 #émoji #😀 #한국어", &["标签", "日本語", "émoji", "😀", "한국어"]);
    }

    #[test]
    fn u13_what_looks_like_a_tag() {
        check("\\#no \\\\ #yes", &["yes"]);
        check("#123 #2024 #1st #2024-01 #- #_/", &["1st", "2024-01"]);
        check("# Heading\n## Two #in-heading\n##no\n", &["in-heading"]);
        check("https://x.y/#no [a](#no) [a](b #no) <https://x/#no>", &[]);
        check("[[Note#no]] [[Note #no]] ![[Note #^no|x #no]] [[open #yes", &["yes"]);
        check("%%comment #no%% #yes %% #open", &["yes", "open"]);
        check("%%\n#no\n%%\n#yes", &["yes"]);
        check("<!-- #no\n #no --> #yes", &["yes"]);
    }

    #[test]
    fn u13_code_holds_no_tags() {
        check("`#no` ` #no` `` ` #no `` #yes", &["yes"]);
        check("` #no\n#no ` #yes", &["yes"]);
        check("` #yes\n\n` #yes2", &["yes", "yes2"]);
        check("```\n#no\n```\n#yes", &["yes"]);
        check("~~~js\n#no\n```\n#no\n~~~\n#yes", &["yes"]);
        check("> ```\n> #no\n> ```\n> #yes", &["yes"]);
        check("- ```\n  #no\n  ```\n- #yes", &["yes"]);
        check("    #no\n\t#no\n\n#yes\n\n    #no\n\n   #yes2\n", &["yes", "yes2"]);
        check("text\n    #yes\n\r\n    #no\r\n", &["yes"]);
        check("- a\n    - #yes\n\n    #yes2\n\nend\n\n    #no\n", &["yes", "yes2"]);
        check("1. a\n\n    #yes\n\n[^1]: note\n\n    #yes2\n", &["yes", "yes2"]);
        check("```\n#no", &[]);
        check("`` ` `` #yes ```x``` #yes2", &["yes", "yes2"]);
    }

    #[test]
    fn hostile_text_takes_no_longer() {
        for part in ["[[", "](", "<!--", "`", "%", "#", "``\n", "\\"] {
            in_body(&format!("#a{}", part.repeat(20_000)));
        }
    }

    #[test]
    fn frontmatter_names_tags_in_many_ways() {
        let check = |value: Value, expected: &[&str]| {
            assert_eq!(in_frontmatter(&json!({ "tags": value })), expected, "{value}");
        };
        check(
            json!(["a", "#b", " c ", "", "#", 7, null, "a", "x/y", "中文"]),
            &["a", "b", "c", "x/y", "中文"],
        );
        check(json!("a"), &["a"]);
        check(json!("a, b,#c d"), &["a", "b", "c", "d"]);
        check(json!(5), &[]);
        assert!(in_frontmatter(&json!({})).is_empty());
        assert!(in_frontmatter(&json!("tags")).is_empty());
    }

    #[test]
    fn adding_and_removing() {
        let list = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
        let note = json!({ "tags": ["a", 7, "#b"] });
        assert_eq!(
            added(&note, &list(&["c", "#d", "a", "b", "c", " "])),
            Some(json!(["a", 7, "#b", "c", "d"]))
        );
        assert_eq!(added(&note, &list(&["a", "#b"])), None);
        assert_eq!(added(&json!({ "tags": "a, b" }), &list(&["c"])), Some(json!(["a", "b", "c"])));
        assert_eq!(added(&json!({}), &list(&["c"])), Some(json!(["c"])));
        assert_eq!(removed(&note, &list(&["b"])), Some(Some(json!(["a", 7]))));
        assert_eq!(removed(&note, &list(&["x"])), None);
        assert_eq!(removed(&json!({ "tags": "a" }), &list(&["#a"])), Some(None));
        assert_eq!(removed(&json!({}), &list(&["a"])), None);
    }
}
