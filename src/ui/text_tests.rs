//! Both languages say the same things, and nothing is said outside of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// The messages of a file, each with the arguments that it speaks of.
fn messages(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let resource = FluentResource::try_new(source.to_owned());
    assert!(resource.is_ok(), "a line cannot be read: {:?}", resource.unwrap_err().1);
    let mut found = BTreeMap::new();
    let mut key = String::new();
    for line in source.lines().filter(|line| !line.starts_with('#')) {
        if let Some((name, _)) = line.split_once(" =").filter(|_| !line.starts_with(' ')) {
            key = name.to_owned();
            assert!(found.insert(key.clone(), BTreeSet::new()).is_none(), "{key} is there twice");
        }
        let arguments = line.split('$').skip(1).map(|rest| {
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect::<String>()
        });
        found.entry(key.clone()).or_default().extend(arguments);
    }
    found.remove("");
    found
}

fn sources() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // The pictures are tests, with names of their own making.
            if path.ends_with("pictures") {
                continue;
            }
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs")
                && !path.to_string_lossy().ends_with("_tests.rs")
            {
                let text = fs::read_to_string(&path).unwrap();
                let shown = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                found.push((path, shown));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ui"), &mut found);
    found
}

/// The string literals of a source, without comments.
fn literals(source: &str) -> Vec<String> {
    let code: Vec<&str> = source
        .lines()
        .filter(|line| {
            let line = line.trim_start();
            !line.starts_with("//") && !line.starts_with("#[") && !line.starts_with("#![")
        })
        .collect();
    let code = code.join("\n");
    let mut found = Vec::new();
    let mut chars = code.chars();
    while let Some(c) = chars.next() {
        if c == '\'' {
            // A character literal may be a quotation mark; a lifetime is followed by a name.
            let mut ahead = chars.clone();
            let quoted = (ahead.next(), ahead.next());
            if let (Some(_), Some('\'')) = quoted {
                chars = ahead;
            }
            continue;
        }
        if c != '"' {
            continue;
        }
        let mut text = String::new();
        while let Some(c) = chars.next() {
            match c {
                '\\' => text.extend(chars.next().map(|escaped| if escaped == 'n' { ' ' } else { escaped })),
                '"' => break,
                c => text.push(c),
            }
        }
        found.push(text);
    }
    found
}

#[test]
fn both_languages_have_the_same_sentences_about_the_same_things() {
    let (english, chinese) = (messages(ENGLISH), messages(SIMPLIFIED_CHINESE));
    let keys = |of: &BTreeMap<String, BTreeSet<String>>| of.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(keys(&english), keys(&chinese));
    for (key, arguments) in &english {
        // A language may count where the other does not have to.
        let plural = arguments.contains("count");
        assert!(plural || *arguments == chinese[key], "{key}: {arguments:?} and {:?}", chinese[key]);
    }
}

#[test]
fn every_sentence_is_written_in_its_own_language() {
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let names = ["page-obsidian", "page-runtimes", "language-en", "version"];
    let chinese = Texts::new(Language::SimplifiedChinese);
    for key in messages(SIMPLIFIED_CHINESE).keys() {
        let same = matches!(
            key.as_str(),
            "step-state"
                | "what-and-why"
                | "runtime-line"
                | "tool-row"
                | "name-and-id"
                | "answer-of"
                | "row-name"
                | "outcome-and-meaning"
                | "text-percent"
                | "licences-by"
                | "licences-row"
        );
        if !same && !names.contains(&key.as_str()) {
            assert!(chinese.get(key).chars().any(is_han), "{key} is not Chinese: {}", chinese.get(key));
        }
    }
    let english = Texts::new(Language::English);
    for key in messages(ENGLISH).keys().filter(|key| *key != "language-zh") {
        assert!(!english.get(key).chars().any(is_han), "{key} is not English");
    }
}

#[test]
fn every_sentence_that_is_asked_for_exists_and_none_is_left_over() {
    let known = messages(ENGLISH);
    let literals: BTreeSet<String> = sources().iter().flat_map(|(_, source)| literals(source)).collect();
    for (path, source) in sources() {
        for call in ["look.text(\"", "texts.get(\"", "texts.with(\"", "told(\"", "named(\"", "about(\""] {
            for rest in source.split(call).skip(1) {
                let key = rest.split('"').next().unwrap_or_default();
                assert!(known.contains_key(key), "{}: there is no sentence {key}", path.display());
            }
        }
    }
    for key in known.keys() {
        let built = ["error-", "reason-", "tool-obsidian-"].iter().any(|start| key.starts_with(start));
        let base = ["-help", "-do"].iter().find_map(|end| key.strip_suffix(end));
        let used = literals.contains(key) || base.is_some_and(|base| literals.contains(base));
        assert!(built || used, "nobody asks for {key}");
    }
}

#[test]
fn no_words_for_people_stand_in_the_code() {
    // Names of products, formats of programs, messages for the command line and for the log.
    let allowed = ["run.rs", "bus.rs"];
    for (path, source) in sources() {
        if allowed.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        for text in literals(&source) {
            let is_word = |word: &&str| word.split(|c: char| !c.is_alphabetic()).any(|part| part.len() > 1);
            let words = text.split_whitespace().filter(is_word).count();
            let capital = text.starts_with(|c: char| c.is_uppercase()) && text.len() > 2;
            let name = ["Notegate", "Texts", "Screen", "Window"].contains(&text.as_str());
            let code =
                ["a built-in theme", " is not a colour like #1D1D1B"].iter().any(|ours| text.contains(ours));
            let foreign =
                !text.is_ascii() && text.chars().any(char::is_alphabetic) && !path.ends_with("gallery.rs");
            assert!(
                name || code || !(words > 1 || capital || foreign),
                "{}: {text:?} belongs into assets/i18n",
                path.display()
            );
        }
    }
}

#[test]
fn the_systems_language_is_followed_unless_one_was_chosen() {
    let check = |chosen, system, expected| assert_eq!(resolve(chosen, system), expected);
    check(None, Some("zh-CN"), Language::SimplifiedChinese);
    check(None, Some("zh_Hans_CN.UTF-8"), Language::SimplifiedChinese);
    check(None, Some("de-DE"), Language::English);
    check(None, None, Language::English);
    check(Some(Language::English), Some("zh-CN"), Language::English);
}
