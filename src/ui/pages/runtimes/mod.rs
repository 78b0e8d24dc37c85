//! The chat programs that may connect: adding one, its mode, its key, removing it.

mod add;
mod list;
mod snippet;

use egui::Ui;

use self::add::AddForm;
use super::{content, header};
use crate::core::{Command, CommandError, Reply, RuntimeId, RuntimeKind, ShownOnce, Snapshot};
use crate::ui::errors;
use crate::ui::icons::Icon;
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::space;
use crate::ui::widgets::{
    Answer, Button, CopyField, Kind, Look, Question, Tone, alert, card, empty_state, heading, muted, status,
};

/// A key that is shown now and never again.
#[derive(Debug)]
struct NewKey {
    name: String,
    kind: RuntimeKind,
    key: ShownOnce,
}

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
    new_key: Option<NewKey>,
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
        match take(&mut self.adding) {
            Some(Ok(Reply::RuntimeAdded { runtime, key })) => {
                self.form = None;
                self.new_key = Some(NewKey { name: runtime.name, kind: runtime.kind, key });
            }
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.add_failed = Some(error),
        }
        match take(&mut self.change) {
            Some(Ok(Reply::KeyRotated { runtime, key })) => {
                if let Some(runtime) = snapshot.runtimes.iter().find(|known| known.id == runtime) {
                    self.new_key = Some(NewKey { name: runtime.name.clone(), kind: runtime.kind, key });
                }
            }
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.change_failed = Some(error),
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
            self.key_card(ui, look, snapshot);
            self.add_card(ui, look, link);
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
    }

    fn key_card(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) {
        let Some(new) = &self.new_key else { return };
        let title = look.texts.with("key-title", [("name", new.name.as_str().into())]);
        let mut done = false;
        card(ui, look, "new-key", &title, |ui| {
            ui.spacing_mut().item_spacing.y = space::M;
            heading(ui, look, title.clone());
            status(ui, look, "key-once", Tone::Warning, &look.text("key-once"));
            CopyField { id: "key", label: look.text("key"), text: &new.key.0, help: None }.show(ui, look);
            let text = snippet::for_kind(new.kind, &snippet::endpoint(snapshot), &new.key.0);
            CopyField {
                id: "snippet",
                label: look.text("snippet"),
                text: &text,
                help: Some(look.text(snippet::place_key(new.kind))),
            }
            .show(ui, look);
            done =
                Button::new("key-done", look.text("key-done")).kind(Kind::Primary).show(ui, look).clicked();
        });
        if done {
            self.new_key = None;
        }
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
        let about = |key: &str| look.texts.with(key, [("name", runtime.name.as_str().into())]);
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
