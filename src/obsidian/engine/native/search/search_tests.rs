//! Searches of small vaults.

use std::fs;
use std::path::Path;

use super::*;

fn vault(notes: &[(&str, &str)]) -> tempfile::TempDir {
    let vault = tempfile::tempdir().unwrap();
    for (path, text) in notes {
        write(vault.path(), path, text.as_bytes());
    }
    vault
}

fn write(vault: &Path, path: &str, bytes: &[u8]) {
    let path = vault.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn hits(vault: &Path, request: &Request) -> Vec<Hit> {
    let root = Root::open(vault, &[]).unwrap();
    search(&root, request, &CancellationToken::new()).unwrap().unwrap().hits
}

fn paths(vault: &Path, request: &Request) -> Vec<String> {
    hits(vault, request).into_iter().map(|hit| hit.path).collect()
}

/// Path, excerpt, matches and line of each result.
#[track_caller]
fn check(notes: &[(&str, &str)], request: &Request, expected: &[(&str, &str, usize, usize)]) {
    let vault = vault(notes);
    let hits = hits(vault.path(), request);
    let found: Vec<_> =
        hits.iter().map(|h| (h.path.as_str(), h.excerpt.as_str(), h.matches, h.line)).collect();
    assert_eq!(found, expected);
}

#[test]
fn words_are_found_in_text_and_title() {
    check(
        &[("a.md", "one\ntwo words\n"), ("words.md", "nothing"), ("c.md", "else")],
        &Request::new("words"),
        &[("a.md", "one\ntwo words", 1, 2), ("words.md", "nothing", 1, 0)],
    );
}

#[test]
fn several_words_count_alone_and_together() {
    check(
        &[("a.md", "red fox, red dog"), ("b.md", "a red fox; the fox"), ("c.md", "blue")],
        &Request::new("red fox"),
        &[("a.md", "red fox, red dog", 4, 1), ("b.md", "a red fox; the fox", 4, 1)],
    );
    check(&[("a.md", "one\ntwo")], &Request::new("one two"), &[("a.md", "one\ntwo", 2, 1)]);
}

#[test]
fn a_word_typed_twice_counts_once() {
    check(&[("a.md", "x\ny")], &Request::new("x x"), &[("a.md", "x\ny", 1, 1)]);
}

#[test]
fn v17_patterns_and_options_are_plain_text() {
    check(
        &[("a.md", "axb a.*b (c"), ("-INBOX-.md", "--pre=/bin/sh")],
        &Request::new("a.*b"),
        &[("a.md", "axb a.*b (c", 1, 1)],
    );
    check(
        &[("-INBOX-.md", "--pre=/bin/sh")],
        &Request::new("--pre=/bin/sh"),
        &[("-INBOX-.md", "--pre=/bin/sh", 1, 1)],
    );
    check(&[("a.md", "(c")], &Request::new("("), &[("a.md", "(c", 1, 1)]);
}

#[test]
fn letters_of_other_scripts_and_cases() {
    check(&[("a.md", "我喜欢中文笔记")], &Request::new("中文"), &[("a.md", "我喜欢中文笔记", 1, 1)]);
    check(&[("a.md", "STRASSE straße")], &Request::new("STRAßE"), &[("a.md", "STRASSE straße", 2, 1)]);
    check(&[("a.md", "ΟΔΟΣ")], &Request::new("οδος"), &[("a.md", "ΟΔΟΣ", 1, 1)]);
    check(&[("a.md", "İİİİ word")], &Request::new("word"), &[("a.md", "İİİİ word", 1, 1)]);
    let case = Request { case_sensitive: true, ..Request::new("Word") };
    check(
        &[("a.md", "word"), ("b.md", "Word"), ("Word.md", "x")],
        &case,
        &[("b.md", "Word", 1, 1), ("Word.md", "x", 1, 0)],
    );
}

#[test]
fn places_after_letters_that_change_their_length_are_right() {
    let text = format!("{} needle {}", "İ".repeat(40), "ẞ".repeat(40));
    check(
        &[("a.md", &text)],
        &Request::new("NEEDLE"),
        &[("a.md", &format!("...{} needle {}...", "İ".repeat(20), "ẞ".repeat(20)), 1, 1)],
    );
}

#[test]
fn frontmatter_is_searched_when_asked_for() {
    let notes =
        [("a.md", "---\r\ntitle: secret\r\n---\r\nbody\r\n"), ("b.md", "---\ntitle: secret\n---\nbody\n")];
    check(&notes, &Request::new("secret"), &[]);
    let both = Request { frontmatter: true, ..Request::new("secret") };
    check(
        &notes,
        &both,
        &[
            ("a.md", "---\r\ntitle: secret\r\n---\r\nbody", 1, 2),
            ("b.md", "---\ntitle: secret\n---\nbody", 1, 2),
        ],
    );
    let only = Request { content: false, ..both };
    check(&notes, &only, &[("a.md", "title: secret", 1, 2), ("b.md", "title: secret", 1, 2)]);
    let neither = Request { content: false, frontmatter: false, ..Request::new("a") };
    check(&notes, &neither, &[("a.md", "", 1, 0)]);
}

#[test]
fn lines_are_those_of_the_whole_note() {
    check(&[("a.md", "---\nt: 1\n---\none\ntwo\n")], &Request::new("two"), &[("a.md", "one\ntwo", 1, 5)]);
}

#[test]
fn limits_and_folders() {
    let notes: Vec<(String, String)> =
        (0..30).map(|n| (format!("f{}/{n:02}.md", n % 2), "same word".to_owned())).collect();
    let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let vault = vault(&notes);
    let count = |limit: f64| paths(vault.path(), &Request { limit, ..Request::new("word") }).len();
    assert_eq!([0.0, 2.7, 5.0, 20.0, 1000.0, -1.0].map(count), [0, 2, 5, 20, 20, 20]);
    let five = paths(vault.path(), &Request::new("word"));
    assert_eq!(five, ["f0/00.md", "f0/02.md", "f0/04.md", "f0/06.md", "f0/08.md"]);
    let in_f1 = Request { prefix: Some("/f1/".into()), limit: 1.0, ..Request::new("word") };
    assert_eq!(paths(vault.path(), &in_f1), ["f1/01.md"]);
    let not_f0 = Request { excluded: vec!["f0".into()], limit: 1.0, ..Request::new("word") };
    assert_eq!(paths(vault.path(), &not_f0), ["f1/01.md"]);
}

#[test]
fn a_blank_query_is_none() {
    let vault = vault(&[("a.md", "x")]);
    let root = Root::open(vault.path(), &[]).unwrap();
    assert!(search(&root, &Request::new("  "), &CancellationToken::new()).unwrap().is_none());
}

#[test]
fn notes_only_and_nothing_hidden() {
    let vault = vault(&[
        ("a.md", "word"),
        ("b.txt", "word"),
        ("c.markdown", "word"),
        (".obsidian/d.md", "word"),
        ("x.md/e.md", "word"),
        ("v1.2/f.md", "word"),
    ]);
    assert_eq!(paths(vault.path(), &Request::new("word")), ["a.md", "v1.2/f.md", "x.md/e.md"]);
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let vault = tempfile::tempdir().unwrap();
    write(vault.path(), "a.md", b"\xff\xfe\x00word\xc3");
    write(vault.path(), "b.md", &[0x80; 5000]);
    let hits = hits(vault.path(), &Request::new("word"));
    assert_eq!(hits[0].excerpt, "\u{fffd}\u{fffd}\0word\u{fffd}");
}

#[test]
fn a_note_of_fifty_megabytes_is_searched() {
    let vault = tempfile::tempdir().unwrap();
    let mut bytes = vec![b'x'; 50 << 20];
    bytes.extend_from_slice(b" needle");
    write(vault.path(), "a.md", &bytes);
    assert_eq!(hits(vault.path(), &Request::new("Needle"))[0].matches, 1);
}
