//! The native engine against the real MCPVault: the same call on twin copies of a vault, and then
//! result, error flag and the whole tree compared, byte for byte.
//!
//! Where the two differ on purpose, the case names the difference, and the difference is listed with its
//! reason in `differences.rs`. A case that names one must really differ, so the list stays true; nothing
//! is skipped. MCPVault is found as the product finds it: by `NOTEGATE_MCPVAULT`, else in
//! `vendor/mcpvault`.

#![cfg(unix)]

mod cases;
mod compare;
mod differences;
mod generated;
mod oracle;
mod tree;
mod twins;

use serde_json::Value;

use differences::Difference;
use twins::Twins;

/// One call, or several in a row, on a fresh pair of vaults.
pub struct Case {
    pub calls: Vec<(String, Value)>,
    /// Why the two engines do not agree.
    pub differs: Option<&'static Difference>,
}

/// Runs the cases on `vault` and reports all that went wrong.
fn run(vault: &tree::Tree, cases: &[Case]) {
    let mut twins = Twins::new();
    let mut failures = Vec::new();
    for case in cases {
        twins.fill(vault);
        let found = case.calls.iter().find_map(|(tool, arguments)| twins.differ(tool, arguments));
        match (found, case.differs) {
            (None, None) | (Some(_), Some(_)) => {}
            (Some(found), None) => failures.push(found),
            (None, Some(difference)) => {
                failures
                    .push(format!("{:?}: no difference, though {:?} is named", case.calls, difference.name));
            }
        }
    }
    let count = cases.len();
    assert!(failures.is_empty(), "{} of {count} cases:\n\n{}", failures.len(), failures.join("\n\n"));
    println!("{count} cases");
}
