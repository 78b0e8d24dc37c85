//! The way from a verb to a core: the running instance, or one that is started for this verb alone.

use std::time::{Duration, Instant};

use serde::Deserialize;

use super::clean_log;
use super::failure::Failure;
use super::signals::Signals;
use super::status::snapshot_of;
use crate::core::{Command, CommandError, Core, GatewayState, Home, Reply, StartError, StartOptions};
use crate::gateway::{CHALLENGE, ControlFile, ControlFileError};
use crate::secrets::{self, Purpose, Secret};
use crate::settings::{HomeError, KeyDigest};

/// How long an instance may take to answer that it is there.
pub const ANSWER_TIME: Duration = Duration::from_secs(3);

/// How long a home may be held by someone who cannot be reached: another verb at work, or an
/// instance that is just starting or ending.
const HELD_TIME: Duration = Duration::from_secs(10);

const POLL: Duration = Duration::from_millis(50);

/// What `/health` says of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Health {
    pub status: String,
    pub version: String,
    pub revision: u64,
    /// That it is the instance that was asked for; see [`prove`].
    #[serde(default)]
    proof: Option<KeyDigest>,
}

impl Health {
    /// Whether the endpoint is open, and not our own control API alone.
    pub fn is_open(&self) -> bool {
        self.status == "ok"
    }
}

/// A client for our own endpoint: straight to the loopback address, whatever proxy is set, and a
/// fresh connection each time, since an instance may have restarted in between.
pub fn http_client() -> Result<reqwest::Client, Failure> {
    // reqwest wants one before it makes any client, also one that speaks plain HTTP; a second one is
    // refused, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .pool_max_idle_per_host(0)
        .connect_timeout(ANSWER_TIME)
        .build()
        .map_err(|error| Failure::new("internal", format!("cannot make an HTTP client: {error}")))
}

/// Whether an instance of ours answers at `origin` (`http://127.0.0.1:27277`). Sends no secret.
pub async fn health(client: &reqwest::Client, origin: &str) -> Option<Health> {
    asked(client.get(format!("{origin}/health"))).await
}

async fn asked(request: reqwest::RequestBuilder) -> Option<Health> {
    let answer = request.timeout(ANSWER_TIME).send().await.ok()?;
    let health = answer.json::<Health>().await.ok()?;
    matches!(health.status.as_str(), "ok" | "control-only").then_some(health)
}

/// Whether what answers there is the instance that wrote this control file, and not another program
/// that has its port by now: it must know the control token. Sends no secret.
pub async fn prove(client: &reqwest::Client, control: &ControlFile) -> Option<Health> {
    let challenge = Secret::generate(Purpose::Control).ok()?;
    let request = client.get(format!("http://{}/health", control.address));
    let mut health = asked(request.header(CHALLENGE, challenge.reveal())).await?;
    // Left out of the rest, so that two answers of one instance are the same.
    let proof = health.proof.take()?;
    secrets::same(&proof, &control.token.proof(challenge.reveal())).then_some(health)
}

/// The control file of a home, if there is a whole one.
///
/// # Errors
/// Others could have written it.
pub async fn control_file(home: &Home) -> Result<Option<ControlFile>, Failure> {
    let home = home.clone();
    match tokio::task::spawn_blocking(move || ControlFile::read(&home)).await {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error @ ControlFileError::Exposed { .. })) => {
            Err(Failure::new("control_file", error.to_string()))
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, "no running instance is looked for");
            Ok(None)
        }
        Err(_) => Ok(None),
    }
}

/// Whether some instance has the home: its lock says so, which the system frees when it dies.
async fn is_in_use(home: &Home) -> bool {
    let home = home.clone();
    tokio::task::spawn_blocking(move || home.is_in_use()).await.unwrap_or(true)
}

/// An instance that runs and answers.
#[derive(Debug)]
pub struct Running {
    client: reqwest::Client,
    pub control: ControlFile,
    /// The endpoint is open.
    open: bool,
}

impl Running {
    /// The instance of this home, or `None`. A control file that a dead instance left counts as none.
    pub async fn find(home: &Home) -> Result<Option<Self>, Failure> {
        if !is_in_use(home).await {
            return Ok(None);
        }
        let client = http_client()?;
        let mut read = control_file(home).await?;
        while let Some(control) = read {
            if let Some(health) = prove(&client, &control).await {
                return Ok(Some(Self { client, control, open: health.is_open() }));
            }
            // An instance that just opened its endpoint has moved there from its control port.
            read = control_file(home).await?.filter(|now| *now != control);
        }
        Ok(None)
    }

    /// The address of the endpoint.
    ///
    /// # Errors
    /// It is not open; the text says why.
    pub async fn endpoint(&self) -> Result<String, String> {
        if self.open {
            return Ok(format!("http://{}/mcp", self.control.address));
        }
        let snapshot = self.request(&Command::Status).await.and_then(snapshot_of);
        match snapshot.map(|snapshot| snapshot.gateway) {
            Ok(GatewayState::Listening { url, .. }) => Ok(url),
            Ok(GatewayState::Failed { error, .. }) => Err(error.message),
            Ok(GatewayState::Starting) => Err("it is starting".into()),
            Ok(GatewayState::Stopped { .. }) => Err("it is ending".into()),
            Err(failure) => Err(failure.to_string()),
        }
    }

    /// Gives a command to the instance.
    ///
    /// # Errors
    /// As the command says, or the instance went away meanwhile.
    pub async fn request(&self, command: &Command) -> Result<Reply, Failure> {
        let lost = |error: reqwest::Error| {
            Failure::new("lost", format!("the running Notegate did not answer: {}", root_cause(&error)))
                .hint("see whether it still runs with `notegate status`")
        };
        let answer = self
            .client
            .post(self.control.url())
            .bearer_auth(self.control.token.reveal())
            .json(command)
            .send()
            .await
            .map_err(lost)?;
        let status = answer.status();
        let body = answer.bytes().await.map_err(lost)?;
        if status.is_success() {
            return serde_json::from_slice(&body).map_err(|error| {
                Failure::new(
                    "not_understood",
                    format!(
                        "the answer of the running Notegate {} was not understood: {error}",
                        self.control.version
                    ),
                )
                .hint("use the same version of both: stop it with `notegate stop` and start it anew")
            });
        }
        match serde_json::from_slice::<CommandError>(&body) {
            Ok(error) => Err(error.into()),
            Err(_) => {
                Err(Failure::new("refused", format!("the running Notegate refused the command: {status}"))
                    .hint("use the same version of both: stop it with `notegate stop` and start it anew"))
            }
        }
    }
}

/// What lies at the bottom of a network error, without the address that everyone knows.
pub fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Carries out a command on the running instance, else on the home itself.
pub async fn execute(command: Command) -> Result<Reply, Failure> {
    let home = Home::from_environment()?;
    match reach(&home).await? {
        Reach::Running(running) => running.request(&command).await,
        Reach::Own(core) => {
            let mut signals = Signals::install()?;
            let outcome = tokio::select! {
                outcome = core.handle().request(command) => outcome.map_err(Failure::from),
                () = signals.next() => Err(Failure::new("interrupted", "interrupted by a signal")),
            };
            core.close().await;
            outcome
        }
    }
}

/// Carries out a command on the running instance.
///
/// # Errors
/// [`Failure::not_running`] when there is none.
pub async fn execute_on_running(command: Command) -> Result<Reply, Failure> {
    let home = Home::from_environment()?;
    let running = Running::find(&home).await?.ok_or_else(Failure::not_running)?;
    running.request(&command).await
}

enum Reach {
    Running(Running),
    Own(Core),
}

async fn reach(home: &Home) -> Result<Reach, Failure> {
    match start_core(StartOptions::new(home.clone())).await? {
        Started::Core(core) => Ok(Reach::Own(core)),
        Started::Other(running) => Ok(Reach::Running(running)),
    }
}

/// What trying to start a core on a home came to.
pub enum Started {
    Core(Core),
    /// Another instance owns the home, and answers.
    Other(Running),
}

/// Starts a core, unless an instance that answers owns the home.
///
/// # Errors
/// The home cannot be used, or someone holds it who does not answer.
pub async fn start_core(options: StartOptions) -> Result<Started, Failure> {
    let home = options.home.clone();
    let deadline = Instant::now() + HELD_TIME;
    loop {
        if let Some(running) = Running::find(&home).await? {
            return Ok(Started::Other(running));
        }
        let attempt = options.clone();
        match Core::start(attempt) {
            Ok(core) => {
                clean_log::keep_out(core.handle().filters());
                // We own the home now, so a control file that is there is a dead instance's.
                let stale = home.control_file();
                let _ = tokio::task::spawn_blocking(move || std::fs::remove_file(stale)).await;
                return Ok(Started::Core(core));
            }
            Err(StartError::Home(HomeError::InUse(_))) if Instant::now() < deadline => {
                tokio::time::sleep(POLL).await;
            }
            Err(StartError::Home(error @ HomeError::InUse(_))) => {
                return Err(Failure::from(error).hint(
                    "it holds these files but does not answer: it may just be starting or ending; try again in a moment",
                ));
            }
            Err(error) => return Err(error.into()),
        }
    }
}
