//! What the Obsidian capability finds on this computer, for `notegate doctor`.

use std::path::PathBuf;

use super::engine::{Part, Upstream};
use super::environment::Environment;
use super::{MissingPart, registry};

/// What is found, and for what is missing what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// The places of Obsidian's list of vaults on this platform.
    pub registries: Vec<RegistryFinding>,
    pub node: PartFinding,
    pub mcpvault: PartFinding,
}

/// One place where Obsidian may keep its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryFinding {
    pub file: PathBuf,
    pub exists: bool,
    /// Why it cannot be used, and what to do.
    pub problem: Option<String>,
}

/// A part that the `upstream` engine needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFinding {
    pub path: Option<PathBuf>,
    pub version: Option<String>,
    /// What is wrong, and what to do.
    pub problem: Option<String>,
}

pub(super) async fn diagnose(environment: &Environment, upstream: &Upstream) -> Diagnosis {
    let (files, platform) = (registry::files(environment), environment.platform());
    let looked = tokio::task::spawn_blocking(move || {
        let found = files.into_iter().map(|file| RegistryFinding {
            exists: file.exists(),
            problem: registry::read(&file, platform).err().map(|error| error.to_string()),
            file,
        });
        found.collect()
    });
    Diagnosis {
        registries: looked.await.unwrap_or_default(),
        node: part(upstream.find_node().await),
        mcpvault: part(upstream.find_package().await),
    }
}

fn part(found: Result<Part, MissingPart>) -> PartFinding {
    match found {
        Ok(part) => PartFinding { path: Some(part.path), version: Some(part.version), problem: None },
        Err(missing) => PartFinding { path: None, version: None, problem: Some(missing.to_string()) },
    }
}
