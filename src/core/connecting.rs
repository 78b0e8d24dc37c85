//! Connecting a chat program by writing its configuration: the key, the keyring and the file, in an order in which a
//! failure leaves things as they were.
//!
//! Files and the keyring may take long, so this runs beside the actor; one at a time.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::actor::{Actor, Answer, Message, reply};
use super::configuration::{KEY_PLACEHOLDER, url_of};
use super::connect::{self, Bearer, ConnectError, KeyPlace, Program, Way, program};
use super::{CommandError, Reply, ShownOnce, TypedSecret};
use crate::access::{EndReason, Revoke};
use crate::secrets::{self, EntryName, Purpose, Secret};
use crate::settings::{RuntimeId, RuntimeKind};

/// The order to write a program's configuration.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) program: RuntimeKind,
    pub(super) runtime: RuntimeId,
    pub(super) place: KeyPlace,
    /// The runtime's key; `None` makes a new one where one is needed.
    pub(super) given: Option<TypedSecret>,
    /// The mark of the file that the person was shown.
    pub(super) seen: Option<String>,
}

/// What became of a key and of the file that it was for.
#[derive(Debug)]
pub(super) struct KeyMoved {
    runtime: RuntimeId,
    /// Where the key is now.
    place: KeyPlace,
    /// A key that takes the old one's place.
    new: Option<Secret>,
    /// The file that was written; none where a key was only replaced.
    written: Option<(RuntimeKind, PathBuf, Option<PathBuf>)>,
}

impl Actor {
    pub(super) fn begin_planning(
        &mut self,
        kind: RuntimeKind,
        runtime: Option<RuntimeId>,
        place: KeyPlace,
        answer: Answer,
    ) {
        let prepared = runtime.map_or_else(|| RuntimeId::new(kind.as_str()).map_err(CommandError::from), Ok);
        let prepared = prepared.and_then(|runtime| {
            let program = known_program(kind)?;
            Ok((program, self.entry(program, place, &runtime, KEY_PLACEHOLDER)))
        });
        let (program, entry) = match prepared {
            Ok(prepared) => prepared,
            Err(error) => return reply(answer, Err(error)),
        };
        let (environment, home) = (self.environment.clone(), self.home.clone());
        self.work.spawn(async move {
            let looked = tokio::task::spawn_blocking(move || {
                let plan = connect::plan(program, place, &environment, &entry)?;
                let mut shown = plan.shown();
                shown.can_undo = connect::can_undo(&home, kind);
                Ok::<_, ConnectError>(shown)
            });
            let outcome = ended(looked.await);
            reply(answer, outcome.map(|plan| Reply::ConnectionPlanned { plan }));
        });
    }

    pub(super) fn begin_connecting(&mut self, order: Order, answer: Answer) {
        match self.prepared(order) {
            Ok((program, order, key, new)) => self.connect(program, order, key, new, answer),
            Err(error) => reply(answer, Err(error)),
        }
    }

    /// The order with the key that is to be written, and whether that is a new one.
    fn prepared(&self, order: Order) -> Result<(&'static Program, Order, Secret, bool), CommandError> {
        if self.demo {
            let message = "the demonstration is gone when it is stopped, so it is written into no program's configuration";
            return Err(CommandError::new("demonstration", message));
        }
        self.nothing_moves()?;
        let program = known_program(order.program)?;
        let runtime = self.settings.runtime(&order.runtime);
        let runtime = runtime.ok_or_else(|| CommandError::unknown_runtime(&order.runtime))?;
        match &order.given {
            Some(TypedSecret(key)) if secrets::same(&key.digest(), &runtime.key_sha256) => {
                let key = key.clone();
                Ok((program, order, key, false))
            }
            Some(_) => {
                let message =
                    format!("this is not the key of {}; without one, a new one is made", order.runtime);
                Err(CommandError::new("key_not_its", message))
            }
            None => Ok((program, order, Secret::generate(Purpose::RuntimeKey)?, true)),
        }
    }

    fn nothing_moves(&self) -> Result<(), CommandError> {
        if self.key_moving {
            let message = "a key is on its way into a file or the keyring; wait until that is done";
            return Err(CommandError::new("key_busy", message));
        }
        Ok(())
    }

    fn connect(&mut self, program: &'static Program, order: Order, key: Secret, new: bool, answer: Answer) {
        // A core that is closing has no inbox any more, and nobody to tell.
        let Some(inbox) = self.inbox.upgrade() else { return };
        let Order { program: kind, runtime, place, seen, .. } = order;
        let kept = self.settings.runtime(&runtime).is_some_and(|runtime| runtime.key_kept);
        // One that is in the keyring already stays the one that it is.
        let to_keyring = place == KeyPlace::Keyring && !(kept && new);
        let new = (new && (place != KeyPlace::Keyring || to_keyring)).then(|| key.clone());
        let entry = self.entry(program, place, &runtime, key.reveal());
        let (environment, home) = (self.environment.clone(), self.home.clone());
        let (credentials, name) = (self.kernels.credentials().clone(), self.key_entry(&runtime));
        self.key_moving = true;
        // Not ended with the instance: a file and its backup are written in a moment, and whole.
        self.work.spawn(async move {
            let outcome = async {
                let planned =
                    tokio::task::spawn_blocking(move || connect::plan(program, place, &environment, &entry));
                let plan = ended(planned.await)?;
                if to_keyring {
                    credentials.write(&name, key).await?;
                }
                let named = runtime.clone();
                let written =
                    tokio::task::spawn_blocking(move || plan.carry_out(seen.as_deref(), &home, &named));
                let written = ended(written.await);
                if written.is_err() && to_keyring && !kept {
                    // Nobody will look for it.
                    let _ = credentials.remove(&name).await;
                }
                let (path, backup) = written?;
                Ok(KeyMoved { runtime, place, new, written: Some((kind, path, backup)) })
            };
            let _ = inbox.send(Message::KeyMoved { outcome: outcome.await, answer });
        });
    }

    /// Replaces a key that is in the keyring, there as well: the bridge goes on with the new one.
    pub(super) fn begin_rotating(&mut self, runtime: RuntimeId, answer: Answer) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let key = match self.nothing_moves().and_then(|()| Ok(Secret::generate(Purpose::RuntimeKey)?)) {
            Ok(key) => key,
            Err(error) => return reply(answer, Err(error)),
        };
        let (credentials, name) = (self.kernels.credentials().clone(), self.key_entry(&runtime));
        self.key_moving = true;
        self.work.spawn(async move {
            let written = credentials.write(&name, key.clone()).await;
            let moved = KeyMoved { runtime, place: KeyPlace::Keyring, new: Some(key), written: None };
            let outcome = written.map(|()| moved).map_err(CommandError::from);
            let _ = inbox.send(Message::KeyMoved { outcome, answer });
        });
    }

    /// Saves which key is in force now.
    pub(super) async fn end_key(&mut self, outcome: Result<KeyMoved, CommandError>, answer: Answer) {
        self.key_moving = false;
        let outcome = match outcome {
            Ok(moved) => self.save_key(moved).await,
            Err(error) => Err(error),
        };
        self.publish();
        reply(answer, outcome);
    }

    async fn save_key(&mut self, moved: KeyMoved) -> Result<Reply, CommandError> {
        let KeyMoved { runtime: id, place, new, written } = moved;
        let kept_before = self.settings.runtime(&id).is_some_and(|runtime| runtime.key_kept);
        let kept = place == KeyPlace::Keyring || (kept_before && new.is_none());
        if new.is_some() || kept != kept_before {
            // Only another key ends what was granted with the old one.
            let revoke = match new {
                Some(_) => Revoke::Runtime(id.clone(), EndReason::RuntimeChanged),
                None => Revoke::Nothing,
            };
            let digest = new.as_ref().map(Secret::digest);
            let saved = self
                .change(revoke, |settings| {
                    if let Some(runtime) = settings.runtimes.iter_mut().find(|runtime| runtime.id == id) {
                        runtime.key_sha256 = digest.unwrap_or(runtime.key_sha256);
                        runtime.key_kept = kept;
                    }
                })
                .await;
            if let Err(error) = saved {
                if let Some((kind, ..)) = written {
                    self.take_back(kind);
                }
                if kept && !kept_before {
                    self.drop_kept_key(&id);
                }
                return Err(error);
            }
        }
        if kept_before && !kept {
            self.drop_kept_key(&id);
        }
        tracing::info!(runtime = %id, place = place.as_str(), new = new.is_some(), "key placed");
        let shown = |key: Secret| ShownOnce(key.reveal().to_owned());
        Ok(match (written, new) {
            (Some((_, path, backup)), new) => {
                let key = new.filter(|_| place == KeyPlace::Environment).map(shown);
                Reply::Connected { path, backup, key }
            }
            (None, Some(key)) => Reply::KeyRotated { runtime: id, key: shown(key) },
            (None, None) => Reply::Done,
        })
    }

    pub(super) fn begin_undoing(&mut self, kind: RuntimeKind, answer: Answer) {
        if let Err(error) = self.nothing_moves() {
            return reply(answer, Err(error));
        }
        let kept = self.settings.runtimes.iter().filter(|runtime| runtime.key_kept);
        let kept: Vec<RuntimeId> = kept.map(|runtime| runtime.id.clone()).collect();
        let home = self.home.clone();
        self.work.spawn(async move {
            let undone = ended(tokio::task::spawn_blocking(move || connect::undo(&home, kind)).await);
            let undone = undone.map(|(path, runtime)| {
                // Whatever else starts the bridge may take it from there, so it stays.
                let key_kept = runtime.filter(|runtime| kept.contains(runtime));
                Reply::ConnectionUndone { path, key_kept }
            });
            reply(answer, undone);
        });
    }

    /// Takes back a file that was written for a key that could not be saved.
    fn take_back(&self, kind: RuntimeKind) {
        let home = self.home.clone();
        self.work.spawn(async move {
            if let Err(error) = ended(tokio::task::spawn_blocking(move || connect::undo(&home, kind)).await) {
                tracing::warn!(%error, "a configuration holds a key that is not in force");
            }
        });
    }

    /// Removes a key from the keyring that nobody will ask for any more.
    pub(super) fn drop_kept_key(&self, runtime: &RuntimeId) {
        let (credentials, name) = (self.kernels.credentials().clone(), self.key_entry(runtime));
        self.work.spawn(async move {
            if let Err(error) = credentials.remove(&name).await {
                tracing::warn!(%error, "a dead key stays in the keyring");
            }
        });
    }

    fn key_entry(&self, runtime: &RuntimeId) -> EntryName {
        EntryName::runtime_key(self.home.root(), runtime)
    }

    fn entry(
        &self,
        program: &Program,
        place: KeyPlace,
        runtime: &RuntimeId,
        key: &str,
    ) -> Map<String, Value> {
        let url = url_of(&self.gateway, self.settings.gateway.port);
        let way = match place {
            KeyPlace::Keyring => Way::Bridge { bridge: &self.bridge, key: Err(runtime) },
            // It speaks stdio alone.
            KeyPlace::File if program.kind == RuntimeKind::ClaudeDesktop => {
                Way::Bridge { bridge: &self.bridge, key: Ok(key) }
            }
            KeyPlace::File => Way::Http { url: &url, bearer: Bearer::Key(key) },
            KeyPlace::Environment => Way::Http { url: &url, bearer: Bearer::Variable },
        };
        connect::entry(program.kind, way)
    }
}

fn known_program(kind: RuntimeKind) -> Result<&'static Program, CommandError> {
    program(kind).ok_or_else(|| ConnectError::NoFile(kind.product_name()).into())
}

/// What came of work on a blocking thread.
fn ended<T>(joined: Result<Result<T, ConnectError>, tokio::task::JoinError>) -> Result<T, CommandError> {
    let done =
        joined.map_err(|error| CommandError::new("internal", format!("a thread broke off: {error}")))?;
    done.map_err(CommandError::from)
}
