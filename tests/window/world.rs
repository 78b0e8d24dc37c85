//! A computer for one test: a user's folder with vaults in it, a core, and a window on that core.

use std::collections::VecDeque;
use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use eframe::egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, Node};
use notegate::access::approvals::{Approved, Ask, Declined};
use notegate::core::{Command, Core, FolderPicker, Handle, Home, Picked, Reply, Snapshot, StartOptions};
use notegate::obsidian::{Environment, Platform};
use notegate::secrets::{CredentialStore, MemoryStore};
use notegate::ui::Window;
use serde_json::json;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Answers the folder dialog in the person's place; without an answer the dialog stays open.
#[derive(Debug, Default)]
pub struct Dialog(Mutex<VecDeque<Picked>>);

impl FolderPicker for Dialog {
    fn save(&self, _: &str) -> Pin<Box<dyn Future<Output = Picked> + Send + '_>> {
        self.pick()
    }

    fn pick(&self) -> Pin<Box<dyn Future<Output = Picked> + Send + '_>> {
        let next = self.0.lock().unwrap().pop_front();
        Box::pin(async move {
            match next {
                Some(picked) => picked,
                None => std::future::pending().await,
            }
        })
    }
}

pub struct World {
    pub user: tempfile::TempDir,
    pub dialog: Arc<Dialog>,
    /// The keyring.
    pub store: Arc<MemoryStore>,
    home: Home,
    runtime: tokio::runtime::Runtime,
    core: Option<Core>,
}

impl World {
    pub fn new() -> Self {
        Self::with_home(|_| {})
    }

    /// `prepare` puts files into the home before anything runs.
    pub fn with_home(prepare: impl FnOnce(&Home)) -> Self {
        let store = Arc::new(MemoryStore::default());
        Self::start(store.clone(), store, prepare)
    }

    /// Tokens go to `credentials` in place of a keyring that works.
    pub fn with_credentials(credentials: Arc<dyn CredentialStore>) -> Self {
        Self::start(Arc::default(), credentials, |_| {})
    }

    fn start(
        store: Arc<MemoryStore>,
        credentials: Arc<dyn CredentialStore>,
        prepare: impl FnOnce(&Home),
    ) -> Self {
        let user = tempfile::tempdir().unwrap();
        let home = Home::at(user.path().join("notegate")).unwrap();
        prepare(&home);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let dialog = Arc::new(Dialog::default());
        let mut options = StartOptions::new(home.clone());
        options.environment = Environment::new(Platform::Linux, user.path());
        options.credentials = credentials;
        options.autostart_folder = Some(user.path().join(".config/autostart"));
        options.siyuan_port_file = Some(user.path().join("port.json"));
        options.folder_picker = Arc::clone(&dialog) as Arc<dyn FolderPicker>;
        options.siyuan_port_file = Some(user.path().join("port.json"));
        let core = runtime.block_on(async { Core::start(options) }).unwrap();
        Self { user, dialog, store, home, runtime, core: Some(core) }
    }

    /// The folders, each with one note, registered in Obsidian.
    pub fn with_vaults(names: &[&str]) -> Self {
        let world = Self::new();
        let entries: serde_json::Map<_, _> = names
            .iter()
            .map(|name| ((*name).to_owned(), json!({"path": world.vault(name), "ts": 1})))
            .collect();
        let registry = world.path(".config/obsidian/obsidian.json");
        fs::create_dir_all(registry.parent().unwrap()).unwrap();
        fs::write(registry, json!({"vaults": entries}).to_string()).unwrap();
        world
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.user.path().join(below)
    }

    /// A folder with one note.
    pub fn vault(&self, name: &str) -> PathBuf {
        let folder = self.path(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("daily.md"), format!("# {name}\n")).unwrap();
        folder
    }

    pub fn settings_file(&self) -> PathBuf {
        self.home.settings_file()
    }

    pub fn handle(&self) -> Handle {
        self.core.as_ref().unwrap().handle().clone()
    }

    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.handle().snapshot()
    }

    /// Waits until the core's picture looks so.
    pub fn until(&self, looks: impl FnMut(&Arc<Snapshot>) -> bool) {
        let mut snapshots = self.handle().subscribe();
        let waiting = async { tokio::time::timeout(PATIENCE, snapshots.wait_for(looks)).await };
        assert!(self.runtime.block_on(waiting).is_ok(), "the core never looked so");
    }

    pub fn ask(&self, command: Command) -> Reply {
        self.runtime.block_on(self.handle().request(command)).unwrap()
    }

    /// Runs something beside the core.
    pub fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Waits for something that goes on beside the window.
    pub fn wait<T>(&self, what: impl Future<Output = T>) -> T {
        let within = async { tokio::time::timeout(PATIENCE, what).await };
        self.runtime.block_on(within).expect("it ends in time")
    }

    /// Lets something go on beside the window.
    pub fn beside<T: Send + 'static>(&self, what: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        self.runtime.spawn(what)
    }

    /// Has a call ask the person. It waits until it is answered.
    pub fn ask_person(&self, ask: Ask) -> JoinHandle<Result<Approved, Declined>> {
        let handle = self.handle();
        self.beside(async move { handle.approvals().ask(ask, &CancellationToken::new()).await })
    }

    /// Waits until the core asks whoever runs the gateway to open the endpoint.
    pub fn wait_for_endpoint_request(&self) {
        let handle = self.handle();
        let asked = async { tokio::time::timeout(PATIENCE, handle.endpoint_wanted()).await };
        assert!(self.runtime.block_on(asked).is_ok(), "the endpoint was not asked for");
    }

    /// The next folder dialog is answered like this.
    pub fn will_pick(&self, picked: Picked) {
        self.dialog.0.lock().unwrap().push_back(picked);
    }

    pub fn window(&self) -> Screen {
        self.window_of([1100.0, 900.0])
    }

    pub fn window_of(&self, size: [f32; 2]) -> Screen {
        let (handle, runtime) = (self.handle(), self.runtime.handle().clone());
        handle.report_window(true);
        let harness = Harness::builder()
            .with_size(size)
            .allow_missing_glyphs() // the harness has no fonts of the system
            .with_max_steps(64) // the core may ask for frames while we draw; a spinner would ask for more
            .build_eframe(move |creation| Window::new(&creation.egui_ctx, handle, runtime));
        let (tell, frames) = mpsc::channel();
        harness.ctx.set_request_repaint_callback(move |_| {
            let _ = tell.send(());
        });
        Screen { harness, frames }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if let Some(core) = self.core.take() {
            self.runtime.block_on(core.close());
        }
    }
}

/// A window, and word of each frame that somebody asked for.
pub struct Screen {
    pub harness: Harness<'static, Window>,
    frames: Receiver<()>,
}

impl Screen {
    /// Draws until `seen`, waiting for the frames that are asked for, as the real window does.
    pub fn until(&mut self, what: &str, seen: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            self.harness.run();
            if seen(self) {
                return;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(self.frames.recv_timeout(left).is_ok(), "never seen: {what}\n{}", self.dump());
        }
    }

    pub fn click(&mut self, role: Role, name: &str) {
        self.node(role, name).click();
        self.harness.run();
    }

    pub fn press(&mut self, name: &str) {
        self.click(Role::Button, name);
    }

    pub fn open(&mut self, page: &str) {
        self.harness.run();
        self.click(Role::Tab, page);
    }

    pub fn node<'a>(&'a self, role: Role, name: &'a str) -> Node<'a> {
        self.harness.get_by_role_and_label(role, name)
    }

    pub fn has(&self, role: Role, part: &str) -> bool {
        self.words(role).iter().any(|words| words.contains(part))
    }

    /// What is said by the nodes of a role.
    pub fn words(&self, role: Role) -> Vec<String> {
        let nodes = self.harness.root().children_recursive();
        nodes.filter(|node| node.accesskit_node().role() == role).map(|node| spoken(&node)).collect()
    }

    pub fn is_on(&self, role: Role, name: &str) -> bool {
        self.node(role, name).accesskit_node().toggled() == Some(eframe::egui::accesskit::Toggled::True)
    }

    pub fn is_enabled(&self, role: Role, name: &str) -> bool {
        !self.node(role, name).accesskit_node().is_disabled()
    }

    pub fn field(&self, name: &str) -> String {
        self.node(Role::TextInput, name).value().unwrap_or_default()
    }

    /// Replaces what stands in a field, by the keyboard.
    pub fn fill(&mut self, name: &str, text: &str) {
        self.fill_in(Role::TextInput, name, text);
    }

    /// The same for a field of another role.
    pub fn fill_in(&mut self, role: Role, name: &str, text: &str) {
        self.node(role, name).focus();
        self.harness.run();
        self.harness.key_press_modifiers(eframe::egui::Modifiers::COMMAND, eframe::egui::Key::A);
        self.harness.run();
        if text.is_empty() {
            self.harness.key_press(eframe::egui::Key::Delete);
        } else {
            self.node(role, name).type_text(text);
        }
        self.harness.run();
    }

    fn dump(&self) -> String {
        let nodes = self.harness.root().children_recursive();
        nodes
            .map(|node| format!("{:?} {}", node.accesskit_node().role(), spoken(&node)))
            .filter(|line| !line.ends_with(' '))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// A node's name, else its text.
pub fn spoken(node: &Node<'_>) -> String {
    let node = node.accesskit_node();
    node.label().filter(|label| !label.is_empty()).or_else(|| node.value()).unwrap_or_default()
}

/// Every file below a folder, with what stands in it.
pub fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}
