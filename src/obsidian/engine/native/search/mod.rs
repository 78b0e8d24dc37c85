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

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::call::Call;
use super::error::NoteError;
use super::root::Root;
use super::uri::obsidian_uri;
use super::walk::{Found, Reader, Unreadable, Visitor, report, walk};
use super::{answer, path};
use crate::obsidian::Output;
use query::{Area, Terms};
use rank::Corpus;
use scan::Scanner;

pub use query::Request;

/// The notes that fit a query best.
pub fn search_notes(call: &Call<'_>) -> Result<Output, NoteError> {
    let arguments = call.arguments;
    let given = |name: &str| match arguments.get(name) {
        None => Ok(None),
        Some(_) => arguments.text(name).map(|text| Some(text.to_owned())),
    };
    let defaults = Request::new(arguments.text("query")?);
    let request = Request {
        limit: arguments.number("limit")?.unwrap_or(defaults.limit),
        content: arguments.flag("searchContent", defaults.content)?,
        frontmatter: arguments.flag("searchFrontmatter", defaults.frontmatter)?,
        case_sensitive: arguments.flag("caseSensitive", defaults.case_sensitive)?,
        prefix: given("pathPrefix")?,
        excluded: arguments
            .texts("excludePaths")?
            .into_iter()
            .map(|path| path::trim(path).to_owned())
            .collect(),
        query: defaults.query,
    };
    let pretty = arguments.pretty()?;
    let found = search(call.root, &request, call.cancel)?;
    let found = found.ok_or_else(|| NoteError::Said("Search query cannot be empty".into()))?;
    let hits: Vec<Value> = found
        .hits
        .iter()
        .map(|hit| {
            json!({
                "p": hit.path,
                "t": hit.title,
                "ex": hit.excerpt,
                "mc": hit.matches,
                "ln": hit.line,
                "uri": obsidian_uri(call.root.path(), &hit.path),
            })
        })
        .collect();
    Ok(report(answer::value(&Value::Array(hits), pretty), &found.unreadable))
}

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
pub fn search(root: &Root, request: &Request, cancel: &CancellationToken) -> Result<Option<Hits>, NoteError> {
    let Some(terms) = Terms::new(request) else { return Ok(None) };
    let area = Area::new(request, root.spellings());
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
