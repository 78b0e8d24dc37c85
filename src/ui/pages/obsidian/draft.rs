//! What stands in the scope form and is not saved: the table of transitions, without any drawing.
//!
//! A draft never touches what is saved. Whatever comes back from a test or a save is held against
//! the draft as it was when it was asked for: an answer about a former draft is not shown as one
//! about the present one.

use std::time::SystemTime;

use crate::core::{CommandError, TestReport};
use crate::ui::errors;

/// Which vaults a runtime may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Every vault registered on this computer.
    Registered,
    /// One folder.
    Folder,
}

/// What is wrong with the path, said beside its field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathProblem {
    /// One folder is chosen, but none is named.
    Empty,
    Refused(CommandError),
}

/// How the latest test of this draft went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tested {
    pub outcome: Result<TestReport, CommandError>,
    pub at: SystemTime,
}

/// A request that has not been answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    revision: u64,
    since: SystemTime,
}

/// The scope form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    reach: Reach,
    path: String,
    /// The person changed something since the last save; until then the form follows what is saved.
    edited: bool,
    /// Counts the edits.
    revision: u64,
    problem: Option<PathProblem>,
    testing: Option<Asked>,
    tested: Option<Tested>,
    saving: Option<Asked>,
    save_failed: Option<CommandError>,
    saved_at: Option<SystemTime>,
}

impl Draft {
    /// A form that shows what is saved.
    pub fn new(saved: &str) -> Self {
        let reach = if saved.is_empty() { Reach::Registered } else { Reach::Folder };
        Self {
            reach,
            path: saved.to_owned(),
            edited: false,
            revision: 0,
            problem: None,
            testing: None,
            tested: None,
            saving: None,
            save_failed: None,
            saved_at: None,
        }
    }

    /// Somebody else may have saved: a form that nobody edits shows it.
    pub fn follow(&mut self, saved: &str) {
        if !self.edited && self.setting() != saved {
            let former = std::mem::replace(self, Self::new(saved));
            self.revision = former.revision + 1;
            self.testing = former.testing;
            self.saving = former.saving;
        }
    }

    pub fn reach(&self) -> Reach {
        self.reach
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn problem(&self) -> Option<&PathProblem> {
        self.problem.as_ref()
    }

    pub fn tested(&self) -> Option<&Tested> {
        self.tested.as_ref()
    }

    /// Since when a test runs that was asked for here.
    pub fn testing_since(&self) -> Option<SystemTime> {
        self.testing.map(|asked| asked.since)
    }

    pub fn is_saving(&self) -> bool {
        self.saving.is_some()
    }

    pub fn save_failed(&self) -> Option<&CommandError> {
        self.save_failed.as_ref()
    }

    pub fn saved_at(&self) -> Option<SystemTime> {
        self.saved_at
    }

    /// The draft as a setting: empty = all registered vaults.
    pub fn setting(&self) -> &str {
        match self.reach {
            Reach::Registered => "",
            Reach::Folder => self.path.trim(),
        }
    }

    /// The draft says something else than what is saved.
    pub fn differs_from(&self, saved: &str) -> bool {
        self.setting() != saved || (self.reach == Reach::Folder && self.path.trim().is_empty())
    }

    /// Another scope was chosen. The typed path is kept for the way back.
    pub fn choose(&mut self, reach: Reach) {
        if self.reach != reach {
            self.reach = reach;
            self.edited();
        }
    }

    /// The path was edited.
    pub fn edit_path(&mut self, path: String) {
        if self.path != path {
            self.path = path;
            self.edited();
            self.has_path();
        }
    }

    /// The folder dialog gave a folder: the scope is that folder.
    pub fn folder_chosen(&mut self, path: String) {
        self.reach = Reach::Folder;
        self.path = path;
        self.edited();
    }

    fn edited(&mut self) {
        self.edited = true;
        self.revision += 1;
        self.problem = None;
        self.tested = None;
        self.save_failed = None;
        self.saved_at = None;
    }

    /// Whether there is a path where one is needed; says so beside the field otherwise.
    pub fn has_path(&mut self) -> bool {
        let missing = self.reach == Reach::Folder && self.path.trim().is_empty();
        if missing {
            self.problem = Some(PathProblem::Empty);
        }
        !missing
    }

    /// Asks for a test: gives the setting to test. `None` when one runs already or the path is empty.
    pub fn begin_test(&mut self, now: SystemTime) -> Option<String> {
        if self.testing.is_some() || !self.has_path() {
            return None;
        }
        self.tested = None;
        self.problem = None;
        self.testing = Some(Asked { revision: self.revision, since: now });
        Some(self.setting().to_owned())
    }

    /// The test ended. Shown only when it tested what stands in the form now.
    pub fn test_ended(&mut self, outcome: Result<TestReport, CommandError>, at: SystemTime) {
        let Some(asked) = self.testing.take() else { return };
        if asked.revision != self.revision {
            return;
        }
        match outcome {
            Err(error) if self.belongs_to_path(&error) => self.problem = Some(PathProblem::Refused(error)),
            outcome => self.tested = Some(Tested { outcome, at }),
        }
    }

    /// Another engine was chosen: what a test found with the former one says nothing any more.
    pub fn engine_changed(&mut self) {
        let former = self.revision;
        self.revision += 1;
        self.tested = None;
        if let Some(saving) = self.saving.as_mut().filter(|saving| saving.revision == former) {
            saving.revision = self.revision;
        }
    }

    /// Asks for a save: gives the setting to save. `None` when one runs already or the path is empty.
    pub fn begin_save(&mut self, now: SystemTime) -> Option<String> {
        if self.saving.is_some() || !self.has_path() {
            return None;
        }
        self.save_failed = None;
        self.saving = Some(Asked { revision: self.revision, since: now });
        Some(self.setting().to_owned())
    }

    /// The save succeeded; `saved` is what the snapshot shows now.
    pub fn saved(&mut self, saved: &str, at: SystemTime) {
        let Some(asked) = self.saving.take() else { return };
        if asked.revision != self.revision {
            // What was typed meanwhile is a new draft.
            return;
        }
        self.edited = false;
        self.path = saved.to_owned();
        self.reach = if saved.is_empty() { Reach::Registered } else { Reach::Folder };
        self.saved_at = Some(at);
    }

    /// The save failed: the draft stays, to be changed and tried again.
    pub fn save_refused(&mut self, error: CommandError) {
        if self.saving.take().is_none() {
            return;
        }
        self.edited = true;
        if self.belongs_to_path(&error) {
            self.problem = Some(PathProblem::Refused(error));
        } else {
            self.save_failed = Some(error);
        }
    }

    fn belongs_to_path(&self, error: &CommandError) -> bool {
        self.reach == Reach::Folder && errors::is_about_folder(error)
    }
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
