//! Two equal vaults, one for each engine.

use std::fs;
use std::path::{Path, PathBuf};

use notegate::obsidian::Output;
use notegate::obsidian::engine::native::{NativeEngine, TrashPlace};
use serde_json::Value;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::compare::{self, Answer};
use super::oracle::Oracle;
use super::tree::{self, Tree};

pub struct Twins {
    root: PathBuf,
    pub oracle: Oracle,
    pub native: Native,
    _folder: TempDir,
}

/// The native engine and its vault.
pub struct Native {
    engine: NativeEngine,
    vault: PathBuf,
}

impl Native {
    pub fn call(&self, tool: &str, arguments: &Value) -> Output {
        let arguments = placed(arguments, &self.vault);
        let arguments = arguments.as_object().unwrap();
        let output = self.engine.call(&self.vault, &[], tool, arguments, &CancellationToken::new());
        output.unwrap_or_else(|error| panic!("{tool} {arguments:?}: {error}"))
    }
}

/// What both engines made of one call.
pub struct Outcome {
    call: String,
    pub upstream: Answer,
    pub native: Answer,
    /// Each vault afterwards, and what is beside it.
    pub upstream_tree: Tree,
    pub native_tree: Tree,
    answers: String,
}

impl Outcome {
    /// What differs, in words.
    pub fn difference(&self) -> Option<String> {
        let trees = tree::difference(&self.upstream_tree, &self.native_tree);
        if trees.is_empty() && self.answers.is_empty() {
            return None;
        }
        Some(format!("{}\n{}{trees}", self.call, self.answers))
    }
}

impl Twins {
    pub fn new() -> Self {
        let mut builder = tempfile::Builder::new();
        builder.prefix("parity");
        // In memory where that is possible: each write waits for the disk, and there are many.
        let memory = builder.tempdir_in("/dev/shm");
        let folder = memory.or_else(|_| builder.tempdir()).unwrap();
        let root = folder.path().canonicalize().unwrap();
        // Names of one length, so that nothing shows which vault it was.
        for name in ["one/vault", "two/vault", "one/data", "two/data"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        let oracle = Oracle::start(&root.join("one/vault"), &root.join("one/data"), true);
        let engine = NativeEngine::new(TrashPlace { data_home: Some(root.join("two/data")) });
        let native = Native { engine, vault: root.join("two/vault") };
        Self { root, oracle, native, _folder: folder }
    }

    /// Where the vault of the engine is: `one` is MCPVault's.
    pub fn vault_of(&self, name: &str) -> PathBuf {
        self.root.join(name).join("vault")
    }

    /// Makes both vaults hold `vault`. `<vault>` in a link stands for the vault's own path.
    pub fn fill(&self, vault: &Tree) {
        for name in ["one", "two"] {
            let root = self.vault_of(name);
            let mut own = vault.clone();
            for node in own.values_mut() {
                if let tree::Node::Link(target) = node {
                    *target = target.replace("<vault>", root.to_str().unwrap());
                }
            }
            tree::write(&root, &own);
            fs::write(self.root.join(name).join("outside.md"), "outside").unwrap();
            let _ = fs::remove_file(self.root.join(name).join("new.md"));
        }
    }

    /// Runs a call on both.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Outcome {
        let (one, two) = (self.vault_of("one"), self.vault_of("two"));
        let upstream = self.oracle.call(tool, &placed(arguments, &one));
        let native = self.native.call(tool, arguments);
        let (upstream_tree, native_tree) = (self.tree("one"), self.tree("two"));
        let answer = |output: &Output, root: &Path| Answer::new(output, root.to_str().unwrap());
        let (upstream, native) = (answer(&upstream, &one), answer(&native, &two));
        let answers = compare::difference(tool, arguments, &native_tree, &upstream, &native);
        let shortened: String = arguments.to_string().chars().take(300).collect();
        Outcome { call: format!("{tool} {shortened}"), upstream, native, upstream_tree, native_tree, answers }
    }

    /// The vault and what is beside it, but for the names that a trash gives.
    fn tree(&self, name: &str) -> Tree {
        let vault = self.vault_of(name);
        let mut tree = Tree::new();
        for (path, mut node) in tree::read(&self.root.join(name)) {
            if path.starts_with("data/Trash/") {
                continue;
            }
            if let tree::Node::Link(target) = &mut node {
                *target = target.replace(vault.to_str().unwrap(), "<vault>");
            }
            tree.insert(without_time(&path), node);
        }
        tree
    }

    /// What both vaults hold, as long as nothing differs; else what the native engine's holds.
    pub fn vault(&self) -> Tree {
        let vault = self.vault_of("two");
        let mut tree = tree::read(&vault);
        for node in tree.values_mut() {
            if let tree::Node::Link(target) = node {
                *target = target.replace(vault.to_str().unwrap(), "<vault>");
            }
        }
        tree
    }
}

/// MCPVault puts the time into a name: `a-2026-01-02T03-04-05-678Z.md`.
fn without_time(path: &str) -> String {
    const TIME: &str = "-0000-00-00T00-00-00-000Z";
    let fits = |text: &str| {
        text.len() == TIME.len()
            && text.bytes().zip(TIME.bytes()).all(|(found, wanted)| match wanted {
                b'0' => found.is_ascii_digit(),
                wanted => found == wanted,
            })
    };
    let at = path.char_indices().find(|(at, _)| path.get(*at..at + TIME.len()).is_some_and(fits));
    at.map_or_else(
        || path.to_owned(),
        |(at, _)| format!("{}-<time>{}", &path[..at], &path[at + TIME.len()..]),
    )
}

/// `<vault>` in an argument stands for the vault's own path.
fn placed(arguments: &Value, root: &Path) -> Value {
    match arguments {
        Value::String(text) => Value::String(text.replace("<vault>", root.to_str().unwrap())),
        Value::Array(items) => items.iter().map(|item| placed(item, root)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), placed(value, root))).collect()
        }
        other => other.clone(),
    }
}
