//! The hand-written cases. Each table is about one tool or a few alike.

mod corners;
mod paths;
mod reading;
mod removing;
mod searching;
mod vault;
mod writing;

use serde_json::Value;

use super::tree::Tree;

use super::differences::Difference;
use super::hand_written::{Case, Group};

/// All of them.
pub fn all() -> Vec<Group> {
    [
        reading::groups(),
        searching::groups(),
        paths::groups(),
        writing::groups(),
        removing::groups(),
        corners::groups(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A line of a table: the arguments as JSON, and the difference if there is one.
pub type Row = (&'static str, Option<&'static Difference>);

pub fn group(name: &'static str, vault: Tree, cases: Vec<Case>) -> Group {
    Group { name, vault, cases }
}

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
