//! YAML text to JSON values, with the places of the top-level keys.
//!
//! The values are those of MCPVault's parser: YAML 1.2, the last word being text. A key that stands
//! twice, a second document or a broken line make the whole text invalid: half a reading is worse than
//! none.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput, Tag};
use serde_json::{Map, Value};

use super::scalar;

/// Aliases can make a short text very large; no note needs more values than this.
const MOST_VALUES: usize = 100_000;
/// And none needs to be nested deeper.
const DEEPEST: usize = 100;

/// Why a text is not YAML.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} in line {line}")]
pub struct YamlError {
    pub reason: String,
    /// From 1, in the text that was parsed.
    pub line: usize,
}

/// A parsed text.
#[derive(Debug)]
pub struct Document {
    pub value: Value,
    /// The keys of the mapping that the text is, in their order. Empty if it is none.
    pub entries: Vec<Entry>,
    /// The mapping is written in braces.
    pub is_flow: bool,
}

/// One key of the outermost mapping, by bytes of the text.
#[derive(Debug)]
pub struct Entry {
    pub name: String,
    pub key: Range<usize>,
    pub style: Style,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    /// `|` or `>`.
    Block,
    /// A list, a mapping or an alias.
    Other,
}

/// Parses `text`.
///
/// # Errors
/// When it is not one valid document, or too large.
pub fn parse(text: &str) -> Result<Document, YamlError> {
    let mut text = Cow::Borrowed(text);
    for _ in 0..MOST_TABS {
        let mut composer = Composer::new(&text);
        match composer.document(&text) {
            Err(error) if error.reason == TAB_BEHIND_COLON => match composer.without_tab(&text) {
                Some(better) => text = Cow::Owned(better),
                None => return Err(error),
            },
            read => return read,
        }
    }
    Composer::new(&text).document(&text)
}

/// The parser takes no tab alone between a key's colon and a word, though YAML does, and says this.
const TAB_BEHIND_COLON: &str = "':' must be followed by a valid YAML whitespace";
/// For each such tab the text is read once more.
const MOST_TABS: usize = 50;

struct Composer<'a> {
    parser: Parser<'a, StrInput<'a>>,
    anchors: HashMap<usize, (Value, usize)>,
    values: usize,
    places: Places<'a>,
    /// Where the parser gave up, in characters.
    stopped: usize,
}

impl<'a> Composer<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            parser: Parser::new_from_str(text),
            anchors: HashMap::new(),
            values: 0,
            places: Places::new(text),
            stopped: 0,
        }
    }

    /// The text with a blank for the tab before the place where the parser gave up. All places stay.
    fn without_tab(&mut self, text: &str) -> Option<String> {
        let end = self.places.byte(self.stopped);
        let before = text[..end].strip_suffix('\t')?;
        Some([before, " ", &text[end..]].concat())
    }

    fn document(&mut self, text: &str) -> Result<Document, YamlError> {
        let mut document = Document { value: Value::Null, entries: Vec::new(), is_flow: false };
        loop {
            match self.next()? {
                (Event::StreamStart | Event::DocumentStart(_), _) => {}
                // nothing but comments
                (Event::StreamEnd, _) => return Ok(document),
                (Event::MappingStart(anchor, _), span) => {
                    document.is_flow = text[self.places.byte(span.start.index())..].starts_with('{');
                    document.value = self.mapping(anchor, 1, Some(&mut document.entries))?;
                    break;
                }
                (event, span) => {
                    document.value = self.node(event, &span, 1)?;
                    break;
                }
            }
        }
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(document),
                (Event::DocumentStart(_), span) => return Err(error("a second document", &span)),
                _ => {}
            }
        }
    }

    fn next(&mut self) -> Result<(Event<'a>, Span), YamlError> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => {
                self.stopped = error.marker().index();
                Err(YamlError { reason: error.info().to_owned(), line: error.marker().line() })
            }
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn node(&mut self, event: Event<'a>, span: &Span, depth: usize) -> Result<Value, YamlError> {
        self.count(1, span)?;
        if depth > DEEPEST {
            return Err(error("too many levels", span));
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let value = scalar_value(&text, style, tag.as_deref());
                self.remember(anchor, &value, self.values - 1);
                Ok(value)
            }
            Event::Alias(id) => {
                let found = self.anchors.get(&id).cloned();
                let (value, size) = found.ok_or_else(|| error("an alias inside of what it names", span))?;
                self.count(size, span)?;
                Ok(value)
            }
            Event::SequenceStart(anchor, _) => {
                let before = self.values;
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => break,
                        (event, span) => items.push(self.node(event, &span, depth + 1)?),
                    }
                }
                let value = Value::Array(items);
                self.remember(anchor, &value, before);
                Ok(value)
            }
            Event::MappingStart(anchor, _) => self.mapping(anchor, depth, None),
            _ => Err(error("an unexpected end", span)),
        }
    }

    /// The mapping whose start was just read.
    fn mapping(
        &mut self,
        anchor: usize,
        depth: usize,
        mut entries: Option<&mut Vec<Entry>>,
    ) -> Result<Value, YamlError> {
        let before = self.values;
        let mut map = Map::new();
        loop {
            let (event, key) = match self.next()? {
                (Event::MappingEnd, _) => break,
                found => found,
            };
            let name = key_name(&self.node(event, &key, depth + 1)?);
            let (event, value) = self.next()?;
            let style = style_of(&event);
            let parsed = self.node(event, &value, depth + 1)?;
            if map.contains_key(&name) {
                return Err(error(&format!("the key {name:?} stands twice"), &key));
            }
            if let Some(entries) = &mut entries {
                let key = self.places.range(&key);
                entries.push(Entry { name: name.clone(), key, style });
            }
            map.insert(name, parsed);
        }
        let value = Value::Object(map);
        self.remember(anchor, &value, before);
        Ok(value)
    }

    fn remember(&mut self, anchor: usize, value: &Value, before: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, (value.clone(), self.values - before));
        }
    }

    fn count(&mut self, values: usize, span: &Span) -> Result<(), YamlError> {
        self.values += values;
        if self.values > MOST_VALUES { Err(error("too many values", span)) } else { Ok(()) }
    }
}

fn error(reason: &str, span: &Span) -> YamlError {
    YamlError { reason: reason.to_owned(), line: span.start.line() }
}

fn style_of(event: &Event) -> Style {
    match event {
        Event::Scalar(_, ScalarStyle::Plain, ..) => Style::Plain,
        Event::Scalar(_, ScalarStyle::SingleQuoted, ..) => Style::SingleQuoted,
        Event::Scalar(_, ScalarStyle::DoubleQuoted, ..) => Style::DoubleQuoted,
        Event::Scalar(..) => Style::Block,
        _ => Style::Other,
    }
}

/// A tag of the core schema forces nothing but text; one that nobody knows leaves the text as it is.
fn scalar_value(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let tagged_as_value = tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix != "str");
    if tagged_as_value || (tag.is_none() && style == ScalarStyle::Plain) {
        return scalar::resolve(text);
    }
    Value::String(text.to_owned())
}

/// A key as JSON has it: text.
fn key_name(key: &Value) -> String {
    match key {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) => scalar::number_text(number),
        other => flow(other),
    }
}

/// A key that is a list or a mapping (`{{date}}` in a template), as MCPVault names it.
fn flow(value: &Value) -> String {
    match value {
        Value::Array(items) if items.is_empty() => "[]".to_owned(),
        Value::Array(items) => {
            format!("[ {} ]", items.iter().map(flow).collect::<Vec<_>>().join(", "))
        }
        Value::Object(map) if map.is_empty() => "{}".to_owned(),
        Value::Object(map) => {
            let pair = |(key, value): (&String, &Value)| match value {
                // a key that is no word itself is marked as a key
                Value::Null if key.starts_with(['{', '[']) => format!("? {key}"),
                Value::Null => key.clone(),
                value => format!("{key}: {}", flow(value)),
            };
            format!("{{ {} }}", map.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Turns places that the parser counts in characters into bytes, going forward only.
struct Places<'a> {
    text: &'a str,
    character: usize,
    byte: usize,
}

impl<'a> Places<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, character: 0, byte: 0 }
    }

    fn byte(&mut self, character: usize) -> usize {
        if character < self.character {
            (self.character, self.byte) = (0, 0);
        }
        let rest = &self.text[self.byte..];
        let step = rest.char_indices().nth(character - self.character).map_or(rest.len(), |(at, _)| at);
        self.byte += step;
        self.character = character;
        self.byte
    }

    fn range(&mut self, span: &Span) -> Range<usize> {
        let start = self.byte(span.start.index());
        let end = self.byte(span.end.index());
        start..end.max(start)
    }
}
