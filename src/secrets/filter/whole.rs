//! Bodies that are encoded as a whole. What a needle in Base64 or hexadecimal digits does not show (an
//! encoding within an encoding) is seen by decoding while the body goes by, and looking into that.
//!
//! Only what could still be a whole body of the kind is decoded, from its first byte on; most texts stop
//! being one within a few bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use super::matcher::Targets;
use super::stream::Stream;

/// So many bytes are decoded at once.
pub(super) const STEP: usize = 4096;

/// A text without a percent sign up to here is not percent-encoded.
const PERCENT_WITHIN: u64 = STEP as u64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Base64,
    Hex,
    Percent,
}

/// What became of a body by the bytes that were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is no body of this kind.
    Other,
    /// Everything up to this place is known to hold no secret.
    HarmlessUpTo(u64),
    /// It holds a secret.
    Holds,
}

/// One body, taken to be of one kind.
#[derive(Debug)]
pub(super) struct Whole {
    decoder: Decoder,
    targets: Arc<Targets>,
    depth: usize,
    /// Looks into what was decoded, once there is something.
    inside: Option<Box<Stream>>,
    taken: u64,
    decoded: u64,
    /// Places in the body and in what it decodes to that correspond, from the last harmless one on.
    marks: VecDeque<(u64, u64)>,
    /// What is decoded and not looked into yet.
    scratch: Vec<u8>,
}

impl Whole {
    pub(super) fn new(kind: Kind, targets: Arc<Targets>, depth: usize) -> Self {
        Self {
            decoder: Decoder::new(kind),
            targets,
            depth,
            inside: None,
            taken: 0,
            decoded: 0,
            marks: VecDeque::new(),
            scratch: Vec::new(),
        }
    }

    /// Takes the next bytes, at most [`STEP`] of them.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Verdict {
        if !self.decoder.decode(bytes, &mut self.scratch) {
            return Verdict::Other;
        }
        self.taken += bytes.len() as u64;
        match (self.decoder.kind, self.decoder.escaped) {
            (Kind::Percent, false) if self.taken >= PERCENT_WITHIN => Verdict::Other,
            // Without an escape it says what the body itself says.
            (Kind::Percent, false) => Verdict::HarmlessUpTo(0),
            _ => self.look(false),
        }
    }

    /// Whether a byte more still belongs to it.
    pub(super) fn takes(&mut self, byte: u8) -> bool {
        self.scratch.clear();
        self.decoder.decode(&[byte], &mut self.scratch)
    }

    /// The body has ended.
    pub(super) fn finish(&mut self) -> Verdict {
        if self.decoder.kind == Kind::Percent && !self.decoder.escaped {
            return Verdict::Other;
        }
        self.decoder.finish(&mut self.scratch);
        self.look(true)
    }

    fn look(&mut self, finished: bool) -> Verdict {
        let inside = self
            .inside
            .get_or_insert_with(|| Box::new(Stream::at_depth(Arc::clone(&self.targets), self.depth)));
        let mut unused = Vec::new();
        inside.push(&self.scratch, &mut unused);
        if finished {
            inside.finish(&mut unused);
        }
        if inside.found() {
            return Verdict::Holds;
        }
        self.decoded += self.scratch.len() as u64;
        self.scratch.clear();
        self.marks.push_back((self.taken, self.decoded));
        let harmless = self.decoded - inside.waiting() as u64;
        while self.marks.get(1).is_some_and(|(_, decoded)| *decoded <= harmless) {
            self.marks.pop_front();
        }
        let known = self.marks.front().filter(|(_, decoded)| *decoded <= harmless);
        // Some bits of the last characters may belong to what comes next.
        Verdict::HarmlessUpTo(known.map_or(0, |(taken, _)| taken.saturating_sub(3)))
    }
}

#[derive(Debug)]
struct Decoder {
    kind: Kind,
    /// What is read and not written yet: bits of Base64 or hexadecimal digits, bytes of an escape.
    bits: u32,
    count: u32,
    /// Base64 has come to its padding.
    padded: bool,
    /// There was a percent sign.
    escaped: bool,
}

impl Decoder {
    fn new(kind: Kind) -> Self {
        Self { kind, bits: 0, count: 0, padded: false, escaped: false }
    }

    /// `false`: the bytes do not belong to a body of this kind.
    fn decode(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        bytes.iter().all(|byte| match self.kind {
            Kind::Base64 => self.base64(*byte, out),
            Kind::Hex => self.hex(*byte, out),
            Kind::Percent => self.percent(*byte, out),
        })
    }

    fn base64(&mut self, byte: u8, out: &mut Vec<u8>) -> bool {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => {
                self.padded = true;
                return true;
            }
            other => return other.is_ascii_whitespace(),
        };
        self.bits = (self.bits << 6) | u32::from(value);
        self.count += 6;
        if self.count >= 8 {
            self.count -= 8;
            out.extend(u8::try_from((self.bits >> self.count) & 0xFF));
        }
        !self.padded
    }

    fn hex(&mut self, byte: u8, out: &mut Vec<u8>) -> bool {
        let Some(value) = char::from(byte).to_digit(16) else { return byte.is_ascii_whitespace() };
        self.bits = (self.bits << 4) | value;
        self.count += 4;
        if self.count == 8 {
            self.count = 0;
            out.extend(u8::try_from(self.bits & 0xFF));
        }
        true
    }

    /// `count` is the number of bytes that an escape has so far, and `bits` its first digit. What turns out
    /// to be no escape stands for itself.
    fn percent(&mut self, byte: u8, out: &mut Vec<u8>) -> bool {
        match (self.count, char::from(byte).to_digit(16)) {
            (1, Some(_)) => (self.bits, self.count) = (u32::from(byte), 2),
            (2, Some(digit)) => {
                let first = char::from_u32(self.bits).and_then(|first| first.to_digit(16));
                out.extend(first.and_then(|first| u8::try_from(first * 16 + digit).ok()));
                self.count = 0;
            }
            _ => {
                self.no_escape(out);
                if byte == b'%' {
                    (self.escaped, self.count) = (true, 1);
                    return true;
                }
                out.push(byte);
                return (byte.is_ascii_graphic() && !br#""<>\^`{|}"#.contains(&byte))
                    || matches!(byte, b'\r' | b'\n');
            }
        }
        true
    }

    fn no_escape(&mut self, out: &mut Vec<u8>) {
        out.extend((self.count > 0).then_some(b'%'));
        out.extend((self.count > 1).then(|| u8::try_from(self.bits).ok()).flatten());
        self.count = 0;
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if self.kind == Kind::Percent {
            self.no_escape(out);
        }
    }
}
