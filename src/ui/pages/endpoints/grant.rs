//! Setting a permission: a question that names the kernel and every endpoint, and is answered once.

use std::collections::BTreeMap;
use std::time::SystemTime;

use egui::{Context, Id, ScrollArea, Ui};

use super::words::permission_key;
use crate::core::{Command, CommandError, EndpointRow, KernelId, KernelView, Permission};
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::space;
use crate::ui::widgets::{
    Answer, Choice, Kind, Look, Question, Tone, alert, choices, heading, mono_wrapped, muted, status,
};
use crate::ui::{clock, errors};

/// How high everything but the list of endpoints is, in points, with some room around it.
const REST: f32 = 500.0;

/// How high the list may get; longer ones scroll.
const LEAST: f32 = 44.0;
const MOST: f32 = 240.0;

/// The question in front of the page.
#[derive(Debug)]
pub(super) struct Granting {
    kernel: KernelId,
    keys: Vec<String>,
    /// How many of those that were selected are closed.
    left_out: usize,
    permission: Permission,
    saving: Option<Pending>,
    failed: Option<CommandError>,
    /// What had the focus before the question.
    pub(super) return_to: Option<Id>,
}

/// What was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Granted {
    /// How many permissions.
    pub(super) count: usize,
    pub(super) at: SystemTime,
}

impl Granting {
    /// A question about these endpoints; `None` where all of them are closed.
    pub(super) fn of(kernel: &KernelId, rows: &[&EndpointRow]) -> Option<Self> {
        let open: Vec<&&EndpointRow> = rows.iter().filter(|row| row.closed.is_none()).collect();
        let first = open.first()?.permission;
        let alike = open.iter().all(|row| row.permission == first);
        Some(Self {
            kernel: kernel.clone(),
            keys: open.iter().map(|row| row.key.clone()).collect(),
            left_out: rows.len() - open.len(),
            permission: if alike { first } else { Permission::default() },
            saving: None,
            failed: None,
            return_to: None,
        })
    }

    pub(super) fn kernel(&self) -> &KernelId {
        &self.kernel
    }

    /// Takes in whether the permissions are saved.
    pub(super) fn receive(&mut self) -> Option<Granted> {
        match take(&mut self.saving)? {
            Ok(_) => Some(Granted { count: self.keys.len(), at: clock::now() }),
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }

    /// Whether the person turned away.
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        look: Look<'_>,
        kernel: &KernelView,
        link: &dyn Link,
    ) -> bool {
        let about = [("count", self.keys.len().into()), ("kernel", kernel.name.as_str().into())];
        let question = Question {
            id: "grant",
            title: look.texts.with("grant-title", about),
            text: look.texts.with("grant-text", [("count", self.keys.len().into())]),
            yes: look.text("grant-yes"),
        };
        let ready = self.saving.is_none();
        let answer = question.show_with(ctx, look, (Kind::Primary, ready), |ui| self.body(ui, look));
        if answer == Some(Answer::Yes) {
            self.failed = None;
            let permissions: BTreeMap<String, Permission> =
                self.keys.iter().map(|key| (key.clone(), self.permission)).collect();
            let kernel = self.kernel.clone();
            self.saving = Some(link.send(Command::SetPermissions { kernel, permissions }));
        }
        answer == Some(Answer::No)
    }

    fn body(&mut self, ui: &mut Ui, look: Look<'_>) {
        ui.spacing_mut().item_spacing.y = space::XS;
        heading(ui, look, look.text("grant-list"));
        let room = (ui.ctx().content_rect().height() - REST).clamp(LEAST, MOST);
        ScrollArea::vertical().id_salt("grant-list").max_height(room).show(ui, |ui| {
            for key in &self.keys {
                mono_wrapped(ui, look, key);
            }
        });
        if self.left_out > 0 {
            muted(ui, look, look.texts.with("grant-left-out", [("count", self.left_out.into())]));
        }
        ui.add_space(space::S);
        heading(ui, look, look.text("endpoints-permission"));
        let list = Permission::ALL.map(|permission| {
            let key = permission_key(permission);
            let help = Some(look.text(&format!("{key}-help")));
            Choice { value: permission, salt: key, text: look.text(key), help }
        });
        let (id, name) = (Id::unique("grant-permission"), look.text("endpoints-permission"));
        if let Some(permission) = choices(ui, look, id, &name, self.permission, &list, false) {
            self.permission = permission;
        }
        let saving = if self.saving.is_some() { look.text("grant-saving") } else { String::new() };
        status(ui, look, "grant-saving", Tone::Plain, &saving);
        let failed = self.failed.as_ref().map(|error| errors::shown(error, look.texts));
        alert(ui, look, "grant-failed", failed.as_ref().map_or("", |failed| failed.lead.as_str()));
        if let Some(detail) = failed.and_then(|failed| failed.detail) {
            muted(ui, look, detail);
        }
    }
}
