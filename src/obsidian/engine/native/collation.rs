//! The order of names and tags, as `localeCompare` of JavaScript has it in everyday cases.
//!
//! Letters are compared first without their accents, then with them, then by case, small before large;
//! punctuation comes before digits, digits before letters. Beyond Latin letters the order is that of the
//! code points, which is right for most scripts as long as they are not mixed.

use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Punctuation and symbols of ASCII in the order of Unicode's collation.
const SYMBOLS: &str = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Compares two names.
pub fn compare(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() {
        let primary = |text: &str| -> Vec<u32> { text.chars().filter_map(primary).collect() };
        return primary(a).cmp(&primary(b)).then_with(|| cases(a).cmp(cases(b)));
    }
    let primary = |text: &str| -> Vec<u32> { text.nfd().filter_map(primary).collect() };
    primary(a)
        .cmp(&primary(b))
        .then_with(|| accents(a).cmp(&accents(b)))
        .then_with(|| cases(a).cmp(cases(b)))
        .then_with(|| a.cmp(b))
}

/// What a character weighs before accents and case; `None` for those that weigh nothing.
fn primary(c: char) -> Option<u32> {
    const DIGITS: u32 = 0x100;
    const LETTERS: u32 = 0x200;
    if is_combining_mark(c) {
        return None;
    }
    if c.is_whitespace() {
        return Some(1);
    }
    if c.is_control() {
        return None;
    }
    if let Some(at) = SYMBOLS.find(c) {
        // the list is short and ASCII
        return Some(2 + at as u32);
    }
    match c.to_digit(10) {
        Some(digit) => Some(DIGITS + digit),
        None => c.to_lowercase().next().map(|c| LETTERS + u32::from(c)),
    }
}

/// For each base character the marks on it.
fn accents(text: &str) -> Vec<Vec<char>> {
    let mut accents: Vec<Vec<char>> = Vec::new();
    for c in text.nfd() {
        match accents.last_mut() {
            Some(marks) if is_combining_mark(c) => marks.push(c),
            _ => accents.push(Vec::new()),
        }
    }
    accents
}

fn cases(text: &str) -> impl Iterator<Item = bool> {
    text.chars().map(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_as_people_expect() {
        // the order in which `localeCompare` puts them
        let ordered = [
            "_x", "-x", "/x", "1", "12", "2", "a", "A", "á", "a b", "a_b", "a-b", "a.b", "a/b", "a&b", "a#b",
            "a1", "aa", "ab", "b", "B", "e", "é", "éa", "ez", "st", "x+y", "x=y", "x$y", "z", "Ω", "я", "あ",
            "カ", "中", "文",
        ];
        let mut sorted = ordered;
        sorted.reverse();
        sorted.sort_by(|a, b| compare(a, b));
        assert_eq!(sorted.join(" "), ordered.join(" "));
    }
}
