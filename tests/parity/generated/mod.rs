//! Generated cases: random vaults, and random calls on them in a row.
//!
//! Where the engines differ, the difference must be traced back to listed ones: each has a repair that takes
//! away its cause and nothing else (`causes`), and with the causes gone both must agree. What a listed
//! difference does not touch must be the same all the same: files that the call does not name, files after a
//! call that only reads, and, but for a few differences, whether the call was refused. What the native engine
//! promises for itself is held against a plain model (`promises`).
//!
//! `NOTEGATE_PARITY_CASES` says how many cases (2,000 if it is not set), `NOTEGATE_PARITY_SEED` which, and
//! `NOTEGATE_PARITY_FIRST` with which number to begin.

mod calls;
mod causes;
mod dice;
mod frontmatter;
mod notes;
mod promises;
mod repairs;

use std::collections::BTreeMap;

use serde_json::Value;

use super::differences::Difference;
use super::tree::{self, Tree};
use super::twins::{Outcome, Twins};
use super::workers;
use causes::{CAUSES, Cause};
use dice::Dice;

/// A vault and a call on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    pub vault: Tree,
    pub tool: &'static str,
    pub arguments: Value,
    /// Calls came before, so that files may have times of their own in each vault.
    pub used: bool,
}

impl Setting {
    pub fn writes(&self) -> bool {
        matches!(
            self.tool,
            "write_note" | "patch_note" | "update_frontmatter" | "delete_note" | "move_note" | "move_file"
        ) || (self.tool == "manage_tags" && self.arguments["operation"] != "list")
    }
}

/// What became of one case.
#[derive(Default)]
struct Report {
    calls: usize,
    explained: Vec<&'static str>,
    failure: Option<String>,
}

#[test]
fn random_calls_on_random_vaults() {
    let number =
        |name: &str, default| std::env::var(name).map_or(default, |text| text.parse::<u64>().expect(name));
    let (cases, seed) = (number("NOTEGATE_PARITY_CASES", 2_000), number("NOTEGATE_PARITY_SEED", 20_260_101));
    let first = number("NOTEGATE_PARITY_FIRST", 0);
    let reports =
        workers::share(cases as usize, |twins, case| run(twins, Dice::of(seed, first + case as u64)));
    let calls: usize = reports.iter().map(|report| report.calls).sum();
    let mut explained: BTreeMap<&str, usize> = BTreeMap::new();
    for name in reports.iter().flat_map(|report| &report.explained) {
        *explained.entry(name).or_default() += 1;
    }
    workers::say(&format!("{calls} generated calls, seed {seed}; differences traced back: {explained:?}"));
    let failed = |(report, case): (&Report, u64)| Some(format!("case {case}: {}", report.failure.as_ref()?));
    let failures: Vec<String> = reports.iter().zip(first..).filter_map(failed).collect();
    assert!(
        failures.is_empty(),
        "{} failures with seed {seed}, the first of them:\n\n{}",
        failures.len(),
        failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n\n")
    );
}

fn run(twins: &mut Twins, mut dice: Dice) -> Report {
    let mut report = Report::default();
    let mut vault = notes::vault(&mut dice);
    twins.fill(&vault);
    let mut used = false;
    for _ in 0..=dice.below(3) {
        let (tool, arguments) = calls::call(&mut dice, &vault);
        let setting = Setting { vault, tool, arguments, used };
        let outcome = twins.call(setting.tool, &setting.arguments);
        vault = twins.vault();
        report.calls += 1;
        used = true;
        let judged =
            promises::check(&setting, &outcome, &vault).and_then(|()| judge(twins, &setting, &outcome));
        match judged {
            Ok(explained) if explained.is_empty() => {}
            Ok(explained) => {
                report.explained.extend(explained.iter().map(|difference| difference.name));
                // On with the native engine's vault on both sides.
                twins.fill(&vault);
                used = false;
            }
            Err(failure) => {
                let vault = tree::listing(&setting.vault);
                report.failure = Some(format!("{failure}\n  the vault before it:\n{vault}"));
                break;
            }
        }
    }
    report
}

/// The listed differences that account for what differs.
fn judge(
    twins: &mut Twins,
    setting: &Setting,
    outcome: &Outcome,
) -> Result<Vec<&'static Difference>, String> {
    let Some(found) = outcome.difference() else { return Ok(Vec::new()) };
    let flags = outcome.upstream.is_error != outcome.native.is_error;
    let causes = traced(twins, setting, flags).ok_or(found)?;
    Ok(causes.iter().map(|cause| cause.difference).collect())
}

/// The fewest causes without which both engines agree. `flags`: one of them must be able to make the difference
/// between done and refused.
fn traced(twins: &mut Twins, setting: &Setting, flags: bool) -> Option<Vec<&'static Cause>> {
    // A cause may be hidden by another one that comes first.
    let mut repaired = setting.clone();
    let applies = |cause: &&Cause| {
        let next = (cause.repair)(&repaired, twins);
        let applies = next != repaired || (cause.repair)(setting, twins) != *setting;
        repaired = next;
        applies
    };
    let applying: Vec<&Cause> = CAUSES.iter().filter(applies).collect();
    let mut combinations: Vec<Vec<&Cause>> = vec![Vec::new()];
    for _ in 0..4 {
        let mut larger = Vec::new();
        for combination in &combinations {
            let from = combination
                .last()
                .map_or(0, |last| applying.iter().position(|one| std::ptr::eq(*one, *last)).unwrap() + 1);
            for cause in &applying[from..] {
                let causes: Vec<&Cause> = combination.iter().copied().chain([*cause]).collect();
                let mut repaired = setting.clone();
                for cause in &causes {
                    repaired = (cause.repair)(&repaired, twins);
                }
                twins.fill(&repaired.vault);
                let may_be = !flags || causes.iter().any(|cause| cause.flags);
                if may_be && twins.call(repaired.tool, &repaired.arguments).difference().is_none() {
                    return Some(causes);
                }
                larger.push(causes);
            }
        }
        combinations = larger;
    }
    None
}
