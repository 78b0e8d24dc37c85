//! A gateway with SiYuan on, a runtime that has it, and a kernel that runs.

use notegate::core::{
    ApprovalPolicy, Capability, Command, KernelDraft, Permission, Reply, RuntimeKind, WorkMode,
};
use notegate::gateway::{Gateway, GatewayOptions};
use notegate::secrets::{Purpose, Secret};
use serde_json::{Value, json};

use crate::kernel::{Kernel, Setup};
use crate::kernels::world::{LOCAL, World as Kernels, id};

/// What the actions of the four tools for reading and writing call.
pub const ACTIONS: &[&str] = &[
    "/api/notebook/lsNotebooks",
    "/api/filetree/listDocsByPath",
    "/api/search/fullTextSearchBlock",
    "/api/query/sql",
    "/api/block/getBlockKramdown",
    "/api/block/getChildBlocks",
    "/api/filetree/createDocWithMd",
    "/api/block/insertBlock",
    "/api/block/appendBlock",
    "/api/block/updateBlock",
    "/api/filetree/renameDocByID",
    "/api/block/deleteBlock",
    "/api/filetree/removeDocByID",
];

pub struct World {
    pub kernels: Kernels,
    pub kernel: Kernel,
    pub gateway: Gateway,
    pub key: String,
    pub http: reqwest::Client,
}

impl World {
    /// Everything that the four tools call is allowed.
    pub async fn new() -> Self {
        Self::with(Setup::default()).await
    }

    pub async fn with(setup: Setup) -> Self {
        let world = Self::bare(setup).await;
        world.allow_all(&ACTIONS.iter().map(|path| format!("http POST {path}")).collect::<Vec<_>>()).await;
        world
    }

    /// Nothing is allowed yet.
    pub async fn bare(setup: Setup) -> Self {
        let (kernels, kernel) = (Kernels::new(), Kernel::with(setup).await);
        kernels.add_with(patient(&kernel.address())).await;
        let on = Command::SetEnabled { capability: Capability::Siyuan, enabled: true };
        kernels.ask(on).await.unwrap();
        kernels.ask(Command::SetDefaultKernel { kernel: Some(id(LOCAL)) }).await.unwrap();
        let key = add_runtime(&kernels, WorkMode::Execute).await;
        let options = GatewayOptions { port: 0, control: Secret::generate(Purpose::Control).unwrap() };
        let gateway = Gateway::start(kernels.core.handle().clone(), options).await.unwrap();
        let _ = rustls::crypto::ring::default_provider().install_default(); // reqwest wants one
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { kernels, kernel, gateway, key, http }
    }

    pub async fn allow(&self, key: &str) {
        self.allow_all(&[key.to_owned()]).await;
    }

    pub async fn allow_all(&self, keys: &[String]) {
        let permissions = keys.iter().map(|key| (key.clone(), Permission::Allow)).collect();
        self.kernels.ask(Command::SetPermissions { kernel: id(LOCAL), permissions }).await.unwrap();
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.gateway.address())
    }

    /// Calls a tool through `/tools`.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.call_as(&self.key, None, tool, arguments).await
    }

    pub async fn call_as(&self, key: &str, session: Option<&str>, tool: &str, arguments: Value) -> Value {
        let mut request =
            self.http.post(self.url(&format!("/tools/{tool}"))).bearer_auth(key).json(&arguments);
        if let Some(session) = session {
            request = request.header("notegate-session", session);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        response.json().await.unwrap()
    }

    /// One legacy request to `/mcp` without a session.
    pub async fn mcp(&self, key: &str, method: &str, params: Value) -> Value {
        let request = self
            .http
            .post(self.url("/mcp"))
            .bearer_auth(key)
            .header("accept", "application/json")
            .header("mcp-protocol-version", "2025-11-25")
            .json(&json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}));
        let text = request.send().await.unwrap().text().await.unwrap();
        let last = text
            .lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .map(str::trim)
            .rfind(|d| !d.is_empty());
        serde_json::from_str(last.unwrap_or(&text)).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

/// A kernel that may take its time, so that a busy machine fails no test.
pub fn patient(address: &str) -> KernelDraft {
    let address = address.parse().unwrap();
    KernelDraft { name: "SiYuan".into(), address, timeout_seconds: 60, port_file: None, pid: None }
}

pub async fn add_runtime(world: &Kernels, mode: WorkMode) -> String {
    let (kind, approval) = (RuntimeKind::Custom, ApprovalPolicy::default());
    let capabilities = [Capability::Siyuan].into();
    let add = Command::AddRuntime { kind, name: None, mode, approval, capabilities };
    match world.ask(add).await.unwrap() {
        Reply::RuntimeAdded { key, .. } => key.0,
        other => panic!("{other:?}"),
    }
}
