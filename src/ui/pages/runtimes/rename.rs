//! Another name for a runtime, typed in its card.

use egui::{Id, Ui};

use crate::core::{Command, CommandError, RuntimeId, RuntimeView};
use crate::ui::errors;
use crate::ui::link::{Link, Pending, take};
use crate::ui::widgets::{Button, Field, Kind, Look, submitted};

/// What is typed so far.
#[derive(Debug)]
pub(super) struct Renaming {
    runtime: RuntimeId,
    name: String,
    saving: Option<Pending>,
    failed: Option<CommandError>,
    /// Not shown yet: the first frame gives the field the focus.
    fresh: bool,
}

impl Renaming {
    pub(super) fn of(runtime: &RuntimeView) -> Self {
        let (runtime, name) = (runtime.id.clone(), runtime.name.clone());
        Self { runtime, name, saving: None, failed: None, fresh: true }
    }

    pub(super) fn is_of(&self, runtime: &RuntimeView) -> bool {
        self.runtime == runtime.id
    }

    /// Takes in the answer. Whether the name is saved.
    pub(super) fn is_done(&mut self) -> bool {
        match take(&mut self.saving) {
            Some(Ok(_)) => true,
            Some(Err(error)) => {
                self.failed = Some(error);
                false
            }
            None => false,
        }
    }

    /// Draws the form. Whether the person gave it up.
    pub(super) fn show(&mut self, ui: &mut Ui, look: Look<'_>, link: &dyn Link) -> bool {
        let error = self.failed.as_ref().map(|error| {
            let shown = errors::shown(error, look.texts);
            shown.detail.unwrap_or(shown.lead)
        });
        let field = Field::new(Id::unique(("rename", self.runtime.as_str())), look.text("new-name"))
            .error(error)
            .width(320.0)
            .show(ui, look, &mut self.name);
        if std::mem::take(&mut self.fresh) {
            field.request_focus();
        }
        let mut given_up = false;
        ui.horizontal_wrapped(|ui| {
            let save = Button::new("save-name", look.text("save")).kind(Kind::Primary);
            let pressed = save.enabled(self.saving.is_none()).show(ui, look).clicked();
            if (pressed || submitted(ui, &field)) && self.saving.is_none() {
                self.failed = None;
                let (runtime, name) = (self.runtime.clone(), self.name.clone());
                self.saving = Some(link.send(Command::RenameRuntime { runtime, name }));
            }
            given_up = Button::new("keep-name", look.text("cancel")).show(ui, look).clicked();
        });
        given_up
    }
}
