//! The system's own keyring: Secret Service, macOS Keychain, Windows Credential Manager.

use std::sync::{Arc, Mutex, PoisonError};

use keyring_core::{CredentialStore as Platform, Entry, Error};

use super::{CredentialError, CredentialStore, EntryName, Secret};

/// What all our entries are filed under.
const SERVICE: &str = "notegate";

/// The keyring of this system. It is opened when first needed, and again after a failure: the service
/// may start later than we do, or be restarted.
#[derive(Debug, Default)]
pub struct Keyring {
    open: Mutex<Option<Arc<Platform>>>,
}

impl Keyring {
    fn with_entry<T>(
        &self,
        name: &EntryName,
        work: impl FnOnce(Entry) -> Result<T, Error>,
    ) -> Result<T, CredentialError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let platform = match &*open {
            Some(platform) => Arc::clone(platform),
            None => Arc::clone(open.insert(platform().map_err(explain)?)),
        };
        let done = Entry::new_in_store(&platform, SERVICE, name.as_str()).and_then(work);
        if matches!(done, Err(Error::PlatformFailure(_))) {
            *open = None;
        }
        done.map_err(explain)
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
fn platform() -> Result<Arc<Platform>, Error> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

#[cfg(target_os = "macos")]
fn platform() -> Result<Arc<Platform>, Error> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn platform() -> Result<Arc<Platform>, Error> {
    Ok(windows_native_keyring_store::Store::new()?)
}

impl CredentialStore for Keyring {
    fn read(&self, name: &EntryName) -> Result<Option<Secret>, CredentialError> {
        self.with_entry(name, |entry| match entry.get_password() {
            Ok(text) => Ok(Some(Secret::from_text(text))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        })
    }

    fn write(&self, name: &EntryName, secret: &Secret) -> Result<(), CredentialError> {
        self.with_entry(name, |entry| entry.set_password(secret.reveal()))
    }

    fn remove(&self, name: &EntryName) -> Result<(), CredentialError> {
        self.with_entry(name, |entry| match entry.delete_credential() {
            Err(Error::NoEntry) => Ok(()),
            Err(Error::Ambiguous(entries)) => entries.iter().try_for_each(Entry::delete_credential),
            done => done,
        })
    }
}

/// In our words. What the platform says is added where it cannot hold the secret.
fn explain(error: Error) -> CredentialError {
    match error {
        Error::PlatformFailure(cause) => CredentialError::Unavailable { reason: cause.to_string() },
        Error::NoStorageAccess(cause) => CredentialError::Locked { reason: cause.to_string() },
        Error::NoEntry => CredentialError::Missing,
        Error::Ambiguous(_) => CredentialError::Ambiguous,
        // These carry the secret's bytes.
        Error::BadEncoding(_) | Error::BadDataFormat(..) => CredentialError::NotKept,
        Error::NoDefaultStore => CredentialError::Unavailable { reason: "none is set".into() },
        Error::TooLong(field, limit) => {
            CredentialError::Failed { reason: format!("{field} is longer than {limit}") }
        }
        Error::BadStoreFormat(reason) | Error::NotSupportedByStore(reason) => {
            CredentialError::Failed { reason }
        }
        Error::Invalid(field, _) => {
            CredentialError::Failed { reason: format!("it does not take this {field}") }
        }
        _ => CredentialError::Failed { reason: "for a reason that it does not name".into() },
    }
}
