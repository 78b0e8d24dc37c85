//! A change as a person reads it: the lines that go and come, with a little of what is around them.

use serde::{Deserialize, Serialize};

use crate::core::lines::{Sign, changed_lines, near_changes};

/// A line of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffLine {
    pub sign: Sign,
    pub text: String,
}

/// How many lines are shown around a change.
const AROUND: usize = 2;

/// The change from `old` to `new`. Keys of ours are not shown.
pub fn diff(old: &str, new: &str) -> Vec<DiffLine> {
    fn whole(text: &str) -> &str {
        text.strip_suffix('\n').unwrap_or(text)
    }
    let told = changed_lines(whole(old), whole(new));
    let near = near_changes(&told, AROUND);
    let shown = told.iter().zip(near).filter(|(_, is_near)| *is_near);
    shown
        .map(|(line, _)| {
            let text = line.text();
            DiffLine { sign: line.sign(), text: without_keys(text.strip_suffix('\r').unwrap_or(text)) }
        })
        .collect()
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
