//! A body that a person typed, held against the contract. Nothing is sent.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::of_contract;
use crate::core::error::{Case, CommandError};
use crate::siyuan::contract::{Catalogue, Finding, FindingKind};
use crate::siyuan::endpoint::EndpointKey;

/// What was found in a body. Without errors it has what the kernel asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyReport {
    pub errors: Vec<BodyFinding>,
    pub warnings: Vec<BodyFinding>,
    /// How many further findings are not named.
    pub more: usize,
}

/// One place in a body, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyFinding {
    /// JSON pointer; empty for the body itself.
    pub at: String,
    /// In English.
    pub problem: String,
    /// The case at hand, where it is one of those that have a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Case>,
}

/// Holds `text` against what the contract says of `key`. A blank text is no body.
///
/// # Errors
/// The text is no JSON, or the contract does not know the endpoint.
pub(super) fn check(
    catalogue: &Catalogue,
    key: &EndpointKey,
    text: &str,
) -> Result<BodyReport, CommandError> {
    let endpoint = of_contract(catalogue, key).ok_or_else(|| {
        CommandError::new(
            "not_in_contract",
            format!("the contract does not know {key}, so no body can be checked"),
        )
    })?;
    let body: Option<Value> = match text.trim() {
        "" => None,
        text => Some(serde_json::from_str(text).map_err(|error| no_json(&error))?),
    };
    let report = catalogue.validate(endpoint, body.as_ref());
    Ok(BodyReport {
        errors: report.errors.into_iter().map(BodyFinding::from).collect(),
        warnings: report.warnings.into_iter().map(BodyFinding::from).collect(),
        more: report.more,
    })
}

fn no_json(error: &serde_json::Error) -> CommandError {
    let (line, column) = (error.line(), error.column());
    let told =
        CommandError::new("not_json", format!("the body is no JSON, see line {line}, column {column}"));
    let told = CommandError { field: Some("body".into()), ..told };
    told.about("json_place", format!("{line}:{column}"))
}

impl From<Finding> for BodyFinding {
    fn from(finding: Finding) -> Self {
        let Finding { at, problem, kind } = finding;
        let case = |reason: &str, subject| Some(Case { reason: reason.to_owned(), subject });
        let case = match kind {
            FindingKind::Missing(field) => case("body_field_missing", field),
            FindingKind::Type(types) => case("body_type", types),
            FindingKind::Unknown => case("body_field_unknown", String::new()),
            FindingKind::NoBody => case("body_unread", String::new()),
            FindingKind::Other => None,
        };
        Self { at, problem, case }
    }
}
