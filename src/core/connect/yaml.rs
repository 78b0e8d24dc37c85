//! One item of a list in a YAML text, changed in place: the text is parsed for the places of things, and only the
//! lines of that item are written anew.

use std::collections::HashSet;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};
use serde_json::{Map, Value};

use super::edit::{Fault, NAME};
use super::programs;

/// No configuration is nested deeper.
const DEEPEST: usize = 64;

/// What a new file begins with: without these three Continue does not read it.
const HEAD: &str = "name: Local config\nversion: 1.0.0\nschema: v1\n";

/// The text with our item in its list `servers`.
pub fn edit(text: &str, servers: &str, entry: &Map<String, Value>) -> Result<String, Fault> {
    let before = parse(text)?;
    let edited = match &before {
        None => append(text, &format!("{HEAD}{servers}:\n{}", item(entry, 2))),
        Some(root) => {
            let Kind::Map { pairs, flow: false } = &root.kind else {
                return Err(shape("it is no list of names and values, or stands in braces"));
            };
            match pairs.iter().find(|(name, _)| name.is(servers)) {
                None => append(text, &format!("{servers}:\n{}", item(entry, 2))),
                Some((name, list)) => within(text, name, list, servers, entry)?,
            }
        }
    };
    // The text was understood as it was: what is wrong now is wrong by the change, as a name that something else uses.
    match parse(&edited).ok().flatten() {
        Some(after) if same_but_for_ours(before.as_ref(), &after, servers) => Ok(edited),
        _ => Err(shape("it could not be changed in that one place alone")),
    }
}

/// The text with our item in a list that is there.
fn within(
    text: &str,
    name: &Node,
    list: &Node,
    servers: &str,
    entry: &Map<String, Value>,
) -> Result<String, Fault> {
    let replaced = |range: Range<usize>, new: &str| [&text[..range.start], new, &text[range.end..]].concat();
    match &list.kind {
        Kind::Scalar { text: value, .. } if value.is_empty() && list.place.is_empty() => {
            let end = line_end(text, name.place.end);
            Ok(replaced(end..end, &on_its_own(text, end, &item(entry, 2))))
        }
        Kind::List { items, flow: true } if items.is_empty() => {
            // The parser's own end of it is the end of the line.
            let start = list.place.start;
            let end = text[start..].find(']').map_or(list.place.end, |at| start + at + 1);
            Ok(replaced(start..end, &format!("\n{}", item(entry, 2).trim_end())))
        }
        Kind::List { items, flow: false } => {
            let last = items.last().ok_or_else(|| shape(format!("{servers:?} is empty in it")))?;
            let ours = items.iter().find(|item| item.get("name").is_some_and(|name| name.is(NAME)));
            let like = ours.unwrap_or(last);
            let dash = text[..like.place.start].rfind('-').unwrap_or(0);
            let start = text[..dash].rfind('\n').map_or(0, |at| at + 1);
            let indent = dash - start;
            if !text[start..dash].bytes().all(|byte| byte == b' ') {
                return Err(shape(format!("an item of {servers:?} begins in the middle of a line")));
            }
            let end = line_end(text, like.last_byte);
            match ours {
                Some(ours) => {
                    // Up to its last word: a comment behind that stays.
                    let end = text[..ours.last_byte].trim_end().len();
                    Ok(replaced(start..end, item(&beside(ours, text, entry)?, indent).trim_end()))
                }
                None => Ok(replaced(end..end, &on_its_own(text, end, &item(entry, indent)))),
            }
        }
        Kind::List { .. } => Err(shape(format!("{servers:?} stands in brackets in it"))),
        _ => Err(shape(format!("{servers:?} is no list in it"))),
    }
}

/// Our item, with what else the person set in the one that is there.
fn beside(old: &Node, text: &str, entry: &Map<String, Value>) -> Result<Map<String, Value>, Fault> {
    let Kind::Map { pairs, .. } = &old.kind else { return Ok(entry.clone()) };
    let mut whole = entry.clone();
    for (name, value) in pairs {
        let Kind::Scalar { text: name, .. } = &name.kind else { continue };
        if let Some(new) = whole.get_mut(name) {
            if new.is_object() {
                *new = programs::beside(Some(&as_written(value, text)?), new);
            }
        } else if !programs::is_ours(name) {
            whole.insert(name.clone(), as_written(value, text)?);
        }
    }
    Ok(whole)
}

/// What stands in our item, to be written again: a number stays one.
fn as_written(node: &Node, text: &str) -> Result<Value, Fault> {
    let raw = |node: &Node| Value::from(format!("{RAW}{}", &text[node.place.clone()]));
    match &node.kind {
        Kind::Scalar { text: value, .. } if !value.contains('\n') => Ok(raw(node)),
        Kind::List { items, .. } if items.iter().all(|item| matches!(item.kind, Kind::Scalar { .. })) => {
            Ok(Value::Array(items.iter().map(raw).collect()))
        }
        Kind::Map { pairs, .. } => {
            let pair = |(name, value): &(Node, Node)| match &name.kind {
                Kind::Scalar { text: word, .. } if is_plain(word) => {
                    Ok((word.clone(), as_written(value, text)?))
                }
                _ => Err(shape(format!("the item {NAME:?} holds a name that Notegate does not write again"))),
            };
            Ok(Value::Object(pairs.iter().map(pair).collect::<Result<_, _>>()?))
        }
        _ => Err(shape(format!("the item {NAME:?} holds something that Notegate does not write again"))),
    }
}

/// Marks a text that is YAML already.
const RAW: char = '\0';

/// `more` as lines of their own at the end.
fn append(text: &str, more: &str) -> String {
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{gap}{more}")
}

/// `new` as lines of their own at `end`, which is the end of a line.
fn on_its_own(text: &str, end: usize, new: &str) -> String {
    if text[..end].ends_with('\n') { new.to_owned() } else { format!("\n{}", new.trim_end()) }
}

/// The end of the line on which the last word before `at` stands, its line end included.
fn line_end(text: &str, at: usize) -> usize {
    let at = text[..at].trim_end().len();
    text[at..].find('\n').map_or(text.len(), |next| at + next + 1)
}

/// An item of a list in block form.
fn item(entry: &Map<String, Value>, indent: usize) -> String {
    let mut lines = String::new();
    map(entry, indent + 2, &mut lines);
    let dash = format!("{}- ", " ".repeat(indent));
    lines.replace_range(..indent + 2, &dash);
    lines
}

fn map(map_: &Map<String, Value>, indent: usize, lines: &mut String) {
    let blank = " ".repeat(indent);
    for (name, value) in map_ {
        match value {
            Value::Object(inner) if !inner.is_empty() => {
                lines.push_str(&format!("{blank}{name}:\n"));
                map(inner, indent + 2, lines);
            }
            Value::Array(items) if !items.is_empty() => {
                lines.push_str(&format!("{blank}{name}:\n"));
                for item in items {
                    lines.push_str(&format!("{blank}  - {}\n", scalar(item)));
                }
            }
            value => lines.push_str(&format!("{blank}{name}: {}\n", scalar(value))),
        }
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) if text.starts_with(RAW) => text[1..].to_owned(),
        Value::String(text) if is_plain(text) => text.clone(),
        // JSON is YAML.
        other => other.to_string(),
    }
}

/// Whether a text stands for itself without quotes, whatever reads it.
fn is_plain(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '/')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "/._- :".contains(c))
        && !text.contains(": ")
        && !text.ends_with([':', ' '])
        && !matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
        )
}

/// Something in the text, and where it stands, in bytes.
#[derive(Debug)]
struct Node {
    kind: Kind,
    place: Range<usize>,
    /// Where its last word ends: a block's own end stands at what comes after it.
    last_byte: usize,
}

#[derive(Debug)]
enum Kind {
    Scalar { text: String, plain: bool },
    List { items: Vec<Node>, flow: bool },
    Map { pairs: Vec<(Node, Node)>, flow: bool },
    Alias(usize),
}

impl Node {
    fn is(&self, word: &str) -> bool {
        matches!(&self.kind, Kind::Scalar { text, .. } if text == word)
    }

    fn get(&self, name: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Map { pairs, .. } => pairs.iter().find(|(key, _)| key.is(name)).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Whether both say the same, wherever they stand.
    fn says(&self, other: &Node) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Scalar { text: a, plain: p }, Kind::Scalar { text: b, plain: q }) => a == b && p == q,
            (Kind::List { items: a, .. }, Kind::List { items: b, .. }) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.says(b))
            }
            (Kind::Map { pairs: a, .. }, Kind::Map { pairs: b, .. }) => {
                a.len() == b.len() && a.iter().zip(b).all(|((k, v), (l, w))| k.says(l) && v.says(w))
            }
            (Kind::Alias(a), Kind::Alias(b)) => a == b,
            _ => false,
        }
    }
}

/// Whether two texts say the same but for our item, which the second one has.
fn same_but_for_ours(before: Option<&Node>, after: &Node, servers: &str) -> bool {
    let Kind::Map { pairs: new, .. } = &after.kind else { return false };
    let is_ours = |item: &&Node| item.get("name").is_some_and(|name| name.is(NAME));
    let others = |list: &Node| match &list.kind {
        Kind::List { items, .. } => items.iter().filter(|item| !is_ours(item)).count(),
        _ => 0,
    };
    let Some(list) = after.get(servers) else { return false };
    let Kind::List { items, .. } = &list.kind else { return false };
    if items.iter().filter(is_ours).count() != 1 {
        return false;
    }
    let Some(before) = before else { return new.len() == 4 && items.len() == 1 };
    let Kind::Map { pairs: old, .. } = &before.kind else { return false };
    let rest = |pairs: &'_ [(Node, Node)]| pairs.iter().filter(|(name, _)| !name.is(servers)).count();
    if rest(old) != rest(new) {
        return false;
    }
    let same_rest = old
        .iter()
        .filter(|(name, _)| !name.is(servers))
        .zip(new.iter().filter(|(name, _)| !name.is(servers)));
    let same_items = match before.get(servers).map(|list| (&list.kind, list)) {
        Some((Kind::List { items: old, .. }, whole)) => {
            others(whole) == others(list)
                && old
                    .iter()
                    .filter(|item| !is_ours(item))
                    .zip(items.iter().filter(|item| !is_ours(item)))
                    .all(|(old, new)| old.says(new))
        }
        _ => items.len() == 1,
    };
    same_items && same_rest.into_iter().all(|((k, v), (l, w))| k.says(l) && v.says(w))
}

/// The one document of a text; `None` where it holds nothing but comments.
fn parse(text: &str) -> Result<Option<Node>, Fault> {
    let steps = text.char_indices().step_by(STEP).map(|(at, _)| at).collect();
    let mut reader = Reader { parser: Parser::new_from_str(text), text, steps };
    let mut root = None;
    loop {
        match reader.next()? {
            (Event::StreamEnd, _) => return Ok(root),
            (Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd, _) => {}
            (event, span) if root.is_none() => root = Some(reader.node(event, &span, 0)?),
            _ => return Err(shape("it holds more than one document")),
        }
    }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    text: &'a str,
    /// Where every [`STEP`]th character begins, in bytes.
    steps: Vec<usize>,
}

const STEP: usize = 256;

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Fault> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(Fault::Broken {
                line: error.marker().line(),
                column: error.marker().col() + 1,
                reason: error.info().to_owned(),
            }),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    /// A place that the parser counts in characters.
    fn byte(&self, character: usize) -> usize {
        let Some(step) = self.steps.get(character / STEP) else { return self.text.len() };
        let rest = &self.text[*step..];
        rest.char_indices().nth(character % STEP).map_or(self.text.len(), |(at, _)| step + at)
    }

    fn node(&mut self, event: Event<'a>, span: &Span, depth: usize) -> Result<Node, Fault> {
        if depth > DEEPEST {
            return Err(shape("it is nested too deep"));
        }
        let start = self.byte(span.start.index());
        let end = self.byte(span.end.index()).max(start);
        match event {
            Event::Scalar(text, style, ..) => {
                let kind = Kind::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain };
                Ok(Node { kind, place: start..end, last_byte: end })
            }
            Event::Alias(id) => Ok(Node { kind: Kind::Alias(id), place: start..end, last_byte: end }),
            Event::SequenceStart(..) => {
                let (mut items, mut last) = (Vec::new(), end);
                let flow = self.text[start..].starts_with('[');
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, span) => {
                            let end = if flow { self.byte(span.end.index()) } else { last };
                            return Ok(Node {
                                kind: Kind::List { items, flow },
                                place: start..end.max(start),
                                last_byte: end,
                            });
                        }
                        (event, span) => {
                            let item = self.node(event, &span, depth + 1)?;
                            last = item.last_byte;
                            items.push(item);
                        }
                    }
                }
            }
            Event::MappingStart(..) => {
                let (mut pairs, mut last): (Vec<(Node, Node)>, _) = (Vec::new(), end);
                let mut names = HashSet::new();
                let flow = self.text[start..].starts_with('{');
                loop {
                    let name = match self.next()? {
                        (Event::MappingEnd, span) => {
                            let end = if flow { self.byte(span.end.index()) } else { last };
                            return Ok(Node {
                                kind: Kind::Map { pairs, flow },
                                place: start..end.max(start),
                                last_byte: end,
                            });
                        }
                        (event, span) => self.node(event, &span, depth + 1)?,
                    };
                    let (event, span) = self.next()?;
                    let mut value = self.node(event, &span, depth + 1)?;
                    // A value that is not there stands nowhere; its line is that of its name.
                    if value.place.is_empty() {
                        value.last_byte = name.last_byte;
                    }
                    last = value.last_byte;
                    if let Kind::Scalar { text, .. } = &name.kind
                        && !names.insert(text.clone())
                    {
                        return Err(shape(format!("{text:?} stands twice in it")));
                    }
                    pairs.push((name, value));
                }
            }
            _ => Err(shape("it ends unexpectedly")),
        }
    }
}

fn shape(reason: impl Into<String>) -> Fault {
    Fault::Shape(reason.into())
}
