//! Two texts, line by line: what is the same, what goes, what comes.

use serde::{Deserialize, Serialize};

/// More comparisons than this are not made: what differs is then told as all gone and all new.
const MOST_COMPARED: usize = 1_000_000;

/// A line of one text, of the other, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    Same(&'a str),
    Gone(&'a str),
    New(&'a str),
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

impl<'a> Line<'a> {
    pub fn sign(self) -> Sign {
        match self {
            Self::Same(_) => Sign::Stays,
            Self::Gone(_) => Sign::Goes,
            Self::New(_) => Sign::Comes,
        }
    }

    pub fn text(self) -> &'a str {
        match self {
            Self::Same(text) | Self::Gone(text) | Self::New(text) => text,
        }
    }
}

/// Of each line whether it changes, or stands at most `around` lines from one that does.
pub fn near_changes(lines: &[Line<'_>], around: usize) -> Vec<bool> {
    let mut near = vec![false; lines.len()];
    for (at, line) in lines.iter().enumerate() {
        if line.sign() != Sign::Stays {
            let end = (at + around + 1).min(lines.len());
            near[at.saturating_sub(around)..end].fill(true);
        }
    }
    near
}

/// What becomes of each line of `before`, and which lines of `after` are new, in the order of reading. Of lines that
/// change places as few as possible are told as changed. An empty text has no lines.
pub fn changed_lines<'a>(before: &'a str, after: &'a str) -> Vec<Line<'a>> {
    let (old, new) = (lines(before), lines(after));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, new_middle) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let mut found: Vec<Line<'a>> = old[..head].iter().map(|line| Line::Same(line)).collect();
    between(old_middle, new_middle, &mut found);
    found.extend(old[old.len() - tail..].iter().map(|line| Line::Same(line)));
    found
}

fn lines(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('\n').collect() }
}

/// By the longest sequence of lines that both have.
fn between<'a>(old: &[&'a str], new: &[&'a str], found: &mut Vec<Line<'a>>) {
    let width = new.len() + 1;
    if old.len().saturating_mul(width) > MOST_COMPARED {
        found.extend(old.iter().map(|line| Line::Gone(line)).chain(new.iter().map(|line| Line::New(line))));
        return;
    }
    // How many lines the two have in common from here on.
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i * width + j] = if old[i] == new[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            found.push(Line::Same(old[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len()
            && (j == new.len() || common[(i + 1) * width + j] >= common[i * width + j + 1])
        {
            found.push(Line::Gone(old[i]));
            i += 1;
        } else {
            found.push(Line::New(new[j]));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, expected: &str) {
        let told: Vec<String> = changed_lines(before, after)
            .into_iter()
            .map(|line| match line {
                Line::Same(line) => format!("={line}"),
                Line::Gone(line) => format!("-{line}"),
                Line::New(line) => format!("+{line}"),
            })
            .collect();
        assert_eq!(told.join(" "), expected, "{before:?} to {after:?}");
    }

    #[test]
    fn lines_are_the_same_gone_or_new() {
        check("", "", "");
        check("a", "a", "=a");
        check("a\nb\nc", "a\nB\nc", "=a -b +B =c");
        check("a\nb", "", "-a -b");
        check("", "a\nb", "+a +b");
        check("a\nc", "a\nb\nc", "=a +b =c");
        check("x\na\nb\ny", "x\nb\na\ny", "=x -a =b +a =y");
        check("a\n\nb", "a\n\nc", "=a = -b +c");
        check("a\nb\nc\nd", "b\nX\nd\ne", "-a =b -c +X =d +e");
    }

    #[test]
    fn the_lines_around_a_change_are_near_it() {
        let lines = changed_lines("1\n2\n3\nx\n4\n5\n6", "1\n2\n3\ny\n4\n5\n6");
        let near = |around| near_changes(&lines, around).iter().filter(|near| **near).count();
        assert_eq!((near(0), near(1), near(2), near(9)), (2, 4, 6, 8));
        assert_eq!(near_changes(&changed_lines("a", "a"), 2), [false]);
    }

    #[test]
    fn texts_of_very_many_lines_are_told_without_comparing_all() {
        let (before, after) = ("a\n".repeat(4000), "b\n".repeat(4000));
        let told = changed_lines(&before, &after);
        assert_eq!(told.iter().filter(|line| matches!(line, Line::Gone(_))).count(), 4000);
        assert_eq!(told.len(), 8001, "the empty last line is the same");
    }
}
