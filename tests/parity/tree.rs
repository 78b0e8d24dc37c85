//! A folder with all that is in it, as data.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    Folder,
    File(Vec<u8>),
    Link(String),
}

/// By path below the folder, in order.
pub type Tree = BTreeMap<String, Node>;

/// Makes `folder` hold `tree` and nothing else. Times are the same for the same tree.
pub fn write(folder: &Path, tree: &Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.symlink_metadata().unwrap().is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }
    for (number, (path, node)) in tree.iter().enumerate() {
        let at = folder.join(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        match node {
            Node::Folder => fs::create_dir_all(at).unwrap(),
            Node::Link(target) => symlink(target, at).unwrap(),
            Node::File(bytes) => {
                fs::write(&at, bytes).unwrap();
                let modified =
                    UNIX_EPOCH + Duration::from_micros(1_600_000_000_000_000 + number as u64 * 1_234_567);
                File::options().write(true).open(at).unwrap().set_modified(modified).unwrap();
            }
        }
    }
}

/// What `folder` holds.
pub fn read(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    collect(folder, "", &mut tree);
    tree
}

fn collect(folder: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            collect(&entry.path(), &format!("{name}/"), tree);
            tree.insert(name, Node::Folder);
        } else if kind.is_symlink() {
            tree.insert(
                name,
                Node::Link(fs::read_link(entry.path()).unwrap().to_string_lossy().into_owned()),
            );
        } else {
            tree.insert(name, Node::File(fs::read(entry.path()).unwrap()));
        }
    }
}

/// Where two trees differ, in words; empty when they do not.
pub fn difference(one: &Tree, other: &Tree) -> String {
    let mut lines = Vec::new();
    for path in one.keys().chain(other.keys().filter(|path| !one.contains_key(*path))) {
        let (one, other) = (one.get(path), other.get(path));
        if one != other {
            lines.push(format!("  {path}: upstream {}, native {}", shown(one), shown(other)));
        }
    }
    lines.join("\n")
}

fn shown(node: Option<&Node>) -> String {
    match node {
        None => "nothing".into(),
        Some(Node::Folder) => "a folder".into(),
        Some(Node::Link(target)) => format!("a link to {target}"),
        Some(Node::File(bytes)) => {
            let text: String = String::from_utf8_lossy(bytes).chars().take(400).collect();
            format!("{text:?}")
        }
    }
}
