//! What each command about kernels changes, what it revokes, and where a token goes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::access::{EndReason, Grant};
use crate::secrets::{CredentialError, CredentialStore, EntryName, MemoryStore};

struct Fixture {
    folder: tempfile::TempDir,
    core: Core,
    store: Arc<MemoryStore>,
}

/// A keyring that cannot be reached.
#[derive(Debug)]
struct NoKeyring;

impl NoKeyring {
    fn error() -> CredentialError {
        CredentialError::Unavailable { reason: "no session bus".into() }
    }
}

impl CredentialStore for NoKeyring {
    fn read(&self, _: &EntryName) -> Result<Option<Secret>, CredentialError> {
        Err(Self::error())
    }

    fn write(&self, _: &EntryName, _: &Secret) -> Result<(), CredentialError> {
        Err(Self::error())
    }

    fn remove(&self, _: &EntryName) -> Result<(), CredentialError> {
        Err(Self::error())
    }
}

const ELSEWHERE: &str = "http://192.0.2.1:6806";

impl Fixture {
    fn new() -> Self {
        let (folder, store) = (tempfile::tempdir().unwrap(), Arc::new(MemoryStore::default()));
        let core = start(&folder, store.clone());
        Self { folder, core, store }
    }

    async fn ask(&self, command: Command) -> Result<Reply, CommandError> {
        self.core.handle().request(command).await
    }

    fn siyuan(&self) -> SiyuanView {
        self.core.handle().snapshot().siyuan.clone()
    }

    fn kernel(&self, name: &str) -> KernelView {
        self.siyuan().kernels.into_iter().find(|kernel| kernel.id == id(name)).unwrap()
    }

    async fn add(&self, name: &str, address: &str) {
        self.ask(Command::AddKernel { kernel: Some(id(name)), draft: draft(address) }).await.unwrap();
    }

    async fn set_token(&self, name: &str, token: &str) -> Result<Reply, CommandError> {
        self.ask(Command::SetToken { kernel: id(name), token: typed(token) }).await
    }

    async fn permit(&self, name: &str, key: &str, permission: Permission) -> Result<Reply, CommandError> {
        let permissions = BTreeMap::from([(key.to_owned(), permission)]);
        self.ask(Command::SetPermissions { kernel: id(name), permissions }).await
    }

    /// Two grants: one with SiYuan, one without.
    async fn grants(&self) -> [Arc<Grant>; 2] {
        for capability in Capability::ALL {
            self.ask(Command::SetEnabled { capability, enabled: true }).await.unwrap();
        }
        let mut grants = Vec::new();
        for capability in [Capability::Siyuan, Capability::Obsidian] {
            let add = Command::AddRuntime {
                kind: RuntimeKind::Custom,
                name: None,
                mode: WorkMode::Execute,
                approval: ApprovalPolicy::Prompt,
                capabilities: [capability].into(),
            };
            let Reply::RuntimeAdded { key, .. } = self.ask(add).await.unwrap() else { panic!() };
            grants.push(self.core.handle().access().admit(&key.0, None).await.unwrap());
        }
        grants.try_into().unwrap()
    }

    /// Everything that is written below the home.
    fn files(&self) -> String {
        let files = std::fs::read_dir(self.folder.path()).unwrap();
        // The activity log is no text, and may hold a token as much as a text could.
        let read = |file: std::fs::DirEntry| std::fs::read(file.path()).unwrap();
        files.map(|file| String::from_utf8_lossy(&read(file.unwrap())).into_owned()).collect()
    }
}

fn start(folder: &tempfile::TempDir, credentials: Arc<dyn CredentialStore>) -> Core {
    let mut options = StartOptions::new(Home::at(folder.path()).unwrap());
    options.credentials = credentials;
    options.siyuan_port_file = Some(folder.path().join("port.json"));
    Core::start(options).unwrap()
}

fn id(text: &str) -> KernelId {
    KernelId::new(text).unwrap()
}

fn draft(address: &str) -> KernelDraft {
    let address = address.parse().unwrap();
    KernelDraft { name: "Mine".into(), address, timeout_seconds: 15, port_file: None, pid: None }
}

fn typed(token: &str) -> TypedSecret {
    TypedSecret(Secret::from_text(token))
}

#[tokio::test]
async fn kernels_are_added_edited_disabled_and_removed() {
    let fixture = Fixture::new();
    fixture.ask(Command::AddKernel { kernel: None, draft: draft("auto") }).await.unwrap();
    fixture.ask(Command::AddKernel { kernel: None, draft: draft("auto") }).await.unwrap();
    fixture.ask(Command::AddKernel { kernel: None, draft: draft(ELSEWHERE) }).await.unwrap();
    let ids: Vec<_> = fixture.siyuan().kernels.into_iter().map(|kernel| kernel.id).collect();
    assert_eq!(ids, [id("local"), id("local-2"), id("remote")]);
    let again = Command::AddKernel { kernel: Some(id("local")), draft: draft("auto") };
    assert_eq!(fixture.ask(again).await.unwrap_err().code, "kernel_exists");

    fixture.ask(Command::SetDefaultKernel { kernel: Some(id("local")) }).await.unwrap();
    fixture.ask(Command::SetKernelDisabled { kernel: id("local"), disabled: true }).await.unwrap();
    assert!(fixture.kernel("local").disabled);
    let edited = KernelDraft { name: " Notes ".into(), timeout_seconds: 60, ..draft("auto") };
    fixture.ask(Command::EditKernel { kernel: id("local"), draft: edited }).await.unwrap();
    let kernel = fixture.kernel("local");
    assert_eq!((kernel.name.as_str(), kernel.timeout_seconds, kernel.disabled), ("Notes", 60, true));

    fixture.ask(Command::RemoveKernel { kernel: id("local"), keep_token: false }).await.unwrap();
    let siyuan = fixture.siyuan();
    assert_eq!((siyuan.kernels.len(), siyuan.default_kernel), (2, None));
    assert!(!siyuan.enabled, "kernels switch nothing on");
    fixture.core.close().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_draft_is_named_by_its_field() {
    let fixture = Fixture::new();
    for (bad, field) in [
        (KernelDraft { name: "  ".into(), ..draft("auto") }, "name"),
        (KernelDraft { timeout_seconds: 0, ..draft("auto") }, "timeoutSeconds"),
        (KernelDraft { port_file: Some("here".into()), ..draft("auto") }, "portFile"),
        (KernelDraft { pid: Some(7), ..draft(ELSEWHERE) }, "pid"),
    ] {
        let error = fixture.ask(Command::AddKernel { kernel: None, draft: bad }).await.unwrap_err();
        assert_eq!(error.field.as_deref(), Some(field));
        assert!(error.case.is_some(), "the window tells it in the person's language: {error}");
    }
    let nobody = Command::EditKernel { kernel: id("nobody"), draft: draft("auto") };
    assert_eq!(fixture.ask(nobody).await.unwrap_err().code, "unknown_kernel");
    assert!(fixture.siyuan().kernels.is_empty());
    fixture.core.close().await;
}

#[tokio::test]
async fn another_address_port_file_or_process_drops_the_permissions() {
    let fixture = Fixture::new();
    let bound = KernelDraft { pid: Some(7), ..draft("auto") };
    fixture.ask(Command::AddKernel { kernel: Some(id("a")), draft: bound.clone() }).await.unwrap();
    let key = "http POST /api/block/updateBlock";
    let same = KernelDraft { name: "Other name".into(), timeout_seconds: 30, ..bound.clone() };
    for (edited, kept) in [
        (same, true),
        (KernelDraft { pid: Some(8), ..bound.clone() }, false),
        (KernelDraft { port_file: Some("/p.json".into()), pid: Some(8), ..draft("auto") }, false),
        (draft(ELSEWHERE), false),
    ] {
        fixture.permit("a", key, Permission::Allow).await.unwrap();
        fixture.ask(Command::EditKernel { kernel: id("a"), draft: edited.clone() }).await.unwrap();
        assert_eq!(fixture.kernel("a").permissions.contains_key(key), kept, "{edited:?}");
    }
    fixture.permit("a", key, Permission::Allow).await.unwrap();
    fixture.ask(Command::RebindKernel { kernel: id("a") }).await.unwrap();
    assert!(fixture.kernel("a").permissions.is_empty());
    fixture.core.close().await;
}

#[tokio::test]
async fn a_permission_is_saved_by_its_key_and_only_under_one_that_could_be_a_key() {
    let fixture = Fixture::new();
    fixture.add("a", ELSEWHERE).await;
    fixture.permit("a", "connection status", Permission::Deny).await.unwrap();
    fixture.permit("a", "mcp tools/list", Permission::AskFullAccess).await.unwrap();
    fixture.permit("a", "connection status", Permission::Allow).await.unwrap();
    let expected = [("connection status", Permission::Allow), ("mcp tools/list", Permission::AskFullAccess)];
    let expected: BTreeMap<_, _> = expected.map(|(key, permission)| (key.to_owned(), permission)).into();
    assert_eq!(fixture.kernel("a").permissions, expected);
    for key in ["", " connection status", "a\nb", "http POST /api//block", "block updates"] {
        let error = fixture.permit("a", key, Permission::Allow).await.unwrap_err();
        assert_eq!(error.field.as_deref(), Some("permissions"), "{key:?}");
    }
    assert_eq!(fixture.kernel("a").permissions, expected);
    fixture.core.close().await;
}

#[tokio::test]
async fn nothing_is_granted_on_a_kernel_that_cannot_be_bound() {
    let fixture = Fixture::new();
    fixture.add("a", "auto").await;
    let error = fixture.permit("a", "connection status", Permission::Allow).await.unwrap_err();
    let case = error.case.unwrap();
    assert_eq!((error.code.as_str(), case.reason.as_str()), ("kernel_not_running", "none_registered"));
    assert!(case.subject.ends_with("port.json"), "{case:?}");
    assert!(fixture.kernel("a").permissions.is_empty());
    fixture.core.close().await;
}

#[tokio::test]
async fn a_token_goes_to_the_keyring_and_is_seen_nowhere() {
    let fixture = Fixture::new();
    fixture.add("a", ELSEWHERE).await;
    let entry = EntryName::kernel_token(fixture.folder.path(), &id("a"));
    for token in ["first-sesame", " second-sesame\n"] {
        fixture.set_token("a", token).await.unwrap();
        assert_eq!(fixture.kernel("a").token, TokenState::Stored);
        let kept = fixture.store.read(&entry).unwrap().unwrap();
        assert_eq!(kept.reveal(), token.trim());
    }
    let command = Command::SetToken { kernel: id("a"), token: typed("third-sesame") };
    assert!(!format!("{command:?}").contains("sesame"));
    let seen = serde_json::to_string(&*fixture.core.handle().snapshot()).unwrap();
    assert!(!seen.contains("sesame") && !fixture.files().contains("sesame"));

    fixture.ask(Command::ClearToken { kernel: id("a") }).await.unwrap();
    assert_eq!((fixture.kernel("a").token, fixture.store.read(&entry)), (TokenState::None, Ok(None)));
    fixture.core.close().await;
}

#[tokio::test]
async fn a_token_goes_with_its_kernel() {
    let fixture = Fixture::new();
    for name in ["a", "b"] {
        fixture.add(name, ELSEWHERE).await;
        fixture.set_token(name, "sesame").await.unwrap();
    }
    fixture.ask(Command::RemoveKernel { kernel: id("a"), keep_token: false }).await.unwrap();
    let kept = ["a", "b"].map(|name| {
        fixture.store.read(&EntryName::kernel_token(fixture.folder.path(), &id(name))).unwrap().is_some()
    });
    assert_eq!(kept, [false, true]);
    fixture.core.close().await;
}

#[tokio::test]
async fn what_is_no_token_is_refused_without_being_repeated() {
    let fixture = Fixture::new();
    fixture.add("a", ELSEWHERE).await;
    for token in ["", " \n", "two\nlines", "sesame\u{7}", "密码sesame", &"x".repeat(1025)] {
        let error = fixture.set_token("a", token).await.unwrap_err();
        assert_eq!(error.field.as_deref(), Some("token"));
        assert!(!error.message.contains("sesame") && !error.message.contains("xxx"), "{error}");
    }
    assert_eq!(fixture.set_token("nobody", "sesame").await.unwrap_err().code, "unknown_kernel");
    assert_eq!(fixture.kernel("a").token, TokenState::None);
    fixture.core.close().await;
}

#[tokio::test]
async fn without_a_keyring_it_fails_closed() {
    let fixture = Fixture::new();
    fixture.add("a", ELSEWHERE).await;
    fixture.set_token("a", "sesame").await.unwrap();
    let Fixture { folder, core, store } = fixture;
    core.close().await;
    let fixture = Fixture { core: start(&folder, Arc::new(NoKeyring)), folder, store };

    for command in [
        Command::SetToken { kernel: id("a"), token: typed("another") },
        Command::ClearToken { kernel: id("a") },
        Command::RemoveKernel { kernel: id("a"), keep_token: false },
    ] {
        let error = fixture.ask(command.clone()).await.unwrap_err();
        assert_eq!(error.code, "keyring_unavailable", "{command:?}");
        assert!(error.message.contains("no session bus"), "{error}");
        assert_eq!(error.case.unwrap().subject, "no session bus");
        assert_eq!(fixture.kernel("a").token, TokenState::Stored, "{command:?}");
    }
    assert!(!fixture.files().contains("another"), "no other place is tried");
    fixture.ask(Command::RemoveKernel { kernel: id("a"), keep_token: true }).await.unwrap();
    assert!(fixture.siyuan().kernels.is_empty());
    fixture.core.close().await;
}

#[tokio::test]
async fn lr8_the_switch_the_assignment_and_what_calls_work_on_revoke_siyuan_and_nothing_else() {
    let fixture = Fixture::new();
    fixture.add("a", ELSEWHERE).await;
    let kernel = || id("a");
    let capability = Capability::Siyuan;
    let revoking = [
        Command::SetEnabled { capability, enabled: true },
        Command::SetAssignment { capability, runtime: RuntimeId::new("custom").unwrap(), assigned: true },
        Command::EditKernel { kernel: kernel(), draft: draft(ELSEWHERE) },
        Command::RebindKernel { kernel: kernel() },
        Command::SetKernelDisabled { kernel: kernel(), disabled: false },
        Command::SetToken { kernel: kernel(), token: typed("sesame") },
        Command::ClearToken { kernel: kernel() },
        Command::RemoveKernel { kernel: kernel(), keep_token: false },
    ];
    for command in revoking {
        let [siyuan, obsidian] = fixture.grants().await;
        fixture.ask(command.clone()).await.unwrap();
        let expected = match &command {
            Command::SetEnabled { .. } => EndReason::SwitchFlipped(capability),
            Command::SetAssignment { .. } => EndReason::AssignmentChanged(capability),
            _ => EndReason::TargetChanged(capability),
        };
        assert_eq!(siyuan.end_reason(), Some(expected), "{command:?}");
        assert_eq!(obsidian.end_reason(), None, "{command:?}");
    }
    fixture.core.close().await;
}

#[tokio::test]
async fn lr8_what_is_looked_at_with_each_call_and_what_is_refused_revoke_nothing() {
    let fixture = Fixture::new();
    fixture.add("a", ELSEWHERE).await;
    let [siyuan, obsidian] = fixture.grants().await;
    fixture.add("b", ELSEWHERE).await;
    fixture.permit("a", "connection status", Permission::Allow).await.unwrap();
    fixture.ask(Command::SetDefaultKernel { kernel: Some(id("a")) }).await.unwrap();
    for refused in [
        Command::EditKernel { kernel: id("a"), draft: KernelDraft { timeout_seconds: 0, ..draft("auto") } },
        Command::RemoveKernel { kernel: id("nobody"), keep_token: false },
        Command::SetToken { kernel: id("a"), token: typed("") },
        Command::SetDefaultKernel { kernel: Some(id("nobody")) },
    ] {
        fixture.ask(refused).await.unwrap_err();
    }
    assert_eq!((siyuan.end_reason(), obsidian.end_reason()), (None, None));
    fixture.core.close().await;
}

#[tokio::test]
async fn a_session_chooses_its_kernel_and_keeps_its_choice_over_a_restart_and_the_kernels_end() {
    let fixture = Fixture::new();
    fixture.add("a", ELSEWHERE).await;
    let session = SessionLabel("one".into());
    let choose = |kernel: Option<KernelId>| Command::ChooseKernel { session: session.clone(), kernel };
    assert_eq!(fixture.ask(choose(Some(id("a")))).await.unwrap_err().code, "unknown_session");

    let add = Command::AddRuntime {
        kind: RuntimeKind::Custom,
        name: None,
        mode: WorkMode::Ask,
        approval: ApprovalPolicy::Prompt,
        capabilities: [Capability::Siyuan].into(),
    };
    let Reply::RuntimeAdded { key, .. } = fixture.ask(add).await.unwrap() else { panic!() };
    fixture.core.handle().access().admit(&key.0, Some(&session)).await.unwrap();
    assert_eq!(fixture.ask(choose(Some(id("nobody")))).await.unwrap_err().code, "unknown_kernel");
    fixture.ask(choose(Some(id("a")))).await.unwrap();
    assert_eq!(fixture.core.handle().snapshot().sessions[0].kernel, Some(id("a")));

    let Fixture { folder, core, store } = fixture;
    core.close().await;
    let fixture = Fixture { core: start(&folder, store.clone()), folder, store };
    fixture.core.handle().access().admit(&key.0, Some(&session)).await.unwrap();
    fixture.ask(Command::RemoveKernel { kernel: id("a"), keep_token: false }).await.unwrap();
    let seen = fixture.core.handle().snapshot();
    assert_eq!(seen.sessions[0].kernel, Some(id("a")), "it is refused, not sent elsewhere");
    fixture.ask(choose(None)).await.unwrap();
    assert_eq!(fixture.core.handle().snapshot().sessions[0].kernel, None);
    fixture.core.close().await;
}

#[tokio::test]
async fn a_check_of_a_kernel_that_does_not_run_says_so_in_the_snapshot() {
    let fixture = Fixture::new();
    fixture.add("a", "auto").await;
    assert_eq!(fixture.kernel("a").check, KernelCheck::NotChecked);
    let error = fixture.ask(Command::CheckKernel { kernel: id("a") }).await.unwrap_err();
    assert_eq!(error.code, "kernel_not_running");
    let KernelCheck::Failed { number: 1, error: seen, .. } = fixture.kernel("a").check else { panic!() };
    assert_eq!(seen, error);
    fixture.ask(Command::EditKernel { kernel: id("a"), draft: draft("auto") }).await.unwrap();
    assert_eq!(fixture.kernel("a").check, KernelCheck::NotChecked, "a check tells of the kernel as it was");
    fixture.ask(Command::SetKernelDisabled { kernel: id("a"), disabled: true }).await.unwrap();
    let error = fixture.ask(Command::CheckKernel { kernel: id("a") }).await.unwrap_err();
    assert_eq!(error.code, "kernel_disabled");
    fixture.core.close().await;
}
