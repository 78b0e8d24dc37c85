//! Starting and ending a core.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::actor::{Actor, Foundation};
use super::autostart::default_autostart_folder;
use super::endpoints::Endpoints;
use super::{FolderPicker, Handle, NoFolderPicker};
use crate::access::approvals::{Approvals, Times};
use crate::access::{Access, Policy};
use crate::activity::{Activity, Retention};
use crate::obsidian::{self, Engine, Environment, Scope, Service, ServiceConfig, UpstreamConfig};
use crate::secrets::filter::Filters;
use crate::secrets::{CredentialStore, Credentials, Keyring};
use crate::settings::{
    self, ActivitySettings, Home, HomeError, InstanceLock, SettingsError, SettingsFile, VaultEngine,
};
use crate::siyuan::contract::Contract;
use crate::siyuan::kernels::{Kernels, KernelsConfig, default_port_file};
use crate::siyuan::{self, Surroundings};
use crate::tools::{Asker, CallConfig, Recorder, Tools};

/// Counts the settings that a process begins with.
pub(super) const FIRST_GENERATION: u64 = 1;

/// How an instance is started.
#[derive(Debug, Clone)]
pub struct StartOptions {
    pub home: Home,
    /// A demonstration on a temporary home.
    pub demo: bool,
    /// Where Obsidian's registry is looked for.
    pub environment: Environment,
    pub upstream: UpstreamConfig,
    pub folder_picker: Arc<dyn FolderPicker>,
    /// Where SiYuan's kernels register themselves; `None` where the user has no folder.
    pub siyuan_port_file: Option<PathBuf>,
    /// The desktop's list of what starts with the session; `None` where there is none that we know.
    pub autostart_folder: Option<PathBuf>,
    /// What keeps the kernels' tokens.
    pub credentials: Arc<dyn CredentialStore>,
}

impl StartOptions {
    /// A plain instance on `home`, in the environment of this process, without a folder dialog.
    pub fn new(home: Home) -> Self {
        Self {
            home,
            demo: false,
            environment: Environment::from_process(),
            upstream: UpstreamConfig::from_environment(),
            folder_picker: Arc::new(NoFolderPicker),
            siyuan_port_file: default_port_file(),
            autostart_folder: default_autostart_folder(),
            credentials: Arc::new(Keyring::default()),
        }
    }
}

/// Why an instance cannot start. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Home(#[from] HomeError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error("the operating system gave no thread for the activity log: {0}")]
    Activity(std::io::Error),
}

/// A running core. Close it; dropping it only abandons its task to the runtime's own end.
#[derive(Debug)]
pub struct Core {
    handle: Handle,
    actor: JoinHandle<()>,
    work: TaskTracker,
    quit: CancellationToken,
    /// Ends commands that wait for something to happen.
    ending: CancellationToken,
    activity: Activity,
    _lock: InstanceLock,
}

impl Core {
    /// Locks the home, reads its settings and starts the core's task. Needs a tokio runtime.
    ///
    /// # Errors
    /// The home is in use, or its settings cannot be used; the file is left alone.
    pub fn start(options: StartOptions) -> Result<Self, StartError> {
        let StartOptions {
            home,
            demo,
            environment,
            upstream,
            folder_picker,
            siyuan_port_file,
            autostart_folder,
            credentials,
        } = options;
        let lock = home.lock()?;
        let (settings_file, settings) = SettingsFile::open(&home.settings_file())?;

        let access = Access::new(Policy::from_settings(&settings, FIRST_GENERATION));
        let service = Arc::new(Service::new(ServiceConfig {
            environment: environment.clone(),
            protected: home.folders(),
            upstream,
            call_time: Duration::from_secs(settings.gateway.limits.call_seconds),
        }));
        let filters = Filters::default();
        let retention = in_force(&settings.activity);
        let activity =
            Activity::open(home.activity_file(), retention, filters.clone()).map_err(StartError::Activity)?;
        let log = activity.log().clone();
        let approvals = Approvals::new(filters.clone(), FIRST_GENERATION, Times::default());
        let (kernels, findings) = Kernels::new(KernelsConfig {
            port_file: siyuan_port_file,
            home: home.root().to_owned(),
            credentials: Credentials::new(credentials, filters.clone()),
        });
        kernels.configure(settings.siyuan.clone());
        let contract = Arc::new(Contract::new(home.contract_file()));
        let surroundings = Surroundings {
            observer: Arc::new(Recorder(log.clone())),
            approver: Arc::new(Asker(approvals.clone())),
            filters: filters.clone(),
        };
        let endpoints = Endpoints::new(Arc::clone(&contract));
        let siyuan = siyuan::Service::new(kernels.clone(), contract, surroundings);
        let tools = Tools::new(access.clone(), service, siyuan, log.clone(), filters, call_config(&settings));

        let (inbox, messages) = mpsc::unbounded_channel();
        let work = TaskTracker::new();
        let [quit, stop, ending] = std::array::from_fn(|_| CancellationToken::new());
        let endpoint_wanted = Arc::new(Notify::new());
        let actor = Actor::new(Foundation {
            settings,
            settings_file,
            home,
            demo,
            access: access.clone(),
            tools: tools.clone(),
            kernels,
            endpoints,
            activity: log,
            approvals: approvals.clone(),
            folder_picker,
            autostart_folder,
            environment,
            inbox: inbox.downgrade(),
            work: work.clone(),
            stop: stop.clone(),
            ending: ending.clone(),
            endpoint_wanted: Arc::clone(&endpoint_wanted),
        });
        work.spawn(approvals.clone().keep_time(quit.clone()));
        let snapshots = actor.subscribe();
        let actor = tokio::spawn(actor.run(messages, findings, quit.clone()));
        let handle = Handle { inbox, snapshots, access, tools, approvals, stop, endpoint_wanted };
        Ok(Self { handle, actor, work, quit, ending, activity, _lock: lock })
    }

    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Revokes every grant and waits until running calls have cleaned up, those revoked earlier
    /// included (FR-10). Stop accepting requests before, close sessions and server after.
    pub async fn end_calls(&self) {
        self.ending.cancel();
        self.handle.access.close();
        self.handle.tools.close().await;
    }

    /// Ends the core after [`Core::end_calls`], and gives the home free.
    pub async fn close(self) {
        self.end_calls().await;
        self.quit.cancel();
        self.work.close();
        self.work.wait().await;
        if let Err(error) = self.actor.await {
            tracing::error!(%error, "the core's task did not end well");
        }
        self.activity.close().await;
    }
}

/// What calls rest on, from the settings.
pub(super) fn call_config(settings: &settings::Settings) -> CallConfig {
    CallConfig {
        scope: Scope::from_setting(&settings.obsidian.vault_path),
        engine: match settings.obsidian.engine {
            VaultEngine::Native => Engine::Native,
            VaultEngine::Upstream => Engine::Upstream,
        },
        limits: settings.gateway.limits,
    }
}

/// How long the record is kept, from the settings.
pub(super) fn in_force(settings: &ActivitySettings) -> Retention {
    Retention { days: settings.keep_days, rows: settings.keep_rows }
}

/// Kept for the snapshot: the folder that a person would open.
pub(super) fn shown_home(home: &Home) -> PathBuf {
    home.root().to_owned()
}

// The trait objects and services above are shared across threads; this holds them to it.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Handle>();
    shared::<obsidian::Service>();
};
