//! Changes of single keys that leave every other byte of the note alone (N-11, U-07, U-09).
//!
//! Only the lines of the keys given are rewritten. Each edit is read back before it is handed out: when
//! the result does not say exactly what was asked, nothing is changed and the caller is told.

use std::ops::Range;

use serde_json::{Map, Number, Value};

use super::emit;
use super::fence::{Fence, Language, newline_of, text_start};
use super::items;
use super::yaml::{self, Document, Entry, Style, YamlError};

/// Why the frontmatter was left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    #[error(
        "the frontmatter of the note is not valid YAML: {reason} in line {line} of the note. Nothing was changed; repair that line first, with patch_note"
    )]
    Broken { reason: String, line: usize },
    #[error(
        "the frontmatter of the note is written in {language}, not in YAML. Nothing was changed; edit it as text, with patch_note"
    )]
    Language { language: String },
    #[error(
        "the frontmatter of the note is {found}, not a mapping of keys. Nothing was changed; edit it as text, with patch_note"
    )]
    NotAMapping { found: &'static str },
    #[error(
        "the frontmatter of the note is written in braces on one level, which is not edited in place. Nothing was changed; edit it as text, with patch_note"
    )]
    Braces,
    #[error(
        "the number {number} for the key {key:?} has more digits than are kept exactly. Nothing was changed; give it as a text, in quotes"
    )]
    LongNumber { key: String, number: String },
    #[error(
        "the keys {keys} cannot be changed without touching others (an anchor that others use, or an unusual layout). Nothing was changed; edit the \
         frontmatter as text, with patch_note"
    )]
    Entangled { keys: String },
}

/// One change: `None` removes the key.
pub type Change<'a> = (&'a str, Option<&'a Value>);

/// Sets the keys of `updates` and leaves the others.
///
/// # Errors
/// When the note has frontmatter that cannot be edited safely. The note is unchanged then.
pub fn merge(text: &str, updates: &Map<String, Value>) -> Result<String, EditError> {
    let changes: Vec<Change> = updates.iter().map(|(key, value)| (key.as_str(), Some(value))).collect();
    edit(text, &changes)
}

/// Makes the frontmatter hold `values` and nothing else. Lines of keys that keep their value stay as
/// they are; without values the block goes.
///
/// # Errors
/// As [`merge`].
pub fn replace(text: &str, values: &Map<String, Value>) -> Result<String, EditError> {
    let mut changes: Vec<Change> = Vec::new();
    let block = Block::open(text)?;
    for entry in block.iter().flat_map(|block| &block.document.entries) {
        if !values.contains_key(&entry.name) {
            changes.push((&entry.name, None));
        }
    }
    changes.extend(values.iter().map(|(key, value)| (key.as_str(), Some(value))));
    edit(text, &changes)
}

/// Whether keys of the note's frontmatter can be changed at all.
///
/// # Errors
/// As [`merge`].
pub fn check_editable(text: &str) -> Result<(), EditError> {
    Block::open(text).map(drop)
}

/// Applies the changes in their order. Without any, there is nothing that could go wrong.
///
/// # Errors
/// As [`merge`].
pub fn edit(text: &str, changes: &[Change]) -> Result<String, EditError> {
    if changes.is_empty() {
        return Ok(text.to_owned());
    }
    for (key, value) in changes {
        if let Some(number) = value.and_then(long_number) {
            return Err(EditError::LongNumber { key: (*key).to_owned(), number: number.to_string() });
        }
    }
    match Block::open(text)? {
        Some(block) => block.edit(changes),
        None => create(text, changes),
    }
}

/// A new block at the start of the note, behind a byte-order mark.
fn create(text: &str, changes: &[Change]) -> Result<String, EditError> {
    let mut wanted = Map::new();
    for (key, value) in changes {
        if let Some(value) = value {
            wanted.insert((*key).to_owned(), (*value).clone());
        }
    }
    if wanted.is_empty() {
        return Ok(text.to_owned());
    }
    let at = text_start(text);
    let block = format!("---\n{}\n---\n", emit::mapping(&wanted, "")).replace('\n', newline_of(text));
    verified(format!("{}{block}{}", &text[..at], &text[at..]), &text[at..], wanted, changes)
}

/// Hands out `edited` if it says what was asked and its body is what it was.
fn verified(
    edited: String,
    body: &str,
    wanted: Map<String, Value>,
    changes: &[Change],
) -> Result<String, EditError> {
    let found = Fence::find(&edited).filter(|fence| &edited[fence.body..] == body);
    let found = found.and_then(|fence| yaml::parse(&edited[fence.inner]).ok());
    let says_it = found.is_some_and(|document| match document.value {
        Value::Null => wanted.is_empty(),
        value => same(&value, &Value::Object(wanted)),
    });
    if says_it {
        return Ok(edited);
    }
    let keys = changes.iter().map(|(key, _)| format!("{key:?}")).collect::<Vec<_>>().join(", ");
    Err(EditError::Entangled { keys })
}

/// The frontmatter of a note, open for editing.
struct Block<'a> {
    text: &'a str,
    fence: Fence,
    inner: &'a str,
    document: Document,
    /// The indent of the outermost keys.
    indent: String,
}

impl<'a> Block<'a> {
    fn open(text: &'a str) -> Result<Option<Self>, EditError> {
        let Some(fence) = Fence::find(text) else { return Ok(None) };
        let language = match &fence.language {
            Language::Yaml => None,
            Language::Json => Some("JSON".to_owned()),
            Language::Other(name) => Some(name.clone()),
        };
        if let Some(language) = language {
            return Err(EditError::Language { language });
        }
        let inner = &text[fence.inner.clone()];
        let document = yaml::parse(inner).map_err(EditError::from)?;
        let found = match &document.value {
            Value::Null | Value::Object(_) => None,
            Value::Array(_) => Some("a list"),
            Value::String(_) => Some("a text"),
            Value::Bool(_) | Value::Number(_) => Some("a single value"),
        };
        if let Some(found) = found {
            return Err(EditError::NotAMapping { found });
        }
        if document.is_flow && !(document.entries.is_empty() && inner.trim() == "{}") {
            return Err(EditError::Braces);
        }
        let indent = document.entries.first().map_or("", |entry| {
            let line = &inner[line_start(inner, entry.key.start)..];
            &line[..line.len() - line.trim_start_matches(' ').len()]
        });
        Ok(Some(Self { text, inner, indent: indent.to_owned(), document, fence }))
    }

    fn edit(self, changes: &[Change]) -> Result<String, EditError> {
        let mut wanted = match &self.document.value {
            Value::Object(map) => map.clone(),
            _ => Map::new(),
        };
        // Bytes to replace, by their place. Places do not overlap: each is in the lines of one key.
        let mut cuts: Vec<(Range<usize>, String)> = Vec::new();
        let mut added = String::new();
        for (key, value) in changes {
            let entry = self.document.entries.iter().position(|entry| entry.name == *key);
            match (entry, value) {
                (None, None) => {}
                (Some(_), Some(value)) if wanted.get(*key) == Some(value) => {}
                (Some(at), None) => cuts.push((self.lines(at), String::new())),
                (Some(at), Some(value)) => {
                    let listed = wanted.get(*key).and_then(|old| self.change_items(at, old, value));
                    cuts.extend(listed.unwrap_or_else(|| vec![self.set(at, key, value)]));
                }
                (None, Some(value)) => {
                    added += &format!("{}{}\n", self.indent, emit::pair(key, value, &self.indent));
                }
            }
            match value {
                Some(value) => wanted.insert((*key).to_owned(), (*value).clone()),
                None => wanted.shift_remove(*key),
            };
        }
        cuts.sort_by_key(|(range, _)| (range.start, range.end));
        let mut inner = String::with_capacity(self.inner.len() + added.len());
        let mut from = 0;
        for (range, new) in cuts {
            inner += &self.inner[from..range.start];
            inner += &new.replace('\n', self.fence.newline);
            from = range.end;
        }
        inner += &self.inner[from..];
        if self.document.is_flow {
            // an empty pair of braces
            inner.clear();
        }
        inner += &added.replace('\n', self.fence.newline);
        let body = &self.text[self.fence.body..];
        if wanted.is_empty() && inner.trim().is_empty() && !self.document.entries.is_empty() {
            return Ok(format!("{}{body}", &self.text[..self.fence.start]));
        }
        let edited =
            [&self.text[..self.fence.inner.start], &inner, &self.text[self.fence.inner.end..]].concat();
        verified(edited, body, wanted, changes)
    }

    /// What to write in place of what, so that the list at `at` holds other items. `None` when its items have
    /// no lines of their own.
    fn change_items(&self, at: usize, old: &Value, new: &Value) -> Option<Vec<(Range<usize>, String)>> {
        let (Value::Array(old), Value::Array(new)) = (old, new) else { return None };
        let lines = self.lines(at);
        let below = lines.start + self.inner[lines.clone()].find('\n')? + 1;
        let first_line = &self.inner[self.colon(&self.document.entries[at])?..below];
        if !first_line.trim().is_empty() && !first_line.trim_start().starts_with('#') {
            return None;
        }
        let changes = items::changes(&self.inner[below..lines.end], old, new)?.into_iter();
        Some(changes.map(|(range, text)| (below + range.start..below + range.end, text)).collect())
    }

    /// What to write in place of what, so that the key at `at` has the value.
    fn set(&self, at: usize, key: &str, value: &Value) -> (Range<usize>, String) {
        let entry = &self.document.entries[at];
        let lines = self.lines(at);
        let Some(colon) = self.colon(entry) else {
            return (lines, format!("{}{}\n", self.indent, emit::pair(key, value, &self.indent)));
        };
        let mut new = emit::value_text(value, &self.indent, entry.style);
        let line_end = self.inner[colon..].find('\n').map_or(self.inner.len(), |end| colon + end);
        let on_one_line = lines.end <= line_end + 1;
        if on_one_line && !new.contains('\n') {
            let end = self.value_end(entry, colon);
            // what follows is blanks, a comment, a line end
            return (colon..end, new);
        }
        // A comment behind the key or its value stays behind the key.
        let value_end = if on_one_line { self.value_end(entry, colon) } else { colon };
        let comment = self.inner[value_end..line_end].trim_end();
        if emit::is_block_collection(value) && comment.trim_start().starts_with('#') {
            new = format!("{comment}{new}");
        }
        (colon..lines.end, new + "\n")
    }

    /// Where the value on this line ends, without the comment behind it.
    fn value_end(&self, entry: &Entry, colon: usize) -> usize {
        let line = &self.inner[colon..];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let blanks = line.len() - line.trim_start().len();
        let value = &line[blanks..];
        let length = match entry.style {
            Style::SingleQuoted if value.starts_with('\'') => quoted_length(value, '\''),
            Style::DoubleQuoted if value.starts_with('"') => quoted_length(value, '"'),
            _ if value.starts_with('#') => return colon,
            // a comment needs a blank before it; in braces and quotes inside of them it may be none,
            // which reading back shows
            _ => value
                .match_indices('#')
                .find(|(at, _)| value[..*at].ends_with([' ', '\t']))
                .map_or(value.len(), |(at, _)| at),
        };
        colon + blanks + value[..length].trim_end().len()
    }

    /// Where the colon behind the key ends. `None` for a key with a `?`.
    fn colon(&self, entry: &Entry) -> Option<usize> {
        let start = entry.key.start;
        if self.inner[line_start(self.inner, start)..start].contains('?') {
            return None;
        }
        let key = &self.inner[start..];
        let length = match key.chars().next() {
            Some(quote @ ('"' | '\'')) => quoted_length(key, quote),
            _ => entry.key.len(),
        };
        let behind = &key[length..];
        let blanks = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        behind[blanks..].starts_with(':').then_some(start + length + blanks + 1)
    }

    /// The lines of the key at `at`: to its last line that is neither blank nor a comment on its own
    /// level, since such lines may belong to what follows.
    fn lines(&self, at: usize) -> Range<usize> {
        let start = line_start(self.inner, self.document.entries[at].key.start);
        let limit = self
            .document
            .entries
            .get(at + 1)
            .map_or(self.inner.len(), |next| line_start(self.inner, next.key.start));
        let mut end = start;
        let mut kept = start;
        for (number, line) in self.inner[start..limit].split_inclusive('\n').enumerate() {
            end += line.len();
            let content = line.trim_start();
            let column = line.len() - content.len();
            let is_between = content.is_empty() || (content.starts_with('#') && column <= self.indent.len());
            if number == 0 || !is_between {
                kept = end;
            }
        }
        start..kept
    }
}

impl From<YamlError> for EditError {
    fn from(error: YamlError) -> Self {
        // the block begins in the second line of the note
        Self::Broken { reason: error.reason, line: error.line + 1 }
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// The length of the quoted text that `text` begins with.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = characters.next() {
        if c == '\\' && quote == '"' {
            characters.next();
        } else if c == quote {
            if quote == '\'' && characters.peek().is_some_and(|(_, next)| *next == '\'') {
                characters.next();
            } else {
                return at + 1;
            }
        }
    }
    text.len()
}

/// A whole number of more than 64 bits in the value: its last digits were lost on the way here. From 10^21
/// on it would be written with an exponent, and whoever gives such a number means no digits.
fn long_number(value: &Value) -> Option<&Number> {
    let is_long = |number: &f64| (18_446_744_073_709_551_615.0..1e21).contains(&number.abs());
    match value {
        Value::Number(number) if number.is_f64() => number.as_f64().filter(is_long).map(|_| number),
        Value::Array(items) => items.iter().find_map(long_number),
        Value::Object(map) => map.values().find_map(long_number),
        _ => None,
    }
}

/// Equal as values: `1.0` and `1` are, and the order of keys says nothing.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => one == other,
    }
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
