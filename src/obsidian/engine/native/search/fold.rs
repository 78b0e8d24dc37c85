//! Letters without their case, and words counted, as JavaScript does both.

use super::super::path::is_blank;

/// A text in small letters.
#[derive(Debug, Default)]
pub struct Folded {
    text: String,
    /// Each letter takes as many bytes as before, so that places are the same in both.
    is_aligned: bool,
}

impl Folded {
    /// Folds `text`, in the memory of the one before.
    pub fn fold(&mut self, text: &str) {
        const KEPT: usize = 1 << 20;
        if self.text.capacity() > KEPT {
            self.text = String::new();
        }
        self.text.clear();
        self.is_aligned = true;
        if text.is_ascii() {
            self.text.push_str(text);
            self.text.make_ascii_lowercase();
        } else if text.contains('Σ') {
            // what it becomes depends on its place in the word
            self.text = text.to_lowercase();
            self.is_aligned = false;
        } else {
            self.fold_letters(text);
        }
    }

    fn fold_letters(&mut self, mut text: &str) {
        self.text.reserve(text.len());
        while let Some(at) = text.bytes().position(|byte| !byte.is_ascii()) {
            let start = self.text.len();
            self.text.push_str(&text[..at]);
            self.text[start..].make_ascii_lowercase();
            text = &text[at..];
            let end = text.bytes().position(|byte| byte.is_ascii()).unwrap_or(text.len());
            for letter in text[..end].chars() {
                self.push(letter);
            }
            text = &text[end..];
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.text[start..].make_ascii_lowercase();
    }

    fn push(&mut self, letter: char) {
        // the scripts of East Asia have no case
        if matches!(letter, '\u{2e80}'..='\u{a63f}' | '\u{ac00}'..='\u{d7a3}') {
            self.text.push(letter);
            return;
        }
        let before = self.text.len();
        self.text.extend(letter.to_lowercase());
        self.is_aligned &= self.text.len() - before == letter.len_utf8();
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The place in `original` of a place here: where the letter begins that became what is there.
    pub fn start_in(&self, original: &str, place: usize) -> usize {
        self.walk(original, place).map_or(original.len(), |(start, _)| start)
    }

    /// The same for an end: where the letter ends that became what is before it.
    pub fn end_in(&self, original: &str, place: usize) -> usize {
        match place.checked_sub(1) {
            None => 0,
            Some(last) => self.walk(original, last).map_or(original.len(), |(_, end)| end),
        }
    }

    /// The letter of `original` that became the byte at `place`.
    fn walk(&self, original: &str, place: usize) -> Option<(usize, usize)> {
        if self.is_aligned {
            let start = original.floor_char_boundary(place);
            let letter = original[start..].chars().next()?;
            return Some((start, start + letter.len_utf8()));
        }
        let mut folded = 0;
        original.char_indices().find_map(|(start, letter)| {
            folded += letter.to_lowercase().map(char::len_utf8).sum::<usize>();
            (folded > place).then_some((start, start + letter.len_utf8()))
        })
    }
}

/// How many words the text has: runs of what is not white space.
pub fn count_words(text: &str) -> usize {
    if text.is_ascii() {
        let is_word = |byte: u8| !matches!(byte, b' ' | b'\t'..=b'\r');
        let bytes = text.as_bytes();
        let first = usize::from(bytes.first().copied().is_some_and(is_word));
        let starts =
            bytes.iter().zip(bytes.iter().skip(1)).map(|(&a, &b)| usize::from(!is_word(a) & is_word(b)));
        return first + starts.sum::<usize>();
    }
    let mut words = 0;
    let mut in_word = false;
    let mut rest = text;
    while let Some(&byte) = rest.as_bytes().first() {
        let (blank, length) = match byte {
            0x00..=0x7f => (matches!(byte, b' ' | b'\t'..=b'\r'), 1),
            // only these begin a character that may be white space
            0xc2 | 0xe1..=0xe3 | 0xef => {
                let letter = rest.chars().next().unwrap_or_default();
                (is_blank(letter), letter.len_utf8())
            }
            0xc3..=0xdf => (false, 2),
            0xe0..=0xee => (false, 3),
            _ => (false, 4),
        };
        words += usize::from(in_word < !blank);
        in_word = !blank;
        rest = &rest[length..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_is_that_of_javascript() {
        // as `toLowerCase` answers
        let cases = [
            ("AbC", "abc"),
            ("ß ẞ", "ß ß"),
            ("İstanbul", "i\u{307}stanbul"),
            ("I", "i"),
            ("ΟΔΟΣ ΣΑ Σ", "οδος σα σ"),
            ("ÀÉÑ ЖД", "àéñ жд"),
            ("中文 한국어 カナ", "中文 한국어 カナ"),
            ("😀A", "😀a"),
            ("ⅣＡ", "ⅳａ"),
        ];
        for (text, expected) in cases {
            let mut folded = Folded::default();
            folded.fold(text);
            assert_eq!(folded.as_str(), expected, "{text}");
        }
    }

    #[test]
    fn places_are_found_again() {
        for text in ["Aİİxé", "plain", "中Aé", "ΣİA", "KȺx"] {
            let mut folded = Folded::default();
            folded.fold(text);
            let mut at = 0;
            for (start, letter) in text.char_indices() {
                let length: usize = letter.to_lowercase().map(char::len_utf8).sum();
                assert_eq!(folded.start_in(text, at), start, "{text} {letter}");
                assert_eq!(folded.end_in(text, at + length), start + letter.len_utf8(), "{text} {letter}");
                at += length;
            }
        }
    }

    #[test]
    fn words_are_split_at_the_white_space_of_javascript() {
        let cases = [
            ("", 0),
            ("   ", 0),
            ("one", 1),
            (" one  two\nthree\t", 3),
            ("a\u{a0}b\u{3000}c\u{2003}d\u{feff}e\u{2028}f", 6),
            ("a\u{85}b", 1),
            ("中文 字", 2),
            ("é😀 ñ", 2),
        ];
        for (text, expected) in cases {
            assert_eq!(count_words(text), expected, "{text:?}");
        }
    }
}
