//! What is looked for: a secret itself, and what it turns into where bytes are written as text.
//!
//! Escapes (`%6e`, `\u006e`) are no needles of their own: any character of any needle may be written so,
//! which [`super::units`] follows.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// The shortest secret that is looked for, in bytes. A shorter one would be found everywhere.
pub const SHORTEST: usize = 6;

/// A text that must not get out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Needle {
    pub bytes: Box<[u8]>,
    /// Capitals do not matter. The bytes are small letters then.
    pub caseless: bool,
}

impl Needle {
    fn exact(bytes: impl Into<Box<[u8]>>) -> Self {
        Self { bytes: bytes.into(), caseless: false }
    }

    /// Whether `byte` stands for the one at `place`.
    pub fn has(&self, place: usize, byte: u8) -> bool {
        let own = self.bytes[place];
        own == byte || (self.caseless && own == byte.to_ascii_lowercase())
    }

    /// Whether `text` is what the needle begins with.
    pub fn begins_with(&self, text: &[u8]) -> bool {
        let own = &self.bytes[..text.len()];
        own == text || (self.caseless && own.eq_ignore_ascii_case(text))
    }
}

/// Everything that `secret` can stand as, none of them twice.
pub(super) fn needles(secret: &str) -> Vec<Needle> {
    let mut found = vec![Needle::exact(secret.as_bytes())];
    if secret.contains(' ') {
        found.push(Needle::exact(secret.replace(' ', "+").as_bytes())); // as forms write it
    }
    // As files of some systems hold it.
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        found.push(Needle::exact(secret.encode_utf16().flat_map(order).collect::<Vec<u8>>()));
    }
    let hex = hex::encode(secret).into_bytes().into_boxed_slice();
    found.push(Needle { bytes: hex, caseless: true });
    for before in 0..3 {
        for url_safe in [false, true] {
            let needle = Needle::exact(base64_after(before, secret.as_bytes(), url_safe));
            if !found.contains(&needle) {
                found.push(needle);
            }
        }
    }
    found
}

/// The characters of Base64 that `secret` alone decides when `before` bytes (modulo three) stand in
/// front of it. At either end up to five of its bits share a character with what is around it.
fn base64_after(before: usize, secret: &[u8], url_safe: bool) -> Vec<u8> {
    let bytes = [&[0; 2][..before], secret, &[0; 2]].concat();
    let encoded = if url_safe { URL_SAFE_NO_PAD.encode(bytes) } else { STANDARD_NO_PAD.encode(bytes) };
    let decided = (before * 8).div_ceil(6)..(before + secret.len()) * 8 / 6;
    encoded.into_bytes()[decided].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_holds_one_of_the_needles_whatever_stands_around() {
        let secret = "k7Qz+9?/ü~Zw";
        for before in 0..7 {
            for after in 0..4 {
                let text = [&vec![0xA5; before][..], secret.as_bytes(), &vec![0x5A; after]].concat();
                for encoded in [STANDARD_NO_PAD.encode(&text), URL_SAFE_NO_PAD.encode(&text)] {
                    let held = needles(secret).iter().any(|needle| {
                        encoded.as_bytes().windows(needle.bytes.len()).any(|w| *w == *needle.bytes)
                    });
                    assert!(held, "{before} {after} {encoded}");
                }
            }
        }
    }
}
