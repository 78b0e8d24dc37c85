//! What grants are made from: the saved settings, as far as access is concerned.

use std::collections::BTreeSet;

use crate::secrets;
use crate::settings::{Capability, Limits, Runtime, RuntimeId, Settings};

/// The saved settings that decide who may call. Immutable; a change makes a new one.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Counts the saves of this process; a grant carries the one that it was made under.
    pub generation: u64,
    pub enabled: BTreeSet<Capability>,
    pub runtimes: Vec<Runtime>,
    pub limits: Limits,
}

impl Policy {
    pub fn from_settings(settings: &Settings, generation: u64) -> Self {
        let switches = [
            (Capability::Obsidian, settings.obsidian.enabled),
            (Capability::Siyuan, settings.siyuan.enabled),
        ];
        let enabled = switches.into_iter().filter_map(|(capability, on)| on.then_some(capability)).collect();
        Self { generation, enabled, runtimes: settings.runtimes.clone(), limits: settings.gateway.limits }
    }

    /// The runtime whose key this is. Every digest is compared, in constant time.
    pub(super) fn runtime_by_key(&self, key: &str) -> Option<&Runtime> {
        let presented = secrets::digest(key);
        let mut found = None;
        for runtime in &self.runtimes {
            if secrets::same(&runtime.key_sha256, &presented) {
                found = Some(runtime);
            }
        }
        found
    }

    pub(super) fn runtime(&self, id: &RuntimeId) -> Option<&Runtime> {
        self.runtimes.iter().find(|runtime| runtime.id == *id)
    }

    /// What a grant for `runtime` holds now: switched on, assigned, and available for its kind.
    pub fn capabilities(&self, runtime: &Runtime) -> BTreeSet<Capability> {
        runtime
            .capabilities
            .iter()
            .copied()
            .filter(|capability| {
                self.enabled.contains(capability) && runtime.kind.supports(*capability).is_ok()
            })
            .collect()
    }
}
