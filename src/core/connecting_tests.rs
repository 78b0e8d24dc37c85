//! Keys on their way into files and the keyring: what is in force after each success and each failure.

use std::path::PathBuf;
use std::sync::Arc;

use super::*;
use crate::obsidian::{Environment, Platform};
use crate::secrets::{CredentialError, CredentialStore, EntryName, MemoryStore};

/// A keyring that can be closed.
#[derive(Debug, Default)]
struct Store {
    open: MemoryStore,
    closed: std::sync::atomic::AtomicBool,
}

impl Store {
    fn close(&self) {
        self.closed.store(true, std::sync::atomic::Ordering::SeqCst);
    }

    fn check(&self) -> Result<(), CredentialError> {
        if self.closed.load(std::sync::atomic::Ordering::SeqCst) {
            return Err(CredentialError::Locked { reason: "test".into() });
        }
        Ok(())
    }
}

impl CredentialStore for Store {
    fn read(&self, name: &EntryName) -> Result<Option<Secret>, CredentialError> {
        self.check()?;
        self.open.read(name)
    }

    fn write(&self, name: &EntryName, secret: &Secret) -> Result<(), CredentialError> {
        self.check()?;
        self.open.write(name, secret)
    }

    fn remove(&self, name: &EntryName) -> Result<(), CredentialError> {
        self.check()?;
        self.open.remove(name)
    }
}

struct Fixture {
    folder: tempfile::TempDir,
    home: Home,
    store: Arc<Store>,
    core: Core,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path().join("home")).unwrap();
        let store = Arc::new(Store::default());
        let mut options = StartOptions::new(home.clone());
        options.environment = Environment::new(Platform::Linux, folder.path());
        options.credentials = store.clone();
        let core = Core::start(options).unwrap();
        Self { folder, home, store, core }
    }

    async fn ask(&self, command: Command) -> Result<Reply, CommandError> {
        self.core.handle().request(command).await
    }

    async fn add(&self) -> (RuntimeId, String) {
        let command = Command::AddRuntime {
            kind: RuntimeKind::Cursor,
            name: None,
            mode: WorkMode::Execute,
            approval: ApprovalPolicy::Prompt,
            capabilities: [Capability::Obsidian].into(),
        };
        match self.ask(command).await.unwrap() {
            Reply::RuntimeAdded { runtime, key } => (runtime.id, key.0),
            other => panic!("{other:?}"),
        }
    }

    async fn connect(
        &self,
        id: &RuntimeId,
        place: KeyPlace,
        key: Option<&str>,
    ) -> Result<Reply, CommandError> {
        let key = key.map(|key| TypedSecret(Secret::from_text(key)));
        let (program, runtime) = (RuntimeKind::Cursor, id.clone());
        self.ask(Command::Connect { program, runtime, place, key, seen: None }).await
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join(".cursor/mcp.json")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap_or_default()
    }

    fn key_in_file(&self) -> String {
        let text = self.text();
        let start = text.find("ng_").unwrap();
        text[start..].chars().take_while(|c| *c != '"').collect()
    }

    fn kept(&self, id: &RuntimeId) -> Option<Secret> {
        self.store.open.read(&EntryName::runtime_key(self.home.root(), id)).unwrap()
    }

    async fn is_in_force(&self, key: &str) -> bool {
        self.core.handle().access().admit(key, None).await.is_ok()
    }
}

fn code(outcome: Result<Reply, CommandError>) -> String {
    outcome.unwrap_err().code
}

#[tokio::test]
async fn a_key_that_is_given_is_written_and_one_that_is_not_is_made() {
    let fixture = Fixture::new();
    let (id, key) = fixture.add().await;
    fixture.connect(&id, KeyPlace::File, Some(&key)).await.unwrap();
    assert_eq!(fixture.key_in_file(), key);
    assert!(fixture.is_in_force(&key).await);
    assert_eq!(code(fixture.connect(&id, KeyPlace::File, Some("ng_other")).await), "key_not_its");

    fixture.connect(&id, KeyPlace::File, None).await.unwrap();
    let new = fixture.key_in_file();
    assert!(new != key && fixture.is_in_force(&new).await && !fixture.is_in_force(&key).await);

    let Reply::Connected { key: Some(shown), .. } =
        fixture.connect(&id, KeyPlace::Environment, None).await.unwrap()
    else {
        panic!("the person needs the key");
    };
    assert!(fixture.is_in_force(&shown.0).await && !fixture.text().contains(&shown.0));
    fixture.core.close().await;
}

#[tokio::test]
async fn what_fails_leaves_the_key_in_force_and_the_file_as_it_was() {
    let fixture = Fixture::new();
    let (id, key) = fixture.add().await;
    std::fs::create_dir_all(fixture.file().parent().unwrap()).unwrap();
    std::fs::write(fixture.file(), "{broken").unwrap();
    assert_eq!(code(fixture.connect(&id, KeyPlace::File, None).await), "file_broken");
    assert_eq!(code(fixture.connect(&id, KeyPlace::Keyring, None).await), "file_broken");
    assert_eq!((fixture.text().as_str(), fixture.kept(&id)), ("{broken", None));
    std::fs::write(fixture.file(), "{}").unwrap();
    fixture.store.close();
    assert_eq!(code(fixture.connect(&id, KeyPlace::Keyring, None).await), "keyring_locked");
    assert_eq!(fixture.text(), "{}");

    // The settings cannot be saved: the file is taken back, whose new key is not in force.
    std::fs::remove_file(fixture.file()).unwrap();
    let settings = fixture.home.settings_file();
    let edited = std::fs::read_to_string(&settings).unwrap() + " ";
    std::fs::write(&settings, edited).unwrap();
    assert_eq!(code(fixture.connect(&id, KeyPlace::File, None).await), "settings_changed");
    assert!(fixture.is_in_force(&key).await);
    let file = fixture.file();
    fixture.core.close().await;
    assert!(!file.exists());
}

#[tokio::test]
async fn a_key_in_the_keyring_is_replaced_there_and_goes_with_its_runtime() {
    let fixture = Fixture::new();
    let (id, key) = fixture.add().await;
    fixture.connect(&id, KeyPlace::Keyring, None).await.unwrap();
    let kept = fixture.kept(&id).unwrap();
    assert!(fixture.is_in_force(kept.reveal()).await && !fixture.is_in_force(&key).await);
    fixture.connect(&id, KeyPlace::Keyring, None).await.unwrap();
    assert_eq!(fixture.kept(&id).unwrap(), kept, "one that is there already stays");
    let undone = fixture.ask(Command::UndoConnection { program: RuntimeKind::Cursor }).await.unwrap();
    let Reply::ConnectionUndone { key_kept, .. } = undone else { panic!("undone") };
    assert_eq!(key_kept.as_ref(), Some(&id), "the person is told that it stays");
    assert_eq!(fixture.kept(&id).unwrap(), kept);

    let Reply::KeyRotated { key: shown, .. } =
        fixture.ask(Command::RotateKey { runtime: id.clone() }).await.unwrap()
    else {
        panic!("a new key");
    };
    assert_eq!(fixture.kept(&id).unwrap().reveal(), shown.0);
    assert!(fixture.is_in_force(&shown.0).await && !fixture.is_in_force(kept.reveal()).await);

    fixture.ask(Command::RemoveRuntime { runtime: id.clone() }).await.unwrap();
    let (name, store) = (EntryName::runtime_key(fixture.home.root(), &id), fixture.store.clone());
    fixture.core.close().await;
    assert_eq!(store.open.read(&name).unwrap(), None);
}

#[tokio::test]
async fn a_key_that_went_from_the_keyring_into_a_file_is_no_longer_in_the_keyring() {
    let fixture = Fixture::new();
    let (id, _) = fixture.add().await;
    fixture.connect(&id, KeyPlace::Keyring, None).await.unwrap();
    fixture.connect(&id, KeyPlace::File, None).await.unwrap();
    assert!(fixture.is_in_force(&fixture.key_in_file()).await);
    let (name, store) = (EntryName::runtime_key(fixture.home.root(), &id), fixture.store.clone());
    fixture.core.close().await;
    assert_eq!(store.open.read(&name).unwrap(), None);
}
