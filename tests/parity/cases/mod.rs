//! The hand-written cases. Each table is about one tool or a few alike.

mod paths;
mod reading;
mod removing;
mod searching;
mod vault;
mod writing;

use serde_json::Value;

use super::Case;
use super::differences::Difference;

/// A line of a table: the arguments as JSON, and the difference if there is one.
pub type Row = (&'static str, Option<&'static Difference>);

/// The cases of a table for one tool.
pub fn table(tool: &str, rows: &[Row]) -> Vec<Case> {
    let case = |(arguments, differs): &Row| Case {
        calls: vec![(tool.to_owned(), parsed(arguments))],
        differs: *differs,
    };
    rows.iter().map(case).collect()
}

pub fn parsed(arguments: &str) -> Value {
    serde_json::from_str(arguments).unwrap_or_else(|error| panic!("{arguments}: {error}"))
}
