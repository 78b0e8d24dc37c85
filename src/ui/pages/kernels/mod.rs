//! The SiYuan kernels: whether SiYuan is on and which runtimes have it, which kernels there are, how they
//! are reached, and whether they answer.
//!
//! A kernel that was not checked is checked when the page is opened, and one that was changed here when
//! that is saved: so an unbound one is bound while the person looks.

mod check;
mod doubt;
mod form;
mod row;

use std::collections::BTreeMap;

use egui::Ui;

use self::doubt::Doubt;
use self::form::{Done, KernelForm, NAME, TOKEN};
use self::row::{Act, Row};
use super::assignment::{self, Wish};
use super::{Page, content, header};
use crate::core::{
    Capability, Command, CommandError, KernelCheck, KernelId, KernelView, Snapshot, TokenState,
};
use crate::ui::errors;
use crate::ui::icons::Icon;
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::space;
use crate::ui::widgets::{
    Answer, Button, CheckBox, Kind, Look, alert, card, empty_state, heading, muted, section, switch,
};

/// The page's own state.
#[derive(Debug, Default)]
pub struct KernelsPage {
    adding: Option<KernelForm>,
    rows: BTreeMap<KernelId, Row>,
    doubt: Option<(KernelId, Doubt)>,
    /// A flip of the switch or of a runtime's box, or another default.
    change: Option<Pending>,
    change_failed: Option<CommandError>,
    /// The page was drawn since the last frame began.
    drawn: bool,
    /// The page has been shown since it was opened, and what there was to check is on its way.
    opened: bool,
}

impl KernelsPage {
    /// Takes in what has come since the last frame, whether the page is shown or not.
    pub fn receive(&mut self, snapshot: &Snapshot, link: &dyn Link) {
        let kernels = &snapshot.siyuan.kernels;
        // Before a new kernel is taken in: it may be newer than this picture.
        self.rows.retain(|id, _| kernels.iter().any(|kernel| kernel.id == *id));
        if let Some(outcome) = take(&mut self.change) {
            self.change_failed = outcome.err();
        }
        for kernel in kernels {
            self.rows.entry(kernel.id.clone()).or_default().receive(kernel, link);
        }
        self.receive_new(link);
        self.opened &= std::mem::take(&mut self.drawn);
    }

    /// A kernel that was added is from then on one of the list, also where the rest of its form could not
    /// be saved.
    fn receive_new(&mut self, link: &dyn Link) {
        let Some(form) = &mut self.adding else { return };
        let saved = form.receive(link);
        let Some(kernel) = form.kernel().filter(|_| saved || !form.is_saving()).cloned() else { return };
        let mut form = self.adding.take();
        if saved {
            if !form.as_ref().is_some_and(KernelForm::is_disabled) {
                link.send(Command::CheckKernel { kernel });
            }
            return;
        }
        if let Some(form) = &mut form {
            form.focus_on(TOKEN);
        }
        self.rows.entry(kernel).or_default().form = form;
    }

    /// Draws the page. Gives the page to go to, if the person asked for one.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        snapshot: &Snapshot,
        link: &dyn Link,
    ) -> Option<Page> {
        self.drawn = true;
        if !std::mem::replace(&mut self.opened, true) {
            check_what_is_not_checked(snapshot, link);
        }
        let enabled = snapshot.siyuan.enabled;
        header(ui, look, look.text("page-kernels"), look.text("kernels-about"), |ui| {
            let name = look.text("siyuan-switch");
            let response = switch(ui, look, "siyuan-switch", &name, enabled, self.change.is_none());
            if response.clicked() {
                let capability = Capability::Siyuan;
                self.ask(link, Command::SetEnabled { capability, enabled: !enabled });
            }
        });
        let mut goto = None;
        content(ui, "kernels", |ui| {
            if let Some(error) = &self.change_failed {
                let shown = errors::shown(error, look.texts);
                alert(ui, look, "siyuan-change", &shown.lead);
                muted(ui, look, shown.detail.unwrap_or_default());
            }
            self.head(ui, look, snapshot);
            self.add_card(ui, look, snapshot, link);
            self.list(ui, look, snapshot, link);
            match assignment::show(ui, look, snapshot, Capability::Siyuan, self.change.is_some()) {
                Some(Wish::Assign(command)) => self.ask(link, command),
                Some(Wish::AddRuntime) => goto = Some(Page::Runtimes),
                None => {}
            }
        });
        self.question(ui, look, snapshot, link);
        goto
    }

    /// How many kernels there are, the button for another one, and what a call without a name comes to.
    fn head(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) {
        let siyuan = &snapshot.siyuan;
        if siyuan.kernels.is_empty() {
            return;
        }
        ui.horizontal(|ui| {
            section(ui, look, look.texts.with("kernels-count", [("count", siyuan.kernels.len().into())]));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let add =
                    Button::new("add-kernel", look.text("add-kernel")).icon(Icon::Plus).kind(Kind::Primary);
                if self.adding.is_none() && add.show(ui, look).clicked() {
                    self.adding = Some(KernelForm::new(siyuan));
                }
            });
        });
        let default = siyuan.kernels.iter().find(|kernel| siyuan.default_kernel.as_ref() == Some(&kernel.id));
        let key = match default {
            None => Some("no-default"),
            Some(kernel) if kernel.disabled => Some("default-disabled"),
            Some(_) => None,
        };
        if let Some(key) = key {
            muted(ui, look, look.text(key));
        }
    }

    fn add_card(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        let Some(form) = &mut self.adding else {
            if snapshot.siyuan.kernels.is_empty() {
                card(ui, look, "no-kernels", &look.text("page-kernels"), |ui| {
                    let (title, text) = (look.text("kernels-none"), look.text("kernels-none-help"));
                    let button = ("add-kernel", look.text("add-kernel"));
                    if empty_state(ui, look, Icon::Kernel, title, text, button).clicked() {
                        self.adding = Some(KernelForm::new(&snapshot.siyuan));
                    }
                });
            }
            return;
        };
        let title = look.text("kernel-add-title");
        let done = card(ui, look, "add-kernel", &title, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            heading(ui, look, title.clone());
            form.show(ui, look, TokenState::None, None)
        });
        match done {
            Some(Done::Save) => {
                form.save(None, &snapshot.siyuan, link);
            }
            Some(Done::Cancel) => self.adding = None,
            None => {}
        }
    }

    fn list(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        for view in &snapshot.siyuan.kernels {
            let row = self.rows.entry(view.id.clone()).or_default();
            let default = snapshot.siyuan.default_kernel.as_ref() == Some(&view.id);
            let name = name_of(view, snapshot, look);
            let act = card(ui, look, &format!("kernel-{}", view.id), &name, |ui| {
                row.show(ui, look, view, default, &name)
            });
            if let Some(act) = act {
                self.act(act, view, snapshot, link);
            }
        }
    }

    fn act(&mut self, act: Act, view: &KernelView, snapshot: &Snapshot, link: &dyn Link) {
        let kernel = view.id.clone();
        let row = self.rows.entry(kernel.clone()).or_default();
        match act {
            Act::Check => row.check(view, link),
            Act::CancelCheck => {
                link.send(Command::CancelKernelCheck { kernel });
            }
            Act::Edit => row.open_form(view, snapshot, NAME),
            Act::EnterToken => row.open_form(view, snapshot, TOKEN),
            Act::MakeDefault => self.ask(link, Command::SetDefaultKernel { kernel: Some(kernel) }),
            Act::SetDisabled(disabled) => {
                row.ask(link, Command::SetKernelDisabled { kernel, disabled }, !disabled);
            }
            Act::Ask(doubt) => self.doubt = Some((kernel, doubt)),
            Act::Do(doubt) => self.carry_out(doubt, view, snapshot, link),
            Act::Leave(Done::Cancel) => row.close_form(),
            Act::Leave(Done::Save) => {
                if row.form.as_ref().is_some_and(|form| form.drops_permissions(view)) {
                    self.doubt = Some((kernel, Doubt::Save));
                } else {
                    self.carry_out(Doubt::Save, view, snapshot, link);
                }
            }
        }
    }

    fn question(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        let Some((id, doubt)) = &mut self.doubt else { return };
        let Some(view) = snapshot.siyuan.kernels.iter().find(|kernel| kernel.id == *id) else {
            self.doubt = None;
            return;
        };
        let default = snapshot.siyuan.default_kernel.as_ref() == Some(id);
        let question = doubt.question(view, &name_of(view, snapshot, look), default, look);
        let answer = question.show_with(ui.ctx(), look, (Kind::Danger, true), |ui| {
            if let Doubt::Remove { keep_token } = doubt
                && view.token != TokenState::None
            {
                let keep = CheckBox::new("keep-token", look.text("keep-token"), *keep_token);
                if keep.note(look.text("keep-token-note")).show(ui, look).clicked() {
                    *keep_token = !*keep_token;
                }
            }
        });
        let doubt = *doubt;
        match answer {
            Some(Answer::Yes) => {
                self.doubt = None;
                self.carry_out(doubt, view, snapshot, link);
            }
            Some(Answer::No) => self.doubt = None,
            None => {}
        }
    }

    fn carry_out(&mut self, doubt: Doubt, view: &KernelView, snapshot: &Snapshot, link: &dyn Link) {
        let row = self.rows.entry(view.id.clone()).or_default();
        match doubt.command(view) {
            Some(command) => row.ask(link, command, doubt.asks_for_a_check(view)),
            None => {
                let nothing_to_save =
                    row.form.as_mut().is_some_and(|form| form.save(Some(view), &snapshot.siyuan, link));
                if nothing_to_save {
                    row.close_form();
                }
            }
        }
    }

    /// Saves one of the settings that take effect at once, one at a time.
    fn ask(&mut self, link: &dyn Link, command: Command) {
        self.change_failed = None;
        self.change = Some(link.send(command));
    }
}

fn check_what_is_not_checked(snapshot: &Snapshot, link: &dyn Link) {
    let kernels = snapshot.siyuan.kernels.iter();
    for kernel in kernels.filter(|kernel| !kernel.disabled && kernel.check == KernelCheck::NotChecked) {
        link.send(Command::CheckKernel { kernel: kernel.id.clone() });
    }
}

/// What a kernel is called, with its id where another one has the same name.
fn name_of(view: &KernelView, snapshot: &Snapshot, look: Look<'_>) -> String {
    let namesakes = snapshot.siyuan.kernels.iter().filter(|other| other.name == view.name).count();
    if namesakes < 2 {
        return view.name.clone();
    }
    let args = [("name", view.name.as_str().into()), ("id", view.id.as_str().into())];
    look.texts.with("name-and-id", args)
}
