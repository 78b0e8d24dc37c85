//! Holds the house to its plan (`ARCHITECTURE.md`): which module may use which, where the types of
//! foreign crates end, and what every file owes its reader.
//!
//! It reads the text of `src/`, so a forbidden path is found even where the compiler would be content
//! with it. [`check`] is fed sources by hand as well, to show that each rule catches its violation.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

mod lexer;

use lexer::{Token, tokens};

/// A module of the house and the modules that it may use besides itself.
const FLOORS: &[(&str, &[&str])] = &[
    ("settings", &[]),
    ("secrets", &["settings"]),
    ("activity", &["settings", "secrets"]),
    ("access", &["settings", "secrets"]),
    // Not `access`, and of `settings` nothing: a service is handed what it needs.
    ("obsidian", &[]),
    // `activity` is written to before anything is sent, and asked for nothing else.
    ("siyuan", &["settings", "secrets", "activity", "access"]),
    ("tools", &["settings", "secrets", "activity", "access", "obsidian", "siyuan"]),
    ("core", &["settings", "secrets", "activity", "access", "obsidian", "siyuan", "tools"]),
    ("gateway", &["settings", "secrets", "access", "obsidian", "siyuan", "tools", "core"]),
    ("ui", &["core"]),
    (
        "cli",
        &[
            "settings", "secrets", "activity", "access", "obsidian", "siyuan", "tools", "core", "gateway",
            "ui",
        ],
    ),
    ("main", &["cli"]),
    ("lib", &[]),
];

/// A foreign crate and the parts of `src/` that may name it.
const HOMES: &[(&str, &[&str])] = &[
    ("rmcp", &["gateway", "obsidian/engine/upstream", "siyuan/transport/mcp"]),
    ("hyper", &["gateway", "siyuan/transport"]),
    ("tokio_tungstenite", &["siyuan/transport/ws"]),
    ("tokio_rustls", &["siyuan/transport/dial"]),
    // The command line names the provider that `reqwest` asks for.
    ("rustls", &["siyuan/transport/dial", "cli/reach"]),
    ("reqwest", &["cli"]),
    ("keyring_core", &["secrets/keyring"]),
    ("zbus_secret_service_keyring_store", &["secrets/keyring"]),
    ("apple_native_keyring_store", &["secrets/keyring"]),
    ("windows_native_keyring_store", &["secrets/keyring"]),
    ("axum", &["gateway"]),
    ("eframe", &["ui"]),
    ("egui", &["ui"]),
    ("clap", &["cli"]),
    ("jsonc_parser", &["core/connect/json"]),
    ("toml_edit", &["core/connect/toml"]),
    ("jsonschema", &["siyuan/contract", "siyuan/tools/schema"]),
    ("rusqlite", &["activity"]),
];

/// What would hold the window's thread. The window reads a snapshot and sends a command.
const BLOCKING: &[&str] = &[
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "block_on",
    "blocking_recv",
    "blocking_send",
    "blocking_lock",
];

/// Where such a call is right all the same.
const NOT_WHILE_IT_PAINTS: &[(&str, &str)] = &[
    // Waits for the link's tasks when the window is gone.
    ("src/ui/link.rs", "block_on"),
];

const MAX_LINES: usize = 600;

/// Every breach in a set of sources, each named by its path below the crate's root.
fn check(sources: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in sources {
        if !text.trim_start().starts_with("//!") {
            found.push(format!("{path}: begins without a `//!` that says why it exists"));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            found.push(format!("{path}: {lines} lines; more than {MAX_LINES} hold more than one subject"));
        }
        if let Some(inner) = path.strip_prefix("src/") {
            check_module(path, inner, text, &mut found);
        }
    }
    found
}

fn check_module(path: &str, inner: &str, text: &str, found: &mut Vec<String>) {
    let tokens = tokens(text);
    let stem = inner.strip_suffix(".rs").unwrap_or(inner);
    let module: Vec<&str> = stem.split('/').filter(|part| *part != "mod").collect();
    let floor = module[0];
    let Some((_, below)) = FLOORS.iter().find(|(name, _)| *name == floor) else {
        found.push(format!("{path}: `{floor}` has no floor in tests/architecture.rs"));
        return;
    };
    for used in used_floors(&tokens, &module) {
        if used != floor && !below.contains(&used.as_str()) {
            found.push(format!("{path}: `{floor}` must not use `{used}`"));
        }
    }
    // A test may hold our code against the real thing.
    let homes = if is_test_file(stem) { &[][..] } else { HOMES };
    for (foreign, homes) in homes {
        let at_home = homes.iter().any(|home| stem == *home || stem.starts_with(&format!("{home}/")));
        if !at_home && tokens.iter().enumerate().any(|(at, token)| names_crate(&tokens, at, token, foreign)) {
            found.push(format!("{path}: `{foreign}` ends at {}", homes.join(" and ")));
        }
    }
    if floor == "ui" && !is_test_file(stem) {
        let product = text_without_tests(&tokens);
        for call in BLOCKING {
            let said = product.contains(&format!(" {} ", call.replace("::", " :: ")));
            if said && !NOT_WHILE_IT_PAINTS.contains(&(path, call)) {
                found.push(format!("{path}: `{call}` would hold the window's thread"));
            }
        }
    }
}

fn is_test_file(stem: &str) -> bool {
    stem.rsplit('/').next().is_some_and(|name| name == "tests" || name.ends_with("_tests"))
        || stem.split('/').any(|part| part == "tests")
}

/// The modules of the house that the code reaches by `crate::…`, or by `super::…` up to the root.
fn used_floors(tokens: &[Token], module: &[&str]) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut depth = 0_usize;
    let mut inline: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].as_str() {
            "{" => {
                depth += 1;
                if at >= 2 && tokens[at - 2] == "mod" {
                    inline.push(depth);
                }
            }
            "}" => {
                if inline.last() == Some(&depth) {
                    inline.pop();
                }
                depth = depth.saturating_sub(1);
            }
            "crate" if follows(tokens, at) => heads(tokens, at + 2, &mut used),
            "notegate" if module == ["main"] && follows(tokens, at) => heads(tokens, at + 2, &mut used),
            "super" if at == 0 || tokens[at - 1] != "::" => {
                let mut climbed = 1;
                while follows(tokens, at) && tokens.get(at + 2).is_some_and(|token| token == "super") {
                    climbed += 1;
                    at += 2;
                }
                let root = if matches!(module, ["main" | "lib"]) { 0 } else { module.len() };
                if climbed >= root + inline.len() && follows(tokens, at) {
                    heads(tokens, at + 2, &mut used);
                }
            }
            _ => {}
        }
        at += 1;
    }
    used.retain(|name| FLOORS.iter().any(|(floor, _)| floor == name));
    used
}

fn follows(tokens: &[Token], at: usize) -> bool {
    tokens.get(at + 1).is_some_and(|token| token == "::")
}

/// The first names of a path that goes on at `at`: one, or those of a group in braces.
fn heads(tokens: &[Token], at: usize, into: &mut BTreeSet<String>) {
    if tokens.get(at).is_none_or(|token| token != "{") {
        into.extend(tokens.get(at).cloned());
        return;
    }
    let mut depth = 0;
    for pair in tokens[at..].windows(2) {
        match pair[0].as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
        if depth == 1 && (pair[0] == "," || pair[0] == "{") {
            into.insert(pair[1].clone());
        }
    }
}

/// Whether a token names the crate, not a field, a method or a module of ours that is called so.
fn names_crate(tokens: &[Token], at: usize, token: &str, foreign: &str) -> bool {
    let before = at.checked_sub(1).map(|before| tokens[before].as_str());
    token == foreign
        && !matches!(before, Some("." | "fn" | "let" | "mod"))
        && (follows(tokens, at) || matches!(before, Some("use" | "crate")))
        && (before != Some("::") || at < 2 || !matches!(tokens[at - 2].as_str(), "crate" | "super" | "self"))
}

/// The tokens set apart by blanks, without what stands under `#[cfg(test)]`.
fn text_without_tests(tokens: &[Token]) -> String {
    let mut kept = String::from(" ");
    let mut at = 0;
    while at < tokens.len() {
        let ahead: Vec<&str> = tokens[at..].iter().take(7).map(String::as_str).collect();
        if ahead == ["#", "[", "cfg", "(", "test", ")", "]"] {
            at = end_of_item(tokens, at + 7);
            continue;
        }
        kept.push_str(&tokens[at]);
        kept.push(' ');
        at += 1;
    }
    kept
}

/// The place after the item that begins at `at`: its `;`, or the end of its block.
fn end_of_item(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (offset, token) in tokens[at..].iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" if depth == 1 => return at + offset + 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return at + offset + 1,
            _ => {}
        }
    }
    tokens.len()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of the checkout, without what is built, installed or kept by git.
fn files_below(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            if !["target", "node_modules", ".git"].iter().any(|skipped| path.ends_with(skipped)) {
                files_below(&path, into);
            }
        } else if kind.is_file() && !path.ends_with(".git") {
            into.push(path);
        }
    }
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn all_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    files_below(root(), &mut files);
    files.sort();
    files
}

#[test]
fn the_house_keeps_to_its_plan() {
    let sources: Vec<_> = all_files()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| (relative(&path), fs::read_to_string(&path).unwrap()))
        .collect();
    assert!(sources.iter().any(|(path, _)| path == "src/lib.rs"), "the sources were not found");
    let found = check(&sources);
    assert!(found.is_empty(), "{} breaches:\n{}", found.len(), found.join("\n"));
}

#[test]
fn each_breach_is_caught() {
    let cases = [
        ("src/core/a.rs", "use crate::gateway::Server;", "`core` must not use `gateway`"),
        ("src/core/a.rs", "fn f() { crate::gateway::start() }", "`core` must not use `gateway`"),
        ("src/core/a.rs", "use crate::{settings, ui::{App, theme}};", "`core` must not use `ui`"),
        ("src/core/a.rs", "use super::super::cli::Args;", "`core` must not use `cli`"),
        ("src/core/mod.rs", "mod inner { use super::super::cli::Args; }", "`core` must not use `cli`"),
        ("src/ui/pages/obsidian.rs", "use crate::obsidian::Vault;", "`ui` must not use `obsidian`"),
        ("src/obsidian/scope.rs", "use crate::access::Grant;", "`obsidian` must not use `access`"),
        ("src/obsidian/scope.rs", "use crate::settings::load;", "`obsidian` must not use `settings`"),
        ("src/siyuan/contract/mod.rs", "use crate::obsidian::Vault;", "`siyuan` must not use `obsidian`"),
        ("src/obsidian/scope.rs", "use crate::siyuan::contract;", "`obsidian` must not use `siyuan`"),
        ("src/siyuan/permissions/a.rs", "use crate::tools::Call;", "`siyuan` must not use `tools`"),
        ("src/main.rs", "fn main() { notegate::core::run() }", "`main` must not use `core`"),
        ("src/tools/mod.rs", "use rmcp::model::Tool;", "`rmcp` ends at gateway"),
        ("src/obsidian/engine/native/a.rs", "fn f(_: rmcp::model::Tool) {}", "`rmcp` ends at"),
        ("src/cli/serve.rs", "use axum::Router;", "`axum` ends at gateway"),
        ("src/siyuan/kernels.rs", "use crate::obsidian::Vault;", "`siyuan` must not use `obsidian`"),
        (
            "src/siyuan/kernels.rs",
            "use tokio_tungstenite::WebSocketStream;",
            "`tokio_tungstenite` ends at siyuan/transport/ws",
        ),
        ("src/siyuan/kernels/mod.rs", "use keyring_core::Entry;", "`keyring_core` ends at secrets/keyring"),
        ("src/siyuan/transport/http.rs", "use reqwest::Client;", "`reqwest` ends at cli"),
        ("src/core/a.rs", "use egui;", "`egui` ends at ui"),
        ("src/gateway/a.rs", "use ::eframe::App;", "`eframe` ends at ui"),
        ("src/ui/fonts.rs", "fn f() { std::fs::read(\"a\").ok(); }", "`std::fs` would hold"),
        ("src/ui/app.rs", "fn f(h: Handle) { h.block_on(async {}); }", "`block_on` would hold"),
        ("src/helpers/mod.rs", "", "`helpers` has no floor"),
    ];
    for (path, code, expected) in cases {
        let found = check(&[(path.to_owned(), format!("//! A subject.\n{code}"))]);
        assert!(matches!(&found[..], [only] if only.contains(expected)), "{path}: {code}\n{found:?}");
    }
}

#[test]
fn each_file_owes_its_reader_a_head_and_an_end() {
    let long = format!("//! A subject.\n{}", "\n".repeat(MAX_LINES));
    for (text, expected) in [("fn f() {}\n", "begins without a `//!`"), (long.as_str(), "more than 600")] {
        let found = check(&[("tests/area/main.rs".to_owned(), text.to_owned())]);
        assert!(matches!(&found[..], [only] if only.contains(expected)), "{found:?}");
    }
}

#[test]
fn what_only_looks_like_a_breach_is_none() {
    let cases = [
        ("src/core/a.rs", "// crate::gateway is told by a callback\n/* /* axum:: */ egui:: */"),
        (
            "src/core/a.rs",
            "const S: &str = \"crate::gateway \\\" axum::\"; const R: &str = r#\"crate::ui\"#;",
        ),
        ("src/core/a.rs", "pub(in crate::core) fn f<'a>(c: char, s: &'a str) -> bool { c == '\"' }"),
        ("src/core/a.rs", "use super::snapshot; mod tests { use super::super::gateway; }"),
        ("src/core/mod.rs", "use crate::{settings::{self, Home}, tools};"),
        ("src/gateway/modern.rs", "use rmcp::model::Tool; use axum::Router; use crate::core::Handle;"),
        ("src/obsidian/engine/upstream.rs", "use rmcp::ServiceExt;"),
        ("src/siyuan/transport/mcp.rs", "use rmcp::ServiceExt; use crate::secrets::Secret;"),
        ("src/ui/app.rs", "#[cfg(test)] mod tests { fn f() { std::fs::read(\"a\").ok(); } }"),
        ("src/ui/app_tests.rs", "fn f() { std::fs::read(\"a\").ok(); }"),
        ("src/main.rs", "fn main() { notegate::cli::main() }"),
    ];
    for (path, code) in cases {
        let found = check(&[(path.to_owned(), format!("//! A subject.\n{code}"))]);
        assert!(found.is_empty(), "{path}: {code}\n{found:?}");
    }
}

/// Words that tie the tree to one machine or one mirror. Put together here, so as not to find itself.
fn foreign_words() -> Vec<String> {
    let mut words: Vec<String> = [
        concat!("registry.", "npmjs"),
        concat!("registry.", "yarnpkg"),
        concat!("index.", "crates.io"),
        concat!("static.", "crates.io"),
        concat!("py", "pi.org"),
        concat!("files.", "pythonhosted"),
        concat!("proxy.", "golang.org"),
    ]
    .map(String::from)
    .to_vec();
    let home = std::env::var_os("HOME").map(PathBuf::from);
    for folder in [Some(root().to_owned()), home].into_iter().flatten() {
        if folder.parent().is_some() {
            words.push(format!("{}/", folder.display()));
        }
    }
    words
}

/// A lock file that carries download addresses installs only where those can be reached.
fn foreign_word(path: &str, text: &str, words: &[String]) -> Option<String> {
    let address = concat!("\"resol", "ved\":");
    if path.ends_with("package-lock.json") && text.contains(address) {
        return Some(address.to_owned());
    }
    words.iter().find(|word| text.contains(word.as_str())).cloned()
}

#[test]
fn no_file_names_this_machine_or_a_registry() {
    let words = foreign_words();
    let mut found = Vec::new();
    for path in all_files() {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if let Some(word) = foreign_word(&relative(&path), &text, &words) {
            found.push(format!("{}: {word}", relative(&path)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_foreign_word_is_caught() {
    let words = foreign_words();
    let here = format!("see {}/notes.txt", root().display());
    let lock = concat!("{\"resol", "ved\": \"x\"}");
    assert!(foreign_word("README.md", &here, &words).is_some());
    assert!(foreign_word("README.md", concat!("https://registry.", "npmjs.org/x"), &words).is_some());
    assert!(foreign_word("vendor/a/package-lock.json", lock, &words).is_some());
    assert!(foreign_word("README.md", "see https://example.org/notes", &words).is_none());
}
