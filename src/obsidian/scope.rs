//! Which vaults are reachable, and which of them a call means (LR-2, LR-3).

use std::fs;
use std::path::{Path, PathBuf};

use super::environment::{Environment, Platform};
use super::errors::{FolderProblem, ObsidianError};
use super::{Vault, VaultId, path_text, registry};

/// Which vaults are in scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Every vault that Obsidian has registered on this computer, open or not.
    Registered,
    /// This one folder; the registry is not looked at.
    Folder(PathBuf),
}

impl Scope {
    /// Reads the setting `vaultPath`: empty means every registered vault.
    pub fn from_setting(vault_path: &str) -> Self {
        match vault_path.trim() {
            "" => Self::Registered,
            path => Self::Folder(PathBuf::from(path)),
        }
    }

    /// The vaults in scope, in a stable order.
    ///
    /// # Errors
    /// One unusable vault makes the whole scope unusable; none is skipped or replaced (LR-5).
    pub(super) fn resolve(&self, environment: &Environment) -> Result<Vec<Vault>, ObsidianError> {
        match self {
            Self::Registered => registry::discover(environment),
            Self::Folder(path) => chosen(path, environment.platform()).map(|vault| vec![vault]),
        }
    }
}

fn chosen(path: &Path, platform: Platform) -> Result<Vault, ObsidianError> {
    let invalid = |problem| ObsidianError::ScopeInvalid { path: path.to_owned(), problem };
    let text = path.to_str().ok_or_else(|| invalid(FolderProblem::NotAbsolute))?;
    let text = path_text::normalise(text, platform).ok_or_else(|| invalid(FolderProblem::NotAbsolute))?;
    check_folder(Path::new(&text)).map_err(invalid)?;
    Ok(Vault::new(VaultId::of_folder(&text, platform), &text, None, platform))
}

/// A vault is a folder that can be listed.
pub(super) fn check_folder(path: &Path) -> Result<(), FolderProblem> {
    let metadata = fs::metadata(path).map_err(FolderProblem::from_io)?;
    if !metadata.is_dir() {
        return Err(FolderProblem::NotAFolder);
    }
    fs::read_dir(path).map(drop).map_err(FolderProblem::from_io)
}

/// The vault that a call means (LR-3): the named one, or the only one when none is named. Never
/// another, whatever its order or name.
pub(super) fn choose(vaults: Vec<Vault>, id: Option<&str>) -> Result<Vault, ObsidianError> {
    match id {
        Some(id) => match vaults.iter().find(|vault| vault.id.as_str() == id) {
            Some(named) => Ok(named.clone()),
            None => Err(ObsidianError::VaultUnknown { id: id.to_owned(), vaults }),
        },
        None => match <[Vault; 1]>::try_from(vaults) {
            Ok([only]) => Ok(only),
            Err(vaults) => Err(ObsidianError::VaultRequired { vaults }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault(id: &str) -> Vault {
        Vault::new(VaultId(id.to_owned()), &format!("/{id}"), None, Platform::Linux)
    }

    #[test]
    fn lr3_the_decision_table() {
        let check = |ids: &[&str], asked: Option<&str>, expected: Result<&str, &str>| {
            let chosen = choose(ids.iter().map(|id| vault(id)).collect(), asked);
            let chosen = chosen.as_ref().map(|vault| vault.id.as_str()).map_err(ObsidianError::code);
            assert_eq!(chosen, expected, "{asked:?} of {ids:?}");
        };
        check(&["a"], None, Ok("a"));
        check(&["a", "b"], None, Err("vault_required"));
        check(&["a", "b"], Some("b"), Ok("b"));
        check(&["a", "b"], Some("c"), Err("vault_unknown"));
        check(&["a"], Some("c"), Err("vault_unknown"));
        check(&["a"], Some(""), Err("vault_unknown"));
        check(&["a"], Some("A"), Err("vault_unknown"));
    }

    #[test]
    fn lr3_an_error_lists_the_vaults_that_could_be_meant_and_not_endlessly() {
        let vault = |n: usize| Vault {
            id: VaultId(format!("id{n}")),
            name: format!("名 {n}"),
            path: "/v".into(),
            source: None,
        };
        let check = |count: usize, id: Option<&str>| {
            let error = choose((1..=count).map(vault).collect(), id).unwrap_err();
            let text = error.to_string();
            assert!(text.contains("id1 (\"名 1\"), id2"), "{text}");
            assert_eq!(text.contains("id20 "), count >= 20, "{text}");
            assert!(!text.contains("id21"), "{text}");
            assert_eq!(text.ends_with(", …"), count > 20, "{text}");
            assert_eq!(error.choice().map(<[Vault]>::len), Some(count.min(20)));
        };
        check(2, None);
        check(20, Some("x"));
        check(30, None);
    }

    #[test]
    fn fr2_empty_means_registered() {
        assert_eq!(Scope::from_setting(" \t"), Scope::Registered);
        assert_eq!(Scope::from_setting(" /a b "), Scope::Folder("/a b".into()));
    }

    #[test]
    fn lr2_a_folder_bypasses_the_registry() {
        let folder = tempfile::tempdir().unwrap();
        let home = tempfile::tempdir().unwrap();
        let registry = home.path().join(".config/obsidian/obsidian.json");
        fs::create_dir_all(registry.parent().unwrap()).unwrap();
        fs::write(&registry, "broken").unwrap();
        let environment = Environment::new(Platform::Linux, home.path());
        let vaults = Scope::Folder(folder.path().join("x/..")).resolve(&environment).unwrap();
        assert_eq!(vaults.len(), 1);
        assert_eq!(vaults[0].path, folder.path());
        assert_eq!(vaults[0].id, VaultId::of_folder(folder.path().to_str().unwrap(), Platform::Linux));
        assert_eq!(vaults[0].source, None);
    }

    #[test]
    fn us7_a_folder_that_cannot_be_used_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("note.md");
        fs::write(&file, "").unwrap();
        let environment = Environment::new(Platform::Linux, "/nobody");
        let check = |path: PathBuf, expected: &str| {
            let error = Scope::Folder(path.clone()).resolve(&environment).unwrap_err();
            assert_eq!(error.code(), "scope_invalid");
            let text = error.to_string();
            assert!(text.contains(expected) && text.contains("choose another folder"), "{text}");
            assert!(text.contains(&format!("{path:?}")), "{text}");
        };
        check("notes".into(), "not an absolute path");
        check("~/notes".into(), "not an absolute path");
        check(folder.path().join("gone"), "no such folder");
        check(file.clone(), "a file, not a folder");
        check(file.join("below"), "a file, not a folder");
    }

    #[test]
    fn ids_of_folders_are_digests_of_their_text() {
        assert_eq!(
            VaultId::of_folder("/notes", Platform::Linux).as_str(),
            hex::encode(<sha2::Sha256 as sha2::Digest>::digest("/notes"))
        );
        let id = |text| VaultId::of_folder(text, Platform::Windows);
        assert_eq!(id(r"C:\Notes\É"), id(r"c:\notes\é"));
        assert_ne!(
            VaultId::of_folder("/Notes", Platform::Linux),
            VaultId::of_folder("/notes", Platform::Linux)
        );
    }
}
