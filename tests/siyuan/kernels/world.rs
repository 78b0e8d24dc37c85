//! A core on a home of its own, and a port file in which simulated kernels register themselves.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use notegate::core::{
    CheckReport, Command, CommandError, Core, Home, KernelCheck, KernelDraft, KernelId, KernelView,
    Permission, Reply, Secret, StartOptions, TypedSecret,
};
use notegate::secrets::filter::Filters;
use notegate::secrets::{Credentials, MemoryStore};
use notegate::settings::{SiyuanSettings, load};
use notegate::siyuan::kernels::{Finding, Kernels, KernelsConfig, Seen};
use tempfile::TempDir;
use tokio::net::TcpSocket;
use tokio::task::JoinHandle;

use crate::kernel::{Kernel, Setup, TOKEN};

/// The kernel that most tests speak of.
pub const LOCAL: &str = "local";

/// Longer than anything takes on a busy machine; reached only by a failure.
pub const DEADLINE: Duration = Duration::from_secs(60);

pub struct World {
    pub folder: TempDir,
    pub store: Arc<MemoryStore>,
    pub core: Core,
}

impl World {
    pub fn new() -> Self {
        let (folder, store) = (tempfile::tempdir().unwrap(), Arc::new(MemoryStore::default()));
        let core = start(&folder, store.clone());
        Self { folder, store, core }
    }

    /// The same home and keyring after a new start.
    pub async fn restart(self) -> Self {
        let Self { folder, store, core } = self;
        core.close().await;
        let core = start(&folder, store.clone());
        Self { folder, store, core }
    }

    /// A kernel whose address is `auto`, and one that runs and registered itself.
    pub async fn with_kernel(setup: Setup) -> (Self, Kernel) {
        let (world, kernel) = (Self::new(), Kernel::with(setup).await);
        kernel.write_port_file(&world.port_file(), std::process::id());
        world.add("auto").await;
        (world, kernel)
    }

    pub fn port_file(&self) -> PathBuf {
        self.folder.path().join("port.json")
    }

    pub async fn ask(&self, command: Command) -> Result<Reply, CommandError> {
        self.core.handle().request(command).await
    }

    pub async fn add(&self, address: &str) {
        self.add_with(draft(address)).await;
    }

    pub async fn add_with(&self, draft: KernelDraft) {
        self.ask(Command::AddKernel { kernel: Some(id(LOCAL)), draft }).await.unwrap();
    }

    pub async fn edit(&self, draft: KernelDraft) {
        self.ask(Command::EditKernel { kernel: id(LOCAL), draft }).await.unwrap();
    }

    pub async fn set_token(&self, token: &str) {
        let token = TypedSecret(Secret::from_text(token));
        self.ask(Command::SetToken { kernel: id(LOCAL), token }).await.unwrap();
    }

    pub async fn permit(&self, key: &str, permission: Permission) -> Result<Reply, CommandError> {
        let permissions = [(key.to_owned(), permission)].into();
        self.ask(Command::SetPermissions { kernel: id(LOCAL), permissions }).await
    }

    pub async fn check(&self) -> Result<CheckReport, CommandError> {
        match self.ask(Command::CheckKernel { kernel: id(LOCAL) }).await? {
            Reply::KernelChecked { report } => Ok(report),
            other => panic!("{other:?}"),
        }
    }

    /// What the check says that fails.
    #[track_caller]
    pub fn failing(&self) -> impl Future<Output = (String, String)> {
        let check = self.check();
        async {
            let error = check.await.expect_err("the check fails");
            (error.code, error.message)
        }
    }

    pub fn kernel(&self) -> KernelView {
        self.core.handle().snapshot().siyuan.kernels[0].clone()
    }

    /// Returns when the kernel's check looks so.
    pub async fn until(&self, looks: impl Fn(&KernelCheck) -> bool) {
        let mut snapshots = self.core.handle().subscribe();
        let waiting = snapshots.wait_for(|seen| looks(&seen.siyuan.kernels[0].check));
        tokio::time::timeout(DEADLINE, waiting).await.expect("in time").unwrap();
    }

    /// Everything below the home, as text.
    pub fn files(&self) -> String {
        let files = std::fs::read_dir(self.folder.path()).unwrap();
        let read = |file: std::fs::DirEntry| std::fs::read(file.path()).unwrap();
        files.map(|file| String::from_utf8_lossy(&read(file.unwrap())).into_owned()).collect()
    }

    /// The service that calls use, over what this home has saved by now. What it finds out is saved into
    /// its own settings alone, as the core would.
    pub fn service(&self) -> Service {
        let credentials = Credentials::new(self.store.clone(), Filters::default());
        let home = self.folder.path().to_owned();
        let (kernels, mut found) =
            Kernels::new(KernelsConfig { port_file: Some(self.port_file()), home, credentials });
        kernels.configure(load(&self.folder.path().join("settings.json")).unwrap().siyuan);
        let saving = kernels.clone();
        let saver = tokio::spawn(async move {
            while let Some(Finding { kernel, place, seen, saved }) = found.recv().await {
                let mut settings = SiyuanSettings::clone(&saving.settings());
                let kernel = settings.kernel_mut(&kernel).unwrap();
                assert_eq!(kernel.place(), place);
                note(kernel, seen);
                saving.configure(settings);
                let _ = saved.send(Ok(()));
            }
        });
        Service { kernels, saver }
    }
}

pub struct Service {
    pub kernels: Kernels,
    saver: JoinHandle<()>,
}

impl Drop for Service {
    fn drop(&mut self) {
        self.saver.abort();
    }
}

fn note(kernel: &mut notegate::settings::Kernel, seen: Seen) {
    match seen {
        Seen::Process(pid) | Seen::Restarted(pid) => kernel.pid = Some(pid),
        Seen::Workspace(folder) => kernel.workspace = Some(folder),
        Seen::TokenRefused => kernel.token = notegate::settings::TokenState::Refused,
    }
}

fn start(folder: &TempDir, store: Arc<MemoryStore>) -> Core {
    let mut options = StartOptions::new(Home::at(folder.path()).unwrap());
    options.credentials = store;
    options.siyuan_port_file = Some(folder.path().join("port.json"));
    Core::start(options).unwrap()
}

pub fn id(text: &str) -> KernelId {
    KernelId::new(text).unwrap()
}

/// A kernel that is given a second for each answer, so that a test of time is short.
pub fn draft(address: &str) -> KernelDraft {
    let address = address.parse().unwrap();
    KernelDraft { name: "SiYuan".into(), address, timeout_seconds: 1, port_file: None, pid: None }
}

/// As a kernel mostly is: new, and with a lock-screen password.
pub fn locked() -> Setup {
    Setup {
        generation: crate::kernel::Generation::V3_8_6,
        access_code: Some("open".into()),
        token: TOKEN.into(),
        ..Setup::default()
    }
}

/// A port that nobody listens at, and that nobody is given while it is held.
pub fn silent_port() -> (TcpSocket, u16) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}
