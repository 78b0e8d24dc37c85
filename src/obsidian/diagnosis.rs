//! What the Obsidian capability finds on this computer, for `notegate doctor`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::engine::Upstream;
use super::environment::Environment;
use super::registry;

/// What is found, and for what is missing what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// The places of Obsidian's list of vaults on this platform.
    pub registries: Vec<RegistryFinding>,
    /// How many vaults are registered; `None` when they cannot be used.
    pub vaults: Option<usize>,
    /// Why they cannot be used, and what to do.
    pub vaults_problem: Option<String>,
    pub node: PartFinding,
    pub mcpvault: PartFinding,
}

/// One place where Obsidian may keep its list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RegistryFinding {
    pub file: PathBuf,
    pub exists: bool,
    /// Why it cannot be used, and what to do.
    pub problem: Option<String>,
}

/// A part that the `upstream` engine needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PartFinding {
    pub path: Option<PathBuf>,
    pub version: Option<String>,
    /// What is wrong, and what to do.
    pub problem: Option<String>,
}

pub(super) async fn diagnose(environment: &Environment, upstream: &Upstream) -> Diagnosis {
    let own = environment.clone();
    let looked = tokio::task::spawn_blocking(move || {
        let registries: Vec<_> = registry::files(&own)
            .into_iter()
            .map(|file| RegistryFinding {
                exists: file.exists(),
                problem: registry::read(&file, own.platform()).err().map(|error| error.to_string()),
                file,
            })
            .collect();
        let vaults = registry::discover(&own).map(|vaults| vaults.len()).map_err(|error| error.to_string());
        (registries, vaults)
    })
    .await;
    let (registries, found) = looked.unwrap_or_else(|error| (Vec::new(), Err(error.to_string())));
    let part = |found: Result<super::engine::Part, super::MissingPart>| match found {
        Ok(part) => PartFinding { path: Some(part.path), version: Some(part.version), problem: None },
        Err(missing) => PartFinding { path: None, version: None, problem: Some(missing.to_string()) },
    };
    let (vaults, vaults_problem) = match found {
        Ok(count) => (Some(count), None),
        Err(problem) => (None, Some(problem)),
    };
    Diagnosis {
        registries,
        vaults,
        vaults_problem,
        node: part(upstream.find_node().await),
        mcpvault: part(upstream.find_package().await),
    }
}
