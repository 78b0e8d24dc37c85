//! Everything that is recorded of one operation, and what can be done from there.

use egui::accesskit::Role;
use egui::{Align, CornerRadius, Frame, Id, Layout, Margin, OpenUrl, ScrollArea, Stroke, Ui, UiBuilder};

use super::filters::session_name;
use super::rows::took;
use super::words;
use crate::core::{KernelId, Outcome, Record, SessionLabel, SessionView, Snapshot};
use crate::ui::icons::Icon;
use crate::ui::theme::{radius, space};
use crate::ui::widgets::{
    Button, Kind, Look, Select, SelectOption, Tone, body, caption, copy_icon, fact, fact_to_press,
    icon_and_text, mono_wrapped, muted, section, status,
};
use crate::ui::{clock, names};

/// What was asked for in the details.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Close,
    /// The session is to work on this kernel.
    Kernel(SessionLabel, Option<KernelId>),
}

/// Draws the details of `record` into the room that there is. With `enter`, the keyboard goes on here.
pub(super) fn show(
    ui: &mut Ui,
    look: Look<'_>,
    record: &Record,
    snapshot: &Snapshot,
    enter: bool,
) -> Option<Wanted> {
    let mut wanted = None;
    let builder = UiBuilder::new()
        .scope_id(Id::unique("activity-details"))
        .accessibility_role(Role::Region)
        .accessibility_label(look.text("details-title"));
    let frame = Frame::new()
        .fill(look.tokens.surface)
        .stroke(Stroke::new(1.0, look.tokens.line_soft))
        .corner_radius(CornerRadius::same(radius::CARD))
        .inner_margin(Margin { left: 16, right: 8, top: 8, bottom: 8 });
    ui.scope_builder(builder, |ui| {
        frame.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            ui.horizontal(|ui| {
                section(ui, look, record.tool.clone());
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let close = Button::new("close-details", look.text("details-close")).kind(Kind::Quiet);
                    let close = close.show(ui, look);
                    if enter {
                        close.request_focus();
                    }
                    if close.clicked() {
                        wanted = Some(Wanted::Close);
                    }
                });
            });
            ScrollArea::vertical().id_salt(record.number).auto_shrink(false).show(ui, |ui| {
                outcome(ui, look, record);
                icon_and_text(ui, Icon::Info, look.tokens.text_muted, |ui| {
                    body(ui, look, look.text(words::decision(record)))
                });
                ui.add_space(space::XS);
                facts(ui, look, record, snapshot);
                objects(ui, look, record, snapshot);
                wanted = kernel_of_session(ui, look, record, snapshot).or(wanted.take());
            });
        });
    });
    wanted
}

fn outcome(ui: &mut Ui, look: Look<'_>, record: &Record) {
    let (word, _, tone) = words::outcome(record.outcome);
    let args = [("outcome", look.text(word).into()), ("meaning", look.text(words::meaning(record)).into())];
    let tone = if tone == Tone::Plain { Tone::Waiting } else { tone };
    status(ui, look, "activity-outcome", tone, &look.texts.with("outcome-and-meaning", args));
}

fn facts(ui: &mut Ui, look: Look<'_>, record: &Record, snapshot: &Snapshot) {
    ui.spacing_mut().item_spacing.y = space::XS;
    let plain = |ui: &mut Ui, name: &str, text: String| {
        fact(ui, look, look.text(name), |ui| body(ui, look, text));
    };
    plain(ui, "column-time", clock::whole(record.started));
    if record.duration.is_some() {
        plain(ui, "column-took", took(record, look));
    }
    plain(
        ui,
        "column-caller",
        with_id(record.runtime.as_str(), names::of_caller(record.runtime.as_str(), snapshot, look), look),
    );
    if let Some(session) = &record.session {
        plain(ui, "fact-session", session_name(session, snapshot, look));
    }
    plain(ui, "fact-effect", look.text(if record.writes { "effect-writes" } else { "effect-reads" }));
    if let Some(kernel) = &record.kernel {
        plain(ui, "fact-kernel", with_id(kernel, names::of_kernel(kernel, snapshot), look));
    }
    if let Some(vault) = &record.vault {
        fact(ui, look, look.text("fact-vault"), |ui| mono_wrapped(ui, look, vault));
    }
    for endpoint in &record.endpoints {
        fact(ui, look, look.text("fact-endpoint"), |ui| {
            let response = mono_wrapped(ui, look, &endpoint.key);
            match endpoint.permission.as_deref().map(|word| (words::permission(word), word)) {
                Some((Some(key), _)) => muted(ui, look, look.text(key)),
                Some((None, word)) => muted(ui, look, word),
                None => response,
            }
        });
    }
    if let Some(code) = &record.code {
        fact(ui, look, look.text("fact-code"), |ui| mono_wrapped(ui, look, code));
    }
    for (id, key, text) in
        [("call", "fact-call", &record.call.0), ("operation", "fact-operation", &record.operation.0)]
    {
        fact_to_press(ui, look, look.text(key), |ui| {
            mono_wrapped(ui, look, text);
            copy_icon(ui, look, &["copy", id].join("-"), &look.text(key), text);
        });
    }
}

/// A name with its id, where these are not the same.
fn with_id(id: &str, name: String, look: Look<'_>) -> String {
    if name == id || name.contains(id) {
        return name;
    }
    look.texts.with("name-and-id", [("name", name.into()), ("id", id.into())])
}

/// What it was about. What was only asked for is told as that.
fn objects(ui: &mut Ui, look: Look<'_>, record: &Record, snapshot: &Snapshot) {
    if record.objects.is_empty() {
        fact(ui, look, look.text("fact-about"), |ui| muted(ui, look, look.text("about-unknown")));
        return;
    }
    for (at, object) in record.objects.iter().enumerate() {
        fact(ui, look, look.text(words::kind(object.kind)), |ui| {
            let response = mono_wrapped(ui, look, &object.id);
            let Some(address) = words::address(record, object, snapshot) else { return response };
            let name = look.texts.with("open-of", [("id", object.id.as_str().into())]);
            ui.push_id(at, |ui| {
                let open = Button::new("open", look.text("open-in-siyuan")).name(name).show(ui, look);
                if open.clicked() {
                    ui.ctx().open_url(OpenUrl::new_tab(address));
                }
                open
            })
            .inner
        });
    }
    if record.outcome == Outcome::Succeeded
        && record.kernel.is_some()
        && record.objects.iter().all(|object| words::address(record, object, snapshot).is_none())
    {
        muted(ui, look, look.text("open-not"));
    }
}

/// Which kernel the row's session works on, as long as it is open.
fn kernel_of_session(ui: &mut Ui, look: Look<'_>, record: &Record, snapshot: &Snapshot) -> Option<Wanted> {
    let label = record.session.as_deref()?;
    let session: &SessionView = snapshot.sessions.iter().find(|session| session.label.0 == label)?;
    if snapshot.siyuan.kernels.is_empty() {
        return None;
    }
    let default = match &snapshot.siyuan.default_kernel {
        Some(id) => {
            look.texts.with("kernel-default", [("name", names::of_kernel(id.as_str(), snapshot).into())])
        }
        None => look.text("kernel-default-none"),
    };
    let mut options = vec![SelectOption::new(None, default)];
    options.extend(
        snapshot
            .siyuan
            .kernels
            .iter()
            .map(|kernel| SelectOption::new(Some(kernel.id.clone()), kernel.name.as_str())),
    );
    if let Some(gone) = session.kernel.as_ref().filter(|id| names::kernel(id.as_str(), snapshot).is_none()) {
        options.push(SelectOption::new(Some(gone.clone()), gone.as_str()));
    }
    ui.add_space(space::XS);
    caption(ui, look, look.text("kernel-of-session"));
    let id = Id::unique("activity-session-kernel");
    let chosen =
        Select::new(id, look.text("kernel-of-session"), session.kernel.clone(), &options).show(ui, look);
    muted(ui, look, look.text("kernel-of-session-about"));
    chosen.map(|kernel| Wanted::Kernel(session.label.clone(), kernel))
}
