//! The hand-written cases, all of them, and what is known of them as a whole.

use std::collections::BTreeMap;

use serde_json::Value;

use super::cases;
use super::differences::{self, Difference};
use super::tree::Tree;
use super::{special, workers};

/// Cases about one vault.
pub struct Group {
    pub name: &'static str,
    pub vault: Tree,
    pub cases: Vec<Case>,
}

/// One call, or several in a row, on a fresh pair of vaults.
pub struct Case {
    pub calls: Vec<(String, Value)>,
    /// Why the two engines do not agree.
    pub differs: Option<&'static Difference>,
}

#[test]
fn both_engines_agree_but_for_what_is_listed() {
    let groups = cases::all();
    let cases: Vec<(&Group, &Case)> =
        groups.iter().flat_map(|group| group.cases.iter().map(move |case| (group, case))).collect();
    workers::say(&format!("{} hand-written cases in {} groups", cases.len(), groups.len()));
    assert!(cases.len() >= 300);
    let found = workers::share(cases.len(), |twins, number| {
        let (group, case) = cases[number];
        twins.fill(&group.vault);
        case.calls.iter().find_map(|(tool, arguments)| twins.call(tool, arguments).difference())
    });
    let (mut failures, mut explained) = (Vec::new(), BTreeMap::<&str, Vec<String>>::new());
    for ((group, case), found) in cases.iter().zip(found) {
        match (found, case.differs) {
            (None, None) => {}
            (Some(found), Some(difference)) => explained.entry(difference.name).or_default().push(found),
            (Some(found), None) => failures.push(format!("{}: {found}", group.name)),
            (None, Some(difference)) => failures.push(format!(
                "{}: {:?}: no difference, though {:?} is named",
                group.name, case.calls, difference.name
            )),
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n\n{}", failures.len(), cases.len(), failures.join("\n\n"));
    // What is excused is held as it is: another difference in the same place is none of those.
    let listed = explained.iter().map(|(name, found)| format!("# {name}\n\n{}", found.join("\n\n")));
    insta::assert_snapshot!("listed_differences", listed.collect::<Vec<_>>().join("\n\n"));
}

/// The list is not longer than the differences: MCPVault was seen to do what each entry says of it.
#[test]
fn every_listed_difference_is_shown_by_a_case() {
    let groups = cases::all();
    let named: Vec<&Difference> =
        groups.iter().flat_map(|group| &group.cases).filter_map(|case| case.differs).collect();
    let is_shown = |difference: &&&Difference| {
        named.contains(*difference)
            || special::SHOWN.contains(*difference)
            || special::NOT_SHOWN.contains(*difference)
    };
    let missing: Vec<&str> = differences::ALL
        .iter()
        .filter(|difference| !is_shown(difference))
        .map(|difference| difference.name)
        .collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
}
