//! The runtimes that there are, a card each.

use egui::{Id, Ui};

use super::super::kind_name;
use super::{Doubt, RuntimesPage};
use crate::core::{Command, RuntimeView, Snapshot, WorkMode};
use crate::ui::clock;
use crate::ui::icons::Icon;
use crate::ui::link::Link;
use crate::ui::theme::space;
use crate::ui::widgets::{Button, Choice, Kind, Look, card, choices, heading, muted};

pub(super) fn show(
    page: &mut RuntimesPage,
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    link: &dyn Link,
) {
    for runtime in &snapshot.runtimes {
        let id = format!("runtime-{}", runtime.id);
        card(ui, look, &id, &runtime.name, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            one(page, ui, look, runtime, link);
        });
    }
}

fn one(page: &mut RuntimesPage, ui: &mut Ui, look: Look<'_>, runtime: &RuntimeView, link: &dyn Link) {
    heading(ui, look, runtime.name.clone());
    let seen = match runtime.last_seen {
        Some(at) => look.texts.with("runtime-seen", [("time", clock::at(at).into())]),
        None => look.text("runtime-never-seen"),
    };
    let line = [
        ("kind", kind_name(runtime.kind, look).into()),
        ("id", runtime.id.as_str().into()),
        ("seen", seen.into()),
    ];
    muted(ui, look, look.texts.with("runtime-line", line));
    let name = look.texts.with("mode-of", [("name", runtime.name.as_str().into())]);
    let id = Id::unique(("mode", runtime.id.as_str()));
    if let Some(mode) = choices(ui, look, id, &name, runtime.mode, &modes(look), true) {
        page.ask(link, Command::SetMode { runtime: runtime.id.clone(), mode });
    }
    ui.horizontal_wrapped(|ui| {
        let named = |key: &str| look.texts.with(key, [("name", runtime.name.as_str().into())]);
        let rotate = Button::new("rotate", look.text("rotate")).icon(Icon::Key).name(named("rotate-of"));
        if rotate.show(ui, look).clicked() {
            page.doubt = Some(Doubt::Rotate(runtime.id.clone()));
        }
        ui.add_space(space::L);
        let remove = Button::new("remove", look.text("remove")).kind(Kind::Danger).icon(Icon::Remove);
        if remove.name(named("remove-of")).show(ui, look).clicked() {
            page.doubt = Some(Doubt::Remove(runtime.id.clone()));
        }
    });
}

/// The work modes to choose from.
pub(super) fn modes(look: Look<'_>) -> [Choice<WorkMode>; 3] {
    [
        Choice::plain(WorkMode::Ask, "ask", look.text("mode-ask")),
        Choice::plain(WorkMode::Execute, "execute", look.text("mode-execute")),
        Choice::plain(WorkMode::Full, "full", look.text("mode-full")),
    ]
}
