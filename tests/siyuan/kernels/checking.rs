//! What a check says: what was found, or exactly what is wrong.

use notegate::core::{CheckStep, CheckWarning, Command, KernelCheck, KernelDraft};

use super::world::{DEADLINE, LOCAL, World, draft, id, locked, silent_port};
use crate::kernel::faults::Fault;
use crate::kernel::origin::Origin;
use crate::kernel::{Generation, Kernel, Setup, TOKEN};

const VERSION: &str = "/api/system/version";
const WORKSPACE: &str = "/api/system/getWorkspaceInfo";

#[tokio::test]
async fn what_was_found_is_told_and_kept_for_the_window() {
    let (world, _kernel) = World::with_kernel(locked()).await;
    world.set_token(TOKEN).await;
    let report = world.check().await.unwrap();
    assert_eq!((report.version.as_str(), report.token), ("3.8.6", true));
    assert_eq!(report.warnings, []);
    let KernelCheck::Passed { report: seen, .. } = world.kernel().check else { panic!() };
    assert_eq!(seen, report);
}

#[tokio::test]
async fn each_thing_that_is_wrong_has_a_code_of_its_own() {
    let kernel = Kernel::with(locked()).await;
    let world = World::new();
    world.add(&kernel.address()).await;
    world.set_token(TOKEN).await;
    let html = Fault::Answer { status: 200, content_type: "text/html", body: "<html>".into() };
    let redirect = Fault::Redirect { status: 302, to: "https://example.org/login?secret=1".into() };
    let cases = [
        (VERSION, Fault::answer_with(404, "404 page not found"), "not_a_kernel"),
        (VERSION, html, "not_a_kernel"),
        (VERSION, Fault::answer_with(200, r#"{"code":0,"msg":"","data":"stolen"}"#), "not_a_kernel"),
        (VERSION, Fault::answer_with(200, r#"{"code":0,"msg":"","data":null}"#), "not_a_kernel"),
        (VERSION, Fault::Large { bytes: 100_000, announced: true }, "not_a_kernel"),
        (VERSION, redirect, "kernel_answer"),
        (VERSION, Fault::Hold, "kernel_timeout"),
        (VERSION, Fault::HoldBody, "kernel_timeout"),
        (VERSION, Fault::Half, "kernel_unreachable"),
        (WORKSPACE, Fault::answer_with(403, ""), "kernel_forbidden"),
        (WORKSPACE, Fault::answer_with(429, "{}"), "kernel_throttled"),
        (WORKSPACE, Fault::answer_with(401, "who are you"), "kernel_unauthorized"),
        (WORKSPACE, Fault::answer_with(401, r#"{"code":-1,"msg":"Auth failed [session]"}"#), "token_lost"),
        (WORKSPACE, Fault::answer_with(200, r#"{"code":-1,"msg":"<b>secret</b>"}"#), "kernel_refused"),
        (WORKSPACE, Fault::Hold, "kernel_timeout"),
    ];
    for (path, fault, expected) in cases {
        kernel.fault(path, fault.clone());
        let (code, message) = world.failing().await;
        assert_eq!(code, expected, "{fault:?}: {message}");
        assert!(!message.contains("secret"), "{message}");
        assert!(matches!(world.kernel().check, KernelCheck::Failed { error, .. } if error.code == expected));
        kernel.heal(path);
    }
    world.check().await.unwrap();
}

#[tokio::test]
async fn an_address_that_leads_to_no_kernel_says_how() {
    let world = World::new();
    world.add("auto").await;
    let (kernel, stranger) = (Kernel::start().await, Origin::thief().await);
    let (_held, closed) = silent_port();
    let closed = format!("http://127.0.0.1:{closed}");
    let tls = kernel.address().replace("http:", "https:");
    let stranger = format!("http://{}", stranger.address());
    for (address, expected) in [
        (closed.as_str(), "kernel_unreachable"),
        (tls.as_str(), "kernel_tls"),
        (stranger.as_str(), "not_a_kernel"),
        ("http://kernel.invalid:6806", "kernel_unreachable"),
    ] {
        world.edit(draft(address)).await;
        let (code, message) = world.failing().await;
        assert_eq!(code, expected, "{address}: {message}");
    }
}

#[tokio::test]
async fn a_kernel_behind_a_prefix_is_checked_there() {
    let kernel = Kernel::with(Setup { prefix: "/siyuan".into(), ..locked() }).await;
    let world = World::new();
    world.add(&kernel.address()).await;
    world.set_token(TOKEN).await;
    assert_eq!(world.check().await.unwrap().address, kernel.address());
    world.edit(draft(kernel.address().trim_end_matches("/siyuan"))).await;
    assert_eq!(world.failing().await.0, "not_a_kernel");
}

#[tokio::test]
async fn what_works_and_should_be_known_is_a_warning() {
    let (world, kernel) = World::with_kernel(Setup::default()).await;
    let report = world.check().await.unwrap();
    assert_eq!(report.warnings, [CheckWarning::OldVersion, CheckWarning::OpenToEveryone]);
    kernel.change(|setup| setup.generation = Generation::V3_8_6);
    world.set_token(TOKEN).await;
    assert_eq!(world.check().await.unwrap().warnings, []);
    kernel.change(|setup| setup.read_only = true);
    let report = world.check().await.unwrap();
    assert_eq!((report.workspace, report.warnings), (None, vec![CheckWarning::WorkspaceUnknown]));
}

#[tokio::test]
async fn a_locked_kernel_wants_its_token_although_it_tells_its_workspace() {
    let (world, kernel) = World::with_kernel(locked()).await;
    assert_eq!(world.failing().await.0, "token_needed");
    assert!(!kernel.seen_at(WORKSPACE).is_empty());
}

#[tokio::test]
async fn a_kernel_that_starts_is_waited_for_and_its_progress_seen() {
    let (world, kernel) = World::with_kernel(Setup { boot_progress: 40, ..locked() }).await;
    world.edit(KernelDraft { timeout_seconds: 60, ..draft("auto") }).await;
    world.set_token(TOKEN).await;
    let (checked, ()) = tokio::join!(world.check(), async {
        let booting = CheckStep::Booting { progress: 40 };
        world.until(|check| matches!(check, KernelCheck::Checking { step, .. } if *step == booting)).await;
        kernel.change(|setup| setup.boot_progress = 100);
    });
    checked.unwrap();
}

#[tokio::test]
async fn a_kernel_that_goes_on_starting_is_said_to_and_sent_no_token() {
    let (world, kernel) = World::with_kernel(Setup { boot_progress: 40, ..locked() }).await;
    world.set_token(TOKEN).await;
    let (code, message) = world.failing().await;
    assert_eq!(code, "kernel_booting");
    assert!(message.contains("40 %"), "{message}");
    assert!(kernel.seen().iter().all(|seen| seen.header("authorization").is_none()));
}

#[tokio::test]
async fn another_workspace_at_the_same_address_is_refused_until_the_person_chooses_it() {
    let kernel = Kernel::with(locked()).await;
    let world = World::new();
    world.add(&kernel.address()).await;
    world.set_token(TOKEN).await;
    world.check().await.unwrap();
    kernel.change(|setup| setup.workspace = "/home/me/Other".into());
    let (code, message) = world.failing().await;
    assert_eq!(code, "other_workspace");
    assert!(message.contains("/home/me/Other") && message.contains("/home/me/SiYuan"), "{message}");
    assert_eq!(world.kernel().workspace.as_deref(), Some("/home/me/SiYuan"));
    world.ask(Command::RebindKernel { kernel: id(LOCAL) }).await.unwrap();
    assert_eq!(world.check().await.unwrap().workspace.as_deref(), Some("/home/me/Other"));
}

#[tokio::test]
async fn a_check_is_cancelled_by_the_person_and_by_the_end() {
    let (world, kernel) = World::with_kernel(locked()).await;
    kernel.fault(VERSION, Fault::Hold);
    world
        .edit(KernelDraft {
            timeout_seconds: 600,
            port_file: None,
            pid: Some(std::process::id()),
            ..draft("auto")
        })
        .await;
    let (checked, ()) = tokio::join!(world.check(), async {
        kernel.arrived(VERSION).await;
        let again = world.check().await.unwrap_err();
        assert_eq!(again.code, "check_running");
        world.ask(Command::CancelKernelCheck { kernel: id(LOCAL) }).await.unwrap();
    });
    assert_eq!(checked.unwrap_err().code, "cancelled");
    assert_eq!(world.kernel().check, KernelCheck::NotChecked);
    tokio::time::timeout(DEADLINE, kernel.all_closed()).await.unwrap();

    let waiting = world.core.handle().send(Command::CheckKernel { kernel: id(LOCAL) });
    world.until(|check| matches!(check, KernelCheck::Checking { .. })).await;
    tokio::time::timeout(DEADLINE, world.core.close()).await.expect("it ends without the kernel");
    waiting.answer().await.unwrap_err();
}

#[tokio::test]
async fn a_change_of_the_kernel_ends_the_check_of_what_it_was() {
    let (world, kernel) = World::with_kernel(locked()).await;
    kernel.fault(VERSION, Fault::Hold);
    let bound = KernelDraft { timeout_seconds: 600, pid: Some(std::process::id()), ..draft("auto") };
    world.edit(bound.clone()).await;
    let (checked, ()) = tokio::join!(world.check(), async {
        kernel.arrived(VERSION).await;
        world.edit(bound).await;
    });
    assert_eq!(checked.unwrap_err().code, "cancelled");
    assert_eq!(world.kernel().check, KernelCheck::NotChecked);
}
