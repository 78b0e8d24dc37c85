//! Where this installation keeps its files, and the lock that allows one instance a home.
//!
//! `NOTEGATE_HOME` puts everything into one folder and so isolates an instance completely; without
//! it the platform's configuration and data folders are used.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The environment variable that moves every file of ours into one folder.
pub const HOME_VARIABLE: &str = "NOTEGATE_HOME";

/// The folders and files of one installation. Only paths: creating one touches no disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    config: PathBuf,
    data: PathBuf,
}

/// Why a home cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    #[error(
        "no folder for Notegate's files: the platform names neither a configuration nor a data folder. \
         Set {HOME_VARIABLE} to a folder of your choice"
    )]
    NoPlatformFolder,
    #[error("{HOME_VARIABLE} is {0:?}, which is not an absolute path. Give the whole path")]
    NotAbsolute(PathBuf),
    #[error("cannot create {path:?}: {source}. Check the permissions of its parent folder")]
    Create { path: PathBuf, source: io::Error },
    #[error("cannot lock {path:?}: {source}")]
    Lock { path: PathBuf, source: io::Error },
    #[error("another Notegate already runs on {0:?}. Use that one, or stop it first")]
    InUse(PathBuf),
}

impl Home {
    /// The home that the environment names: `NOTEGATE_HOME`, else the platform's folders.
    pub fn from_environment() -> Result<Self, HomeError> {
        match std::env::var_os(HOME_VARIABLE) {
            Some(root) if !root.is_empty() => Self::at(PathBuf::from(root)),
            _ => Self::of_platform(),
        }
    }

    fn of_platform() -> Result<Self, HomeError> {
        let config = dirs::config_dir().ok_or(HomeError::NoPlatformFolder)?;
        let data = dirs::data_local_dir().ok_or(HomeError::NoPlatformFolder)?;
        Ok(Self { config: config.join("notegate"), data: data.join("notegate") })
    }

    /// A home that lives in one folder, as `NOTEGATE_HOME` and the tests have it.
    pub fn at(root: impl Into<PathBuf>) -> Result<Self, HomeError> {
        let root = root.into();
        if !root.is_absolute() {
            return Err(HomeError::NotAbsolute(root));
        }
        Ok(Self { config: root.clone(), data: root })
    }

    /// The settings file.
    pub fn settings_file(&self) -> PathBuf {
        self.config.join("settings.json")
    }

    /// Address and token of the running instance, for our own command line.
    pub fn control_file(&self) -> PathBuf {
        self.data.join("control.json")
    }

    /// The contract of SiYuan kernels that was imported; absent while the built-in one holds.
    pub fn contract_file(&self) -> PathBuf {
        self.data.join("siyuan-contract.json")
    }

    /// The record of what happened. SQLite keeps two more files beside it while it is open.
    pub fn activity_file(&self) -> PathBuf {
        self.data.join("activity.sqlite")
    }

    /// The folder that remembers what was written into the configuration of chat programs, a file a program.
    pub fn connections_folder(&self) -> PathBuf {
        self.data.join("connections")
    }

    /// The folder of the log files.
    pub fn log_folder(&self) -> PathBuf {
        self.data.join("log")
    }

    /// The folder that a person would open to find our files; shown in messages.
    pub fn root(&self) -> &Path {
        &self.data
    }

    /// What `NOTEGATE_HOME` must be for another process to find this home; `None` for the platform's own.
    pub fn unusual(&self) -> Option<&Path> {
        let usual = Self::of_platform().is_ok_and(|usual| usual == *self);
        (!usual).then_some(&*self.data)
    }

    /// Every folder that holds files of ours: no vault tool may reach into them.
    pub fn folders(&self) -> Vec<PathBuf> {
        let mut folders = vec![self.config.clone()];
        if self.data != self.config {
            folders.push(self.data.clone());
        }
        folders
    }

    /// Creates the folders, readable by their owner alone where the platform knows modes.
    pub fn create(&self) -> Result<(), HomeError> {
        for folder in self.folders() {
            create_private(&folder).map_err(|source| HomeError::Create { path: folder, source })?;
        }
        Ok(())
    }

    fn lock_file(&self) -> PathBuf {
        self.data.join("instance.lock")
    }

    /// Whether a process holds the lock of this home. Creates nothing.
    pub fn is_in_use(&self) -> bool {
        // Opened for reading: whoever asks must not bring a home back that is being removed.
        File::open(self.lock_file())
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Takes the lock of this home for the life of the returned value.
    ///
    /// # Errors
    /// [`HomeError::InUse`] when another process holds it.
    pub fn lock(&self) -> Result<InstanceLock, HomeError> {
        self.create()?;
        let path = self.lock_file();
        let lock_error = |source| HomeError::Lock { path: path.clone(), source };
        let file =
            OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(lock_error)?;
        match file.try_lock() {
            Ok(()) => {
                self.folders().iter().for_each(|folder| super::atomic::remove_left(folder));
                Ok(InstanceLock { _file: file })
            }
            Err(TryLockError::WouldBlock) => Err(HomeError::InUse(self.data.clone())),
            Err(TryLockError::Error(source)) => Err(lock_error(source)),
        }
    }
}

/// Held while an instance owns a home. The operating system gives it back when the process ends,
/// however it ends, so a crash leaves no stale lock.
#[derive(Debug)]
pub struct InstanceLock {
    _file: File,
}

fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instance_a_home() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path()).unwrap();
        let first = home.lock().unwrap();
        assert!(matches!(home.lock(), Err(HomeError::InUse(path)) if path == folder.path()));
        assert!(home.is_in_use());
        drop(first);
        assert!(!home.is_in_use());
        home.lock().unwrap();
    }

    #[test]
    fn what_a_killed_instance_was_writing_is_cleared_away() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path()).unwrap();
        for name in [".notegate-x1y2z3.tmp", "settings.json", ".notegate-mine"] {
            fs::write(folder.path().join(name), "{}").unwrap();
        }
        let _lock = home.lock().unwrap();
        assert!(!folder.path().join(".notegate-x1y2z3.tmp").exists());
        assert!(home.settings_file().exists() && folder.path().join(".notegate-mine").exists());
    }

    #[test]
    fn asking_whether_a_home_is_in_use_creates_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("home");
        assert!(!Home::at(&root).unwrap().is_in_use());
        assert!(!root.exists());
    }

    #[test]
    fn only_a_home_of_ones_own_choice_has_to_be_named() {
        assert_eq!(Home::of_platform().unwrap().unusual(), None);
        assert_eq!(Home::at("/mine").unwrap().unusual(), Some(Path::new("/mine")));
    }

    #[test]
    fn a_relative_home_is_refused() {
        assert!(matches!(Home::at("here"), Err(HomeError::NotAbsolute(_))));
    }
}
