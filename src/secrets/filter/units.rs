//! The ways in which a character can be written: as itself, percent-encoded (once or several times over),
//! or with the escapes of JSON strings, at any depth of JSON strings within JSON strings.
//!
//! One text may mix them as it likes, so a needle is followed character by character.

use std::collections::HashSet;

use super::needle::Needle;

/// The longest run of backslashes that is read as the escape of one character: seven strings within
/// each other.
const LONGEST_RUN: usize = 64;

/// How often percent signs may be percent-encoded themselves.
const DEEPEST_PERCENT: usize = 4;

/// The letter and the digits of a character's number.
pub(super) const LONGEST_NUMBER: usize = 5;

/// The bytes of a character whose percent sign is itself percent-encoded, as often as is read.
pub(super) const LONGEST_PERCENT: usize = 2 * DEEPEST_PERCENT + 3;

/// The most bytes that one character takes: two halves of a pair, both escaped.
pub(super) const LONGEST_UNIT: usize = 2 * (LONGEST_RUN + LONGEST_NUMBER);

/// How far a needle can be followed from some place of a text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reach {
    /// Where the needle ends, if the text holds it whole; the farthest such place.
    pub end: Option<usize>,
    /// The text ends before the needle does: what comes next decides.
    pub open: bool,
}

/// Follows `needle` from its `place` on, in `text` from `at` on.
pub(super) fn follow(text: &[u8], at: usize, needle: &Needle, place: usize) -> Reach {
    // A backslash of the needle's own stands as two of them within a string, as four within two, and so on:
    // the same number wherever it occurs.
    let deepest = if needle.bytes.contains(&b'\\') { LONGEST_RUN } else { 1 };
    let depths =
        std::iter::successors(Some(1), |depth| Some(depth * 2)).take_while(|depth| *depth <= deepest);
    depths.fold(Reach::default(), |reach, depth| {
        let mut ways = Ways { depth, reach, waiting: Vec::new(), taken: HashSet::new() };
        ways.walk(text, needle, at, place);
        while let Some((at, place)) = ways.waiting.pop() {
            ways.walk(text, needle, at, place);
        }
        ways.reach
    })
}

/// What one escape at `at` may stand for, as single bytes; for a longer character its first one.
pub(super) fn stands_for(text: &[u8], at: usize) -> impl Iterator<Item = u8> {
    let mut found = [None; DEEPEST_PERCENT + 1];
    match text[at] {
        b'%' => {
            let mut next = at + 1;
            for entry in &mut found {
                let Some(value) = text.get(next..next + 2).and_then(hex_value) else { break };
                *entry = u8::try_from(value).ok();
                if value != u32::from(b'%') {
                    break;
                }
                next += 2;
            }
        }
        _ => {
            found[0] = Some(b'\\');
            if let Escape::Character { character, .. } = escape(text, at) {
                let mut bytes = [0; 4];
                found[1] = character.encode_utf8(&mut bytes).bytes().next();
            }
        }
    }
    found.into_iter().flatten()
}

/// Whether the escape at `at` may go on beyond the end of the text.
pub(super) fn is_cut(text: &[u8], at: usize) -> bool {
    let left = text.len() - at;
    match text[at] {
        b'%' => left < LONGEST_PERCENT,
        _ => left <= run_of_backslashes(text, at) + LONGEST_RUN + 2 * LONGEST_NUMBER,
    }
}

struct Ways {
    /// How many backslashes stand for one.
    depth: usize,
    reach: Reach,
    /// Other ways to read what was passed, to be followed later.
    waiting: Vec<(usize, usize)>,
    /// All that ever waited, so that none is followed twice.
    taken: HashSet<(usize, usize)>,
}

impl Ways {
    fn walk(&mut self, text: &[u8], needle: &Needle, mut at: usize, mut place: usize) {
        loop {
            if place == needle.bytes.len() {
                self.reach.end = self.reach.end.max(Some(at));
                return;
            }
            let Some(&byte) = text.get(at) else {
                self.reach.open = true;
                return;
            };
            match byte {
                b'%' => self.percent(text, needle, at, place),
                b'\\' => return self.backslash(text, needle, at, place),
                _ => {}
            }
            if !needle.has(place, byte) {
                return;
            }
            (at, place) = (at + 1, place + 1);
        }
    }

    fn go_on(&mut self, at: usize, place: usize) {
        if self.taken.insert((at, place)) {
            self.waiting.push((at, place));
        }
    }

    fn percent(&mut self, text: &[u8], needle: &Needle, at: usize, place: usize) {
        let mut next = at + 1;
        for _ in 0..=DEEPEST_PERCENT {
            let digits = &text[next..text.len().min(next + 2)];
            let Some(value) = hex_value(digits) else { return };
            if digits.len() < 2 {
                self.reach.open = true;
                return;
            }
            next += 2;
            if u8::try_from(value).is_ok_and(|byte| needle.has(place, byte)) {
                self.go_on(next, place + 1);
            }
            if value != u32::from(b'%') {
                return;
            }
        }
    }

    fn backslash(&mut self, text: &[u8], needle: &Needle, at: usize, place: usize) {
        if needle.has(place, b'\\') {
            let run = run_of_backslashes(text, at);
            if run >= self.depth {
                self.go_on(at + self.depth, place + 1);
            } else if at + run == text.len() {
                self.reach.open = true;
            }
        }
        match escape(text, at) {
            Escape::Character { character, end } => {
                let mut bytes = [0; 4];
                let bytes = character.encode_utf8(&mut bytes).as_bytes();
                let rest = &needle.bytes[place..];
                if rest.starts_with(bytes) || (bytes.len() == 1 && needle.has(place, bytes[0])) {
                    self.go_on(end, place + bytes.len());
                }
            }
            Escape::Unfinished => self.reach.open = true,
            Escape::None => {}
        }
    }
}

enum Escape {
    Character {
        character: char,
        end: usize,
    },
    /// The text ends in the middle of it.
    Unfinished,
    None,
}

/// Reads the escape that begins with the backslashes at `at`.
fn escape(text: &[u8], at: usize) -> Escape {
    let letter_at = at + run_of_backslashes(text, at);
    let Some(&letter) = text.get(letter_at) else { return Escape::Unfinished };
    let simple = |character| Escape::Character { character, end: letter_at + 1 };
    match letter {
        b'"' | b'/' | b'\'' => simple(char::from(letter)),
        b'n' => simple('\n'),
        b't' => simple('\t'),
        b'r' => simple('\r'),
        b'b' => simple('\u{8}'),
        b'f' => simple('\u{c}'),
        b'x' => numbered(text, letter_at + 1, 2),
        b'u' => match numbered(text, letter_at + 1, 4) {
            Escape::None => surrogates(text, letter_at + 1),
            read => read,
        },
        _ => Escape::None,
    }
}

/// A character by its number in hexadecimal digits. A half of a pair is none.
fn numbered(text: &[u8], at: usize, digits: usize) -> Escape {
    let given = &text[at..text.len().min(at + digits)];
    match hex_value(given) {
        None => Escape::None,
        Some(_) if given.len() < digits => Escape::Unfinished,
        Some(value) => match char::from_u32(value) {
            Some(character) => Escape::Character { character, end: at + digits },
            None => Escape::None,
        },
    }
}

/// A character as a pair of escapes, the first of whose digits stand at `at`.
fn surrogates(text: &[u8], at: usize) -> Escape {
    let Some(first) = text.get(at..at + 4).and_then(hex_value) else { return Escape::None };
    let run_at = at + 4;
    let digits_at = run_at + run_of_backslashes(text, run_at) + 1;
    match text.get(run_at) {
        Some(b'\\') if text.len() < digits_at + 4 => return Escape::Unfinished,
        None => return Escape::Unfinished,
        Some(b'\\') if text[digits_at - 1] == b'u' => {}
        Some(_) => return Escape::None,
    }
    let Some(second) = hex_value(&text[digits_at..digits_at + 4]) else { return Escape::None };
    // Both have at most 16 bits.
    let units = [first, second].map(|unit| u16::try_from(unit).unwrap_or_default());
    match char::decode_utf16(units).next() {
        Some(Ok(character)) => Escape::Character { character, end: digits_at + 4 },
        _ => Escape::None,
    }
}

fn run_of_backslashes(text: &[u8], at: usize) -> usize {
    text[at..].iter().take(LONGEST_RUN).take_while(|byte| **byte == b'\\').count()
}

/// The value of some hexadecimal digits; of none it is 0.
fn hex_value(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(text: &str, secret: &str) -> Reach {
        let needle = Needle { bytes: secret.as_bytes().into(), caseless: false };
        follow(text.as_bytes(), 0, &needle, 0)
    }

    #[test]
    fn a_needle_is_followed_through_every_way_of_writing_it() {
        let secret = "n\"/\\ü😀%";
        for text in [
            secret,
            r#"n\"\/\\ü😀%"#,
            r#"\u006e\u0022\u002F\u005c\u00fc\ud83d\ude00\u0025"#,
            r#"n\\\"\\\/\\\\\\u00fc\\ud83d\\ude00%"#,
            "%6e%22%2F%5C%c3%BC%F0%9F%98%80%25",
            "%256E%252522/%5C%C3\u{fc}",
            r#"\x6e"/\ü😀%25"#,
        ] {
            let expected = text != "%256E%252522/%5C%C3\u{fc}";
            assert_eq!(reach(text, secret).end.is_some(), expected, "{text}");
        }
        assert_eq!(reach("nope", "nape"), Reach::default());
    }

    #[test]
    fn a_text_that_ends_too_soon_leaves_it_open_at_every_place() {
        for text in [r#"a\\u006e%6E\\\/\ud83d\ude00b"#, "a%25256en/\u{1F600}b"] {
            let bytes = text.as_bytes();
            let needle = Needle { bytes: "ann/😀b".as_bytes().into(), caseless: false };
            assert_eq!(follow(bytes, 0, &needle, 0).end, Some(bytes.len()), "{text}");
            for cut in 0..bytes.len() {
                let part = follow(&bytes[..cut], 0, &needle, 0);
                assert!(part.open && part.end.is_none(), "{text} up to {cut}: {part:?}");
            }
        }
    }

    #[test]
    fn many_ways_to_read_a_text_do_not_multiply() {
        let (text, secret) = ("\\".repeat(4000), "\\".repeat(60));
        assert!(reach(&text, &secret).end.is_some());
        let percents = "%25".repeat(4000);
        assert!(reach(&percents, &"%".repeat(60)).end.is_some());
    }
}
