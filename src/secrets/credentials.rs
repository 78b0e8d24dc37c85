//! The credential store: secrets that others gave us, kept by the system's keyring and nowhere else.
//!
//! It fails closed. Where the keyring cannot be reached, is locked or does not answer, the operation
//! ends with the reason and the remedy, and no other place is tried.
//!
//! A keyring blocks, waits for the person to unlock it, and may hang. So each operation runs on a thread
//! for blocking work and is waited for only so long; while one is stuck, the next ones are refused after
//! the same time, and threads do not pile up.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::Secret;
use super::filter::Filters;
use crate::settings::{KernelId, RuntimeId};

/// How long a keyring may take. Long enough to type the password that unlocks it.
const ANSWER_TIME: Duration = Duration::from_secs(30);

/// What a person without a keyring can do about it.
const REMEDY: &str = if cfg!(target_os = "macos") {
    "Open Keychain Access and see that the login keychain is there"
} else if cfg!(windows) {
    "See that the Credential Manager service runs"
} else {
    "Start a Secret Service in this session, such as gnome-keyring, KeePassXC or KWallet, and try again"
};

/// Names one entry of the keyring. It is no secret: keyrings show it to the person.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EntryName(String);

impl EntryName {
    /// The token of a kernel. Two homes keep theirs apart.
    pub fn kernel_token(home: &Path, kernel: &KernelId) -> Self {
        let home = Sha256::digest(home.as_os_str().as_encoded_bytes());
        Self(format!("siyuan/{kernel}/{}", hex::encode(&home[..8])))
    }

    /// The key of a runtime, for a program that starts the bridge.
    pub fn runtime_key(home: &Path, runtime: &RuntimeId) -> Self {
        let home = Sha256::digest(home.as_os_str().as_encoded_bytes());
        Self(format!("runtime/{runtime}/{}", hex::encode(&home[..8])))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why the keyring did not do what it was asked. It was done nowhere else either.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CredentialError {
    #[error("the system's keyring cannot be reached: {reason}. {REMEDY}. Secrets are kept nowhere else")]
    Unavailable { reason: String },
    #[error("the system's keyring is locked: {reason}. Unlock it and try again")]
    Locked { reason: String },
    #[error(
        "the system's keyring gave no answer within {} s. It may be waiting for you: answer its prompt, then try again",
        .after.as_secs()
    )]
    NoAnswer { after: Duration },
    #[error(
        "the system's keyring holds no such entry, although one was saved. It may be locked, or another one than it was: \
         unlock it, or set the secret anew (a kernel's token with `notegate kernel token`, a runtime's key with \
         `notegate connect`)"
    )]
    Missing,
    #[error(
        "the system's keyring holds several entries of this name. Remove them with the system's own program, \
         then set the secret anew"
    )]
    Ambiguous,
    #[error(
        "the system's keyring gave back something else than it was given. Look at it with the system's own program"
    )]
    NotKept,
    #[error("the system's keyring failed: {reason}. Look at it with the system's own program")]
    Failed { reason: String },
}

impl CredentialError {
    /// A stable word for scripts and tests.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } => "keyring_unavailable",
            Self::Locked { .. } => "keyring_locked",
            Self::NoAnswer { .. } => "keyring_no_answer",
            Self::Missing => "keyring_entry_missing",
            Self::Ambiguous | Self::NotKept | Self::Failed { .. } => "keyring_failed",
        }
    }
}

/// A place that keeps secrets. Its methods may block.
pub trait CredentialStore: fmt::Debug + Send + Sync {
    /// `None` where there is no such entry; a locked store may say so as well.
    fn read(&self, name: &EntryName) -> Result<Option<Secret>, CredentialError>;
    /// Replaces what was there.
    fn write(&self, name: &EntryName, secret: &Secret) -> Result<(), CredentialError>;
    /// An entry that is not there is removed already.
    fn remove(&self, name: &EntryName) -> Result<(), CredentialError>;
}

/// The store as the async core uses it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Credentials {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: Arc<dyn CredentialStore>,
    filters: Filters,
    limit: Duration,
    /// One operation at a time. The thread that does it gives the turn back, not whoever waits for it.
    turn: Arc<Semaphore>,
    /// What was read or written in this process: calls need it often, and unlocking asks the person.
    known: Mutex<HashMap<EntryName, Secret>>,
}

impl Credentials {
    /// Whatever is read or written here is made known to `filters` before anybody gets it.
    pub fn new(store: Arc<dyn CredentialStore>, filters: Filters) -> Self {
        Self::with_limit(store, filters, ANSWER_TIME)
    }

    /// The same with another time for each operation.
    pub fn with_limit(store: Arc<dyn CredentialStore>, filters: Filters, limit: Duration) -> Self {
        let (turn, known) = (Arc::new(Semaphore::new(1)), Mutex::default());
        Self { inner: Arc::new(Inner { store, filters, limit, turn, known }) }
    }

    /// The secret of an entry that is known to have been written.
    ///
    /// # Errors
    /// As the store says; [`CredentialError::Missing`] where it knows no such entry.
    pub async fn read(&self, name: &EntryName) -> Result<Secret, CredentialError> {
        if let Some(known) = self.known(|known| known.get(name).cloned()) {
            return Ok(known);
        }
        let wanted = name.clone();
        let read = self.run(move |store| store.read(&wanted)).await?;
        let secret = read.ok_or(CredentialError::Missing)?;
        self.inner.filters.set(name.as_str(), secret.clone());
        self.known(|known| known.insert(name.clone(), secret.clone()));
        Ok(secret)
    }

    /// Writes an entry and reads it back: success means that the next start will find it.
    ///
    /// # Errors
    /// As the store says; [`CredentialError::NotKept`] where it gives back something else.
    pub async fn write(&self, name: &EntryName, secret: Secret) -> Result<(), CredentialError> {
        self.known(|known| known.remove(name));
        self.inner.filters.set(name.as_str(), secret.clone());
        let (wanted, written) = (name.clone(), secret.clone());
        let back = self
            .run(move |store| {
                store.write(&wanted, &written)?;
                store.read(&wanted)
            })
            .await?;
        if back.as_ref() != Some(&secret) {
            return Err(CredentialError::NotKept);
        }
        self.known(|known| known.insert(name.clone(), secret));
        Ok(())
    }

    /// Removes an entry; one that is not there is removed already.
    ///
    /// # Errors
    /// As the store says; the entry may still be there.
    pub async fn remove(&self, name: &EntryName) -> Result<(), CredentialError> {
        self.known(|known| known.remove(name));
        let wanted = name.clone();
        self.run(move |store| store.remove(&wanted)).await
    }

    /// Asks the store for something that it does not have, to learn whether it answers.
    ///
    /// # Errors
    /// As the store says.
    pub async fn probe(&self) -> Result<(), CredentialError> {
        self.run(|store| store.read(&EntryName("probe".into())).map(|_| ())).await
    }

    fn known<T>(&self, look: impl FnOnce(&mut HashMap<EntryName, Secret>) -> T) -> T {
        look(&mut self.inner.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn CredentialStore) -> Result<T, CredentialError> + Send + 'static,
    ) -> Result<T, CredentialError> {
        let Inner { store, limit, turn, .. } = &*self.inner;
        let no_answer = || CredentialError::NoAnswer { after: *limit };
        let failed = |reason: String| CredentialError::Failed { reason };
        let deadline = Instant::now() + *limit;
        let turn = timeout_at(deadline, Arc::clone(turn).acquire_owned()).await.map_err(|_| no_answer())?;
        let turn = turn.map_err(|error| failed(error.to_string()))?;
        let store = Arc::clone(store);
        let task = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(&*store)
        });
        let done = timeout_at(deadline, task).await.map_err(|_| no_answer())?;
        done.map_err(|error| failed(error.to_string()))?
    }
}

#[cfg(test)]
#[path = "credentials_tests.rs"]
mod tests;
