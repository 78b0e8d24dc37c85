//! The scope card: which vaults are in reach, what is saved, and how the test of the draft went.

use egui::accesskit::Role;
use egui::{Id, Ui, UiBuilder};

use super::ObsidianPage;
use super::draft::{PathProblem, Reach, Tested};
use crate::core::{Command, CommandError, Snapshot};
use crate::ui::icons::Icon;
use crate::ui::link::Link;
use crate::ui::theme::space;
use crate::ui::widgets::{
    Button, Choice, Field, Kind, Look, Tone, alert, body, caption, card, choices, heading, mono_wrapped,
    muted, status, strong,
};
use crate::ui::{clock, errors};

pub(super) fn show(
    page: &mut ObsidianPage,
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    link: &dyn Link,
) {
    card(ui, look, "scope", &look.text("scope-title"), |ui| {
        ui.spacing_mut().item_spacing.y = space::S;
        heading(ui, look, look.text("scope-title"));
        reach(page, ui, look);
        if page.draft.reach() == Reach::Folder {
            path_field(page, ui, look);
        }
        saved_scope(page, ui, look, snapshot);
        actions(page, ui, look, snapshot, link);
        feedback(page, ui, look, snapshot);
    });
}

fn reach(page: &mut ObsidianPage, ui: &mut Ui, look: Look<'_>) {
    let list = [
        Choice {
            value: Reach::Registered,
            salt: "registered",
            text: look.text("scope-registered"),
            help: Some(look.text("scope-registered-help")),
        },
        Choice {
            value: Reach::Folder,
            salt: "folder",
            text: look.text("scope-folder"),
            help: Some(look.text("scope-folder-help")),
        },
    ];
    let name = look.text("scope-title");
    let chosen = choices(ui, look, Id::unique("scope-reach"), &name, page.draft.reach(), &list, false);
    if let Some(chosen) = chosen {
        page.draft.choose(chosen);
        page.folder_failed = None;
    }
}

fn path_field(page: &mut ObsidianPage, ui: &mut Ui, look: Look<'_>) {
    let error = page.draft.problem().map(|problem| match problem {
        PathProblem::Empty => look.text("path-empty"),
        PathProblem::Refused(error) => told(error, look),
    });
    let mut path = page.draft.path().to_owned();
    let field = Field::new(Id::unique("vault-path"), look.text("path-label"))
        .help(look.text("path-help"))
        .error(error)
        .mono();
    let response = field.show(ui, look, &mut path);
    if response.changed() {
        page.draft.edit_path(path);
        page.folder_failed = None;
    }
    if response.lost_focus() {
        page.draft.has_path();
    }
}

fn saved_scope(page: &ObsidianPage, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) {
    let saved = snapshot.obsidian.vault_path.as_str();
    ui.add_space(space::XS);
    let builder = UiBuilder::new()
        .scope_id(Id::unique("saved-scope"))
        .accessibility_role(Role::Group)
        .accessibility_label(look.text("saved-scope"));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        caption(ui, look, look.text("saved-scope"));
        if saved.is_empty() {
            body(ui, look, look.text("saved-registered"));
        } else {
            mono_wrapped(ui, look, saved);
        }
    });
    let (tone, text) = if page.draft.is_saving() {
        (Tone::Waiting, look.text("saving"))
    } else if page.draft.differs_from(saved) {
        (Tone::Warning, look.text("draft-unsaved"))
    } else if let Some(at) = page.draft.saved_at() {
        (Tone::Success, look.texts.with("saved-at", [("time", clock::at(at).into())]))
    } else {
        (Tone::Plain, look.text("draft-same"))
    };
    status(ui, look, "draft", tone, &text);
    // Saving asks for no folder that is there, so this is a notice and no error of the save.
    let problem = snapshot.obsidian.scope_problem.as_ref().filter(|_| !page.draft.is_saving());
    let shown = problem.map(|error| errors::shown(error, look.texts));
    let notice =
        shown.as_ref().map(|shown| look.texts.with("scope-unusable", [("why", shown.lead.clone().into())]));
    status(ui, look, "scope-problem", Tone::Plain, &notice.unwrap_or_default());
    if let Some(detail) = shown.and_then(|shown| shown.detail) {
        muted(ui, look, detail);
    }
}

fn actions(page: &mut ObsidianPage, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
    ui.horizontal_wrapped(|ui| {
        let save = Button::new("save-scope", look.text("save")).kind(Kind::Primary);
        if save.enabled(!page.draft.is_saving()).show(ui, look).clicked()
            && let Some(vault_path) = page.draft.begin_save(clock::now())
        {
            page.save = Some(link.send(Command::SaveScope { vault_path }));
        }
        let running = snapshot.obsidian.test.is_running() || page.draft.testing_since().is_some();
        let words = look.text(if running { "testing" } else { "test-connection" });
        let test = Button::new("test-scope", words).name(look.text("test-connection"));
        if test.enabled(!running).show(ui, look).clicked()
            && let Some(vault_path) = page.draft.begin_test(clock::now())
        {
            page.test = Some(link.send(Command::TestObsidian { vault_path }));
        }
        let choosing = snapshot.obsidian.choosing_folder || page.folder.is_some();
        let choose = Button::new("choose-folder", look.text("choose-folder")).icon(Icon::Folder);
        if choose.enabled(!choosing).show(ui, look).clicked() {
            page.folder_failed = None;
            page.folder = Some(link.send(Command::ChooseFolder));
        }
    });
}

/// What came of the latest test, save or choice, as long as it speaks of the draft that is shown.
fn feedback(page: &ObsidianPage, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) {
    let testing = page.draft.testing_since();
    let elsewhere = snapshot.obsidian.test.is_running() && testing.is_none();
    let (tone, text) = match (testing, page.draft.tested()) {
        (Some(since), _) => {
            (Tone::Waiting, look.texts.with("testing-since", [("time", clock::at(since).into())]))
        }
        (None, _) if elsewhere => (Tone::Waiting, look.text("testing-elsewhere")),
        (None, Some(Tested { outcome: Ok(report), at })) => {
            let text = look.texts.with(
                "test-passed",
                [
                    ("vaults", report.vaults.len().into()),
                    ("tools", report.tool_count.into()),
                    ("time", clock::at(*at).into()),
                ],
            );
            (Tone::Success, text)
        }
        (None, Some(Tested { outcome: Err(_), .. }) | None) => (Tone::Plain, String::new()),
    };
    status(ui, look, "test-result", tone, &text);
    if let Some(Tested { outcome: Ok(report), .. }) = page.draft.tested() {
        for vault in &report.vaults {
            ui.push_id(&vault.id.0, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.indent("vault", |ui| {
                    strong(ui, look, &vault.name);
                    mono_wrapped(ui, look, &vault.path.to_string_lossy());
                });
            });
        }
    }
    let mut failures = Vec::new();
    if let Some(Tested { outcome: Err(error), at }) = page.draft.tested() {
        let at = look.texts.with("test-failed", [("time", clock::at(*at).into())]);
        failures.push(("test-failed", at, error));
    }
    if let Some(error) = page.draft.save_failed() {
        failures.push(("save-failed", look.text("save-failed"), error));
    }
    if let Some(error) = &page.folder_failed {
        failures.push(("folder-failed", look.text("folder-failed"), error));
    }
    for (id, what, error) in failures {
        let shown = errors::shown(error, look.texts);
        alert(
            ui,
            look,
            id,
            &look.texts.with("what-and-why", [("what", what.into()), ("why", shown.lead.into())]),
        );
        if let Some(detail) = shown.detail {
            muted(ui, look, detail);
        }
    }
}

/// An error in one piece, for a line below a field.
fn told(error: &CommandError, look: Look<'_>) -> String {
    let shown = errors::shown(error, look.texts);
    match shown.detail {
        Some(detail) => format!("{}\n{detail}", shown.lead),
        None => shown.lead,
    }
}
