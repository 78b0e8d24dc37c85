//! The window's way to the core: it reads snapshots and sends commands, nothing else.
//!
//! Nothing here waits on the window's thread. An answer is awaited on the async runtime, which then
//! asks for a frame; the frame finds the answer in its [`Pending`].

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{oneshot, watch};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use super::notify::{self, Notice};
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
    /// What is to be told on the desktop now, in place of what was told before.
    fn tell(&self, notice: Option<Notice>);
    /// Whether the person has clicked the notice since this was asked last.
    fn was_called(&self) -> bool;
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
    notices: Arc<watch::Sender<Option<Notice>>>,
    called: Arc<AtomicBool>,
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
    /// Follows the core's snapshots from now on and asks `ctx` for a frame with each. Whoever looks at them can answer
    /// what a person is asked.
    pub fn new(handle: Handle, runtime: tokio::runtime::Handle, ctx: egui::Context) -> Self {
        let (tasks, closed, screen) = (TaskTracker::new(), CancellationToken::new(), Screen(ctx));
        let (answerer, following) =
            (handle.approvals().answerer(), follow(handle.clone(), screen.clone(), closed.clone()));
        tasks.spawn_on(
            async move {
                let _there = answerer;
                following.await;
            },
            &runtime,
        );
        let _ends_tasks = Arc::new(closed.clone().drop_guard());
        let (notices, called) = (Arc::new(watch::Sender::new(None)), Arc::default());
        Self { handle, runtime, screen, tasks, closed, notices, called, _ends_tasks }
    }

    /// Passes on to the desktop what there is to be told.
    pub fn tell_on_desktop(&self) {
        let (called, screen) = (Arc::clone(&self.called), self.screen.clone());
        let following = notify::follow(self.notices.subscribe(), self.closed.clone(), move || {
            called.store(true, Ordering::Relaxed);
            screen.0.request_repaint();
        });
        self.tasks.spawn_on(following, &self.runtime);
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

    fn tell(&self, notice: Option<Notice>) {
        self.notices.send_if_modified(|told| {
            let differs = *told != notice;
            *told = notice;
            differs
        });
    }

    fn was_called(&self) -> bool {
        self.called.swap(false, Ordering::Relaxed)
    }

    fn is_ending(&self) -> bool {
        self.handle.stop_requested().is_cancelled() || self.handle.snapshot().closing
    }
}
