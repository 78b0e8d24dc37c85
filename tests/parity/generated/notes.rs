//! Random notes, and vaults of them.

use super::dice::Dice;
use super::frontmatter;
use crate::tree::{Node, Tree};

/// Where notes stand.
pub const PATHS: &[&str] = &[
    "a.md",
    "b.md",
    "Note.md",
    "note.md",
    "sub/a.md",
    "sub/deep/c.md",
    "sub/ d.md",
    "笔记/日.md",
    "été.md",
    "x.txt",
    "x.canvas",
    "noext",
    "1. Project/plan.md",
    "v1..v2.md",
    "100% #1.md",
    "🎉.md",
    "-dash.md",
    "img.png",
    "folder.md/in.md",
];

/// Those that the two see differently.
const ODD_PATHS: &[&str] = &["v1.2/in.md", "..dots/in.md", "Cafe\u{301}.md"];

const LINES: &[&str] = &[
    "Some words here.",
    "# Heading",
    "## Second ##",
    "",
    "- item",
    "  indented",
    "| a | b |",
    "[[Note|Alias]]",
    "今天天气很好。",
    "```",
    "~~~",
    "the quick brown fox",
    "Fox, fox and FOX.",
    "> quote",
    "---",
    "$& $1 \\n",
    "trailing  ",
    "\ttab",
    "é ü ß",
    "🎉 party",
    "1. one",
    "x x x",
    "Setext",
    "===",
    "<!-- comment -->",
    "a.c (x) [y]",
    "```x``` inline",
];

/// Lines with a `#` that may be taken for a tag. `causes` knows them one by one.
pub const TAGGED: &[&str] = &[
    "#tag here",
    "text #one/two",
    "`#code`",
    "http://x.y/#frag",
    "#123 #日本",
    "%%#comment%%",
    "\\#no",
    "[[Note#head]]",
];

pub fn vault(dice: &mut Dice) -> Tree {
    let mut tree = Tree::new();
    for _ in 0..1 + dice.below(8) {
        tree.insert(dice.pick(PATHS).to_owned(), Node::File(note(dice)));
    }
    if dice.in_a_hundred(10) {
        tree.insert(dice.pick(ODD_PATHS).to_owned(), Node::File(note(dice)));
    }
    if dice.in_a_hundred(20) {
        tree.insert(".obsidian/app.json".into(), Node::File(b"{}".to_vec()));
        tree.insert(".hidden.md".into(), Node::File(b"fox".to_vec()));
    }
    if dice.in_a_hundred(10) {
        tree.insert("empty folder".into(), Node::Folder);
    }
    if dice.in_a_hundred(10) {
        let targets =
            ["a.md", "<vault>/sub/a.md", "nothing.md", "../outside.md", "../new.md", ".obsidian/app.json"];
        tree.insert("link.md".into(), Node::Link(dice.pick(&targets).to_owned()));
    }
    tree
}

fn note(dice: &mut Dice) -> Vec<u8> {
    let mut text = String::new();
    if dice.in_a_hundred(50) {
        let block = if dice.in_a_hundred(70) { frontmatter::tame(dice) } else { frontmatter::block(dice) };
        let end = if dice.in_a_hundred(4) { "" } else { "---\n" };
        text += &format!("---\n{block}{end}");
    }
    text += &body(dice);
    if dice.in_a_hundred(8) {
        text = text.replace('\n', "\r\n");
    }
    if dice.in_a_hundred(5) {
        text.insert(0, '\u{feff}');
    }
    let mut bytes = text.into_bytes();
    if dice.in_a_hundred(4) {
        bytes.extend_from_slice(b"\xff\xfe");
    }
    bytes
}

pub fn body(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(8) {
        text += if dice.in_a_hundred(6) { dice.pick(TAGGED) } else { dice.pick(LINES) };
        text.push('\n');
    }
    if dice.in_a_hundred(20) {
        text.pop();
    }
    text
}
