//! The core's one task: takes commands in turn, changes the settings, publishes snapshots.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::autostart;
use super::beside::{self, call_tool};
use super::connecting::{KeyMoved, Order};
use super::endpoints::Endpoints;
use super::instance::{FIRST_GENERATION, shown_home};
use super::kernel_checks::Checks;
use super::kernels::KernelMessage;
use super::snapshot::{ActivityView, Bridge, GatewayState, ObsidianView, Snapshot, TestState};
use super::{Command, CommandError, FolderPicker, Picked, Reply, ShownOnce};
use crate::access::approvals::Approvals;
use crate::access::{Access, GrantId, Revoke, TokenSpec};
use crate::activity;
use crate::obsidian::{Environment, TestReport};
use crate::settings::{DeclaredEndpoint, Home, KernelId, Settings, SettingsFile};
use crate::siyuan::kernels::{Finding, Kernels};
use crate::tools::Tools;

/// What the actor is told.
#[derive(Debug)]
pub(super) enum Message {
    Command(Command, Answer),
    Gateway(GatewayState),
    Window {
        open: bool,
    },
    TestEnded {
        number: u64,
        vault_path: String,
        outcome: Result<TestReport, CommandError>,
        answer: Answer,
    },
    FolderChosen {
        answer: Answer,
        picked: Picked,
    },
    /// Whether the scope that was saved as `vault_path` can be used; `answer` waits for it after a save.
    ScopeSeen {
        vault_path: String,
        problem: Option<CommandError>,
        answer: Option<Answer>,
    },
    Kernel(KernelMessage),
    KeyMoved {
        outcome: Result<KeyMoved, CommandError>,
        answer: Answer,
    },
}

pub(super) type Answer = oneshot::Sender<Result<Reply, CommandError>>;
pub(super) type Outcome = Result<Reply, CommandError>;

/// Bursts of calls are shown together: a window needs no more than this many pictures a second.
const PUBLISH_INTERVAL: Duration = Duration::from_millis(100);

/// What an actor stands on.
pub(super) struct Foundation {
    pub settings: Settings,
    pub settings_file: SettingsFile,
    pub home: Home,
    pub demo: bool,
    pub access: Access,
    pub tools: Tools,
    pub kernels: Kernels,
    pub endpoints: Endpoints,
    pub activity: activity::Log,
    pub approvals: Approvals,
    pub folder_picker: Arc<dyn FolderPicker>,
    pub autostart_folder: Option<PathBuf>,
    pub environment: Environment,
    /// Weak, so that an actor whose handles are all gone ends.
    pub inbox: mpsc::WeakUnboundedSender<Message>,
    pub work: TaskTracker,
    pub stop: CancellationToken,
    /// Fires when work beside the actor must come to its end.
    pub ending: CancellationToken,
    pub endpoint_wanted: Arc<Notify>,
}

pub(super) struct Actor {
    pub(super) settings: Settings,
    pub(super) settings_file: SettingsFile,
    pub(super) home: Home,
    pub(super) bridge: Bridge,
    pub(super) third_party_licences: Option<String>,
    pub(super) demo: bool,
    pub(super) generation: u64,
    pub(super) access: Access,
    pub(super) tools: Tools,
    pub(super) kernels: Kernels,
    pub(super) endpoints: Arc<Endpoints>,
    pub(super) checks: Checks,
    /// Kernels whose token is on its way to or from the keyring.
    pub(super) tokens_moving: BTreeSet<KernelId>,
    pub(super) activity: activity::Log,
    pub(super) approvals: Approvals,
    pub(super) folder_picker: Arc<dyn FolderPicker>,
    pub(super) autostart_folder: Option<PathBuf>,
    /// Whether this program starts with the session, as it was found or changed last.
    pub(super) autostart: Option<bool>,
    /// Whose home `~` stands for in a path that is typed, and where programs keep their configuration.
    pub(super) environment: Environment,
    /// A runtime's key is on its way into a file or the keyring.
    pub(super) key_moving: bool,
    pub(super) inbox: mpsc::WeakUnboundedSender<Message>,
    pub(super) work: TaskTracker,
    pub(super) stop: CancellationToken,
    pub(super) ending: CancellationToken,
    pub(super) endpoint_wanted: Arc<Notify>,
    pub(super) gateway: GatewayState,
    /// They wait for what comes of opening the endpoint.
    pub(super) opening: Vec<Answer>,
    pub(super) test: TestState,
    pub(super) tests: u64,
    /// Why the saved scope cannot be used, as it was seen last.
    pub(super) scope_problem: Option<CommandError>,
    pub(super) choosing_folder: bool,
    pub(super) raised: u64,
    window_open: bool,
    pub(super) closing: bool,
    pub(super) snapshots: watch::Sender<Arc<Snapshot>>,
}

impl Actor {
    pub(super) fn new(foundation: Foundation) -> Self {
        let Foundation {
            settings,
            settings_file,
            home,
            demo,
            access,
            tools,
            kernels,
            endpoints,
            activity,
            approvals,
            folder_picker,
            autostart_folder,
            environment,
            inbox,
            work,
            stop,
            ending,
            endpoint_wanted,
        } = foundation;
        let bridge = Bridge {
            // Asked once: a program that is replaced while it runs has no name any more.
            program: std::env::current_exe().unwrap_or_else(|_| "notegate".into()),
            home: home.unusual().map(Path::to_owned),
        };
        let third_party_licences = super::licences::beside(&bridge.program);
        let empty = Snapshot {
            version: env!("CARGO_PKG_VERSION").into(),
            generation: 0,
            home: shown_home(&home),
            bridge: bridge.clone(),
            third_party_licences: third_party_licences.clone(),
            demo,
            gateway: GatewayState::Starting,
            port: settings.gateway.port,
            language: None,
            theme: Default::default(),
            text_percent: 100,
            keep_running: false,
            autostart: None,
            limits: Default::default(),
            retention: Default::default(),
            obsidian: ObsidianView {
                enabled: false,
                vault_path: String::new(),
                engine: Default::default(),
                scope_problem: None,
                test: TestState::NotTested,
                choosing_folder: false,
            },
            siyuan: Default::default(),
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
            settings_file,
            home,
            bridge,
            third_party_licences,
            demo,
            generation: FIRST_GENERATION,
            access,
            tools,
            kernels,
            endpoints: Arc::new(endpoints),
            checks: Checks::default(),
            tokens_moving: BTreeSet::new(),
            activity,
            approvals,
            folder_picker,
            autostart: autostart::state(autostart_folder.as_deref()),
            autostart_folder,
            environment,
            key_moving: false,
            inbox,
            work,
            stop,
            ending,
            endpoint_wanted,
            gateway: GatewayState::Starting,
            opening: Vec::new(),
            test: TestState::NotTested,
            tests: 0,
            scope_problem: None,
            choosing_folder: false,
            raised: 0,
            window_open: false,
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
        mut findings: mpsc::UnboundedReceiver<Finding>,
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
                // The sender lives with `self`.
                Some(finding) = findings.recv() => self.take_finding(finding).await,
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
            Message::Gateway(state) => self.gateway_is(state),
            Message::Window { open } => self.window_open = open,
            Message::Kernel(message) => self.take_kernel_message(message).await,
            Message::KeyMoved { outcome, answer } => self.end_key(outcome, answer).await,
            Message::TestEnded { number, vault_path, outcome, answer } => {
                let at = SystemTime::now();
                self.test = match outcome.clone() {
                    Ok(report) => TestState::Passed { number, vault_path, report, at },
                    Err(error) => TestState::Failed { number, vault_path, error, at },
                };
                self.learn_from_test();
                self.publish();
                reply(answer, outcome.map(|report| Reply::Tested { report }));
            }
            Message::ScopeSeen { vault_path, problem, answer } => {
                if vault_path == self.settings.obsidian.vault_path {
                    self.scope_problem = problem.clone();
                }
                self.publish();
                if let Some(answer) = answer {
                    reply(answer, Ok(Reply::ScopeSaved { vault_path, problem }));
                }
            }
            Message::FolderChosen { answer, picked } => {
                self.choosing_folder = false;
                self.publish();
                reply(
                    answer,
                    match picked {
                        Picked::Folder(path) | Picked::File(path) => Ok(Reply::Folder { path: Some(path) }),
                        Picked::Cancelled => Ok(Reply::Folder { path: None }),
                        Picked::Unavailable(reason) => Err(CommandError::new("no_folder_dialog", reason)),
                    },
                );
            }
        }
    }

    async fn command(&mut self, command: Command, answer: Answer) {
        match command {
            Command::SaveScope { vault_path } => match self.save_scope(&vault_path).await {
                Ok(_) => self.begin_scope_look(Some(answer)),
                Err(error) => reply(answer, Err(error)),
            },
            Command::TestObsidian { vault_path } => self.begin_test(&vault_path, answer),
            Command::ChooseFolder => self.begin_choosing(answer),
            Command::OpenEndpoint => self.begin_opening(answer),
            Command::ListVaults => {
                let (tools, scope) = (self.tools.clone(), self.tools.config().scope.clone());
                self.work.spawn(async move {
                    let vaults = tools.obsidian().discover(&scope).await;
                    reply(answer, vaults.map(|vaults| Reply::Vaults { vaults }).map_err(Into::into));
                });
            }
            Command::Activity { query } => {
                let log = self.activity.clone();
                self.work.spawn(async move {
                    let page = log.page(query).await;
                    reply(answer, page.map(|page| Reply::Activity { page }).map_err(Into::into));
                });
            }
            Command::ExportActivity { query, format } => self.begin_export(query, format, answer),
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
            Command::PlanConnection { program, runtime, place } => {
                self.begin_planning(program, runtime, place, answer);
            }
            Command::Connect { program, runtime, place, key, seen } => {
                self.begin_connecting(Order { program, runtime, place, given: key, seen }, answer);
            }
            Command::UndoConnection { program } => self.begin_undoing(program, answer),
            Command::RotateKey { runtime } if self.keeps_key(&runtime) => {
                self.begin_rotating(runtime, answer)
            }
            Command::CheckKernel { kernel } => self.begin_kernel_check(kernel, answer),
            Command::ResumeKernel { kernel, pid } => self.begin_resuming(kernel, pid, answer),
            Command::SetToken { kernel, token } => self.begin_token(kernel, token, answer),
            Command::ClearToken { kernel } => self.begin_clearing(kernel, answer),
            Command::RemoveKernel { kernel, keep_token } => {
                self.begin_removal(kernel, keep_token, answer).await;
            }
            Command::DeclareEndpoint { kernel, endpoint, note } => {
                self.begin_declaring(kernel, DeclaredEndpoint { endpoint, note }, answer);
            }
            Command::DiscoverTools { kernel } => self.begin_discovery(kernel, answer),
            Command::SetPermissions { kernel, permissions } => {
                self.begin_permissions(kernel, permissions, answer).await;
            }
            Command::Endpoints { query } => self.begin_endpoints(query, answer),
            Command::DescribeEndpoint { endpoint } => self.begin_describing(endpoint, answer),
            Command::CheckBody { endpoint, body } => self.begin_body_check(endpoint, body, answer),
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
            Command::TrySampleVault => self.try_sample_vault().await,
            Command::SetEngine { engine } => self.set_engine(engine).await,
            Command::SetEnabled { capability, enabled } => self.set_enabled(capability, enabled).await,
            Command::SetAssignment { capability, runtime, assigned } => {
                self.set_assignment(capability, runtime, assigned).await
            }
            Command::AddKernel { kernel, draft } => self.add_kernel(kernel, draft).await,
            Command::EditKernel { kernel, draft } => self.edit_kernel(kernel, draft).await,
            Command::RebindKernel { kernel } => self.rebind_kernel(kernel).await,
            Command::SetKernelDisabled { kernel, disabled } => {
                self.set_kernel_disabled(kernel, disabled).await
            }
            Command::SetDefaultKernel { kernel } => self.set_default_kernel(kernel).await,
            Command::ChooseKernel { session, kernel } => self.choose_kernel(session, kernel).await,
            Command::ForgetEndpoint { kernel, endpoint } => self.forget_endpoint(kernel, &endpoint).await,
            Command::CancelKernelCheck { kernel } => {
                self.known_kernel(&kernel)?;
                self.checks.cancel(&kernel);
                Ok(Reply::Done)
            }
            Command::AddRuntime { kind, name, mode, approval, capabilities } => {
                self.add_runtime(kind, name, mode, approval, capabilities).await
            }
            Command::RemoveRuntime { runtime } => self.remove_runtime(runtime).await,
            Command::RotateKey { runtime } => self.rotate_key(runtime).await,
            Command::SetMode { runtime, mode } => self.set_mode(runtime, mode).await,
            Command::SetApprovalPolicy { runtime, approval } => {
                self.set_approval_policy(runtime, approval).await
            }
            Command::RenameRuntime { runtime, name } => self.rename_runtime(runtime, &name).await,
            Command::SetLanguage { language } => {
                self.change(Revoke::Nothing, |settings| settings.window.language = language).await
            }
            Command::SetTheme { theme } => {
                self.change(Revoke::Nothing, |settings| settings.window.theme = theme).await
            }
            Command::SetTextSize { percent } => {
                self.change(Revoke::Nothing, |settings| settings.window.text_percent = percent).await
            }
            Command::SetAutostart { on } => self.set_autostart(on).await,
            Command::SetKeepRunning { keep } => {
                self.change(Revoke::Nothing, |settings| settings.window.keep_running = keep).await
            }
            Command::SetLimits { limits } => {
                self.change(Revoke::Nothing, |settings| settings.gateway.limits = limits).await
            }
            Command::SetRetention { retention } => self.set_retention(retention).await,
            Command::SetPort { port } => {
                let saved = self.change(Revoke::Nothing, |settings| settings.gateway.port = port).await?;
                tracing::info!(port, "port saved");
                Ok(saved)
            }
            Command::IssueGrant { runtime, mode, capabilities, lifetime_seconds } => {
                let lifetime = Duration::from_secs(lifetime_seconds);
                let issued = self
                    .access
                    .issue(TokenSpec { runtime, mode, capabilities, lifetime })
                    .map_err(|error| CommandError::new("grant_refused", error.to_string()))?;
                tracing::info!(grant = issued.id.0, lifetime_seconds, "one-off grant issued");
                Ok(Reply::GrantIssued {
                    grant: issued.id.0,
                    token: ShownOnce(issued.token.reveal().to_owned()),
                    capabilities: issued.capabilities,
                    expires: issued.expires,
                })
            }
            Command::EndGrant { grant } => {
                if self.access.end_token(GrantId(grant)) {
                    tracing::info!(grant, "one-off grant ended");
                    Ok(Reply::Done)
                } else {
                    Err(CommandError::new("unknown_grant", format!("there is no one-off grant {grant}")))
                }
            }
            Command::EndSession { session } => {
                for runtime in self.access.session_owners(&session) {
                    self.access.end_session(&runtime, &session);
                }
                Ok(Reply::Done)
            }
            Command::ShowWindow if !self.window_open => Err(CommandError::new(
                "no_window",
                "Notegate runs already, without a window. End it with `notegate stop`, then start `notegate` again",
            )),
            Command::AnswerApproval { question, approve } => {
                self.approvals.answer(question, approve).map(|()| Reply::Done).map_err(Into::into)
            }
            Command::RefuseSession { runtime, session } => {
                self.approvals.refuse_all(&runtime, session.as_ref());
                Ok(Reply::Done)
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
            Command::SaveScope { .. }
            | Command::TestObsidian { .. }
            | Command::ChooseFolder
            | Command::OpenEndpoint
            | Command::ListVaults
            | Command::Activity { .. }
            | Command::AwaitActivity { .. }
            | Command::ExportActivity { .. }
            | Command::AwaitApprovals { .. }
            | Command::CallTool { .. }
            | Command::PlanConnection { .. }
            | Command::Connect { .. }
            | Command::UndoConnection { .. }
            | Command::CheckKernel { .. }
            | Command::ResumeKernel { .. }
            | Command::SetToken { .. }
            | Command::ClearToken { .. }
            | Command::RemoveKernel { .. }
            | Command::SetPermissions { .. }
            | Command::DeclareEndpoint { .. }
            | Command::DiscoverTools { .. }
            | Command::Endpoints { .. }
            | Command::DescribeEndpoint { .. }
            | Command::CheckBody { .. } => {
                unreachable!("taken by `command`, which answers them from beside the actor")
            }
        }
    }
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
