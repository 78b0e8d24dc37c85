//! The chat programs that may connect: adding one, its mode, its key, removing it.

mod add;
mod connect;
mod keys;
mod list;
mod rename;

use std::collections::BTreeSet;

use egui::Ui;

use self::add::AddForm;
use self::connect::Connecting;
use self::keys::{NewKey, NewKeys};
use self::rename::Renaming;
use super::{content, header, name_of};
use crate::core::{Command, CommandError, Reply, RuntimeId, Snapshot};
use crate::ui::errors;
use crate::ui::icons::Icon;
use crate::ui::link::{Link, Pending, take};
use crate::ui::widgets::{Answer, Button, Kind, Look, Question, alert, card, empty_state, muted};

/// What is asked before something is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Doubt {
    Rotate(RuntimeId),
    Remove(RuntimeId),
}

/// The page's own state.
#[derive(Debug, Default)]
pub struct RuntimesPage {
    form: Option<AddForm>,
    adding: Option<Pending>,
    add_failed: Option<CommandError>,
    new_keys: NewKeys,
    connecting: Connecting,
    renaming: Option<Renaming>,
    /// The runtimes whose configuration is shown again.
    unfolded: BTreeSet<RuntimeId>,
    /// The runtimes whose sessions are shown.
    sessions_open: BTreeSet<RuntimeId>,
    doubt: Option<Doubt>,
    change: Option<Pending>,
    change_failed: Option<CommandError>,
}

impl RuntimesPage {
    /// Opens the form for a new runtime.
    pub fn begin_adding(&mut self) {
        if self.form.is_none() {
            self.form = Some(AddForm::default());
        }
    }

    /// Takes in what has come since the last frame, whether the page is shown or not.
    pub fn receive(&mut self, snapshot: &Snapshot) {
        // Before a new key is taken in: its runtime may be newer than this picture.
        self.new_keys.keep(snapshot);
        match take(&mut self.adding) {
            Some(Ok(Reply::RuntimeAdded { runtime, key })) => {
                self.form = None;
                self.new_keys.show(NewKey {
                    runtime: runtime.id,
                    name: runtime.name,
                    kind: runtime.kind,
                    key,
                });
            }
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.add_failed = Some(error),
        }
        match take(&mut self.change) {
            Some(Ok(Reply::KeyRotated { runtime, key })) => {
                if let Some(known) = snapshot.runtimes.iter().find(|known| known.id == runtime) {
                    let (name, kind) = (known.name.clone(), known.kind);
                    self.new_keys.show(NewKey { runtime, name, kind, key });
                }
            }
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.change_failed = Some(error),
        }
        self.connecting.receive();
        if self.renaming.as_mut().is_some_and(Renaming::is_done) {
            self.renaming = None;
        }
    }

    pub fn show(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        header(ui, look, look.text("page-runtimes"), look.text("runtimes-about"), |ui| {
            if self.form.is_none() && !snapshot.runtimes.is_empty() {
                let button = Button::new("add-runtime", look.text("add-runtime")).icon(Icon::Plus);
                if button.kind(Kind::Primary).show(ui, look).clicked() {
                    self.begin_adding();
                }
            }
        });
        content(ui, "runtimes", |ui| {
            if let Some(error) = &self.change_failed {
                let shown = errors::shown(error, look.texts);
                alert(ui, look, "runtime-failed", &shown.lead);
                muted(ui, look, shown.detail.unwrap_or_default());
            }
            self.add_card(ui, look, link);
            self.connecting.cards(ui, look, link);
            if let Some(wanted) = self.new_keys.cards(ui, look, snapshot) {
                self.connecting.begin(wanted, link);
            }
            if snapshot.runtimes.is_empty() && self.form.is_none() {
                card(ui, look, "no-runtimes", &look.text("page-runtimes"), |ui| {
                    let (title, text) = (look.text("runtimes-none"), look.text("runtimes-none-help"));
                    let button = ("add-runtime", look.text("add-runtime"));
                    if empty_state(ui, look, Icon::Runtime, title, text, button).clicked() {
                        self.begin_adding();
                    }
                });
            }
            list::show(self, ui, look, snapshot, link);
        });
        self.question(ui, look, snapshot, link);
        self.connecting.question(ui, look, link);
    }

    fn add_card(&mut self, ui: &mut Ui, look: Look<'_>, link: &dyn Link) {
        let Some(form) = &mut self.form else { return };
        let done = form.show(ui, look, self.adding.is_some(), self.add_failed.as_ref());
        match done {
            Some(add::Done::Add(command)) => {
                self.add_failed = None;
                self.adding = Some(link.send(command));
            }
            Some(add::Done::Cancel) => {
                self.form = None;
                self.add_failed = None;
            }
            None => {}
        }
    }

    fn question(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        let Some(doubt) = self.doubt.clone() else { return };
        let (Doubt::Rotate(id) | Doubt::Remove(id)) = &doubt;
        let Some(runtime) = snapshot.runtimes.iter().find(|runtime| runtime.id == *id) else {
            self.doubt = None;
            return;
        };
        let name = name_of(runtime, snapshot, look);
        let about = |key: &str| look.texts.with(key, [("name", name.as_str().into())]);
        let (title, text, yes, command) = match &doubt {
            Doubt::Rotate(_) => {
                let command = Command::RotateKey { runtime: id.clone() };
                (about("rotate-title"), about("rotate-loses"), look.text("rotate-yes"), command)
            }
            Doubt::Remove(_) => {
                let command = Command::RemoveRuntime { runtime: id.clone() };
                (about("remove-title"), about("remove-loses"), look.text("remove-yes"), command)
            }
        };
        match (Question { id: "runtime", title, text, yes }).show(ui.ctx(), look) {
            Some(Answer::Yes) => {
                self.doubt = None;
                self.ask(link, command);
            }
            Some(Answer::No) => self.doubt = None,
            None => {}
        }
    }

    fn ask(&mut self, link: &dyn Link, command: Command) {
        self.change_failed = None;
        self.change = Some(link.send(command));
    }
}
