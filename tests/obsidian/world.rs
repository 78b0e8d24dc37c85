//! A computer for one test: a user's folder, vaults in it, and a service on them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use notegate::obsidian::{
    Engine, Environment, ObsidianError, Output, Platform, Scope, Service, ServiceConfig, UpstreamConfig, tool,
};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

pub const ENGINES: [Engine; 2] = [Engine::Native, Engine::Upstream];

pub struct World {
    pub home: tempfile::TempDir,
    pub service: Arc<Service>,
    /// What carries out the calls.
    pub engine: Engine,
}

impl World {
    pub fn new() -> Self {
        Self::on(Engine::Native)
    }

    pub fn on(engine: Engine) -> Self {
        Self { engine, ..Self::upstream(|_| {}) }
    }

    /// A world with MCPVault whose service is configured otherwise.
    pub fn upstream(change: impl FnOnce(&mut ServiceConfig)) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut config = config(home.path());
        change(&mut config);
        Self { service: Arc::new(Service::new(config)), home, engine: Engine::Upstream }
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub fn vault(&self, name: &str) -> PathBuf {
        fs::create_dir_all(self.path(name)).unwrap();
        self.path(name)
    }

    /// Registers folders under ids, as Obsidian would.
    pub fn register(&self, vaults: &[(&str, &str)]) -> PathBuf {
        let entries: Map<String, Value> = vaults
            .iter()
            .map(|(id, path)| ((*id).to_owned(), json!({"path": self.path(path), "ts": 1})))
            .collect();
        self.write(".config/obsidian/obsidian.json", json!({"vaults": entries}).to_string())
    }

    pub fn folder(&self, path: &str) -> Scope {
        Scope::Folder(self.path(path))
    }

    pub async fn call(&self, scope: &Scope, name: &str, arguments: Value) -> Result<Output, ObsidianError> {
        call(&self.service, self.engine, scope, name, arguments, &CancellationToken::new()).await
    }

    /// Calls a tool that must succeed, and returns its text.
    pub async fn done(&self, scope: &Scope, name: &str, arguments: Value) -> String {
        let output =
            self.call(scope, name, arguments).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = text(&output);
        assert!(!output.is_error, "{name}: {text}");
        text
    }

    /// Every file below a folder with its bytes.
    pub fn files(&self, below: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path(below), &mut files);
        files
    }

    /// Processes that were started for something in this world.
    pub fn children(&self) -> Vec<String> {
        children(self.home.path())
    }

    /// Waits until nothing that was started is left; it must be so within moments.
    pub async fn no_child_is_left(&self) {
        until("a child process is left", || self.children().is_empty()).await;
    }
}

pub async fn call(
    service: &Service,
    engine: Engine,
    scope: &Scope,
    name: &str,
    arguments: Value,
    cancel: &CancellationToken,
) -> Result<Output, ObsidianError> {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    service.call(scope, engine, tool(name).unwrap(), arguments, cancel).await
}

pub fn config(home: &Path) -> ServiceConfig {
    let upstream = UpstreamConfig {
        search_path: std::env::var_os("PATH"),
        package: Some(mcpvault()),
        ..UpstreamConfig::default()
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    ServiceConfig {
        environment: Environment::new(Platform::Linux, home).with("PATH", path),
        protected: vec![home.join("gate")],
        upstream,
        call_time: Duration::from_secs(120),
    }
}

/// A package that passes for MCPVault, with a server of our own making.
pub fn package(folder: &Path, server: &str) -> PathBuf {
    let package = folder.join("node_modules/@bitbonsai/mcpvault");
    fs::create_dir_all(package.join("dist")).unwrap();
    fs::write(package.join("package.json"), r#"{"name":"@bitbonsai/mcpvault","version":"0.16.0"}"#).unwrap();
    fs::write(package.join("dist/server.js"), server).unwrap();
    folder.to_path_buf()
}

/// The installed package of this checkout.
pub fn mcpvault() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vendor/mcpvault");
    assert!(
        folder.join("node_modules").is_dir(),
        "MCPVault is not installed: run `npm ci --omit=dev --ignore-scripts` in {folder:?}"
    );
    folder
}

pub fn text(output: &Output) -> String {
    output.content.iter().filter_map(|block| block["text"].as_str()).collect()
}

pub fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Waits for a condition, with a deadline that only a failure reaches.
pub async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Processes other than this one whose command line, environment or working directory names `path`.
pub fn children(path: &Path) -> Vec<String> {
    let needle = path.to_str().unwrap().as_bytes();
    let names = |bytes: Vec<u8>| bytes.windows(needle.len()).any(|window| window == needle);
    let own = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let pid = entry.file_name().to_string_lossy().into_owned();
        if pid == own || !pid.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let of = |part: &str| fs::read(entry.path().join(part)).unwrap_or_default();
        let folder = fs::read_link(entry.path().join("cwd")).is_ok_and(|folder| folder.starts_with(path));
        if names(of("cmdline")) || names(of("environ")) || folder {
            found.push(format!("{pid}: {}", String::from_utf8_lossy(&of("cmdline")).replace('\0', " ")));
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
