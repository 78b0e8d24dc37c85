//! Which kernel, and which of its endpoints.

use egui::{Id, Ui};

use super::words::{permission_key, protocol_key};
use crate::core::{Effect, EndpointFilter, EndpointList, KernelId, Method, Permission, Protocol, Snapshot};
use crate::ui::theme::space;
use crate::ui::widgets::{Chip, Look, SearchField, Select, SelectOption, chips};

const PROTOCOLS: [Protocol; 5] =
    [Protocol::Http, Protocol::Mcp, Protocol::Plugin, Protocol::WebSocket, Protocol::Connection];

/// Shows the filters, and puts what was chosen into `kernel` and `filter`.
pub(super) fn show(
    ui: &mut Ui,
    look: Look<'_>,
    snapshot: &Snapshot,
    list: Option<&EndpointList>,
    kernel: &mut KernelId,
    filter: &mut EndpointFilter,
) {
    ui.horizontal(|ui| {
        let kernels: Vec<SelectOption<KernelId>> = snapshot
            .siyuan
            .kernels
            .iter()
            .map(|kernel| SelectOption::new(kernel.id.clone(), kernel.name.as_str()))
            .collect();
        let (id, name) = (Id::unique("endpoints-kernel"), look.text("endpoints-kernel"));
        let select = Select::new(id, name, kernel.clone(), &kernels).named();
        if let Some(chosen) = select.show(ui, look) {
            *kernel = chosen;
        }
        let (name, hint) = (look.text("endpoints-search"), look.text("endpoints-search-hint"));
        SearchField::new(Id::unique("endpoints-search"), name, hint).show(ui, look, &mut filter.words);
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(6.0, space::S);
        narrowing(ui, look, list, filter);
        toggles(ui, look, filter);
    });
}

fn narrowing(ui: &mut Ui, look: Look<'_>, list: Option<&EndpointList>, filter: &mut EndpointFilter) {
    let protocols = PROTOCOLS.map(|protocol| (protocol, look.text(protocol_key(protocol))));
    narrow(ui, look, "endpoints-protocol", &mut filter.protocol, protocols);
    let methods = Method::ALL.map(|method| (method, method.as_str().to_owned()));
    narrow(ui, look, "endpoints-method", &mut filter.method, methods);
    let permissions = Permission::ALL.map(|permission| (permission, look.text(permission_key(permission))));
    narrow(ui, look, "endpoints-permission", &mut filter.permission, permissions);
    let groups = list.map(|list| list.groups.as_slice()).unwrap_or_default();
    let groups = groups.iter().map(|group| (group.clone(), group.clone()));
    narrow(ui, look, "endpoints-group", &mut filter.group, groups);
}

/// One filter: any, or one of these.
fn narrow<T: PartialEq + Clone>(
    ui: &mut Ui,
    look: Look<'_>,
    key: &'static str,
    chosen: &mut Option<T>,
    values: impl IntoIterator<Item = (T, String)>,
) {
    let any = SelectOption::new(None, look.text("endpoints-any"));
    let named = values.into_iter().map(|(value, name)| SelectOption::new(Some(value), name));
    let options: Vec<SelectOption<Option<T>>> = std::iter::once(any).chain(named).collect();
    let select = Select::new(Id::unique(key), look.text(key), chosen.clone(), &options).named();
    if let Some(newly) = select.show(ui, look) {
        *chosen = newly;
    }
}

fn toggles(ui: &mut Ui, look: Look<'_>, filter: &mut EndpointFilter) {
    let effect = |effect| filter.effect == Some(effect);
    let list = [
        Chip { salt: "reads", text: look.text("endpoints-reads"), on: effect(Effect::Reads) },
        Chip { salt: "writes", text: look.text("endpoints-writes"), on: effect(Effect::Writes) },
        Chip { salt: "changed", text: look.text("endpoints-changed"), on: filter.changed },
        Chip { salt: "open", text: look.text("endpoints-open"), on: filter.open },
    ];
    let name = look.text("endpoints-filters");
    let only = |effect| if filter.effect == Some(effect) { None } else { Some(effect) };
    match chips(ui, look, Id::unique("endpoints-filters"), &name, &list) {
        Some(0) => filter.effect = only(Effect::Reads),
        Some(1) => filter.effect = only(Effect::Writes),
        Some(2) => filter.changed = !filter.changed,
        Some(3) => filter.open = !filter.open,
        _ => {}
    }
}
