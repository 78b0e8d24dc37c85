//! The runtimes that there are, a card each.

use egui::{Id, Ui};

use super::super::{kind_name, name_of, why};
use super::connect::{self, Wanted};
use super::rename::Renaming;
use super::{Doubt, RuntimesPage};
use crate::core::{
    ApprovalPolicy, Capability, Command, KEY_PLACEHOLDER, RuntimeKind, RuntimeView, Snapshot, WorkMode,
    configuration,
};
use crate::ui::clock;
use crate::ui::icons::Icon;
use crate::ui::link::Link;
use crate::ui::theme::space;
use crate::ui::widgets::{
    Button, Choice, CopyField, Kind, Look, caption, card, choices, expandable, heading, muted,
};

pub(super) fn show(
    page: &mut RuntimesPage,
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    link: &dyn Link,
) {
    for runtime in &snapshot.runtimes {
        let id = format!("runtime-{}", runtime.id);
        card(ui, look, &id, &runtime.name, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            one(page, ui, look, runtime, snapshot, link);
        });
    }
}

fn one(
    page: &mut RuntimesPage,
    ui: &mut Ui,
    look: Look<'_>,
    runtime: &RuntimeView,
    snapshot: &Snapshot,
    link: &dyn Link,
) {
    heading(ui, look, runtime.name.clone());
    let seen = match runtime.last_seen {
        Some(at) => look.texts.with("runtime-seen", [("time", clock::at(at).into())]),
        None => look.text("runtime-never-seen"),
    };
    let line = [
        ("kind", kind_name(runtime.kind, look).into()),
        ("id", runtime.id.as_str().into()),
        ("seen", seen.into()),
    ];
    muted(ui, look, look.texts.with("runtime-line", line));
    for line in given(runtime, snapshot, look) {
        muted(ui, look, line);
    }
    if page.renaming.as_ref().is_some_and(|renaming| renaming.is_of(runtime))
        && let Some(renaming) = &mut page.renaming
        && renaming.show(ui, look, link)
    {
        page.renaming = None;
    }
    let shown_name = name_of(runtime, snapshot, look);
    let named = |key: &str| look.texts.with(key, [("name", shown_name.as_str().into())]);
    caption(ui, look, look.text("mode"));
    let id = Id::unique(("mode", runtime.id.as_str()));
    if let Some(mode) = choices(ui, look, id, &named("mode-of"), runtime.mode, &modes(look), true) {
        page.ask(link, Command::SetMode { runtime: runtime.id.clone(), mode });
    }
    // Only calls of SiYuan ever ask.
    if runtime.capabilities.contains(&Capability::Siyuan) {
        caption(ui, look, look.text("approval"));
        let id = Id::unique(("approval", runtime.id.as_str()));
        let (name, now) = (named("approval-of"), runtime.approval);
        if let Some(approval) = choices(ui, look, id, &name, now, &policies(look), true) {
            page.ask(link, Command::SetApprovalPolicy { runtime: runtime.id.clone(), approval });
        }
    }
    sessions(page, ui, look, runtime, snapshot, link);
    ui.horizontal_wrapped(|ui| {
        let rename = Button::new("rename", look.text("rename")).name(named("rename-of"));
        if rename.show(ui, look).clicked() {
            page.renaming = Some(Renaming::of(runtime));
        }
        let rotate = Button::new("rotate", look.text("rotate")).icon(Icon::Key).name(named("rotate-of"));
        if rotate.show(ui, look).clicked() {
            page.doubt = Some(Doubt::Rotate(runtime.id.clone()));
        }
        ui.add_space(space::L);
        let remove = Button::new("remove", look.text("remove")).kind(Kind::Danger).icon(Icon::Remove);
        if remove.name(named("remove-of")).show(ui, look).clicked() {
            page.doubt = Some(Doubt::Remove(runtime.id.clone()));
        }
    });
    again(page, ui, look, runtime, snapshot, (&named("configuration-of"), link));
}

/// The sessions that it has open, each with a way to end it.
fn sessions(
    page: &mut RuntimesPage,
    ui: &mut Ui,
    look: Look<'_>,
    runtime: &RuntimeView,
    snapshot: &Snapshot,
    link: &dyn Link,
) {
    let own: Vec<_> = snapshot.sessions.iter().filter(|session| session.runtime == runtime.id).collect();
    if own.is_empty() {
        return;
    }
    let title = look.texts.with("sessions-of", [("count", own.len().into())]);
    let id = format!("sessions-{}", runtime.id);
    let was_open = page.sessions_open.contains(&runtime.id);
    let mut open = was_open;
    expandable(ui, look, &id, &title, &mut open, |ui| {
        for session in own {
            ui.push_id(&session.label.0, |ui| {
                ui.horizontal_wrapped(|ui| {
                    let seen = clock::at(session.last_seen);
                    let args = [("session", session.label.0.as_str().into()), ("time", seen.into())];
                    muted(ui, look, look.texts.with("session-line", args));
                    let name =
                        look.texts.with("end-session-of", [("session", session.label.0.as_str().into())]);
                    let end = Button::new("end", look.text("end-session")).kind(Kind::Quiet).name(name);
                    if end.show(ui, look).clicked() {
                        page.ask(link, Command::EndSession { session: session.label.clone() });
                    }
                });
            });
        }
    });
    if open && !was_open {
        page.sessions_open.insert(runtime.id.clone());
    } else if !open {
        page.sessions_open.remove(&runtime.id);
    }
}

/// What the runtime may use, in words.
fn given(runtime: &RuntimeView, snapshot: &Snapshot, look: Look<'_>) -> Vec<String> {
    let has = |capability| runtime.capabilities.contains(&capability);
    let mut lines = Vec::new();
    if let Err(reason) = runtime.kind.supports(Capability::Obsidian) {
        lines.push(look.texts.with("unavailable-why", [("why", why(reason, look).into())]));
    } else if has(Capability::Obsidian) {
        let on = snapshot.obsidian.enabled;
        lines.push(look.text(if on { "given-obsidian" } else { "given-obsidian-off" }));
    }
    if has(Capability::Siyuan) {
        lines.push(look.text(if snapshot.siyuan.enabled { "given-siyuan" } else { "given-siyuan-off" }));
    }
    if lines.is_empty() {
        lines.push(look.text("given-nothing"));
    }
    lines
}

/// The text for the runtime's settings, with a placeholder for the key, which nobody has any more.
fn again(
    page: &mut RuntimesPage,
    ui: &mut Ui,
    look: Look<'_>,
    runtime: &RuntimeView,
    snapshot: &Snapshot,
    (title, link): (&str, &dyn Link),
) {
    let was_open = page.unfolded.contains(&runtime.id);
    let mut open = was_open;
    let id = format!("configuration-{}", runtime.id);
    expandable(ui, look, &id, title, &mut open, |ui| {
        let field = CopyField {
            id: &id,
            label: look.text("configuration-again"),
            text: &configuration(runtime.kind, snapshot, KEY_PLACEHOLDER),
            help: Some(look.text(place_key(runtime.kind))),
        };
        field.show(ui, look);
        if connect::button(ui, look, runtime.kind, &runtime.id) {
            let (kind, runtime) = (runtime.kind, runtime.id.clone());
            page.connecting.begin(Wanted { kind, runtime, key: None }, link);
        }
    });
    if open && !was_open {
        page.unfolded.insert(runtime.id.clone());
    } else if !open {
        page.unfolded.remove(&runtime.id);
    }
}

/// The sentence that says where the configuration goes.
pub(super) fn place_key(kind: RuntimeKind) -> &'static str {
    match kind {
        RuntimeKind::Model => "place-model",
        RuntimeKind::OpenCode => "place-opencode",
        RuntimeKind::Continue => "place-continue",
        RuntimeKind::ClaudeCode => "place-claude-code",
        RuntimeKind::Codex => "place-codex",
        RuntimeKind::Cursor => "place-cursor",
        RuntimeKind::VsCode => "place-vscode",
        RuntimeKind::ClaudeDesktop => "place-claude-desktop",
        RuntimeKind::Dsh | RuntimeKind::RemoteAcp | RuntimeKind::Custom => "place-custom",
    }
}

/// The approval policies to choose from.
pub(super) fn policies(look: Look<'_>) -> [Choice<ApprovalPolicy>; 2] {
    [
        Choice::plain(ApprovalPolicy::Prompt, "approval-prompt", look.text("approval-prompt")),
        Choice::plain(ApprovalPolicy::Never, "approval-never", look.text("approval-never")),
    ]
}

/// The work modes to choose from.
pub(super) fn modes(look: Look<'_>) -> [Choice<WorkMode>; 3] {
    [
        Choice::plain(WorkMode::Ask, "ask", look.text("mode-ask")),
        Choice::plain(WorkMode::Execute, "execute", look.text("mode-execute")),
        Choice::plain(WorkMode::Full, "full", look.text("mode-full")),
    ]
}
