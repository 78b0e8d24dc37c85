//! A person's computer with a running Notegate: vaults, a registry, and the endpoint.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use notegate::core::{Core, Handle, StartOptions};
use notegate::gateway::{Gateway, GatewayOptions};
use notegate::obsidian::{Environment, Platform, UpstreamConfig};
use notegate::secrets::{Purpose, Secret};
use notegate::settings::Home;
use serde_json::{Map, Value, json};

pub struct Gate {
    pub folder: tempfile::TempDir,
    core: Core,
    gateway: Gateway,
    control: Secret,
    http: reqwest::Client,
}

impl Gate {
    pub async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    /// Opens the gate on a folder that `prepare` has furnished.
    pub async fn open_with(prepare: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path());
        let path = std::env::var_os("PATH").unwrap();
        let mut options = StartOptions::new(Home::at(folder.path().join("gate")).unwrap());
        options.environment = Environment::new(Platform::Linux, folder.path()).with("PATH", path.clone());
        options.upstream = UpstreamConfig {
            search_path: Some(path),
            package: Some(mcpvault()),
            ..UpstreamConfig::default()
        };
        let core = Core::start(options).unwrap();
        let control = Secret::generate(Purpose::Control).unwrap();
        let options = GatewayOptions { port: 0, control: control.clone() };
        let gateway = Gateway::start(core.handle().clone(), options).await.unwrap();
        let _ = rustls::crypto::ring::default_provider().install_default(); // reqwest wants one
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { folder, core, gateway, control, http }
    }

    /// A gate with one vault that is chosen, switched on and assigned to a runtime in this mode.
    pub async fn ready(mode: &str) -> (Self, String) {
        let gate = Self::open().await;
        gate.write("vault/daily.md", "# Daily\n\nfirst line\n");
        gate.must(json!({"command": "save-scope", "vaultPath": gate.path("vault")})).await;
        gate.switch(true).await;
        let (_, key) = gate.runtime("opencode", mode, true).await;
        (gate, key)
    }

    pub fn handle(&self) -> &Handle {
        self.core.handle()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        write(self.folder.path(), path, text);
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The settings file as it is on disk.
    pub fn saved(&self) -> Value {
        fs::read_to_string(self.path("gate/settings.json"))
            .map_or(Value::Null, |text| serde_json::from_str(&text).unwrap())
    }

    /// Every file below a folder with its bytes.
    pub fn files(&self, below: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path(below), &mut files);
        files
    }

    /// Gives a command over `/control`.
    pub async fn control(&self, command: Value) -> Result<Value, Value> {
        let url = format!("http://{}/control", self.gateway.address());
        let response =
            self.http.post(url).bearer_auth(self.control.reveal()).json(&command).send().await.unwrap();
        let succeeded = response.status().is_success();
        let body = response.json().await.unwrap();
        if succeeded { Ok(body) } else { Err(body) }
    }

    /// Gives a command that must be carried out.
    pub async fn must(&self, command: Value) -> Value {
        self.control(command.clone()).await.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    pub async fn switch(&self, enabled: bool) {
        self.must(json!({"command": "set-enabled", "capability": "obsidian", "enabled": enabled})).await;
    }

    pub async fn assign(&self, runtime: &str, assigned: bool) {
        let command = json!({
            "command": "set-assignment", "capability": "obsidian", "runtime": runtime, "assigned": assigned,
        });
        self.must(command).await;
    }

    /// Adds a runtime; its id and key.
    pub async fn runtime(&self, kind: &str, mode: &str, assigned: bool) -> (String, String) {
        let capabilities = if assigned { json!(["obsidian"]) } else { json!([]) };
        let command =
            json!({"command": "add-runtime", "kind": kind, "mode": mode, "capabilities": capabilities});
        let reply = self.must(command).await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&reply["runtime"]["id"]), text(&reply["key"]))
    }

    /// Calls a tool through `/tools`.
    pub async fn tool(&self, key: &str, name: &str, arguments: Value) -> Answer {
        let url = format!("{}/{name}", self.gateway.tools_url());
        let response = self.http.post(url).bearer_auth(key).json(&arguments).send().await.unwrap();
        Answer { status: response.status().as_u16(), body: response.json().await.unwrap_or(Value::Null) }
    }

    /// Calls a tool through `/mcp`, as a client that cannot open a session.
    pub async fn mcp_tool(&self, key: &str, name: &str, arguments: Value) -> Answer {
        let params = json!({"name": name, "arguments": arguments});
        let answer = self.mcp(key, "tools/call", params).await;
        Answer { status: answer.status, body: answer.body["result"].clone() }
    }

    pub async fn mcp(&self, key: &str, method: &str, params: Value) -> Answer {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let response = self
            .http
            .post(self.gateway.mcp_url())
            .bearer_auth(key)
            .header("accept", "application/json")
            .json(&request)
            .send()
            .await
            .unwrap();
        Answer { status: response.status().as_u16(), body: response.json().await.unwrap_or(Value::Null) }
    }

    /// The names that `GET /tools` offers.
    pub async fn offered(&self, key: &str) -> Vec<String> {
        let response = self.http.get(self.gateway.tools_url()).bearer_auth(key).send().await.unwrap();
        let body: Value = response.json().await.unwrap();
        let tools = body["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Waits until no process is left that was started for something below this folder.
    pub async fn no_child_is_left(&self) {
        until("a child process is left", || children(self.folder.path()).is_empty()).await;
    }

    pub fn children(&self) -> Vec<String> {
        children(self.folder.path())
    }

    /// Closes in the order in which an instance closes.
    pub async fn close(self) {
        self.gateway.stop_accepting();
        self.core.end_calls().await;
        assert_eq!(children(self.folder.path()), [""; 0], "closing waits for clean-up (US-12)");
        self.gateway.finish().await;
        self.core.close().await;
    }
}

/// What a call was answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl Answer {
    pub fn text(&self) -> String {
        let blocks = self.body["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        blocks.iter().filter_map(|block| block["text"].as_str()).collect()
    }

    /// The text of a call that succeeded.
    #[track_caller]
    pub fn done(&self) -> String {
        assert_eq!(self.status, 200, "{self:?}");
        assert_ne!(self.body["isError"], true, "{self:?}");
        assert!(self.body["content"].is_array(), "{self:?}");
        self.text()
    }

    /// The code of a call that was refused or failed.
    #[track_caller]
    pub fn refused(&self) -> &str {
        assert_eq!(self.status, 200, "{self:?}");
        assert_eq!(self.body["isError"], true, "{self:?}");
        let code = self.body["structuredContent"]["code"].as_str().unwrap_or_default();
        assert!(self.text().contains(code), "some clients show only the text: {self:?}");
        code
    }
}

/// Registers folders in a user's folder, as Obsidian would.
pub fn register(home: &Path, vaults: &[(&str, &str)]) {
    let entries: Map<String, Value> = vaults
        .iter()
        .map(|(id, path)| ((*id).to_owned(), json!({"path": home.join(path), "ts": 1})))
        .collect();
    write(home, ".config/obsidian/obsidian.json", json!({"vaults": entries}).to_string());
}

pub fn write(home: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Waits for a condition, with a deadline that only a failure reaches.
pub async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The installed package of this checkout.
fn mcpvault() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vendor/mcpvault");
    assert!(
        folder.join("node_modules").is_dir(),
        "MCPVault is not installed: run `npm ci --omit=dev --ignore-scripts` in {folder:?}"
    );
    folder
}

/// Processes other than this one whose command line or working directory names `path`.
fn children(path: &Path) -> Vec<String> {
    let needle = path.to_str().unwrap();
    let own = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let pid = entry.file_name().to_string_lossy().into_owned();
        if pid == own || !pid.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        let folder = fs::read_link(entry.path().join("cwd")).is_ok_and(|folder| folder.starts_with(path));
        if folder || command.contains(needle) {
            found.push(format!("{pid}: {command}"));
        }
    }
    found
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), files);
        } else {
            files.insert(entry.path(), fs::read(entry.path()).unwrap());
        }
    }
}
