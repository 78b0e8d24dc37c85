//! What few people change, folded at first: which engine carries out the tools.

use egui::{Id, Ui};

use super::ObsidianPage;
use crate::core::{Command, Snapshot, VaultEngine};
use crate::ui::link::Link;
use crate::ui::theme::space;
use crate::ui::widgets::{Choice, Look, card, choices, expandable, heading, muted};

pub(super) fn show(
    page: &mut ObsidianPage,
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    link: &dyn Link,
) {
    let title = look.text("advanced-title");
    let mut open = page.advanced_open;
    card(ui, look, "advanced", &title, |ui| {
        expandable(ui, look, "advanced", &title, &mut open, |ui| engine(page, ui, look, snapshot, link));
    });
    page.advanced_open = open;
}

fn engine(page: &mut ObsidianPage, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
    ui.spacing_mut().item_spacing.y = space::S;
    let name = look.text("engine-title");
    heading(ui, look, &name);
    muted(ui, look, look.text("engine-about"));
    let list = [
        Choice {
            value: VaultEngine::Native,
            salt: "native",
            text: look.text("engine-native"),
            help: Some(look.text("engine-native-help")),
        },
        Choice {
            value: VaultEngine::Upstream,
            salt: "upstream",
            text: look.text("engine-upstream"),
            help: Some(look.text("engine-upstream-help")),
        },
    ];
    let saved = snapshot.obsidian.engine;
    if let Some(engine) = choices(ui, look, Id::unique("engine"), &name, saved, &list, false) {
        page.ask(link, Command::SetEngine { engine });
    }
}
