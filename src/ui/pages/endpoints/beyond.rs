//! What a kernel has beyond its contract: its MCP tools, asked for by a click, and endpoints that the person declares.

use egui::{Id, Ui};

use crate::core::{Command, CommandError, KernelId, KernelView, Reply};
use crate::ui::errors;
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::space;
use crate::ui::widgets::{Answer, Button, Field, Kind, Look, Question, Tone};

/// What was asked for, and what came of it.
#[derive(Debug, Default)]
pub(super) struct Beyond {
    declaring: Option<Draft>,
    asked: Option<Pending>,
    outcome: Option<Result<Outcome, CommandError>>,
}

/// An endpoint that is being declared.
#[derive(Debug, Default)]
struct Draft {
    endpoint: String,
    note: String,
    /// Why it was refused as it stood when it was sent.
    problem: Option<CommandError>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Found(usize),
    Changed,
}

impl Beyond {
    pub(super) fn receive(&mut self) {
        let Some(outcome) = take(&mut self.asked) else { return };
        match (outcome, &mut self.declaring) {
            (Err(error), Some(draft)) => draft.problem = Some(error),
            (Err(error), None) => self.outcome = Some(Err(error)),
            (Ok(Reply::ToolsDiscovered { tools }), _) => self.outcome = Some(Ok(Outcome::Found(tools.len()))),
            (Ok(_), _) => (self.declaring, self.outcome) = (None, Some(Ok(Outcome::Changed))),
        }
    }

    /// Forgets what came of it: another kernel is shown.
    pub(super) fn rewind(&mut self) {
        self.outcome = None;
    }

    /// The buttons, from the right to the left.
    pub(super) fn buttons(&mut self, ui: &mut Ui, look: Look<'_>, kernel: &KernelView, link: &dyn Link) {
        ui.spacing_mut().item_spacing.x = space::S;
        let free = self.asked.is_none();
        if Button::new("declare", look.text("declare-begin")).enabled(free).show(ui, look).clicked() {
            (self.declaring, self.outcome) = (Some(Draft::default()), None);
        }
        let discover = Button::new("discover", look.text("discover")).enabled(free && !kernel.disabled);
        if discover.show(ui, look).clicked() {
            self.outcome = None;
            self.asked = Some(link.send(Command::DiscoverTools { kernel: kernel.id.clone() }));
        }
    }

    /// What is going on or came of it, in one line.
    pub(super) fn line(&self, look: Look<'_>) -> Option<(Tone, String)> {
        if self.asked.is_some() && self.declaring.is_none() {
            return Some((Tone::Waiting, look.text("discover-running")));
        }
        Some(match self.outcome.as_ref()? {
            Ok(Outcome::Found(count)) => {
                (Tone::Success, look.texts.with("discover-found", [("count", (*count).into())]))
            }
            Ok(Outcome::Changed) => (Tone::Success, look.text("declare-done")),
            Err(error) => (Tone::Danger, errors::shown(error, look.texts).lead),
        })
    }

    /// Takes a declared endpoint away.
    pub(super) fn forget(&mut self, kernel: &KernelId, endpoint: &str, link: &dyn Link) {
        let (kernel, endpoint) = (kernel.clone(), endpoint.to_owned());
        self.asked = Some(link.send(Command::ForgetEndpoint { kernel, endpoint }));
    }

    /// The form, while an endpoint is being declared.
    pub(super) fn form(&mut self, ui: &Ui, look: Look<'_>, kernel: &KernelView, link: &dyn Link) {
        let Some(draft) = &mut self.declaring else { return };
        let question = Question {
            id: "declare",
            title: look.texts.with("declare-title", [("kernel", kernel.name.as_str().into())]),
            text: look.text("declare-about"),
            yes: look.text("declare"),
        };
        let ready = self.asked.is_none() && !draft.endpoint.trim().is_empty();
        let answer = question.show_with(ui.ctx(), look, (Kind::Primary, ready), |ui| draft.show(ui, look));
        match answer {
            Some(Answer::Yes) => {
                draft.problem = None;
                let (kernel, endpoint) = (kernel.id.clone(), draft.endpoint.trim().to_owned());
                let note = draft.note.trim().to_owned();
                self.asked = Some(link.send(Command::DeclareEndpoint { kernel, endpoint, note }));
            }
            Some(Answer::No) => self.declaring = None,
            None => {}
        }
    }
}

impl Draft {
    fn show(&mut self, ui: &mut Ui, look: Look<'_>) {
        ui.spacing_mut().item_spacing.y = space::S;
        let problem = self.problem.as_ref().map(|error| errors::shown(error, look.texts).lead);
        let key = Field::new(Id::unique("declare-key"), look.text("declare-key"))
            .help(look.text("declare-key-help"))
            .error(problem)
            .mono();
        if key.show(ui, look, &mut self.endpoint).changed() {
            self.problem = None;
        }
        Field::new(Id::unique("declare-note"), look.text("declare-note"))
            .help(look.text("declare-note-help"))
            .show(ui, look, &mut self.note);
    }
}
