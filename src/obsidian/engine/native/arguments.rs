//! The arguments of one call, read one by one.
//!
//! The service has held them against the schema before; this is the engine's own floor, so that an
//! unknown word can never fall through to the harshest choice (U-04).

use serde_json::{Map, Value};

use super::error::NoteError;
use super::path;

/// The arguments of a call.
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'a>(pub &'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// The value of `name`, if it was given.
    pub fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    /// A text that must be there.
    ///
    /// # Errors
    /// When it is missing or no text.
    pub fn text(self, name: &str) -> Result<&'a str, NoteError> {
        match self.get(name) {
            None => Err(NoteError::Said(format!("{name} is required"))),
            Some(value) => value.as_str().ok_or_else(|| wrong(name, "a text", value)),
        }
    }

    /// A path that must be there, without blanks around it.
    ///
    /// # Errors
    /// As [`Arguments::text`].
    pub fn path(self, name: &str) -> Result<&'a str, NoteError> {
        self.text(name).map(path::trim)
    }

    /// A list of texts; empty when it was left out.
    ///
    /// # Errors
    /// When it is something else.
    pub fn texts(self, name: &str) -> Result<Vec<&'a str>, NoteError> {
        let Some(value) = self.get(name) else { return Ok(Vec::new()) };
        let entries = value.as_array().ok_or_else(|| wrong(name, "a list of texts", value))?;
        entries
            .iter()
            .map(|entry| entry.as_str().ok_or_else(|| wrong(name, "a list of texts", entry)))
            .collect()
    }

    /// A list of texts that must be there.
    ///
    /// # Errors
    /// When it is missing or something else.
    pub fn required_texts(self, name: &str) -> Result<Vec<&'a str>, NoteError> {
        if self.get(name).is_none() {
            return Err(NoteError::Said(format!("{name} is required")));
        }
        self.texts(name)
    }

    /// A yes or no.
    ///
    /// # Errors
    /// When it is something else.
    pub fn flag(self, name: &str, default: bool) -> Result<bool, NoteError> {
        match self.get(name) {
            None => Ok(default),
            Some(value) => value.as_bool().ok_or_else(|| wrong(name, "true or false", value)),
        }
    }

    /// A number, if it was given.
    ///
    /// # Errors
    /// When it is something else.
    pub fn number(self, name: &str) -> Result<Option<f64>, NoteError> {
        self.get(name).map(|value| value.as_f64().ok_or_else(|| wrong(name, "a number", value))).transpose()
    }

    /// One of `words`; the first of them when it was left out.
    ///
    /// # Errors
    /// U-04: when it is anything else.
    pub fn word(self, name: &str, words: &[&'static str]) -> Result<&'static str, NoteError> {
        let Some(value) = self.get(name) else { return Ok(words.first().copied().unwrap_or_default()) };
        let known = words.iter().find(|word| value.as_str() == Some(word));
        known.copied().ok_or_else(|| wrong(name, &format!("one of {}", words.join(", ")), value))
    }

    /// Whether the answer is to be indented.
    ///
    /// # Errors
    /// When it is not said by true or false.
    pub fn pretty(self) -> Result<bool, NoteError> {
        self.flag("prettyPrint", false)
    }
}

fn wrong(name: &str, expected: &str, found: &Value) -> NoteError {
    let found: String = found.to_string().chars().take(40).collect();
    NoteError::Said(format!("{name} must be {expected}, not {found}"))
}
