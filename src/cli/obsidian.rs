//! `notegate obsidian …`: which vaults can be reached, whether they can, and what works on them.

use std::path::Path;

use serde_json::json;

use super::arguments::{Folder, Obsidian};
use super::failure::{Exit, Failure};
use super::output::{Output, table};
use super::reach::execute;
use super::status::snapshot_of;
use crate::core::{Capability, Command, Reply, Vault, VaultEngine};

pub async fn run(typed: Obsidian, output: Output) -> Result<Exit, Failure> {
    match typed {
        Obsidian::Scope(folder) => match vault_path(&folder)? {
            Some(typed) => save(typed, output).await?,
            None => {
                let obsidian = snapshot_of(execute(Command::Status).await?)?.obsidian;
                let scope = json!({"vaultPath": obsidian.vault_path, "enabled": obsidian.enabled});
                output.result(scope, || {
                    let switch = if obsidian.enabled { "on" } else { "off" };
                    format!("Scope: {}\nObsidian is switched {switch}.", scope_text(&obsidian.vault_path))
                })?;
            }
        },
        Obsidian::Enable => switch(true, output).await?,
        Obsidian::Disable => switch(false, output).await?,
        Obsidian::Test(folder) => test(&folder, output).await?,
        Obsidian::Vaults => {
            if let Reply::Vaults { vaults } = execute(Command::ListVaults).await? {
                output.result(json!({"vaults": vaults}), || vault_table(&vaults))?;
            }
        }
        Obsidian::Engine { engine } => {
            let engine = match engine {
                Some(engine) => {
                    execute(Command::SetEngine { engine }).await?;
                    engine
                }
                None => snapshot_of(execute(Command::Status).await?)?.obsidian.engine,
            };
            output.result(json!({"engine": engine}), || engine_text(engine).into())?;
        }
    }
    Ok(Exit::Done)
}

/// Saves a scope, and says what of it cannot be used. That is a warning: a disk may be plugged in later.
async fn save(typed: String, output: Output) -> Result<(), Failure> {
    let Reply::ScopeSaved { vault_path, problem } = execute(Command::SaveScope { vault_path: typed }).await?
    else {
        return Err(Failure::new("internal", "a save was answered with something else"));
    };
    let mut saved = json!({"vaultPath": vault_path});
    if let Some(problem) = &problem {
        saved["warning"] = json!({"code": problem.code, "message": problem.message});
    }
    output.result(saved, || format!("Saved: {}", scope_text(&vault_path)))?;
    if let Some(problem) = problem.filter(|_| !output.is_json()) {
        output.note(format!("warning: {problem}"));
    }
    Ok(())
}

async fn switch(enabled: bool, output: Output) -> Result<(), Failure> {
    execute(Command::SetEnabled { capability: Capability::Obsidian, enabled }).await?;
    output.result(json!({"enabled": enabled}), || {
        if enabled {
            "Obsidian is on. Runtimes that it is assigned to can use it.".into()
        } else {
            "Obsidian is off.".into()
        }
    })
}

async fn test(folder: &Folder, output: Output) -> Result<(), Failure> {
    let vault_path = match vault_path(folder)? {
        Some(path) => path,
        None => snapshot_of(execute(Command::Status).await?)?.obsidian.vault_path,
    };
    if let Reply::Tested { report } = execute(Command::TestObsidian { vault_path }).await? {
        output.result(&report, || {
            format!("The connection works: {} tools.\n{}", report.tool_count, vault_table(&report.vaults))
        })?;
    }
    Ok(())
}

/// The scope that was typed, absolute, since the running instance stands in another folder.
/// `None`: nothing was typed.
fn vault_path(folder: &Folder) -> Result<Option<String>, Failure> {
    if folder.all {
        return Ok(Some(String::new()));
    }
    folder.path.as_deref().map(absolute).transpose()
}

fn absolute(typed: &Path) -> Result<String, Failure> {
    // `~` in quotes has not been seen by the shell; the core knows the person's folder.
    let path = if typed.starts_with("~") { Ok(typed.to_owned()) } else { std::path::absolute(typed) };
    let path = path.map_err(|error| Failure::usage(format!("{typed:?} is not a folder's path: {error}")))?;
    path.into_os_string().into_string().map_err(|path| {
        Failure::usage(format!("{path:?} is not valid Unicode; rename the folder to use it as a vault"))
    })
}

fn scope_text(vault_path: &str) -> String {
    if vault_path.is_empty() { "every vault that Obsidian knows".into() } else { vault_path.into() }
}

fn engine_text(engine: VaultEngine) -> &'static str {
    match engine {
        VaultEngine::Native => "native: Notegate's own engine, which needs nothing installed",
        VaultEngine::Upstream => {
            "upstream: MCPVault under Node; `notegate doctor` says whether both are there"
        }
    }
}

fn vault_table(vaults: &[Vault]) -> String {
    if vaults.is_empty() {
        return "No vault.".into();
    }
    let mut rows = vec![["NAME", "ID", "PATH"].map(str::to_owned).to_vec()];
    rows.extend(vaults.iter().map(|vault| {
        let id = serde_json::to_value(&vault.id).ok().and_then(|id| id.as_str().map(str::to_owned));
        vec![vault.name.clone(), id.unwrap_or_default(), vault.path.display().to_string()]
    }));
    table(&rows)
}
