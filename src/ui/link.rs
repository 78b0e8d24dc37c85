//! The window's way to the core: it reads snapshots and sends commands, nothing else.
//!
//! Nothing here waits on the window's thread. An answer is awaited on the async runtime, which then
//! asks for a frame; the frame finds the answer in its [`Pending`].

use std::fmt;
use std::sync::Arc;

use tokio::sync::oneshot;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use crate::core::{Command, CommandError, Handle, Reply, Snapshot};

/// What a command came to.
pub type Outcome = Result<Reply, CommandError>;

/// What a page needs of the core.
pub trait Link: fmt::Debug {
    /// The latest snapshot.
    fn snapshot(&self) -> Arc<Snapshot>;
    /// Gives a command to the core.
    fn send(&self, command: Command) -> Pending;
    /// The instance is ending, and the window with it.
    fn is_ending(&self) -> bool;
}

/// An answer that the window waits for without waiting.
#[derive(Debug)]
pub struct Pending(oneshot::Receiver<Outcome>);

impl Pending {
    pub fn new() -> (oneshot::Sender<Outcome>, Self) {
        let (sender, receiver) = oneshot::channel();
        (sender, Self(receiver))
    }

    /// The answer, once, when it is there.
    pub fn poll(&mut self) -> Option<Outcome> {
        match self.0.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(oneshot::error::TryRecvError::Empty) => None,
            Err(oneshot::error::TryRecvError::Closed) => Some(Err(CommandError::closing())),
        }
    }
}

/// Takes the answer out of `slot` when it has come, and empties the slot.
pub fn take(slot: &mut Option<Pending>) -> Option<Outcome> {
    let outcome = slot.as_mut()?.poll()?;
    *slot = None;
    Some(outcome)
}

/// The link to a running core. Its tasks end with [`CoreLink::close`], or with the last clone.
#[derive(Debug, Clone)]
pub struct CoreLink {
    handle: Handle,
    runtime: tokio::runtime::Handle,
    screen: Screen,
    tasks: TaskTracker,
    closed: CancellationToken,
    _ends_tasks: Arc<DropGuard>,
}

/// The screen that is asked for a frame when something changed.
#[derive(Clone)]
struct Screen(egui::Context);

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Screen")
    }
}

impl CoreLink {
    /// Follows the core's snapshots from now on and asks `ctx` for a frame with each.
    pub fn new(handle: Handle, runtime: tokio::runtime::Handle, ctx: egui::Context) -> Self {
        let (tasks, closed, screen) = (TaskTracker::new(), CancellationToken::new(), Screen(ctx));
        tasks.spawn_on(follow(handle.clone(), screen.clone(), closed.clone()), &runtime);
        let _ends_tasks = Arc::new(closed.clone().drop_guard());
        Self { handle, runtime, screen, tasks, closed, _ends_tasks }
    }

    /// Ends the tasks of this link and waits for them. For the thread of the window, when it is gone.
    pub fn close(&self) {
        self.closed.cancel();
        self.tasks.close();
        self.runtime.block_on(self.tasks.wait());
    }
}

async fn follow(handle: Handle, screen: Screen, closed: CancellationToken) {
    let mut snapshots = handle.subscribe();
    let stop = handle.stop_requested();
    let mut told = false;
    loop {
        tokio::select! {
            () = closed.cancelled() => return,
            changed = snapshots.changed() => if changed.is_err() { return },
            () = stop.cancelled(), if !told => told = true,
        }
        screen.0.request_repaint();
    }
}

impl Link for CoreLink {
    fn snapshot(&self) -> Arc<Snapshot> {
        self.handle.snapshot()
    }

    fn send(&self, command: Command) -> Pending {
        let (sender, pending) = Pending::new();
        let waiting = self.handle.send(command);
        let (screen, closed) = (self.screen.clone(), self.closed.clone());
        let answer = async move {
            tokio::select! {
                outcome = waiting.answer() => {
                    // The page may be gone; the command is carried out all the same.
                    let _ = sender.send(outcome);
                    screen.0.request_repaint();
                }
                () = closed.cancelled() => {}
            }
        };
        self.tasks.spawn_on(answer, &self.runtime);
        pending
    }

    fn is_ending(&self) -> bool {
        self.handle.stop_requested().is_cancelled() || self.handle.snapshot().closing
    }
}
