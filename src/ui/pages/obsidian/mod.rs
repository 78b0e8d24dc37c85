//! The Obsidian card: whether it is on, which vaults are in reach, which runtimes have it, what it
//! can do, and what carries it out. Everything here can be chosen, tested and saved while it is off.

mod advanced;
mod draft;
mod scope;
mod tools;

use egui::Ui;

use self::draft::Draft;
use super::assignment::{self, Wish};
use super::{Page, content, header};
use crate::core::{Capability, Command, CommandError, Reply, Snapshot, VaultEngine};
use crate::ui::link::{Link, Pending, take};
use crate::ui::widgets::{Look, alert, switch};
use crate::ui::{clock, errors};

/// The page's own state: the draft, what was asked for, and what is folded.
#[derive(Debug)]
pub struct ObsidianPage {
    draft: Draft,
    test: Option<Pending>,
    save: Option<Pending>,
    folder: Option<Pending>,
    /// The dialog could not be shown.
    folder_failed: Option<CommandError>,
    /// A flip of the switch or of a runtime's box, or the choice of an engine.
    change: Option<Pending>,
    change_failed: Option<CommandError>,
    tools_open: bool,
    advanced_open: bool,
    /// The engine that the latest snapshot showed.
    engine: VaultEngine,
}

impl ObsidianPage {
    pub fn new(snapshot: &Snapshot) -> Self {
        Self {
            draft: Draft::new(&snapshot.obsidian.vault_path),
            test: None,
            save: None,
            folder: None,
            folder_failed: None,
            change: None,
            change_failed: None,
            tools_open: false,
            advanced_open: false,
            engine: snapshot.obsidian.engine,
        }
    }

    /// Takes in what has come since the last frame, whether the page is shown or not.
    pub fn receive(&mut self, snapshot: &Snapshot) {
        let saved = snapshot.obsidian.vault_path.as_str();
        match take(&mut self.test) {
            Some(Ok(Reply::Tested { report })) => self.draft.test_ended(Ok(report), clock::now()),
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.draft.test_ended(Err(error), clock::now()),
        }
        match take(&mut self.save) {
            Some(Ok(_)) => self.draft.saved(saved, clock::now()),
            Some(Err(error)) => self.draft.save_refused(error),
            None => {}
        }
        match take(&mut self.folder) {
            Some(Ok(Reply::Folder { path: Some(path) })) => match path.into_os_string().into_string() {
                Ok(path) => self.draft.folder_chosen(path),
                // A lossy copy would name another folder.
                Err(path) => {
                    let named = path.to_string_lossy().into_owned();
                    self.folder_failed = Some(CommandError::new("folder_name", named));
                }
            },
            // Closing the dialog changes nothing.
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.folder_failed = Some(error),
        }
        if let Some(outcome) = take(&mut self.change) {
            self.change_failed = outcome.err();
        }
        let engine = snapshot.obsidian.engine;
        if std::mem::replace(&mut self.engine, engine) != engine {
            self.draft.engine_changed();
        }
        self.draft.follow(saved);
    }

    /// Draws the page. Gives the page to go to, if the person asked for one.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        snapshot: &Snapshot,
        link: &dyn Link,
    ) -> Option<Page> {
        let enabled = snapshot.obsidian.enabled;
        header(ui, look, look.text("page-obsidian"), look.text("obsidian-about"), |ui| {
            let name = look.text("obsidian-switch");
            let response = switch(ui, look, "obsidian-switch", &name, enabled, self.change.is_none());
            if response.clicked() {
                let capability = Capability::Obsidian;
                self.ask(link, Command::SetEnabled { capability, enabled: !enabled });
            }
        });
        let mut goto = None;
        content(ui, "obsidian", |ui| {
            let failed = self.change_failed.as_ref().map(|error| errors::shown(error, look.texts));
            if let Some(failed) = failed {
                let text = format!("{}\n{}", failed.lead, failed.detail.unwrap_or_default());
                alert(ui, look, "obsidian-change", text.trim());
            }
            scope::show(self, ui, look, snapshot, link);
            match assignment::show(ui, look, snapshot, Capability::Obsidian, self.change.is_some()) {
                Some(Wish::Assign(command)) => self.ask(link, command),
                Some(Wish::AddRuntime) => goto = Some(Page::Runtimes),
                None => {}
            }
            tools::show(&mut self.tools_open, ui, look);
            advanced::show(self, ui, look, snapshot, link);
        });
        goto
    }

    /// Saves one of the settings that take effect at once, one at a time.
    fn ask(&mut self, link: &dyn Link, command: Command) {
        self.change_failed = None;
        self.change = Some(link.send(command));
    }
}
