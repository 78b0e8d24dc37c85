//! What a kernel offers beyond its contract: declared by hand, found by a click; neither permits anything.

use notegate::core::{Command, KernelDraft, KernelView, Permission, Reply};

use super::world::{LOCAL, World, id};
use crate::kernel::mcp_names::TOOLS;
use crate::kernel::{Kernel, Setup};

const MINE: &str = "plugin my-plugin example.echo";

fn declare(endpoint: &str, note: &str) -> Command {
    Command::DeclareEndpoint { kernel: id(LOCAL), endpoint: endpoint.into(), note: note.into() }
}

fn named(kernel: &KernelView) -> Vec<&str> {
    kernel.discovered.iter().map(|tool| tool.name.as_str()).collect()
}

#[tokio::test]
async fn what_is_declared_is_kept_with_its_note_and_permits_nothing() {
    let (world, kernel) = World::with_kernel(Setup::default()).await;
    world.ask(declare(MINE, " says hello ")).await.unwrap();
    world.ask(declare(MINE, "says hello twice")).await.unwrap();
    let view = world.kernel();
    assert_eq!(view.declared.len(), 1);
    assert_eq!(
        (view.declared[0].endpoint.as_str(), view.declared[0].note.as_str()),
        (MINE, "says hello twice")
    );
    assert!(view.permissions.is_empty());
    assert!(kernel.seen().is_empty(), "nobody is asked for what a person says");

    world.permit(MINE, Permission::Allow).await.unwrap();
    let world = world.restart().await;
    assert_eq!(world.kernel().declared.len(), 1, "it outlives the program");
    world.ask(Command::ForgetEndpoint { kernel: id(LOCAL), endpoint: MINE.into() }).await.unwrap();
    let view = world.kernel();
    assert!(view.declared.is_empty() && view.permissions.is_empty(), "its permission went with it");
    let again = Command::ForgetEndpoint { kernel: id(LOCAL), endpoint: MINE.into() };
    assert_eq!(world.ask(again).await.unwrap_err().code, "not_declared");
}

#[tokio::test]
async fn what_is_known_closed_or_no_endpoint_is_not_declared() {
    let (world, _kernel) = World::with_kernel(Setup::default()).await;
    for (endpoint, why) in [
        ("http POST /api/block/updateBlock", "stands in the contract already"),
        ("http POST /api/network/forwardProxy", "is closed"),
        ("anything", "is no endpoint key"),
        ("http POST /api/x/../y", "/api/x"),
    ] {
        let error = world.ask(declare(endpoint, "")).await.unwrap_err();
        assert!(error.code == "invalid" && error.message.contains(why), "{endpoint}: {error}");
    }
    assert!(world.kernel().declared.is_empty());
}

#[tokio::test]
async fn a_permission_for_what_is_no_endpoint_is_not_given() {
    let (world, _kernel) = World::with_kernel(Setup::default()).await;
    for key in ["http POST /api/x/../y", "http post /api/block/updateBlock", "everything"] {
        let error = world.permit(key, Permission::Allow).await.unwrap_err();
        assert_eq!(error.code, "invalid", "{key}: {error}");
    }
    assert!(world.kernel().permissions.is_empty());
}

#[tokio::test]
async fn tools_are_found_by_asking_and_forgotten_with_the_server() {
    let (world, _kernel) = World::with_kernel(Setup::default()).await;
    assert!(world.kernel().discovered.is_empty(), "nobody was asked yet");
    let Reply::ToolsDiscovered { tools } =
        world.ask(Command::DiscoverTools { kernel: id(LOCAL) }).await.unwrap()
    else {
        panic!("something else was answered")
    };
    assert_eq!(tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), TOOLS);
    let view = world.kernel();
    assert_eq!(named(&view), TOOLS);
    assert!(view.permissions.is_empty());

    let other = Kernel::start().await;
    let address = other.address().parse().unwrap();
    let draft =
        KernelDraft { name: "Other".into(), address, timeout_seconds: 60, port_file: None, pid: None };
    world.edit(draft).await;
    assert!(world.kernel().discovered.is_empty(), "another server has tools of its own");
}

#[tokio::test]
async fn a_kernel_that_cannot_be_reached_keeps_what_was_found_before() {
    let (world, kernel) = World::with_kernel(Setup::default()).await;
    world.ask(Command::DiscoverTools { kernel: id(LOCAL) }).await.unwrap();
    kernel.stop().await;
    assert!(world.ask(Command::DiscoverTools { kernel: id(LOCAL) }).await.is_err());
    assert_eq!(named(&world.kernel()), TOOLS);
}
