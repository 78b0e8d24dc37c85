//! What is shown of the log: a search field, and a choice for each column that has a few values.

use egui::{Id, Ui};

use super::feed::{Feed, Filter};
use super::words;
use crate::core::{Outcome, Record, RuntimeId, SessionView, Snapshot, catalogue};
use crate::ui::names;
use crate::ui::theme::space;
use crate::ui::widgets::{Button, Kind, Look, SearchField, Select, SelectOption};

pub(super) fn show(ui: &mut Ui, look: Look<'_>, feed: &mut Feed, snapshot: &Snapshot) {
    let mut filter = feed.filter().clone();
    let records = feed.records();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::Vec2::splat(space::S);
        SearchField::new(
            Id::unique("activity-search"),
            look.text("activity-search"),
            look.text("activity-search-hint"),
        )
        .width(260.0)
        .show(ui, look, &mut filter.text);
        choose(
            ui,
            look,
            ("outcome", "column-outcome"),
            &mut filter.outcome,
            Outcome::ALL.iter().copied(),
            |one| look.text(words::outcome(*one).0),
        );
        let callers = snapshot.runtimes.iter().map(|runtime| runtime.id.clone());
        let callers = callers.chain(records.iter().map(|record| record.runtime.clone()));
        choose(ui, look, ("caller", "column-caller"), &mut filter.runtime, callers, |id: &RuntimeId| {
            names::of_caller(id.as_str(), snapshot, look)
        });
        let tools = catalogue().iter().map(|tool| tool.name.to_string());
        choose(ui, look, ("tool", "column-tool"), &mut filter.tool, tools, String::clone);
        let kernels = snapshot.siyuan.kernels.iter().map(|kernel| kernel.id.as_str().to_owned());
        let kernels = kernels.chain(records.iter().filter_map(|record| record.kernel.clone()));
        choose(ui, look, ("kernel", "fact-kernel"), &mut filter.kernel, kernels, |id: &String| {
            names::of_kernel(id, snapshot)
        });
        choose(
            ui,
            look,
            ("session", "fact-session"),
            &mut filter.session,
            sessions(snapshot, records),
            |label: &String| session_name(label, snapshot, look),
        );
        if !filter.is_empty() {
            let clear = Button::new("clear-filters", look.text("filters-clear")).kind(Kind::Quiet);
            if clear.show(ui, look).clicked() {
                filter = Filter::default();
            }
        }
    });
    feed.show_only(filter);
}

fn sessions(snapshot: &Snapshot, records: &[Record]) -> Vec<String> {
    let open = snapshot.sessions.iter().map(|session| session.label.0.clone());
    open.chain(records.iter().filter_map(|record| record.session.clone())).collect()
}

/// A session by the program that has it, where that is known, and its label.
pub(super) fn session_name(label: &str, snapshot: &Snapshot, look: Look<'_>) -> String {
    let open = snapshot.sessions.iter().find(|session| session.label.0 == label);
    match open.and_then(|session: &SessionView| session.client.as_ref()) {
        Some(client) => {
            let args = [("name", client.name.as_str().into()), ("id", label.into())];
            look.texts.with("name-and-id", args)
        }
        None => label.to_owned(),
    }
}

/// A choice of one of `values`, each once, or of all. What is chosen stays among them.
fn choose<T: PartialEq + Clone>(
    ui: &mut Ui,
    look: Look<'_>,
    (salt, title): (&str, &str),
    chosen: &mut Option<T>,
    values: impl IntoIterator<Item = T>,
    name: impl Fn(&T) -> String,
) {
    let mut options = vec![SelectOption::new(None, look.text("filter-all"))];
    for value in chosen.clone().into_iter().chain(values) {
        if !options.iter().any(|option| option.value.as_ref() == Some(&value)) {
            let text = name(&value);
            options.push(SelectOption::new(Some(value), text));
        }
    }
    let (id, title) = (Id::unique(("activity-filter", salt)), look.text(title));
    let select = Select::new(id, title, chosen.clone(), &options).named();
    if let Some(newly) = select.show(ui, look) {
        *chosen = newly;
    }
}
