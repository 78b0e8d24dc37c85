//! The endpoints of a kernel, and the permission of each.
//!
//! The core looks, filters and sorts beside everything else: what is typed is asked for as soon as the answer before
//! has come, and until then the rows of before stand there.

mod beyond;
mod body_check;
mod details;
mod filters;
mod grant;
mod rows;
mod words;

use std::collections::BTreeMap;

use egui::{Frame, Id, Margin, Rect, ScrollArea, Ui, UiBuilder, pos2};

use self::beyond::Beyond;
use self::details::{Details, Wanted};
use self::grant::{Granted, Granting};
use super::{Page, SIDE, content, wide_header};
use crate::core::{
    Command, CommandError, EndpointFilter, EndpointList, EndpointQuery, EndpointRow, KernelId, KernelView,
    Reply, Snapshot,
};
use crate::ui::clock;
use crate::ui::errors;
use crate::ui::icons::Icon;
use crate::ui::link::{Link, Pending, take};
use crate::ui::theme::{CONTROL_HEIGHT, space};
use crate::ui::widgets::{
    Button, Kind, Look, Sort, Table, TableState, Tone, alert, card, empty_state, muted, status,
};

/// From this width on the details stand beside the table, in points.
const BESIDE_FROM: f32 = 880.0;

/// How wide they are there.
const DETAILS: f32 = 340.0;

/// The page's own state.
#[derive(Debug)]
pub struct EndpointsPage {
    kernel: Option<KernelId>,
    filter: EndpointFilter,
    sort: Sort,
    table: TableState<String>,
    list: Option<EndpointList>,
    /// Selected endpoints that a filter hides now.
    hidden: BTreeMap<String, EndpointRow>,
    /// What the list was asked for last, and under which settings.
    asked: Option<(EndpointQuery, u64)>,
    asking: Option<Pending>,
    failed: Option<CommandError>,
    details: Option<Details>,
    beyond: Beyond,
    granting: Option<Granting>,
    granted: Option<Granted>,
    /// Everything that was to be granted on is closed.
    nothing_open: bool,
    /// What gets the keyboard's focus back.
    focus: Option<Id>,
}

impl Default for EndpointsPage {
    fn default() -> Self {
        Self {
            kernel: None,
            filter: EndpointFilter::default(),
            sort: rows::BY_NAME,
            table: TableState::default(),
            list: None,
            hidden: BTreeMap::new(),
            asked: None,
            asking: None,
            failed: None,
            details: None,
            beyond: Beyond::default(),
            granting: None,
            granted: None,
            nothing_open: false,
            focus: None,
        }
    }
}

impl EndpointsPage {
    /// Takes in what has come since the last frame, whether the page is shown or not.
    pub fn receive(&mut self, snapshot: &Snapshot, link: &dyn Link) {
        match take(&mut self.asking) {
            Some(Ok(Reply::Endpoints { list })) => self.take_list(list),
            Some(Ok(_)) | None => {}
            Some(Err(error)) => self.failed = Some(error),
        }
        self.beyond.receive();
        if let Some(details) = &mut self.details {
            details.receive();
        }
        if let Some(granted) = self.granting.as_mut().and_then(Granting::receive) {
            self.focus = self.granting.take().and_then(|granting| granting.return_to);
            self.table.clear_selection();
            self.granted = Some(granted);
        }
        // Before the page is shown for the first time nothing is asked.
        if self.asked.is_some() {
            self.ask(snapshot, link);
        }
    }

    fn take_list(&mut self, list: EndpointList) {
        let selected = self.table.selected();
        let before = self.list.take().map(|list| list.rows).unwrap_or_default();
        self.hidden.extend(before.into_iter().map(|row| (row.key.clone(), row)));
        self.hidden.retain(|key, _| selected.contains(key));
        self.list = Some(list);
    }

    /// Shows the page. Gives where its button leads.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        snapshot: &Snapshot,
        link: &dyn Link,
    ) -> Option<Page> {
        let kernel = self.kernel(snapshot);
        wide_header(ui, look, look.text("page-endpoints"), look.text("endpoints-about"), |ui| {
            if let Some(kernel) = kernel {
                self.beyond.buttons(ui, look, kernel, link);
            }
        });
        let Some(kernel) = kernel else { return no_kernel(ui, look) };
        self.beyond.form(ui, look, kernel, link);
        let margin = Margin { left: SIDE, right: SIDE, top: 4, bottom: space::L as i8 };
        Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            let room = ui.available_rect_before_wrap();
            let beside = room.width() >= BESIDE_FROM;
            let open = self.details.is_some();
            if !open || beside {
                let (listed, detailed) = split(room, open);
                let builder = UiBuilder::new().scope_id(Id::unique("endpoints-list")).max_rect(listed);
                ui.scope_builder(builder, |ui| self.list(ui, look, snapshot, kernel, link));
                if open {
                    self.details(ui, look, kernel, detailed, link);
                }
            } else {
                self.details(ui, look, kernel, room, link);
            }
        });
        self.ask(snapshot, link);
        self.question(ui, look, snapshot, link);
        None
    }

    /// The kernel whose endpoints are shown.
    fn kernel<'a>(&self, snapshot: &'a Snapshot) -> Option<&'a KernelView> {
        let kernels = &snapshot.siyuan.kernels;
        let by_id = |id: &Option<KernelId>| kernels.iter().find(|kernel| Some(&kernel.id) == id.as_ref());
        by_id(&self.kernel).or_else(|| by_id(&snapshot.siyuan.default_kernel)).or_else(|| kernels.first())
    }

    /// Asks for what is to be seen, if that is not what was asked for last. One question at a time, so that fast
    /// typing does not pile them up.
    fn ask(&mut self, snapshot: &Snapshot, link: &dyn Link) {
        let Some(kernel) = self.kernel(snapshot) else { return };
        let query = EndpointQuery {
            kernel: kernel.id.clone(),
            filter: self.filter.clone(),
            order: rows::order(self.sort),
            descending: self.sort.descending,
        };
        let wanted = (query, snapshot.generation);
        if self.asking.is_some() || self.asked.as_ref() == Some(&wanted) {
            return;
        }
        self.failed = None;
        self.asking = Some(link.send(Command::Endpoints { query: wanted.0.clone() }));
        self.asked = Some(wanted);
    }

    fn list(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        snapshot: &Snapshot,
        kernel: &KernelView,
        link: &dyn Link,
    ) {
        let mut chosen = kernel.id.clone();
        filters::show(ui, look, snapshot, self.list.as_ref(), &mut chosen, &mut self.filter);
        if chosen != kernel.id {
            self.kernel = Some(chosen);
            self.table.rewind();
            (self.list, self.details, self.granted) = (None, None, None);
            self.beyond.rewind();
        }
        self.line(ui, look, kernel);
        if let Some(error) = &self.failed {
            let shown = errors::shown(error, look.texts);
            alert(ui, look, "endpoints-failed", &shown.lead);
            muted(ui, look, shown.detail.unwrap_or_default());
        }
        let Some(list) = &self.list else { return };
        let name = look.texts.with("endpoints-table", [("kernel", kernel.name.as_str().into())]);
        let events = rows::show(ui, look, &name, self.sort, &mut self.table, list);
        self.sort = events.sort.unwrap_or(self.sort);
        if let Some(pressed) = events.pressed {
            self.granting = Granting::of(&list.kernel, &[&list.rows[pressed.row]]);
        }
        if let Some(activation) = events.activated {
            self.details = Some(Details::of(&list.rows[activation.row], activation.by_keyboard, link));
            // They have their room from the next frame on.
            ui.ctx().request_repaint();
        }
    }

    /// How many there are, how many are selected, and what can be done with them. Its height stays the same.
    fn line(&mut self, ui: &mut Ui, look: Look<'_>, kernel: &KernelView) {
        ui.horizontal(|ui| {
            ui.set_min_height(CONTROL_HEIGHT);
            said(ui, look, "endpoints-count", Tone::Plain, &self.count(look));
            let selected = self.table.selected().len();
            if selected == 0 {
                self.nothing_open = false;
                let (tone, result) = self.result(look);
                said(ui, look, "endpoints-result", tone, &result);
                return;
            }
            let (tone, words) = if self.nothing_open {
                (Tone::Warning, look.text("grant-nothing"))
            } else {
                (Tone::Plain, look.texts.with("endpoints-selected", [("count", selected.into())]))
            };
            said(ui, look, "endpoints-result", tone, &words);
            let set = Button::new("set-permission", look.text("endpoints-set")).kind(Kind::Primary);
            if set.show(ui, look).clicked() {
                self.begin_granting(kernel);
            }
            let clear = Button::new("clear-selection", look.text("endpoints-clear-selection"));
            if clear.kind(Kind::Quiet).show(ui, look).clicked() {
                self.table.clear_selection();
            }
        });
    }

    fn count(&self, look: Look<'_>) -> String {
        let Some(list) = &self.list else {
            return if self.failed.is_some() { String::new() } else { look.text("endpoints-reading") };
        };
        let (count, changed) = (("count", list.total.into()), ("changed", list.changed.into()));
        if list.rows.len() == list.total {
            look.texts.with("endpoints-count", [count, changed])
        } else {
            look.texts.with("endpoints-count-shown", [("shown", list.rows.len().into()), count, changed])
        }
    }

    /// What came of setting permissions, or of looking beyond the contract.
    fn result(&self, look: Look<'_>) -> (Tone, String) {
        if let Some(said) = self.beyond.line(look) {
            return said;
        }
        match &self.granted {
            Some(Granted { count, at }) => {
                let args = [("count", (*count).into()), ("time", clock::at(*at).into())];
                (Tone::Success, look.texts.with("grant-done", args))
            }
            None => (Tone::Plain, String::new()),
        }
    }

    /// Asks about everything that is selected, whether a filter shows it now or not.
    fn begin_granting(&mut self, kernel: &KernelView) {
        let Some(list) = &self.list else { return };
        let selected = self.table.selected();
        let shown = list.rows.iter().filter(|row| selected.contains(&row.key));
        let mut rows: BTreeMap<&str, &EndpointRow> = self
            .hidden
            .iter()
            .filter(|(key, _)| selected.contains(*key))
            .map(|(key, row)| (key.as_str(), row))
            .collect();
        rows.extend(shown.map(|row| (row.key.as_str(), row)));
        self.granting = Granting::of(&kernel.id, &rows.into_values().collect::<Vec<_>>());
        self.nothing_open = self.granting.is_none();
    }

    fn details(&mut self, ui: &mut Ui, look: Look<'_>, kernel: &KernelView, room: Rect, link: &dyn Link) {
        let Some(details) = &mut self.details else { return };
        let permission = kernel.permissions.get(&details.row().key).copied().unwrap_or_default();
        details.keep(permission);
        let name = look.texts.with("endpoint-details", [("name", details.row().key.as_str().into())]);
        let builder = UiBuilder::new().scope_id(Id::unique("endpoint-details")).max_rect(room);
        let wanted = ui.scope_builder(builder, |ui| {
            card(ui, look, "endpoint-details", &name, |ui| {
                let area = ScrollArea::vertical().id_salt("endpoint-details").auto_shrink(false);
                area.show(ui, |ui| details.show(ui, look, link)).inner
            })
        });
        match wanted.inner {
            Some(Wanted::ChangePermission) => {
                let row = details.row().clone();
                self.granting = Granting::of(&kernel.id, &[&row]);
            }
            Some(Wanted::Forget) => {
                let endpoint = details.row().key.clone();
                self.beyond.forget(&kernel.id, &endpoint, link);
                self.close_details(ui);
            }
            Some(Wanted::Close) => self.close_details(ui),
            None => {}
        }
    }

    /// The keyboard goes back to the table.
    fn close_details(&mut self, ui: &Ui) {
        self.details = None;
        ui.memory_mut(|memory| memory.request_focus(Table::id(rows::TABLE)));
        ui.ctx().request_repaint();
    }

    fn question(&mut self, ui: &Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        let Some(granting) = &mut self.granting else {
            if let Some(id) = self.focus.take() {
                ui.memory_mut(|memory| memory.request_focus(id));
            }
            return;
        };
        let from = || ui.memory(|memory| memory.focused()).unwrap_or(Table::id(rows::TABLE));
        granting.return_to.get_or_insert_with(from);
        let kernel = snapshot.siyuan.kernels.iter().find(|kernel| kernel.id == *granting.kernel());
        // A kernel that is gone has no permissions.
        let answered = kernel.is_none_or(|kernel| granting.show(ui.ctx(), look, kernel, link));
        if answered {
            self.focus = self.granting.take().and_then(|granting| granting.return_to);
            ui.ctx().request_repaint();
        }
    }
}

/// A status as high as the buttons beside it.
fn said(ui: &mut Ui, look: Look<'_>, id: &str, tone: Tone, words: &str) {
    ui.vertical(|ui| {
        ui.add_space(6.0);
        status(ui, look, id, tone, words);
    });
}

/// The room of the list and, at its right, that of the details.
fn split(room: Rect, detailed: bool) -> (Rect, Rect) {
    if !detailed {
        return (room, Rect::NOTHING);
    }
    let at = room.right() - DETAILS;
    let listed = Rect::from_min_max(room.min, pos2(at - space::L, room.bottom()));
    (listed, Rect::from_min_max(pos2(at, room.top()), room.max))
}

fn no_kernel(ui: &mut Ui, look: Look<'_>) -> Option<Page> {
    let mut goto = None;
    content(ui, "endpoints", |ui| {
        card(ui, look, "no-kernels", &look.text("page-endpoints"), |ui| {
            let (title, text) = (look.text("endpoints-none"), look.text("endpoints-none-help"));
            let button = ("add-kernel", look.text("endpoints-add-kernel"));
            if empty_state(ui, look, Icon::Kernel, title, text, button).clicked() {
                goto = Some(Page::Kernels);
            }
        });
    });
    goto
}
