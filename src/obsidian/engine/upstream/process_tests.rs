//! The end of a process on every way out, by a shell that starts a process of its own and ignores
//! what it is told.

use std::time::Instant;

use super::*;
use crate::obsidian::Platform;

/// Starts a shell that starts `sleep`, and names both by a number that only they carry.
fn start(script: &str, mark: &str) -> Process {
    let environment = Environment::new(Platform::Linux, "/").with("PATH", "/usr/bin:/bin").with("MARK", mark);
    let environment = Launch::new("/bin/sh".into(), vec!["-c".into(), script.into()], None, &environment);
    Process::start(&environment).unwrap()
}

/// Processes that carry the mark and are not merely waiting to be reaped.
fn alive(mark: &str) -> usize {
    let carries = |pid: &std::ffi::OsStr| {
        let environment = std::fs::read(Path::new("/proc").join(pid).join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == format!("MARK={mark}").as_bytes())
    };
    std::fs::read_dir("/proc").unwrap().flatten().filter(|entry| carries(&entry.file_name())).count()
}

async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        tokio::task::yield_now().await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

const STUBBORN: &str = "trap '' TERM HUP INT; sleep 1000 & sleep 1000; sleep 1000";

#[tokio::test]
async fn lr7_an_end_takes_what_the_process_started_with_it() {
    for polite in [true, false] {
        let mark = format!("end-{polite}-{}", std::process::id());
        let process = start(STUBBORN, &mark);
        until("both have started", || alive(&mark) >= 3).await;
        process.end(polite).await;
        until("none is left", || alive(&mark) == 0).await;
    }
}

#[tokio::test]
async fn lr7_what_a_polite_process_leaves_behind_is_ended_too() {
    let mark = format!("left-{}", std::process::id());
    let process = start("sleep 1000 2>/dev/null & read line; echo gone >&2", &mark);
    until("both have started", || alive(&mark) >= 2).await;
    assert_eq!(process.end(true).await, "gone\n");
    until("none is left", || alive(&mark) == 0).await;
}

#[tokio::test]
async fn lr7_a_panic_ends_the_process() {
    let mark = format!("panic-{}", std::process::id());
    let process = start(STUBBORN, &mark);
    until("both have started", || alive(&mark) >= 3).await;
    let task = tokio::spawn(async move {
        let _held = process;
        panic!("as a bug would");
    });
    assert!(task.await.unwrap_err().is_panic());
    until("none is left", || alive(&mark) == 0).await;
}

#[tokio::test]
async fn its_error_output_is_kept_up_to_a_bound() {
    let mark = format!("loud-{}", std::process::id());
    let process = start("head -c 300000 /dev/zero | tr '\\0' x >&2", &mark);
    let said = process.end(true).await;
    assert_eq!(said.len(), KEPT);
}

#[test]
fn v04_a_blank_at_the_end_of_a_vault_survives() {
    assert_eq!(as_argument(Path::new("/a b/Notes ")), "/a b/Notes /");
    assert_eq!(as_argument(Path::new("/a b/No tes")), "/a b/No tes");
}
