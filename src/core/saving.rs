//! Changing the settings: one way for every change (LR-8), and the settings of Obsidian that go it.

use super::actor::{Actor, Outcome};
use super::beside::on_a_thread;
use super::instance::{call_config, in_force};
use super::{CommandError, Reply, sample_vault};
use crate::access::{EndReason, Policy, Revoke};
use crate::settings::{ActivitySettings, Capability, KernelAddress, Settings, SettingsError, VaultEngine};

impl Actor {
    pub(super) async fn save_scope(&mut self, typed: &str) -> Outcome {
        let vault_path = self.scope_as_typed(typed)?;
        let revoke = obsidian_revoke(EndReason::ScopeSaved);
        let saved = self.change(revoke, |settings| settings.obsidian.vault_path = vault_path).await?;
        tracing::info!(vault_path = self.settings.obsidian.vault_path, "scope saved");
        // What was known was about the former scope.
        self.scope_problem = None;
        Ok(saved)
    }

    pub(super) async fn set_retention(&mut self, retention: ActivitySettings) -> Outcome {
        let saved = self.change(Revoke::Nothing, |settings| settings.activity = retention).await?;
        self.activity.retain(in_force(&retention)).await;
        Ok(saved)
    }

    pub(super) async fn try_sample_vault(&mut self) -> Outcome {
        let Some(user) = self.environment.home() else {
            return Err(CommandError::new(
                "no_folder",
                "this computer names no folder of yours to put the sample vault in",
            ));
        };
        let folder = user.join(sample_vault::FOLDER);
        let vault_path = folder.to_string_lossy().into_owned();
        on_a_thread(move || sample_vault::put(&folder)).await.map_err(|error| {
            let text = format!("the sample vault cannot be written to {vault_path}: {error}");
            CommandError::new("sample_not_written", text)
        })?;
        let saved = self
            .change(obsidian_revoke(EndReason::ScopeSaved), |settings| {
                settings.obsidian.vault_path.clone_from(&vault_path);
                settings.obsidian.enabled = true;
            })
            .await?;
        tracing::info!(vault_path, "the sample vault is the scope");
        self.scope_problem = None;
        self.begin_scope_look(None);
        Ok(saved)
    }

    pub(super) async fn set_engine(&mut self, engine: VaultEngine) -> Outcome {
        let revoke = obsidian_revoke(EndReason::EngineSaved);
        let chosen = self.change(revoke, |settings| settings.obsidian.engine = engine).await?;
        tracing::info!(%engine, "engine chosen");
        Ok(chosen)
    }

    pub(super) async fn set_enabled(&mut self, capability: Capability, enabled: bool) -> Outcome {
        let revoke = Revoke::Containing(capability, EndReason::SwitchFlipped(capability));
        let flipped = self
            .change(revoke, |settings| match capability {
                Capability::Obsidian => settings.obsidian.enabled = enabled,
                Capability::Siyuan => settings.siyuan.enabled = enabled,
            })
            .await?;
        tracing::info!(%capability, enabled, "capability switched");
        self.begin_scope_look(None);
        Ok(flipped)
    }

    /// Changes the settings: validate, revoke, save, put in force (LR-8). A failed save keeps the old
    /// settings, and what was revoked stays dead. A file that a person edited meanwhile is not saved over,
    /// and nothing is revoked.
    pub(super) async fn change(&mut self, revoke: Revoke, edit: impl FnOnce(&mut Settings)) -> Outcome {
        let mut edited = self.settings.clone();
        edit(&mut edited);
        edited.validate()?;
        let file = self.settings_file.clone();
        on_disk(move || file.check()).await?;
        let change = self.access.begin_change(&revoke);
        let (mut file, to_save) = (self.settings_file.clone(), edited.clone());
        self.settings_file = on_disk(move || file.save(&to_save).map(|()| file)).await?;
        let is_of_no_consequence = is_of_no_consequence(&self.settings, &edited);
        self.settings = edited;
        self.generation += 1;
        self.tools.configure(call_config(&self.settings));
        self.kernels.configure(self.settings.siyuan.clone());
        change.commit(Policy::from_settings(&self.settings, self.generation));
        // What calls rest on may be another now; a question that was asked before is not answered for it.
        if !(is_of_no_consequence && matches!(revoke, Revoke::Nothing)) {
            self.approvals.configured(self.generation);
        }
        Ok(Reply::Done)
    }
}

/// Whether two settings differ in what no question rests on, if in anything: how the window looks and speaks, and which
/// process and workspace a kernel was found to be that nothing was known of. A call binds its kernel before it asks.
fn is_of_no_consequence(old: &Settings, new: &Settings) -> bool {
    let mut new = Settings { window: old.window.clone(), ..new.clone() };
    for kernel in &mut new.siyuan.kernels {
        let Some(known) = old.siyuan.kernel(&kernel.id) else { continue };
        if known.workspace.is_none() {
            kernel.workspace = None;
        }
        if known.address == KernelAddress::Auto && known.pid.is_none() && kernel.pid.is_some() {
            kernel.pid = None;
            // Binding drops what was granted to nobody knows which server.
            kernel.permissions.clone_from(&known.permissions);
            kernel.discovered.clone_from(&known.discovered);
        }
    }
    new == *old
}

/// Work on the settings file, off the threads that must not wait.
async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SettingsError> + Send + 'static,
) -> Result<T, CommandError> {
    tokio::task::spawn_blocking(work).await.map_or_else(
        |error| {
            tracing::error!(%error, "saving the settings failed inside");
            Err(CommandError::new("internal", "saving the settings failed inside; nothing was changed"))
        },
        |done| done.map_err(Into::into),
    )
}

/// Obsidian's grants end whole, whatever else they contain.
fn obsidian_revoke(reason: fn(Capability) -> EndReason) -> Revoke {
    Revoke::Containing(Capability::Obsidian, reason(Capability::Obsidian))
}
