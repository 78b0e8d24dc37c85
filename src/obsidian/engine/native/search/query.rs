//! What a search looks for, and in which notes.

use std::path::PathBuf;

use memchr::memmem::Finder;
use unicode_normalization::UnicodeNormalization;

use super::super::path::{self, is_blank};
use super::fold;

/// The most results that one search gives.
const MOST_RESULTS: usize = 20;

/// A search as it was asked for.
#[derive(Debug, Clone)]
pub struct Request {
    pub query: String,
    /// How many results. Fractions count as the whole number below; a negative number asks for all
    /// that one answer holds, which are 20.
    pub limit: f64,
    pub content: bool,
    pub frontmatter: bool,
    pub case_sensitive: bool,
    /// Only notes below this folder, or this note.
    pub prefix: Option<String>,
    /// No notes below these folders.
    pub excluded: Vec<String>,
}

impl Request {
    /// A search with the defaults of the tool.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            limit: 5.0,
            content: true,
            frontmatter: false,
            case_sensitive: false,
            prefix: None,
            excluded: Vec::new(),
        }
    }

    /// How many results are wanted at most.
    pub fn limit(&self) -> usize {
        if self.limit < 0.0 {
            return MOST_RESULTS;
        }
        // at most 20 here, and rounded down by the conversion
        self.limit.min(MOST_RESULTS as f64) as usize
    }
}

/// The words of a search, ready to be looked for.
#[derive(Debug)]
pub struct Terms {
    /// Each word once, and behind them the whole query when it has several.
    finders: Vec<Finder<'static>>,
    words: usize,
    /// The words in the Unicode form that titles are brought to (V-10).
    in_titles: Vec<Finder<'static>>,
}

impl Terms {
    /// `None` for a query without words.
    pub fn new(request: &Request) -> Option<Self> {
        let query = if request.case_sensitive { request.query.clone() } else { fold::folded(&request.query) };
        let mut words: Vec<&str> = Vec::new();
        let mut several = 0;
        for word in query.split(is_blank).filter(|word| !word.is_empty()) {
            several += 1;
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let mut finders: Vec<_> = words.iter().map(|word| Finder::new(word).into_owned()).collect();
        let in_titles = words.iter().map(|word| Finder::new(form(word).as_ref()).into_owned()).collect();
        let words = finders.len();
        if several > 1 {
            finders.push(Finder::new(&query).into_owned());
        }
        (words > 0).then_some(Self { finders, words, in_titles })
    }

    /// Whether one of the words stands in a title, which is in small letters if the words are.
    pub fn are_in_title(&self, title: &str) -> bool {
        let title = form(title);
        self.in_titles.iter().any(|word| word.find(title.as_bytes()).is_some())
    }

    /// The words that make a note a result.
    pub fn words(&self) -> &[Finder<'static>] {
        &self.finders[..self.words]
    }

    /// What counts for the order: the words, and the whole query.
    pub fn all(&self) -> &[Finder<'static>] {
        &self.finders
    }
}

/// Which part of the vault is searched.
#[derive(Debug)]
pub struct Area {
    prefix: String,
    excluded: Vec<String>,
}

impl Area {
    /// The part of a vault whose own path has the spellings `vault`.
    pub fn new(request: &Request, vault: &[PathBuf]) -> Self {
        let subtree = |path: &str| subtree(path, vault);
        let excluded =
            request.excluded.iter().map(|path| subtree(path)).filter(|path| !path.is_empty()).collect();
        Self { prefix: request.prefix.as_deref().map(subtree).unwrap_or_default(), excluded }
    }

    /// Whether there may be notes of the area in the folder.
    pub fn enters(&self, folder: &str) -> bool {
        let folder = form(folder);
        let leads_there =
            self.prefix.is_empty() || is_under(&folder, &self.prefix) || is_under(&self.prefix, &folder);
        leads_there && !self.excludes(&folder)
    }

    /// Whether the note is searched.
    pub fn holds(&self, path: &str) -> bool {
        let path = form(path);
        (self.prefix.is_empty() || is_under(&path, &self.prefix)) && !self.excludes(&path)
    }

    fn excludes(&self, path: &str) -> bool {
        self.excluded.iter().any(|excluded| is_under(path, excluded))
    }
}

/// A folder as it was given, with one spelling: below the vault, `/` in between and not around it, no `.`
/// and `..`. One that climbs out stays as it is, and no note is below it.
fn subtree(given: &str, vault: &[PathBuf]) -> String {
    let path = path::shown(given, vault).replace('\\', "/");
    let path = path::lexical(&path).map_or(path, |parts| parts.join("/"));
    form(&path).into_owned()
}

/// One Unicode form for all names, whatever form the disk has (V-10).
fn form(path: &str) -> std::borrow::Cow<'_, str> {
    if path.is_ascii() { path.into() } else { path.nfc().collect::<String>().into() }
}

fn is_under(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_in_and_out_of_range() {
        for (limit, expected) in [
            (5.0, 5),
            (0.0, 0),
            (1.0, 1),
            (20.0, 20),
            (1000.0, 20),
            (2.7, 2),
            (0.5, 0),
            (-1.0, 20),
            (-0.5, 20),
            (f64::MAX, 20),
        ] {
            assert_eq!(Request { limit, ..Request::new("x") }.limit(), expected, "{limit}");
        }
    }

    #[test]
    fn words_and_the_whole_query() {
        let check = |query: &str, words: usize, all: &[&str]| {
            let terms = Terms::new(&Request::new(query)).unwrap();
            let needles: Vec<_> =
                terms.all().iter().map(|finder| str::from_utf8(finder.needle()).unwrap()).collect();
            assert_eq!((terms.words().len(), needles.as_slice()), (words, all), "{query:?}");
        };
        check("One", 1, &["one"]);
        check(" One ", 1, &["one"]);
        check("one TWO", 2, &["one", "two", "one two"]);
        check("one\u{3000}two", 2, &["one", "two", "one\u{3000}two"]);
        check("one one", 1, &["one", "one one"]);
        check("a.*b", 1, &["a.*b"]);
        assert!(Terms::new(&Request::new(" \u{a0}\n")).is_none());
        assert!(Terms::new(&Request::new("")).is_none());
    }

    #[test]
    fn folders_with_and_without_slashes() {
        let area = |prefix: &str, excluded: &[&str]| {
            let request = Request {
                prefix: Some(prefix.to_owned()),
                excluded: excluded.iter().map(|path| (*path).to_owned()).collect(),
                ..Request::new("x")
            };
            Area::new(&request, &[PathBuf::from("/vault")])
        };
        for prefix in
            ["a/b", "/a/b", "a/b/", "//a/b//", "a\\b", "./a/b", " a/b ", "c/../a/b", "/vault/a/b/", "a//b/."]
        {
            let area = area(prefix, &[]);
            assert!(
                area.holds("a/b/c.md") && area.holds("a/b") && area.enters("a") && area.enters("a/b/d"),
                "{prefix}"
            );
            assert!(
                !area.holds("a/bc.md") && !area.holds("a/c.md") && !area.enters("c") && !area.enters("a/bc"),
                "{prefix}"
            );
        }
        for prefix in ["", "/", ".", "./", "/vault", "/vault/"] {
            assert!(area(prefix, &[]).holds("x.md"), "{prefix}");
        }
        for prefix in ["..", "../a", "/vaults"] {
            assert!(!area(prefix, &[]).holds("a/b.md") && area("", &[prefix]).holds("a/b.md"), "{prefix}");
        }
        let area = area("", &["Archive/", "/meta", "", "/"]);
        assert!(
            area.holds("a.md")
                && area.holds("Archives/a.md")
                && !area.holds("Archive/a.md")
                && !area.enters("meta")
        );
    }

    #[test]
    fn v10_a_folder_in_another_unicode_form() {
        let area = Area::new(&Request { prefix: Some("Caf\u{e9}".into()), ..Request::new("x") }, &[]);
        assert!(area.holds("Cafe\u{301}/a.md") && area.enters("Cafe\u{301}"));
    }
}
