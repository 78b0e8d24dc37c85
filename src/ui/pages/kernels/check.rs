//! How a kernel's connection was found: the steps of a check that runs, what it found, or what is wrong
//! and what to do.

use egui::Ui;

use super::doubt::Doubt;
use super::row::Act;
use crate::core::{CheckReport, CheckStep, CheckWarning, CommandError, Instance, KernelCheck, KernelView};
use crate::ui::icons::Icon;
use crate::ui::theme::space;
use crate::ui::widgets::{Button, Look, Tone, alert, body, caption, icon_and_text, muted, status};
use crate::ui::{clock, errors};

/// How many steps a check has.
const STEPS: usize = 3;

/// Draws the state. `name` tells the kernel from its namesakes. Gives what the person wants.
pub(super) fn show(ui: &mut Ui, look: Look<'_>, view: &KernelView, name: &str) -> Option<Act> {
    let id = format!("check-{}", view.id);
    match &view.check {
        KernelCheck::NotChecked if view.disabled => {
            status(ui, look, &id, Tone::Plain, &look.text("kernel-check-disabled"));
            None
        }
        KernelCheck::NotChecked => {
            status(ui, look, &id, Tone::Plain, &look.text("kernel-check-none"));
            None
        }
        KernelCheck::Checking { step, since, .. } => {
            let (number, words) = step_words(*step, look);
            let args = [
                ("number", number.into()),
                ("count", STEPS.into()),
                ("step", words.into()),
                ("time", clock::at(*since).into()),
            ];
            status(ui, look, &id, Tone::Waiting, &look.texts.with("kernel-check-step", args));
            None
        }
        KernelCheck::Passed { report, at, .. } => {
            passed(ui, look, &id, report, &clock::at(*at));
            None
        }
        KernelCheck::Failed { error, instances, at, .. } => {
            failed(ui, look, &id, error, &clock::at(*at));
            way_on(ui, look, view, error, instances, name)
        }
    }
}

fn step_words(step: CheckStep, look: Look<'_>) -> (usize, String) {
    match step {
        CheckStep::Finding => (1, look.text("step-finding")),
        CheckStep::Asking => (2, look.text("step-asking")),
        CheckStep::Booting { progress } => {
            (2, look.texts.with("step-booting", [("progress", progress.into())]))
        }
        CheckStep::Opening => (3, look.text("step-opening")),
    }
}

fn passed(ui: &mut Ui, look: Look<'_>, id: &str, report: &CheckReport, at: &str) {
    let args = [("version", report.version.as_str().into()), ("time", at.into())];
    status(ui, look, id, Tone::Success, &look.texts.with("kernel-check-passed", args));
    let mut found = vec![look.texts.with("found-address", [("address", report.address.as_str().into())])];
    if let Some(pid) = report.pid {
        found.push(look.texts.with("found-process", [("pid", pid.to_string().into())]));
    }
    if let Some(workspace) = &report.workspace {
        found.push(look.texts.with("found-workspace", [("workspace", workspace.as_str().into())]));
    }
    found.push(look.text(if report.token { "found-with-token" } else { "found-without-token" }));
    muted(ui, look, found.join(" · "));
    for warning in &report.warnings {
        icon_and_text(ui, Icon::Warning, look.tokens.warning, |ui| {
            body(ui, look, look.text(warned(*warning)))
        });
    }
}

fn warned(warning: CheckWarning) -> &'static str {
    match warning {
        CheckWarning::OldVersion => "warning-old-version",
        CheckWarning::OpenToEveryone => "warning-open",
        CheckWarning::ClearText => "warning-clear-text",
        CheckWarning::WorkspaceUnknown => "warning-workspace",
        CheckWarning::PortOwnerUnknown => "warning-port-owner",
    }
}

fn failed(ui: &mut Ui, look: Look<'_>, id: &str, error: &CommandError, at: &str) {
    let shown = errors::shown(error, look.texts);
    let what = look.texts.with("kernel-check-failed", [("time", at.into())]);
    let args = [("what", what.into()), ("why", shown.lead.into())];
    alert(ui, look, id, &look.texts.with("what-and-why", args));
    if let Some(detail) = shown.detail {
        muted(ui, look, detail);
    }
}

/// What can be done at once about what is wrong.
fn way_on(
    ui: &mut Ui,
    look: Look<'_>,
    view: &KernelView,
    error: &CommandError,
    instances: &[Instance],
    name: &str,
) -> Option<Act> {
    let named = |key: &str| look.texts.with(key, [("name", name.into())]);
    match error.code.as_str() {
        "other_workspace" => {
            let rebind = Button::new("rebind", look.text("rebind")).name(named("rebind-of"));
            rebind.show(ui, look).clicked().then_some(Act::Ask(Doubt::Rebind))
        }
        _ if !instances.is_empty() => choose(ui, look, view, instances, name),
        _ => None,
    }
}

/// The kernels that run, one of which the person can choose.
fn choose(ui: &mut Ui, look: Look<'_>, view: &KernelView, instances: &[Instance], name: &str) -> Option<Act> {
    let mut chosen = None;
    // Only what was known can be known again.
    let may_resume = view.pid.is_some() && view.workspace.is_some();
    caption(ui, look, look.text("instances"));
    for instance in instances {
        let Instance { pid, port, version } = instance;
        ui.push_id(*pid, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = space::M;
                let process = ("pid", pid.to_string().into());
                let named = look.texts.with("bind-to-of", [("name", name.into()), process.clone()]);
                let bind = Button::new("choose", look.texts.with("bind-to", [process])).name(named);
                if may_resume {
                    let process = ("pid", pid.to_string().into());
                    let named = look.texts.with("resume-of", [("name", name.into()), process.clone()]);
                    let resume = Button::new("resume", look.texts.with("resume", [process])).name(named);
                    if resume.show(ui, look).clicked() {
                        chosen = Some(Doubt::Resume(*pid));
                    }
                }
                if bind.show(ui, look).clicked() {
                    chosen = Some(Doubt::Choose(*pid));
                }
                let port = ("port", port.to_string().into());
                let about = match version {
                    Some(version) => {
                        look.texts.with("instance-about", [port, ("version", version.as_str().into())])
                    }
                    None => look.texts.with("instance-silent", [port]),
                };
                body(ui, look, about);
            });
        });
    }
    if may_resume {
        muted(ui, look, look.text("resume-about"));
    }
    // Nothing is lost where nothing was granted.
    chosen.map(|doubt| match doubt {
        Doubt::Choose(_) if !view.permissions.is_empty() => Act::Ask(doubt),
        _ => Act::Do(doubt),
    })
}
