//! The piece of a note around what was found.

use super::super::path::trim;

/// How much is shown on each side, in units of UTF-16 as MCPVault counts. A character is never cut.
const AROUND: usize = 21;
/// How much of its beginning is shown of a note that was found by its name.
const BEGINNING: usize = 50;

/// The text around the bytes from `start` to `end`.
pub fn around(text: &str, start: usize, end: usize) -> String {
    let before = &text[..start];
    let from = before.len() - width(before.chars().rev(), AROUND);
    let to = end + width(text[end..].chars(), AROUND);
    let mark = |is_cut: bool| if is_cut { "..." } else { "" };
    format!("{}{}{}", mark(from > 0), trim(&text[from..to]), mark(to < text.len()))
}

/// The beginning of the text.
pub fn beginning(text: &str) -> String {
    let to = width(text.chars(), BEGINNING);
    let mark = if to < text.len() { "..." } else { "" };
    format!("{}{mark}", trim(&text[..to]))
}

/// How many bytes the characters of the first `units` have.
fn width(characters: impl Iterator<Item = char>, units: usize) -> usize {
    let mut seen = 0;
    let mut bytes = 0;
    for character in characters {
        if seen >= units {
            break;
        }
        seen += character.len_utf16();
        bytes += character.len_utf8();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_one_units_on_each_side() {
        let text = format!("{}word{}", "a".repeat(30), "b".repeat(30));
        assert_eq!(around(&text, 30, 34), format!("...{}word{}...", "a".repeat(21), "b".repeat(21)));
        assert_eq!(around("a word b", 2, 6), "a word b");
        assert_eq!(around("\n  word  \n", 3, 7), "word");
    }

    #[test]
    fn a_character_is_never_cut() {
        let text = format!("x{}word{}x", "😀".repeat(11), "😀".repeat(11));
        let start = 1 + 44;
        // ten pairs and a half would be 21 units
        assert_eq!(around(&text, start, start + 4), format!("...{0}word{0}...", "😀".repeat(11)));
    }

    #[test]
    fn the_beginning_of_a_note() {
        assert_eq!(beginning("short\n"), "short");
        assert_eq!(beginning(&"a".repeat(51)), "a".repeat(50) + "...");
        assert_eq!(beginning(&"a".repeat(50)), "a".repeat(50));
        assert_eq!(beginning(""), "");
    }
}
