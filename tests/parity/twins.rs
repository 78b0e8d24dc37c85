//! Two equal vaults, one for each engine.

use std::fs;
use std::path::PathBuf;

use notegate::obsidian::Output;
use notegate::obsidian::engine::native::{NativeEngine, TrashPlace};
use serde_json::Value;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::compare;
use super::oracle::Oracle;
use super::tree::{self, Tree};

pub struct Twins {
    folder: TempDir,
    oracle: Oracle,
    engine: NativeEngine,
}

impl Twins {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("parity").tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        // Names of one length, so that nothing shows which vault it was.
        for name in ["one/vault", "two/vault", "one/data", "two/data"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        let oracle = Oracle::start(&root.join("one/vault"), &root.join("one/data"));
        let engine = NativeEngine::new(TrashPlace { data_home: Some(root.join("two/data")) });
        Self { folder, oracle, engine }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// Makes both vaults hold `vault`. `<vault>` in a link stands for the vault's own path.
    pub fn fill(&self, vault: &Tree) {
        for name in ["one/vault", "two/vault"] {
            let root = self.at(name);
            let mut own = vault.clone();
            for node in own.values_mut() {
                if let tree::Node::Link(target) = node {
                    *target = target.replace("<vault>", root.to_str().unwrap());
                }
            }
            tree::write(&root, &own);
        }
        for name in ["one", "two"] {
            fs::write(self.at(name).join("outside.md"), "outside").unwrap();
            let _ = fs::remove_file(self.at(name).join("new.md"));
        }
    }

    /// Runs a call on both. What differs, in words.
    pub fn differ(&mut self, tool: &str, arguments: &Value) -> Option<String> {
        let (one, two) = (self.at("one/vault"), self.at("two/vault"));
        let upstream = self.oracle.call(tool, &placed(arguments, one.to_str().unwrap()));
        let arguments_two = placed(arguments, two.to_str().unwrap());
        let native =
            self.engine.call(&two, &[], tool, arguments_two.as_object().unwrap(), &CancellationToken::new());
        let native = native.unwrap_or_else(|error| panic!("{tool} {arguments}: {error}"));
        let shown = |output: Output, root: &PathBuf| compare::Answer::new(&output, root.to_str().unwrap());
        let (upstream, native) = (shown(upstream, &one), shown(native, &two));
        let native_tree = self.tree("two");
        let trees = tree::difference(&self.tree("one"), &native_tree);
        let answers = compare::difference(tool, arguments, &native_tree, &upstream, &native);
        if trees.is_empty() && answers.is_empty() {
            return None;
        }
        let shortened: String = arguments.to_string().chars().take(300).collect();
        Some(format!("{tool} {shortened}\n{answers}{trees}"))
    }

    /// The vault and what is beside it, but for the names that a trash gives.
    fn tree(&self, name: &str) -> Tree {
        let mut tree = tree::read(&self.at(name));
        tree.retain(|path, _| !path.starts_with("data/Trash/"));
        for node in tree.values_mut() {
            if let tree::Node::Link(target) = node {
                *target = target.replace(self.at(name).join("vault").to_str().unwrap(), "<vault>");
            }
        }
        tree
    }

    /// What both vaults hold, as long as nothing differs.
    pub fn vault(&self) -> Tree {
        tree::read(&self.at("two/vault"))
    }
}

/// `<vault>` in an argument stands for the vault's own path.
fn placed(arguments: &Value, root: &str) -> Value {
    match arguments {
        Value::String(text) => Value::String(text.replace("<vault>", root)),
        Value::Array(items) => items.iter().map(|item| placed(item, root)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), placed(value, root))).collect()
        }
        other => other.clone(),
    }
}
