//! `search_notes`: every note read once, by all cores, and ranked.
//!
//! A thread keeps one note in memory at a time, in small letters beside it, and of each result what is
//! shown of it. Words are plain text, never patterns (V-17).

mod excerpt;
mod fold;
mod query;
mod rank;
mod scan;

use std::io;

use tokio_util::sync::CancellationToken;

use super::error::EngineError;
use super::root::Root;
use super::walk::{Found, Reader, Unreadable, Visitor, walk};
use query::{Area, Terms};
use rank::Corpus;
use scan::Scanner;

pub use query::Request;

/// One result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub path: String,
    pub title: String,
    pub excerpt: String,
    /// How often words and query were found.
    pub matches: usize,
    /// The line of the first match in the whole note; 0 when only the title matches.
    pub line: usize,
}

/// What a search found.
#[derive(Debug)]
pub struct Hits {
    /// The best first.
    pub hits: Vec<Hit>,
    pub unreadable: Vec<Unreadable>,
}

/// Searches the vault. `None` for a query without words.
///
/// # Errors
/// When `cancel` fires.
pub fn search(
    root: &Root,
    request: &Request,
    cancel: &CancellationToken,
) -> Result<Option<Hits>, EngineError> {
    let Some(terms) = Terms::new(request) else { return Ok(None) };
    let area = Area::new(request);
    let walked = walk(root, cancel, || Searcher {
        area: &area,
        scanner: Scanner::new(request, &terms),
        reader: Reader::default(),
        corpus: Corpus::default(),
    })?;
    let mut corpus = Corpus::default();
    for searcher in walked.visitors {
        corpus.merge(searcher.corpus);
    }
    let hits = corpus.best(request.limit()).into_iter().map(|candidate| {
        let shown = candidate.shown;
        Hit {
            path: candidate.path,
            title: shown.title,
            excerpt: shown.excerpt,
            matches: shown.matches,
            line: shown.line,
        }
    });
    Ok(Some(Hits { hits: hits.collect(), unreadable: walked.unreadable }))
}

/// One thread of a search.
struct Searcher<'a> {
    area: &'a Area,
    scanner: Scanner<'a>,
    reader: Reader,
    corpus: Corpus,
}

impl Visitor for Searcher<'_> {
    fn enter(&mut self, path: &str) -> bool {
        self.area.enters(path)
    }

    fn wants(&mut self, path: &str) -> bool {
        path.ends_with(".md") && self.area.holds(path)
    }

    fn visit(&mut self, file: &Found<'_>) -> io::Result<()> {
        let bytes = if self.scanner.reads() { self.reader.read(file)? } else { &[] };
        let scanned = self.scanner.scan(file.path, bytes);
        self.corpus.add(file.path, scanned);
        Ok(())
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
