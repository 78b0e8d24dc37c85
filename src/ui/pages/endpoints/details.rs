//! Everything that is known of one endpoint.

use egui::Ui;

use super::body_check::BodyCheck;
use super::words::{closed_why, effect_icon, effect_key, kind, permission_key, permission_mark};
use crate::core::{
    Command, CommandError, EndpointDetails, EndpointField, EndpointRow, Origin, Permission, Reply,
};
use crate::ui::errors;
use crate::ui::icons::Icon;
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::space;
use crate::ui::widgets::{
    Button, Look, alert, body, caption, heading, icon_and_text, mono_and_word, mono_wrapped, muted, strong,
};

/// The endpoint whose details are open.
#[derive(Debug)]
pub(super) struct Details {
    row: EndpointRow,
    known: Option<EndpointDetails>,
    asking: Option<Pending>,
    failed: Option<CommandError>,
    check: BodyCheck,
    /// The keyboard goes on here.
    focus: bool,
}

/// What was asked for in the details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A declared endpoint is to be taken away.
    Forget,
    Close,
    ChangePermission,
}

impl Details {
    pub(super) fn of(row: &EndpointRow, focus: bool, link: &dyn Link) -> Self {
        let command = Command::DescribeEndpoint { endpoint: row.key.clone() };
        Self {
            row: row.clone(),
            known: None,
            asking: Some(link.send(command)),
            failed: None,
            check: BodyCheck::default(),
            focus,
        }
    }

    pub(super) fn row(&self) -> &EndpointRow {
        &self.row
    }

    pub(super) fn receive(&mut self) {
        match take(&mut self.asking) {
            Some(Ok(Reply::Endpoint { details })) => self.known = Some(details),
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.failed = Some(error),
        }
        self.check.receive();
    }

    /// The permission may have been set since they were opened.
    pub(super) fn keep(&mut self, permission: Permission) {
        self.row.permission = permission;
    }

    pub(super) fn show(&mut self, ui: &mut Ui, look: Look<'_>, link: &dyn Link) -> Option<Wanted> {
        ui.spacing_mut().item_spacing.y = space::XS;
        let mut wanted = None;
        let close = Button::new("endpoint-close", look.text("endpoint-close")).show(ui, look);
        if std::mem::take(&mut self.focus) {
            close.request_focus();
        }
        if close.clicked() {
            wanted = Some(Wanted::Close);
        }
        ui.add_space(space::S);
        heading(ui, look, kind(&self.row, look));
        mono_wrapped(ui, look, &self.row.name);
        if !self.row.note.is_empty() {
            body(ui, look, self.row.note.as_str());
        }
        match self.row.origin {
            Origin::Granted => drop(muted(ui, look, look.text("endpoint-origin-granted"))),
            Origin::Discovered => drop(muted(ui, look, look.text("endpoint-origin-discovered"))),
            Origin::Declared => {
                muted(ui, look, look.text("endpoint-origin-declared"));
                let forget = Button::new("endpoint-forget", look.text("endpoint-forget"));
                if forget.show(ui, look).clicked() {
                    wanted = Some(Wanted::Forget);
                }
            }
            Origin::Contract | Origin::Always => {}
        }
        if let Some(error) = &self.failed {
            let failed = errors::shown(error, look.texts);
            alert(ui, look, "endpoint-failed", &failed.lead);
            muted(ui, look, failed.detail.unwrap_or_default());
        }
        ui.add_space(space::S);
        let effect = effect_key(self.row.effect);
        icon_and_text(ui, effect_icon(self.row.effect), look.tokens.text, |ui| {
            strong(ui, look, look.text(effect))
        });
        muted(ui, look, look.text(&format!("{effect}-help")));
        ui.add_space(space::S);
        if self.permission(ui, look) {
            wanted = Some(Wanted::ChangePermission);
        }
        self.contract(ui, look);
        if self.known.as_ref().is_some_and(|known| known.body.is_some()) {
            ui.add_space(space::M);
            self.check.show(ui, look, &self.row.key, link);
        }
        wanted
    }

    /// Whether another permission was asked for.
    fn permission(&self, ui: &mut Ui, look: Look<'_>) -> bool {
        caption(ui, look, look.text("endpoint-permission"));
        if let Some(closed) = self.row.closed {
            icon_and_text(ui, Icon::Off, look.tokens.text_muted, |ui| {
                strong(ui, look, look.text("endpoint-closed-title"))
            });
            let why = [("why", closed_why(closed, look).into())];
            muted(ui, look, look.texts.with("endpoint-closed-help", why));
            return false;
        }
        let name = look.text(permission_key(self.row.permission));
        match permission_mark(self.row.permission) {
            Some((icon, tone)) => icon_and_text(ui, icon, tone.colour(look), |ui| strong(ui, look, name)),
            None => strong(ui, look, name),
        };
        let help = format!("{}-help", permission_key(self.row.permission));
        muted(ui, look, look.text(&help));
        Button::new("endpoint-change", look.text("endpoint-change")).show(ui, look).clicked()
    }

    /// What the contract says.
    fn contract(&self, ui: &mut Ui, look: Look<'_>) {
        let Some(known) = &self.known else { return };
        let line = |ui: &mut Ui, key: &str, words: String| {
            if !words.is_empty() {
                ui.add_space(space::S);
                caption(ui, look, look.text(key));
                body(ui, look, words);
            }
        };
        line(ui, "endpoint-tools", known.tools.join("\n"));
        let roles = match known.roles.is_empty() {
            true => look.text("endpoint-roles-none"),
            false => known.roles.join(", "),
        };
        line(ui, "endpoint-roles", roles);
        line(ui, "endpoint-body", known.body.clone().unwrap_or_default());
        if known.body.is_some() {
            ui.add_space(space::S);
            caption(ui, look, look.text("endpoint-fields"));
            if known.fields.is_empty() {
                muted(ui, look, look.text("endpoint-no-fields"));
            }
            for EndpointField { name, required, takes } in &known.fields {
                let words = match required {
                    true => look.texts.with("endpoint-required", [("takes", takes.as_str().into())]),
                    false => takes.clone(),
                };
                mono_and_word(ui, look, name, &words);
            }
        }
        line(ui, "endpoint-answer", known.answer.clone().unwrap_or_default());
    }
}
