//! Adding, changing and removing SiYuan kernels; what is granted on them; what was found out of them.

use std::collections::BTreeMap;

use tokio_util::sync::CancellationToken;

use super::actor::{Actor, Answer, Message, reply};
use super::endpoints::canonical;
use super::tokens::Moved;
use super::{CommandError, KernelDraft, Reply};
use crate::access::{EndReason, Revoke, SessionLabel};
use crate::secrets::CredentialError;
use crate::settings::{
    Capability, DeclaredEndpoint, DiscoveredTool, InvalidField, Kernel, KernelAddress, KernelId, KernelPlace,
    Permission, Settings, TokenState,
};
use crate::siyuan::kernels::{CheckReport, CheckStep, Finding, KernelError, Seen};

type Outcome = Result<Reply, CommandError>;

/// What comes back from work on kernels that ran beside the actor.
#[derive(Debug)]
pub(super) enum KernelMessage {
    Step {
        kernel: KernelId,
        number: u64,
        step: CheckStep,
    },
    Checked {
        kernel: KernelId,
        number: u64,
        outcome: Result<CheckReport, KernelError>,
        answer: Answer,
    },
    /// A kernel was to go on with the process of a SiYuan that was restarted.
    Resumed {
        kernel: KernelId,
        outcome: Result<(), KernelError>,
        answer: Answer,
    },
    Token {
        kernel: KernelId,
        moved: Moved,
        outcome: Result<(), CredentialError>,
        answer: Answer,
    },
    /// A person declared an endpoint, and it was held against the contract.
    Declared {
        kernel: KernelId,
        declared: Result<DeclaredEndpoint, CommandError>,
        answer: Answer,
    },
    /// A kernel's MCP server was asked for its tools.
    Discovered {
        kernel: KernelId,
        place: KernelPlace,
        found: Result<Vec<DiscoveredTool>, KernelError>,
        answer: Answer,
    },
    /// A kernel was to be bound before something is granted on it.
    Bound {
        kernel: KernelId,
        permissions: BTreeMap<String, Permission>,
        outcome: Result<(), KernelError>,
        answer: Answer,
    },
}

/// A change of what SiYuan's grants work on ends them.
pub(super) fn kernel_changed() -> Revoke {
    Revoke::Containing(Capability::Siyuan, EndReason::TargetChanged(Capability::Siyuan))
}

impl Actor {
    pub(super) async fn take_kernel_message(&mut self, message: KernelMessage) {
        match message {
            KernelMessage::Step { kernel, number, step } => self.checks.step(&kernel, number, step),
            KernelMessage::Checked { kernel, number, outcome, answer } => {
                self.end_kernel_check(&kernel, number, outcome, answer);
            }
            KernelMessage::Resumed { kernel, outcome, answer } => {
                if outcome.is_ok() {
                    self.checks.forget(&kernel);
                }
                self.publish();
                reply(answer, outcome.map(|()| Reply::Done).map_err(CommandError::from));
            }
            KernelMessage::Token { kernel, moved, outcome, answer } => {
                self.end_token(kernel, moved, outcome, answer).await;
            }
            KernelMessage::Declared { kernel, declared, answer } => {
                let outcome = match declared {
                    Ok(declared) => self.keep_declared(kernel, declared).await,
                    Err(error) => Err(error),
                };
                self.publish();
                reply(answer, outcome);
            }
            KernelMessage::Discovered { kernel, place, found, answer } => {
                let outcome = self.keep_discovered(&kernel, &place, found).await;
                self.publish();
                reply(answer, outcome);
            }
            KernelMessage::Bound { kernel, permissions, outcome, answer } => {
                let outcome = match outcome {
                    Ok(()) => self.set_permissions(&kernel, permissions).await,
                    Err(error) => Err(error.into()),
                };
                self.publish();
                reply(answer, outcome);
            }
        }
    }

    pub(super) fn known_kernel(&self, id: &KernelId) -> Result<&Kernel, CommandError> {
        self.settings.siyuan.kernel(id).ok_or_else(|| KernelError::Unknown(id.to_string()).into())
    }

    pub(super) async fn add_kernel(&mut self, id: Option<KernelId>, draft: KernelDraft) -> Outcome {
        let id = match id {
            Some(id) if self.known_kernel(&id).is_ok() => {
                let taken = format!("there is a kernel {id} already; take another id, or edit that one");
                return Err(CommandError::new("kernel_exists", taken));
            }
            Some(id) => id,
            None => free_id(&self.settings, &draft.address)?,
        };
        let KernelDraft { name, address, timeout_seconds, port_file, pid } = draft;
        let kernel = Kernel {
            id,
            name: name.trim().to_owned(),
            address,
            timeout_seconds,
            port_file,
            pid,
            workspace: None,
            disabled: false,
            token: TokenState::None,
            permissions: BTreeMap::new(),
            declared: Vec::new(),
            discovered: Vec::new(),
        };
        kernel.validate()?;
        let view = self.kernel_view(&kernel);
        // Nothing works on it yet, so no grant rests on it.
        self.change(Revoke::Nothing, |settings| settings.siyuan.kernels.push(kernel)).await?;
        Ok(Reply::KernelAdded { kernel: Box::new(view) })
    }

    pub(super) async fn edit_kernel(&mut self, id: KernelId, draft: KernelDraft) -> Outcome {
        let mut kernel = self.known_kernel(&id)?.clone();
        let KernelDraft { name, address, timeout_seconds, port_file, pid } = draft;
        name.trim().clone_into(&mut kernel.name);
        kernel.timeout_seconds = timeout_seconds;
        kernel.move_to(KernelPlace { address, port_file, pid });
        self.replace_kernel(kernel).await
    }

    pub(super) async fn rebind_kernel(&mut self, id: KernelId) -> Outcome {
        let mut kernel = self.known_kernel(&id)?.clone();
        if kernel.address == KernelAddress::Auto {
            kernel.pid = None;
        }
        kernel.forget_server();
        self.replace_kernel(kernel).await
    }

    pub(super) async fn set_kernel_disabled(&mut self, id: KernelId, disabled: bool) -> Outcome {
        let kernel = Kernel { disabled, ..self.known_kernel(&id)?.clone() };
        self.replace_kernel(kernel).await
    }

    async fn replace_kernel(&mut self, kernel: Kernel) -> Outcome {
        kernel.validate()?;
        self.checks.forget(&kernel.id);
        self.change(kernel_changed(), |settings| {
            if let Some(old) = settings.siyuan.kernel_mut(&kernel.id) {
                *old = kernel;
            }
        })
        .await
    }

    /// Sessions that chose it keep their choice, and are refused.
    pub(super) async fn remove_kernel(&mut self, id: KernelId) -> Outcome {
        self.known_kernel(&id)?;
        self.checks.forget(&id);
        self.change(kernel_changed(), |settings| {
            settings.siyuan.kernels.retain(|kernel| kernel.id != id);
            if settings.siyuan.default_kernel.as_ref() == Some(&id) {
                settings.siyuan.default_kernel = None;
            }
        })
        .await
    }

    pub(super) async fn set_default_kernel(&mut self, id: Option<KernelId>) -> Outcome {
        if let Some(id) = &id {
            self.known_kernel(id)?;
        }
        self.change(Revoke::Nothing, |settings| settings.siyuan.default_kernel = id).await
    }

    pub(super) async fn choose_kernel(&mut self, session: SessionLabel, id: Option<KernelId>) -> Outcome {
        if let Some(id) = &id {
            self.known_kernel(id)?;
        }
        if self.access.session_owners(&session).is_empty()
            && self.settings.siyuan.choice(&session.0).is_none()
        {
            return Err(CommandError::new("unknown_session", "there is no such session any more"));
        }
        self.change(Revoke::Nothing, |settings| settings.siyuan.choose(&session.0, id)).await
    }

    pub(super) async fn begin_permissions(
        &mut self,
        id: KernelId,
        permissions: BTreeMap<String, Permission>,
        answer: Answer,
    ) {
        let permissions = match canonical(permissions) {
            Ok(permissions) => permissions,
            Err(error) => return reply(answer, Err(error.into())),
        };
        let unbound = match self.known_kernel(&id) {
            Ok(kernel) => kernel.address == KernelAddress::Auto && kernel.pid.is_none(),
            Err(error) => return reply(answer, Err(error)),
        };
        if !unbound {
            let outcome = self.set_permissions(&id, permissions).await;
            self.publish();
            return reply(answer, outcome);
        }
        // A core that is closing has no inbox any more, and nobody to tell.
        let Some(inbox) = self.inbox.upgrade() else { return };
        let (kernels, cancel): (_, CancellationToken) = (self.kernels.clone(), self.ending.child_token());
        self.work.spawn(async move {
            let outcome = kernels.bind(&id, &cancel).await;
            let _ = inbox.send(Message::Kernel(KernelMessage::Bound {
                kernel: id,
                permissions,
                outcome,
                answer,
            }));
        });
    }

    /// Grants are looked at with each call, so those in flight go on under what they were begun with.
    async fn set_permissions(&mut self, id: &KernelId, permissions: BTreeMap<String, Permission>) -> Outcome {
        self.known_kernel(id)?;
        self.change(Revoke::Nothing, |settings| {
            if let Some(kernel) = settings.siyuan.kernel_mut(id) {
                kernel.permissions.extend(permissions);
            }
        })
        .await
    }

    /// Saves what was found out of a kernel, if it is still the server that it was found of.
    pub(super) async fn take_finding(&mut self, finding: Finding) {
        let Finding { kernel: id, place, seen, saved } = finding;
        let outcome = match self.settings.siyuan.kernel(&id) {
            None => Err(KernelError::Changed),
            Some(kernel) if kernel.place() != place => Err(KernelError::Changed),
            Some(_) => {
                let change = self.change(Revoke::Nothing, |settings| {
                    if let Some(kernel) = settings.siyuan.kernel_mut(&id) {
                        note(kernel, seen);
                    }
                });
                change.await.map(|_| ()).map_err(|error| KernelError::NotSaved(error.message))
            }
        };
        // Whoever found it may have given up; it is saved all the same.
        let _ = saved.send(outcome);
    }
}

fn note(kernel: &mut Kernel, seen: Seen) {
    match seen {
        Seen::Process(pid) => kernel.move_to(KernelPlace { pid: Some(pid), ..kernel.place() }),
        Seen::Restarted(pid) => kernel.pid = Some(pid),
        Seen::Workspace(folder) => kernel.workspace = Some(folder),
        Seen::TokenRefused => kernel.token = TokenState::Refused,
    }
}

/// `local` or `remote`, with a number where it is taken.
fn free_id(settings: &Settings, address: &KernelAddress) -> Result<KernelId, InvalidField> {
    let word = match address {
        KernelAddress::Auto => "local",
        KernelAddress::At(url) if url.is_loopback() => "local",
        KernelAddress::At(_) => "remote",
    };
    let mut number = 1_usize;
    loop {
        let id = match number {
            1 => KernelId::new(word)?,
            n => KernelId::new(format!("{word}-{n}"))?,
        };
        if settings.siyuan.kernel(&id).is_none() {
            return Ok(id);
        }
        number += 1;
    }
}
