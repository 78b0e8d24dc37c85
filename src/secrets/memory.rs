//! A store that forgets: for the demonstration, whose home is gone afterwards, and for tests.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{CredentialError, CredentialStore, EntryName, Secret};

/// Keeps secrets in memory alone.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<HashMap<EntryName, Secret>>);

impl MemoryStore {
    fn entries(&self) -> MutexGuard<'_, HashMap<EntryName, Secret>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CredentialStore for MemoryStore {
    fn read(&self, name: &EntryName) -> Result<Option<Secret>, CredentialError> {
        Ok(self.entries().get(name).cloned())
    }

    fn write(&self, name: &EntryName, secret: &Secret) -> Result<(), CredentialError> {
        self.entries().insert(name.clone(), secret.clone());
        Ok(())
    }

    fn remove(&self, name: &EntryName) -> Result<(), CredentialError> {
        self.entries().remove(name);
        Ok(())
    }
}
