//! LR-8 on the book alone; `tests/` shows the same through HTTP.

use std::task::{Context, Poll, Waker};

use std::collections::BTreeSet;
use std::time::Duration;

use super::*;
use crate::access::{IssueError, TokenSpec};
use crate::secrets::{Purpose, Secret};
use crate::settings::Capability;
use crate::settings::{Runtime, RuntimeKind, Settings};

fn settings(assigned: bool) -> (Settings, String) {
    let key = Secret::generate(Purpose::RuntimeKey).unwrap();
    let mut settings = Settings::default();
    settings.obsidian.enabled = true;
    settings.runtimes.push(Runtime {
        id: RuntimeId::new("opencode").unwrap(),
        name: "OpenCode".into(),
        kind: RuntimeKind::OpenCode,
        key_sha256: key.digest(),
        key_kept: false,
        mode: WorkMode::Execute,
        approval: Default::default(),
        capabilities: if assigned { [Capability::Obsidian].into() } else { BTreeSet::new() },
    });
    (settings, key.reveal().to_owned())
}

fn access(assigned: bool) -> (Access, Settings, String) {
    let (settings, key) = settings(assigned);
    (Access::new(Policy::from_settings(&settings, 1)), settings, key)
}

fn scope_saved() -> Revoke {
    Revoke::Containing(Capability::Obsidian, EndReason::ScopeSaved(Capability::Obsidian))
}

#[tokio::test]
async fn lr8_a_change_revokes_before_it_is_saved_and_the_next_request_gets_a_new_grant() {
    let (access, settings, key) = access(true);
    let old = access.admit(&key, None).await.unwrap();
    assert_eq!(access.admit(&key, None).await.unwrap().id, old.id, "one grant a key and session");
    let change = access.begin_change(&scope_saved());
    assert_eq!(old.end_reason(), Some(EndReason::ScopeSaved(Capability::Obsidian)));

    let mut waiting = Box::pin(access.admit(&key, None));
    let mut context = Context::from_waker(Waker::noop());
    assert!(matches!(waiting.as_mut().poll(&mut context), Poll::Pending), "waits for the change");
    change.commit(Policy::from_settings(&settings, 2));
    let new = waiting.await.unwrap();
    assert_eq!(new.generation, 2);
    assert!(new.end_reason().is_none());
}

#[tokio::test]
async fn lr8_a_failed_save_keeps_the_policy_and_the_old_grants_stay_dead() {
    let (access, _, key) = access(true);
    let old = access.admit(&key, None).await.unwrap();
    drop(access.begin_change(&scope_saved()));
    assert!(old.end_reason().is_some());
    let new = access.admit(&key, None).await.unwrap();
    assert_ne!(new.id, old.id);
    assert_eq!(new.generation, 1);
}

#[tokio::test]
async fn lr8_a_grant_without_the_capability_lives_on() {
    let (access, settings, key) = access(false);
    let grant = access.admit(&key, None).await.unwrap();
    assert!(!grant.covers(Capability::Obsidian));
    access.begin_change(&scope_saved()).commit(Policy::from_settings(&settings, 2));
    assert!(grant.end_reason().is_none());
    assert_ne!(access.admit(&key, None).await.unwrap().id, grant.id, "a new generation, a new grant");
    assert!(grant.end_reason().is_none());
}

#[tokio::test]
async fn lr8_a_one_off_token_stays_dead() {
    let (access, settings, _) = access(true);
    let issued = access
        .issue(TokenSpec {
            runtime: RuntimeId::new("opencode").unwrap(),
            mode: WorkMode::Ask,
            capabilities: None,
            lifetime: Duration::from_secs(60),
        })
        .unwrap();
    let grant = access.admit(issued.token.reveal(), None).await.unwrap();
    assert_eq!(grant.mode, WorkMode::Ask);
    access.begin_change(&scope_saved()).commit(Policy::from_settings(&settings, 2));
    assert_eq!(
        access.admit(issued.token.reveal(), None).await.unwrap_err(),
        Denied::DeadToken(EndReason::ScopeSaved(Capability::Obsidian))
    );
}

#[tokio::test]
async fn grants_of_former_generations_can_still_be_revoked() {
    let (access, settings, key) = access(true);
    let old = access.admit(&key, None).await.unwrap();
    access.begin_change(&Revoke::Nothing).commit(Policy::from_settings(&settings, 2));
    let new = access.admit(&key, None).await.unwrap();
    assert!(old.end_reason().is_none());
    drop(access.begin_change(&scope_saved()));
    assert!(old.end_reason().is_some() && new.end_reason().is_some());
}

#[test]
fn a_token_cannot_hold_more_than_its_runtime() {
    let (access, _, _) = access(true);
    let spec = TokenSpec {
        runtime: RuntimeId::new("opencode").unwrap(),
        mode: WorkMode::Full,
        capabilities: None,
        lifetime: Duration::from_secs(60),
    };
    assert!(matches!(access.issue(spec.clone()), Err(IssueError::ModeTooHigh { .. })));
    let nobody = TokenSpec { runtime: RuntimeId::new("nobody").unwrap(), ..spec.clone() };
    assert!(matches!(access.issue(nobody), Err(IssueError::UnknownRuntime(_))));
    let endless = TokenSpec { mode: WorkMode::Ask, lifetime: Duration::MAX, ..spec };
    assert!(matches!(access.issue(endless), Err(IssueError::Lifetime(_))));
}

#[test]
fn a_token_for_nothing_is_refused() {
    let (access, _, _) = access(false);
    let spec = TokenSpec {
        runtime: RuntimeId::new("opencode").unwrap(),
        mode: WorkMode::Ask,
        capabilities: None,
        lifetime: Duration::from_secs(60),
    };
    assert!(matches!(access.issue(spec), Err(IssueError::NothingGiven(_))));
}

#[tokio::test]
async fn nobody_is_admitted_after_closing() {
    let (access, _, key) = access(true);
    let grant = access.admit(&key, None).await.unwrap();
    access.close();
    assert_eq!(grant.end_reason(), Some(EndReason::ShuttingDown));
    assert_eq!(access.admit(&key, None).await.unwrap_err(), Denied::Closing);
}

#[tokio::test]
async fn an_ended_session_is_remembered_and_a_forgotten_one_is_not() {
    let (access, _, key) = access(true);
    let (a, b) = (SessionLabel("a".into()), SessionLabel("b".into()));
    let grant = access.admit(&key, Some(&a)).await.unwrap();
    access.admit(&key, Some(&b)).await.unwrap();
    let runtime = RuntimeId::new("opencode").unwrap();
    assert_eq!(access.session_owners(&a), std::slice::from_ref(&runtime));
    access.end_session(&runtime, &a);
    access.forget_session(&runtime, &b);
    assert!(grant.end_reason().is_some());
    assert!(access.session_is_ended(&runtime, &a) && !access.session_is_ended(&runtime, &b));
    assert!(access.sessions().is_empty());
}

#[tokio::test]
async fn m07_labels_that_a_client_makes_up_are_bounded_and_their_calls_stay_revocable() {
    let (mut settings, key) = settings(true);
    settings.gateway.limits.sessions = 3;
    let access = Access::new(Policy::from_settings(&settings, 1));
    let label = |n| SessionLabel(format!("made up {n}"));
    let running = access.admit(&key, Some(&label(0))).await.unwrap();
    for n in 1..20 {
        access.admit(&key, Some(&label(n))).await.unwrap();
    }
    assert_eq!(access.sessions().len(), 3);
    assert_eq!(access.state().current.len(), 3, "no grant is kept for a session that is gone");
    assert!(access.sessions().iter().any(|info| info.label == label(0)), "its call still runs");
    drop(access.begin_change(&scope_saved()));
    assert!(running.end_reason().is_some());
}

#[tokio::test]
async fn what_a_runtime_does_with_labels_concerns_its_own_sessions() {
    let (mut settings, key) = settings(true);
    let other_key = Secret::generate(Purpose::RuntimeKey).unwrap();
    let mut other = settings.runtimes[0].clone();
    (other.id, other.key_sha256) = (RuntimeId::new("custom").unwrap(), other_key.digest());
    settings.runtimes.push(other.clone());
    settings.gateway.limits.sessions = 3;
    let access = Access::new(Policy::from_settings(&settings, 1));
    let label = SessionLabel("s".into());
    let mine = access.admit(&key, Some(&label)).await.unwrap();
    let id = mine.runtime.clone();
    for n in 0..20 {
        access.admit(other_key.reveal(), Some(&SessionLabel(format!("made up {n}")))).await.unwrap();
    }
    access.end_session(&other.id, &label);
    assert!(mine.end_reason().is_none() && !access.session_is_ended(&id, &label));
    assert!(access.session_is_ended(&other.id, &label));
    let grant = mine.id;
    drop(mine);
    assert!(access.sessions().iter().any(|info| info.runtime == id && info.label == label));
    assert_eq!(access.admit(&key, Some(&label)).await.unwrap().id, grant, "it goes on as it was");
}
