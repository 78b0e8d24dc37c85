//! Adding, changing and removing runtimes.

use std::collections::BTreeSet;

use super::actor::{Actor, Outcome};
use super::{CommandError, Reply, ShownOnce};
use crate::access::{EndReason, Revoke};
use crate::secrets::{Purpose, Secret};
use crate::settings::{
    ApprovalPolicy, Capability, InvalidField, Runtime, RuntimeId, RuntimeKind, Settings, WorkMode,
};

/// The longest name of a runtime, in characters.
const MAX_NAME_CHARS: usize = 60;

impl Actor {
    pub(super) async fn add_runtime(
        &mut self,
        kind: RuntimeKind,
        name: Option<String>,
        mode: WorkMode,
        approval: ApprovalPolicy,
        capabilities: BTreeSet<Capability>,
    ) -> Outcome {
        let name = checked_name(name.as_deref().unwrap_or(kind.product_name()))?;
        for &capability in &capabilities {
            check_available(kind, capability)?;
        }
        let id = free_id(&self.settings, kind)?;
        let key = Secret::generate(Purpose::RuntimeKey)?;
        let (key_sha256, key_kept) = (key.digest(), false);
        let runtime = Runtime { id, name, kind, key_sha256, key_kept, mode, approval, capabilities };
        let view = self.view(&runtime);
        // A new runtime has no grants yet. Its assignment is part of its making, not a change of one.
        self.change(Revoke::Nothing, |settings| settings.runtimes.push(runtime)).await?;
        tracing::info!(runtime = %view.id, kind = kind.as_str(), mode = mode.as_str(), "runtime added");
        Ok(Reply::RuntimeAdded { runtime: view, key: ShownOnce(key.reveal().to_owned()) })
    }

    /// Its key in the keyring goes with it.
    pub(super) async fn remove_runtime(&mut self, id: RuntimeId) -> Outcome {
        self.known(&id)?;
        let kept = self.keeps_key(&id);
        let revoke = Revoke::Runtime(id.clone(), EndReason::RuntimeChanged);
        let removed =
            self.change(revoke, |settings| settings.runtimes.retain(|runtime| runtime.id != id)).await?;
        if kept {
            self.drop_kept_key(&id);
        }
        tracing::info!(runtime = %id, "runtime removed");
        Ok(removed)
    }

    pub(super) async fn rotate_key(&mut self, id: RuntimeId) -> Outcome {
        self.known(&id)?;
        let key = Secret::generate(Purpose::RuntimeKey)?;
        let digest = key.digest();
        self.change_runtime(&id, |runtime| runtime.key_sha256 = digest).await?;
        tracing::info!(runtime = %id, "runtime has a new key");
        Ok(Reply::KeyRotated { runtime: id, key: ShownOnce(key.reveal().to_owned()) })
    }

    pub(super) async fn set_mode(&mut self, id: RuntimeId, mode: WorkMode) -> Outcome {
        self.known(&id)?;
        let set = self.change_runtime(&id, |runtime| runtime.mode = mode).await?;
        tracing::info!(runtime = %id, mode = mode.as_str(), "runtime has another work mode");
        Ok(set)
    }

    pub(super) async fn set_approval_policy(&mut self, id: RuntimeId, approval: ApprovalPolicy) -> Outcome {
        self.known(&id)?;
        let set = self.change_runtime(&id, |runtime| runtime.approval = approval).await?;
        tracing::info!(runtime = %id, ?approval, "runtime has another approval policy");
        Ok(set)
    }

    /// A name is for people: no grant rests on it.
    pub(super) async fn rename_runtime(&mut self, id: RuntimeId, name: &str) -> Outcome {
        self.known(&id)?;
        let name = checked_name(name)?;
        self.change(Revoke::Nothing, |settings| {
            if let Some(runtime) = settings.runtimes.iter_mut().find(|runtime| runtime.id == id) {
                runtime.name = name;
            }
        })
        .await
    }

    /// Changing an assignment ends every grant that contains the capability, not only this
    /// runtime's (LR-8).
    pub(super) async fn set_assignment(
        &mut self,
        capability: Capability,
        id: RuntimeId,
        assigned: bool,
    ) -> Outcome {
        let kind = self.known(&id)?;
        if assigned {
            check_available(kind, capability)?;
        }
        let revoke = Revoke::Containing(capability, EndReason::AssignmentChanged(capability));
        let changed = self
            .change(revoke, |settings| {
                for runtime in settings.runtimes.iter_mut().filter(|runtime| runtime.id == id) {
                    if assigned {
                        runtime.capabilities.insert(capability);
                    } else {
                        runtime.capabilities.remove(&capability);
                    }
                }
            })
            .await?;
        tracing::info!(runtime = %id, %capability, assigned, "assignment changed");
        Ok(changed)
    }

    /// Whether the runtime's key is in the keyring.
    pub(super) fn keeps_key(&self, id: &RuntimeId) -> bool {
        self.settings.runtime(id).is_some_and(|runtime| runtime.key_kept)
    }

    fn known(&self, id: &RuntimeId) -> Result<RuntimeKind, CommandError> {
        let runtime = self.settings.runtime(id).ok_or_else(|| CommandError::unknown_runtime(id))?;
        Ok(runtime.kind)
    }

    async fn change_runtime(&mut self, id: &RuntimeId, edit: impl FnOnce(&mut Runtime)) -> Outcome {
        let revoke = Revoke::Runtime(id.clone(), EndReason::RuntimeChanged);
        self.change(revoke, |settings| {
            if let Some(runtime) = settings.runtimes.iter_mut().find(|runtime| runtime.id == *id) {
                edit(runtime);
            }
        })
        .await
    }
}

fn check_available(kind: RuntimeKind, capability: Capability) -> Result<(), CommandError> {
    kind.supports(capability).map_err(|reason| {
        let name = kind.product_name();
        let message = format!("{name} cannot be given {capability}: {reason}. Choose another runtime");
        CommandError::unavailable(message, reason, name)
    })
}

fn checked_name(typed: &str) -> Result<String, CommandError> {
    let name = typed.trim();
    let (problem, reason) = if name.is_empty() {
        ("a runtime needs a name".to_owned(), "name_empty")
    } else if name.chars().count() > MAX_NAME_CHARS {
        (format!("the name is longer than {MAX_NAME_CHARS} characters"), "name_too_long")
    } else if name.chars().any(char::is_control) {
        ("the name holds a control character".to_owned(), "name_control")
    } else {
        return Ok(name.to_owned());
    };
    let error = CommandError::from(InvalidField::new("name", problem));
    Err(error.about(reason, MAX_NAME_CHARS.to_string()))
}

/// The kind's word, with a number where it is taken: `opencode`, `opencode-2`, …
fn free_id(settings: &Settings, kind: RuntimeKind) -> Result<RuntimeId, InvalidField> {
    let mut number = 1_usize;
    loop {
        let id = match number {
            1 => RuntimeId::new(kind.as_str())?,
            n => RuntimeId::new(format!("{}-{n}", kind.as_str()))?,
        };
        if settings.runtime(&id).is_none() {
            return Ok(id);
        }
        number += 1;
    }
}
