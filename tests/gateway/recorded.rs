//! Every call is recorded before it is made and when it has ended, whichever way it came and went.

use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use notegate::core::{
    Capability, Command, Core, Decision, Handle, Home, Outcome, Query, Record, Reply, RuntimeKind,
    StartOptions, WorkMode,
};
use notegate::gateway::{Gateway, GatewayOptions};
use notegate::obsidian::{Environment, Platform, UpstreamConfig};
use notegate::secrets::{Purpose, Secret};
use serde_json::{Value, json};

use crate::world::{DEADLINE, World, add_runtime, answer, until};

/// In place of MCPVault: notes down that a call has come, and answers it unless its note is called `slow`.
const NOTES_DOWN: &str = r#"
const fs = require('fs');
let rest = '';
const answer = (id, result) => process.stdout.write(JSON.stringify({jsonrpc: '2.0', id, result}) + '\n');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const {id, method, params} of lines.map((line) => JSON.parse(line))) {
    if (method === 'initialize') {
      answer(id, {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 's', version: '1'}});
    } else if (method === 'tools/call') {
      fs.writeFileSync('arrived', '');
      if (params.arguments.path !== 'slow.md') answer(id, {content: [{type: 'text', text: 'done'}]});
    }
  }
});
process.stdin.on('end', () => process.exit());
"#;

/// An instance whose engine tells when a call has come to it.
struct Noting {
    core: Core,
    gateway: Gateway,
    key: String,
    http: reqwest::Client,
    folder: tempfile::TempDir,
}

impl Noting {
    async fn new() -> Self {
        Self::with(json!({}), |_| {}).await
    }

    /// With limits of its own, on a home in which something is there already.
    async fn with(limits: Value, prepare: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (root, vault) = (folder.path().join("home"), folder.path().join("vault"));
        let package = folder.path().join("node_modules/@bitbonsai/mcpvault");
        for folder in [&root, &vault, &package.join("dist")] {
            fs::create_dir_all(folder).unwrap();
        }
        let manifest = json!({"name": "@bitbonsai/mcpvault", "version": "0.16.0"});
        fs::write(package.join("package.json"), manifest.to_string()).unwrap();
        fs::write(package.join("dist/server.js"), NOTES_DOWN).unwrap();
        for note in ["quick.md", "slow.md"] {
            fs::write(vault.join(note), "text").unwrap();
        }
        let settings = json!({"gateway": {"limits": limits}, "obsidian": {"enabled": true, "vaultPath": vault, "engine": "upstream"}});
        let home = Home::at(&root).unwrap();
        fs::write(home.settings_file(), settings.to_string()).unwrap();
        prepare(&root);

        let path = std::env::var_os("PATH");
        let mut options = StartOptions::new(home);
        options.environment =
            Environment::new(Platform::Linux, folder.path()).with("PATH", path.clone().unwrap_or_default());
        options.upstream = UpstreamConfig {
            search_path: path,
            package: Some(folder.path().to_owned()),
            ..UpstreamConfig::default()
        };
        let core = Core::start(options).unwrap();
        let key = add_runtime(core.handle(), RuntimeKind::Custom, WorkMode::Execute, true).await;
        let control = Secret::generate(Purpose::Control).unwrap();
        let gateway =
            Gateway::start(core.handle().clone(), GatewayOptions { port: 0, control }).await.unwrap();
        let _ = rustls::crypto::ring::default_provider().install_default(); // reqwest wants one
        let http = reqwest::Client::builder().no_proxy().timeout(DEADLINE).build().unwrap();
        Self { core, gateway, key, http, folder }
    }

    /// Calls a tool, as a client that goes away when the task is aborted.
    fn call(&self, tool: &str, note: &str) -> tokio::task::JoinHandle<Value> {
        let mut arguments = json!({"path": note});
        if tool == "obsidian_write_note" {
            arguments["content"] = "the text of a note".into();
        }
        let url = format!("http://{}/tools/{tool}", self.gateway.address());
        let request = self.http.post(url).bearer_auth(&self.key).json(&arguments);
        tokio::spawn(async move { request.send().await.unwrap().json().await.unwrap() })
    }

    fn handle(&self) -> &Handle {
        self.core.handle()
    }

    fn arrived(&self) -> PathBuf {
        self.folder.path().join("vault/arrived")
    }

    async fn end(self) {
        self.gateway.stop_accepting();
        self.core.end_calls().await;
        self.gateway.finish().await;
        self.core.close().await;
    }
}

async fn records(handle: &Handle) -> Vec<Record> {
    match handle.request(Command::Activity { query: Query::default() }).await.unwrap() {
        Reply::Activity { page } => page.records,
        other => panic!("{other:?}"),
    }
}

/// The newest record, once `fits` holds for it.
async fn newest(handle: &Handle, fits: impl Fn(&Record) -> bool) -> Record {
    let end = Instant::now() + DEADLINE;
    loop {
        let records = records(handle).await;
        if let Some(record) = records.first().filter(|record| fits(record)) {
            return record.clone();
        }
        assert!(Instant::now() < end, "{records:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn ended(handle: &Handle) -> (Outcome, Option<String>) {
    let record = newest(handle, |record| record.outcome != Outcome::Running).await;
    (record.outcome, record.code)
}

fn call(tool: &str, arguments: Value) -> Value {
    json!({"name": tool, "arguments": arguments})
}

#[tokio::test]
async fn each_way_of_calling_is_recorded_with_runtime_and_session() {
    let world = World::new().await;
    let session = world.session().await;
    let read = call("obsidian_read_note", json!({"path": "quick.md"}));
    answer(world.legacy(Some(&session), "tools/call", read.clone()).send().await.unwrap()).await;
    answer(world.modern("tools/call", read.clone()).send().await.unwrap()).await;
    let direct = world.http.post(world.url("/tools/obsidian_read_note")).bearer_auth(&world.key);
    let direct = direct.header("notegate-session", "a talk").json(&json!({"path": "quick.md"}));
    assert_eq!(direct.send().await.unwrap().status(), 200);
    let arguments = read["arguments"].as_object().unwrap().clone();
    let tool = "obsidian_read_note".to_owned();
    world.command(Command::CallTool { tool, arguments, mode: WorkMode::Ask }).await;

    let records = records(world.handle()).await;
    let labels: Vec<_> =
        records.iter().map(|record| (record.runtime.as_str(), record.session.as_deref())).collect();
    assert_eq!(
        labels,
        [("command-line", None), ("custom", Some("a talk")), ("custom", None), ("custom", Some(&*session))]
    );
    for record in &records {
        assert_eq!((record.outcome, record.decision), (Outcome::Succeeded, Decision::Direct));
        assert_eq!((record.tool.as_str(), record.objects[0].id.as_str()), ("obsidian_read_note", "quick.md"));
        assert!(record.duration.is_some() && record.code.is_none() && !record.writes);
    }
    assert_eq!(world.handle().snapshot().activity.problem, None);
    world.end().await;
}

#[tokio::test]
async fn what_is_refused_is_recorded_with_what_refused_it() {
    let world = World::new().await;
    let asking = world.add(RuntimeKind::Codex, WorkMode::Ask, true).await;
    let unassigned = world.add(RuntimeKind::Cursor, WorkMode::Execute, false).await;
    let ask = async |key: &str, call: Value| {
        answer(world.legacy_as(key, None, "tools/call", call).send().await.unwrap()).await
    };
    let read = call("obsidian_read_note", json!({"path": "a.md"}));
    ask(&asking, call("obsidian_write_note", json!({"path": "a.md", "content": "x"}))).await;
    ask(&unassigned, read.clone()).await;
    ask(&world.key, call("obsidian_read_note", json!({"file": "a.md"}))).await;
    ask(&world.key, call("fly", json!({"path": "a.md"}))).await;
    world.switch(false).await;
    ask(&world.key, read).await;
    let records = records(world.handle()).await;
    let seen: Vec<_> = records
        .iter()
        .rev()
        .map(|record| (record.outcome, record.decision, record.code.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(
        seen,
        [
            (Outcome::Refused, Decision::Mode, "read_only_mode"),
            (Outcome::Refused, Decision::Configuration, "not_assigned"),
            (Outcome::Refused, Decision::Direct, "invalid_arguments"),
            (Outcome::Refused, Decision::Direct, "unknown_tool"),
            (Outcome::Refused, Decision::Configuration, "switched_off"),
        ]
    );
    assert_eq!(records[1].objects, [], "what a tool that we do not know is given is not recorded");
    world.end().await;
}

/// Ends a slow call when it has come to the engine, and says what is recorded of it.
async fn cut_short<F: Future<Output = ()>>(
    tool: &str,
    end: impl FnOnce(&Noting) -> F,
) -> (Outcome, Option<String>) {
    let noting = Noting::new().await;
    let running = noting.call(tool, "slow.md");
    until("the call has not come to the engine", || noting.arrived().exists()).await;
    let ending = end(&noting);
    ending.await;
    running.abort(); // its client goes away, if it is still there
    let recorded = ended(noting.handle()).await;
    noting.end().await;
    recorded
}

#[tokio::test]
async fn a_call_that_is_cut_short_is_uncertain_if_it_may_have_written() {
    for (tool, outcome) in
        [("obsidian_write_note", Outcome::Uncertain), ("obsidian_read_note", Outcome::Cancelled)]
    {
        let left = cut_short(tool, |_| async {}).await;
        assert_eq!(left, (outcome, Some("cancelled".into())), "{tool}");
        let revoked = cut_short(tool, |noting| {
            let switch = Command::SetEnabled { capability: Capability::Obsidian, enabled: true };
            let waiting = noting.handle().send(switch);
            async { assert!(waiting.answer().await.is_ok()) }
        });
        assert_eq!(revoked.await, (outcome, Some("revoked".into())), "{tool}");
    }
}

#[tokio::test]
async fn a_write_that_waited_for_its_turn_and_was_cancelled_did_nothing() {
    let noting = Noting::new().await;
    let first = noting.call("obsidian_write_note", "slow.md");
    until("the call has not come to the engine", || noting.arrived().exists()).await;
    let second = noting.call("obsidian_write_note", "slow.md");
    let number = newest(noting.handle(), |record| record.number == 2).await.number;
    second.abort();
    assert_eq!(ended(noting.handle()).await, (Outcome::Cancelled, Some("cancelled".into())), "{number}");
    first.abort();
    noting.end().await;
}

#[tokio::test]
async fn a_write_that_takes_too_long_is_uncertain() {
    let noting = Noting::with(json!({"callSeconds": 2}), |_| {}).await;
    let reply = noting.call("obsidian_write_note", "slow.md").await.unwrap();
    assert_eq!(reply["structuredContent"]["code"], "timeout", "{reply}");
    assert_eq!(ended(noting.handle()).await, (Outcome::Uncertain, Some("timeout".into())));
    noting.end().await;
}

#[tokio::test]
async fn what_cannot_be_recorded_is_not_done() {
    let damaged = "no database ".repeat(200);
    let prepare = |home: &Path| fs::write(home.join("activity.sqlite"), &damaged).unwrap();
    let noting = Noting::with(json!({}), prepare).await;
    let log = noting.handle().snapshot().home.join("activity.sqlite");
    let reply = noting.call("obsidian_read_note", "quick.md").await.unwrap();
    let error = &reply["structuredContent"];
    assert_eq!(error["code"], "not_recorded", "{reply}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("activity.sqlite") && message.contains("Move it away"), "{message}");
    assert!(!noting.arrived().exists(), "nothing was sent");
    assert_eq!(fs::read_to_string(&log).unwrap(), damaged, "it was left alone");
    let shown = || noting.handle().snapshot().activity.problem.is_some();
    until("the person does not see it", shown).await;

    fs::remove_file(&log).unwrap();
    let reply = noting.call("obsidian_read_note", "quick.md").await.unwrap();
    assert_eq!(reply["isError"], false, "{reply}");
    assert_eq!(ended(noting.handle()).await, (Outcome::Succeeded, None));
    until("the problem stays", || !shown()).await;
    noting.end().await;
}
