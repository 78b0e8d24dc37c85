//! The vault that the cases run on: a note for each oddity.

use crate::tree::{Node, Tree};

/// Notes that both engines treat alike.
pub const TAME: &[(&str, &str)] = &[
    ("plain.md", "Some text.\nAnother line.\n"),
    ("empty.md", ""),
    ("no-end.md", "last line has no end"),
    ("blank.md", "\n\n"),
    ("crlf.md", "one\r\ntwo\r\nthree\r\n"),
    ("front.md", "---\ntitle: A title\ncount: 3\n---\nBody here.\n"),
    ("front-only.md", "---\ntitle: Only\n---\n"),
    ("front-list.md", "---\ntags:\n  - one\n  - two/three\naliases: []\n---\nBody #inline text\n"),
    ("front-nested.md", "---\nouter:\n  inner: 1\n  list:\n    - a\n    - b: 2\n---\n\n# Heading\n"),
    (
        "front-values.md",
        "---\nt: true\nn: null\nyes: yes\nno: no\nf: 1.5\nz: 007\ndate: 2024-01-02\ntime: 2024-01-02T03:04:05Z\n---\nx\n",
    ),
    ("front-text.md", "---\nlong: |\n  line one\n  line two\nafter: 1\n---\nx\n"),
    ("front-cjk.md", "---\n标题: 笔记\n😀: emoji\n---\n内容 内容\n"),
    ("front-quotes.md", "---\nlink: \"[[Other note]]\"\nhash: \"a # b\"\ncolon: \"a: b\"\n---\nx\n"),
    ("break.md", "text\n\n---\n\nmore\n"),
    (
        "headings.md",
        "# One\n\ntext\n\n## Two ##\n### Three\n#NoSpace\n####### Seven\n  # Indented\n    # Code\n#\n## \nSetext\n======\n",
    ),
    (
        "fences.md",
        "# Real\n```sh\n# not\n```\n~~~\n# not\n~~~\n````\n```\n# not\n````\n## After\n```\n# open to the end\n",
    ),
    ("front-headings.md", "---\n# comment\nt: 1\n---\n# Real\n"),
    ("tags.md", "#first and #second/part\n#first again\nword#no\n"),
    ("repeat.md", "x x x\naaa\n"),
    ("dollar.md", "cost: $1 and $& here\n"),
    ("sub/deep/er/note.md", "Deep down.\n"),
    ("sub/plain.md", "Another plain one.\n"),
    ("sub/same.md", "same in sub\n"),
    ("other/same.md", "same in other\n"),
    ("a/b/same.md", "same below\n"),
    ("笔记/日记.md", "今天天气很好。\n"),
    ("names/with space.md", "space\n"),
    ("names/100% #1 (a).md", "odd\n"),
    ("names/a?b:c.md", "odd\n"),
    ("names/-dash.md", "dash\n"),
    ("names/Case.md", "upper\n"),
    ("names/case.md", "lower\n"),
    ("names/emoji 😀.md", "emoji\n"),
    ("names/noext", "no ending\n"),
    ("names/x.markdown", "markdown\n"),
    ("names/x.txt", "text\n"),
    ("names/x.canvas", "{\"nodes\":[]}\n"),
    ("names/x.base", "views: []\n"),
    ("names/x.MD", "upper ending\n"),
    ("names/v1..v2 diff.md", "dots\n"),
    ("names/1. Project/note.md", "in a folder with a dot\n"),
    ("folder.md/note.md", "in a folder called like a note\n"),
    ("image.png", "not a note"),
    ("data.json", "{}"),
    ("search/alpha.md", "The quick brown fox jumps over the lazy dog. fox fox.\n"),
    (
        "search/beta.md",
        "---\ntitle: Fox facts\ntags:\n  - animal\n---\nA FOX is an animal.\nThe second line: fox.\n",
    ),
    ("search/gamma fox.md", "Only the name has it.\n"),
    ("search/delta.md", "straße STRASSE İstanbul Σίσυφος σίσυφος\n"),
    ("search/regex.md", "a.c a+c [x] (y) $ ^ \\d --pre=/bin/sh\n"),
    ("search/lines.md", "first line\nsecond brown\nfox line\n"),
    (".obsidian/app.json", "{}"),
    (".obsidian/workspace.md", "fox hidden"),
    (".git/config", "[core]"),
    (".hidden.md", "fox hidden"),
    ("sub/.secret/x.md", "fox hidden"),
    ("sub/node_modules/pkg/readme.md", "fox hidden #hiddentag"),
];

/// Notes that the engines see differently.
pub const WILD: &[(&str, &str)] = &[
    ("wild/bom.md", "\u{feff}---\ntitle: x\n---\nbody\n"),
    ("wild/bom-plain.md", "\u{feff}plain body\n"),
    ("wild/crlf-front.md", "---\r\ntitle: x\r\ndate: 2024-01-02\r\n---\r\nbody\r\n"),
    (
        "wild/comments.md",
        "---\n# a comment\nlist: [a,b]  # c\nid: 12345678901234567890\nhex: 0x1F\nquoted: 'single'\n---\nbody\n",
    ),
    ("wild/broken.md", "---\ntitle: a: b\n---\nbody\n"),
    ("wild/tab.md", "---\na:\n\tb: 1\n---\nbody\n"),
    ("wild/open.md", "---\ntitle: x\n\nbody: without an end\n"),
    ("wild/duplicate.md", "---\na: 1\na: 2\n---\nbody\n"),
    ("wild/program.md", "---js\n{ title: 1 }\n---\nbody\n"),
    ("wild/json.md", "---json\n{\"title\": \"x\"}\n---\nbody\n"),
    ("wild/empty-block.md", "---\n---\nbody\n"),
    ("wild/blank-block.md", "---\n\n---\nbody\n"),
    ("wild/list.md", "---\n- a\n- b\n---\nbody\n"),
    ("wild/scalar.md", "---\njust text\n---\nbody\n"),
    ("wild/numbers.md", "---\n2024: year\nb: 1\n1: one\n---\nbody\n"),
    ("wild/anchor.md", "---\nbase: &b\n  x: 1\ncopy: *b\n---\nbody\n"),
    ("wild/no-end.md", "---\ntitle: x\n---"),
    ("wild/body-no-end.md", "---\ntitle: x\n---\nbody"),
    (
        "wild/tags-in-code.md",
        "`#code` and #real\n```\n#block\n```\nhttp://x.y/#frag [[note#head]] %%#comment%% #123 \\#no #日本\n",
    ),
    ("wild/tags-text.md", "---\ntags: one, two three\n---\nbody\n"),
    ("wild/tags-hash.md", "---\ntags:\n  - \"#one\"\n  - 2024\n---\nbody #two\n"),
    ("wild/cafe\u{301}.md", "decomposed\n"),
    ("wild/..dots/note.md", "two dots\n"),
];

/// The vault with all of it, and links.
pub fn whole() -> Tree {
    let mut tree: Tree = TAME
        .iter()
        .chain(WILD)
        .map(|(path, text)| ((*path).to_owned(), Node::File(text.as_bytes().to_vec())))
        .collect();
    tree.insert("wild/invalid.md".into(), Node::File(b"ok \xff\xfe end\n".to_vec()));
    tree.insert("void".into(), Node::Folder);
    for (path, target) in [
        ("links/inside.md", "../plain.md"),
        ("links/absolute.md", "<vault>/plain.md"),
        ("links/folder", "../sub"),
        ("links/outside.md", "../../outside.md"),
        ("links/dangling-outside.md", "../../new.md"),
        ("links/dangling.md", "nothing.md"),
        ("links/dangling-folder.md", "made/nothing.md"),
        ("links/loop-a.md", "loop-b.md"),
        ("links/loop-b.md", "loop-a.md"),
        ("links/hidden.md", "../.obsidian/app.json"),
        ("links/out-folder", "../.."),
    ] {
        tree.insert(path.into(), Node::Link(target.into()));
    }
    tree
}

/// The vault without what is wild: both engines must agree on all of it.
pub fn tame() -> Tree {
    TAME.iter().map(|(path, text)| ((*path).to_owned(), Node::File(text.as_bytes().to_vec()))).collect()
}
