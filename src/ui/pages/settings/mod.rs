//! Language, theme, size, port, limits, how long the record is kept, where the files are, and the way out.

mod licences;
mod numbers;
mod program;

use egui::{Id, Ui};

use self::licences::Licences;
use self::numbers::Numbers;
use super::{content, header};
use crate::core::{Command, CommandError, Language, Snapshot, Theme};
use crate::ui::errors;
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::space;
use crate::ui::widgets::{
    Button, Choice, CopyField, Field, Kind, Look, Tone, alert, card, choices, heading, muted, status,
};

/// The page's own state.
#[derive(Debug)]
pub struct SettingsPage {
    port: String,
    /// The port was edited and not saved.
    edited: bool,
    port_problem: bool,
    limits: Numbers<5>,
    retention: Numbers<2>,
    asked_to_quit: bool,
    licences: Licences,
    change: Option<Pending>,
    failed: Option<CommandError>,
}

impl SettingsPage {
    pub fn new(snapshot: &Snapshot) -> Self {
        Self {
            port: snapshot.port.to_string(),
            edited: false,
            port_problem: false,
            limits: numbers::limits(),
            retention: numbers::retention(),
            asked_to_quit: false,
            licences: Licences::default(),
            change: None,
            failed: None,
        }
    }

    pub fn receive(&mut self, snapshot: &Snapshot) {
        if let Some(outcome) = take(&mut self.change) {
            self.failed = outcome.err();
        }
        if !self.edited {
            self.port = snapshot.port.to_string();
        }
    }

    pub fn show(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        header(ui, look, look.text("page-settings"), look.text("settings-about"), |_| {});
        content(ui, "settings", |ui| {
            let failed = self.failed.as_ref().map(|error| errors::shown(error, look.texts));
            if let Some(failed) = failed {
                alert(ui, look, "settings-failed", &failed.lead);
                muted(ui, look, failed.detail.unwrap_or_default());
            }
            self.appearance(ui, look, snapshot, link);
            self.gateway(ui, look, snapshot, link);
            let busy = self.change.is_some();
            if let Some(command) = numbers::show_limits(&mut self.limits, ui, look, snapshot, busy) {
                self.change = Some(link.send(command));
            }
            if let Some(command) = numbers::show_retention(&mut self.retention, ui, look, snapshot, busy) {
                self.change = Some(link.send(command));
            }
            files(ui, look, snapshot);
            if let Some(command) = program::show(ui, look, snapshot, &mut self.asked_to_quit) {
                self.change = Some(link.send(command));
            }
            self.licences.show(ui, look, snapshot);
        });
    }

    fn appearance(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        card(ui, look, "appearance", &look.text("appearance-title"), |ui| {
            ui.spacing_mut().item_spacing.y = space::XS;
            heading(ui, look, look.text("language"));
            let languages = [
                Choice::plain(None, "language-system", look.text("follow-system")),
                Choice::plain(Some(Language::English), "language-en", look.text("language-en")),
                Choice::plain(Some(Language::SimplifiedChinese), "language-zh", look.text("language-zh")),
            ];
            let (id, name) = (Id::unique("language"), look.text("language"));
            if let Some(language) = choices(ui, look, id, &name, snapshot.language, &languages, true) {
                self.change = Some(link.send(Command::SetLanguage { language }));
            }
            ui.add_space(space::S);
            heading(ui, look, look.text("theme"));
            let themes = [
                Choice::plain(Theme::System, "theme-system", look.text("follow-system")),
                Choice::plain(Theme::Light, "theme-light", look.text("theme-light")),
                Choice::plain(Theme::Dark, "theme-dark", look.text("theme-dark")),
            ];
            let (id, name) = (Id::unique("theme"), look.text("theme"));
            if let Some(theme) = choices(ui, look, id, &name, snapshot.theme, &themes, true) {
                self.change = Some(link.send(Command::SetTheme { theme }));
            }
            ui.add_space(space::S);
            heading(ui, look, look.text("text-size"));
            let sizes = [
                (100, "size-100"),
                (125, "size-125"),
                (150, "size-150"),
                (175, "size-175"),
                (200, "size-200"),
            ]
            .map(|(percent, salt): (u16, _)| {
                let text = look.texts.with("text-percent", [("percent", percent.into())]);
                Choice::plain(percent, salt, text)
            });
            let (id, name) = (Id::unique("text-size"), look.text("text-size"));
            if let Some(percent) = choices(ui, look, id, &name, snapshot.text_percent, &sizes, true) {
                self.change = Some(link.send(Command::SetTextSize { percent }));
            }
        });
    }

    fn gateway(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        card(ui, look, "gateway-settings", &look.text("gateway-title"), |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            heading(ui, look, look.text("gateway-title"));
            let error = self.port_problem.then(|| look.text("port-problem"));
            let field = Field::new(Id::unique("port"), look.text("port"))
                .help(look.text("port-help"))
                .error(error)
                .mono()
                .width(160.0);
            if field.show(ui, look, &mut self.port).changed() {
                self.edited = true;
                self.port_problem = false;
            }
            let saving = self.change.is_some();
            let save = Button::new("save-port", look.text("save")).kind(Kind::Primary).enabled(!saving);
            if save.show(ui, look).clicked() {
                match self.port.trim().parse::<u16>() {
                    Ok(port) if port > 0 => {
                        self.edited = false;
                        self.change = Some(link.send(Command::SetPort { port }));
                    }
                    _ => self.port_problem = true,
                }
            }
            let text = if self.edited && self.port.trim() != snapshot.port.to_string() {
                (Tone::Warning, look.text("draft-unsaved"))
            } else {
                let saved = [("port", snapshot.port.to_string().into())];
                (Tone::Plain, look.texts.with("port-saved", saved))
            };
            status(ui, look, "port", text.0, &text.1);
        });
    }
}

fn files(ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) {
    card(ui, look, "files", &look.text("files-title"), |ui| {
        ui.spacing_mut().item_spacing.y = space::S;
        heading(ui, look, look.text("files-title"));
        let home = snapshot.home.to_string_lossy();
        let field = CopyField {
            id: "home",
            label: look.text("home"),
            text: &home,
            help: Some(look.text("home-help")),
        };
        field.show(ui, look);
        muted(ui, look, look.texts.with("version", [("version", snapshot.version.as_str().into())]));
    });
}
