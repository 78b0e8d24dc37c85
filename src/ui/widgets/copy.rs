//! Something to be copied: an address, a key, a ready text.

use egui::{Id, Response, Ui, UiBuilder};

use super::label::{caption, mono_wrapped, muted};
use super::{Button, Kind, Look, text_frame};
use crate::ui::icons::Icon;
use crate::ui::theme::space;

/// A label, the text itself, and a button that copies it.
#[derive(Debug)]
#[must_use]
pub struct CopyField<'a> {
    /// Names the field; the same in every language.
    pub id: &'a str,
    pub label: String,
    pub text: &'a str,
    pub help: Option<String>,
}

impl CopyField<'_> {
    pub fn show(self, ui: &mut Ui, look: Look<'_>) {
        let id = Id::unique(("copy", self.id));
        ui.scope_builder(UiBuilder::new().scope_id(id), |ui| {
            ui.spacing_mut().item_spacing.y = space::XS;
            caption(ui, look, &self.label);
            ui.horizontal_top(|ui| {
                let room = 92.0;
                let width = (ui.available_width() - room).max(120.0);
                text_frame(look).show(ui, |ui| {
                    ui.set_max_width(width - 22.0);
                    mono_wrapped(ui, look, self.text);
                });
                copy_button(ui, look, self.id, &self.label, self.text);
            });
            if let Some(help) = self.help {
                muted(ui, look, help);
            }
        });
    }
}

/// The same as a bare icon, where there is little room.
pub fn copy_icon(ui: &mut Ui, look: Look<'_>, id: &str, name: &str, text: &str) -> Response {
    copying(ui, look, id, name, text, false)
}

/// A button that copies `text`, which screen readers know as `name`. It says that it did.
fn copy_button(ui: &mut Ui, look: Look<'_>, id: &str, name: &str, text: &str) -> Response {
    copying(ui, look, id, name, text, true)
}

fn copying(ui: &mut Ui, look: Look<'_>, id: &str, name: &str, text: &str, words: bool) -> Response {
    let last = Id::unique("last-copied");
    let me = Id::unique(("copied", id));
    let copied = ui.data(|data| data.get_temp::<Id>(last)) == Some(me);
    let (icon, key) = if copied { (Icon::Check, "copied") } else { (Icon::Copy, "copy") };
    let spoken = look.texts.with(if copied { "copied-what" } else { "copy-what" }, [("what", name.into())]);
    let shown = if words { look.text(key) } else { String::new() };
    let button = Button::new(id, shown).icon(icon).kind(Kind::Quiet).name(spoken.clone());
    let response = button.show(ui, look);
    let response = if words { response } else { response.on_hover_text(spoken) };
    if response.clicked() {
        ui.ctx().copy_text(text.to_owned());
        ui.data_mut(|data| data.insert_temp(last, me));
    }
    response
}
