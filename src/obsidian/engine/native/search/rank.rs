//! The order of results: BM25, with the numbers that MCPVault uses.

use std::cmp::Ordering;

use super::super::walk::order;
use super::scan::{Scanned, Shown};

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// A note that was found.
#[derive(Debug)]
pub struct Candidate {
    pub path: String,
    pub shown: Shown,
    words: usize,
    counts: Vec<u32>,
}

/// What is known of the notes looked through so far. It grows with the results only.
#[derive(Debug, Default)]
pub struct Corpus {
    notes: usize,
    words: usize,
    /// In how many notes each term stands.
    spread: Vec<usize>,
    candidates: Vec<Candidate>,
}

impl Corpus {
    /// Takes in one note.
    pub fn add(&mut self, path: &str, scanned: Scanned) {
        let Scanned { words, counts, shown } = scanned;
        self.notes += 1;
        self.words += words;
        self.spread.resize(counts.len(), 0);
        for (spread, count) in self.spread.iter_mut().zip(&counts) {
            *spread += usize::from(*count > 0);
        }
        if let Some(shown) = shown {
            self.candidates.push(Candidate { path: path.to_owned(), shown, words, counts });
        }
    }

    /// Takes in what another thread has found.
    pub fn merge(&mut self, other: Self) {
        self.notes += other.notes;
        self.words += other.words;
        if self.spread.len() < other.spread.len() {
            self.spread.resize(other.spread.len(), 0);
        }
        for (spread, more) in self.spread.iter_mut().zip(&other.spread) {
            *spread += more;
        }
        self.candidates.extend(other.candidates);
    }

    /// The best results, the best first; equal ones in the order of the walk.
    pub fn best(mut self, limit: usize) -> Vec<Candidate> {
        let candidates = std::mem::take(&mut self.candidates);
        let mut scored: Vec<(f64, Candidate)> =
            candidates.into_iter().map(|candidate| (self.score(&candidate), candidate)).collect();
        let better = |(a, one): &(f64, Candidate), (b, other): &(f64, Candidate)| {
            b.partial_cmp(a).unwrap_or(Ordering::Equal).then_with(|| order(&one.path, &other.path))
        };
        scored.sort_by(better);
        scored.truncate(limit);
        scored.into_iter().map(|(_, candidate)| candidate).collect()
    }

    fn score(&self, candidate: &Candidate) -> f64 {
        // exact: no vault has 2^53 words
        let notes = self.notes as f64;
        let average = self.words as f64 / notes;
        if average == 0.0 {
            return 0.0;
        }
        let length = K1 * (1.0 - B + B * candidate.words as f64 / average);
        let mut score = 0.0;
        for (count, spread) in candidate.counts.iter().zip(&self.spread) {
            let (count, spread) = (f64::from(*count), *spread as f64);
            let rarity = (1.0 + (notes - spread + 0.5) / (spread + 0.5)).ln();
            score += rarity * (count * (K1 + 1.0)) / (count + length);
        }
        score
    }
}
