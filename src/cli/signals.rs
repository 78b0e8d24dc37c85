//! The signals that ask this process to end.

use std::io;
use std::time::{Duration, Instant};

use super::failure::Failure;

/// A signal that follows another one within this time is the same wish: `timeout`, a shell or a package
/// runner often sends one to the process and one to its group.
const SAME_WISH: Duration = Duration::from_millis(500);

/// Watches for them from its making on.
#[derive(Debug)]
pub struct Signals {
    streams: Streams,
    last: Option<Instant>,
}

impl Signals {
    /// # Errors
    /// The system does not let us watch.
    pub fn install() -> Result<Self, Failure> {
        let streams = Streams::install()
            .map_err(|error| Failure::new("internal", format!("cannot watch for signals: {error}")))?;
        Ok(Self { streams, last: None })
    }

    /// Waits for the next wish that this process end.
    pub async fn next(&mut self) {
        loop {
            self.streams.next().await;
            let now = Instant::now();
            let before = self.last.replace(now);
            if before.is_none_or(|before| now.duration_since(before) > SAME_WISH) {
                return;
            }
        }
    }
}

#[cfg(unix)]
#[derive(Debug)]
struct Streams([tokio::signal::unix::Signal; 3]);

#[cfg(unix)]
impl Streams {
    fn install() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let [interrupt, terminate, hangup] =
            [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        Ok(Self([signal(interrupt)?, signal(terminate)?, signal(hangup)?]))
    }

    async fn next(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}

#[cfg(windows)]
#[derive(Debug)]
struct Streams(tokio::signal::windows::CtrlC, tokio::signal::windows::CtrlClose);

#[cfg(windows)]
impl Streams {
    fn install() -> io::Result<Self> {
        use tokio::signal::windows::{ctrl_c, ctrl_close};
        Ok(Self(ctrl_c()?, ctrl_close()?))
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.0.recv() => {}
            _ = self.1.recv() => {}
        }
    }
}

/// Ends this process at once, for a window that does not close although it was asked to. Children
/// notice by the end of their input.
pub fn end_process() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, kill};
        let _ = kill(nix::unistd::Pid::this(), Signal::SIGKILL);
    }
    std::process::abort();
}
