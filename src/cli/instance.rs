//! A whole instance: core, gateway and control file, put together and taken apart in the right order.
//! `serve`, the window and the demonstration all run one of these.

use std::time::SystemTime;

use super::failure::{Exit, Failure};
use super::reach::{Running, Started, start_core};
use super::signals::Signals;
use crate::core::{CommandError, Core, GatewayState, Handle, Home, StartOptions};
use crate::gateway::{ControlFile, ControlFileError, Gateway, GatewayError, GatewayOptions};
use crate::secrets::{Purpose, Secret};

/// Where an instance listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Port {
    /// The one in the settings.
    Saved,
    /// This one; 0 lets the system choose.
    Given(u16),
    /// The one in the settings, or any free one where it is taken.
    SavedOrFree,
}

/// An instance that runs. Close it.
pub struct Instance {
    core: Core,
    home: Home,
    /// The endpoint, or why there is none; the window then shows that.
    endpoint: Result<Endpoint, Failure>,
}

struct Endpoint {
    gateway: Gateway,
    control: ControlFile,
}

/// What trying to start an instance came to.
pub enum Begun {
    Instance(Box<Instance>),
    /// One runs already on this home.
    Other(Running),
}

impl Instance {
    /// Starts the core, then the gateway, and says in the control file where it is.
    ///
    /// # Errors
    /// The home or its settings cannot be used. A gateway that cannot start is no error here, see
    /// [`Instance::gateway`].
    pub async fn start(options: StartOptions, port: Port) -> Result<Begun, Failure> {
        let home = options.home.clone();
        let core = match start_core(options).await? {
            Started::Core(core) => core,
            Started::Other(running) => return Ok(Begun::Other(running)),
        };
        let endpoint = open_endpoint(core.handle(), &home, port).await;
        if let Ok(Endpoint { gateway, .. }) = &endpoint {
            tracing::info!(version = env!("CARGO_PKG_VERSION"), url = gateway.mcp_url(), "serving");
        }
        if let Err(failure) = &endpoint {
            // For the file alone: the window shows it, and `serve` ends with it.
            tracing::info!(%failure, "the endpoint could not be opened");
            let state = GatewayState::Failed { error: for_window(failure), at: SystemTime::now() };
            core.handle().report_gateway(state);
        }
        Ok(Begun::Instance(Box::new(Self { core, home, endpoint })))
    }

    pub fn handle(&self) -> &Handle {
        self.core.handle()
    }

    /// The endpoint, if it could be opened.
    pub fn gateway(&self) -> Option<&Gateway> {
        self.endpoint.as_ref().ok().map(|endpoint| &endpoint.gateway)
    }

    /// Closes an instance whose endpoint could not be opened, and gives back why; else passes it on.
    pub async fn with_gateway(self) -> Result<Self, Failure> {
        match self.endpoint {
            Ok(_) => Ok(self),
            Err(failure) => {
                self.core.close().await;
                Err(failure)
            }
        }
    }

    /// Waits until somebody asks this instance to end: a signal, or `notegate stop`.
    pub async fn until_asked_to_end(&self, signals: &mut Signals) {
        tokio::select! {
            () = signals.next() => {}
            () = self.handle().stop_requested().cancelled() => {}
        }
    }

    /// Ends the instance: takes no more requests, ends the calls and waits until they have cleaned up,
    /// then closes sessions, server and core. A further signal ends the waiting at once.
    pub async fn close(self, signals: &mut Signals) -> Result<Exit, Failure> {
        tokio::select! {
            () = self.close_in_order() => Ok(Exit::Done),
            () = signals.next() => {
                Err(Failure::new("interrupted", "ended at once by a second signal; running calls were abandoned"))
            }
        }
    }

    async fn close_in_order(self) {
        let Self { core, home, endpoint } = self;
        tracing::info!("ending");
        if let Ok(endpoint) = &endpoint {
            endpoint.gateway.stop_accepting();
        }
        core.end_calls().await;
        if let Ok(Endpoint { gateway, control }) = endpoint {
            gateway.finish().await;
            // Before the home is given free: a next instance then finds no file of ours.
            on_disk(move || control.remove(&home)).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "the control file could not be removed");
            });
        }
        core.close().await;
        tracing::info!("ended");
    }
}

async fn open_endpoint(handle: &Handle, home: &Home, port: Port) -> Result<Endpoint, Failure> {
    let saved = handle.snapshot().port;
    let token = Secret::generate(Purpose::Control).map_err(CommandError::from)?;
    let open = |port| Gateway::start(handle.clone(), GatewayOptions { port, control: token.clone() });
    let opened = match port {
        Port::Saved => open(saved).await,
        Port::Given(port) => open(port).await,
        Port::SavedOrFree => match open(saved).await {
            Err(GatewayError::PortTaken(_)) => open(0).await,
            opened => opened,
        },
    };
    let gateway = opened.map_err(|error| CommandError::from(&error))?;
    let control = ControlFile::of_this_process(gateway.address(), token);
    let (file, place) = (control.clone(), home.clone());
    match on_disk(move || file.write(&place)).await {
        Ok(()) => Ok(Endpoint { gateway, control }),
        Err(error) => {
            // Without the file our own command line could not reach this instance, not even to end it.
            gateway.finish().await;
            Err(Failure::new("control_file", error))
        }
    }
}

async fn on_disk(work: impl FnOnce() -> Result<(), ControlFileError> + Send + 'static) -> Result<(), String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// For the window, which speaks in the core's errors.
fn for_window(failure: &Failure) -> CommandError {
    match failure {
        Failure::Told { code, message, .. } => CommandError::new(code, message.clone()),
        Failure::ReaderGone => CommandError::new("internal", failure.to_string()),
    }
}
