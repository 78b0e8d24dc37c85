//! No secret gets out, by whatever way: neither the key that a request came with nor what is configured.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use notegate::core::Command;
use notegate::secrets::Secret;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::world::{World, initialize};

/// Ways of writing a secret that a client could ask to have sent back.
fn written(secret: &str) -> Vec<String> {
    let percent = secret.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let escaped = json!(json!(secret).to_string()).to_string();
    vec![
        secret.to_owned(),
        percent,
        escaped,
        STANDARD.encode(format!("x{secret}")),
        hex::encode_upper(secret),
    ]
}

fn read(note: &str) -> Value {
    json!({"name": "obsidian_read_note", "arguments": {"path": note}})
}

async fn text_of(request: RequestBuilder) -> String {
    request.send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn the_key_of_a_request_is_in_no_answer_to_it() {
    let world = World::new().await;
    let session = world.session().await;
    for hidden in written(&world.key) {
        let answers = [
            text_of(world.legacy(Some(&session), "tools/call", read(&hidden))).await,
            text_of(world.modern("tools/call", read(&hidden))).await,
            text_of(world.legacy(None, "tools/call", read(&hidden)).header("accept", "application/json"))
                .await,
            text_of(world.legacy(None, "tools/call", json!({"name": hidden}))).await,
            text_of(world.legacy(None, &hidden, json!({}))).await,
            text_of(
                world
                    .http
                    .post(world.url("/tools/obsidian_read_note"))
                    .bearer_auth(&world.key)
                    .json(&json!({"path": hidden})),
            )
            .await,
            text_of(
                world
                    .http
                    .post(world.url("/tools/obsidian_read_note"))
                    .bearer_auth(&world.key)
                    .json(&json!({hidden.as_str(): 1})),
            )
            .await,
        ];
        for (index, answer) in answers.iter().enumerate() {
            let told = answer.contains(&hidden) || answer.contains(&world.key);
            assert!(!told, "{index}: {hidden} in {answer}");
        }
        assert!(answers[0].contains("[redacted]") && answers[5].contains("[redacted]"), "{answers:?}");
    }
    world.goes_on().await;
    world.end().await;
}

#[tokio::test]
async fn what_is_configured_is_in_no_answer_no_file_and_no_snapshot() {
    let world = World::new().await;
    let token = "kernel/token+27277";
    world.handle().filters().set("kernel local", Secret::from_text(token));
    let mut introduced = initialize("2025-11-25");
    introduced["clientInfo"]["name"] = format!("client {token}").into();
    let greeting = text_of(world.legacy(None, "initialize", introduced)).await;
    assert!(!greeting.contains(token), "{greeting}");
    for hidden in written(token) {
        for answer in [
            text_of(world.legacy(None, "tools/call", read(&hidden))).await,
            text_of(world.http.get(world.url("/nothing")).bearer_auth(&hidden)).await,
            text_of(
                world
                    .http
                    .post(world.url("/control"))
                    .bearer_auth(world.control.reveal())
                    .json(&json!({"command": "call-tool", "tool": hidden})),
            )
            .await,
            text_of(
                world
                    .http
                    .post(world.url("/control"))
                    .bearer_auth(world.control.reveal())
                    .json(&json!({"command": hidden})),
            )
            .await,
        ] {
            assert!(!answer.contains(&hidden) && !answer.contains(token), "{hidden} in {answer}");
        }
        let failed = world.handle().request(Command::TestObsidian { vault_path: format!("/{hidden}") }).await;
        assert!(failed.is_err());
        let shown = serde_json::to_string(&*world.handle().snapshot()).unwrap();
        assert!(!shown.contains(&hidden) && !shown.contains(token), "{hidden} in {shown}");
    }
    assert_eq!(world.handle().snapshot().sessions[0].client.as_ref().unwrap().name, "client [redacted]");
    assert_eq!(files_with(&world.handle().snapshot().home, token), [] as [String; 0]);
    world.end().await;
}

#[tokio::test]
async fn a_key_that_is_shown_once_is_still_shown() {
    let world = World::new().await;
    let added = world
        .http
        .post(world.url("/control"))
        .bearer_auth(world.control.reveal())
        .json(&json!({"command": "add-runtime", "kind": "codex"}))
        .send()
        .await
        .unwrap();
    let added: Value = added.json().await.unwrap();
    assert!(added["key"].as_str().is_some_and(|key| key.starts_with("ng_")), "{added}");
    world.end().await;
}

fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let files =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let holds = |path: &std::path::PathBuf| {
        fs::read(path).unwrap().windows(text.len()).any(|part| part == text.as_bytes())
    };
    files.filter(holds).map(|path| path.display().to_string()).collect()
}
