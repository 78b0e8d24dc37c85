//! A whole instance: core, gateway and control file, put together and taken apart in the right order.
//! `serve`, the window and the demonstration all run one of these.

use std::time::SystemTime;

use tokio_util::sync::CancellationToken;

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
    port: Port,
    /// The endpoint, or why there is none; the window then shows that.
    endpoint: Result<Served, Failure>,
    /// What our own command line reaches while there is no endpoint.
    control_only: Option<Served>,
}

/// A gateway, and the file that says where it is.
struct Served {
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
        let mut instance =
            Self { core, home, port, endpoint: Err(Failure::not_running()), control_only: None };
        instance.open().await;
        Ok(Begun::Instance(Box::new(instance)))
    }

    /// Opens the endpoint; the core is told what became of it.
    async fn open(&mut self) {
        self.endpoint = open_endpoint(self.core.handle(), &self.home, self.port).await;
        match &self.endpoint {
            Ok(Served { gateway, .. }) => {
                tracing::info!(version = env!("CARGO_PKG_VERSION"), url = gateway.mcp_url(), "serving");
            }
            Err(failure) => {
                // For the file alone: the window shows it, and `serve` ends with it.
                tracing::info!(%failure, "the endpoint could not be opened");
            }
        }
    }

    pub fn handle(&self) -> &Handle {
        self.core.handle()
    }

    /// The endpoint, if it could be opened.
    pub fn gateway(&self) -> Option<&Gateway> {
        self.endpoint.as_ref().ok().map(|served| &served.gateway)
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

    /// Makes sure that our own command line reaches this instance, also where the endpoint could not be
    /// opened: it must be possible to ask it why, and to end it.
    pub async fn with_control(mut self) -> Self {
        if self.endpoint.is_err() {
            match open_control_only(self.handle(), &self.home).await {
                Ok(served) => self.control_only = Some(served),
                Err(failure) => tracing::warn!(%failure, "the command line cannot reach this instance"),
            }
        }
        self
    }

    /// Tries again to open the endpoint whenever somebody asks for it, until `closed` fires.
    pub async fn keep_endpoint(&mut self, closed: &CancellationToken) {
        loop {
            tokio::select! {
                () = closed.cancelled() => return,
                () = self.core.handle().endpoint_wanted() => {}
            }
            if self.endpoint.is_err() {
                self.open().await;
            }
            if self.endpoint.is_ok()
                && let Some(served) = self.control_only.take()
            {
                // The control file names the endpoint by now.
                served.gateway.finish().await;
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
        let Self { core, home, endpoint, control_only, .. } = self;
        tracing::info!("ending");
        let served: Vec<Served> = endpoint.into_iter().chain(control_only).collect();
        served.iter().for_each(|served| served.gateway.stop_accepting());
        core.end_calls().await;
        for Served { gateway, control } in served {
            gateway.finish().await;
            // Before the home is given free: a next instance then finds no file of ours.
            let home = home.clone();
            on_disk(move || control.remove(&home)).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "the control file could not be removed");
            });
        }
        core.close().await;
        tracing::info!("ended");
    }
}

async fn open_endpoint(handle: &Handle, home: &Home, port: Port) -> Result<Served, Failure> {
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
    // A gateway that does not open tells the core so by itself.
    let gateway = opened.map_err(|error| CommandError::from(&error))?;
    Served::announced(gateway, token, home).await.inspect_err(|failure| {
        let state = GatewayState::Failed { error: for_window(failure), at: SystemTime::now() };
        handle.report_gateway(state);
    })
}

async fn open_control_only(handle: &Handle, home: &Home) -> Result<Served, Failure> {
    let token = Secret::generate(Purpose::Control).map_err(CommandError::from)?;
    let opened = Gateway::start_control_only(handle.clone(), token.clone()).await;
    Served::announced(opened.map_err(|error| CommandError::from(&error))?, token, home).await
}

impl Served {
    /// Says in the control file where a gateway is.
    async fn announced(gateway: Gateway, token: Secret, home: &Home) -> Result<Self, Failure> {
        let control = ControlFile::of_this_process(gateway.address(), token);
        let (file, place) = (control.clone(), home.clone());
        match on_disk(move || file.write(&place)).await {
            Ok(()) => Ok(Self { gateway, control }),
            Err(error) => {
                // Without the file our own command line could not reach this instance, not even to end it.
                gateway.finish().await;
                Err(Failure::new("control_file", error))
            }
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

#[cfg(test)]
#[path = "instance_tests.rs"]
mod tests;
