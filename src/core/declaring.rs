//! What a kernel offers beyond its contract: declared by the person, or found by asking its MCP server. Neither gives a
//! permission.

use tokio_util::sync::CancellationToken;

use super::actor::{Actor, Answer, Message, reply};
use super::kernels::KernelMessage;
use super::{CommandError, Reply};
use crate::access::Revoke;
use crate::settings::{DeclaredEndpoint, DiscoveredTool, InvalidField, KernelId, KernelPlace};
use crate::siyuan::contract::declared_key;
use crate::siyuan::kernels::KernelError;

type Outcome = Result<Reply, CommandError>;

impl Actor {
    /// The contract may have to be read from the disk, so that is done beside the actor.
    pub(super) fn begin_declaring(&mut self, kernel: KernelId, typed: DeclaredEndpoint, answer: Answer) {
        if let Err(error) = self.known_kernel(&kernel) {
            return reply(answer, Err(error));
        }
        // A core that is closing has no inbox any more, and nobody to tell.
        let Some(inbox) = self.inbox.upgrade() else { return };
        let siyuan = self.tools.siyuan().clone();
        self.work.spawn(async move {
            let declared =
                siyuan.catalogue().await.map_err(|error| CommandError::new(error.code(), error.to_string()));
            let declared = declared.and_then(|catalogue| {
                let key = declared_key(&catalogue, &typed);
                let key = key.map_err(|error| InvalidField::new("endpoint", error.to_string()))?;
                Ok(DeclaredEndpoint { endpoint: key.to_string(), note: typed.note.trim().to_owned() })
            });
            let _ = inbox.send(Message::Kernel(KernelMessage::Declared { kernel, declared, answer }));
        });
    }

    /// Keeps it; one that was declared before gets the new note.
    pub(super) async fn keep_declared(&mut self, id: KernelId, declared: DeclaredEndpoint) -> Outcome {
        self.known_kernel(&id)?;
        self.change(Revoke::Nothing, |settings| {
            if let Some(kernel) = settings.siyuan.kernel_mut(&id) {
                kernel.declared.retain(|known| known.endpoint != declared.endpoint);
                kernel.declared.push(declared);
            }
        })
        .await
    }

    pub(super) async fn forget_endpoint(&mut self, id: KernelId, endpoint: &str) -> Outcome {
        let kernel = self.known_kernel(&id)?;
        if !kernel.declared.iter().any(|declared| declared.endpoint == endpoint) {
            let problem = format!("{endpoint} was not declared by hand, so it cannot be taken away");
            return Err(CommandError::new("not_declared", problem));
        }
        self.change(Revoke::Nothing, |settings| {
            if let Some(kernel) = settings.siyuan.kernel_mut(&id) {
                kernel.declared.retain(|declared| declared.endpoint != endpoint);
                kernel.permissions.remove(endpoint);
            }
        })
        .await
    }

    pub(super) fn begin_discovery(&mut self, id: KernelId, answer: Answer) {
        let place = match self.known_kernel(&id) {
            Ok(kernel) if kernel.disabled => return reply(answer, Err(KernelError::Disabled(id).into())),
            Ok(kernel) => kernel.place(),
            Err(error) => return reply(answer, Err(error)),
        };
        let Some(inbox) = self.inbox.upgrade() else { return };
        let (siyuan, cancel): (_, CancellationToken) =
            (self.tools.siyuan().clone(), self.ending.child_token());
        self.work.spawn(async move {
            let found = siyuan.discover_tools(&id, &cancel).await;
            let message = KernelMessage::Discovered { kernel: id, place, found, answer };
            let _ = inbox.send(Message::Kernel(message));
        });
    }

    /// Keeps what was found, if the kernel is still the server that was asked.
    pub(super) async fn keep_discovered(
        &mut self,
        id: &KernelId,
        place: &KernelPlace,
        found: Result<Vec<DiscoveredTool>, KernelError>,
    ) -> Outcome {
        let tools = found?;
        let now = self.known_kernel(id)?.place();
        // A kernel that was bound by being asked is the same one, with the process that it was bound to.
        let is_the_same = KernelPlace { pid: place.pid.or(now.pid), ..place.clone() } == now;
        if !is_the_same {
            return Err(KernelError::Changed.into());
        }
        let kept = tools.clone();
        self.change(Revoke::Nothing, |settings| {
            if let Some(kernel) = settings.siyuan.kernel_mut(id) {
                kernel.discovered = kept;
            }
        })
        .await?;
        Ok(Reply::ToolsDiscovered { tools })
    }
}
