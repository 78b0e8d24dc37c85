//! What was called, and how it came out: the log, newest first, as it grows.

mod details;
mod feed;
mod filters;
mod rows;
mod words;

use std::path::PathBuf;

use egui::{Align, Layout, Margin, Rect, Ui, UiBuilder, pos2};

use self::details::Wanted;
use self::feed::Feed;
use self::rows::Rows;
use super::{SIDE, header};
use crate::core::{Command, CommandError, ExportFormat, Record, Reply, Snapshot};
use crate::ui::errors;
use crate::ui::icons::Icon;
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::space;
use crate::ui::widgets::{
    Button, Kind, Look, Table, TableEvents, TableState, Tone, alert, in_the_middle, status,
};

/// From this width on the details stand beside the table, in points.
const BESIDE_FROM: f32 = 900.0;
const BESIDE: f32 = 380.0;

/// Else they stand below it, with this part of the height.
const BELOW: f32 = 0.5;

const TABLE: &str = "activity";

/// The page's own state.
#[derive(Debug, Default)]
pub struct ActivityPage {
    feed: Feed,
    table: TableState<u64>,
    /// The row whose details are shown, as it was seen last.
    open: Option<Record>,
    /// The details are to get the focus with the next frame.
    enter_details: bool,
    export: Option<Pending>,
    /// Where the rows were written that were exported last, and how many.
    exported: Option<(PathBuf, u64)>,
    change: Option<Pending>,
    failed: Option<CommandError>,
}

impl ActivityPage {
    /// Takes in what has come since the last frame, whether the page is shown or not.
    pub fn receive(&mut self, _snapshot: &Snapshot, link: &dyn Link) {
        self.feed.receive(link);
        if let Some(open) = &mut self.open
            && let Some(now) = self.feed.records().iter().find(|record| record.number == open.number)
            && now != open
        {
            *open = now.clone();
        }
        match take(&mut self.export) {
            Some(Ok(Reply::Exported { path, rows })) => self.exported = path.map(|path| (path, rows)),
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.failed = Some(error),
        }
        if let Some(Err(error)) = take(&mut self.change) {
            self.failed = Some(error);
        }
    }

    pub fn show(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        header(ui, look, look.text("page-activity"), look.text("activity-about"), |_| {});
        self.feed.follow(snapshot.activity.revision, link);
        let margin = Margin { left: SIDE, right: SIDE, top: 0, bottom: 12 };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            filters::show(ui, look, &mut self.feed, snapshot);
            self.messages(ui, look, snapshot);
            self.tools(ui, look, link);
            self.table_and_details(ui, look, snapshot, link);
        });
    }

    /// What went wrong, and what came of an export.
    fn messages(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) {
        let problems = [snapshot.activity.problem.as_ref(), self.feed.failed(), self.failed.as_ref()];
        let problem = problems.into_iter().flatten().next().map(|error| errors::shown(error, look.texts));
        if let Some(shown) = problem {
            let text = [shown.lead, shown.detail.unwrap_or_default()].join("\n");
            alert(ui, look, "activity-problem", text.trim());
        }
        if self.export.is_some() || self.exported.is_some() {
            let told = self.exported.as_ref().map(|(path, rows)| {
                let path = path.display().to_string();
                look.texts.with("exported", [("count", (*rows).into()), ("path", path.into())])
            });
            let (tone, text) = match told {
                Some(text) => (Tone::Success, text),
                None => (Tone::Waiting, look.text("exporting")),
            };
            status(ui, look, "activity-export", tone, &text);
        }
    }

    /// How much is shown, the way to what is not, and the way out.
    fn tools(&mut self, ui: &mut Ui, look: Look<'_>, link: &dyn Link) {
        ui.horizontal(|ui| {
            in_the_middle(ui, |ui| status(ui, look, "activity-count", Tone::Plain, &self.count(look)));
            // From the right, so the last comes first.
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let refresh = Button::new("refresh", "").icon(Icon::Refresh).kind(Kind::Quiet);
                let name = look.text("refresh");
                if refresh.name(name.as_str()).show(ui, look).on_hover_text(name).clicked() {
                    self.feed.refresh();
                }
                let older = Button::new("older", look.text("older")).enabled(self.feed.has_older());
                if older.show(ui, look).clicked() {
                    self.feed.older();
                    self.table.rewind();
                }
                let newer = Button::new("newer", look.text("newer")).enabled(self.feed.has_newer());
                if newer.show(ui, look).clicked() {
                    self.feed.newer();
                    self.table.rewind();
                }
                ui.add_space(space::S);
                for (key, format) in [("export-json", ExportFormat::Json), ("export-csv", ExportFormat::Csv)]
                {
                    let button = Button::new(key, look.text(key)).kind(Kind::Quiet);
                    if button.enabled(self.export.is_none()).show(ui, look).clicked() {
                        let query = self.feed.filter().query();
                        (self.failed, self.exported) = (None, None);
                        self.export = Some(link.send(Command::ExportActivity { query, format }));
                    }
                }
            });
        });
    }

    fn count(&self, look: Look<'_>) -> String {
        let (count, page) = (self.feed.records().len(), self.feed.page());
        match (self.feed.is_read(), self.feed.has_older() || self.feed.has_newer()) {
            (false, _) => look.text("activity-reading"),
            (true, false) => look.texts.with("rows-all", [("count", count.into())]),
            (true, true) => look.texts.with("rows-page", [("count", count.into()), ("page", page.into())]),
        }
    }

    fn table_and_details(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        let room = ui.available_rect_before_wrap();
        let (table, details) = match &self.open {
            None => (room, None),
            Some(_) if room.width() >= BESIDE_FROM => {
                let edge = room.right() - BESIDE;
                let left = Rect::from_min_max(room.min, pos2(edge - space::L, room.bottom()));
                (left, Some(Rect::from_min_max(pos2(edge, room.top()), room.max)))
            }
            Some(_) => {
                let edge = room.bottom() - room.height() * BELOW;
                let above = Rect::from_min_max(room.min, pos2(room.right(), edge - space::S));
                (above, Some(Rect::from_min_max(pos2(room.left(), edge), room.max)))
            }
        };
        ui.scope_builder(UiBuilder::new().max_rect(table), |ui| self.table(ui, look, snapshot));
        if let (Some(place), Some(record)) = (details, self.open.clone()) {
            ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
                let enter = std::mem::take(&mut self.enter_details);
                let wanted = details::show(ui, look, &record, snapshot, enter);
                match wanted {
                    Some(Wanted::Close) => self.close_details(ui),
                    Some(Wanted::Kernel(session, kernel)) => {
                        self.failed = None;
                        self.change = Some(link.send(Command::ChooseKernel { session, kernel }));
                    }
                    None => {}
                }
            });
        }
    }

    fn table(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) {
        let columns = rows::columns(self.feed.records(), look);
        let empty = match (self.feed.is_read(), self.feed.filter().is_empty()) {
            (false, _) => look.text("activity-reading"),
            (true, true) => look.text("activity-none"),
            (true, false) => look.text("activity-none-fits"),
        };
        let before = self.table.current().copied();
        let rows = Rows { records: self.feed.records(), snapshot, look };
        let events = Table::new(TABLE, look.text("activity-table"), &columns).empty(empty).show(
            ui,
            look,
            &mut self.table,
            &rows,
        );
        self.take_events(events, before);
    }

    fn take_events(&mut self, events: TableEvents, before: Option<u64>) {
        if let Some(activated) = events.activated {
            self.open = self.feed.records().get(activated.row).cloned();
            self.enter_details = activated.by_keyboard;
        } else if self.open.is_some() && self.table.current().copied() != before {
            // The details follow the row that the keyboard comes to.
            let current = self.table.current();
            let found = self.feed.records().iter().find(|record| Some(&record.number) == current);
            self.open = found.cloned().or(self.open.take());
        }
    }

    /// The focus goes back to the row that the details were of.
    fn close_details(&mut self, ui: &Ui) {
        self.open = None;
        ui.memory_mut(|memory| memory.request_focus(Table::id(TABLE)));
    }
}
