//! Where a token goes, how often, and where it must never turn up.

use notegate::core::{Command, KernelDraft, TokenState};
use notegate::secrets::{CredentialStore, EntryName};

use super::world::{LOCAL, World, draft, id, locked};
use crate::kernel::faults::Fault;
use crate::kernel::{Kernel, Setup, TOKEN};

/// How many requests showed a token.
fn shown(kernel: &Kernel) -> usize {
    kernel.seen().iter().filter(|seen| seen.header("authorization").is_some()).count()
}

#[tokio::test]
async fn a_wrong_token_is_sent_once_and_then_nothing_until_it_changes() {
    let (world, kernel) = World::with_kernel(locked()).await;
    world.set_token("mistaken").await;
    assert_eq!(world.failing().await.0, "token_refused");
    assert_eq!(world.kernel().token, TokenState::Refused);
    let sent = kernel.seen().len();
    assert_eq!(shown(&kernel), 1);
    assert_eq!(world.failing().await.0, "token_refused");
    let world = world.restart().await;
    assert_eq!(world.failing().await.0, "token_refused");
    assert_eq!(kernel.seen().len(), sent, "after a restart as well");

    world.set_token(TOKEN).await;
    world.check().await.unwrap();
    assert_eq!(world.kernel().token, TokenState::Stored);
}

#[tokio::test]
async fn no_token_goes_to_what_is_no_kernel() {
    let world = World::new();
    let stranger = crate::kernel::origin::Origin::thief().await;
    world.add(&format!("http://{}", stranger.address())).await;
    world.set_token(TOKEN).await;
    assert_eq!(world.failing().await.0, "not_a_kernel");
    let seen = stranger.log().seen();
    assert!(!seen.is_empty() && seen.iter().all(|seen| seen.header("authorization").is_none()));
}

#[tokio::test]
async fn a_token_that_the_keyring_lost_is_not_taken_for_none() {
    let (world, kernel) = World::with_kernel(Setup::default()).await;
    world.set_token(TOKEN).await;
    let world = world.restart().await;
    world.store.remove(&EntryName::kernel_token(world.folder.path(), &id(LOCAL))).unwrap();
    assert_eq!(world.failing().await.0, "keyring_entry_missing");
    assert!(kernel.seen_at("/api/system/getWorkspaceInfo").is_empty(), "an open kernel would have answered");
}

#[tokio::test]
async fn a_token_that_a_kernel_gives_back_is_not_kept() {
    let (world, kernel) = World::with_kernel(locked()).await;
    world.set_token(TOKEN).await;
    kernel.change(|setup| setup.workspace = format!("/home/{TOKEN}"));
    let (code, message) = world.failing().await;
    assert_eq!(code, "not_a_kernel");
    kernel.fault(
        "/api/system/getWorkspaceInfo",
        Fault::Redirect { status: 302, to: "http://a/plain-sesame".into() },
    );
    kernel.change(|setup| setup.token = "plain-sesame".into());
    world.set_token("plain-sesame").await;
    let (code, redirected) = world.failing().await;
    assert_eq!(code, "not_a_kernel");
    let message = message + &redirected;
    let seen = serde_json::to_string(&*world.core.handle().snapshot()).unwrap();
    for text in [message, seen, world.files()] {
        assert!(!text.contains("tk+n/0q") && !text.contains("sesame"), "{text}");
    }
}

#[tokio::test]
async fn a_disabled_kernel_is_sent_nothing() {
    let (world, kernel) = World::with_kernel(locked()).await;
    world.set_token(TOKEN).await;
    world.ask(Command::SetKernelDisabled { kernel: id(LOCAL), disabled: true }).await.unwrap();
    assert_eq!(world.failing().await.0, "kernel_disabled");
    assert!(kernel.seen().is_empty());
}

#[tokio::test]
async fn a_refusal_is_forgotten_with_the_server_that_refused() {
    let (world, kernel) = World::with_kernel(locked()).await;
    world.set_token(TOKEN).await;
    kernel.change(|setup| setup.token = "another".into());
    assert_eq!(world.failing().await.0, "token_refused");
    let other = Kernel::with(locked()).await;
    world.edit(KernelDraft { timeout_seconds: 5, ..draft(&other.address()) }).await;
    world.check().await.unwrap();
    assert_eq!(shown(&other), 1);
}
