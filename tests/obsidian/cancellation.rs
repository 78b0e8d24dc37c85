//! The end of calls: cancelled, timed out, dropped, closed. Afterwards no process is left, and no thread is
//! at work.

use std::sync::Arc;
use std::time::{Duration, Instant};

use notegate::obsidian::{Engine, ObsidianError, Output, Scope, ServiceConfig};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::long_search;
use crate::world::{ENGINES, World, call, package, text, until};

/// A world whose vault takes longer to search than any test.
fn with_a_long_search(engine: Engine) -> World {
    let world = World::on(engine);
    long_search::prepare(&world.vault("v"), long_search::ENDLESS);
    world
}

/// Whether as many searches are on their way; those in this process are not told apart.
fn searches(world: &World, count: usize) -> bool {
    match world.engine {
        Engine::Native => long_search::runs(&world.path("v")),
        Engine::Upstream => world.children().len() == count && reads_notes(world),
    }
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

#[track_caller]
fn nothing_goes_on(world: &World) {
    assert_eq!(world.children(), Vec::<String>::new(), "the answer comes after the end");
    assert!(!long_search::runs(&world.path("v")), "the answer comes after the end");
}

async fn search(world: &World, cancel: &CancellationToken) -> Result<Output, ObsidianError> {
    let query = json!({"query": "word"});
    call(&world.service, world.engine, &world.folder("v"), "obsidian_search_notes", query, cancel).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn us8_calls_cancelled_at_any_moment_leave_nothing_behind() {
    for engine in ENGINES {
        cancelled_at_any_moment(World::on(engine)).await;
    }
}

async fn cancelled_at_any_moment(world: World) {
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
        let calling = call(&world.service, world.engine, &scope, "obsidian_write_note", arguments, &cancel);
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
        nothing_goes_on(&world);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn us8_a_long_search_is_cancelled_in_its_middle() {
    for engine in ENGINES {
        let world = with_a_long_search(engine);
        let cancel = CancellationToken::new();
        let cancelling = async {
            until("the search reads notes", || searches(&world, 1)).await;
            cancel.cancel();
            Instant::now()
        };
        let (outcome, cancelled) = tokio::join!(search(&world, &cancel), cancelling);
        assert!(matches!(outcome, Err(ObsidianError::Cancelled)), "{outcome:?}");
        assert!(cancelled.elapsed() < Duration::from_secs(5), "at once, not at the end of the search");
        nothing_goes_on(&world);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lr7_a_search_that_takes_too_long_is_ended() {
    let short = |config: &mut ServiceConfig| config.call_time = Duration::from_millis(300);
    let world = World { engine: Engine::Native, ..World::upstream(short) };
    long_search::prepare(&world.vault("v"), long_search::ENDLESS);
    let error = search(&world, &CancellationToken::new()).await.unwrap_err();
    assert_eq!(error.code(), "timeout");
    assert!(error.to_string().contains("0.3 seconds"), "{error}");
    nothing_goes_on(&world);
}

#[tokio::test]
async fn lr7_a_call_cancelled_before_it_starts_starts_nothing() {
    let world = World::new();
    world.vault("v");
    let cancel = CancellationToken::new();
    cancel.cancel();
    let arguments = json!({"path": "a.md", "content": "x"});
    let scope = world.folder("v");
    let outcome = call(&world.service, world.engine, &scope, "obsidian_write_note", arguments, &cancel).await;
    assert!(matches!(outcome, Err(ObsidianError::Cancelled)));
    assert!(!world.path("v/a.md").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lr7_a_caller_that_goes_away_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let silent = package(folder.path(), "setInterval(() => {}, 1000)");
    let world = World::upstream(|config| {
        config.upstream.package = Some(silent);
        config.call_time = Duration::from_secs(3600); // only the caller's going can end the call
    });
    world.vault("v");
    let (service, scope) = (Arc::clone(&world.service), world.folder("v"));
    let caller = tokio::spawn(async move {
        let cancel = CancellationToken::new();
        call(&service, Engine::Upstream, &scope, "obsidian_list_all_tags", json!({}), &cancel).await
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
async fn lr7_a_caller_that_goes_away_ends_its_search_in_this_process() {
    let world = Arc::new(with_a_long_search(Engine::Native));
    let caller = {
        let world = Arc::clone(&world);
        tokio::spawn(async move { search(&world, &CancellationToken::new()).await })
    };
    until("the search reads notes", || searches(&world, 1)).await;
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
    world.service.close().await;
    nothing_goes_on(&world);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lr8_closing_waits_for_running_calls_and_refuses_new_ones() {
    for engine in ENGINES {
        let world = with_a_long_search(engine);
        let (revoked, kept) = (CancellationToken::new(), CancellationToken::new());
        let closing = async {
            until("both searches read notes", || searches(&world, 2)).await;
            revoked.cancel();
            let mut closing = std::pin::pin!(world.service.close());
            let early = tokio::time::timeout(Duration::from_millis(200), closing.as_mut()).await;
            assert!(early.is_err(), "the other search still runs");
            let late = world.call(&world.folder("v"), "obsidian_list_vaults", json!({})).await;
            assert_eq!(late.unwrap_err().code(), "closing");
            let late = world.service.test(&world.folder("v"), engine).await;
            assert_eq!(late.unwrap_err().code(), "closing");
            kept.cancel();
            closing.await;
            nothing_goes_on(&world);
        };
        let (first, second, ()) = tokio::join!(search(&world, &revoked), search(&world, &kept), closing);
        assert!(matches!(first, Err(ObsidianError::Cancelled)), "{first:?}");
        assert!(matches!(second, Err(ObsidianError::Cancelled)), "{second:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lr8_a_call_that_nobody_cancels_is_let_finish_when_we_close() {
    let world = World::new();
    long_search::prepare(&world.vault("v"), 10);
    let cancel = CancellationToken::new();
    let closing = async {
        until("the search reads notes", || searches(&world, 1)).await;
        world.service.close().await;
    };
    let (outcome, ()) = tokio::join!(search(&world, &cancel), closing);
    assert!(!outcome.unwrap().is_error);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn u02_patches_sent_together_are_all_applied() {
    let world = World::new();
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    world.write("v/a.md", words.join(" "));
    std::os::unix::fs::symlink(world.path("v/a.md"), world.path("v/link.md")).unwrap();
    world.register(&[("whole", ""), ("part", "v")]);
    // Through two vaults that overlap, through a link, and by two engines: one file all the same.
    let patch = |number: usize| {
        let (vault, path) = [("whole", "v/a.md"), ("part", "a.md"), ("part", "link.md")][number % 3];
        let (engine, word) = (ENGINES[number % 2], words[number]);
        let arguments =
            json!({"vaultId": vault, "path": path, "oldString": word, "newString": word.to_uppercase()});
        let service = Arc::clone(&world.service);
        async move {
            let cancel = CancellationToken::new();
            call(&service, engine, &Scope::Registered, "obsidian_patch_note", arguments, &cancel).await
        }
    };
    let patches: Vec<_> = (0..words.len()).map(|number| tokio::spawn(patch(number))).collect();
    for patch in patches {
        let output = patch.await.unwrap().unwrap();
        assert!(!output.is_error, "{}", text(&output));
    }
    assert_eq!(world.read("v/a.md"), words.join(" ").to_uppercase());
}
