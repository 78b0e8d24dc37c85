//! Which runtimes are given a capability: the card for it on the page of each.

use egui::Ui;

use super::{kind_name, name_of, why};
use crate::core::{Capability, Command, RuntimeKind, Snapshot};
use crate::ui::icons::Icon;
use crate::ui::theme::space;
use crate::ui::widgets::{Button, CheckBox, Look, card, heading, icon_and_text, muted};

/// What the person wants.
#[derive(Debug)]
pub enum Wish {
    Assign(Command),
    /// To go where runtimes are added.
    AddRuntime,
}

/// Draws the card. While a change is on its way (`busy`) the boxes cannot be worked.
pub fn show(
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    capability: Capability,
    busy: bool,
) -> Option<Wish> {
    let (about, none) = match capability {
        Capability::Obsidian => ("assignment-about", "assignment-none"),
        Capability::Siyuan => ("siyuan-assignment-about", "siyuan-assignment-none"),
    };
    let mut wish = None;
    card(ui, look, "assignment", &look.text("assignment-title"), |ui| {
        ui.spacing_mut().item_spacing.y = space::XS;
        heading(ui, look, look.text("assignment-title"));
        muted(ui, look, look.text(about));
        ui.add_space(space::XS);
        for runtime in &snapshot.runtimes {
            let assigned = runtime.capabilities.contains(&capability);
            let salt = format!("assign-{}", runtime.id);
            let mut box_ = CheckBox::new(&salt, name_of(runtime, snapshot, look), assigned);
            match runtime.kind.supports(capability) {
                Ok(()) => box_ = box_.enabled(!busy),
                Err(reason) => {
                    box_ = box_
                        .enabled(assigned)
                        .note(look.texts.with("unavailable-why", [("why", why(reason, look).into())]))
                }
            }
            if box_.show(ui, look).clicked() {
                let runtime = runtime.id.clone();
                wish =
                    Some(Wish::Assign(Command::SetAssignment { capability, runtime, assigned: !assigned }));
            }
        }
        if snapshot.runtimes.is_empty() {
            muted(ui, look, look.text(none));
            let add = Button::new("add-runtime", look.text("add-runtime")).icon(Icon::Plus);
            if add.show(ui, look).clicked() {
                wish = Some(Wish::AddRuntime);
            }
        }
        for kind in RuntimeKind::ALL {
            let Err(reason) = kind.supports(capability) else { continue };
            if snapshot.runtimes.iter().any(|runtime| runtime.kind == kind) {
                continue;
            }
            ui.push_id(kind.as_str(), |ui| {
                icon_and_text(ui, Icon::Off, look.tokens.text_muted, |ui| {
                    let name = kind_name(kind, look);
                    let text = look
                        .texts
                        .with("kind-unavailable", [("name", name.into()), ("why", why(reason, look).into())]);
                    muted(ui, look, text)
                });
            });
        }
    });
    wish
}
