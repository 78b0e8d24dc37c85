//! Reading a kernel's own description of its API.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::catalogue::{Catalogue, Endpoint, Roles};
use super::errors::ContractError;
use super::tidy::tidy;
use crate::siyuan::endpoint::{Method, Route};

/// The largest file that is read, in bytes. Kernels of today describe themselves in about four million.
pub const MAX_IMPORT_BYTES: u64 = 64 * 1024 * 1024;

const MAX_VERSION_CHARS: usize = 40;

/// A kernel's file. What it says besides is of no use here, and overlooked.
#[derive(Deserialize)]
struct Schema {
    #[serde(rename = "$defs")]
    defs: Map<String, Value>,
    endpoints: Vec<Described>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Described {
    method: String,
    path: String,
    #[serde(default)]
    body: String,
    request: Option<Value>,
    response: Option<Value>,
    /// Where it is not the envelope.
    output: Option<String>,
    authorization: Option<Vec<String>>,
    #[serde(default)]
    additional_error_statuses: Vec<u16>,
    #[serde(default)]
    empty_response_statuses: Vec<u16>,
}

/// Reads a kernel's `schema.json` as the catalogue of `version`. What the file does not say is taken from
/// `known`: older kernels name no roles, and none has notes.
///
/// # Errors
/// The file cannot be read, is no such description, or does not hang together. Nothing is kept of it.
pub fn read_schema(file: &Path, version: &str, known: &Catalogue) -> Result<Catalogue, ContractError> {
    let version = version.trim();
    let fits = |c: char| c.is_ascii_alphanumeric() || " .+-()_".contains(c);
    if version.is_empty() || version.chars().count() > MAX_VERSION_CHARS || !version.chars().all(fits) {
        return Err(ContractError::Version(version.chars().take(80).collect()));
    }
    let text = read(file)?;
    let schema: Schema =
        serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(&text)).map_err(|error| {
            if error.is_data() {
                foreign(file, error.to_string())
            } else {
                ContractError::syntax(file, &error)
            }
        })?;
    let endpoints: Result<Vec<Endpoint>, ContractError> = schema
        .endpoints
        .into_iter()
        .map(|described| {
            let name = format!("{} {}", described.method, described.path);
            described.read(known).map_err(|problem| foreign(file, format!("{name}: {problem}")))
        })
        .collect();
    let defs: Result<Map<_, _>, ContractError> = schema
        .defs
        .iter()
        .map(|(name, schema)| {
            let tidied =
                tidy(schema).map_err(|problem| foreign(file, format!("the definition {name}: {problem}")))?;
            Ok((name.clone(), tidied))
        })
        .collect();
    Catalogue::new(version.to_owned(), endpoints?, defs?).map_err(|problem| foreign(file, problem))
}

fn read(file: &Path) -> Result<String, ContractError> {
    let read_error = |source| ContractError::Read { path: file.to_owned(), source };
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|opened| opened.take(MAX_IMPORT_BYTES + 1).read_to_end(&mut bytes))
        .map_err(read_error)?;
    if bytes.len() as u64 > MAX_IMPORT_BYTES {
        return Err(ContractError::TooLarge { path: file.to_owned(), limit: MAX_IMPORT_BYTES });
    }
    String::from_utf8(bytes).map_err(|_| foreign(file, "it is not text in UTF-8".into()))
}

fn foreign(file: &Path, problem: String) -> ContractError {
    ContractError::Foreign { path: file.to_owned(), problem }
}

impl Described {
    fn read(self, known: &Catalogue) -> Result<Endpoint, String> {
        let method: Method = self.method.parse().map_err(|_| "this is no HTTP method".to_owned())?;
        let path = Route::parse(&self.path).map_err(|error| error.problem.to_string())?;
        let same = known.endpoint(method, &path);
        let roles = match &self.authorization {
            Some(words) => Roles::from_words(words.iter().map(String::as_str))?,
            None => same.map_or(Roles::UNKNOWN, |endpoint| endpoint.roles),
        };
        let request = match &self.request {
            Some(schema) if self.body != "none" => Some(tidy(schema)?),
            _ => None,
        };
        let (data, envelope) = match &self.response {
            Some(response) => answer(&tidy(response)?),
            None => (None, Vec::new()),
        };
        let mut statuses = [self.additional_error_statuses, self.empty_response_statuses].concat();
        statuses.retain(|&status| status != 200);
        statuses.sort_unstable();
        statuses.dedup();
        Ok(Endpoint {
            method,
            path,
            body: self.body,
            roles,
            channel: self
                .output
                .map(|output| if output == "pluginService" { "plugin-service".into() } else { output }),
            envelope,
            statuses,
            request,
            data,
            note: same.and_then(|endpoint| endpoint.note.clone()),
        })
    }
}

/// What an answer holds: the schema of `data` and the envelope's other members, or the whole answer where
/// it is no envelope. The answer that says what failed is the same everywhere and not kept.
fn answer(response: &Value) -> (Option<Value>, Vec<String>) {
    let one = std::slice::from_ref(response);
    let branches = response.get("anyOf").and_then(Value::as_array).map_or(one, Vec::as_slice);
    let code = |branch: &Value| branch.pointer("/properties/code").cloned();
    let is_failure =
        |branch: &&Value| code(branch).is_some_and(|code| code.get("const").is_some_and(|c| *c != 0));
    let Some(success) = branches.iter().find(|branch| !is_failure(branch)) else { return (None, Vec::new()) };
    if code(success).is_none() {
        return (Some(success.clone()), Vec::new());
    }
    let members = success.get("properties").and_then(Value::as_object);
    let mut envelope = Vec::new();
    let mut data = None;
    for (name, schema) in members.into_iter().flatten() {
        match name.as_str() {
            "code" | "msg" => {}
            "data" => {
                data =
                    Some(schema.clone()).filter(|schema| schema.get("type").is_none_or(|kind| kind != "null"))
            }
            _ => {
                let kind = schema.get("type").and_then(Value::as_str).unwrap_or("any");
                envelope.push(format!("{name}:{kind}"));
            }
        }
    }
    (data, envelope)
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
