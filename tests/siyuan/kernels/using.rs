//! A kernel as a call opens it: the right one, checked at its first use.

use notegate::core::Command;
use notegate::siyuan::kernels::KernelError;
use notegate::siyuan::transport::Request;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::world::{LOCAL, World, draft, id, locked};
use crate::kernel::{Kernel, TOKEN};

const ASK: &str = "/api/notebook/lsNotebooks";

#[tokio::test]
async fn the_first_call_binds_and_checks_and_the_next_ones_only_find() {
    let (world, kernel) = World::with_kernel(locked()).await;
    world.set_token(TOKEN).await;
    let service = world.service();
    let cancel = CancellationToken::new();
    for _ in 0..3 {
        let opened = service.kernels.connect(&id(LOCAL), &cancel).await.unwrap();
        assert!(opened.is_local());
        let answer = opened.connection.send(Request::post(ASK, json!({})), &cancel).await.unwrap();
        answer.envelope().unwrap().due().unwrap();
        opened.connection.dispose().await;
    }
    assert_eq!(service.kernels.settings().kernels[0].pid, Some(std::process::id()));
    let asked = kernel.seen_at("/api/system/getWorkspaceInfo").len();
    assert_eq!((asked, kernel.seen_at(ASK).len()), (1, 3));
    assert_eq!(kernel.open_sockets(), 0);
}

#[tokio::test]
async fn of_many_calls_at_once_only_one_shows_a_wrong_token() {
    let (world, kernel) = World::with_kernel(locked()).await;
    world.set_token("mistaken").await;
    let service = world.service();
    let (cancel, local) = (CancellationToken::new(), id(LOCAL));
    let calls = (0..8).map(|_| service.kernels.connect(&local, &cancel));
    for opened in futures_util::future::join_all(calls).await {
        assert_eq!(opened.unwrap_err(), KernelError::TokenRefused);
    }
    assert_eq!(kernel.seen().iter().filter(|seen| seen.header("authorization").is_some()).count(), 1);
}

#[tokio::test]
async fn a_token_that_goes_bad_later_is_noted_by_the_call_that_meets_it() {
    let (world, kernel) = World::with_kernel(locked()).await;
    world.set_token(TOKEN).await;
    let service = world.service();
    let cancel = CancellationToken::new();
    let opened = service.kernels.connect(&id(LOCAL), &cancel).await.unwrap();
    kernel.change(|setup| setup.token = "another".into());
    let refused = opened.connection.send(Request::post(ASK, json!({})), &cancel).await.unwrap_err();
    assert_eq!(service.kernels.failed(&id(LOCAL), &opened, refused).await, KernelError::TokenRefused);
    let sent = kernel.seen().len();
    assert_eq!(service.kernels.connect(&id(LOCAL), &cancel).await.unwrap_err(), KernelError::TokenRefused);
    assert_eq!(kernel.seen().len(), sent);
}

#[tokio::test]
async fn at_an_address_of_this_computer_each_call_sees_another_workspace() {
    let kernel = Kernel::with(locked()).await;
    let world = World::new();
    world.add(&kernel.address()).await;
    world.set_token(TOKEN).await;
    let service = world.service();
    let cancel = CancellationToken::new();
    service.kernels.connect(&id(LOCAL), &cancel).await.unwrap();
    kernel.change(|setup| setup.workspace = "/home/me/Other".into());
    let error = service.kernels.connect(&id(LOCAL), &cancel).await.unwrap_err();
    assert!(matches!(error, KernelError::OtherWorkspace { .. }), "{error}");
}

#[tokio::test]
async fn a_call_that_is_cancelled_opens_nothing() {
    let (world, kernel) = World::with_kernel(locked()).await;
    let service = world.service();
    let cancel = CancellationToken::new();
    cancel.cancel();
    assert_eq!(service.kernels.connect(&id(LOCAL), &cancel).await.unwrap_err(), KernelError::Cancelled);
    assert!(kernel.seen().is_empty());
}

/// Argument, then the session's choice, then the default; never another one than that.
#[tokio::test]
async fn a_call_goes_to_the_kernel_that_it_names_that_its_session_chose_or_to_the_default() {
    let world = World::new();
    for name in ["named", "chosen", "default", "disabled"] {
        let add = Command::AddKernel { kernel: Some(id(name)), draft: draft("http://192.0.2.1") };
        world.ask(add).await.unwrap();
    }
    world.ask(Command::SetKernelDisabled { kernel: id("disabled"), disabled: true }).await.unwrap();
    let service = world.service();
    let mut settings = (*service.kernels.settings()).clone();
    settings.choose("session", Some(id("chosen")));
    settings.choose("widowed", Some(id("gone")));
    settings.choose("stopped", Some(id("disabled")));
    let check = |named: Option<&str>, session: Option<&str>, expected: Result<&str, KernelError>| {
        let expected = expected.map(id);
        assert_eq!(service.kernels.target(named, session), expected, "{named:?} {session:?}");
    };
    let gone = || Err(KernelError::Unknown("gone".into()));
    let disabled = || Err(KernelError::Disabled(id("disabled")));

    service.kernels.configure(settings.clone());
    check(Some("named"), Some("session"), Ok("named"));
    check(None, Some("session"), Ok("chosen"));
    check(None, Some("other"), Err(KernelError::NoTarget));
    check(None, None, Err(KernelError::NoTarget));
    settings.default_kernel = Some(id("default"));
    service.kernels.configure(settings.clone());
    check(None, Some("other"), Ok("default"));
    check(None, None, Ok("default"));
    // What was meant and is gone is not replaced by the next in order.
    check(Some("gone"), Some("session"), gone());
    check(None, Some("widowed"), gone());
    check(Some("disabled"), None, disabled());
    check(None, Some("stopped"), disabled());
    check(Some("no id at all"), None, Err(KernelError::Unknown("no id at all".into())));
    settings.default_kernel = Some(id("disabled"));
    service.kernels.configure(settings);
    check(None, None, disabled());
}
