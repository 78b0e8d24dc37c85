//! The control API: our own command line and nobody else.

use notegate::core::{Command, CommandError, GatewayState, Reply};
use serde_json::{Value, json};

use crate::world::World;

async fn control(world: &World, key: &str, body: String) -> (u16, Value) {
    let request = world.http.post(world.url("/control")).bearer_auth(key).body(body);
    let response = request.send().await.unwrap();
    let (status, text) = (response.status().as_u16(), response.text().await.unwrap());
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

#[tokio::test]
async fn commands_go_in_and_replies_come_out_as_the_core_has_them() {
    let world = World::new().await;
    let token = world.control.reveal();
    let (status, reply) = control(&world, token, serde_json::to_string(&Command::Status).unwrap()).await;
    assert_eq!(status, 200);
    let Reply::Status { snapshot } = serde_json::from_value(reply).unwrap() else { panic!("no status") };
    assert!(
        matches!(snapshot.gateway, GatewayState::Listening { url, .. } if url == world.gateway.mcp_url())
    );

    let (status, reply) =
        control(&world, token, json!({"command": "remove-runtime", "runtime": "x"}).to_string()).await;
    let error: CommandError = serde_json::from_value(reply).unwrap();
    assert_eq!((status, error.code.as_str()), (400, "unknown_runtime"));

    for body in ["{}", "{", r#"{"command":"eat"}"#, r#"{"command":"save-scope","vaultPath":"","more":1}"#] {
        let (status, reply) = control(&world, token, body.into()).await;
        assert_eq!((status, &reply["code"]), (400, &json!("invalid_command")), "{body}");
    }
}

#[tokio::test]
async fn keys_and_the_control_token_do_not_open_each_others_doors() {
    let world = World::new().await;
    let status = serde_json::to_string(&Command::Status).unwrap();
    let issue = json!({"command": "issue-grant", "runtime": "custom", "lifetimeSeconds": 60}).to_string();
    let (_, issued) = control(&world, world.control.reveal(), issue).await;
    let one_off = issued["token"].as_str().unwrap().to_owned();
    for key in [&world.key, &one_off] {
        assert_eq!(control(&world, key, status.clone()).await.0, 401);
    }
    let listed =
        world.http.get(world.url("/tools")).bearer_auth(world.control.reveal()).send().await.unwrap();
    assert_eq!(listed.status(), 401);

    let listed = world.http.get(world.url("/tools")).bearer_auth(&one_off).send().await.unwrap();
    assert_eq!(listed.status(), 200, "a one-off token is a grant");
    world.switch(true).await;
    let dead = world.http.get(world.url("/tools")).bearer_auth(&one_off).send().await.unwrap();
    assert_eq!(dead.status(), 401, "and stays dead once it was revoked");
    assert!(dead.text().await.unwrap().contains("switched on or off"));
}
