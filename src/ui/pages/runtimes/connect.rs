//! Writing a program's configuration for the person: the change is shown, then made, and can be taken back.

use std::path::PathBuf;

use egui::{Id, ScrollArea, Ui};

use crate::core::{
    Command, CommandError, ConnectionPlan, KEY_VARIABLE, KeyPlace, Reply, RuntimeId, RuntimeKind, Secret,
    ShownOnce, Sign, TypedSecret, writes_configuration,
};
use crate::ui::errors;
use crate::ui::icons::Icon;
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::space;
use crate::ui::widgets::{
    Answer, Button, Choice, CopyField, Kind, Look, Question, Tone, alert, caption, card, choices, diff,
    heading, mono_wrapped, muted, status,
};

/// What the question has beside the change: its title, its text, its answers and its edges, in points.
const BESIDE: f32 = 270.0;

/// What the person wants written, as the button says it that was pressed.
#[derive(Debug)]
pub(super) struct Wanted {
    pub kind: RuntimeKind,
    pub runtime: RuntimeId,
    /// `None`: nobody has it any more.
    pub key: Option<ShownOnce>,
}

/// Shows the button, where there is a file to write. Whether it was pressed.
pub(super) fn button(ui: &mut Ui, look: Look<'_>, kind: RuntimeKind, runtime: &RuntimeId) -> bool {
    if !writes_configuration(kind) {
        return false;
    }
    let name = look
        .texts
        .with("connect-of", [("program", kind.product_name().into()), ("id", runtime.as_str().into())]);
    let id = format!("connect-{runtime}");
    Button::new(&id, look.text("connect")).name(name).show(ui, look).clicked()
}

/// What is being written, and what was.
#[derive(Debug, Default)]
pub(super) struct Connecting {
    open: Option<Writer>,
    written: Vec<Written>,
}

#[derive(Debug)]
struct Writer {
    wanted: Wanted,
    place: KeyPlace,
    planning: Option<Pending>,
    plan: Option<ConnectionPlan>,
    writing: Option<Pending>,
    /// The last write is being taken back.
    undoing: Option<Pending>,
    failed: Option<CommandError>,
}

/// A configuration that was written since the window was opened.
#[derive(Debug)]
struct Written {
    kind: RuntimeKind,
    path: PathBuf,
    backup: Option<PathBuf>,
    /// To be set in the program's environment.
    key: Option<ShownOnce>,
    undoing: Option<Pending>,
    /// With the runtime whose key stays in the keyring.
    undone: Option<Result<Option<RuntimeId>, CommandError>>,
}

impl Connecting {
    pub(super) fn begin(&mut self, wanted: Wanted, link: &dyn Link) {
        let mut writer = Writer {
            wanted,
            place: KeyPlace::File,
            planning: None,
            plan: None,
            writing: None,
            undoing: None,
            failed: None,
        };
        writer.look(link);
        self.open = Some(writer);
    }

    /// Takes in what has come since the last frame.
    pub(super) fn receive(&mut self) {
        for written in &mut self.written {
            if let Some(outcome) = take(&mut written.undoing) {
                written.undone = Some(outcome.map(|reply| match reply {
                    Reply::ConnectionUndone { key_kept, .. } => key_kept,
                    _ => None,
                }));
            }
        }
        if let Some(writer) = &mut self.open {
            match take(&mut writer.planning) {
                Some(Ok(Reply::ConnectionPlanned { plan })) => writer.plan = Some(plan),
                Some(Ok(_)) | None => {}
                Some(Err(error)) => writer.failed = Some(error),
            }
            match take(&mut writer.writing) {
                Some(Ok(Reply::Connected { path, backup, key })) => {
                    let kind = writer.wanted.kind;
                    let given = writer.wanted.key.take().filter(|_| writer.place == KeyPlace::Environment);
                    let key = key.or(given);
                    self.close(Written { kind, path, backup, key, undoing: None, undone: None });
                    return;
                }
                Some(Ok(_)) | None => {}
                Some(Err(error)) => writer.failed = Some(error),
            }
            match take(&mut writer.undoing) {
                Some(Ok(Reply::ConnectionUndone { path, key_kept })) => {
                    let (kind, undone) = (writer.wanted.kind, Some(Ok(key_kept)));
                    self.close(Written { kind, path, backup: None, key: None, undoing: None, undone });
                }
                Some(Ok(_)) | None => {}
                Some(Err(error)) => writer.failed = Some(error),
            }
        }
    }

    /// Only the last change of a file can be taken back.
    fn close(&mut self, written: Written) {
        self.open = None;
        self.written.retain(|before| before.kind != written.kind);
        self.written.insert(0, written);
    }

    /// The question that stands in front of the page.
    pub(super) fn question(&mut self, ui: &Ui, look: Look<'_>, link: &dyn Link) {
        let Some(writer) = &mut self.open else { return };
        let name = writer.wanted.kind.product_name();
        let question = Question {
            id: "connect",
            title: look.texts.with("connect-title", [("program", name.into())]),
            text: look.texts.with("connect-about", [("program", name.into())]),
            yes: look.text("connect-yes"),
        };
        let ready = writer.is_ready();
        let answer =
            question.show_with(ui.ctx(), look, (Kind::Primary, ready), |ui| writer.show(ui, look, link));
        match answer {
            Some(Answer::Yes) => writer.write(link),
            Some(Answer::No) => self.open = None,
            None => {}
        }
    }

    /// What was written, with the way back.
    pub(super) fn cards(&mut self, ui: &mut Ui, look: Look<'_>, link: &dyn Link) {
        self.written.retain_mut(|written| !written.show(ui, look, link));
    }
}

impl Writer {
    fn look(&mut self, link: &dyn Link) {
        let (program, runtime) = (self.wanted.kind, Some(self.wanted.runtime.clone()));
        self.plan = None;
        self.failed = None;
        self.planning = Some(link.send(Command::PlanConnection { program, runtime, place: self.place }));
    }

    /// A key that others could read is not written.
    fn is_exposed(&self) -> bool {
        self.place == KeyPlace::File && self.plan.as_ref().is_some_and(|plan| plan.readable_by_others)
    }

    fn is_busy(&self) -> bool {
        self.writing.is_some() || self.undoing.is_some()
    }

    fn is_ready(&self) -> bool {
        let changes = self.plan.as_ref().is_some_and(|plan| !plan.diff.is_empty());
        changes && !self.is_exposed() && !self.is_busy() && self.failed.is_none()
    }

    fn write(&mut self, link: &dyn Link) {
        let Some(plan) = &self.plan else { return };
        let key = self.wanted.key.as_ref().map(|key| TypedSecret(Secret::from_text(key.0.clone())));
        self.writing = Some(link.send(Command::Connect {
            program: self.wanted.kind,
            runtime: self.wanted.runtime.clone(),
            place: self.place,
            key,
            seen: Some(plan.seen.clone()),
        }));
    }

    /// As high as the window has room for; the answers stay in sight below it.
    fn show(&mut self, ui: &mut Ui, look: Look<'_>, link: &dyn Link) {
        let room = (ui.ctx().content_rect().height() - BESIDE).max(80.0);
        ScrollArea::vertical().max_height(room).show(ui, |ui| self.inside(ui, look, link));
    }

    fn inside(&mut self, ui: &mut Ui, look: Look<'_>, link: &dyn Link) {
        ui.spacing_mut().item_spacing.y = space::S;
        // First, and the warnings before the change: in a low window what comes last is out of sight.
        if let Some(error) = &self.failed {
            let shown = errors::shown(error, look.texts);
            alert(ui, look, "connect-failed", &shown.lead);
            muted(ui, look, shown.detail.unwrap_or_default());
        }
        if let Some(plan) = self.plan.clone() {
            self.places(ui, look, &plan, link);
            if self.is_exposed() {
                status(ui, look, "connect-exposed", Tone::Warning, &look.text("connect-exposed"));
            } else if self.wanted.key.is_none() {
                status(ui, look, "connect-new-key", Tone::Warning, &look.text("connect-new-key"));
            }
            caption(ui, look, look.text(if plan.exists { "connect-change" } else { "connect-new-file" }));
            mono_wrapped(ui, look, &plan.path.to_string_lossy());
            if plan.diff.is_empty() {
                muted(ui, look, look.text("connect-same"));
            } else {
                let lines = plan.diff.iter().map(|line| {
                    let tone = match line.sign {
                        Sign::Stays => Tone::Plain,
                        Sign::Goes => Tone::Danger,
                        Sign::Comes => Tone::Success,
                    };
                    (tone, format!("{} {}", line.sign.mark(), line.text))
                });
                diff(ui, look, lines);
            }
            if plan.can_undo {
                let undo =
                    Button::new("connect-undo-last", look.text("connect-undo-last")).icon(Icon::Remove);
                if undo.enabled(!self.is_busy()).show(ui, look).clicked() {
                    let program = self.wanted.kind;
                    self.undoing = Some(link.send(Command::UndoConnection { program }));
                }
            }
        }
    }

    fn places(&mut self, ui: &mut Ui, look: Look<'_>, plan: &ConnectionPlan, link: &dyn Link) {
        caption(ui, look, look.text("connect-place"));
        let list: Vec<Choice<KeyPlace>> = plan
            .places
            .iter()
            .map(|place| {
                let (salt, text, help) = match place {
                    KeyPlace::File => ("file", "connect-in-file", "connect-in-file-help"),
                    KeyPlace::Keyring => ("keyring", "connect-in-keyring", "connect-in-keyring-help"),
                    KeyPlace::Environment => ("variable", "connect-in-variable", "connect-in-variable-help"),
                };
                Choice { value: *place, salt, text: look.text(text), help: Some(look.text(help)) }
            })
            .collect();
        let (id, name) = (Id::unique("connect-place"), look.text("connect-place"));
        if let Some(place) = choices(ui, look, id, &name, self.place, &list, false)
            && !self.is_busy()
        {
            self.place = place;
            self.look(link);
        }
    }
}

impl Written {
    /// Whether the person has seen it.
    fn show(&mut self, ui: &mut Ui, look: Look<'_>, link: &dyn Link) -> bool {
        let program = [("program", self.kind.product_name().into())];
        let title = look.texts.with("connect-done-title", program);
        let id = |part: &str| format!("{part}-{}", self.kind.as_str());
        card(ui, look, &id("written"), &title, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            heading(ui, look, title.clone());
            let is_undone = matches!(self.undone, Some(Ok(_)));
            if is_undone {
                status(ui, look, &id("undone"), Tone::Success, &look.text("connect-undone"));
            } else {
                let program = [("program", self.kind.product_name().into())];
                status(ui, look, &id("done"), Tone::Success, &look.texts.with("connect-done", program));
            }
            mono_wrapped(ui, look, &self.path.to_string_lossy());
            if let Some(Ok(Some(runtime))) = &self.undone {
                muted(ui, look, look.texts.with("connect-key-kept", [("id", runtime.as_str().into())]));
            }
            if let Some(backup) = self.backup.as_ref().filter(|_| !is_undone) {
                caption(ui, look, look.text("connect-backup"));
                mono_wrapped(ui, look, &backup.to_string_lossy());
            }
            if let Some(key) = self.key.as_ref().filter(|_| !is_undone) {
                let line = format!("{KEY_VARIABLE}={}", key.0);
                let (label, help) = (look.text("connect-variable"), Some(look.text("connect-variable-help")));
                CopyField { id: &id("variable"), label, text: &line, help }.show(ui, look);
            }
            if let Some(Err(error)) = &self.undone {
                let shown = errors::shown(error, look.texts);
                alert(ui, look, &id("undo-failed"), &shown.lead);
                muted(ui, look, shown.detail.unwrap_or_default());
            }
            ui.horizontal_wrapped(|ui| {
                let seen = Button::new("written-seen", look.text("connect-seen")).show(ui, look).clicked();
                if !is_undone {
                    let undo = Button::new("written-undo", look.text("connect-undo")).icon(Icon::Remove);
                    if undo.enabled(self.undoing.is_none()).show(ui, look).clicked() {
                        self.undone = None;
                        self.undoing = Some(link.send(Command::UndoConnection { program: self.kind }));
                    }
                }
                seen
            })
            .inner
        })
    }
}
