//! Holding a body against the contract before it is sent. Missing and ill-typed fields are errors; fields
//! that the contract does not know are warnings, since a newer kernel may know them.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::catalogue::{Catalogue, Endpoint};
use super::fields::kinds;

/// How many findings of each kind are named; the rest is counted.
const MAX_FINDINGS: usize = 20;

/// What was found. A body without errors has what the kernel asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    pub errors: Vec<Finding>,
    pub warnings: Vec<Finding>,
    /// How many further findings are not named.
    pub more: usize,
}

/// One place in a body, and what is wrong with it. The body's values are not repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// JSON pointer; empty for the body itself.
    pub at: String,
    pub problem: String,
    /// The same for programs, which tell it in a language of their own.
    #[serde(skip)]
    pub kind: FindingKind,
}

/// What is wrong, where it is one of the few things that mostly are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FindingKind {
    /// A field of this name has to be there.
    Missing(String),
    /// Another type is due: one of these, in the words of JSON Schema.
    Type(String),
    /// The contract does not know the field.
    Unknown,
    /// The endpoint reads no body.
    NoBody,
    Other,
}

impl Report {
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    fn error(&mut self, at: String, problem: String, kind: FindingKind) {
        push(&mut self.errors, &mut self.more, Finding { at, problem, kind });
    }

    fn warning(&mut self, at: String, problem: &str, kind: FindingKind) {
        push(&mut self.warnings, &mut self.more, Finding { at, problem: problem.to_owned(), kind });
    }
}

fn push(findings: &mut Vec<Finding>, more: &mut usize, finding: Finding) {
    if findings.contains(&finding) {
        return;
    }
    if findings.len() < MAX_FINDINGS { findings.push(finding) } else { *more += 1 }
}

impl Catalogue {
    /// Holds a body against an endpoint's contract. No body is taken as an empty object, which is what has
    /// to be sent then.
    pub fn validate(&self, endpoint: &Endpoint, body: Option<&Value>) -> Report {
        let empty = Value::Object(Map::new());
        let body = body.unwrap_or(&empty);
        let mut report = Report::default();
        let Some(request) = &endpoint.request else {
            if !body.as_object().is_some_and(Map::is_empty) {
                report.warning(String::new(), "the endpoint reads no body", FindingKind::NoBody);
            }
            return report;
        };
        let schema = json!({"allOf": [request], "$defs": self.definitions_of([request])});
        match jsonschema::options().offline().build(&schema) {
            Ok(validator) => {
                for error in validator.iter_errors(body) {
                    explain(&error, &mut report);
                }
            }
            Err(error) => {
                let problem = format!("the contract itself cannot be read: {}", error.masked());
                report.error(String::new(), problem, FindingKind::Other);
            }
        }
        self.find_unknown(&[request], body, "", &mut report);
        report
    }

    /// Whether a success with `data: null` is none: the contract has no null there, or it has a list of
    /// transactions, of which there is at least one where anything was done.
    pub fn promises_data(&self, endpoint: &Endpoint) -> bool {
        // An older kernel says null for no rows, whatever the contract of a newer one has.
        const NO_ROWS: &str = "/api/query/sql";
        let Some(data) = endpoint.data.as_ref().filter(|_| endpoint.path.as_str() != NO_ROWS) else {
            return false;
        };
        let of_list = &data["items"]["anyOf"][0]["$ref"];
        if of_list.as_str().is_some_and(|name| name.ends_with("/BlockTransaction")) {
            return true;
        }
        let schema = json!({"allOf": [data], "$defs": self.definitions_of([data])});
        let validator = jsonschema::options().offline().build(&schema);
        validator.is_ok_and(|validator| !validator.is_valid(&Value::Null))
    }

    /// Warns of every field that no schema for its place knows.
    fn find_unknown(&self, schemas: &[&Value], value: &Value, at: &str, report: &mut Report) {
        let leaves = self.leaves(schemas);
        let takes = |kind: &'static str| {
            leaves.iter().copied().filter(move |leaf| kinds(leaf).is_empty() || kinds(leaf).contains(&kind))
        };
        match value {
            Value::Object(members) => {
                let objects: Vec<&Map<String, Value>> = takes("object").collect();
                if objects.is_empty() {
                    return; // not an object's place, which is an error already
                }
                for (name, member) in members {
                    let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                    let known: Vec<&Value> = objects
                        .iter()
                        .filter_map(|leaf| leaf.get("properties").and_then(|properties| properties.get(name)))
                        .collect();
                    if !known.is_empty() {
                        self.find_unknown(&known, member, &at, report);
                        continue;
                    }
                    let free: Vec<&Value> =
                        objects.iter().filter_map(|leaf| leaf.get("additionalProperties")).collect();
                    let is_open = objects.iter().any(|leaf| {
                        !leaf.contains_key("properties") && !leaf.contains_key("additionalProperties")
                    });
                    if !free.is_empty() {
                        self.find_unknown(&free, member, &at, report);
                    } else if !is_open {
                        let problem = "the contract does not know this field; the kernel may overlook it";
                        report.warning(at, problem, FindingKind::Unknown);
                    }
                }
            }
            Value::Array(entries) => {
                let items: Vec<&Value> = takes("array").filter_map(|leaf| leaf.get("items")).collect();
                if items.is_empty() {
                    return;
                }
                for (index, entry) in entries.iter().enumerate() {
                    self.find_unknown(&items, entry, &format!("{at}/{index}"), report);
                }
            }
            _ => {}
        }
    }
}

/// Turns an error into findings. Of a choice, the branch that was meant is explained: one that does not
/// fail at the very type of the value.
fn explain(error: &ValidationError<'_>, report: &mut Report) {
    if let ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } =
        error.kind()
    {
        let place = error.instance_path().as_str();
        let is_meant = |branch: &&Vec<ValidationError<'_>>| {
            !branch.iter().any(|inner| {
                inner.instance_path().as_str() == place
                    && matches!(inner.kind(), ValidationErrorKind::Type { .. })
            })
        };
        let mut meant = context.iter().filter(is_meant);
        if let (Some(branch), None) = (meant.next(), meant.next()) {
            branch.iter().for_each(|inner| explain(inner, report));
            return;
        }
    }
    let problem = error.masked_with("it").to_string();
    report.error(error.instance_path().as_str().to_owned(), problem, kind_of(error.kind()));
}

fn kind_of(kind: &ValidationErrorKind) -> FindingKind {
    match kind {
        ValidationErrorKind::Required { property } => {
            FindingKind::Missing(property.as_str().unwrap_or_default().to_owned())
        }
        ValidationErrorKind::Type { kind: TypeKind::Single(one) } => FindingKind::Type(one.to_string()),
        ValidationErrorKind::Type { kind: TypeKind::Multiple(some) } => {
            FindingKind::Type(some.iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", "))
        }
        _ => FindingKind::Other,
    }
}

#[cfg(test)]
#[path = "validate_tests.rs"]
mod tests;
