//! The core's one task: takes commands in turn, changes the settings, publishes snapshots.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::beside::{self, call_tool};
use super::instance::{FIRST_GENERATION, call_config, shown_home};
use super::snapshot::{ActivityView, GatewayState, ObsidianView, Snapshot, TestState};
use super::{Command, CommandError, FolderPicker, Picked, Reply, ShownOnce};
use crate::access::approvals::Approvals;
use crate::access::{Access, EndReason, GrantId, Policy, Revoke, TokenSpec};
use crate::activity;
use crate::obsidian::TestReport;
use crate::settings::{self, Capability, Home, Settings, normalise_vault_path};
use crate::tools::Tools;

/// What the actor is told.
#[derive(Debug)]
pub(super) enum Message {
    Command(Command, Answer),
    Gateway(GatewayState),
    TestEnded { number: u64, vault_path: String, outcome: Result<TestReport, CommandError>, answer: Answer },
    FolderChosen { answer: Answer, picked: Picked },
}

pub(super) type Answer = oneshot::Sender<Result<Reply, CommandError>>;
type Outcome = Result<Reply, CommandError>;

/// Bursts of calls are shown together: a window needs no more than this many pictures a second.
const PUBLISH_INTERVAL: Duration = Duration::from_millis(100);

/// What an actor stands on.
pub(super) struct Foundation {
    pub settings: Settings,
    pub home: Home,
    pub demo: bool,
    pub access: Access,
    pub tools: Tools,
    pub activity: activity::Log,
    pub approvals: Approvals,
    pub folder_picker: Arc<dyn FolderPicker>,
    /// Weak, so that an actor whose handles are all gone ends.
    pub inbox: mpsc::WeakUnboundedSender<Message>,
    pub work: TaskTracker,
    pub stop: CancellationToken,
    /// Ends commands that wait for something to happen.
    pub ending: CancellationToken,
}

pub(super) struct Actor {
    pub(super) settings: Settings,
    pub(super) home: Home,
    pub(super) demo: bool,
    pub(super) generation: u64,
    pub(super) access: Access,
    pub(super) tools: Tools,
    pub(super) activity: activity::Log,
    pub(super) approvals: Approvals,
    pub(super) folder_picker: Arc<dyn FolderPicker>,
    pub(super) inbox: mpsc::WeakUnboundedSender<Message>,
    pub(super) work: TaskTracker,
    pub(super) stop: CancellationToken,
    pub(super) ending: CancellationToken,
    pub(super) gateway: GatewayState,
    pub(super) test: TestState,
    pub(super) tests: u64,
    pub(super) choosing_folder: bool,
    pub(super) raised: u64,
    pub(super) closing: bool,
    pub(super) snapshots: watch::Sender<Arc<Snapshot>>,
}

impl Actor {
    pub(super) fn new(foundation: Foundation) -> Self {
        let Foundation {
            settings,
            home,
            demo,
            access,
            tools,
            activity,
            approvals,
            folder_picker,
            inbox,
            work,
            stop,
            ending,
        } = foundation;
        let empty = Snapshot {
            version: env!("CARGO_PKG_VERSION").into(),
            generation: 0,
            home: shown_home(&home),
            demo,
            gateway: GatewayState::Starting,
            port: settings.gateway.port,
            language: None,
            theme: Default::default(),
            obsidian: ObsidianView {
                enabled: false,
                vault_path: String::new(),
                test: TestState::NotTested,
                choosing_folder: false,
            },
            runtimes: Vec::new(),
            sessions: Vec::new(),
            calls: Default::default(),
            activity: ActivityView::default(),
            approvals: Default::default(),
            raised: 0,
            closing: false,
        };
        let actor = Self {
            settings,
            home,
            demo,
            generation: FIRST_GENERATION,
            access,
            tools,
            activity,
            approvals,
            folder_picker,
            inbox,
            work,
            stop,
            ending,
            gateway: GatewayState::Starting,
            test: TestState::NotTested,
            tests: 0,
            choosing_folder: false,
            raised: 0,
            closing: false,
            snapshots: watch::Sender::new(Arc::new(empty)),
        };
        actor.publish();
        actor
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.subscribe()
    }

    pub(super) async fn run(
        mut self,
        mut messages: mpsc::UnboundedReceiver<Message>,
        quit: CancellationToken,
    ) {
        let (mut calls, mut grants) = (self.tools.watch(), self.access.watch());
        let (mut recorded, mut asked) = (self.activity.watch(), self.approvals.watch());
        loop {
            let token_end = self.access.expire().map(until).unwrap_or(Duration::MAX);
            tokio::select! {
                biased;
                () = quit.cancelled() => break,
                message = messages.recv() => match message {
                    Some(message) => self.take(message).await,
                    None => break,
                },
                changed = calls.changed() => {
                    if changed.is_err() { break }
                    pause(&quit).await;
                    calls.mark_unchanged();
                }
                changed = recorded.changed() => {
                    if changed.is_err() { break }
                    pause(&quit).await;
                    recorded.mark_unchanged();
                }
                changed = grants.changed() => if changed.is_err() { break },
                changed = asked.changed() => if changed.is_err() { break },
                () = tokio::time::sleep(token_end) => {}
            }
            self.publish();
        }
        // Whoever still waits learns that the core is closing, by its sender being dropped.
        self.closing = true;
        self.gateway = GatewayState::Stopped { at: SystemTime::now() };
        self.publish();
    }

    async fn take(&mut self, message: Message) {
        match message {
            Message::Command(command, answer) => self.command(command, answer).await,
            Message::Gateway(state) => self.gateway = state,
            Message::TestEnded { number, vault_path, outcome, answer } => {
                let at = SystemTime::now();
                self.test = match outcome.clone() {
                    Ok(report) => TestState::Passed { number, vault_path, report, at },
                    Err(error) => TestState::Failed { number, vault_path, error, at },
                };
                self.publish();
                reply(answer, outcome.map(|report| Reply::Tested { report }));
            }
            Message::FolderChosen { answer, picked } => {
                self.choosing_folder = false;
                self.publish();
                reply(
                    answer,
                    match picked {
                        Picked::Folder(path) => Ok(Reply::Folder { path: Some(path) }),
                        Picked::Cancelled => Ok(Reply::Folder { path: None }),
                        Picked::Unavailable(reason) => Err(CommandError::new("no_folder_dialog", reason)),
                    },
                );
            }
        }
    }

    async fn command(&mut self, command: Command, answer: Answer) {
        match command {
            Command::TestObsidian { vault_path } => self.begin_test(vault_path, answer),
            Command::ChooseFolder => self.begin_choosing(answer),
            Command::ListVaults => {
                let (tools, scope) = (self.tools.clone(), self.tools.config().scope.clone());
                self.work.spawn(async move {
                    let vaults = tools.obsidian().discover(&scope).await;
                    reply(answer, vaults.map(|vaults| Reply::Vaults { vaults }).map_err(Into::into));
                });
            }
            Command::Diagnose => {
                let tools = self.tools.clone();
                self.work.spawn(async move {
                    let diagnosis = tools.obsidian().diagnose().await;
                    reply(answer, Ok(Reply::Diagnosis { diagnosis }));
                });
            }
            Command::Activity { query } => {
                let log = self.activity.clone();
                self.work.spawn(async move {
                    let page = log.page(query).await;
                    reply(answer, page.map(|page| Reply::Activity { page }).map_err(Into::into));
                });
            }
            Command::AwaitActivity { revision } => {
                let (log, ending) = (self.activity.watch(), self.ending.clone());
                self.work.spawn(beside::await_activity(log, revision, ending, answer));
            }
            Command::AwaitApprovals { revision } => {
                let (approvals, ending) = (self.approvals.clone(), self.ending.clone());
                self.work.spawn(beside::await_approvals(approvals, revision, ending, answer));
            }
            Command::CallTool { tool, arguments, mode } => {
                let (tools, access) = (self.tools.clone(), self.access.clone());
                self.work.spawn(call_tool(tools, access, tool, arguments, mode, answer));
            }
            command => {
                let outcome = self.at_once(command).await;
                // The answer comes after the picture, so that whoever waits for it sees its effect.
                self.publish();
                reply(answer, outcome);
            }
        }
    }

    /// Commands that are done before the next one is taken.
    async fn at_once(&mut self, command: Command) -> Outcome {
        match command {
            Command::SaveScope { vault_path } => {
                let vault_path = normalise_vault_path(&vault_path)?;
                let revoke = obsidian_revoke(EndReason::ScopeSaved);
                self.change(revoke, |settings| settings.obsidian.vault_path = vault_path).await
            }
            Command::SetEnabled { capability, enabled } => {
                let revoke = Revoke::Containing(capability, EndReason::SwitchFlipped(capability));
                self.change(revoke, |settings| match capability {
                    Capability::Obsidian => settings.obsidian.enabled = enabled,
                })
                .await
            }
            Command::SetAssignment { capability, runtime, assigned } => {
                self.set_assignment(capability, runtime, assigned).await
            }
            Command::AddRuntime { kind, name, mode, approval, capabilities } => {
                self.add_runtime(kind, name, mode, approval, capabilities).await
            }
            Command::RemoveRuntime { runtime } => self.remove_runtime(runtime).await,
            Command::RotateKey { runtime } => self.rotate_key(runtime).await,
            Command::SetMode { runtime, mode } => self.set_mode(runtime, mode).await,
            Command::SetLanguage { language } => {
                self.change(Revoke::Nothing, |settings| settings.window.language = language).await
            }
            Command::SetTheme { theme } => {
                self.change(Revoke::Nothing, |settings| settings.window.theme = theme).await
            }
            Command::SetPort { port } => {
                self.change(Revoke::Nothing, |settings| settings.gateway.port = port).await
            }
            Command::IssueGrant { runtime, mode, capabilities, lifetime_seconds } => {
                let lifetime = Duration::from_secs(lifetime_seconds);
                let issued = self
                    .access
                    .issue(TokenSpec { runtime, mode, capabilities, lifetime })
                    .map_err(|error| CommandError::new("grant_refused", error.to_string()))?;
                Ok(Reply::GrantIssued {
                    grant: issued.id.0,
                    token: ShownOnce(issued.token.reveal().to_owned()),
                    capabilities: issued.capabilities,
                    expires: issued.expires,
                })
            }
            Command::EndGrant { grant } => {
                if self.access.end_token(GrantId(grant)) {
                    Ok(Reply::Done)
                } else {
                    Err(CommandError::new("unknown_grant", format!("there is no one-off grant {grant}")))
                }
            }
            Command::EndSession { session } => {
                self.access.end_session(&session);
                Ok(Reply::Done)
            }
            Command::AnswerApproval { question, approve } => {
                self.approvals.answer(question, approve).map(|()| Reply::Done).map_err(Into::into)
            }
            Command::LiftApprovalPause { runtime, session } => {
                if self.approvals.lift(&runtime, session.as_ref()) {
                    Ok(Reply::Done)
                } else {
                    let message = format!("no questions of {runtime} are held back");
                    Err(CommandError::new("not_paused", message))
                }
            }
            Command::Status => Ok(Reply::Status { snapshot: Box::new(self.without_secrets(self.picture())) }),
            Command::ShowWindow => {
                self.raised += 1;
                Ok(Reply::Done)
            }
            Command::Shutdown => {
                self.closing = true;
                self.stop.cancel();
                Ok(Reply::Done)
            }
            Command::TestObsidian { .. }
            | Command::ChooseFolder
            | Command::ListVaults
            | Command::Diagnose
            | Command::Activity { .. }
            | Command::AwaitActivity { .. }
            | Command::AwaitApprovals { .. }
            | Command::CallTool { .. } => {
                unreachable!("taken by `command`, which runs them beside the actor")
            }
        }
    }

    /// Changes the settings: validate, revoke, save, put in force (LR-8). A failed save keeps the old
    /// settings, and what was revoked stays dead.
    pub(super) async fn change(&mut self, revoke: Revoke, edit: impl FnOnce(&mut Settings)) -> Outcome {
        let mut edited = self.settings.clone();
        edit(&mut edited);
        edited.validate()?;
        let change = self.access.begin_change(&revoke);
        let (path, to_save) = (self.home.settings_file(), edited.clone());
        let saved = tokio::task::spawn_blocking(move || settings::save(&path, &to_save)).await;
        match saved {
            Ok(saved) => saved?,
            Err(error) => {
                tracing::error!(%error, "saving the settings failed inside");
                return Err(CommandError::new(
                    "internal",
                    "saving the settings failed inside; nothing was changed",
                ));
            }
        }
        let looks_alone = is_about_looks_alone(&self.settings, &edited);
        self.settings = edited;
        self.generation += 1;
        self.tools.configure(call_config(&self.settings));
        change.commit(Policy::from_settings(&self.settings, self.generation));
        // What calls rest on may be another now; a question that was asked before is not answered for it.
        if !(looks_alone && matches!(revoke, Revoke::Nothing)) {
            self.approvals.configured(self.generation);
        }
        Ok(Reply::Done)
    }
}

/// Whether two settings differ in how the window looks and speaks, if in anything.
fn is_about_looks_alone(old: &Settings, new: &Settings) -> bool {
    Settings { window: old.window.clone(), ..new.clone() } == *old
}

/// Obsidian's grants end whole, whatever else they contain.
fn obsidian_revoke(reason: fn(Capability) -> EndReason) -> Revoke {
    Revoke::Containing(Capability::Obsidian, reason(Capability::Obsidian))
}

/// Whoever asked may have gone away; the command is done all the same.
pub(super) fn reply(answer: Answer, outcome: Outcome) {
    let _ = answer.send(outcome);
}

fn until(moment: SystemTime) -> Duration {
    moment.duration_since(SystemTime::now()).unwrap_or_default()
}

async fn pause(quit: &CancellationToken) {
    tokio::select! {
        () = quit.cancelled() => {}
        () = tokio::time::sleep(PUBLISH_INTERVAL) => {}
    }
}
