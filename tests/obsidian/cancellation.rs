//! The end of calls: cancelled, timed out, dropped, closed. Afterwards no process is left.

use std::sync::Arc;
use std::time::{Duration, Instant};

use notegate::obsidian::ObsidianError;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::world::{World, call, package, until};

/// A vault whose search takes long enough to be interrupted.
fn with_5000_notes(world: &World) {
    for number in 0..5000 {
        world.write(&format!("v/{}/{number}.md", number % 50), format!("word {number} ").repeat(200));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn us8_calls_cancelled_at_any_moment_leave_no_process() {
    let world = World::new();
    world.write("v/a.md", "text");
    let scope = world.folder("v");
    let started = Instant::now();
    world.done(&scope, "obsidian_read_note", json!({"path": "a.md"})).await;
    let whole = started.elapsed();
    for round in 0..25_u32 {
        // Spread over the whole length of a call, by a fixed sequence: a failure can be repeated.
        let moment = whole * (round * 7 % 25) / 24;
        let cancel = CancellationToken::new();
        let arguments = json!({"path": format!("{round}.md"), "content": "x"});
        let calling = call(&world.service, &scope, "obsidian_write_note", arguments, &cancel);
        let cancelling = async {
            tokio::time::sleep(moment).await;
            cancel.cancel();
        };
        let (outcome, ()) = tokio::join!(calling, cancelling);
        // Too late to be cancelled is a success, and then it is on disk; anything else says so.
        match outcome {
            Ok(_) => assert_eq!(world.read(&format!("v/{round}.md")), "x"),
            Err(error) => assert!(matches!(error, ObsidianError::Cancelled), "{error}"),
        }
        assert_eq!(world.children(), Vec::<String>::new(), "round {round}: the answer comes after the end");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn us8_a_search_of_5000_notes_is_cancelled_in_its_middle() {
    let world = World::new();
    with_5000_notes(&world);
    let cancel = CancellationToken::new();
    let scope = world.folder("v");
    let calling = call(&world.service, &scope, "obsidian_search_notes", json!({"query": "word"}), &cancel);
    let cancelling = async {
        until("the search reads notes", || reads_notes(&world)).await;
        cancel.cancel();
        Instant::now()
    };
    let (outcome, cancelled) = tokio::join!(calling, cancelling);
    assert!(matches!(outcome, Err(ObsidianError::Cancelled)), "{outcome:?}");
    assert!(cancelled.elapsed() < Duration::from_secs(5), "at once, not at the end of the search");
    assert_eq!(world.children(), Vec::<String>::new());
}

/// Whether a child has read more than Node needs to start.
fn reads_notes(world: &World) -> bool {
    world.children().iter().any(|child| {
        let pid = child.split(':').next().unwrap_or_default();
        let open = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        open.filter_map(|file| std::fs::read_link(file.path()).ok())
            .any(|file| file.extension().is_some_and(|ending| ending == "md"))
    })
}

#[tokio::test]
async fn lr7_a_call_cancelled_before_it_starts_starts_nothing() {
    let world = World::new();
    world.vault("v");
    let cancel = CancellationToken::new();
    cancel.cancel();
    let arguments = json!({"path": "a.md", "content": "x"});
    let outcome = call(&world.service, &world.folder("v"), "obsidian_write_note", arguments, &cancel).await;
    assert!(matches!(outcome, Err(ObsidianError::Cancelled)));
    assert!(!world.path("v/a.md").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lr7_a_caller_that_goes_away_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let silent = package(folder.path(), "setInterval(() => {}, 1000)");
    let world = World::with(|config| {
        config.upstream.package = Some(silent);
        config.call_time = Duration::from_secs(3600); // only the caller's going can end the call
    });
    world.vault("v");
    let (service, scope) = (Arc::clone(&world.service), world.folder("v"));
    let caller = tokio::spawn(async move {
        call(&service, &scope, "obsidian_list_all_tags", json!({}), &CancellationToken::new()).await
    });
    until("the server runs", || world.children().iter().any(|child| child.contains("server.js"))).await;
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
    tokio::time::timeout(Duration::from_secs(30), world.service.close())
        .await
        .expect("closing comes to an end");
    assert_eq!(world.children(), Vec::<String>::new(), "closing waited for the clean-up");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lr8_closing_waits_for_running_calls_and_refuses_new_ones() {
    let world = World::new();
    with_5000_notes(&world);
    let scope = world.folder("v");
    let (revoked, kept) = (CancellationToken::new(), CancellationToken::new());
    let query = json!({"query": "word"});
    let first = call(&world.service, &scope, "obsidian_search_notes", query.clone(), &revoked);
    let second = call(&world.service, &scope, "obsidian_search_notes", query, &kept);
    let closing = async {
        until("both searches read notes", || world.children().len() == 2 && reads_notes(&world)).await;
        revoked.cancel();
        world.service.close().await;
        assert_eq!(world.children(), Vec::<String>::new());
        let late = world.call(&scope, "obsidian_list_vaults", json!({})).await;
        assert_eq!(late.unwrap_err().code(), "closing");
        assert_eq!(world.service.test(&scope).await.unwrap_err().code(), "closing");
    };
    let (first, second, ()) = tokio::join!(first, second, closing);
    assert!(matches!(first, Err(ObsidianError::Cancelled)), "{first:?}");
    assert!(!second.unwrap().is_error, "a call that nobody cancelled is let finish");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn u02_patches_sent_together_are_all_applied() {
    let world = World::new();
    world.write("v/a.md", "one two three four\n");
    std::os::unix::fs::symlink(world.path("v/a.md"), world.path("v/link.md")).unwrap();
    world.register(&[("whole", ""), ("part", "v")]);
    // Through two vaults that overlap, and through a link: one file all the same.
    let patch = |vault: &str, path: &str, word: &str| {
        let arguments =
            json!({"vaultId": vault, "path": path, "oldString": word, "newString": word.to_uppercase()});
        let world = &world;
        async move { world.done(&notegate::obsidian::Scope::Registered, "obsidian_patch_note", arguments).await }
    };
    tokio::join!(
        patch("whole", "v/a.md", "one"),
        patch("part", "a.md", "two"),
        patch("part", "link.md", "three"),
        patch("whole", "v/a.md", "four"),
    );
    assert_eq!(world.read("v/a.md"), "ONE TWO THREE FOUR\n");
}
