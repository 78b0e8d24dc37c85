//! The list of tools, folded at first.

use egui::accesskit::Role;
use egui::{Ui, UiBuilder};

use crate::core::{Capability, Tool, catalogue};
use crate::ui::icons::Icon;
use crate::ui::theme::space;
use crate::ui::widgets::{Look, card, expandable, icon_and_text, mono_and_word, muted};

pub(super) fn show(open: &mut bool, ui: &mut Ui, look: Look<'_>) {
    let tools: Vec<&Tool> =
        catalogue().iter().filter(|tool| tool.capability == Capability::Obsidian).collect();
    let title = look.texts.with("tools-title", [("count", tools.len().into())]);
    card(ui, look, "tools", &title, |ui| {
        expandable(ui, look, "tools", &title, open, |ui| {
            ui.spacing_mut().item_spacing.y = space::M;
            for tool in tools {
                row(ui, look, tool);
            }
        });
    });
}

fn row(ui: &mut Ui, look: Look<'_>, tool: &Tool) {
    let key = format!("tool-{}", tool.name.replace('_', "-"));
    // A tool without a sentence of ours is described as it describes itself to a runtime.
    let about = look.texts.find(&key).unwrap_or_else(|| tool.description.to_owned());
    let (icon, colour, effect) = match (tool.writes, tool.destructive) {
        (false, _) => (Icon::Read, look.tokens.info, look.text("tool-reads")),
        (true, _) => (Icon::Write, look.tokens.warning, look.text("tool-writes")),
    };
    let name = look.texts.with("tool-row", [("name", tool.name.into()), ("effect", effect.clone().into())]);
    let builder =
        UiBuilder::new().id_salt(tool.name).accessibility_role(Role::ListItem).accessibility_label(name);
    ui.scope_builder(builder, |ui| {
        icon_and_text(ui, icon, colour, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            mono_and_word(ui, look, tool.name, &effect);
            muted(ui, look, about)
        });
    });
}
