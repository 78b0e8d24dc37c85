//! Which kernel a check finds: by the port file alone, one process and no other.

use notegate::core::{Command, KernelDraft, Permission};

use super::world::{LOCAL, World, draft, id, silent_port};
use crate::kernel::origin::Origin;
use crate::kernel::other_process::OtherProcess;
use crate::kernel::{Kernel, Setup, write_port_file};

/// No process has it: the highest that Linux ever gives away lies below.
const NOBODY: u32 = i32::MAX as u32;

#[tokio::test]
async fn the_first_check_binds_the_only_kernel_that_runs() {
    let (world, kernel) = World::with_kernel(Setup::default()).await;
    let report = world.check().await.unwrap();
    assert_eq!(report.pid, Some(std::process::id()));
    assert_eq!(report.address, kernel.address());
    assert_eq!(report.workspace.as_deref(), Some("/home/me/SiYuan"));
    let seen = world.kernel();
    assert_eq!((seen.pid, seen.workspace), (report.pid, report.workspace));
    let world = world.restart().await;
    assert_eq!(world.kernel().pid, Some(std::process::id()), "the binding is saved");
}

#[tokio::test]
async fn the_first_binding_drops_permissions_that_an_unbound_kernel_had() {
    let (world, _kernel) = World::with_kernel(Setup::default()).await;
    let file = world.folder.path().join("settings.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let world = {
        // As a file of old may have it: no command grants anything on an unbound kernel.
        let granted =
            text.replace(r#""permissions": {}"#, r#""permissions": {"connection status": "allow"}"#);
        assert_ne!(granted, text);
        std::fs::write(&file, granted).unwrap();
        world.restart().await
    };
    assert_eq!(world.kernel().permissions.len(), 1);
    world.check().await.unwrap();
    assert!(world.kernel().permissions.is_empty());
}

#[tokio::test]
async fn a_permission_on_an_unbound_kernel_binds_it_first_and_stays() {
    let (world, _kernel) = World::with_kernel(Setup::default()).await;
    world.permit("connection status", Permission::Allow).await.unwrap();
    assert_eq!(world.kernel().pid, Some(std::process::id()));
    world.check().await.unwrap();
    assert_eq!(world.kernel().permissions["connection status"], Permission::Allow);
}

#[tokio::test]
async fn stale_entries_are_no_kernels_and_are_sent_nothing() {
    let world = World::new();
    world.add("auto").await;
    assert_eq!(world.failing().await.0, "kernel_not_running", "no port file");
    let (kernel, stranger) = (Kernel::start().await, Origin::thief().await);
    let (_held, closed) = silent_port();
    // A process that is gone; one that lives and does not hold the port; what listens there is no kernel.
    for (pid, port) in [(NOBODY, kernel.port()), (1, kernel.port()), (std::process::id(), closed)] {
        std::fs::remove_file(world.port_file()).ok();
        write_port_file(&world.port_file(), pid, port);
        assert_eq!(world.failing().await.0, "kernel_not_running", "{pid} {port}");
    }
    assert!(kernel.seen().is_empty(), "a port is asked only for the process that holds it");
    write_port_file(&world.port_file(), std::process::id(), stranger.address().port());
    assert_eq!(world.failing().await.0, "kernel_not_running");

    // The entry of the one that runs is enough, whatever stands beside it.
    write_port_file(&world.port_file(), std::process::id(), kernel.port());
    world.check().await.unwrap();
    assert_eq!(world.kernel().pid, Some(std::process::id()));
}

#[tokio::test]
async fn a_port_file_that_stays_broken_is_named() {
    let world = World::new();
    world.add("auto").await;
    std::fs::write(world.port_file(), r#"{"123": "#).unwrap();
    let (code, message) = world.failing().await;
    assert_eq!(code, "port_file");
    assert!(message.contains("port.json") && message.contains("give the kernel's address"), "{message}");
}

#[tokio::test]
async fn several_kernels_are_named_and_none_is_chosen_by_itself() {
    let (world, _kernel) = World::with_kernel(Setup::default()).await;
    let other = OtherProcess::start();
    write_port_file(&world.port_file(), other.pid(), other.port);
    let (code, message) = world.failing().await;
    assert_eq!(code, "several_kernels");
    for pid in [std::process::id(), other.pid()] {
        assert!(message.contains(&format!("process {pid} ")), "{message}");
    }
    assert_eq!(world.kernel().pid, None);
    let error = world.permit("connection status", Permission::Allow).await.unwrap_err();
    assert_eq!(error.code, "several_kernels");

    world.edit(KernelDraft { pid: Some(other.pid()), ..draft("auto") }).await;
    let report = world.check().await.unwrap();
    assert_eq!((report.pid, report.address), (Some(other.pid()), format!("http://127.0.0.1:{}", other.port)));
}

#[tokio::test]
async fn a_bound_kernel_that_is_gone_is_not_replaced_by_another_one() {
    let world = World::new();
    world.add("auto").await;
    let other = OtherProcess::start();
    write_port_file(&world.port_file(), other.pid(), other.port);
    world.check().await.unwrap();
    let bound = world.kernel().pid;
    drop(other);

    assert_eq!(world.failing().await.0, "kernel_gone");
    let kernel = Kernel::start().await;
    kernel.write_port_file(&world.port_file(), std::process::id());
    let (code, message) = world.failing().await;
    assert_eq!(code, "kernel_gone");
    assert!(
        message.contains(&format!("process {} ", std::process::id())),
        "what there is to choose: {message}"
    );
    assert_eq!(world.kernel().pid, bound);

    world.ask(Command::RebindKernel { kernel: id(LOCAL) }).await.unwrap();
    world.check().await.unwrap();
    assert_eq!(world.kernel().pid, Some(std::process::id()));
}

/// A SiYuan that is started anew is another process on another port, each day.
#[tokio::test]
async fn a_restarted_siyuan_keeps_what_is_permitted_where_the_same_workspace_answers() {
    let world = World::new();
    let gone = OtherProcess::start();
    let kernel = Kernel::start().await;
    world.add("auto").await;
    kernel.write_port_file(&world.port_file(), std::process::id());
    let resume = async |pid| world.ask(Command::ResumeKernel { kernel: id(LOCAL), pid }).await;
    assert_eq!(resume(None).await.unwrap_err().code, "kernel_not_bound");

    write_port_file(&world.port_file(), gone.pid(), gone.port);
    world.edit(KernelDraft { pid: Some(gone.pid()), ..draft("auto") }).await;
    world.check().await.unwrap();
    world.permit("connection status", Permission::Allow).await.unwrap();
    let before = world.kernel();
    drop(gone);
    std::fs::remove_file(world.port_file()).unwrap();
    assert_eq!(world.failing().await.0, "kernel_gone");
    assert_eq!(resume(None).await.unwrap_err().code, "kernel_gone", "none runs");

    kernel.write_port_file(&world.port_file(), std::process::id());
    kernel.change(|setup| setup.workspace = "/home/me/Other".into());
    world.set_token("sesame").await;
    assert_eq!(resume(None).await.unwrap_err().code, "other_workspace");
    let tokens = || kernel.seen().iter().filter(|seen| seen.header("authorization").is_some()).count();
    assert_eq!(tokens(), 0, "the token goes to none that serves another workspace");
    world.ask(Command::ClearToken { kernel: id(LOCAL) }).await.unwrap();
    assert_eq!(resume(Some(1)).await.unwrap_err().code, "kernel_gone", "no such kernel runs");
    assert_eq!((world.kernel().pid, &world.kernel().permissions), (before.pid, &before.permissions));

    kernel.change(|setup| setup.workspace = "/home/me/SiYuan".into());
    resume(None).await.unwrap();
    let after = world.kernel();
    assert_eq!((after.pid, after.workspace), (Some(std::process::id()), before.workspace));
    assert_eq!(after.permissions, before.permissions);
    world.check().await.unwrap();
}

#[tokio::test]
async fn an_address_whose_port_is_another_processs_is_sent_nothing() {
    let kernel = Kernel::start().await;
    let world = World::new();
    world.add_with(KernelDraft { pid: Some(1), ..draft(&kernel.address()) }).await;
    world.set_token("sesame").await;
    assert_eq!(world.failing().await.0, "port_of_another");
    assert!(kernel.seen().is_empty());
    world.edit(KernelDraft { pid: Some(std::process::id()), ..draft(&kernel.address()) }).await;
    assert_eq!(world.failing().await.0, "token_refused", "that one is asked");
}

#[tokio::test]
async fn a_kernel_can_have_a_port_file_of_its_own() {
    let (world, kernel) = (World::new(), Kernel::start().await);
    let file = world.folder.path().join("elsewhere").join("ports");
    kernel.write_port_file(&file, std::process::id());
    let port_file = Some(file.to_str().unwrap().to_owned());
    world.add_with(KernelDraft { port_file, ..draft("auto") }).await;
    assert_eq!(world.check().await.unwrap().address, kernel.address());
}
