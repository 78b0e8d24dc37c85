//! Obsidian's own list of vaults: where it lies on each platform, and what it says.
//!
//! On Linux the Flatpak and Snap packages keep lists of their own; all that exist are read and shown
//! together. One entry that cannot be used fails the whole request (LR-5): skipping it would make a
//! call reach another set of vaults than the person believes.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::environment::{Environment, Platform};
use super::errors::{FolderProblem, ObsidianError};
use super::{Vault, VaultId, path_text, resolve, scope};

/// The files that may hold the list, in the order in which they count.
pub(super) fn files(environment: &Environment) -> Vec<PathBuf> {
    let home = environment.home();
    let below_home = |path: &str| home.map(|home| home.join(path));
    let folders = match environment.platform() {
        Platform::Windows => vec![
            environment
                .variable("APPDATA")
                .map(PathBuf::from)
                .or_else(|| below_home("AppData/Roaming"))
                .map(|folder| folder.join("obsidian")),
        ],
        Platform::MacOs => vec![below_home("Library/Application Support/obsidian")],
        Platform::Linux => vec![
            environment
                .variable("XDG_CONFIG_HOME")
                .map(PathBuf::from)
                .filter(|folder| folder.is_absolute()) // the XDG rules: a relative one is to be ignored
                .or_else(|| below_home(".config"))
                .map(|folder| folder.join("obsidian")),
            below_home(".var/app/md.obsidian.Obsidian/config/obsidian"),
            below_home("snap/obsidian/current/.config/obsidian"),
        ],
    };
    folders.into_iter().flatten().map(|folder| folder.join("obsidian.json")).collect()
}

/// Every registered vault, sorted by name, then by path (V-21).
pub(super) fn discover(environment: &Environment) -> Result<Vec<Vault>, ObsidianError> {
    let looked = files(environment);
    let mut vaults: Vec<Vault> = Vec::new();
    let mut places = HashSet::new();
    let mut found = false;
    for file in &looked {
        let Some(listed) = read(file, environment.platform())? else { continue };
        found = true;
        let mut here = Vec::new();
        for vault in listed {
            // Two packages of Obsidian may list one folder: it is shown once, as the first lists it.
            let place = resolve::existing(&vault.path);
            if places.contains(&place) {
                continue;
            }
            here.push(place);
            if let Some(other) = vaults.iter().find(|other| other.id == vault.id) {
                return Err(ObsidianError::RegistryInvalid {
                    file: file.clone(),
                    problem: format!(
                        "it gives the id {} to {:?}, which is already that of {:?}",
                        vault.id, vault.path, other.path
                    ),
                });
            }
            vaults.push(vault);
        }
        places.extend(here);
    }
    if !found {
        return Err(ObsidianError::RegistryMissing { looked });
    }
    vaults.sort_by(|a, b| {
        let key = |vault: &Vault| (vault.name.to_lowercase(), vault.path.clone(), vault.id.clone());
        key(a).cmp(&key(b))
    });
    Ok(vaults)
}

/// The vaults that one file lists; `None` when there is no such file.
pub(super) fn read(file: &Path, platform: Platform) -> Result<Option<Vec<Vault>>, ObsidianError> {
    let invalid = |problem: String| ObsidianError::RegistryInvalid { file: file.to_owned(), problem };
    let text = match fs::read(file) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| invalid("it is not UTF-8 text".into()))?,
        // A file in the place of one of its folders (ENOTDIR) is no list either.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(invalid(format!("it cannot be read ({error})"))),
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text); // V-03
    let whole: Value =
        serde_json::from_str(text).map_err(|error| invalid(format!("it is not JSON ({error})")))?;
    let entries = match whole.get("vaults") {
        Some(Value::Object(entries)) if !entries.is_empty() => entries,
        Some(Value::Object(_)) | None => return Err(invalid("it lists no vaults".into())),
        Some(_) => return Err(invalid("its field vaults is not an object".into())),
    };
    entries.iter().map(|(id, entry)| vault(id, entry, file, platform)).collect::<Result<_, _>>().map(Some)
}

fn vault(id: &str, entry: &Value, file: &Path, platform: Platform) -> Result<Vault, ObsidianError> {
    let path = entry.as_object().and_then(path_of).ok_or_else(|| ObsidianError::RegistryInvalid {
        file: file.to_owned(),
        problem: format!("its entry {id} has no path"),
    })?;
    let unreachable = |problem| ObsidianError::VaultUnreachable {
        file: file.to_owned(),
        id: VaultId(id.to_owned()),
        path: PathBuf::from(path),
        problem,
    };
    let text = path_text::normalise(path, platform).ok_or_else(|| unreachable(FolderProblem::NotAbsolute))?;
    if is_sandbox_path(&text) {
        return Err(unreachable(FolderProblem::SandboxPath));
    }
    scope::check_folder(Path::new(&text)).map_err(unreachable)?;
    Ok(Vault::new(VaultId(id.to_owned()), &text, Some(file.to_owned()), platform))
}

fn path_of(entry: &Map<String, Value>) -> Option<&str> {
    entry.get("path").and_then(Value::as_str).filter(|path| !path.trim().is_empty())
}

/// `/run/user/1000/doc/…` and `/run/flatpak/doc/…`: where the document portal shows a sandboxed
/// program the files of others (V-02). They come and go with it.
fn is_sandbox_path(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').skip(1).take(4).collect();
    matches!(parts.as_slice(), ["run", "user", _, "doc", ..] | ["run", "flatpak", "doc", ..])
}

#[cfg(test)]
#[path = "registry_tests.rs"]
mod tests;
