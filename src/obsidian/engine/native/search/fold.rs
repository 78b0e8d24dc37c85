//! Letters without their case, as Unicode folds it, and words counted, as JavaScript does.

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
        if beyond_ascii(text).all(|(_, letter)| is_small(letter)) {
            self.text.push_str(text);
            self.text.make_ascii_lowercase();
        } else {
            self.text.reserve(text.len());
            let mut from = 0;
            for (at, letter) in beyond_ascii(text) {
                self.push_ascii(&text[from..at]);
                self.push(letter);
                from = at + letter.len_utf8();
            }
            self.push_ascii(&text[from..]);
        }
    }

    fn push_ascii(&mut self, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.text[start..].make_ascii_lowercase();
    }

    fn push(&mut self, letter: char) {
        if is_small(letter) {
            self.text.push(letter);
            return;
        }
        let before = self.text.len();
        match letter {
            'ß' | 'ẞ' => self.text.push_str("ss"),
            'Σ' | 'ς' => self.text.push('σ'),
            letter => self.text.extend(letter.to_lowercase()),
        }
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
            folded += width(letter);
            (folded > place).then_some((start, start + letter.len_utf8()))
        })
    }
}

/// The text in small letters.
pub fn folded(text: &str) -> String {
    let mut folded = Folded::default();
    folded.fold(text);
    folded.text
}

/// How many bytes the letter becomes.
fn width(letter: char) -> usize {
    match letter {
        'ß' | 'ẞ' | 'Σ' | 'ς' => 2,
        letter => letter.to_lowercase().map(char::len_utf8).sum(),
    }
}

/// The characters of `text` beyond ASCII, with their places. Runs of ASCII are passed by quickly.
fn beyond_ascii(text: &str) -> impl Iterator<Item = (usize, char)> {
    const STRIDE: usize = 32;
    let mut at = 0;
    std::iter::from_fn(move || {
        let bytes = text.as_bytes();
        loop {
            match bytes.get(at..at + STRIDE) {
                Some(stride) if stride.is_ascii() => at += STRIDE,
                stride => {
                    let rest = stride.unwrap_or(&bytes[at..]);
                    match rest.iter().position(|byte| !byte.is_ascii()) {
                        None if stride.is_none() => return None,
                        None => at += STRIDE,
                        Some(step) => {
                            let place = at + step;
                            let letter = text[place..].chars().next()?;
                            at = place + letter.len_utf8();
                            return Some((place, letter));
                        }
                    }
                }
            }
        }
    })
}

/// Whether the letter stays as it is in small letters.
fn is_small(letter: char) -> bool {
    match letter {
        'ß' | 'ς' => false,
        // punctuation, signs, the scripts of East Asia, pictures: none of them has a case
        '\u{2010}'..='\u{205f}' | '\u{2190}'..='\u{245f}' | '\u{2500}'..='\u{2bff}' => true,
        '\u{2e80}'..='\u{a63f}' | '\u{ac00}'..='\u{d7a3}' | '\u{1f000}'..='\u{3ffff}' => true,
        _ => letter.to_lowercase().eq([letter]),
    }
}

/// How many words the text has: runs of what is not white space.
pub fn count_words(text: &str) -> usize {
    if beyond_ascii(text).any(|(_, letter)| is_blank(letter)) {
        return text.split(is_blank).filter(|word| !word.is_empty()).count();
    }
    // All other blanks are ASCII, so bytes will do. Portions in which the count fits into a byte let
    // the processor take many bytes at once.
    const PORTION: usize = 255;
    let is_word = |byte: u8| !matches!(byte, b' ' | b'\t'..=b'\r');
    let Some((first, others)) = text.as_bytes().split_first() else { return 0 };
    let before = &text.as_bytes()[..others.len()];
    let portions = before.chunks(PORTION).zip(others.chunks(PORTION));
    let starts = portions.map(|(before, bytes)| {
        let starts = before.iter().zip(bytes).map(|(&a, &b)| u8::from(!is_word(a) & is_word(b)));
        usize::from(starts.sum::<u8>())
    });
    usize::from(is_word(*first)) + starts.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_is_that_of_unicode() {
        let cases = [
            ("AbC", "abc"),
            ("ß ẞ SS", "ss ss ss"),
            ("İstanbul", "i\u{307}stanbul"),
            ("I", "i"),
            ("ΟΔΟΣ οδος ΣΑ Σ", "οδοσ οδοσ σα σ"),
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
        for text in ["Aİİxé", "plain", "中Aé", "ΣİAς", "KȺx", "ßAẞİß"] {
            let mut folded = Folded::default();
            folded.fold(text);
            let mut at = 0;
            for (start, letter) in text.char_indices() {
                let length = super::folded(&letter.to_string()).len();
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
            (&"a ".repeat(1000), 1000),
            (&" é".repeat(1000), 1000),
        ];
        for (text, expected) in cases {
            assert_eq!(count_words(text), expected, "{text:?}");
        }
    }
}
