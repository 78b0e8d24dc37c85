//! Where the paths of a call really lead, before anything runs.
//!
//! An engine has checks of its own; these come first and hold for every engine. A path must end
//! inside its vault with all links followed, also links to what does not exist yet, and must not end
//! in a folder of our own or, by way of a link, among the vault's hidden files. The result names the
//! files by their resolved identity, by which calls are serialised.
//!
//! What a separate process opens afterwards cannot be bound to what was checked: a link that is
//! swapped in between is seen only by the engine that runs in this process. That one also keeps out of
//! our own folders where it walks, and knows a move onto itself, so for these `upstream` alone is
//! guarded.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::ToolSpec;
use super::arguments::ArgumentError;
use super::engine::Engine;
use super::environment::Platform;
use super::errors::ObsidianError;
use super::resolve::{self, Resolved};

/// The arguments that are paths inside the vault. The `confirm…` ones repeat others; `pathPrefix` and
/// `excludePaths` only narrow what was found. The `document` of a wiki link is no path either: it is
/// compared with the names of files that a walk met, which goes through no link.
const PATH_ARGUMENTS: [&str; 4] = ["path", "oldPath", "newPath", "paths"];

/// Where `delete_note` puts notes with `trashMode` `local`.
const TRASH: &str = ".trash";

/// Tools that walk through the whole vault by themselves.
const WALKERS: [&str; 4] =
    ["obsidian_search_notes", "obsidian_get_vault_stats", "obsidian_list_all_tags", "obsidian_wiki_link"];

/// The endings of files that these tools look into.
const NOTE_ENDINGS: [&str; 5] = ["md", "markdown", "txt", "base", "canvas"];

/// How many entries of a folder of ours are looked at before it counts as holding notes.
const MOST_ENTRIES: usize = 10_000;

/// How often a path may be normalised, at least as often as MCPVault ever does.
const MOST_ROUNDS: usize = 8;

/// Names that no tool reaches at any depth, besides those that begin with a dot.
const RESTRICTED: [&str; 2] = ["node_modules", "thumbs.db"];

/// The paths inside the vault that a call is about, as they were given.
pub fn paths_in(arguments: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let given = PATH_ARGUMENTS.into_iter().filter_map(|name| arguments.get(name));
    given
        .flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice))
        .filter_map(Value::as_str)
}

/// The bounds of one vault.
#[derive(Debug)]
pub(super) struct Guard {
    root: PathBuf,
    /// The vault as it is registered, where a link leads to it.
    registered: Option<PathBuf>,
    home: Option<PathBuf>,
    protected: Vec<PathBuf>,
    platform: Platform,
}

/// What is left of a path when the vault's own path is taken off: MCPVault goes on with slashes for
/// backslashes, the native engine with what was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    Slashed,
    AsGiven,
}

/// The files that a call is about, by their resolved identity.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Reach {
    pub files: BTreeSet<PathBuf>,
}

impl Guard {
    /// Bounds for the vault at `root`. `protected` are our own folders.
    ///
    /// # Errors
    /// When the vault itself lies in one of our folders, or is gone.
    pub fn new(
        root: &Path,
        home: Option<&Path>,
        protected: &[PathBuf],
        platform: Platform,
    ) -> Result<Self, ObsidianError> {
        let shown = || root.display().to_string();
        let real = resolve::real(root).map_err(|source| ObsidianError::Examine { path: shown(), source })?;
        let protected: Vec<PathBuf> = protected.iter().map(|folder| resolve::existing(folder)).collect();
        if protected.iter().any(|folder| resolve::within(&real, folder, platform)) {
            return Err(ObsidianError::Protected { path: shown() });
        }
        let registered = (real != root).then(|| root.to_path_buf());
        Ok(Self { root: real, registered, home: home.map(Path::to_path_buf), protected, platform })
    }

    /// Where the paths among the arguments lead. `stop` ends the looking between two of them.
    ///
    /// # Errors
    /// The first path that leads where no tool may go.
    pub fn reach(
        &self,
        engine: Engine,
        tool: &ToolSpec,
        arguments: &Map<String, Value>,
        stop: &CancellationToken,
    ) -> Result<Reach, ObsidianError> {
        let mut reach = Reach::default();
        for name in PATH_ARGUMENTS {
            match arguments.get(name) {
                Some(Value::String(path)) => self.follow(path, &mut reach)?,
                Some(Value::Array(paths)) => {
                    for path in paths.iter().filter_map(Value::as_str) {
                        if stop.is_cancelled() {
                            return Err(ObsidianError::Cancelled);
                        }
                        self.follow(path, &mut reach)?;
                    }
                }
                _ => {}
            }
        }
        if engine == Engine::Upstream {
            self.refuse_move_onto_itself(arguments)?;
            if arguments.get("trashMode").is_some_and(|mode| mode == "local") {
                self.follow_to_the_trash(arguments, &mut reach)?;
            }
            if WALKERS.contains(&tool.name) {
                self.refuse_walking_over_our_notes(tool)?;
            }
        }
        Ok(reach)
    }

    fn follow(&self, given: &str, reach: &mut Reach) -> Result<(), ObsidianError> {
        for relative in self.readings(given) {
            let resolved = self.resolve(given, &relative)?;
            reach.files.insert(resolved.entry);
            reach.files.insert(resolved.target);
        }
        Ok(())
    }

    fn resolve(&self, given: &str, relative: &Path) -> Result<Resolved, ObsidianError> {
        let outside = || ObsidianError::OutsideVault { path: given.to_owned() };
        let parts = lexical(relative).ok_or_else(outside)?;
        let resolved = resolve::follow(&self.root, &parts)
            .map_err(|source| ObsidianError::Examine { path: given.to_owned(), source })?;
        let inside = |path: &Path| resolve::within(path, &self.root, self.platform);
        if !inside(&resolved.target) || !inside(&resolved.entry) {
            return Err(outside());
        }
        let ours =
            |path: &Path| self.protected.iter().any(|folder| resolve::within(path, folder, self.platform));
        if ours(&resolved.target)
            || ours(&resolved.entry)
            || (resolved.linked && self.is_hidden(&resolved.target))
        {
            return Err(ObsidianError::Protected { path: given.to_owned() });
        }
        Ok(resolved)
    }

    /// A note that goes to the vault's trash keeps its path below it, and a link on that way would lead
    /// out. The last name is the note itself, put in place of whatever stands there.
    fn follow_to_the_trash(
        &self,
        arguments: &Map<String, Value>,
        reach: &mut Reach,
    ) -> Result<(), ObsidianError> {
        let Some(Value::String(given)) = arguments.get("path") else { return Ok(()) };
        for relative in self.readings(given) {
            let outside = || ObsidianError::OutsideVault { path: format!("{TRASH}/{given}") };
            let mut parts = lexical(&relative).ok_or_else(outside)?;
            parts.insert(0, TRASH.into());
            let Some((name, folders)) = parts.split_last() else { return Err(outside()) };
            let folder = self.resolve(&format!("{TRASH}/{given}"), &folders.iter().collect::<PathBuf>())?;
            reach.files.insert(folder.target.join(name));
        }
        Ok(())
    }

    /// V-12, by way of a link; without one the engine answers for itself.
    fn is_hidden(&self, target: &Path) -> bool {
        let below = target.strip_prefix(&self.root).unwrap_or(target);
        below.components().any(|part| {
            let name = part.as_os_str().to_string_lossy().to_lowercase();
            name.starts_with('.') || RESTRICTED.contains(&name.as_str())
        })
    }

    /// A move onto itself would first write and then remove the same file (V-16).
    fn refuse_move_onto_itself(&self, arguments: &Map<String, Value>) -> Result<(), ObsidianError> {
        let (Some(Value::String(old)), Some(Value::String(new))) =
            (arguments.get("oldPath"), arguments.get("newPath"))
        else {
            return Ok(());
        };
        for from in self.readings(old) {
            let from = self.resolve(old, &from)?;
            for to in self.readings(new) {
                if from.is_same_file(&self.resolve(new, &to)?) {
                    return Err(ArgumentError::SameFile { old: old.clone(), new: new.clone() }.into());
                }
            }
        }
        Ok(())
    }

    /// Tools that walk by themselves cannot be told to leave a folder out. Ours holds no notes as a
    /// rule, so they have nothing to find there; if it does, they must not run.
    fn refuse_walking_over_our_notes(&self, tool: &ToolSpec) -> Result<(), ObsidianError> {
        for folder in &self.protected {
            let visited = resolve::within(folder, &self.root, self.platform) && !self.is_hidden(folder);
            if visited && holds_notes(folder, &mut 0) {
                return Err(ObsidianError::ProtectedNotes { tool: tool.name, folder: folder.clone() });
            }
        }
        Ok(())
    }

    /// What an engine may take a path for. MCPVault trims it, expands `~`, takes off the vault's own
    /// path or one leading slash, and does so once or several times over, as the tool has it; what it
    /// takes the vault's own path off has slashes for backslashes from then on. The native engine keeps
    /// the backslashes there, and takes them for separators at last; it takes off the path by which the
    /// vault is registered as well. Every reading must be in bounds.
    fn readings(&self, given: &str) -> Vec<PathBuf> {
        let roots = [(Rest::Slashed, None), (Rest::AsGiven, self.registered.as_deref())];
        let mut readings = Vec::new();
        for (rest, registered) in roots {
            let mut path = given.to_owned();
            for _ in 0..MOST_ROUNDS {
                path = self.normalise_once(&path, rest, registered);
                readings.push(PathBuf::from(&path));
            }
            if path.contains('\\') {
                readings.push(PathBuf::from(path.replace('\\', "/")));
            }
        }
        readings.dedup();
        readings
    }

    fn normalise_once(&self, given: &str, rest: Rest, registered: Option<&Path>) -> String {
        let mut path = trim_as_javascript(given).to_owned();
        if (path == "~" || path.starts_with("~/"))
            && let Some(home) = self.home.as_deref().and_then(Path::to_str)
        {
            path = format!("{home}{}", &path[1..]);
        }
        let slashed = path.replace('\\', "/");
        for root in [Some(self.root.as_path()), registered].into_iter().flatten() {
            let root = root.to_string_lossy().replace('\\', "/");
            match slashed.strip_prefix(&root) {
                Some("") => return String::new(),
                Some(below) if below.starts_with('/') => {
                    return match rest {
                        Rest::Slashed => below[1..].to_owned(),
                        // the replacement keeps the number of bytes
                        Rest::AsGiven => path[root.len() + 1..].to_owned(),
                    };
                }
                _ => {}
            }
        }
        path.strip_prefix('/').map_or(path.clone(), str::to_owned)
    }
}

/// A relative path without `.` and `..`; `None` when it climbs out. Only a part that is `..` climbs:
/// `notes..md` and `..foo` are names like others (V-14).
fn lexical(path: &Path) -> Option<Vec<PathBuf>> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(PathBuf::from(name)),
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::CurDir | Component::RootDir => {}
            Component::Prefix(_) => return None,
        }
    }
    Some(parts)
}

/// JavaScript's `trim` differs from Rust's in two characters.
fn trim_as_javascript(text: &str) -> &str {
    text.trim_matches(|c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}')
}

fn holds_notes(folder: &Path, seen: &mut usize) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    for entry in entries.flatten() {
        *seen += 1;
        if *seen > MOST_ENTRIES {
            return true;
        }
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        if is_folder && holds_notes(&path, seen) {
            return true;
        }
        if !is_folder && ending.is_some_and(|ending| NOTE_ENDINGS.contains(&ending.as_str())) {
            return true;
        }
    }
    false
}

#[cfg(all(test, unix))]
#[path = "guard_tests.rs"]
mod tests;
