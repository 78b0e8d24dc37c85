//! A text that a call would change, as the person sees it who is asked: what it is now, and what it would become.
//!
//! What it is now was read for that person's eyes. It is held while the question stands and no longer, and it is shown
//! only to whoever can answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::question::cut;
use crate::secrets::filter::Filters;

/// The most of a text that is shown, in characters.
const SHOWN_TEXT: usize = 8000;

/// A text before and after a call. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextChange {
    /// The title of the document that holds it, where that could be read.
    pub document: Option<String>,
    /// What it is now; `None`: that could not be read.
    pub before: Option<String>,
    /// What it would be; `None`: it would be gone.
    pub after: Option<String>,
}

impl TextChange {
    /// Without secrets, and no longer than a person reads.
    pub(super) fn shown(self, filters: &Filters) -> Self {
        let clean = |text: Option<String>| text.map(|text| cut(&filters.written(&text), SHOWN_TEXT));
        Self { document: clean(self.document), before: clean(self.before), after: clean(self.after) }
    }
}

impl fmt::Debug for TextChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TextChange(…)")
    }
}
