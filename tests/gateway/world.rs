//! A running instance for one test, and a client that speaks to it in both eras.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use notegate::core::{
    ApprovalPolicy, Capability, Command, Core, Handle, Home, Reply, RuntimeId, RuntimeKind, StartOptions,
    WorkMode,
};
use notegate::gateway::{Gateway, GatewayOptions};
use notegate::obsidian::{Environment, Platform, UpstreamConfig};
use notegate::secrets::{Purpose, Secret};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

/// Longer than anything here may take on a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// Answers `get_frontmatter` at once, and `read_note` only for notes that are not called `slow`; of
/// those it notes down that the call has arrived.
const STAND_IN: &str = r#"
const fs = require('fs');
let rest = '';
const answer = (id, result) => process.stdout.write(JSON.stringify({jsonrpc: '2.0', id, result}) + '\n');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const {id, method, params} = JSON.parse(line);
    if (method === 'initialize') {
      answer(id, {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 's', version: '1'}});
    } else if (method === 'tools/call') {
      const path = params.arguments.path || '';
      if (path.startsWith('slow')) fs.writeFileSync('arrived-' + path, '');
      else answer(id, {content: [{type: 'text', text: 'read ' + path}]});
    }
  }
});
process.stdin.on('end', () => process.exit());
"#;

pub struct World {
    pub core: Core,
    pub gateway: Gateway,
    /// The key of the runtime `custom`, which has Obsidian and may write.
    pub key: String,
    pub control: Secret,
    pub http: reqwest::Client,
    folder: tempfile::TempDir,
}

impl World {
    /// Obsidian is on, its scope is one folder, and one runtime has it.
    pub async fn new() -> Self {
        Self::with_settings(json!({})).await
    }

    /// The same with limits of its own.
    pub async fn with_settings(gateway: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (home, vault) = (folder.path().join("home"), folder.path().join("vault"));
        for folder in [&home, &vault] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(vault.join("quick.md"), "text").unwrap();
        fs::write(vault.join("slow.md"), "text").unwrap();
        let settings = json!({"gateway": gateway, "obsidian": {"enabled": true, "vaultPath": vault}});
        let home = Home::at(home).unwrap();
        fs::write(home.settings_file(), settings.to_string()).unwrap();

        let mut options = StartOptions::new(home);
        let path = std::env::var_os("PATH").unwrap_or_default();
        options.environment = Environment::new(Platform::Linux, folder.path()).with("PATH", path);
        options.upstream = UpstreamConfig {
            search_path: std::env::var_os("PATH"),
            package: Some(stand_in(&folder)),
            ..UpstreamConfig::default()
        };
        let core = Core::start(options).unwrap();
        let key = add_runtime(core.handle(), RuntimeKind::Custom, WorkMode::Execute, true).await;
        let control = Secret::generate(Purpose::Control).unwrap();
        let options = GatewayOptions { port: 0, control: control.clone() };
        let gateway = Gateway::start(core.handle().clone(), options).await.unwrap();
        let _ = rustls::crypto::ring::default_provider().install_default(); // reqwest wants one
        let http = reqwest::Client::builder().no_proxy().timeout(DEADLINE).build().unwrap();
        Self { core, gateway, key, control, http, folder }
    }

    pub fn handle(&self) -> &Handle {
        self.core.handle()
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.gateway.address())
    }

    pub fn vault(&self, name: &str) -> PathBuf {
        self.folder.path().join("vault").join(name)
    }

    /// Adds another runtime and gives its key.
    pub async fn add(&self, kind: RuntimeKind, mode: WorkMode, assigned: bool) -> String {
        add_runtime(self.handle(), kind, mode, assigned).await
    }

    pub async fn command(&self, command: Command) -> Reply {
        self.handle().request(command).await.unwrap()
    }

    pub async fn switch(&self, enabled: bool) {
        self.command(Command::SetEnabled { capability: Capability::Obsidian, enabled }).await;
    }

    /// A POST to `/mcp` as a client of the official kind sends it, still without a body.
    pub fn mcp(&self, key: &str) -> RequestBuilder {
        self.http
            .post(self.url("/mcp"))
            .bearer_auth(key)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
    }

    /// A legacy request, in a session or in none.
    pub fn legacy(&self, session: Option<&str>, method: &str, params: Value) -> RequestBuilder {
        self.legacy_as(&self.key, session, method, params)
    }

    pub fn legacy_as(&self, key: &str, session: Option<&str>, method: &str, params: Value) -> RequestBuilder {
        let mut request = self.mcp(key).header("mcp-protocol-version", "2025-11-25");
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        request.json(&json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
    }

    pub fn notify(&self, session: Option<&str>, method: &str, params: Value) -> RequestBuilder {
        self.legacy(session, method, json!({}))
            .json(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// A request of 2026-07-28.
    pub fn modern(&self, method: &str, mut params: Value) -> RequestBuilder {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        let mut request =
            self.mcp(&self.key).header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
        if let Some(name) = params["name"].as_str() {
            request = request.header("mcp-name", name);
        }
        request.json(&json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
    }

    /// Opens a legacy session and gives its id.
    pub async fn session(&self) -> String {
        self.session_as(&self.key).await
    }

    pub async fn session_as(&self, key: &str) -> String {
        let response =
            self.legacy_as(key, None, "initialize", initialize("2025-11-25")).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        assert_eq!(answer(response).await["result"]["protocolVersion"], "2025-11-25");
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let request = self.mcp(key).header("mcp-session-id", &session).json(&ready);
        assert_eq!(request.send().await.unwrap().status(), 202);
        session
    }

    /// The calls that run now.
    pub fn running(&self) -> usize {
        self.handle().tools().stats().running.values().sum()
    }

    /// Waits until a call to read this slow note has reached the engine.
    pub async fn arrived(&self, note: &str) {
        let mark = self.vault(&format!("arrived-{note}"));
        until("the call has not arrived", || mark.exists()).await;
        fs::remove_file(mark).unwrap();
    }

    pub async fn no_call_runs(&self) {
        until("a call still runs", || self.running() == 0).await;
    }

    /// Whether everything still works for everybody; after whatever a test did.
    pub async fn goes_on(&self) {
        let listed = answer(self.legacy(None, "tools/list", json!({})).send().await.unwrap()).await;
        assert_eq!(names(&listed).len(), 19);
        let health: Value = self.http.get(self.url("/health")).send().await.unwrap().json().await.unwrap();
        assert_eq!(health["status"], "ok");
    }

    pub async fn end(self) {
        self.gateway.stop_accepting();
        self.core.end_calls().await;
        self.gateway.finish().await;
        self.core.close().await;
    }
}

pub async fn add_runtime(handle: &Handle, kind: RuntimeKind, mode: WorkMode, assigned: bool) -> String {
    let capabilities = assigned.then_some(Capability::Obsidian).into_iter().collect();
    let approval = ApprovalPolicy::default();
    let add = Command::AddRuntime { kind, name: None, mode, approval, capabilities };
    match handle.request(add).await.unwrap() {
        Reply::RuntimeAdded { key, .. } => key.0,
        other => panic!("{other:?}"),
    }
}

pub fn custom() -> RuntimeId {
    RuntimeId::new("custom").unwrap()
}

pub fn initialize(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test client", "version": "1.2"}})
}

pub fn read(note: &str) -> Value {
    json!({"name": "obsidian_read_note", "arguments": {"path": note}})
}

/// The JSON-RPC answer in a response, be it JSON or a stream of events.
pub async fn answer(response: Response) -> Value {
    let is_json = response.headers()["content-type"].to_str().unwrap().starts_with("application/json");
    let text = response.text().await.unwrap();
    if is_json {
        return serde_json::from_str(&text).unwrap();
    }
    let answers = events(&text);
    answers.into_iter().find(|message| message["id"] != Value::Null).unwrap_or_else(|| panic!("{text}"))
}

/// The messages of a stream of events.
pub fn events(text: &str) -> Vec<Value> {
    text.lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .filter_map(|data| serde_json::from_str(data.trim()).ok())
        .collect()
}

pub fn names(listed: &Value) -> Vec<String> {
    let tools = listed["result"]["tools"].as_array().unwrap_or_else(|| panic!("{listed}"));
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// A stream of events that stays open.
pub struct Stream {
    response: Response,
    read: String,
}

impl Stream {
    pub async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, read: String::new() }
    }

    /// Reads on until a message with this method has come; `false` when the stream ends first.
    pub async fn reads(&mut self, method: &str) -> bool {
        loop {
            let end = self.read.rfind("\n\n").map_or(0, |at| at + 2);
            let complete: String = self.read.drain(..end).collect();
            if events(&complete).iter().any(|message| message["method"] == method) {
                return true;
            }
            match tokio::time::timeout(DEADLINE, self.response.chunk()).await.expect("nothing came") {
                Ok(Some(chunk)) => self.read.push_str(std::str::from_utf8(&chunk).unwrap()),
                Ok(None) | Err(_) => return false,
            }
        }
    }
}

/// Waits until `holds`.
pub async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + DEADLINE;
    while !holds() {
        assert!(Instant::now() < end, "{what} after {DEADLINE:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn stand_in(folder: &tempfile::TempDir) -> PathBuf {
    let place = folder.path().join("package");
    let package = place.join("node_modules/@bitbonsai/mcpvault");
    fs::create_dir_all(package.join("dist")).unwrap();
    let manifest = json!({"name": "@bitbonsai/mcpvault", "version": "0.16.0"});
    fs::write(package.join("package.json"), manifest.to_string()).unwrap();
    fs::write(package.join("dist/server.js"), STAND_IN).unwrap();
    place
}
