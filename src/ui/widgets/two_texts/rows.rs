//! What stands beside what: the lines of two texts in rows, and of each line the part that differs.

use crate::core::{Line, Sign};

/// So many characters of what stays are left before and after what differs, in a line that is shown in part.
const KEPT: usize = 40;

/// A line, and the bytes of it that differ from the line beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell<'a> {
    pub sign: Sign,
    pub line: &'a str,
    differs: std::ops::Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Row<'a> {
    /// Before and after.
    Lines(Option<Cell<'a>>, Option<Cell<'a>>),
    /// So many lines that stay are left out.
    Stay(usize),
}

/// Lines that go stand beside those that come in their place.
pub(super) fn rows<'a>(lines: &[Line<'a>]) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    for line in lines {
        match line {
            Line::Gone(line) => gone.push(*line),
            Line::New(line) => new.push(*line),
            Line::Same(line) => {
                pair(&mut gone, &mut new, &mut rows);
                let cell = Cell { sign: Sign::Stays, line, differs: 0..0 };
                rows.push(Row::Lines(Some(cell.clone()), Some(cell)));
            }
        }
    }
    pair(&mut gone, &mut new, &mut rows);
    rows
}

fn pair<'a>(gone: &mut Vec<&'a str>, new: &mut Vec<&'a str>, rows: &mut Vec<Row<'a>>) {
    for at in 0..gone.len().max(new.len()) {
        let (old, now) = (gone.get(at).copied(), new.get(at).copied());
        let (head, tail) = old.zip(now).map_or((0, 0), |(old, now)| common(old, now));
        let cell = |sign, line: Option<&'a str>| {
            // What has nothing in common differs as a whole, which its ground says already.
            let differs = |line: &str| if head + tail > 0 { head..line.len() - tail } else { 0..0 };
            line.map(|line| Cell { sign, line, differs: differs(line) })
        };
        rows.push(Row::Lines(cell(Sign::Goes, old), cell(Sign::Comes, now)));
    }
    gone.clear();
    new.clear();
}

/// How many bytes two lines have in common at their beginning, and at their end.
fn common(one: &str, other: &str) -> (usize, usize) {
    let both = |(a, b): &(char, char)| a == b;
    let bytes = |(a, _): (char, char)| a.len_utf8();
    let head = one.chars().zip(other.chars()).take_while(both).map(bytes).sum::<usize>();
    let (one, other) = (&one[head..], &other[head..]);
    (head, one.chars().rev().zip(other.chars().rev()).take_while(both).map(bytes).sum())
}

/// Leaves out what stays, but for the lines beside a change.
pub(super) fn around_changes(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let stays = |row: Option<&Row<'_>>| match row {
        None | Some(Row::Stay(_)) => true,
        Some(Row::Lines(Some(cell), _)) => cell.sign == Sign::Stays,
        Some(Row::Lines(None, _)) => false,
    };
    let is_far = |at: usize| [at.wrapping_sub(1), at, at + 1].into_iter().all(|at| stays(rows.get(at)));
    let far: Vec<bool> = (0..rows.len()).map(is_far).collect();
    let mut kept = Vec::new();
    for (at, row) in rows.into_iter().enumerate() {
        let is_alone =
            !far.get(at.wrapping_sub(1)).is_some_and(|far| *far) && !far.get(at + 1).is_some_and(|far| *far);
        match (kept.last_mut(), far[at]) {
            // A single line takes no more room than the word for it.
            (_, true) if is_alone => kept.push(row),
            (_, false) => kept.push(row),
            (Some(Row::Stay(count)), true) => *count += 1,
            (_, true) => kept.push(Row::Stay(1)),
        }
    }
    kept
}

/// The line in parts, and which of them differs; where it is shown in part, long stretches that stay are shortened.
pub(super) fn parts(cell: &Cell<'_>, in_part: bool) -> [(String, bool); 3] {
    let Cell { line, differs, .. } = cell;
    if differs.is_empty() && differs.start == 0 {
        return [((*line).to_owned(), false), (String::new(), true), (String::new(), false)];
    }
    let (head, tail) = (&line[..differs.start], &line[differs.end..]);
    let (mut before, mut after) = (head.to_owned(), tail.to_owned());
    if in_part && head.chars().count() > KEPT + 20 {
        let kept: Vec<char> = head.chars().rev().take(KEPT).collect();
        before = std::iter::once('…').chain(kept.into_iter().rev()).collect();
    }
    if in_part && tail.chars().count() > KEPT + 20 {
        after = tail.chars().take(KEPT).chain(std::iter::once('…')).collect();
    }
    [(before, false), (line[differs.clone()].to_owned(), true), (after, false)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::changed_lines;

    fn told(rows: &[Row<'_>]) -> String {
        let side = |cell: &Option<Cell<'_>>| {
            cell.as_ref().map_or_else(String::new, |cell| {
                let [(head, _), (differs, _), (tail, _)] = parts(cell, false);
                if differs.is_empty() { head + &tail } else { format!("{head}[{differs}]{tail}") }
            })
        };
        let row = |row: &Row<'_>| match row {
            Row::Lines(before, after) => format!("{}|{}", side(before), side(after)),
            Row::Stay(count) => format!("({count})"),
        };
        rows.iter().map(row).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_stand_beside_those_that_come_in_their_place() {
        let check = |before, after, expected: &str| {
            assert_eq!(told(&rows(&changed_lines(before, after))), expected);
        };
        check("a\nb\nc", "a\nB\nc", "a|a b|B c|c");
        check("one cat", "one dog", "one [cat]|one [dog]");
        check("第一段文字", "第二段文字", "第[一]段文字|第[二]段文字");
        check("aa", "aaa", "aa|aa[a]");
        check("a\nb", "", "a| b|");
        check("", "a", "|a");
        check("", "", "");
    }

    #[test]
    fn what_stays_is_left_out_but_beside_a_change() {
        let check = |before, after, expected: &str| {
            assert_eq!(told(&around_changes(rows(&changed_lines(before, after)))), expected);
        };
        check("1\n2\n3\n4\nx\n5\n6\n7", "1\n2\n3\n4\ny\n5\n6\n7", "(3) 4|4 x|y 5|5 (2)");
        check("a\nb", "a\nb", "(2)");
        check("1\n2\nx", "1\n2\ny", "1|1 2|2 x|y");
        check("x\n1\ny", "X\n1\nY", "x|X 1|1 y|Y");
    }

    #[test]
    fn of_a_long_line_the_part_that_differs_is_shown() {
        let (same, more) = ("s".repeat(100), "t".repeat(100));
        let (before, after) = (format!("{same}old{more}"), format!("{same}new{more}"));
        let rows = rows(&changed_lines(&before, &after));
        let Some(Row::Lines(Some(cell), _)) = rows.first() else { panic!("{rows:?}") };
        let shown = parts(cell, true).map(|(text, _)| text).concat();
        assert_eq!(shown, format!("…{}old{}…", "s".repeat(40), "t".repeat(40)));
        assert_eq!(parts(cell, false).map(|(text, _)| text).concat(), before);
    }
}
