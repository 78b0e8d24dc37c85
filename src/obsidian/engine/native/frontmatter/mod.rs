//! The block of YAML at the start of a note: where it is, what it says, and changes of it.

mod edit;
mod emit;
mod fence;
mod items;
mod scalar;
mod yaml;

use serde_json::{Map, Value};

pub use edit::{EditError, check_editable, edit, merge, replace};
pub use fence::{Fence, Language, newline_of};
pub use scalar::is_special;
pub use yaml::YamlError;

/// A note, read.
#[derive(Debug)]
pub struct Note<'a> {
    text: &'a str,
    fence: Option<Fence>,
    frontmatter: Value,
    error: Option<YamlError>,
}

impl<'a> Note<'a> {
    /// Reads the frontmatter of `text`. It never fails: a block that is not valid YAML (or JSON, where
    /// it says so), or in a language that would have to be run (U-01), is text.
    pub fn read(text: &'a str) -> Self {
        let fence = Fence::find(text);
        let (frontmatter, error) = match &fence {
            None => (Value::Null, None),
            Some(fence) => match block_value(fence, &text[fence.inner.clone()]) {
                Ok(value) => (value, None),
                Err(error) => (Value::Null, Some(error)),
            },
        };
        let frontmatter = if frontmatter.is_null() { Value::Object(Map::new()) } else { frontmatter };
        Self { text, fence, frontmatter, error }
    }

    /// What the frontmatter says; an empty object when there is none. It may be another value than an
    /// object when the block holds a text or a list.
    pub fn frontmatter(&self) -> &Value {
        &self.frontmatter
    }

    /// What `read_note` shows as the content: the body; with a broken block the whole note, so that
    /// nothing is hidden.
    pub fn content(&self) -> &'a str {
        match (&self.fence, &self.error) {
            (Some(fence), None) => &self.text[fence.body..],
            (Some(_), Some(_)) => self.text,
            (None, _) => &self.text[fence::text_start(self.text)..],
        }
    }

    /// Where the body begins, whether the block can be read or not. Text put in front of the body goes
    /// here, so that the block stays where it is (U-10).
    pub fn body_start(&self) -> usize {
        self.fence.as_ref().map_or_else(|| fence::text_start(self.text), |fence| fence.body)
    }

    /// The block, if there is one.
    pub fn fence(&self) -> Option<&Fence> {
        self.fence.as_ref()
    }

    /// There is a block, and it could not be read.
    pub fn is_broken(&self) -> bool {
        self.error.is_some()
    }
}

fn block_value(fence: &Fence, inner: &str) -> Result<Value, YamlError> {
    match &fence.language {
        Language::Yaml => yaml::parse(inner).map(|document| document.value),
        Language::Json if inner.trim().is_empty() => Ok(Value::Null),
        Language::Json => serde_json::from_str(inner)
            .map_err(|error| YamlError { reason: "the JSON is not valid".to_owned(), line: error.line() }),
        Language::Other(name) => {
            Err(YamlError { reason: format!("{name:?} is a language that is not read"), line: 0 })
        }
    }
}

/// A whole note out of a body and the frontmatter given with it. A block that `body` brings along is
/// kept, and the keys of `frontmatter` are set in it.
///
/// # Errors
/// When the block that `body` brings along cannot be edited.
pub fn compose(body: &str, frontmatter: &Map<String, Value>) -> Result<String, EditError> {
    if frontmatter.is_empty() {
        return Ok(body.to_owned());
    }
    let mut note = merge(body, frontmatter)?;
    if !note.ends_with('\n') {
        note.push('\n');
    }
    Ok(note)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
