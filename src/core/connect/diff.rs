//! A change as a person reads it: the lines that go and come, with a little of what is around them.

use serde::{Deserialize, Serialize};

/// A line of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffLine {
    pub sign: Sign,
    pub text: String,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    Stays,
    Goes,
    Comes,
}

impl Sign {
    /// What stands before such a line.
    pub fn mark(self) -> char {
        match self {
            Self::Stays => ' ',
            Self::Goes => '-',
            Self::Comes => '+',
        }
    }
}

/// How many lines are shown around a change.
const AROUND: usize = 2;

/// The change from `old` to `new`, which is in one place. Keys of ours are not shown.
pub fn diff(old: &str, new: &str) -> Vec<DiffLine> {
    if old == new {
        return Vec::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let before = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let shorter = old.len().min(new.len()) - before;
    let after =
        old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(|(old, new)| old == new).count();
    let line = |sign| move |text: &&str| DiffLine { sign, text: without_keys(text) };
    let (old_end, new_end) = (old.len() - after, new.len() - after);
    let mut lines: Vec<DiffLine> =
        old[before.saturating_sub(AROUND)..before].iter().map(line(Sign::Stays)).collect();
    lines.extend(old[before..old_end].iter().map(line(Sign::Goes)));
    lines.extend(new[before..new_end].iter().map(line(Sign::Comes)));
    lines.extend(old[old_end..(old_end + AROUND).min(old.len())].iter().map(line(Sign::Stays)));
    lines
}

/// A line with our keys cut short.
fn without_keys(line: &str) -> String {
    const PREFIX: &str = "ng_";
    let mut shown = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(PREFIX) {
        let (before, key) = rest.split_at(at + PREFIX.len());
        let end =
            key.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(key.len());
        shown.push_str(before);
        // A name that begins so is no key: keys are 43 characters long.
        shown.push_str(if end >= 40 { "…" } else { &key[..end] });
        rest = &key[end..];
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_its_surroundings_and_without_keys() {
        let key = format!("ng_{}", "k".repeat(43));
        let old = format!("a\nb\nc\nold {key} x\nd\ne\nf\n");
        let new = format!("a\nb\nc\nnew {key}\nmore ng_short\nd\ne\nf\n");
        let shown: Vec<String> =
            diff(&old, &new).iter().map(|line| format!("{}{}", line.sign.mark(), line.text)).collect();
        assert_eq!(shown, [" b", " c", "-old ng_… x", "+new ng_…", "+more ng_short", " d", " e"]);
        assert_eq!(diff("a", "a"), []);
        assert_eq!(diff("", "a\n").len(), 1);
        assert_eq!(diff("a\n", "a\na\n").len(), 2);
    }
}
