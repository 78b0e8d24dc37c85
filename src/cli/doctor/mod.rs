//! `notegate doctor`: what is found, what is missing, and what to do about it.

mod siyuan;

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use super::failure::{Exit, Failure};
use super::output::Output;
use super::reach::{self, Running};
use crate::activity;
use crate::core::{Home, StartOptions};
use crate::obsidian::{Diagnosis, PartFinding, Scope, Service, ServiceConfig};
use crate::settings::{self, HOME_VARIABLE, HomeError, Settings, VaultEngine};

/// How one thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Ok,
    /// Worth knowing; nothing need be done.
    Note,
    /// Something does not work until this is mended.
    Missing,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
pub struct Finding {
    pub check: &'static str,
    pub state: State,
    pub detail: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

impl Finding {
    pub fn ok(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, state: State::Ok, detail: detail.into(), remedy: None }
    }

    pub fn note(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, state: State::Note, detail: detail.into(), remedy: None }
    }

    pub fn missing(check: &'static str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, state: State::Missing, detail: detail.into(), remedy: Some(remedy.into()) }
    }

    /// Missing where something rests on it. The error says what to do.
    pub fn problem(check: &'static str, needed: bool, error: impl Into<String>) -> Self {
        let state = if needed { State::Missing } else { State::Note };
        Self { check, state, detail: error.into(), remedy: None }
    }
}

/// Looks at everything. Ends with 1 when something is missing, so that a script can ask.
pub async fn run(output: Output) -> Result<Exit, Failure> {
    let home = Home::from_environment()?;
    let mut findings = vec![home_found(&home)];
    let settings = match settings::load(&home.settings_file()) {
        Ok(settings) => {
            let path = home.settings_file();
            findings.push(if path.exists() {
                Finding::ok("settings", path.display().to_string())
            } else {
                Finding::note("settings", format!("{} is not there yet; the defaults hold", path.display()))
            });
            settings
        }
        Err(error) => {
            findings.push(Finding::missing("settings", error.to_string(), "mend the file, or move it away"));
            Settings::default()
        }
    };
    let running = Running::find(&home).await?;
    findings.push(match &running {
        Some(running) => match running.endpoint().await {
            Ok(url) => Finding::ok("instance", format!("runs as process {}, {url}", running.control.pid)),
            Err(why) => Finding::missing(
                "instance",
                format!("runs as process {}, but its endpoint is not open: {why}", running.control.pid),
                "free the port and press Try again in the window, or use another port: notegate port PORT",
            ),
        },
        None if reach::control_file(&home).await?.is_some() => Finding::note(
            "instance",
            "does not run; it left its control file behind, which the next start removes",
        ),
        None => Finding::note("instance", "does not run; start it with `notegate` or `notegate serve`"),
    });
    if running.is_none() {
        findings.push(port_found(settings.gateway.port));
    }
    findings.push(log_found(&home).await);
    findings.push(display_found());
    let options = StartOptions::new(home.clone());
    findings.extend(siyuan::found(&options, &settings).await);
    findings.extend(obsidian_found(options, &settings).await);

    let exit = if findings.iter().any(|finding| finding.state == State::Missing) {
        Exit::Failed
    } else {
        Exit::Done
    };
    output.result(json!({"findings": findings}), || text(&findings))?;
    Ok(exit)
}

/// What the Obsidian capability needs, and the vaults of the saved scope. Looked at here and not by the
/// running instance, so that it also works where none can start.
async fn obsidian_found(options: StartOptions, settings: &Settings) -> Vec<Finding> {
    let service = Service::new(ServiceConfig {
        environment: options.environment,
        protected: options.home.folders(),
        upstream: options.upstream,
        call_time: Duration::from_secs(settings.gateway.limits.call_seconds),
    });
    let Diagnosis { registries, node, mcpvault } = service.diagnose().await;
    let vaults = service.discover(&Scope::from_setting(&settings.obsidian.vault_path)).await;
    service.close().await;

    let mut findings: Vec<Finding> = registries
        .into_iter()
        .map(|registry| {
            let file = registry.file.display();
            let concerned = settings.obsidian.vault_path.is_empty();
            match (registry.exists, registry.problem) {
                (false, _) => Finding::note("registry", format!("{file} is not there")),
                (true, None) => Finding::ok("registry", file.to_string()),
                (true, Some(problem)) if concerned => {
                    Finding::missing("registry", problem, "mend it in Obsidian, or choose a folder")
                }
                // One chosen folder is in scope, for which the list does not count.
                (true, Some(problem)) => Finding::note("registry", problem),
            }
        })
        .collect();
    findings.push(match vaults {
        Ok(vaults) => {
            let names: Vec<String> = vaults.iter().map(|vault| vault.name.clone()).collect();
            Finding::ok("vaults", format!("{} in the saved scope: {}", names.len(), names.join(", ")))
        }
        Err(error) if !settings.obsidian.enabled => {
            Finding::note("vaults", format!("{error}. Obsidian is switched off, so none is needed"))
        }
        Err(error) => {
            Finding::missing("vaults", error.to_string(), "choose a folder: notegate obsidian scope FOLDER")
        }
    });
    let engine = settings.obsidian.engine;
    findings.push(Finding::ok("engine", engine.as_str()));
    findings.push(part_found("node", node, engine));
    findings.push(part_found("mcpvault", mcpvault, engine));
    findings
}

/// A part that only the engine `upstream` needs.
fn part_found(check: &'static str, part: PartFinding, engine: VaultEngine) -> Finding {
    let path = part.path.map(|path| path.display().to_string()).unwrap_or_default();
    match (part.problem, engine) {
        (None, _) => {
            Finding::ok(check, format!("{} {path}", part.version.unwrap_or_default()).trim().to_owned())
        }
        (Some(_), VaultEngine::Native) => {
            Finding::note(check, "is not needed; only the engine upstream uses it, and would not find it")
        }
        (Some(problem), VaultEngine::Upstream) => Finding::missing(
            check,
            problem,
            "or use the engine that needs it not: notegate obsidian engine native",
        ),
    }
}

/// Whether our files can be made and written: everything else rests on it.
fn home_found(home: &Home) -> Finding {
    let root = home.root().display().to_string();
    let unusable = |why: String| {
        Finding::missing(
            "home",
            why,
            format!("mend its permissions, or set {HOME_VARIABLE} to another folder"),
        )
    };
    for folder in home.folders() {
        // A file without a name leaves nothing behind.
        let there = nearest(&folder);
        if let Err(error) = tempfile::tempfile_in(there) {
            return unusable(format!("{} cannot be written: {error}", there.display()));
        }
    }
    if !home.root().exists() {
        return Finding::note("home", format!("{root} is made at the first start"));
    }
    match home.lock() {
        Ok(_) | Err(HomeError::InUse(_)) => Finding::ok("home", root),
        Err(error) => unusable(error.to_string()),
    }
}

/// The activity log: without it each call is refused.
async fn log_found(home: &Home) -> Finding {
    let file = home.activity_file();
    let looked = file.clone();
    match tokio::task::spawn_blocking(move || activity::examine(&looked)).await {
        Ok(Ok(())) if file.exists() => Finding::ok("activity", file.display().to_string()),
        Ok(Err(problem)) => Finding::problem("activity", true, problem.to_string()),
        Ok(Ok(())) | Err(_) => {
            Finding::note("activity", format!("{} is made at the first start", file.display()))
        }
    }
}

/// The folder, or the nearest one above it that is there.
fn nearest(folder: &Path) -> &Path {
    folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder)
}

fn port_found(port: u16) -> Finding {
    match std::net::TcpListener::bind(("127.0.0.1", port)) {
        Ok(_) => Finding::ok("port", format!("{port} on 127.0.0.1 is free")),
        Err(error) => Finding::missing(
            "port",
            format!("{port} on 127.0.0.1 cannot be used: {error}"),
            "end the program that has it, or use another one: notegate port PORT",
        ),
    }
}

fn display_found() -> Finding {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !cfg!(all(unix, not(target_os = "macos")))
        || set("WAYLAND_DISPLAY")
        || set("WAYLAND_SOCKET")
        || set("DISPLAY")
    {
        Finding::ok("display", "there is one for the window")
    } else {
        Finding::note("display", "there is none; `notegate serve` works without")
    }
}

fn text(findings: &[Finding]) -> String {
    let lines = findings.iter().map(|finding| {
        let state = match finding.state {
            State::Ok => "ok",
            State::Note => "note",
            State::Missing => "missing",
        };
        let line = format!("{state:<8} {:<10} {}", finding.check, finding.detail);
        match &finding.remedy {
            Some(remedy) => format!("{line}\n{:<20}{remedy}", ""),
            None => line,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
