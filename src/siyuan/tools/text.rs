//! The text that a call would change, for the person who is asked about it.
//!
//! What stands there now is read from the kernel for that person alone: nothing of it is answered, recorded or kept.

use serde_json::{Value, json};

use super::summary::visible;
use super::update::Update;
use super::way::{Failed, Way};
use super::{Operation, delete};
use crate::access::approvals::TextChange;
use crate::siyuan::permissions::Action;
use crate::siyuan::transport::TransportError;

/// The most of a text that is passed on, in characters. What a person is shown is less.
const MOST: usize = 100_000;

/// Whose text it is.
#[derive(Debug, Clone, Copy)]
pub(in crate::siyuan) enum Subject<'a> {
    /// Of a block, by its id.
    Block(&'a str),
    /// Of a whole document.
    Document(&'a str),
    /// The title of a document.
    Title(&'a str),
}

/// A text as it is now. It has no `Debug`: nobody but the person reads it.
pub(in crate::siyuan) struct TextNow {
    /// The title of the document that holds it, where that is not the text.
    pub document: Option<String>,
    pub text: String,
}

impl Operation {
    /// What the call would change, and what that would be; `None` where it changes no text that stands there.
    fn subject(&self) -> Option<(Subject<'_>, Option<&str>)> {
        match self {
            Self::Update(update) => Some(update.subject()),
            Self::Delete(delete) => Some((delete.subject(), None)),
            Self::Query(_) | Self::Create(_) | Self::Rpc(_) => None,
        }
    }

    /// The same as far as the call tells it.
    pub fn text_change(&self) -> Option<TextChange> {
        let (_, after) = self.subject()?;
        Some(TextChange { document: None, before: None, after: after.map(readable) })
    }

    /// Reads what stands there.
    ///
    /// # Errors
    /// It cannot be read, or is not what the call takes it for.
    pub async fn text_now(&self, way: &Way<'_>) -> Result<TextNow, Failed> {
        let Some((subject, _)) = self.subject() else {
            return Ok(TextNow { document: None, text: String::new() });
        };
        let (id, root) = match subject {
            Subject::Block(id) => (id, way.root(id).await?),
            Subject::Document(id) => (id, way.own_document(id, delete::WAY_ON).await?),
            Subject::Title(id) => {
                let title = way.own_document(id, Update::WAY_ON).await?.title;
                return Ok(TextNow { document: None, text: readable(&title) });
            }
        };
        let answer = way.post(Action::Read.path(), json!({"id": id})).await?.due()?;
        let text = answer.get("kramdown").and_then(Value::as_str);
        let text = text.ok_or(TransportError::Unexpected { expected: "a block's text" })?;
        Ok(TextNow { document: Some(readable(&root.title)), text: readable(text) })
    }
}

/// A text as a person reads it: without the attributes that only number blocks, what is invisible written out.
fn readable(text: &str) -> String {
    let text = without_numbers(&text.replace("\r\n", "\n"));
    visible(text.trim_end_matches('\n')).chars().take(MOST).collect()
}

/// Takes out each `{: id="…" updated="…"}`, and the line with it where it stands alone. One that says more stays whole.
fn without_numbers(text: &str) -> String {
    let mut kept: Vec<String> = Vec::new();
    for line in text.split('\n') {
        let (mut rest, mut shown, mut has_numbers) = (line, String::with_capacity(line.len()), false);
        while let Some(begin) = rest.find("{: ") {
            let (before, from) = rest.split_at(begin);
            shown.push_str(before);
            let end = from.find('}').map_or(from.len(), |end| end + 1);
            let (attributes, after) = from.split_at(end);
            if is_number(attributes) {
                has_numbers = true;
            } else {
                shown.push_str(attributes);
            }
            rest = after;
        }
        shown.push_str(rest);
        if !(has_numbers && shown.trim().is_empty()) {
            kept.push(shown);
        }
    }
    kept.join("\n")
}

/// Whether attributes are nothing but a block's id and the time of its last change.
fn is_number(attributes: &str) -> bool {
    let inner = attributes.strip_prefix("{: ").and_then(|rest| rest.strip_suffix('}'));
    inner.is_some_and(|inner| {
        inner.split_whitespace().all(|attribute| {
            attribute.split_once('=').is_some_and(|(name, value)| {
                let plain = |c: char| c == '"' || c == '-' || c.is_ascii_alphanumeric();
                matches!(name, "id" | "updated") && value.len() <= 24 && value.chars().all(plain)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_numbers_blocks_is_not_shown_and_what_says_more_is() {
        let check = |text: &str, expected: &str| assert_eq!(readable(text), expected);
        let numbers = r#"{: id="20261011180002-abcdefg" updated="20261011180003"}"#;
        check(&format!("one\r\n{numbers}"), "one");
        check(&format!("one\n{numbers}\n\ntwo\n{numbers}\n"), "one\n\ntwo");
        check(&format!("* {numbers}item\n  {numbers}"), "* item");
        let more = r#"{: id="20261011180002-abcdefg" bookmark="x"}"#;
        check(&format!("one\n{more}"), &format!("one\n{more}"));
        check("one {: id=\"not closed", "one {: id=\"not closed");
        check("a {: id=\"a hidden sentence\"} b", "a {: id=\"a hidden sentence\"} b");
        check("a\u{202e}b", "a\\u{202e}b");
    }
}
