//! The part of the log that is shown: one page of what a filter leaves, kept up to date.

use crate::core::{Command, CommandError, Outcome, Query, Record, Reply, RuntimeId};
use crate::ui::link::{Link, Pending, take};

/// The rows of a page.
pub(super) const PAGE: usize = 200;

/// What the person wants to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Filter {
    pub runtime: Option<RuntimeId>,
    pub session: Option<String>,
    pub kernel: Option<String>,
    pub tool: Option<String>,
    pub outcome: Option<Outcome>,
    pub text: String,
}

impl Filter {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn query(&self) -> Query {
        let Self { runtime, session, kernel, tool, outcome, text } = self.clone();
        let text = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        Query { runtime, session, kernel, tool, outcome, text, ..Query::default() }
    }
}

/// A page, the way to it, and what is on its way.
#[derive(Debug, Default)]
pub(super) struct Feed {
    filter: Filter,
    /// Where each page but the first begins, the one that is shown last.
    turned: Vec<u64>,
    records: Vec<Record>,
    /// Where the next page begins.
    next: Option<u64>,
    /// What the log counted when the page was asked for; `None`: it has to be asked for.
    revision: Option<u64>,
    loading: Option<Loading>,
    failed: Option<CommandError>,
    is_read: bool,
}

/// A page on its way. It may take several requests, since each looks at a bounded number of rows.
#[derive(Debug)]
struct Loading {
    pending: Option<Pending>,
    revision: u64,
    found: Vec<Record>,
    /// Another page is wanted by now.
    is_stale: bool,
}

impl Feed {
    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    pub(super) fn filter(&self) -> &Filter {
        &self.filter
    }

    pub(super) fn failed(&self) -> Option<&CommandError> {
        self.failed.as_ref()
    }

    /// Something was read, so that an empty page means that there is nothing.
    pub(super) fn is_read(&self) -> bool {
        self.is_read
    }

    /// Which page is shown, from 1.
    pub(super) fn page(&self) -> usize {
        self.turned.len() + 1
    }

    pub(super) fn has_older(&self) -> bool {
        self.next.is_some()
    }

    pub(super) fn has_newer(&self) -> bool {
        !self.turned.is_empty()
    }

    pub(super) fn older(&mut self) {
        if let Some(next) = self.next.take() {
            self.turned.push(next);
            self.refresh();
        }
    }

    pub(super) fn newer(&mut self) {
        if self.turned.pop().is_some() {
            self.refresh();
        }
    }

    pub(super) fn show_only(&mut self, filter: Filter) {
        if filter != self.filter {
            self.filter = filter;
            self.turned.clear();
            self.next = None;
            self.refresh();
        }
    }

    /// Has the page read anew.
    pub(super) fn refresh(&mut self) {
        self.revision = None;
        if let Some(loading) = &mut self.loading {
            loading.is_stale = true;
        }
    }

    /// Asks for the page if what is shown may be old. To be called while the page is in sight.
    pub(super) fn follow(&mut self, revision: u64, link: &dyn Link) {
        if self.loading.is_none() && self.revision != Some(revision) {
            let before = self.turned.last().copied();
            let pending = Some(self.ask(before, PAGE, link));
            self.revision = Some(revision);
            self.loading = Some(Loading { pending, revision, found: Vec::new(), is_stale: false });
        }
    }

    fn ask(&self, before: Option<u64>, limit: usize, link: &dyn Link) -> Pending {
        let query = Query { before, limit: Some(limit), ..self.filter.query() };
        link.send(Command::Activity { query })
    }

    /// Takes in what has come.
    pub(super) fn receive(&mut self, link: &dyn Link) {
        let Some(mut loading) = self.loading.take() else { return };
        let Some(outcome) = take(&mut loading.pending) else {
            self.loading = Some(loading);
            return;
        };
        if loading.is_stale {
            return;
        }
        match outcome {
            Ok(Reply::Activity { page }) => {
                loading.found.extend(page.records);
                let missing = PAGE.saturating_sub(loading.found.len());
                if missing > 0 && page.next.is_some() {
                    loading.pending = Some(self.ask(page.next, missing, link));
                    self.loading = Some(loading);
                    return;
                }
                self.records = loading.found;
                (self.next, self.failed, self.is_read) = (page.next, None, true);
                self.revision = Some(loading.revision);
            }
            Ok(_) => {}
            Err(error) => self.failed = Some(error),
        }
    }
}
