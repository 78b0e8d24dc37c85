//! Wiki links: what a link's text names, and which notes have that name.
//!
//! A lookup reads names only. The first rule that finds notes decides: the name as it is, in another
//! Unicode form, in other case, and at last with an ending that the link already carries.

use std::cmp::Ordering;
use std::io;

use serde_json::json;
use unicode_normalization::UnicodeNormalization;

use super::call::Call;
use super::error::NoteError;
use super::frontmatter::Note;
use super::path::trim;
use super::walk::{Found, Visitor, report, walk};
use super::{answer, collation};
use crate::obsidian::Output;

/// Reads the note that a link names. Other notes of the same name are listed with it.
pub fn wiki_link(call: &Call<'_>) -> Result<Output, NoteError> {
    let given = call.arguments.text("document")?;
    let pretty = call.arguments.pretty()?;
    let refused = |text: String, structured| Output {
        is_error: true,
        structured: Some(structured),
        ..answer::text(text)
    };
    let link = match WikiLink::parse(given) {
        Ok(link) => link,
        Err(error) => return Ok(refused(error.to_string(), json!({"rawInput": given}))),
    };
    let document = &link.document;
    if document.is_empty() {
        return Err(NoteError::Said("Empty wiki link — give the name of a note inside [[ ]]".into()));
    }
    let walked = walk(call.root, call.cancel, || Lookup { link: &link, found: Vec::new() })?;
    let paths = best(walked.visitors.into_iter().flat_map(|lookup| lookup.found).collect());
    let Some((path, others)) = paths.split_first() else {
        let text = format!(
            "No file found for [[{document}]]. Use search_notes or list_directory to find the correct name"
        );
        return Ok(report(refused(text, json!({"document": document})), &walked.unreadable));
    };
    let text = call.read(&call.note_path_of(path)?)?;
    let note = Note::read(&text);
    let fields = json!({"path": path, "fm": note.frontmatter(), "content": note.content()});
    let mut structured = json!({"document": document, "path": path});
    if !others.is_empty() {
        structured["alternatives"] = json!(others);
    }
    let output = Output { structured: Some(structured), ..answer::value(&fields, pretty) };
    Ok(report(output, &walked.unreadable))
}

/// One thread of a lookup.
struct Lookup<'a> {
    link: &'a WikiLink,
    found: Vec<(Fit, String)>,
}

impl Visitor for Lookup<'_> {
    fn enter(&mut self, _: &str) -> bool {
        true
    }

    fn wants(&mut self, path: &str) -> bool {
        self.found.extend(self.link.fit(path).map(|fit| (fit, path.to_owned())));
        // the name says all
        false
    }

    fn visit(&mut self, _: &Found<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// What a link names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WikiLink {
    /// A note's name, or its path without the ending.
    pub document: String,
}

impl WikiLink {
    /// Reads a link or an embed, with or without brackets. Display text and fragment are dropped; in
    /// brackets, a `\|` from a table is a `|` (N-17).
    ///
    /// # Errors
    /// When a backslash remains that means nothing in a link.
    pub fn parse(given: &str) -> Result<Self, NoteError> {
        let text = trim(given);
        let inner = text.strip_prefix('!').unwrap_or(text).strip_prefix("[[");
        let is_bracketed = inner.is_some();
        let text = inner.unwrap_or(text);
        let text = text.strip_suffix("]]").unwrap_or(text);
        let text = if is_bracketed { text.replace("\\|", "|") } else { text.to_owned() };
        let target = text.split('|').next().unwrap_or_default();
        if target.contains('\\') {
            return Err(NoteError::Said(format!(
                "Invalid wiki-link syntax: unexpected backslash in [[{given}]]. Inside [[ ]], only \\| has a meaning"
            )));
        }
        let document = trim(target.split('#').next().unwrap_or_default());
        Ok(Self { document: document.to_owned() })
    }

    /// Whether the link names a path and not only a note.
    fn is_path(&self) -> bool {
        self.document.contains('/')
    }

    /// How well the note at `path` fits, or `None` when it does not.
    pub fn fit(&self, path: &str) -> Option<Fit> {
        let name = if self.is_path() { path } else { path.rsplit('/').next().unwrap_or(path) };
        let named = |wanted: &str, stem: &str| -> Option<Fit> {
            if wanted == stem {
                return Some(Fit::Exact);
            }
            if wanted.is_ascii() && stem.is_ascii() {
                return wanted.eq_ignore_ascii_case(stem).then_some(Fit::OtherCase);
            }
            if wanted.nfc().eq(stem.nfc()) {
                return Some(Fit::OtherForm);
            }
            let folded = |text: &str| text.nfc().collect::<String>().to_lowercase();
            (folded(wanted) == folded(stem)).then_some(Fit::OtherCase)
        };
        if let Some(fit) = name.strip_suffix(".md").and_then(|stem| named(&self.document, stem)) {
            return Some(fit);
        }
        // `[[Note.md]]` names `Note.md` unless a `Note.md.md` stands there
        (name.ends_with(".md") && named(&self.document, name).is_some()).then_some(Fit::WithEnding)
    }
}

/// How a note's name fits a link, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    Exact,
    OtherForm,
    OtherCase,
    WithEnding,
}

/// The paths that fit best, in the order of MCPVault: those nearer to the root first, then by name.
pub fn best(mut found: Vec<(Fit, String)>) -> Vec<String> {
    let Some(best) = found.iter().map(|(fit, _)| *fit).min() else { return Vec::new() };
    found.retain(|(fit, _)| *fit == best);
    let mut paths: Vec<String> = found.into_iter().map(|(_, path)| path).collect();
    paths.sort_by(|a, b| nearer(a, b));
    paths
}

fn nearer(a: &str, b: &str) -> Ordering {
    let depth = |path: &str| path.matches('/').count();
    depth(a).cmp(&depth(b)).then_with(|| collation::compare(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(given: &str, expected: &str) {
        assert_eq!(WikiLink::parse(given).unwrap().document, expected, "{given:?}");
    }

    #[test]
    fn links_in_their_spellings() {
        check("[[Note]]", "Note");
        check("Note", "Note");
        check("  [[ Note ]] ", "Note");
        check("[[Note|Alias]]", "Note");
        check("[[Note#Heading]]", "Note");
        check("[[Note#^block|Alias]]", "Note");
        check("[[folder/Note]]", "folder/Note");
        check("[[Note|a#b]]", "Note");
        check("![[Note#^block|300]]", "Note");
        check("!Note", "!Note");
        check("[[#Heading]]", "");
        check("[[a|b|c]]", "a");
        check("Note]]", "Note");
        check("", "");
    }

    #[test]
    fn n17_a_pipe_from_a_table() {
        check("[[Note\\|Alias]]", "Note");
        check("[[folder/Note\\|Alias]]", "folder/Note");
    }

    #[test]
    fn a_backslash_elsewhere_is_refused() {
        for given in ["Note\\|Alias", "[[a\\b]]", "[[a#b\\c]]"] {
            assert!(
                WikiLink::parse(given).unwrap_err().to_string().contains("unexpected backslash"),
                "{given}"
            );
        }
    }

    #[track_caller]
    fn check_found(link: &str, paths: &[&str], expected: &[&str]) {
        let link = WikiLink::parse(link).unwrap();
        let found = paths.iter().filter_map(|path| Some((link.fit(path)?, (*path).to_owned()))).collect();
        assert_eq!(best(found), expected);
    }

    #[test]
    fn the_nearest_note_of_a_name_comes_first() {
        check_found(
            "Note",
            &["b/c/Note.md", "b/Note.md", "a/Note.md", "Note.md", "Notes.md", "x/ANote.md"],
            &["Note.md", "a/Note.md", "b/Note.md", "b/c/Note.md"],
        );
        check_found("a/Note", &["a/Note.md", "Note.md", "x/a/Note.md"], &["a/Note.md"]);
        check_found("None", &["a/Note.md"], &[]);
        check_found("image.png", &["image.png"], &[]);
    }

    #[test]
    fn v10_a_name_in_another_form_or_case_is_found() {
        check_found("Caf\u{e9}", &["Cafe\u{301}.md"], &["Cafe\u{301}.md"]);
        check_found("Caf\u{e9}", &["Cafe\u{301}.md", "a/Caf\u{e9}.md"], &["a/Caf\u{e9}.md"]);
        check_found("note", &["Note.md"], &["Note.md"]);
        check_found("note", &["Note.md", "a/b/note.md"], &["a/b/note.md"]);
        check_found("ÉTÉ", &["été.md"], &["été.md"]);
    }

    #[test]
    fn a_link_may_carry_the_ending() {
        check_found("Note.md", &["Note.md"], &["Note.md"]);
        check_found("Note.md", &["Note.md", "Note.md.md"], &["Note.md.md"]);
    }
}
