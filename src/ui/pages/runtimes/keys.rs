//! Keys that were made just now: shown until the person says that they are kept, and never again.

use egui::Ui;

use super::connect::{self, Wanted};
use super::list::place_key;
use crate::core::{RuntimeId, RuntimeKind, ShownOnce, Snapshot, configuration};
use crate::ui::theme::space;
use crate::ui::widgets::{Button, CopyField, Kind, Look, Tone, card, heading, status};

/// A key that is shown now and never again.
#[derive(Debug)]
pub(super) struct NewKey {
    pub runtime: RuntimeId,
    pub name: String,
    pub kind: RuntimeKind,
    pub key: ShownOnce,
}

/// The keys that are not yet said to be kept, the newest first. One never takes the place of another's.
#[derive(Debug, Default)]
pub(super) struct NewKeys(Vec<NewKey>);

impl NewKeys {
    /// Shows a key. One of the same runtime that is still shown is dead.
    pub(super) fn show(&mut self, new: NewKey) {
        self.0.retain(|shown| shown.runtime != new.runtime);
        self.0.insert(0, new);
    }

    /// Drops the keys of runtimes that were removed; they are dead.
    pub(super) fn keep(&mut self, snapshot: &Snapshot) {
        self.0.retain(|shown| snapshot.runtimes.iter().any(|known| known.id == shown.runtime));
    }

    /// Shows them. Which program's configuration the person wants written with one.
    pub(super) fn cards(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) -> Option<Wanted> {
        let mut wanted = None;
        self.0.retain(|new| !one(ui, look, new, snapshot, &mut wanted));
        wanted
    }
}

/// Whether the person says that the key is kept.
fn one(ui: &mut Ui, look: Look<'_>, new: &NewKey, snapshot: &Snapshot, wanted: &mut Option<Wanted>) -> bool {
    let title = look.texts.with("key-title", [("name", new.name.as_str().into())]);
    let id = |part: &str| format!("{part}-{}", new.runtime);
    card(ui, look, &id("new-key"), &title, |ui| {
        ui.spacing_mut().item_spacing.y = space::M;
        heading(ui, look, title.clone());
        status(ui, look, &id("key-once"), Tone::Warning, &look.text("key-once"));
        CopyField { id: &id("key"), label: look.text("key"), text: &new.key.0, help: None }.show(ui, look);
        let field = CopyField {
            id: &id("new-configuration"),
            label: look.text("configuration"),
            text: &configuration(new.kind, snapshot, &new.key.0),
            help: Some(look.text(place_key(new.kind))),
        };
        field.show(ui, look);
        ui.horizontal_wrapped(|ui| {
            let done =
                Button::new("key-done", look.text("key-done")).kind(Kind::Primary).show(ui, look).clicked();
            if connect::button(ui, look, new.kind, &new.runtime) {
                let (kind, runtime) = (new.kind, new.runtime.clone());
                *wanted = Some(Wanted { kind, runtime, key: Some(new.key.clone()) });
            }
            done
        })
        .inner
    })
}
