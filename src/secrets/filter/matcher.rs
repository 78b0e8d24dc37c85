//! Taking secrets out of bytes as they come: chunk by chunk, in bounded memory.
//!
//! What cannot be part of a secret any more goes on at once; what may be the beginning of one waits for
//! the next chunk. The buffer is therefore never longer than the longest way to write a secret.

use std::sync::Arc;

use memchr::memchr2;

use super::needle::{Needle, needles};
use super::search::{Match, Search};
use super::units::{LONGEST_NUMBER, LONGEST_PERCENT, LONGEST_UNIT, follow, is_cut, stands_for};
use super::{REDACTED, SHORTEST};

/// What is looked for, made ready for looking.
#[derive(Debug)]
pub(super) struct Targets {
    needles: Vec<Needle>,
    search: Search,
    /// For each byte the places in needles where it stands.
    places: Vec<Vec<(usize, usize)>>,
    /// For each byte the needles that begin with it.
    beginnings: Vec<Vec<usize>>,
    longest: usize,
    /// A secret made of nothing but digits could stand as a number.
    pub(super) digits: bool,
}

impl Targets {
    /// Texts that are shorter than [`SHORTEST`] are left out.
    pub(super) fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut found: Vec<Needle> = Vec::new();
        for needle in secrets.into_iter().filter(|secret| secret.len() >= SHORTEST).flat_map(needles) {
            if !found.contains(&needle) {
                found.push(needle);
            }
        }
        let mut places = vec![Vec::new(); 256];
        let mut beginnings = vec![Vec::new(); 256];
        for (index, needle) in found.iter().enumerate() {
            for (place, byte) in needle.bytes.iter().enumerate() {
                let capital =
                    needle.caseless.then(|| byte.to_ascii_uppercase()).filter(|other| other != byte);
                for byte in [Some(*byte), capital].into_iter().flatten() {
                    places[usize::from(byte)].push((index, place));
                    if place == 0 {
                        beginnings[usize::from(byte)].push(index);
                    }
                }
            }
        }
        let longest = found.iter().map(|needle| needle.bytes.len()).max().unwrap_or(0);
        let digits = found.iter().any(|needle| needle.bytes.iter().all(u8::is_ascii_digit));
        Self { search: Search::new(&found), needles: found, places, beginnings, longest, digits }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.needles.is_empty()
    }

    /// The first place from `from` on that holds an escape and, around it, a secret.
    fn find_escaped(&self, text: &[u8], from: usize) -> Option<Match> {
        let mut at = from;
        while let Some(found) = memchr2(b'%', b'\\', &text[at..]) {
            let escape = at + found;
            let mut best: Option<Match> = None;
            for byte in stands_for(text, escape) {
                for &(index, place) in &self.places[usize::from(byte)] {
                    let needle = &self.needles[index];
                    let Some(start) = escape.checked_sub(place).filter(|start| *start >= from) else {
                        continue;
                    };
                    if !needle.begins_with(&text[start..escape]) {
                        continue;
                    }
                    if let Some(end) = follow(text, escape, needle, place).end {
                        let found = Match { start, end };
                        let better = |best: Match| (start, best.end) < (best.start, end);
                        if best.is_none_or(better) {
                            best = Some(found);
                        }
                    }
                }
            }
            if best.is_some() {
                return best;
            }
            let run = text[escape..].iter().take_while(|byte| **byte == b'\\').count();
            at = escape + run.max(1);
        }
        None
    }

    /// The first place in `text` from which on everything may be the beginning of a secret.
    fn undecided(&self, text: &[u8]) -> usize {
        let is_open = |at: &usize| self.may_begin(text, *at);
        (self.earliest_undecided(text)..text.len()).find(is_open).unwrap_or(text.len())
    }

    /// Whether what comes next decides if a secret stands here.
    fn may_begin(&self, text: &[u8], at: usize) -> bool {
        let is_open = |needle: &Needle| follow(text, at, needle, 0).open;
        let begin = |byte: u8| self.beginnings[usize::from(byte)].iter().map(|index| &self.needles[*index]);
        match text[at] {
            b'%' | b'\\' if is_cut(text, at) => self.needles.iter().any(is_open),
            byte @ (b'%' | b'\\') => stands_for(text, at).chain([byte]).any(|byte| begin(byte).any(is_open)),
            byte => begin(byte).any(is_open),
        }
    }

    /// No secret that has not ended yet begins before this place. Where there are no escapes it is as far
    /// from the end as the longest needle is long.
    fn earliest_undecided(&self, text: &[u8]) -> usize {
        // Counted from the end: characters, and letters and digits without a break.
        let (mut characters, mut run) = (0_usize, 0_usize);
        let mut at = text.len();
        // The run may turn out to belong to one character.
        while at > 0
            && characters < self.longest + run.min(LONGEST_PERCENT)
            && text.len() - at < self.longest * LONGEST_UNIT
        {
            at -= 1;
            let byte = text[at];
            // What follows an escape sign may be one character with it, as far as it is letters and digits.
            let joined = match byte {
                b'%' => run.min(LONGEST_PERCENT - 1),
                b'\\' => run.min(LONGEST_NUMBER),
                _ => 0,
            };
            characters = (characters + usize::from(byte != b'\\' && byte != b'%')) - joined.saturating_sub(1);
            run = if byte.is_ascii_alphanumeric() { run + 1 } else { 0 };
        }
        at - text[..at].iter().rev().take_while(|byte| **byte == b'\\').count()
    }
}

/// Both searches at once: what stands as it is, and what holds an escape.
struct Finder<'a> {
    targets: &'a Targets,
    text: &'a [u8],
    plain: Option<Match>,
    escaped: Option<Match>,
}

impl<'a> Finder<'a> {
    fn new(targets: &'a Targets, text: &'a [u8]) -> Self {
        let plain = targets.search.find(&targets.needles, text, 0);
        Self { targets, text, plain, escaped: targets.find_escaped(text, 0) }
    }

    /// The next match that begins at `from` or later. `from` never goes back.
    fn next(&mut self, from: usize) -> Option<Match> {
        if self.plain.is_some_and(|found| found.start < from) {
            self.plain = self.targets.search.find(&self.targets.needles, self.text, from);
        }
        if self.escaped.is_some_and(|found| found.start < from) {
            self.escaped = self.targets.find_escaped(self.text, from);
        }
        match (self.plain, self.escaped) {
            (Some(plain), Some(escaped)) if plain.start == escaped.start => {
                Some(Match { start: plain.start, end: plain.end.max(escaped.end) })
            }
            (Some(plain), Some(escaped)) => Some(if plain.start < escaped.start { plain } else { escaped }),
            (plain, escaped) => plain.or(escaped),
        }
    }
}

/// One text on its way out.
#[derive(Debug)]
pub(super) struct Matcher {
    targets: Arc<Targets>,
    /// What is not decided yet.
    buffer: Vec<u8>,
    /// So much of the buffer belongs to a secret that was taken out already.
    covered: usize,
    pub(super) found: bool,
}

impl Matcher {
    pub(super) fn new(targets: Arc<Targets>) -> Self {
        Self { targets, buffer: Vec::new(), covered: 0, found: false }
    }

    /// How much waits for what comes next.
    pub(super) fn waiting(&self) -> usize {
        self.buffer.len()
    }

    pub(super) fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        self.buffer.extend_from_slice(chunk);
        let decided = self.targets.undecided(&self.buffer);
        // A backslash goes with what it escapes, in case that goes.
        let decided =
            if decided < self.buffer.len() { whole_escapes(&self.buffer[..decided]).len() } else { decided };
        self.release(decided, out);
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        self.release(self.buffer.len(), out);
    }

    /// Sends on what stands before `decided`. Secrets that begin later wait.
    fn release(&mut self, decided: usize, out: &mut Vec<u8>) {
        let text = &self.buffer;
        let mut finder = Finder::new(&self.targets, text);
        let (mut covered, mut from) = (self.covered, 0);
        while let Some(found) = finder.next(from).filter(|found| found.start < decided) {
            self.found = true;
            if found.start >= covered {
                out.extend_from_slice(whole_escapes(&text[covered..found.start]));
                out.extend_from_slice(REDACTED.as_bytes());
            }
            covered = covered.max(found.end);
            from = found.start + 1;
        }
        if covered < decided {
            out.extend_from_slice(&text[covered..decided]);
        }
        self.covered = covered.saturating_sub(decided);
        self.buffer.drain(..decided);
    }
}

/// Leaves out a last backslash that would make an escape of what comes after it.
fn whole_escapes(text: &[u8]) -> &[u8] {
    let run = text.iter().rev().take_while(|byte| **byte == b'\\').count();
    &text[..text.len() - run % 2]
}
