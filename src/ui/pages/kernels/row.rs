//! The card of a kernel: how it is reached, what it is bound to, how it was found, and what can be done
//! with it.

use egui::{Layout, Ui, vec2};

use super::check;
use super::doubt::{Doubt, is_bound};
use super::form::{Done, KernelForm};
use crate::core::{Command, CommandError, KernelAddress, KernelCheck, KernelView, Snapshot, TokenState};
use crate::ui::errors;
use crate::ui::icons::Icon;
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::{CONTROL_HEIGHT, space};
use crate::ui::widgets::{
    Button, Kind, Look, Tone, alert, body, heading, mono_wrapped, muted, section, status,
};

/// The room for the name of a fact, in points.
const FACT: f32 = 104.0;

/// How high a line of text is, in points.
const LINE: f32 = 19.0;

/// What the person wants of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Check,
    CancelCheck,
    Edit,
    EnterToken,
    MakeDefault,
    SetDisabled(bool),
    /// Something is lost by it, so it is asked first.
    Ask(Doubt),
    /// The same where nothing is lost.
    Do(Doubt),
    /// The form was left.
    Leave(Done),
}

/// What the page keeps of one kernel.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) form: Option<KernelForm>,
    change: Option<Pending>,
    failed: Option<CommandError>,
    /// The kernel is checked when the change is saved.
    check_after: bool,
    /// The form was closed: the button that opened it gets the focus back.
    form_closed: bool,
    /// The button that cancels a check had the focus. It goes away with the check.
    on_cancel: bool,
}

impl Row {
    /// Takes in what has come since the last frame.
    pub(super) fn receive(&mut self, view: &KernelView, link: &dyn Link) {
        if let Some(form) = &mut self.form {
            form.follow(view);
            let checked = !form.is_disabled();
            if form.receive(link) {
                self.close_form();
                if checked {
                    self.check(view, link);
                }
            }
        }
        match take(&mut self.change) {
            Some(Ok(_)) if std::mem::take(&mut self.check_after) => self.check(view, link),
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.failed = Some(error),
        }
    }

    /// Saves a change, and has the kernel checked after it if that is wanted.
    pub(super) fn ask(&mut self, link: &dyn Link, command: Command, check_after: bool) {
        self.failed = None;
        self.check_after = check_after;
        self.change = Some(link.send(command));
    }

    /// Asks for a check. What comes of it stands in the snapshot.
    pub(super) fn check(&self, view: &KernelView, link: &dyn Link) {
        link.send(Command::CheckKernel { kernel: view.id.clone() });
    }

    pub(super) fn open_form(&mut self, view: &KernelView, snapshot: &Snapshot, focus: &'static str) {
        let form = self.form.get_or_insert_with(|| KernelForm::of(view, &snapshot.siyuan));
        form.focus_on(focus);
    }

    pub(super) fn close_form(&mut self) {
        self.form = None;
        self.form_closed = true;
    }

    /// Draws the card's inside. `name` tells the kernel from its namesakes.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        view: &KernelView,
        default: bool,
        name: &str,
    ) -> Option<Act> {
        ui.spacing_mut().item_spacing.y = space::S;
        section(ui, look, view.name.clone());
        let state = [
            Some(view.id.to_string()),
            default.then(|| look.text("kernel-is-default")),
            view.disabled.then(|| look.text("kernel-is-disabled")),
        ];
        muted(ui, look, state.into_iter().flatten().collect::<Vec<_>>().join(" · "));
        let mut act = facts(ui, look, view, name, self.change.is_some());
        act = check::show(ui, look, view, name).or(act);
        if let Some(error) = &self.failed {
            let shown = errors::shown(error, look.texts);
            alert(ui, look, &format!("kernel-failed-{}", view.id), &shown.lead);
            muted(ui, look, shown.detail.unwrap_or_default());
        }
        act = self.buttons(ui, look, view, default, name).or(act);
        if let Some(form) = &mut self.form {
            ui.add_space(space::S);
            heading(ui, look, look.texts.with("kernel-edit-title", [("name", name.into())]));
            if form.drops_permissions(view) {
                let count = [("count", view.permissions.len().into())];
                let words = look.texts.with("move-warning", count);
                status(ui, look, &format!("kernel-move-{}", view.id), Tone::Warning, &words);
            }
            act = form.show(ui, look, view.token, Some(name)).map(Act::Leave).or(act);
        }
        act
    }

    fn buttons(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        view: &KernelView,
        default: bool,
        name: &str,
    ) -> Option<Act> {
        let named = |key: &str| look.texts.with(key, [("name", name.into())]);
        let idle = self.change.is_none();
        let running = matches!(view.check, KernelCheck::Checking { .. });
        let mut act = None;
        ui.horizontal_wrapped(|ui| {
            let mut button = |salt: &str, key: &str, of: &str, enabled: bool, wanted: Act| {
                let button =
                    Button::new(salt, look.text(key)).name(named(of)).enabled(enabled).show(ui, look);
                if button.clicked() {
                    act = Some(wanted);
                }
                button
            };
            let can = idle && !running && !view.disabled;
            let check = button("check", "kernel-check", "kernel-check-of", can, Act::Check);
            if running {
                let (key, of) = ("kernel-check-cancel", "kernel-check-cancel-of");
                self.on_cancel = button("cancel-check", key, of, true, Act::CancelCheck).has_focus();
            } else if std::mem::take(&mut self.on_cancel) {
                check.request_focus();
            }
            let edit = button("edit", "kernel-edit", "kernel-edit-of", true, Act::Edit);
            if std::mem::take(&mut self.form_closed) {
                edit.request_focus();
            }
            button("default", "make-default", "make-default-of", idle && !default, Act::MakeDefault);
            let (key, of) = match view.disabled {
                true => ("kernel-enable", "kernel-enable-of"),
                false => ("kernel-disable", "kernel-disable-of"),
            };
            button("disable", key, of, idle, Act::SetDisabled(!view.disabled));
            ui.add_space(space::L);
            let remove = Button::new("remove", look.text("remove")).kind(Kind::Danger).icon(Icon::Remove);
            if remove.name(named("remove-of")).enabled(idle).show(ui, look).clicked() {
                act = Some(Act::Ask(Doubt::Remove { keep_token: false }));
            }
        });
        act
    }
}

/// What is known of the kernel without asking it.
fn facts(ui: &mut Ui, look: Look<'_>, view: &KernelView, name: &str, busy: bool) -> Option<Act> {
    let mut act = None;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = space::XS;
        fact(ui, look, "fact-address", LINE, |ui| match (&view.address, &view.port_file) {
            (KernelAddress::Auto, None) => {
                body(ui, look, look.text("address-auto"));
            }
            (KernelAddress::Auto, Some(file)) => {
                body(ui, look, look.text("address-auto-file"));
                mono_wrapped(ui, look, file);
            }
            (address, _) => {
                mono_wrapped(ui, look, &address.to_string());
            }
        });
        fact(ui, look, "fact-binding", LINE, |ui| {
            if let Some(workspace) = &view.workspace {
                mono_wrapped(ui, look, workspace);
            }
            if let Some(pid) = view.pid {
                body(ui, look, look.texts.with("found-process", [("pid", pid.to_string().into())]));
            }
            if !is_bound(view) {
                body(ui, look, look.text("not-bound"));
            }
        });
        fact(ui, look, "token", CONTROL_HEIGHT, |ui| {
            ui.horizontal_wrapped(|ui| {
                let (key, enter, enter_of) = match view.token {
                    TokenState::None => ("token-is-none", "token-enter", "token-enter-of"),
                    TokenState::Stored => ("token-is-stored", "token-replace", "token-replace-of"),
                    TokenState::Refused => ("token-is-refused", "token-replace", "token-replace-of"),
                };
                body(ui, look, look.text(key));
                let named = |key: &str| look.texts.with(key, [("name", name.into())]);
                let enter = Button::new("token", look.text(enter)).kind(Kind::Quiet).name(named(enter_of));
                if enter.enabled(!busy).show(ui, look).clicked() {
                    act = Some(Act::EnterToken);
                }
                if view.token != TokenState::None {
                    let clear = Button::new("clear-token", look.text("token-clear")).kind(Kind::Quiet);
                    if clear.name(named("token-clear-of")).enabled(!busy).show(ui, look).clicked() {
                        act = Some(Act::Ask(Doubt::ClearToken));
                    }
                }
            });
        });
        fact(ui, look, "fact-permissions", LINE, |ui| {
            let count = [("count", view.permissions.len().into())];
            body(ui, look, look.texts.with("permissions-set", count));
        });
    });
    act
}

/// A fact and, before it, its name, beside a first line that is so high.
fn fact(ui: &mut Ui, look: Look<'_>, name: &str, high: f32, add: impl FnOnce(&mut Ui)) {
    ui.push_id(name, |ui| {
        ui.horizontal_top(|ui| {
            let top_down = Layout::top_down(egui::Align::Min);
            let centred = Layout::left_to_right(egui::Align::Center);
            ui.allocate_ui_with_layout(vec2(FACT, high), centred, |ui| {
                ui.set_min_size(vec2(FACT, high));
                muted(ui, look, look.text(name));
            });
            ui.with_layout(top_down, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                add(ui);
            });
        });
    });
}
