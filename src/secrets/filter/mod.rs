//! The output filter: no secret that is known gets out, however it is written.
//!
//! A [`Filter`] knows some secrets and takes them out of texts, JSON values and bodies that come in
//! chunks. It knows a secret as itself; with JSON's escapes, at any depth of JSON within JSON;
//! percent-encoded, in part or wholly; in Base64, in both alphabets, wherever in a longer text it begins; in
//! hexadecimal digits; and where a whole text is encoded, by decoding it, three times over. In its place
//! stands [`REDACTED`].
//!
//! [`Filters`] holds the secrets that are configured, and is asked for the filter of the moment. The keys of
//! runtimes are kept as digests only, so no filter can know them all: the key of a request is known
//! while it is answered, and [`mask_own_keys`] recognises any of our own by its form, for what is written
//! down.
//!
//! Invariant: whatever is longer than [`SHORTEST`] and known is not in what comes out. What comes out of
//! valid UTF-8 and of JSON text is valid again.

mod fields;
mod filters;
mod matcher;
mod needle;
mod own_keys;
mod search;
mod stream;
mod units;
mod whole;

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

pub use fields::mask_fields;
pub use filters::Filters;
use matcher::Targets;
pub use needle::SHORTEST;
pub use own_keys::mask_own_keys;
pub use stream::Stream;

use super::Secret;

/// Stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";

/// Takes certain secrets out of whatever passes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Filter {
    targets: Arc<Targets>,
}

impl Filter {
    /// A filter for these secrets. One that is shorter than [`SHORTEST`] is not looked for.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        Self { targets: Arc::new(Targets::new(secrets.into_iter().map(Secret::reveal))) }
    }

    /// Whether there is nothing that it looks for.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// For a body that comes in chunks.
    pub fn stream(&self) -> Stream {
        Stream::new(Arc::clone(&self.targets))
    }

    /// A body that is there as a whole.
    pub fn bytes<'t>(&self, body: &'t [u8]) -> Cow<'t, [u8]> {
        if self.is_empty() || body.len() < SHORTEST {
            return Cow::Borrowed(body);
        }
        let (mut stream, mut out) = (self.stream(), Vec::with_capacity(body.len()));
        stream.push(body, &mut out);
        stream.finish(&mut out);
        if stream.found() { Cow::Owned(out) } else { Cow::Borrowed(body) }
    }

    /// A text.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.bytes(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            // Secrets are taken out between characters, so nothing is lost here.
            Cow::Owned(clean) => Cow::Owned(String::from_utf8_lossy(&clean).into_owned()),
        }
    }

    /// Whether a text holds a secret.
    pub fn holds(&self, text: &[u8]) -> bool {
        matches!(self.bytes(text), Cow::Owned(_))
    }

    /// Every text within a JSON value, the names of fields included.
    pub fn value(&self, value: &mut Value) {
        if self.is_empty() {
            return;
        }
        match value {
            Value::String(text) => {
                if let Cow::Owned(clean) = self.text(text) {
                    *text = clean;
                }
            }
            Value::Array(entries) => entries.iter_mut().for_each(|entry| self.value(entry)),
            Value::Object(fields) => self.fields(fields),
            Value::Number(number) if self.targets.digits => {
                if self.holds(number.to_string().as_bytes()) {
                    *value = REDACTED.into();
                }
            }
            Value::Number(_) | Value::Bool(_) | Value::Null => {}
        }
    }

    /// The same for an object.
    pub fn fields(&self, fields: &mut Map<String, Value>) {
        if self.is_empty() {
            return;
        }
        fields.values_mut().for_each(|field| self.value(field));
        if fields.keys().any(|name| self.holds(name.as_bytes())) {
            let renamed = std::mem::take(fields).into_iter();
            fields.extend(renamed.map(|(name, field)| (self.text(&name).into_owned(), field)));
        }
    }
}

#[cfg(test)]
mod filter_tests;
