//! Which kernel a call goes to: the one that it names, the session's choice, the default, and no other.

use notegate::access::SessionLabel;
use notegate::core::{Command, Reply};
use serde_json::{Value, json};

use super::world::{World, patient};
use super::{code, good, structured};
use crate::kernel::Kernel;
use crate::kernels::world::{LOCAL, id};

const LIST: &str = "http POST /api/notebook/lsNotebooks";

async fn with_three() -> (World, [Kernel; 2]) {
    let world = World::new().await;
    let others = [Kernel::start().await, Kernel::start().await];
    for (name, kernel) in ["named", "chosen"].into_iter().zip(&others) {
        let draft = patient(&kernel.address());
        world.kernels.ask(Command::AddKernel { kernel: Some(id(name)), draft }).await.unwrap();
        let permissions = [(LIST.to_owned(), notegate::core::Permission::Allow)].into();
        world.kernels.ask(Command::SetPermissions { kernel: id(name), permissions }).await.unwrap();
    }
    (world, others)
}

async fn answered_by(world: &World, session: Option<&str>, arguments: Value) -> String {
    let answer = world.call_as(&world.key, session, "siyuan_query", arguments).await;
    good(answer)["kernelId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_argument_comes_before_the_sessions_choice_and_that_before_the_default() {
    let (world, _others) = with_three().await;
    let list = json!({"action": "notebooks"});
    let named = json!({"action": "notebooks", "kernelId": "named"});
    let session = Some("chat 5");
    assert_eq!(answered_by(&world, session, list.clone()).await, LOCAL);
    let choose = |kernel| Command::ChooseKernel { session: SessionLabel("chat 5".into()), kernel };
    assert_eq!(world.kernels.ask(choose(Some(id("chosen")))).await.unwrap(), Reply::Done);
    assert_eq!(answered_by(&world, session, list.clone()).await, "chosen");
    assert_eq!(answered_by(&world, session, named).await, "named");
    assert_eq!(answered_by(&world, Some("chat 6"), list.clone()).await, LOCAL, "another session");
    world.kernels.ask(choose(None)).await.unwrap();
    assert_eq!(answered_by(&world, session, list).await, LOCAL);
}

#[tokio::test]
async fn without_a_target_the_call_is_refused_and_the_kernels_are_listed() {
    let (world, others) = with_three().await;
    world.kernels.ask(Command::SetDefaultKernel { kernel: None }).await.unwrap();
    let answer = world.call("siyuan_query", json!({"action": "notebooks"})).await;
    assert_eq!(code(&answer), "no_kernel");
    assert_eq!(structured(&answer)["kernels"], json!([LOCAL, "named", "chosen"]));
    let unknown = world.call("siyuan_query", json!({"action": "notebooks", "kernelId": "other"})).await;
    assert_eq!(code(&unknown), "unknown_kernel");
    for kernel in others.iter().chain([&world.kernel]) {
        assert!(kernel.seen().is_empty());
    }
}

#[tokio::test]
async fn a_target_that_is_disabled_or_gone_is_refused_and_no_other_is_picked() {
    let (world, others) = with_three().await;
    let named = json!({"action": "notebooks", "kernelId": "named"});
    let disable = Command::SetKernelDisabled { kernel: id("named"), disabled: true };
    world.kernels.ask(disable).await.unwrap();
    assert_eq!(code(&world.call("siyuan_query", named.clone()).await), "kernel_disabled");
    let session = Some("chat 5");
    good(world.call_as(&world.key, session, "siyuan_query", json!({"action": "notebooks"})).await);
    let choose = Command::ChooseKernel { session: SessionLabel("chat 5".into()), kernel: Some(id("chosen")) };
    world.kernels.ask(choose).await.unwrap();
    world.kernels.ask(Command::RemoveKernel { kernel: id("chosen"), keep_token: false }).await.unwrap();
    let gone = world.call_as(&world.key, session, "siyuan_query", json!({"action": "notebooks"})).await;
    assert_eq!(code(&gone), "unknown_kernel");
    for kernel in &others {
        assert!(kernel.seen().is_empty());
    }
}

#[tokio::test]
async fn a_sessions_choice_outlives_a_restart() {
    let (world, _others) = with_three().await;
    good(world.call_as(&world.key, Some("chat 5"), "siyuan_query", json!({"action": "notebooks"})).await);
    let choose = Command::ChooseKernel { session: SessionLabel("chat 5".into()), kernel: Some(id("chosen")) };
    world.kernels.ask(choose).await.unwrap();
    let World { kernels, gateway, .. } = world;
    gateway.stop_accepting();
    gateway.finish().await;
    let kernels = kernels.restart().await;
    let target = kernels.service().kernels.target(None, Some("chat 5")).unwrap();
    assert_eq!(target, id("chosen"));
}
