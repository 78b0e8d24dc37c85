//! The form for a new runtime.

use std::collections::BTreeSet;

use egui::style::{ScrollStyle, StyleModifier};
use egui::{Align, ComboBox, Id, Ui};

use super::super::{kind_name, why};
use super::list::{modes, policies};
use crate::core::{ApprovalPolicy, Capability, Command, CommandError, RuntimeKind, WorkMode};
use crate::ui::errors;
use crate::ui::theme::{CONTROL_HEIGHT, space};
use crate::ui::widgets::{
    Button, CheckBox, Field, Kind, Look, alert, caption, card, choices, heading, muted, submitted,
};

/// How high the list of kinds may be, in points.
const LEAST_KINDS: f32 = 120.0;
const MOST_KINDS: f32 = 400.0;

/// What is typed and chosen so far.
#[derive(Debug)]
pub(super) struct AddForm {
    kind: RuntimeKind,
    name: String,
    mode: WorkMode,
    given: BTreeSet<Capability>,
    approval: ApprovalPolicy,
    /// Not shown yet: the first frame gives its first field the focus.
    fresh: bool,
    /// The list of kinds was open in the frame before.
    kinds_open: bool,
}

impl Default for AddForm {
    fn default() -> Self {
        Self {
            kind: RuntimeKind::OpenCode,
            name: String::new(),
            mode: WorkMode::default(),
            given: [Capability::Obsidian].into(),
            approval: ApprovalPolicy::default(),
            fresh: true,
            kinds_open: false,
        }
    }
}

/// How the form was left.
#[derive(Debug)]
pub(super) enum Done {
    Add(Command),
    Cancel,
}

impl AddForm {
    fn command(&self) -> Command {
        let name = self.name.trim();
        Command::AddRuntime {
            kind: self.kind,
            name: (!name.is_empty()).then(|| name.to_owned()),
            mode: self.mode,
            approval: self.approval,
            capabilities: Capability::ALL.into_iter().filter(|capability| self.gives(*capability)).collect(),
        }
    }

    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        adding: bool,
        failed: Option<&CommandError>,
    ) -> Option<Done> {
        let mut done = None;
        card(ui, look, "add-form", &look.text("add-title"), |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            heading(ui, look, look.text("add-title"));
            self.kind(ui, look);
            let failed = failed.map(|error| (error, errors::shown(error, look.texts)));
            let about_name = failed.as_ref().filter(|(error, _)| error.field.as_deref() == Some("name"));
            let error =
                about_name.map(|(_, shown)| shown.detail.clone().unwrap_or_else(|| shown.lead.clone()));
            let field = Field::new(Id::unique("runtime-name"), look.text("runtime-name"))
                .help(look.text("runtime-name-help"))
                .error(error)
                .hint(kind_name(self.kind, look))
                .width(320.0)
                .show(ui, look, &mut self.name);
            if std::mem::take(&mut self.fresh) {
                field.request_focus();
            }
            caption(ui, look, look.text("mode"));
            let (id, name) = (Id::unique("new-mode"), look.text("mode"));
            if let Some(mode) = choices(ui, look, id, &name, self.mode, &modes(look), true) {
                self.mode = mode;
            }
            muted(ui, look, look.text("mode-help"));
            self.give(ui, look, Capability::Obsidian, "give-obsidian");
            self.give(ui, look, Capability::Siyuan, "give-siyuan");
            if self.gives(Capability::Siyuan) {
                self.approval(ui, look);
            }
            if let Some((_, shown)) = failed.filter(|(error, _)| error.field.as_deref() != Some("name")) {
                alert(ui, look, "add-failed", &shown.lead);
                muted(ui, look, shown.detail.unwrap_or_default());
            }
            ui.horizontal_wrapped(|ui| {
                let add = Button::new("add", look.text("add")).kind(Kind::Primary).enabled(!adding);
                let pressed = add.show(ui, look).clicked();
                if (pressed || submitted(ui, &field)) && !adding {
                    done = Some(Done::Add(self.command()));
                }
                if Button::new("cancel", look.text("cancel")).show(ui, look).clicked() {
                    done = Some(Done::Cancel);
                }
            });
        });
        done
    }

    fn kind(&mut self, ui: &mut Ui, look: Look<'_>) {
        let label = caption(ui, look, look.text("kind"));
        let just_opened = !self.kinds_open;
        let below = ui.ctx().content_rect().bottom() - ui.next_widget_position().y - CONTROL_HEIGHT;
        let combo = ComboBox::from_id_salt("runtime-kind")
            .selected_text(kind_name(self.kind, look))
            .width(240.0)
            // All kinds where there is room for them; else some, with a bar that says that there are more.
            .height((below - space::L).clamp(LEAST_KINDS, MOST_KINDS))
            .popup_style(StyleModifier::new(|style| {
                style.spacing.scroll = ScrollStyle::solid();
                style.spacing.item_spacing.y = 0.0;
            }))
            .show_ui(ui, |ui| {
                for kind in RuntimeKind::ALL {
                    let entry = ui.selectable_value(&mut self.kind, kind, kind_name(kind, look));
                    if just_opened && self.kind == kind {
                        entry.scroll_to_me(Some(Align::Center));
                    }
                }
            });
        self.kinds_open = combo.inner.is_some();
        combo.response.labelled_by(label.id);
    }

    fn gives(&self, capability: Capability) -> bool {
        self.given.contains(&capability) && self.kind.supports(capability).is_ok()
    }

    fn give(&mut self, ui: &mut Ui, look: Look<'_>, capability: Capability, key: &'static str) {
        let mut give = CheckBox::new(key, look.text(key), self.gives(capability));
        if let Err(reason) = self.kind.supports(capability) {
            give = give.enabled(false).note(why(reason, look));
        }
        if give.show(ui, look).clicked() && !self.given.remove(&capability) {
            self.given.insert(capability);
        }
    }

    /// What happens where a call must be asked about.
    fn approval(&mut self, ui: &mut Ui, look: Look<'_>) {
        caption(ui, look, look.text("approval"));
        let (id, name) = (Id::unique("new-approval"), look.text("approval"));
        if let Some(policy) = choices(ui, look, id, &name, self.approval, &policies(look), true) {
            self.approval = policy;
        }
    }
}
