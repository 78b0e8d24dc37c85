//! The way to the core for everyone above it.

use std::sync::Arc;

use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::actor::Message;
use super::{Command, CommandError, GatewayState, Reply, Snapshot};
use crate::access::Access;
use crate::access::approvals::Approvals;
use crate::secrets::filter::Filters;
use crate::tools::Tools;

/// Cheap to clone; works from any thread.
#[derive(Debug, Clone)]
pub struct Handle {
    pub(super) inbox: mpsc::UnboundedSender<Message>,
    pub(super) snapshots: watch::Receiver<Arc<Snapshot>>,
    pub(super) access: Access,
    pub(super) tools: Tools,
    pub(super) approvals: Approvals,
    pub(super) stop: CancellationToken,
    pub(super) endpoint_wanted: Arc<Notify>,
}

/// An answer that has not come yet. Dropping it does not take the command back.
#[derive(Debug)]
pub struct Waiting(oneshot::Receiver<Result<Reply, CommandError>>);

impl Waiting {
    /// The answer if it is there; never waits. For the window's thread.
    pub fn try_take(&mut self) -> Option<Result<Reply, CommandError>> {
        match self.0.try_recv() {
            Ok(answer) => Some(answer),
            Err(oneshot::error::TryRecvError::Empty) => None,
            Err(oneshot::error::TryRecvError::Closed) => Some(Err(CommandError::closing())),
        }
    }

    /// Waits for the answer.
    pub async fn answer(self) -> Result<Reply, CommandError> {
        self.0.await.unwrap_or_else(|_| Err(CommandError::closing()))
    }
}

impl Handle {
    /// Gives a command to the core. Never blocks.
    pub fn send(&self, command: Command) -> Waiting {
        let (answer, waiting) = oneshot::channel();
        // A core that has ended drops the message and with it the sender, which `Waiting` tells.
        let _ = self.inbox.send(Message::Command(command, answer));
        Waiting(waiting)
    }

    /// Gives a command and waits for its answer.
    ///
    /// # Errors
    /// As the command says; `closing` when the core has ended.
    pub async fn request(&self, command: Command) -> Result<Reply, CommandError> {
        self.send(command).answer().await
    }

    /// The latest snapshot. Never blocks.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshots.borrow())
    }

    /// Follows the snapshots.
    pub fn subscribe(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.clone()
    }

    /// Who may call.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// What can be called.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// What a person is being asked.
    pub fn approvals(&self) -> &Approvals {
        &self.approvals
    }

    /// What must not get out, for everyone who lets something out.
    pub fn filters(&self) -> &Filters {
        self.tools.filters()
    }

    /// Tells what became of the endpoint. For whoever runs the gateway.
    pub fn report_gateway(&self, state: GatewayState) {
        let _ = self.inbox.send(Message::Gateway(state));
    }

    /// Waits until somebody asks to open the endpoint again that could not be opened. For whoever runs the
    /// gateway, who then tries and reports.
    pub async fn endpoint_wanted(&self) {
        self.endpoint_wanted.notified().await;
    }

    /// Tells whether there is a window. For whoever shows it.
    pub fn report_window(&self, open: bool) {
        let _ = self.inbox.send(Message::Window { open });
    }

    /// Fires when somebody asked this instance to end. Whoever started it then closes it.
    pub fn stop_requested(&self) -> &CancellationToken {
        &self.stop
    }
}
