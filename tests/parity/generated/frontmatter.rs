//! Frontmatter as people write it, and as it goes wrong.

use super::dice::Dice;

#[rustfmt::skip]
const KEYS: &[&str] = &[
    "title", "date", "tags", "标题", "😀", "a b", "\"quoted\"", "'single'", "x-y", "x.y", "n1", "_u", "Ünï",
    "yes", "no", "null", "true", "a/b", "$x", "(p)", "k?", "-k", "k#", "@k", "*k", "&k", "!k", "2024",
    "1.5", "~", "<<", "[k]", "{k}", "%k", "key:sub",
];

#[rustfmt::skip]
const VALUES: &[&str] = &[
    "", "text", "two words", "3", "-7", "+5", "007", "1.50", ".5", "5.", "1e3", "1E-3", "0x1F", "0o17",
    "0b1", "1_000", "12:30", "12:30:45", "2024-01-02", "2024-01-02T03:04:05Z", "2024-01-02 03:04", "true",
    "True", "yes", "no", "on", "off", "null", "~", "Null", ".inf", "-.inf", ".nan", "\"double\"",
    "'single'", "'it''s'", "\"a\\nb\"", "\"\\u00e9 \\x41 \\t\"", "\"a: b\"", "'# x'", "\"[[Link]]\"",
    "\"\"", "''", "[a, b]", "[a,b]", "[ a , b ]", "[]", "{}", "{a: 1}", "{a: 1, b: [c, d]}", "{a}",
    "{a, b}", "[a, [b, c]]", "[a: 1]", "[[Link]]", "[[Link|Alias]]", "[\"x\", 'y']", "[a,]", "[,]",
    "[1, 2.5, true, null, ~]", "{{date}}", "<% tp.date %>", "http://x.y/z?a=b#c", "a#b", "a #b", "# only",
    "a: b", "a:b", "a :b", "a - b", "- b", "? b", "50%", "%b", "@b", "`b`", "b`", "*b", "&x b", "&x", "*x",
    "!b", "!!str 12", "!!int 3", "|", ">", "|-", "x|y", "x > y", ">x", "\"open", "'open", "[open", "{open",
    "close]", "close}", "\"a\" b", "[a] b", "'a' # c", "\"a\" # c", "[a] # c", "a # c", "3 # c", "a\\b",
    "C:\\x", "\"C:\\x\"", "'C:\\x'", "a, b", "a,b", "a; b", "=", "=x", "é", "日本", "🎉 party", "\tafter tab",
    "a\tb", "a\t# c", "a  ", "  a", "...", "--- x", "---x", "- ", "-", "-1-2", "1-2", "1 2", "0", "-0",
    "00", "0.0", "9007199254740993", "12345678901234567890", "123456789012345678901234567890", "1e400",
    "a'b", "a\"b", "\"a\"b", "x: ", ":", ": x", "::", "a::b", "a: ", "k: v: w",
];

#[rustfmt::skip]
const BELOW: &[&str] = &[
    "  - a\n", "  - a\n  - b\n", "- a\n- b\n", "  a: 1\n", "  a: 1\n  b: 2\n",
    "  a:\n    - x\n    - y: 2\n", "  - - a\n    - b\n", "  - a: 1\n    b: 2\n", "  -\n", "  - \n  - b\n",
    "  # c\n  - a\n", "  - a # c\n", "  - [[x]]\n", "  - \"#tag\"\n", "  - #tag\n", "  - a: b: c\n",
    "  text\n", "  text\n  more\n", "\n  - a\n", "  - a\n\n  - b\n", "\t- a\n", "\ta: 1\n", "  - a\n - b\n",
    "    - a\n  - b\n", "  a: 1\n   b: 2\n", "  {a: 1}\n", "  [a,\n  b]\n", "  \"a\n  b\"\n",
];

#[rustfmt::skip]
const BLOCKS: &[&str] = &[
    "|\n  one\n  two\n", "|-\n  one\n\n  two\n", "|+\n  one\n\n", ">\n  one\n  two\n\n  three\n",
    ">-\n  one\n    more\n  two\n", "|2\n    one\n", "|\n   one\n  two\n", "|\n\n  one\n", "| # c\n  one\n",
    "|\none\n", ">+\n  a\n\n\n", "|\n  a\n # c\n", "|\n  a\n# c\n", "|\n  a: b\n  - c\n  # d\n", "|\n\ta\n",
    "|\n  a\tb\n", "one\n  two\n", "one\n\n  two\n", "one # c\n  two\n", "\"one\n  two\"\n",
    "'one\n\n  two'\n", "\"one \\\n  two\"\n", "[a,\n  b]\n", "[\n  a,\n  b\n]\n", "[\n  a,\n  b\n  ]\n",
    "{a: 1,\n  b: 2}\n",
];

#[rustfmt::skip]
const LINES: &[&str] = &[
    "# comment\n", "  # indented comment\n", "\n", "  \n", "\t\n", "lone text\n", "- item\n", "key:value\n",
    "? complex\n: value\n", "? only\n", ": x\n", "...\n", "a: 1\na: 2\n", "%YAML 1.2\n", " indented: 1\n",
    "  deep: 1\n", "\"open: 1\n", "{{x}}: 1\n", "<% x %>\n", "=====\n", "* x\n", "&a k: 1\n", "!t k: 1\n",
    "k : 1\n", "k  :  1\n", "k:\t1\n", "k:\tx\n", "k:\t- x\n", "k: \tx\n", "k:\t\n", "\tk: 1\n",
    "a: &n x\nb: *n\n", "a: *none\n", "a: {b: &n 1, c: *n}\n",
];

/// The lines between the marks.
pub fn block(dice: &mut Dice) -> String {
    let mut block = String::new();
    for _ in 0..1 + dice.below(4) {
        match dice.below(10) {
            0..=4 => block += &format!("{}: {}\n", dice.pick(KEYS), dice.pick(VALUES)),
            5 => block += &format!("{}:\n{}", dice.pick(KEYS), dice.pick(BELOW)),
            6 => block += &format!("{}: {}", dice.pick(KEYS), dice.pick(BLOCKS)),
            7 => block += dice.pick(LINES),
            _ => block += &format!("{}: {}\n", dice.pick(&KEYS[..12]), dice.pick(&VALUES[..60])),
        }
    }
    block
}

/// Lines in the form that MCPVault gives them itself, so that its writing them anew changes nothing.
pub fn tame(dice: &mut Dice) -> String {
    let mut block = String::new();
    let mut used = Vec::new();
    for _ in 0..dice.below(5) {
        let key =
            dice.pick(&["title", "count", "tags", "done", "aliases", "标题", "nested", "rating", "empty"]);
        if used.contains(&key) {
            continue;
        }
        used.push(key);
        let value = match key {
            "count" | "rating" => dice.pick(&[" 3", " 0", " -7", " 1.5", " 2024"]),
            "done" => dice.pick(&[" true", " false"]),
            "tags" => dice.pick(&[
                "\n  - one",
                "\n  - one\n  - two/three",
                " []",
                "\n  - 标签",
                "\n  - \"#one\"",
                " one, two",
            ]),
            "aliases" => dice.pick(&[" []", "\n  - An alias"]),
            "nested" => dice.pick(&["\n  a: 1", "\n  a:\n    - x\n    - y: 2", " {}"]),
            "empty" => dice.pick(&[" null", " \"\""]),
            _ => dice.pick(&[
                " Plain text",
                " \"with: colon\"",
                " \"[[Link]]\"",
                " \"# hash\"",
                " 笔记",
                " yes",
                " 2024-01-02",
                " \"007\"",
                " |\n  two\n  lines",
            ]),
        };
        block += &format!("{key}:{value}\n");
    }
    block
}
