//! One note looked through: whether it is a result, and what counts for its place among the others.

use memchr::memchr_iter;

use super::super::frontmatter::{Fence, Language};
use super::super::walk::decoded;
use super::excerpt;
use super::fold::{Folded, count_words};
use super::query::{Request, Terms};

/// What one note gives.
#[derive(Debug)]
pub struct Scanned {
    /// How many words were searched.
    pub words: usize,
    /// How often each term stands in it, in the order of [`Terms::all`].
    pub counts: Vec<u32>,
    /// What is shown when the note is a result.
    pub shown: Option<Shown>,
}

/// What is shown of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub title: String,
    pub excerpt: String,
    /// How often words and query were found, plus one when the title holds a word.
    pub matches: usize,
    /// The line of the first match in the whole note, from 1; 0 when only the title matches.
    pub line: usize,
}

/// Looks through notes, in memory that is used again and again.
#[derive(Debug)]
pub struct Scanner<'a> {
    request: &'a Request,
    terms: &'a Terms,
    folded: Folded,
    folded_title: Folded,
}

impl<'a> Scanner<'a> {
    pub fn new(request: &'a Request, terms: &'a Terms) -> Self {
        Self { request, terms, folded: Folded::default(), folded_title: Folded::default() }
    }

    /// Whether the text of notes is needed at all.
    pub fn reads(&self) -> bool {
        self.request.content || self.request.frontmatter
    }

    /// Looks through the note at `path`.
    pub fn scan(&mut self, path: &str, bytes: &[u8]) -> Scanned {
        let note = decoded(bytes);
        let (text, first_line) = self.searched(&note);
        let title = path.rsplit('/').next().unwrap_or(path);
        let title = title.strip_suffix(".md").unwrap_or(title);
        let (folded, folded_title) = if self.request.case_sensitive {
            (text, title)
        } else {
            self.folded.fold(text);
            self.folded_title.fold(title);
            (self.folded.as_str(), self.folded_title.as_str())
        };
        let count = |finder: &memchr::memmem::Finder| {
            u32::try_from(finder.find_iter(folded.as_bytes()).count()).unwrap_or(u32::MAX)
        };
        let counts: Vec<u32> = self.terms.all().iter().map(count).collect();
        let words = self.terms.words();
        let is_titled = self.terms.are_in_title(folded_title);
        let first = words
            .iter()
            .zip(&counts)
            .filter(|(_, count)| **count > 0)
            .filter_map(|(word, _)| Some((word.find(folded.as_bytes())?, word.needle().len())))
            // the earlier word of the query where two begin at one place
            .min_by_key(|(place, _)| *place);
        let shown = match first {
            Some((place, length)) => {
                let (start, end) = self.places(text, place, place + length);
                Some(Shown {
                    title: title.to_owned(),
                    excerpt: excerpt::around(text, start, end),
                    matches: counts.iter().map(|count| *count as usize).sum::<usize>()
                        + usize::from(is_titled),
                    line: first_line + memchr_iter(b'\n', &text.as_bytes()[..start]).count(),
                })
            }
            None if is_titled => Some(Shown {
                title: title.to_owned(),
                excerpt: excerpt::beginning(text),
                matches: 1,
                line: 0,
            }),
            None => None,
        };
        Scanned { words: count_words(folded), counts, shown }
    }

    /// The part of the note that is searched, and the line in which it begins.
    fn searched<'t>(&self, note: &'t str) -> (&'t str, usize) {
        let fence = || Fence::find(note).filter(|fence| !matches!(fence.language, Language::Other(_)));
        match (self.request.content, self.request.frontmatter) {
            (false, false) => ("", 1),
            (true, true) => (note, 1),
            (true, false) => fence().map_or((note, 1), |fence| {
                (&note[fence.body..], 1 + memchr_iter(b'\n', &note.as_bytes()[..fence.body]).count())
            }),
            (false, true) => {
                fence().map_or(("", 1), |fence| (note[fence.inner].trim_end_matches(['\r', '\n']), 2))
            }
        }
    }

    /// Where a match in the folded text stands in the text itself.
    fn places(&self, text: &str, start: usize, end: usize) -> (usize, usize) {
        if self.request.case_sensitive {
            return (start, end);
        }
        (self.folded.start_in(text, start), self.folded.end_in(text, end))
    }
}
