//! Finding endpoints offline: by path, words, method and role, a page at a time.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::catalogue::{Catalogue, Endpoint, Roles};
use crate::siyuan::endpoint::{EndpointKey, Method, Route};
use crate::siyuan::permissions::closed;

/// How many endpoints a page holds unless it is said.
pub const DEFAULT_LIMIT: usize = 20;

/// How many endpoints a page holds at most.
pub const MAX_LIMIT: usize = 100;

/// How long the schemas of one page may get, in bytes of JSON. The next page goes on where this one ends.
const MAX_SCHEMA_BYTES: usize = 150_000;

/// What is looked for. All that is given must fit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Query {
    /// How the path begins, in any letter case.
    pub path: Option<String>,
    /// Each word must stand somewhere in path, note or fields.
    pub words: Option<String>,
    pub method: Option<Method>,
    pub role: Option<RoleFilter>,
    /// With the schemas of body and answer.
    pub include_schema: bool,
    pub offset: usize,
    pub limit: Option<usize>,
}

/// Endpoints by what they ask of the caller or do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoleFilter {
    /// Not marked as changing anything.
    Reads,
    Writes,
    /// Asks for no credentials.
    Public,
    Admin,
}

impl RoleFilter {
    pub const ALL: [(&str, Self); 4] =
        [("reads", Self::Reads), ("writes", Self::Writes), ("public", Self::Public), ("admin", Self::Admin)];

    fn fits(self, roles: Roles) -> bool {
        match self {
            Self::Reads => !roles.writable,
            Self::Writes => roles.writable,
            Self::Public => !roles.authenticated,
            Self::Admin => roles.admin,
        }
    }
}

impl FromStr for RoleFilter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find_map(|(word, filter)| (word == text).then_some(filter))
            .ok_or_else(|| format!("{text:?} is no role; the roles are reads, writes, public, admin"))
    }
}

/// A part of what was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The kernel version that the contract describes.
    pub version: String,
    /// How many endpoints fit in all.
    pub total: usize,
    pub offset: usize,
    pub endpoints: Vec<Found>,
    /// Where the next page begins; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
}

/// An endpoint as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// What a permission is given to.
    pub key: EndpointKey,
    pub method: Method,
    pub path: Route,
    pub roles: Roles,
    pub body: String,
    /// The body's fields, in few words.
    pub fields: Map<String, Value>,
    /// What `data` in the answer is, in few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub envelope: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Why no permission opens it in this release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
}

impl Catalogue {
    /// Looks for endpoints. Grants nothing, asks no kernel.
    pub fn search(&self, query: &Query) -> Page {
        let path = query.path.as_deref().unwrap_or_default().trim().to_ascii_lowercase();
        let words: Vec<String> =
            query.words.as_deref().unwrap_or_default().split_whitespace().map(str::to_lowercase).collect();
        let found: Vec<&Endpoint> = self
            .endpoints()
            .iter()
            .filter(|endpoint| {
                endpoint.path.as_str().to_ascii_lowercase().starts_with(&path)
                    && query.method.is_none_or(|method| method == endpoint.method)
                    && query.role.is_none_or(|role| role.fits(endpoint.roles))
                    && (words.is_empty() || self.holds_words(endpoint, &words))
            })
            .collect();
        let limit = query.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
        let mut endpoints = Vec::new();
        let mut bytes = 0;
        for endpoint in found.iter().skip(query.offset).take(limit) {
            let shown = self.show(endpoint, query.include_schema);
            bytes += shown.schema.as_ref().map_or(0, |schema| schema.to_string().len());
            if bytes > MAX_SCHEMA_BYTES && !endpoints.is_empty() {
                break;
            }
            endpoints.push(shown);
        }
        let end = query.offset.saturating_add(endpoints.len());
        Page {
            version: self.version().to_owned(),
            total: found.len(),
            offset: query.offset,
            next_offset: (end < found.len()).then_some(end),
            endpoints,
        }
    }

    /// An endpoint as it is shown.
    pub fn show(&self, endpoint: &Endpoint, include_schema: bool) -> Found {
        let schema = include_schema.then(|| {
            let (request, data) = (&endpoint.request, &endpoint.data);
            let mut schema = json!({"request": request, "data": data});
            let defs = self.definitions_of([request, data].into_iter().flatten());
            if !defs.is_empty() {
                schema["$defs"] = defs.into();
            }
            schema
        });
        let key = endpoint.key();
        Found {
            closed: closed::why(&key).map(closed::Closed::why),
            key,
            method: endpoint.method,
            path: endpoint.path.clone(),
            roles: endpoint.roles,
            body: endpoint.body.clone(),
            fields: endpoint.request.as_ref().map(|request| self.fields(request)).unwrap_or_default(),
            answer: endpoint.data.as_ref().map(|data| self.word(data)),
            channel: endpoint.channel.clone(),
            envelope: endpoint.envelope.clone(),
            statuses: endpoint.statuses.clone(),
            note: endpoint.note.clone(),
            schema,
        }
    }

    fn holds_words(&self, endpoint: &Endpoint, words: &[String]) -> bool {
        let text = self.words_of(endpoint);
        words.iter().all(|word| text.contains(word.as_str()))
    }

    /// What is searched of an endpoint, in lower case: its path, its note, the names of its fields.
    pub fn words_of(&self, endpoint: &Endpoint) -> String {
        let mut text = format!("{} {}", endpoint.path, endpoint.note.as_deref().unwrap_or_default());
        for field in endpoint.request.iter().flat_map(|request| self.fields(request)) {
            text.push(' ');
            text.push_str(&field.0);
        }
        text.to_lowercase()
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
