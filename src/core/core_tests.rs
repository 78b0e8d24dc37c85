//! The core alone, on a real home: what each command changes, and what it must leave alone.

use tokio_util::sync::CancellationToken;

use super::*;
use crate::access::EndReason;
use crate::access::approvals::{ArgumentsDigest, Ask, Declined};
use crate::obsidian::{Environment, Platform};

struct Fixture {
    folder: tempfile::TempDir,
    core: Core,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let core = Core::start(StartOptions::new(Home::at(folder.path()).unwrap())).unwrap();
        Self { folder, core }
    }

    async fn ask(&self, command: Command) -> Result<Reply, CommandError> {
        self.core.handle().request(command).await
    }

    async fn add(&self, kind: RuntimeKind) -> (RuntimeId, String) {
        let command = Command::AddRuntime {
            kind,
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

    fn file(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("settings.json")).unwrap()
    }
}

fn scope(path: &str) -> Command {
    Command::SaveScope { vault_path: path.into() }
}

#[tokio::test]
async fn lr1_saving_a_scope_switches_nothing_on_and_switching_saves_no_scope() {
    let fixture = Fixture::new();
    fixture.ask(scope(" /notes ")).await.unwrap();
    let seen = fixture.core.handle().snapshot();
    assert_eq!((seen.obsidian.vault_path.as_str(), seen.obsidian.enabled), ("/notes", false));
    fixture.ask(Command::SetEnabled { capability: Capability::Obsidian, enabled: true }).await.unwrap();
    let seen = fixture.core.handle().snapshot();
    assert_eq!((seen.obsidian.vault_path.as_str(), seen.obsidian.enabled), ("/notes", true));
    fixture.core.close().await;
}

#[tokio::test]
async fn us7_a_scope_that_cannot_be_used_is_saved_and_told_and_forgotten_when_it_can() {
    let fixture = Fixture::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let folder = elsewhere.path().join("later");
    let problem = |reply: Reply| match reply {
        Reply::ScopeSaved { problem, .. } => problem.map(|error| error.code),
        other => panic!("{other:?}"),
    };
    let save = || scope(folder.to_str().unwrap());
    assert_eq!(problem(fixture.ask(save()).await.unwrap()).as_deref(), Some("scope_invalid"));
    let seen = fixture.core.handle().snapshot();
    assert_eq!(seen.obsidian.vault_path, folder.to_str().unwrap(), "saved all the same");
    assert_eq!(seen.obsidian.scope_problem.as_ref().unwrap().code, "scope_invalid");

    std::fs::create_dir(&folder).unwrap();
    let vault_path = folder.to_str().unwrap().to_owned();
    fixture.ask(Command::TestObsidian { vault_path }).await.unwrap();
    assert_eq!(fixture.core.handle().snapshot().obsidian.scope_problem, None, "a test has seen it");
    assert_eq!(problem(fixture.ask(save()).await.unwrap()), None);
    fixture.core.close().await;
}

#[tokio::test]
async fn the_sample_vault_is_written_once_and_becomes_the_scope() {
    let (folder, user) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let start = || {
        let mut options = StartOptions::new(Home::at(folder.path()).unwrap());
        options.environment = Environment::new(Platform::Linux, user.path());
        Core::start(options).unwrap()
    };
    let core = start();
    core.handle().request(Command::TrySampleVault).await.unwrap();
    let vault = user.path().join("Notegate sample vault");
    let seen = core.handle().snapshot();
    assert_eq!((seen.obsidian.vault_path.as_str(), seen.obsidian.enabled), (vault.to_str().unwrap(), true));
    let note = vault.join(sample_vault::FIRST_NOTE);
    assert!(note.is_file());

    // What is there by then is the person's.
    std::fs::write(&note, "mine").unwrap();
    core.handle().request(Command::TrySampleVault).await.unwrap();
    assert_eq!(std::fs::read_to_string(&note).unwrap(), "mine");
    core.close().await;

    // Where it cannot be written nothing is changed.
    std::fs::remove_dir_all(&vault).unwrap();
    let core = start();
    core.handle().request(scope("/elsewhere")).await.unwrap();
    drop(user);
    let error = core.handle().request(Command::TrySampleVault).await.unwrap_err();
    assert_eq!(error.code, "sample_not_written");
    assert_eq!(core.handle().snapshot().obsidian.vault_path, "/elsewhere");
    core.close().await;
}

#[tokio::test]
async fn us10_an_assignment_keeps_scope_switch_and_other_settings() {
    let folder = tempfile::tempdir().unwrap();
    let old = r#"{"version":1,"gateway":{"port":4000},"window":{"theme":"dark"}}"#;
    std::fs::write(folder.path().join("settings.json"), old).unwrap();
    let core = Core::start(StartOptions::new(Home::at(folder.path()).unwrap())).unwrap();
    let fixture = Fixture { folder, core };
    let (runtime, _) = fixture.add(RuntimeKind::Continue).await;
    let off = Command::SetAssignment { capability: Capability::Obsidian, runtime, assigned: false };
    fixture.ask(off).await.unwrap();
    let seen = fixture.core.handle().snapshot();
    assert_eq!((seen.port, seen.theme), (4000, Theme::Dark));
    assert_eq!((seen.obsidian.vault_path.as_str(), seen.obsidian.enabled), ("", false));
    assert!(seen.runtimes[0].capabilities.is_empty());
    fixture.core.close().await;
}

#[tokio::test]
async fn lr8_equal_values_revoke_too_invalid_input_revokes_nothing() {
    let fixture = Fixture::new();
    let (_, key) = fixture.add(RuntimeKind::OpenCode).await;
    fixture.ask(Command::SetEnabled { capability: Capability::Obsidian, enabled: true }).await.unwrap();
    let access = fixture.core.handle().access();
    let grant = access.admit(&key, None).await.unwrap();

    let error = fixture.ask(scope("/a\u{7}b")).await.unwrap_err();
    assert_eq!(error.field.as_deref(), Some("obsidian.vaultPath"));
    let error = fixture
        .ask(Command::SetAssignment {
            capability: Capability::Obsidian,
            runtime: RuntimeId::new("nobody").unwrap(),
            assigned: true,
        })
        .await
        .unwrap_err();
    assert_eq!(error.code, "unknown_runtime");
    assert_eq!(grant.end_reason(), None, "invalid input revokes nothing");

    fixture.ask(scope("")).await.unwrap();
    assert_eq!(grant.end_reason(), Some(EndReason::ScopeSaved(Capability::Obsidian)));

    let grant = access.admit(&key, None).await.unwrap();
    fixture.ask(Command::SetEngine { engine: VaultEngine::Native }).await.unwrap();
    assert_eq!(grant.end_reason(), Some(EndReason::EngineSaved(Capability::Obsidian)));
    fixture.core.close().await;
}

#[tokio::test]
async fn lr8_us12_a_failing_save_keeps_the_settings_and_does_not_bring_old_grants_back() {
    let fixture = Fixture::new();
    let (_, key) = fixture.add(RuntimeKind::OpenCode).await;
    fixture.ask(Command::SetEnabled { capability: Capability::Obsidian, enabled: true }).await.unwrap();
    let access = fixture.core.handle().access();
    let grant = access.admit(&key, None).await.unwrap();

    // A folder in the file's place makes the rename fail, for root as well.
    let file = fixture.folder.path().join("settings.json");
    let kept = fixture.folder.path().join("kept.json");
    std::fs::rename(&file, &kept).unwrap();
    std::fs::create_dir(&file).unwrap();
    std::fs::write(file.join("in the way"), "").unwrap();
    let error = fixture.ask(scope("/elsewhere")).await.unwrap_err();
    assert!(error.message.contains("Nothing was changed"), "{error}");
    assert_eq!(fixture.core.handle().snapshot().obsidian.vault_path, "");
    assert_eq!(grant.end_reason(), Some(EndReason::ScopeSaved(Capability::Obsidian)));

    std::fs::remove_dir_all(&file).unwrap();
    std::fs::rename(&kept, &file).unwrap();
    let again = access.admit(&key, None).await.unwrap();
    assert!(again.end_reason().is_none() && again.id != grant.id);
    fixture.core.close().await;
}

#[tokio::test]
async fn a_file_that_was_edited_by_hand_is_not_saved_over_and_nothing_is_revoked() {
    let fixture = Fixture::new();
    let (_, key) = fixture.add(RuntimeKind::OpenCode).await;
    fixture.ask(Command::SetEnabled { capability: Capability::Obsidian, enabled: true }).await.unwrap();
    let access = fixture.core.handle().access();
    let grant = access.admit(&key, None).await.unwrap();
    let path = fixture.folder.path().join("settings.json");
    let kept = fixture.file();
    let valid = kept.replace("\"theme\": \"system\"", "\"theme\": \"dark\"");
    assert_ne!(valid, kept);
    for edit in [valid.as_str(), "{ broken", ""] {
        std::fs::write(&path, edit).unwrap();
        let error = fixture.ask(scope("/elsewhere")).await.unwrap_err();
        assert_eq!(error.code, "settings_changed");
        assert!(
            error.message.contains("settings.json") && error.message.contains("notegate stop"),
            "{error}"
        );
        assert_eq!(fixture.file(), edit, "the edit is still there");
        assert_eq!(fixture.core.handle().snapshot().obsidian.vault_path, "");
        assert_eq!(grant.end_reason(), None);
    }
    std::fs::write(&path, &kept).unwrap();
    fixture.ask(scope("/elsewhere")).await.unwrap();
    fixture.ask(scope("/somewhere")).await.unwrap();
    fixture.core.close().await;
}

#[tokio::test]
async fn another_mode_or_policy_ends_the_runtimes_grants_and_loses_nothing_else() {
    let fixture = Fixture::new();
    let (runtime, key) = fixture.add(RuntimeKind::OpenCode).await;
    let (_, other_key) = fixture.add(RuntimeKind::Codex).await;
    let handle = fixture.core.handle();
    let access = handle.access();
    let other = access.admit(&other_key, None).await.unwrap();
    let before = handle.snapshot().runtimes[0].clone();
    for command in [
        Command::SetMode { runtime: runtime.clone(), mode: WorkMode::Full },
        Command::SetApprovalPolicy { runtime: runtime.clone(), approval: ApprovalPolicy::Never },
    ] {
        let grant = access.admit(&key, None).await.unwrap();
        fixture.ask(command).await.unwrap();
        assert_eq!(grant.end_reason(), Some(EndReason::RuntimeChanged));
    }
    assert_eq!(other.end_reason(), None, "grants of others live on");
    let grant = access.admit(&key, None).await.expect("the key stays");
    assert_eq!(grant.approval, ApprovalPolicy::Never);
    fixture.ask(Command::RenameRuntime { runtime: runtime.clone(), name: "Laptop".into() }).await.unwrap();
    assert_eq!(grant.end_reason(), None, "a name is for people");
    let now = handle.snapshot().runtimes[0].clone();
    let (mode, approval, name) = (WorkMode::Full, ApprovalPolicy::Never, "Laptop".to_owned());
    let last_seen = now.last_seen;
    assert_eq!(now, RuntimeView { mode, approval, name, last_seen, ..before });
    let nobody = RuntimeId::new("nobody").unwrap();
    let error = fixture.ask(Command::SetApprovalPolicy { runtime: nobody, approval }).await.unwrap_err();
    assert_eq!(error.code, "unknown_runtime");
    fixture.core.close().await;
}

#[tokio::test]
async fn a_key_is_shown_once_and_kept_nowhere() {
    let fixture = Fixture::new();
    let (runtime, key) = fixture.add(RuntimeKind::ClaudeCode).await;
    assert!(fixture.core.handle().access().admit(&key, None).await.is_ok());
    let rotated = fixture.ask(Command::RotateKey { runtime: runtime.clone() }).await.unwrap();
    assert!(!format!("{rotated:?}").contains("ng_"), "Debug shows no key");
    let Reply::KeyRotated { key: new, .. } = rotated else { panic!() };
    assert!(fixture.core.handle().access().admit(&key, None).await.is_err(), "the old key is dead");
    assert!(fixture.core.handle().access().admit(&new.0, None).await.is_ok());
    let seen = serde_json::to_string(&*fixture.core.handle().snapshot()).unwrap();
    for text in [seen, fixture.file()] {
        assert!(!text.contains(&key) && !text.contains(&new.0), "{text}");
    }
    fixture.core.close().await;
}

#[tokio::test]
async fn unavailable_runtimes_are_refused_with_the_reason() {
    let fixture = Fixture::new();
    let command = Command::AddRuntime {
        kind: RuntimeKind::Dsh,
        name: None,
        mode: WorkMode::Ask,
        approval: ApprovalPolicy::Prompt,
        capabilities: [Capability::Obsidian].into(),
    };
    let error = fixture.ask(command).await.unwrap_err();
    assert_eq!(error.code, "unavailable");
    assert!(error.message.contains("DeepSeek Harness"), "{error}");
    assert!(fixture.core.handle().snapshot().runtimes.is_empty());
    fixture.core.close().await;
}

#[tokio::test]
async fn g13_saves_in_quick_succession_are_transactions_and_the_last_one_stays() {
    let fixture = Fixture::new();
    let handle = fixture.core.handle();
    let waiting: Vec<_> = (0..20).map(|n| handle.send(scope(&format!("/notes/{n}")))).collect();
    for answer in waiting {
        answer.answer().await.unwrap();
    }
    assert_eq!(handle.snapshot().obsidian.vault_path, "/notes/19");
    assert!(fixture.file().contains("/notes/19"));
    fixture.core.close().await;
}

#[tokio::test]
async fn a_command_after_the_end_is_answered() {
    let fixture = Fixture::new();
    let handle = fixture.core.handle().clone();
    fixture.core.close().await;
    assert_eq!(handle.request(Command::Status).await.unwrap_err().code, "closing");
    assert!(handle.snapshot().closing);
}

#[tokio::test]
async fn a_new_name_changes_nothing_else() {
    let fixture = Fixture::new();
    let (runtime, key) = fixture.add(RuntimeKind::OpenCode).await;
    let grant = fixture.core.handle().access().admit(&key, None).await.unwrap();
    let rename = |name: &str| Command::RenameRuntime { runtime: runtime.clone(), name: name.into() };
    fixture.ask(rename(" Laptop ")).await.unwrap();
    let seen = fixture.core.handle().snapshot();
    assert_eq!((seen.runtimes[0].name.as_str(), &seen.runtimes[0].id), ("Laptop", &runtime));
    assert_eq!(grant.end_reason(), None);
    let error = fixture.ask(rename(" ")).await.unwrap_err();
    assert_eq!((error.field.as_deref(), error.case.unwrap().reason.as_str()), (Some("name"), "name_empty"));
    fixture.core.close().await;
}

#[tokio::test]
async fn ids_of_runtimes_of_one_kind_are_numbered() {
    let fixture = Fixture::new();
    assert_eq!(fixture.add(RuntimeKind::OpenCode).await.0.as_str(), "opencode");
    assert_eq!(fixture.add(RuntimeKind::OpenCode).await.0.as_str(), "opencode-2");
    fixture.core.close().await;
}

#[tokio::test]
async fn a_save_voids_what_is_being_asked_unless_it_is_about_looks_alone() {
    let fixture = Fixture::new();
    let approvals = fixture.core.handle().approvals().clone();
    let _answerer = approvals.answerer();
    let ask = |generation| Ask {
        runtime: RuntimeId::new("opencode").unwrap(),
        session: None,
        policy: ApprovalPolicy::Prompt,
        generation,
        tool: "t".into(),
        kernel: None,
        endpoints: Vec::new(),
        arguments: ArgumentsDigest::of(&Default::default()),
        change: String::new(),
        text: None,
        patient: true,
    };
    let cancel = CancellationToken::new();
    let asking = approvals.ask(ask(1), &cancel);
    tokio::pin!(asking);
    assert!(futures_util::poll!(asking.as_mut()).is_pending());
    fixture.ask(Command::SetTheme { theme: Theme::Dark }).await.unwrap();
    let shown = fixture.core.handle().snapshot().approvals.clone();
    assert_eq!((shown.questions[0].state, shown.answerable), (QuestionState::Open, true));
    fixture.ask(scope("/notes")).await.unwrap();
    assert_eq!(asking.await, Err(Declined::ConfigurationChanged));
    let question = shown.questions[0].id;
    let late = fixture.ask(Command::AnswerApproval { question, approve: true }).await.unwrap_err();
    assert_eq!(late.code, "configuration_changed");

    let generation = fixture.core.handle().access().policy().generation;
    let asking = approvals.ask(ask(generation), &cancel);
    tokio::pin!(asking);
    assert!(futures_util::poll!(asking.as_mut()).is_pending());
    let question = fixture.core.handle().approvals().view().questions[0].id;
    fixture.ask(Command::AnswerApproval { question, approve: true }).await.unwrap();
    assert_eq!(asking.await.map(|approved| approved.generation), Ok(generation));
    fixture.core.close().await;
}

#[tokio::test]
async fn a_session_is_refused_as_a_whole_and_lifted_again() {
    let fixture = Fixture::new();
    let approvals = fixture.core.handle().approvals().clone();
    let _answerer = approvals.answerer();
    let (runtime, session) = (RuntimeId::new("opencode").unwrap(), Some(SessionLabel("s".into())));
    let ask = || Ask {
        runtime: runtime.clone(),
        session: session.clone(),
        policy: ApprovalPolicy::Prompt,
        generation: 1,
        tool: "t".into(),
        kernel: None,
        endpoints: Vec::new(),
        arguments: ArgumentsDigest::of(&Default::default()),
        change: String::new(),
        text: None,
        patient: true,
    };
    let cancel = CancellationToken::new();
    let asking = approvals.ask(ask(), &cancel);
    tokio::pin!(asking);
    assert!(futures_util::poll!(asking.as_mut()).is_pending());
    let refuse = Command::RefuseSession { runtime: runtime.clone(), session: session.clone() };
    fixture.ask(refuse).await.unwrap();
    assert_eq!(asking.await, Err(Declined::Refused));
    assert_eq!(approvals.ask(ask(), &cancel).await, Err(Declined::Paused));
    let seen = fixture.core.handle().snapshot();
    assert_eq!(seen.approvals.paused[0].reason, PauseReason::RefusedAll);

    let lift = || Command::LiftApprovalPause { runtime: runtime.clone(), session: session.clone() };
    fixture.ask(lift()).await.unwrap();
    assert_eq!(fixture.ask(lift()).await.unwrap_err().code, "not_paused");
    fixture.core.close().await;
}

#[tokio::test]
async fn an_export_without_a_dialog_says_so_and_writes_nothing() {
    let fixture = Fixture::new();
    let export = Command::ExportActivity { query: Query::default(), format: ExportFormat::Csv };
    let error = fixture.ask(export).await.unwrap_err();
    assert_eq!(error.code, "no_file_dialog");
    assert!(error.message.contains("notegate activity --json"), "{error}");
    fixture.core.close().await;
}
