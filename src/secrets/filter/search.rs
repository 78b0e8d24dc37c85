//! Looking for many needles at once, as they stand (Wu and Manber's method).
//!
//! A window as long as the shortest needle moves over the text. Its last three bytes tell how far it can
//! move without passing over anything, which is mostly its whole length; so the more needles there are
//! the less it slows down, and the number of secrets hardly matters.

use super::needle::Needle;

/// Bytes at the end of the window that decide how far it moves.
const BLOCK: usize = 3;

/// Blocks are told apart by 16 bits.
const BLOCKS: usize = 1 << 16;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    pub start: usize,
    pub end: usize,
}

#[derive(Debug)]
pub(super) struct Search {
    window: usize,
    /// How far the window moves after a block. 0: a needle may begin with this window.
    moves: Box<[u8]>,
    /// The needles by the block that ends their first window, in the order of the blocks.
    candidates: Vec<(u16, usize)>,
}

impl Search {
    pub(super) fn new(needles: &[Needle]) -> Self {
        let shortest = needles.iter().map(|needle| needle.bytes.len()).min().unwrap_or(BLOCK);
        let window = shortest.clamp(BLOCK, usize::from(u8::MAX));
        let farthest = u8::try_from(window - BLOCK + 1).unwrap_or(u8::MAX);
        let mut moves = vec![farthest; BLOCKS].into_boxed_slice();
        let mut candidates = Vec::with_capacity(needles.len());
        for (index, needle) in needles.iter().enumerate() {
            for (from_end, block) in needle.bytes[..window].windows(BLOCK).rev().enumerate() {
                let entry = &mut moves[usize::from(hash(block))];
                *entry = (*entry).min(u8::try_from(from_end).unwrap_or(u8::MAX));
            }
            candidates.push((hash(&needle.bytes[window - BLOCK..window]), index));
        }
        candidates.sort_unstable();
        Self { window, moves, candidates }
    }

    /// The first place from `from` on where a needle stands; the longest of those that begin there.
    pub(super) fn find(&self, needles: &[Needle], text: &[u8], from: usize) -> Option<Match> {
        if needles.is_empty() {
            return None;
        }
        let mut end = from + self.window;
        while let Some(block) = text.get(end.wrapping_sub(BLOCK)..end) {
            let block = hash(block);
            let moved = usize::from(self.moves[usize::from(block)]);
            if moved == 0 {
                let start = end - self.window;
                if let Some(end) = self.longest(needles, block, &text[start..]) {
                    return Some(Match { start, end: start + end });
                }
                end += 1;
            } else {
                end += moved;
            }
        }
        None
    }

    fn longest(&self, needles: &[Needle], block: u16, text: &[u8]) -> Option<usize> {
        let first = self.candidates.partition_point(|(of, _)| *of < block);
        self.candidates[first..]
            .iter()
            .take_while(|(of, _)| *of == block)
            .map(|(_, index)| &needles[*index])
            .filter(|needle| text.get(..needle.bytes.len()).is_some_and(|text| needle.begins_with(text)))
            .map(|needle| needle.bytes.len())
            .max()
    }
}

/// Capitals and small letters count as the same; what is found is compared exactly afterwards.
fn hash(block: &[u8]) -> u16 {
    let letter = |place: usize| u16::from(block[place] | 0x20);
    letter(0) ^ (letter(1) << 4) ^ (letter(2) << 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(bytes: &[u8]) -> Needle {
        Needle { bytes: bytes.into(), caseless: false }
    }

    proptest! {
        #[test]
        fn it_finds_what_a_plain_search_finds(
            texts in prop::collection::vec("[abA]{3,9}", 1..5),
            text in "[abAc]{0,80}",
            from in 0_usize..20,
        ) {
            let needles: Vec<_> = texts.iter().map(|text| exact(text.as_bytes())).collect();
            let text = text.as_bytes();
            let plain = (from..text.len()).find_map(|start| {
                let lengths = needles.iter().filter(|needle| text[start..].starts_with(&needle.bytes));
                let longest = lengths.map(|needle| needle.bytes.len()).max()?;
                Some(Match { start, end: start + longest })
            });
            prop_assert_eq!(Search::new(&needles).find(&needles, text, from), plain);
        }
    }

    #[test]
    fn capitals_do_not_matter_where_they_are_said_not_to() {
        let needles = [Needle { bytes: (*b"6e675f").into(), caseless: true }, exact(b"Secret")];
        let search = Search::new(&needles);
        assert_eq!(search.find(&needles, b"x6E675f", 0), Some(Match { start: 1, end: 7 }));
        assert_eq!(search.find(&needles, b"xsecret", 0), None);
        assert_eq!(Search::new(&[]).find(&[], b"anything", 0), None);
    }
}
