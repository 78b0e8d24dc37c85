//! The filter on a body that comes in chunks, with borders anywhere, in constant memory.

use std::sync::Arc;

use super::REDACTED;
use super::matcher::{Matcher, Targets};
use super::whole::{Kind, STEP, Verdict, Whole};

/// How many encodings within each other are looked into.
const DEEPEST: usize = 3;

/// So many bytes of a body that is not encoded as a whole are looked at at once.
const PLAIN_STEP: usize = 64 * 1024;

/// One body on its way out. Push its chunks in their order, then finish it.
#[derive(Debug)]
pub struct Stream {
    matcher: Matcher,
    /// What the body may still be as a whole.
    wholes: Vec<Whole>,
    /// What waits until these know that it is harmless, and where in the body it begins.
    waiting: Vec<u8>,
    waiting_from: u64,
    /// The body holds a secret as a whole of this kind; nothing more of that goes out.
    swallowed_as: Option<Whole>,
    found: bool,
}

impl Stream {
    pub(super) fn new(targets: Arc<Targets>) -> Self {
        Self::at_depth(targets, 0)
    }

    pub(super) fn at_depth(targets: Arc<Targets>, depth: usize) -> Self {
        let kinds: &[Kind] = if depth < DEEPEST && !targets.is_empty() {
            &[Kind::Base64, Kind::Hex, Kind::Percent]
        } else {
            &[]
        };
        Self {
            wholes: kinds.iter().map(|kind| Whole::new(*kind, Arc::clone(&targets), depth + 1)).collect(),
            matcher: Matcher::new(targets),
            waiting: Vec::new(),
            waiting_from: 0,
            swallowed_as: None,
            found: false,
        }
    }

    /// Adds to `out` what is known to hold no secret, or had one taken out.
    pub fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        let mut chunk = self.after_swallowing(chunk);
        while !chunk.is_empty() {
            let is_plain = self.wholes.is_empty();
            let (step, rest) = chunk.split_at(chunk.len().min(if is_plain { PLAIN_STEP } else { STEP }));
            if is_plain {
                self.matcher.push(step, out);
            } else {
                self.waiting.extend_from_slice(step);
                self.weigh(|whole| whole.push(step), out);
            }
            chunk = self.after_swallowing(rest);
        }
    }

    /// Adds the rest.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.weigh(Whole::finish, out);
        self.matcher.push(&std::mem::take(&mut self.waiting), out);
        self.matcher.finish(out);
    }

    /// Leaves out what belongs to an encoding that holds a secret.
    fn after_swallowing<'c>(&mut self, chunk: &'c [u8]) -> &'c [u8] {
        let Some(whole) = &mut self.swallowed_as else { return chunk };
        let swallowed = chunk.iter().take_while(|byte| whole.takes(**byte)).count();
        if swallowed < chunk.len() {
            self.swallowed_as = None;
        }
        &chunk[swallowed..]
    }

    /// Whether a secret was taken out.
    pub fn found(&self) -> bool {
        self.matcher.found || self.found
    }

    /// How much of the body is held back.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len() + self.matcher.waiting()
    }

    fn weigh(&mut self, mut ask: impl FnMut(&mut Whole) -> Verdict, out: &mut Vec<u8>) {
        let mut harmless = self.waiting_from + self.waiting.len() as u64;
        let mut holds = None;
        for mut whole in std::mem::take(&mut self.wholes) {
            match ask(&mut whole) {
                Verdict::Other => {}
                Verdict::HarmlessUpTo(place) => {
                    harmless = harmless.min(place);
                    self.wholes.push(whole);
                }
                Verdict::Holds => holds = Some(whole),
            }
        }
        if holds.is_some() {
            self.found = true;
            self.swallowed_as = holds;
            self.wholes.clear();
            self.waiting.clear();
            self.matcher.finish(out);
            out.extend_from_slice(REDACTED.as_bytes());
            return;
        }
        let count = usize::try_from(harmless.saturating_sub(self.waiting_from)).unwrap_or(usize::MAX);
        let released = self.waiting.drain(..count.min(self.waiting.len())).collect::<Vec<_>>();
        self.waiting_from += released.len() as u64;
        self.matcher.push(&released, out);
    }
}
