//! A folder with all that is in it, as data.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    Folder,
    File(Vec<u8>),
    Link(String),
}

/// By path below the folder, in order.
pub type Tree = BTreeMap<String, Node>;

/// Makes `folder` hold `tree` and nothing else. Times are the same for the same tree. What is there
/// already and as it should be is left alone.
pub fn write(folder: &Path, tree: &Tree) {
    clear(folder, "", tree);
    for (number, (path, node)) in tree.iter().enumerate() {
        let at = folder.join(path);
        if at.symlink_metadata().is_ok() {
            continue;
        }
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        match node {
            Node::Folder => fs::create_dir_all(at).unwrap(),
            Node::Link(target) => symlink(target, at).unwrap(),
            Node::File(bytes) => {
                fs::write(&at, bytes).unwrap();
                File::options().write(true).open(at).unwrap().set_modified(time_of(number)).unwrap();
            }
        }
    }
}

fn time_of(number: usize) -> SystemTime {
    UNIX_EPOCH + Duration::from_micros(1_600_000_000_000_000 + number as u64 * 1_234_567)
}

/// Takes away what is not in `tree`, or not so, or not of that time.
fn clear(folder: &Path, prefix: &str, tree: &Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        let below = format!("{name}/");
        if kind.is_dir()
            && tree.range(below.clone()..).next().is_some_and(|(path, _)| path.starts_with(&below))
        {
            clear(&path, &below, tree);
            continue;
        }
        let wanted = tree.get(&name);
        let is_right = match wanted {
            Some(Node::Folder) => kind.is_dir() && fs::read_dir(&path).unwrap().next().is_none(),
            Some(Node::Link(target)) => {
                fs::read_link(&path).is_ok_and(|found| found.as_os_str() == target.as_str())
            }
            Some(Node::File(bytes)) => {
                let number = tree.keys().position(|path| *path == name).unwrap();
                kind.is_file()
                    && entry.metadata().unwrap().modified().unwrap() == time_of(number)
                    && fs::read(&path).unwrap() == *bytes
            }
            None => false,
        };
        if !is_right && kind.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else if !is_right {
            fs::remove_file(path).unwrap();
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

/// What a tree holds, in words.
pub fn listing(tree: &Tree) -> String {
    tree.iter().map(|(path, node)| format!("    {path}: {}\n", shown(Some(node)))).collect()
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
            let text = std::str::from_utf8(bytes).map(|text| text.chars().take(400).collect::<String>());
            text.map_or_else(|_| format!("bytes \"{}\"", bytes.escape_ascii()), |text| format!("{text:?}"))
        }
    }
}
