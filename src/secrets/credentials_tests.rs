//! The credential store over stores that keep, fail, lie and hang.

use std::sync::mpsc;

use super::*;
use crate::secrets::MemoryStore;

fn name(kernel: &str) -> EntryName {
    EntryName::kernel_token(Path::new("/home"), &KernelId::new(kernel).unwrap())
}

fn secret(text: &str) -> Secret {
    Secret::from_text(text)
}

/// Answers everything with the same error.
#[derive(Debug)]
struct Failing(CredentialError);

impl CredentialStore for Failing {
    fn read(&self, _: &EntryName) -> Result<Option<Secret>, CredentialError> {
        Err(self.0.clone())
    }

    fn write(&self, _: &EntryName, _: &Secret) -> Result<(), CredentialError> {
        Err(self.0.clone())
    }

    fn remove(&self, _: &EntryName) -> Result<(), CredentialError> {
        Err(self.0.clone())
    }
}

/// Takes everything and knows nothing, as a keyring does whose collection is locked away.
#[derive(Debug)]
struct Forgetful;

impl CredentialStore for Forgetful {
    fn read(&self, _: &EntryName) -> Result<Option<Secret>, CredentialError> {
        Ok(None)
    }

    fn write(&self, _: &EntryName, _: &Secret) -> Result<(), CredentialError> {
        Ok(())
    }

    fn remove(&self, _: &EntryName) -> Result<(), CredentialError> {
        Ok(())
    }
}

/// Hangs until it is let go, as a keyring does that waits for a password.
#[derive(Debug)]
struct Hanging(Mutex<mpsc::Receiver<()>>, MemoryStore);

impl CredentialStore for Hanging {
    fn read(&self, name: &EntryName) -> Result<Option<Secret>, CredentialError> {
        let _ = self.0.lock().unwrap().recv();
        self.1.read(name)
    }

    fn write(&self, name: &EntryName, secret: &Secret) -> Result<(), CredentialError> {
        self.1.write(name, secret)
    }

    fn remove(&self, name: &EntryName) -> Result<(), CredentialError> {
        self.1.remove(name)
    }
}

#[tokio::test]
async fn a_token_is_kept_replaced_and_removed() {
    let store = Arc::new(MemoryStore::default());
    let credentials = Credentials::new(store.clone(), Filters::default());
    credentials.write(&name("a"), secret("one")).await.unwrap();
    credentials.write(&name("b"), secret("other")).await.unwrap();
    credentials.write(&name("a"), secret("two")).await.unwrap();
    assert_eq!(credentials.read(&name("a")).await.unwrap(), secret("two"));
    assert_eq!(
        Credentials::new(store.clone(), Filters::default()).read(&name("a")).await.unwrap(),
        secret("two"),
        "for the next start"
    );
    credentials.remove(&name("a")).await.unwrap();
    credentials.remove(&name("a")).await.unwrap();
    assert_eq!(credentials.read(&name("a")).await, Err(CredentialError::Missing));
    assert_eq!(credentials.read(&name("b")).await.unwrap(), secret("other"));
}

#[tokio::test]
async fn two_homes_keep_their_tokens_apart() {
    let here = name("a");
    let there = EntryName::kernel_token(Path::new("/other"), &KernelId::new("a").unwrap());
    assert_ne!(here, there);
    assert!(here.as_str().starts_with("siyuan/a/"), "{here:?}");
}

#[tokio::test]
async fn what_fails_is_told_with_its_remedy_and_without_the_secret() {
    for error in [
        CredentialError::Unavailable { reason: "no bus".into() },
        CredentialError::Locked { reason: "no answer to the prompt".into() },
    ] {
        let credentials = Credentials::new(Arc::new(Failing(error.clone())), Filters::default());
        assert_eq!(credentials.write(&name("a"), secret("sesame")).await, Err(error.clone()));
        assert_eq!(
            credentials.read(&name("a")).await,
            Err(error.clone()),
            "a failed write is not remembered"
        );
        assert_eq!(credentials.remove(&name("a")).await, Err(error.clone()));
        assert_eq!(credentials.probe().await, Err(error.clone()));
        assert!(error.to_string().contains("try again"), "{error}");
        assert!(!format!("{error} {credentials:?}").contains("sesame"));
    }
}

#[tokio::test]
async fn an_entry_that_a_locked_keyring_does_not_know_is_an_error_and_not_no_token() {
    let credentials = Credentials::new(Arc::new(Forgetful), Filters::default());
    assert_eq!(credentials.read(&name("a")).await, Err(CredentialError::Missing));
    assert_eq!(
        credentials.write(&name("a"), secret("sesame")).await,
        Err(CredentialError::NotKept),
        "what cannot be read back was not kept"
    );
    assert_eq!(credentials.probe().await, Ok(()));
}

#[tokio::test]
async fn a_hanging_keyring_hangs_nobody_and_piles_up_no_threads() {
    let (let_go, waiting) = mpsc::channel();
    let limit = Duration::from_millis(50);
    let store = Arc::new(Hanging(Mutex::new(waiting), MemoryStore::default()));
    let credentials = Credentials::with_limit(store, Filters::default(), limit);
    for _ in 0..3 {
        let error = credentials.write(&name("a"), secret("sesame")).await.unwrap_err();
        assert_eq!(error, CredentialError::NoAnswer { after: limit });
    }
    // Only the first of them ever reached the store, so one answer lets everything go on.
    let_go.send(()).unwrap();
    drop(let_go);
    let credentials = Credentials { inner: Arc::new(Inner { limit: ANSWER_TIME, ..take(credentials) }) };
    credentials.write(&name("a"), secret("other")).await.unwrap();
    assert_eq!(credentials.read(&name("a")).await.unwrap(), secret("other"));
}

fn take(credentials: Credentials) -> Inner {
    let Inner { store, filters, turn, limit, .. } = &*credentials.inner;
    let filters = filters.clone();
    Inner {
        store: Arc::clone(store),
        filters,
        turn: Arc::clone(turn),
        limit: *limit,
        known: Mutex::default(),
    }
}

#[tokio::test]
async fn one_who_holds_credentials_prints_no_secret() {
    let credentials = Credentials::new(Arc::new(MemoryStore::default()), Filters::default());
    credentials.write(&name("a"), secret("sesame")).await.unwrap();
    assert!(!format!("{credentials:?}").contains("sesame"));
}
