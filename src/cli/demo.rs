//! `notegate demo`: everything at work in a temporary folder, with a sample vault and a runtime. The
//! folder goes away at the end.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use tempfile::TempDir;

use super::arguments::Demo;
use super::failure::{Exit, Failure};
use super::instance::{Begun, Instance, Port};
use super::output::Output;
use super::signals::Signals;
use super::window;
use crate::core::{
    ApprovalPolicy, Capability, Command, CommandError, Handle, Home, Reply, RuntimeKind, StartOptions,
    SystemFolderPicker, WorkMode, sample_vault,
};
use crate::secrets::MemoryStore;
use crate::settings::DEFAULT_PORT;
use crate::ui::UiError;

pub fn run(runtime: &tokio::runtime::Runtime, typed: Demo, output: Output) -> Result<Exit, Failure> {
    let folder = Folder::create()?;
    let ended = run_in(runtime, &folder, &typed, output);
    folder.remove(output);
    ended
}

fn run_in(
    runtime: &tokio::runtime::Runtime,
    folder: &Folder,
    typed: &Demo,
    output: Output,
) -> Result<Exit, Failure> {
    let home = Home::at(&folder.home)?;
    let mut options = StartOptions {
        demo: true,
        credentials: Arc::new(MemoryStore::default()),
        autostart_folder: None,
        ..StartOptions::new(home)
    };
    if !typed.headless {
        options.folder_picker = Arc::new(SystemFolderPicker);
    }
    let port = typed.port.map_or(Port::SavedOrFree, Port::Given);
    let mut signals = {
        let _inside = runtime.enter(); // signal streams are made inside a runtime
        Signals::install()?
    };
    let begun = runtime.block_on(Instance::start(options, port))?;
    let Begun::Instance(instance) = begun else {
        return Err(Failure::new("internal", "another instance runs in the demonstration's new folder"));
    };
    let mut instance = runtime.block_on(instance.with_gateway())?;
    let shown = runtime.block_on(prepare_and_announce(&instance, folder, typed, output));
    if shown.is_ok() {
        let headless = typed.headless || !show_window(runtime, &mut instance, &mut signals, output);
        if headless {
            runtime.block_on(instance.until_asked_to_end(&mut signals));
        }
    }
    let closed = runtime.block_on(instance.close(&mut signals));
    shown.and(closed)
}

/// Shows the window until it is closed. `false`: there is none to be had, and we go on without.
fn show_window(
    runtime: &tokio::runtime::Runtime,
    instance: &mut Instance,
    signals: &mut Signals,
    output: Output,
) -> bool {
    match window::show(runtime, instance, signals, Instant::now()) {
        Ok(()) => true,
        Err(UiError::NoDisplay { reason }) => {
            output.note(format!(
                "note: no window can be shown here: {reason}. The demonstration goes on without"
            ));
            false
        }
        Err(UiError::Failed { reason }) => {
            output.note(format!("warning: the window failed: {reason}. The demonstration goes on without"));
            false
        }
    }
}

async fn prepare_and_announce(
    instance: &Instance,
    folder: &Folder,
    typed: &Demo,
    output: Output,
) -> Result<(), Failure> {
    let key = prepare(instance.handle(), &folder.vault).await?;
    let Some(gateway) = instance.gateway() else { return Ok(()) };
    if typed.port.is_none() && gateway.address().port() != DEFAULT_PORT {
        let port = gateway.address().port();
        output.note(format!("note: port {DEFAULT_PORT} is taken, so the demonstration listens on {port}"));
    }
    let (mcp, tools) = (gateway.mcp_url(), gateway.tools_url());
    let value = json!({
        "mcp": mcp,
        "tools": tools,
        "key": key,
        "vault": folder.vault,
        "home": folder.home,
    });
    output.ready(value, || text(&mcp, &tools, &key, folder))
}

/// Switches Obsidian on with the sample vault, and adds a runtime. Gives back its key.
async fn prepare(handle: &Handle, vault: &Path) -> Result<String, CommandError> {
    let vault_path = vault.display().to_string();
    handle.request(Command::SaveScope { vault_path }).await?;
    handle.request(Command::SetEnabled { capability: Capability::Obsidian, enabled: true }).await?;
    let added = Command::AddRuntime {
        kind: RuntimeKind::Custom,
        name: Some("Demo".into()),
        mode: WorkMode::Execute,
        approval: ApprovalPolicy::Prompt,
        capabilities: [Capability::Obsidian].into(),
    };
    match handle.request(added).await? {
        Reply::RuntimeAdded { key, .. } => Ok(key.0),
        _ => Err(CommandError::new("internal", "adding a runtime was answered with something else")),
    }
}

fn text(mcp: &str, tools: &str, key: &str, folder: &Folder) -> String {
    let note = sample_vault::FIRST_NOTE;
    let client = json!({"mcpServers": {"notegate": {
        "type": "http", "url": mcp, "headers": {"Authorization": format!("Bearer {key}")},
    }}});
    format!(
        "Notegate demonstration, in a temporary folder
  MCP    {mcp}
  tools  {tools}
  key    {key}
  vault  {vault}

Read a note:
  curl -s -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' -d '{{\"path\": \"{note}\"}}' {tools}/obsidian_read_note

Connect an MCP client:
  {client}

Stop it with Ctrl-C. The folder, with everything changed in it, is removed then.",
        vault = folder.vault.display()
    )
}

/// The temporary folder: the home and the vault, side by side.
#[derive(Debug)]
struct Folder {
    root: TempDir,
    home: PathBuf,
    vault: PathBuf,
}

impl Folder {
    fn create() -> Result<Self, Failure> {
        let failed = |error: std::io::Error| {
            Failure::new("demo_folder", format!("cannot make the demonstration's folder: {error}"))
                .hint("is there room in the system's folder for temporary files?")
        };
        let root = tempfile::Builder::new().prefix("notegate-demo-").tempdir().map_err(failed)?;
        // The real path: on some systems the temporary folder is reached by a link.
        let real = root.path().canonicalize().unwrap_or_else(|_| root.path().to_owned());
        let (home, vault) = (real.join("home"), real.join("Sample vault"));
        std::fs::create_dir(&vault).and_then(|()| sample_vault::write(&vault)).map_err(failed)?;
        Ok(Self { root, home, vault })
    }

    fn remove(self, output: Output) {
        let path = self.root.path().to_owned();
        if let Err(error) = self.root.close() {
            output.note(format!("warning: {} could not be removed: {error}", path.display()));
        }
    }
}
