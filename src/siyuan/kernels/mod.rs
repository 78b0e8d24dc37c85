//! Kernels: where each is, whether it is still the one that was meant, and the way in.
//!
//! A kernel of this computer is found by SiYuan's port file, and bound to one process: by the person,
//! or by the first use while it is the only one that runs. A bound process that is gone is never
//! replaced by another one by itself; the person chooses anew, or says that SiYuan was restarted. What is found out on the way (a process, a
//! workspace, a refused token) is reported as a [`Finding`] to whoever owns the settings, and counts
//! once that was saved.
//!
//! Invariants: no port is tried that does not stand in the port file; nothing is sent to another kernel
//! than the one that was named; before a token goes to a port of this computer, the port is known to
//! belong to the bound process (how far that goes: `process.rs`); a refused token is not sent again.

mod check;
mod discovery;
mod error;
mod locate;
mod port_file;
mod probe;
mod process;
mod resume;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

pub use check::{CheckReport, CheckStep, CheckWarning};
pub use discovery::{Instance, instances};
pub use error::KernelError;
pub use port_file::default_port_file;

use super::transport::{AuthRefusal, Connection, Options, TransportError};
use crate::secrets::{Credentials, EntryName, Secret};
use crate::settings::{Kernel, KernelAddress, KernelId, KernelPlace, SiyuanSettings, TokenState};
use locate::{Located, owned};

/// What the kernels stand on.
#[derive(Debug, Clone)]
pub struct KernelsConfig {
    /// The port file of kernels that name none; `None` where the user has no folder.
    pub port_file: Option<PathBuf>,
    /// Our own home, which tells its keyring entries from those of another one.
    pub home: PathBuf,
    pub credentials: Credentials,
}

/// Something learnt about a kernel that must be saved. It holds for the server at `place` alone.
#[derive(Debug)]
pub struct Finding {
    pub kernel: KernelId,
    pub place: KernelPlace,
    pub seen: Seen,
    /// Whether it was saved, or why not.
    pub saved: oneshot::Sender<Result<(), KernelError>>,
}

/// What was learnt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// One kernel runs, and the unbound one is bound to its process.
    Process(u32),
    /// The person says that SiYuan was started again, and this process serves the workspace that is known.
    Restarted(u32),
    Workspace(String),
    TokenRefused,
}

/// The kernels as calls and checks use them. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Kernels {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    config: KernelsConfig,
    settings: Mutex<Arc<SiyuanSettings>>,
    findings: mpsc::UnboundedSender<Finding>,
    /// Checks of one kernel take turns: a wrong token is then tried once, not once by each.
    turns: Mutex<HashMap<KernelId, Arc<Semaphore>>>,
    /// What the last opening of each kernel in this process came to.
    tried: Mutex<HashMap<KernelId, Tried>>,
}

/// A server and a token, and whether the one let the other in.
#[derive(Debug, PartialEq, Eq)]
struct Tried {
    place: KernelPlace,
    token: Option<Secret>,
    right: bool,
}

/// A kernel that was opened: the way to it, with the token that it was opened with.
#[derive(Debug)]
pub struct Opened {
    pub connection: Connection,
    located: Located,
    token: Option<Secret>,
}

impl Opened {
    /// Whether the kernel runs on this computer, where a link to a note opens the right one.
    pub fn is_local(&self) -> bool {
        self.located.address.is_loopback()
    }
}

impl Kernels {
    /// The kernels, and what will be found out about them.
    pub fn new(config: KernelsConfig) -> (Self, mpsc::UnboundedReceiver<Finding>) {
        let (findings, found) = mpsc::unbounded_channel();
        let inner = Inner {
            config,
            settings: Mutex::default(),
            findings,
            turns: Mutex::default(),
            tried: Mutex::default(),
        };
        (Self { inner: Arc::new(inner) }, found)
    }

    /// Puts what was saved in force.
    pub fn configure(&self, settings: SiyuanSettings) {
        // What was tried with a token that is gone is not kept, nor is the token.
        self.inner.tried.lock().unwrap_or_else(PoisonError::into_inner).retain(|id, tried| {
            let kernel = settings.kernel(id);
            kernel.is_some_and(|kernel| (kernel.token == TokenState::None) == tried.token.is_none())
        });
        *self.inner.settings.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }

    /// What is in force now.
    pub fn settings(&self) -> Arc<SiyuanSettings> {
        Arc::clone(&self.inner.settings.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The store of the tokens.
    pub fn credentials(&self) -> &Credentials {
        &self.inner.config.credentials
    }

    /// The keyring entry of a kernel's token.
    pub fn entry(&self, id: &KernelId) -> EntryName {
        EntryName::kernel_token(&self.inner.config.home, id)
    }

    /// The kernel that a call goes to: the one that it names, else the one that its session chose, else
    /// the default. One that is gone or disabled is an error, never replaced by the next in order.
    ///
    /// # Errors
    /// There is none, it is gone, or it is disabled.
    pub fn target(&self, named: Option<&str>, session: Option<&str>) -> Result<KernelId, KernelError> {
        let settings = self.settings();
        let named = match named {
            Some(named) => Some(KernelId::new(named).map_err(|_| unknown(named))?),
            None => None,
        };
        let id = named
            .or_else(|| session.and_then(|session| settings.choice(session)).cloned())
            .or_else(|| settings.default_kernel.clone())
            .ok_or(KernelError::NoTarget)?;
        self.usable(&id).map(|kernel| kernel.id)
    }

    /// Opens a kernel for a call: finds it, and adds its token. Its first use in this process checks it,
    /// and binds it if it is not bound. The caller disposes of the connection, and gives what fails on it
    /// to [`Kernels::failed`].
    ///
    /// # Errors
    /// It cannot be found, is another one than it was, or its token cannot be had or was refused.
    pub async fn connect(&self, id: &KernelId, cancel: &CancellationToken) -> Result<Opened, KernelError> {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(KernelError::Cancelled),
            opened = self.connect_now(id, cancel) => opened,
        }
    }

    async fn connect_now(&self, id: &KernelId, cancel: &CancellationToken) -> Result<Opened, KernelError> {
        {
            let _turn = self.turn(id).await;
            let kernel = self.usable(id)?;
            let token = self.token(&kernel).await?;
            if self.was_tried(id, &kernel.place(), token.as_ref()) != Some(true) {
                self.check_in_turn(id, &|_| (), cancel).await?;
            }
        }
        let kernel = self.usable(id)?;
        let located = self.locate(&kernel, cancel).await?;
        let options = Options { timeout: timeout(&kernel), ..Options::default() };
        let opened = self.open(&kernel, located, options).await?;
        // A port of this computer that no process is named for may be another kernel's by now.
        if opened.is_local() && opened.located.place.pid.is_none() {
            let workspace = self.workspace(&kernel, &opened, cancel).await?;
            self.settle_workspace(&kernel, &opened.located, workspace.as_deref()).await?;
        }
        Ok(opened)
    }

    /// What a failure on an opened connection means; a refused token is noted, and not sent again.
    pub async fn failed(&self, id: &KernelId, opened: &Opened, error: TransportError) -> KernelError {
        match (error.root(), &opened.token) {
            (TransportError::Unauthorized(AuthRefusal::WrongToken), Some(refused)) => {
                self.note_tried(id, opened, false);
                // Another one may have been entered since.
                let now = self.credentials().read(&self.entry(id)).await;
                if now.as_ref() != Ok(refused) {
                    return KernelError::TokenRefused;
                }
                match self.record(id, &opened.located.place, Seen::TokenRefused).await {
                    // The process that refused it is not the one that the kernel is bound to.
                    Ok(()) | Err(KernelError::Changed) => KernelError::TokenRefused,
                    Err(error) => error,
                }
            }
            (TransportError::Unauthorized(AuthRefusal::TokenNeeded | AuthRefusal::NotLocal), Some(_)) => {
                KernelError::TokenLost
            }
            // A redirect may lead to a place that is named after the token.
            (_, Some(token)) if error.to_string().contains(token.reveal()) => {
                KernelError::NotAKernel(opened.located.address.to_string())
            }
            _ => error.into(),
        }
    }

    /// Makes sure that a kernel is bound, so that what is granted to it is granted to one server.
    ///
    /// # Errors
    /// It is not, and none or several run.
    pub async fn bind(&self, id: &KernelId, cancel: &CancellationToken) -> Result<(), KernelError> {
        let kernel = self.known(id)?;
        if kernel.address == KernelAddress::Auto && kernel.pid.is_none() {
            self.locate(&kernel, cancel).await?;
        }
        Ok(())
    }

    fn known(&self, id: &KernelId) -> Result<Kernel, KernelError> {
        self.settings().kernel(id).cloned().ok_or_else(|| unknown(id.as_str()))
    }

    fn usable(&self, id: &KernelId) -> Result<Kernel, KernelError> {
        let kernel = self.known(id)?;
        match (kernel.disabled, kernel.token) {
            (true, _) => Err(KernelError::Disabled(kernel.id)),
            (false, TokenState::Refused) => Err(KernelError::TokenRefused),
            (false, TokenState::None | TokenState::Stored) => Ok(kernel),
        }
    }

    /// Waits until no other check of this kernel runs.
    async fn turn(&self, id: &KernelId) -> Option<OwnedSemaphorePermit> {
        let turn = {
            let mut turns = self.inner.turns.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(turns.entry(id.clone()).or_insert_with(|| Arc::new(Semaphore::new(1))))
        };
        turn.acquire_owned().await.ok() // never closed
    }

    /// Whether a server was tried with a token in this process, and how that ended.
    fn was_tried(&self, id: &KernelId, place: &KernelPlace, token: Option<&Secret>) -> Option<bool> {
        let tried = self.inner.tried.lock().unwrap_or_else(PoisonError::into_inner);
        let tried = tried.get(id).filter(|tried| tried.place == *place && tried.token.as_ref() == token);
        tried.map(|tried| tried.right)
    }

    fn note_tried(&self, id: &KernelId, opened: &Opened, right: bool) {
        let Opened { located: Located { place, .. }, token, .. } = opened;
        let tried = Tried { place: place.clone(), token: token.clone(), right };
        self.inner.tried.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), tried);
    }

    async fn token(&self, kernel: &Kernel) -> Result<Option<Secret>, KernelError> {
        match kernel.token {
            TokenState::None => Ok(None),
            TokenState::Stored => Ok(Some(self.credentials().read(&self.entry(&kernel.id)).await?)),
            TokenState::Refused => Err(KernelError::TokenRefused),
        }
    }

    /// The connection with the token, which is given to the bound process alone.
    async fn open(&self, kernel: &Kernel, located: Located, options: Options) -> Result<Opened, KernelError> {
        let token = self.token(kernel).await?;
        // The keyring may have taken long, and the process may be gone by now.
        if let Some(pid) = located.place.pid {
            owned(pid, located.address.port()).await?;
        }
        // Where the refusal could not be saved, it counts all the same.
        if self.was_tried(&kernel.id, &located.place, token.as_ref()) == Some(false) {
            return Err(KernelError::TokenRefused);
        }
        // A token that no header carries is none that a kernel could have.
        let connection = Connection::new(located.address.clone(), token.as_ref(), options)
            .map_err(|_| KernelError::TokenRefused)?;
        Ok(Opened { connection, located, token })
    }

    /// Has something saved, and waits until it is.
    async fn record(&self, id: &KernelId, place: &KernelPlace, seen: Seen) -> Result<(), KernelError> {
        let (saved, waiting) = oneshot::channel();
        let finding = Finding { kernel: id.clone(), place: place.clone(), seen, saved };
        self.inner.findings.send(finding).map_err(|_| KernelError::Cancelled)?;
        waiting.await.unwrap_or(Err(KernelError::Cancelled))
    }
}

fn timeout(kernel: &Kernel) -> Duration {
    Duration::from_secs(kernel.timeout_seconds.into())
}

fn unknown(id: &str) -> KernelError {
    KernelError::Unknown(id.chars().take(80).collect())
}
