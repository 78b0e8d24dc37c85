//! From the actor's state to the picture that everyone sees.

use std::borrow::Cow;
use std::sync::Arc;

use super::actor::Actor;
use super::instance::shown_home;
use super::snapshot::{
    ActivityView, KernelView, ObsidianView, RuntimeView, SessionView, SiyuanView, Snapshot,
};
use crate::settings;

impl Actor {
    /// Publishes a snapshot if there is something new to see.
    pub(super) fn publish(&self) {
        let picture = self.picture();
        if **self.snapshots.borrow() == picture {
            return;
        }
        let picture = self.without_secrets(picture);
        self.snapshots.send_if_modified(|current| {
            let differs = **current != picture;
            if differs {
                *current = Arc::new(picture);
            }
            differs
        });
    }

    /// Much of a picture is what others said: clients of themselves, programs of what went wrong.
    pub(super) fn without_secrets(&self, picture: Snapshot) -> Snapshot {
        let Ok(text) = serde_json::to_string(&picture) else { return picture };
        match self.tools.filters().written(&text) {
            Cow::Borrowed(_) => picture,
            // Only texts were changed, so it is a picture still; one that is none is not shown.
            Cow::Owned(clean) => serde_json::from_str(&clean).unwrap_or_else(|error| {
                tracing::error!(%error, "a picture held a secret and could not be shown without it");
                (**self.snapshots.borrow()).clone()
            }),
        }
    }

    pub(super) fn picture(&self) -> Snapshot {
        Snapshot {
            version: env!("CARGO_PKG_VERSION").into(),
            generation: self.generation,
            home: shown_home(&self.home),
            bridge: self.bridge.clone(),
            third_party_licences: self.third_party_licences.clone(),
            demo: self.demo,
            gateway: self.gateway.clone(),
            port: self.settings.gateway.port,
            language: self.settings.window.language,
            theme: self.settings.window.theme,
            text_percent: self.settings.window.text_percent,
            keep_running: self.settings.window.keep_running,
            autostart: self.autostart,
            limits: self.settings.gateway.limits,
            retention: self.settings.activity,
            obsidian: ObsidianView {
                enabled: self.settings.obsidian.enabled,
                vault_path: self.settings.obsidian.vault_path.clone(),
                engine: self.settings.obsidian.engine,
                scope_problem: self.scope_problem.clone(),
                test: self.test.clone(),
                choosing_folder: self.choosing_folder,
            },
            siyuan: SiyuanView {
                enabled: self.settings.siyuan.enabled,
                default_kernel: self.settings.siyuan.default_kernel.clone(),
                kernels: self.settings.siyuan.kernels.iter().map(|kernel| self.kernel_view(kernel)).collect(),
            },
            runtimes: self.settings.runtimes.iter().map(|runtime| self.view(runtime)).collect(),
            sessions: self
                .access
                .sessions()
                .into_iter()
                .map(|session| SessionView {
                    kernel: self.settings.siyuan.choice(&session.label.0).cloned(),
                    label: session.label,
                    runtime: session.runtime,
                    client: session.client,
                    last_seen: session.last_seen,
                })
                .collect(),
            calls: self.tools.stats(),
            activity: self.activity_view(),
            approvals: self.approvals.view(),
            raised: self.raised,
            closing: self.closing,
        }
    }

    pub(super) fn kernel_view(&self, kernel: &settings::Kernel) -> KernelView {
        let settings::Kernel {
            id,
            name,
            address,
            timeout_seconds,
            port_file,
            pid,
            workspace,
            disabled,
            token,
            permissions,
            declared,
            discovered,
        } = kernel.clone();
        let check = self.checks.state(&id);
        KernelView {
            id,
            name,
            address,
            timeout_seconds,
            port_file,
            pid,
            workspace,
            disabled,
            token,
            permissions,
            declared,
            discovered,
            check,
        }
    }

    fn activity_view(&self) -> ActivityView {
        let status = self.activity.watch().borrow().clone();
        ActivityView { revision: status.revision, problem: status.problem.map(Into::into) }
    }

    pub(super) fn view(&self, runtime: &settings::Runtime) -> RuntimeView {
        RuntimeView {
            id: runtime.id.clone(),
            name: runtime.name.clone(),
            kind: runtime.kind,
            mode: runtime.mode,
            approval: runtime.approval,
            capabilities: runtime.capabilities.clone(),
            last_seen: self.access.last_seen(&runtime.id),
        }
    }
}
