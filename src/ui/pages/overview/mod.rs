//! What runs, who is connected, and the first steps of a newcomer.

mod recent;

use egui::accesskit::Role;
use egui::{Ui, UiBuilder};

use super::{Page, content, header, name_of};
use crate::core::{Capability, Command, GatewayState, LastCall, RuntimeView, Snapshot, TestState};
use crate::ui::approvals::ApprovalsPanel;
use crate::ui::icons::Icon;
use crate::ui::link::Link;
use crate::ui::theme::space;
use crate::ui::widgets::{
    Button, CopyField, Kind, Look, Tone, alert, body, card, empty_state, heading, icon_and_text, muted,
    status, strong,
};
use crate::ui::{clock, errors};

/// Draws the page. Gives the page to go to, if the person asked for one.
pub fn show(
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    link: &dyn Link,
    approvals: &mut ApprovalsPanel,
) -> Option<Page> {
    header(ui, look, look.text("page-overview"), look.text("overview-about"), |_| {});
    let mut goto = None;
    content(ui, "overview", |ui| {
        if snapshot.demo {
            status(ui, look, "demo", Tone::Warning, &look.text("demo"));
        }
        endpoint(ui, look, snapshot, link, approvals);
        recent::show(ui, look, snapshot);
        let steps = Steps::of(snapshot);
        if !steps.all_done() {
            goto = first_steps(ui, look, snapshot, steps, link);
        }
        goto = runtimes(ui, look, snapshot).or(goto);
    });
    goto
}

/// The state of the gateway, in one line. One that refuses every call is none that runs.
pub fn gateway_line(look: Look<'_>, snapshot: &Snapshot) -> (Tone, String) {
    match &snapshot.gateway {
        GatewayState::Listening { .. } if snapshot.activity.problem.is_some() => {
            (Tone::Danger, look.text("gateway-refuses"))
        }
        GatewayState::Starting => (Tone::Waiting, look.text("gateway-starting")),
        GatewayState::Listening { .. } => (Tone::Success, look.text("gateway-listening")),
        GatewayState::Failed { .. } => (Tone::Danger, look.text("gateway-failed")),
        GatewayState::Stopped { .. } => (Tone::Plain, look.text("gateway-stopped")),
    }
}

fn endpoint(
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    link: &dyn Link,
    approvals: &mut ApprovalsPanel,
) {
    card(ui, look, "endpoint", &look.text("endpoint-title"), |ui| {
        ui.spacing_mut().item_spacing.y = space::S;
        heading(ui, look, look.text("endpoint-title"));
        let (tone, word) = gateway_line(look, snapshot);
        let with_time = |key: &str, at| look.texts.with(key, [("time", clock::at(at).into())]);
        let line = match &snapshot.gateway {
            GatewayState::Listening { .. } if snapshot.activity.problem.is_some() => word,
            GatewayState::Starting => word,
            GatewayState::Listening { since, .. } => with_time("gateway-listening-since", *since),
            GatewayState::Failed { at, .. } => with_time("gateway-failed-at", *at),
            GatewayState::Stopped { at } => with_time("gateway-stopped-at", *at),
        };
        status(ui, look, "gateway", tone, &line);
        if let Some(problem) = &snapshot.activity.problem {
            let shown = errors::shown(problem, look.texts);
            alert(ui, look, "calls-refused", &shown.lead);
            muted(ui, look, shown.detail.unwrap_or_default());
        }
        match &snapshot.gateway {
            GatewayState::Listening { url, .. } => {
                let field = CopyField {
                    id: "address",
                    label: look.text("address"),
                    text: url,
                    help: Some(look.text("address-help")),
                };
                field.show(ui, look);
                if port_of(url) != Some(snapshot.port) {
                    let text =
                        look.texts.with("port-next-start", [("port", snapshot.port.to_string().into())]);
                    muted(ui, look, text);
                }
            }
            GatewayState::Failed { error, .. } => {
                let shown = errors::shown(error, look.texts);
                body(ui, look, shown.lead);
                if let Some(detail) = shown.detail {
                    muted(ui, look, detail);
                }
                let port = snapshot.port.to_string();
                if error.case.as_ref().is_none_or(|case| case.subject != port) {
                    // Another one was saved since: that one is tried next.
                    muted(ui, look, look.texts.with("port-saved", [("port", port.into())]));
                }
                if Button::new("open-endpoint", look.text("try-again")).show(ui, look).clicked() {
                    // What comes of it is in the next snapshot.
                    drop(link.send(Command::OpenEndpoint));
                }
            }
            GatewayState::Starting | GatewayState::Stopped { .. } => {}
        }
        let calls = &snapshot.calls;
        let text = look.texts.with(
            "calls-since-start",
            [("count", (calls.succeeded + calls.failed).into()), ("failed", calls.failed.into())],
        );
        muted(ui, look, text);
        approvals.line(ui, look, snapshot);
    });
}

/// The port in an address of ours.
fn port_of(url: &str) -> Option<u16> {
    let (_, after) = url.rsplit_once(':')?;
    after.split('/').next()?.parse().ok()
}

/// What a newcomer has done already, as the snapshot shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Steps {
    vaults: bool,
    /// They are chosen, but the scope as it is saved cannot be used.
    unusable: bool,
    switched_on: bool,
    runtime_added: bool,
    connected: bool,
    called: bool,
}

impl Steps {
    fn of(snapshot: &Snapshot) -> Self {
        let obsidian = &snapshot.obsidian;
        let mut given =
            snapshot.runtimes.iter().filter(|runtime| runtime.capabilities.contains(&Capability::Obsidian));
        let calls = &snapshot.calls;
        // The default scope counts once a test has seen it, or once it is in use.
        let chosen = obsidian.enabled
            || !obsidian.vault_path.is_empty()
            || matches!(obsidian.test, TestState::Passed { .. });
        let unusable = chosen && obsidian.scope_problem.is_some();
        Self {
            vaults: chosen && !unusable,
            unusable,
            switched_on: obsidian.enabled,
            runtime_added: given.clone().next().is_some(),
            connected: given.any(|runtime| runtime.last_seen.is_some()),
            called: calls.succeeded + calls.failed > 0,
        }
    }

    fn all_done(self) -> bool {
        self.vaults && self.switched_on && self.connected && self.called
    }
}

fn first_steps(
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    steps: Steps,
    link: &dyn Link,
) -> Option<Page> {
    let mut goto = None;
    card(ui, look, "first-steps", &look.text("steps-title"), |ui| {
        ui.spacing_mut().item_spacing.y = space::S;
        heading(ui, look, look.text("steps-title"));
        let connect = if steps.runtime_added { "step-connect-added" } else { "step-connect" };
        let all = [
            ("step-vaults", "step-vaults", steps.vaults, Page::Obsidian),
            ("step-on", "step-on", steps.switched_on, Page::Obsidian),
            ("step-connect", connect, steps.connected, Page::Runtimes),
            ("step-call", "step-call", steps.called, Page::Runtimes),
        ];
        let next = all.iter().position(|(_, _, done, _)| !done);
        for (at, (id, key, done, page)) in all.into_iter().enumerate() {
            ui.push_id(id, |ui| {
                let unusable = steps.unusable && id == "step-vaults";
                let (icon, colour) = match (done, unusable) {
                    (true, _) => (Icon::Success, look.tokens.success),
                    (false, true) => (Icon::Warning, look.tokens.warning),
                    (false, false) => (Icon::Open, look.tokens.text_muted),
                };
                icon_and_text(ui, icon, colour, |ui| {
                    ui.spacing_mut().item_spacing.y = 2.0;
                    let state = look.text(if done { "step-done" } else { "step-open" });
                    let text = look.text(key);
                    let told = look
                        .texts
                        .with("step-state", [("step", text.clone().into()), ("state", state.into())]);
                    let label = if done { muted(ui, look, text) } else { strong(ui, look, text) };
                    ui.ctx().accesskit_node_builder(label.id, |node| node.set_value(told));
                    let problem = snapshot.obsidian.scope_problem.as_ref().filter(|_| unusable);
                    let help = match problem.map(|error| errors::shown(error, look.texts)) {
                        Some(shown) => {
                            let why = [("why", shown.lead.into())];
                            muted(ui, look, look.texts.with("step-vaults-unusable", why));
                            muted(ui, look, shown.detail.unwrap_or_default())
                        }
                        None => muted(ui, look, look.text(&format!("{key}-help"))),
                    };
                    // The last step is done by the runtime, so there is nothing to press.
                    if next == Some(at) && id != "step-call" {
                        ui.add_space(space::XS);
                        let button = Button::new(id, look.text(&format!("{key}-do"))).kind(Kind::Primary);
                        ui.horizontal(|ui| {
                            ui.spacing_mut().item_spacing.x = space::S;
                            if button.show(ui, look).clicked() {
                                goto = Some(page);
                            }
                            let sample = Button::new("sample", look.text("try-sample"));
                            if id == "step-vaults" && sample.show(ui, look).clicked() {
                                // What comes of it is in the next snapshot.
                                drop(link.send(Command::TrySampleVault));
                            }
                        });
                    }
                    help
                });
            });
        }
    });
    goto
}

fn runtimes(ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) -> Option<Page> {
    let mut goto = None;
    card(ui, look, "connected", &look.text("page-runtimes"), |ui| {
        ui.spacing_mut().item_spacing.y = space::M;
        heading(ui, look, look.text("page-runtimes"));
        if snapshot.runtimes.is_empty() {
            let (title, text) = (look.text("runtimes-none"), look.text("runtimes-none-help"));
            let button = ("add-runtime", look.text("add-runtime"));
            if empty_state(ui, look, Icon::Runtime, title, text, button).clicked() {
                goto = Some(Page::Runtimes);
            }
        }
        for runtime in &snapshot.runtimes {
            row(ui, look, snapshot, runtime);
        }
    });
    goto
}

fn row(ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, runtime: &RuntimeView) {
    let sessions = snapshot.sessions.iter().filter(|session| session.runtime == runtime.id).count();
    let running = snapshot.calls.running.get(&runtime.id).copied().unwrap_or_default();
    let (icon, colour, seen) = match runtime.last_seen {
        Some(at) if sessions > 0 => {
            let args = [("count", sessions.into()), ("time", clock::at(at).into())];
            (Icon::Success, look.tokens.success, look.texts.with("runtime-connected", args))
        }
        Some(at) => {
            let text = look.texts.with("runtime-seen", [("time", clock::at(at).into())]);
            (Icon::Waiting, look.tokens.text_muted, text)
        }
        None => (Icon::Open, look.tokens.text_muted, look.text("runtime-never-seen")),
    };
    let name = name_of(runtime, snapshot, look);
    let builder = UiBuilder::new()
        .id_salt(runtime.id.as_str())
        .accessibility_role(Role::ListItem)
        .accessibility_label(name.clone());
    ui.scope_builder(builder, |ui| {
        icon_and_text(ui, icon, colour, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            strong(ui, look, &name);
            let mut response = muted(ui, look, seen);
            if let Some(last) = snapshot.calls.last.get(&runtime.id) {
                response = last_call(ui, look, last);
            }
            if running > 0 {
                let text = look.texts.with("calls-running", [("count", running.into())]);
                response = muted(ui, look, text);
            }
            response
        });
    });
}

fn last_call(ui: &mut Ui, look: Look<'_>, last: &LastCall) -> egui::Response {
    let tone = if last.succeeded { Tone::Success } else { Tone::Danger };
    let outcome = look.text(if last.succeeded { "call-succeeded" } else { "call-failed" });
    let args = [
        ("tool", last.tool.as_str().into()),
        ("time", clock::at(last.at).into()),
        ("outcome", outcome.into()),
    ];
    icon_and_text(ui, tone.icon(), tone.colour(look), |ui| {
        muted(ui, look, look.texts.with("last-call", args))
    })
}

#[cfg(test)]
mod tests {
    use super::port_of;

    #[test]
    fn the_port_is_read_from_the_address() {
        assert_eq!(port_of("http://127.0.0.1:27277/mcp"), Some(27277));
        assert_eq!(port_of("nothing"), None);
    }
}
