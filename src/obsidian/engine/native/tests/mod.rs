//! The tools on real vaults, case by case.

mod bounds;
mod differences;
mod disks;
mod edits;
pub mod elsewhere;
mod moves;
mod races;
mod reads;
mod removals;
mod values;
mod vault_wide;
mod writes;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::{NativeEngine, TrashPlace};
use crate::obsidian::Output;

/// A folder with a vault in it, and room beside it.
pub struct Vault {
    root: PathBuf,
    protected: Vec<PathBuf>,
    /// Goes with the vault.
    _folder: Option<TempDir>,
}

impl Vault {
    /// A vault that holds `files`: path and content.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::Builder::new().prefix("vaults").tempdir().unwrap();
        let root = folder.path().join("vault");
        fs::create_dir(&root).unwrap();
        let vault = Self { root, protected: Vec::new(), _folder: Some(folder) };
        for (path, content) in files {
            vault.put(path, content);
        }
        vault
    }

    /// The vault that is at `root` already.
    pub fn at_folder(root: &Path) -> Self {
        Self { root: root.to_owned(), protected: Vec::new(), _folder: None }
    }

    pub fn root(&self) -> PathBuf {
        self.root.clone()
    }

    /// The folder that holds the vault.
    pub fn outside(&self) -> &Path {
        self.root.parent().unwrap()
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.at(path)).unwrap()
    }

    pub fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }

    pub fn has(&self, path: &str) -> bool {
        self.at(path).symlink_metadata().is_ok()
    }

    pub fn protect(&mut self, path: &str) {
        self.protected.push(self.at(path));
    }

    pub fn engine(&self) -> NativeEngine {
        NativeEngine::new(TrashPlace { data_home: Some(self.outside().join("data")) })
    }

    /// The answer of a tool.
    pub fn call(&self, tool: &str, arguments: Value) -> Output {
        let Value::Object(arguments) = arguments else { panic!("not an object: {arguments}") };
        self.call_with(tool, &arguments)
    }

    fn call_with(&self, tool: &str, arguments: &Map<String, Value>) -> Output {
        self.engine().call(&self.root(), &self.protected, tool, arguments, &CancellationToken::new()).unwrap()
    }

    /// The text of a successful answer.
    pub fn done(&self, tool: &str, arguments: Value) -> String {
        let output = self.call(tool, arguments.clone());
        let text = text_of(&output);
        assert!(!output.is_error, "{tool} {arguments}: {text}");
        text
    }

    /// A successful answer as JSON.
    pub fn value(&self, tool: &str, arguments: Value) -> Value {
        serde_json::from_str(&self.done(tool, arguments)).unwrap()
    }

    /// Holds that the call is refused in words that contain `reason`, and that nothing changed on disk.
    #[track_caller]
    pub fn refused(&self, tool: &str, arguments: Value, reason: &str) {
        let before = self.tree();
        let output = self.call(tool, arguments.clone());
        let text = text_of(&output);
        assert!(output.is_error && text.contains(reason), "{tool} {arguments}: {text}");
        assert_eq!(before, self.tree(), "{tool} {arguments}: something changed");
    }

    /// Everything in the folder, vault and outside, with content.
    pub fn tree(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        let mut tree = Vec::new();
        collect(self.outside(), &mut tree);
        tree.sort();
        tree
    }

    /// The paths of all files in the vault.
    pub fn files(&self) -> Vec<String> {
        let root = self.root();
        let mut tree = Vec::new();
        collect(&root, &mut tree);
        let files = tree.iter().filter(|(_, content)| content.is_some());
        let mut files: Vec<String> =
            files.map(|(path, _)| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned()).collect();
        files.sort();
        files
    }
}

fn collect(folder: &Path, tree: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = path.symlink_metadata().unwrap();
        if metadata.is_dir() {
            tree.push((path.clone(), None));
            collect(&path, tree);
        } else if metadata.is_symlink() {
            tree.push((
                path.clone(),
                Some(fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()),
            ));
        } else {
            tree.push((path.clone(), Some(fs::read(&path).unwrap_or_default())));
        }
    }
}

pub fn text_of(output: &Output) -> String {
    output.content[0]["text"].as_str().unwrap().to_owned()
}
