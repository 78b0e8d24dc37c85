//! `list_all_tags`: every tag of the vault with how often it stands there.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use memchr::{memchr, memmem};
use serde_json::{Value, json};

use super::call::Call;
use super::error::NoteError;
use super::frontmatter::{Fence, Language, Note};
use super::walk::{Found, Reader, Visitor, decoded, report, walk};
use super::{answer, collation, filter, plain_tags, tags};
use crate::obsidian::Output;

/// Counts the tags of all notes, in small letters; the most frequent first.
pub fn list_all_tags(call: &Call<'_>) -> Result<Output, NoteError> {
    let pretty = call.arguments.pretty()?;
    let walked = walk(call.root, call.cancel, Counter::default)?;
    let mut counts: HashMap<String, usize> = HashMap::new();
    for counter in walked.visitors {
        for (tag, count) in counter.counts {
            *counts.entry(tag).or_default() += count;
        }
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts
        .sort_by(|(tag, count), (other, more)| more.cmp(count).then_with(|| collation::compare(tag, other)));
    let list = counts.iter().map(|(tag, count)| json!({"tag": tag, "count": count})).collect();
    Ok(report(answer::value(&Value::Array(list), pretty), &walked.unreadable))
}

/// What one thread has counted.
#[derive(Debug, Default)]
struct Counter {
    reader: Reader,
    counts: HashMap<String, usize>,
}

impl Counter {
    fn count(&mut self, tag: &str) {
        let is_small = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
        let tag = if tag.bytes().all(is_small) { Cow::Borrowed(tag) } else { tag.to_lowercase().into() };
        match self.counts.get_mut(tag.as_ref()) {
            Some(count) => *count += 1,
            None => {
                self.counts.insert(tag.into_owned(), 1);
            }
        }
    }

    fn note(&mut self, text: &str) {
        let fence = Fence::find(text);
        let body = fence.as_ref().map_or(text, |fence| &text[fence.body..]);
        // Most blocks name no tags and need not be parsed; a backslash may hide a letter of the key.
        let may_name_tags = |fence: &Fence| {
            let inner = text[fence.inner.clone()].as_bytes();
            memmem::find(inner, b"ags").is_some()
                || memmem::find(inner, b"TAGS").is_some()
                || memchr(b'\\', inner).is_some()
        };
        if let Some(fence) = fence.filter(may_name_tags) {
            match plain_tags::listed(&text[fence.inner]).filter(|_| fence.language == Language::Yaml) {
                Some(listed) => tags::unique(listed).into_iter().for_each(|tag| self.count(tag)),
                None => {
                    for tag in tags::in_frontmatter(Note::read(text).frontmatter()) {
                        self.count(tag);
                    }
                }
            }
        }
        for tag in tags::in_body(body) {
            self.count(tag);
        }
    }
}

impl Visitor for Counter {
    fn enter(&mut self, _: &str) -> bool {
        true
    }

    /// Canvases and bases are data, in which a `#` is a colour or a comment.
    fn wants(&mut self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_data = name.rsplit_once('.').is_some_and(|(_, ending)| {
            ending.eq_ignore_ascii_case("canvas") || ending.eq_ignore_ascii_case("base")
        });
        filter::is_note(name) && !is_data
    }

    fn visit(&mut self, file: &Found<'_>) -> io::Result<()> {
        let mut reader = std::mem::take(&mut self.reader);
        let read = reader.read(file).map(|bytes| self.note(&decoded(bytes)));
        self.reader = reader;
        read
    }
}
