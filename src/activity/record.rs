//! What one row of the log says. No text of notes and no secret is among it: only names, ids and times.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::secrets::filter::Filters;
use crate::settings::RuntimeId;

/// The longest name or id that is kept, in characters; what is longer ends in "…".
const LONGEST_NAME: usize = 300;

/// How many endpoints, and how many documents and blocks, of one operation are kept.
pub(super) const MOST_OBJECTS: usize = 32;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(
    /// Names one tool call. Its operations, one or several, share it.
    CallId
);
id!(
    /// Names one operation: one thing that was sent, or refused, on behalf of a call.
    OperationId
);

/// An enum that is stored, shown and typed as a word.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every one, in the order in which they are shown.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text).ok_or_else(|| {
                    let known = Self::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(", ");
                    format!(concat!("{:?} is not ", $what, "; there are {}"), text, known)
                })
            }
        }
    };
}

words! {
    /// How an operation came out.
    Outcome, "an outcome" {
        /// Its intent is recorded, and nothing is known beyond that yet.
        Running = "running",
        Succeeded = "succeeded",
        /// It was carried out, or tried, and came to nothing; what it was to write is not written.
        Failed = "failed",
        /// It was not sent.
        Refused = "refused",
        /// It was ended before it could have changed anything.
        Cancelled = "cancelled",
        /// It went out, and nobody answers whether it took effect.
        Sent = "sent",
        /// It may have taken effect or not. Never repeated by us.
        Uncertain = "uncertain",
    }
}

words! {
    /// By what an operation was let through or held back.
    Decision, "a decision" {
        /// Nothing stood in its way.
        Direct = "direct",
        /// It would have been asked about; the runtime works with full access.
        FullAccess = "full-access",
        /// A person approved it.
        Approved = "approved",
        /// A person refused it.
        RefusedByPerson = "refused-by-person",
        /// The work mode does not allow it.
        Mode = "mode",
        /// It would have had to be asked about, and the runtime's approval policy forbids asking.
        Policy = "policy",
        /// What is saved does not allow it, or changed meanwhile.
        Configuration = "configuration",
        /// A person was asked and did not answer in time.
        Expired = "expired",
        /// The call ended while a person was being asked.
        Cancelled = "cancelled",
        /// Nobody was there to be asked.
        NoAnswerer = "no-answerer",
    }
}

words! {
    /// What an [`Object`] is.
    ObjectKind, "a kind of object" {
        /// A document of a kernel, by its id.
        Document = "document",
        /// A block of a kernel, by its id.
        Block = "block",
        /// A file of a vault, by its path inside.
        Note = "note",
    }
}

/// A document, block or note that an operation is about, as far as it could be told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    pub kind: ObjectKind,
    pub id: String,
}

/// What an operation reaches, by the key that permissions are given to, and the permission in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    pub key: String,
    /// `None` where nobody had to look at one.
    pub permission: Option<String>,
}

/// What is recorded before anything is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    pub call: CallId,
    pub runtime: RuntimeId,
    /// The session's label, where the protocol shows one.
    pub session: Option<String>,
    pub tool: String,
    /// It may change notes.
    pub writes: bool,
    /// The kernel that it goes to.
    pub kernel: Option<String>,
    /// The vault that the call named.
    pub vault: Option<String>,
    pub endpoints: Vec<Endpoint>,
    pub decision: Decision,
    pub objects: Vec<Object>,
}

/// What is recorded afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    pub outcome: Outcome,
    /// The code of the error that was answered.
    pub code: Option<String>,
    /// What came to be known only by the answer, as the id of a new document.
    pub objects: Vec<Object>,
}

impl Ending {
    pub fn new(outcome: Outcome, code: Option<&str>) -> Self {
        Self { outcome, code: code.map(str::to_owned), objects: Vec::new() }
    }
}

/// One operation, as it stands in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// Counts up; a page ends at one of these.
    pub number: u64,
    #[serde(rename = "operationId")]
    pub operation: OperationId,
    #[serde(rename = "callId")]
    pub call: CallId,
    pub started: SystemTime,
    pub runtime: RuntimeId,
    pub session: Option<String>,
    pub tool: String,
    pub writes: bool,
    pub kernel: Option<String>,
    pub vault: Option<String>,
    pub endpoints: Vec<Endpoint>,
    pub decision: Decision,
    pub objects: Vec<Object>,
    pub outcome: Outcome,
    pub code: Option<String>,
    /// From the intent to the outcome; `None` while it runs, and where nobody saw its end.
    #[serde(rename = "durationMs", with = "milliseconds")]
    pub duration: Option<Duration>,
}

mod milliseconds {
    //! A duration as whole milliseconds.

    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(duration: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        duration.map(super::whole_milliseconds).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Duration::from_millis))
    }
}

/// Rounded up, so that nothing that happened took no time at all.
pub(super) fn whole_milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros().div_ceil(1000)).unwrap_or(u64::MAX)
}

impl Intent {
    /// Takes out secrets, and cuts what a caller can make as long as it likes.
    pub(super) fn presentable(mut self, filters: &Filters) -> Self {
        for text in [&mut self.session, &mut self.kernel, &mut self.vault] {
            *text = text.take().map(|text| shortened(&filters.written(&text)));
        }
        self.endpoints.truncate(MOST_OBJECTS);
        for Endpoint { key, .. } in &mut self.endpoints {
            *key = shortened(&filters.written(key));
        }
        self.tool = shortened(&filters.written(&self.tool));
        self.objects = presentable(self.objects, filters);
        self
    }
}

/// The same for what an operation is about.
pub(super) fn presentable(objects: Vec<Object>, filters: &Filters) -> Vec<Object> {
    let kept = objects.into_iter().take(MOST_OBJECTS);
    kept.map(|Object { kind, id }| Object { kind, id: shortened(&filters.written(&id)) }).collect()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back_as_what_it_stands_for() {
        for outcome in Outcome::ALL {
            assert_eq!(outcome.as_str().parse(), Ok(*outcome));
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.as_str());
        }
        for decision in Decision::ALL {
            assert_eq!(decision.as_str().parse(), Ok(*decision));
        }
        let error = "maybe".parse::<Outcome>().unwrap_err();
        assert!(error.contains("not an outcome") && error.contains("uncertain"), "{error}");
    }

    #[test]
    fn what_a_caller_makes_long_is_cut_between_characters() {
        assert_eq!(shortened(&"笔".repeat(300)), "笔".repeat(300));
        assert_eq!(shortened(&"笔".repeat(301)), format!("{}…", "笔".repeat(300)));
        let note = |n: usize| Object { kind: ObjectKind::Note, id: n.to_string() };
        assert_eq!(presentable((0..100).map(note).collect(), &Filters::default()).len(), MOST_OBJECTS);
    }
}
