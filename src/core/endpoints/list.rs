//! The list of a kernel's endpoints: filtered, searched, sorted.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::{
    EndpointFilter, EndpointList, EndpointOrder, EndpointQuery, EndpointRow, OfKernel, Protocol, of_contract,
    tools_of,
};
use crate::settings::Permission;
use crate::siyuan::contract::{Catalogue, Entry, entries};
use crate::siyuan::endpoint::EndpointKey;
use crate::siyuan::permissions::Effect;

/// A contract's endpoints, ready to be looked through.
#[derive(Debug)]
pub(super) struct Known {
    catalogue: Arc<Catalogue>,
    /// What every kernel of this contract has.
    common: Vec<Line>,
}

/// An endpoint with what is searched of it.
#[derive(Debug)]
struct Line {
    row: EndpointRow,
    /// In lower case.
    words: String,
}

impl Known {
    pub(super) fn new(catalogue: Arc<Catalogue>) -> Self {
        let common =
            entries(&catalogue, &[], &[], []).into_iter().map(|entry| line(&catalogue, entry)).collect();
        Self { catalogue, common }
    }

    pub(super) fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    pub(super) fn list(&self, query: &EndpointQuery, of_kernel: &OfKernel) -> EndpointList {
        let OfKernel { permissions, declared, discovered } = of_kernel;
        let of_its_own: Vec<&str> = permissions
            .keys()
            .map(String::as_str)
            .filter(|key| !self.common.iter().any(|line| line.row.key == *key))
            .collect();
        let own: Vec<Line> = entries(&self.catalogue, declared, discovered, of_its_own)
            .into_iter()
            .skip(self.common.len())
            .map(|entry| line(&self.catalogue, entry))
            .collect();
        let words: Vec<String> = query.filter.words.split_whitespace().map(str::to_lowercase).collect();
        let (mut total, mut changed) = (0, 0);
        let mut groups = BTreeSet::new();
        let mut rows = Vec::new();
        for Line { row, words: text } in self.common.iter().chain(&own) {
            let permission = permissions.get(&row.key).copied().unwrap_or_default();
            total += 1;
            changed += usize::from(permission != Permission::default());
            groups.extend(row.group.clone());
            let fits = fits(&query.filter, row, permission);
            if fits && words.iter().all(|word| text.contains(word.as_str())) {
                rows.push(EndpointRow { permission, ..row.clone() });
            }
        }
        rows.sort_by(|a, b| {
            let by = order(query.order, a, b);
            let by = if query.descending { by.reverse() } else { by };
            by.then_with(|| by_name(a, b))
        });
        EndpointList {
            kernel: query.kernel.clone(),
            version: self.catalogue.version().to_owned(),
            total,
            changed,
            groups: groups.into_iter().collect(),
            rows,
        }
    }
}

fn fits(filter: &EndpointFilter, row: &EndpointRow, permission: Permission) -> bool {
    let EndpointFilter { words: _, protocol, method, permission: asked, effect, group, changed, open } =
        filter;
    protocol.is_none_or(|protocol| protocol == row.protocol)
        && method.is_none_or(|method| Some(method) == row.method)
        && asked.is_none_or(|asked| asked == permission)
        && effect.is_none_or(|effect| effect == row.effect)
        && (group.is_none() || *group == row.group)
        && !(*changed && permission == Permission::default())
        && !(*open && row.closed.is_some())
}

fn order(order: EndpointOrder, a: &EndpointRow, b: &EndpointRow) -> Ordering {
    let permission = |row: &EndpointRow| {
        let place = Permission::ALL.iter().position(|permission| *permission == row.permission);
        // What is closed has none that counts.
        (row.closed.is_some(), place)
    };
    match order {
        EndpointOrder::Name => by_name(a, b),
        EndpointOrder::Method => (a.protocol, a.method).cmp(&(b.protocol, b.method)),
        EndpointOrder::Effect => a.effect.cmp(&b.effect),
        EndpointOrder::Permission => permission(a).cmp(&permission(b)),
    }
}

fn by_name(a: &EndpointRow, b: &EndpointRow) -> Ordering {
    (a.name.as_str(), a.method, a.key.as_str()).cmp(&(b.name.as_str(), b.method, b.key.as_str()))
}

fn line(catalogue: &Catalogue, entry: Entry) -> Line {
    let Entry { key, origin, note, closed } = entry;
    let endpoint = of_contract(catalogue, &key);
    let (protocol, method, name) = named(&key);
    let mut words = format!("{key} {note} ").to_lowercase();
    if let Some(endpoint) = endpoint {
        words.push_str(&catalogue.words_of(endpoint));
    }
    for tool in tools_of(&key) {
        words.push(' ');
        words.push_str(&tool);
    }
    let row = EndpointRow {
        group: group(&key),
        effect: Effect::of(&key, endpoint),
        permission: Permission::default(),
        key: key.to_string(),
        protocol,
        method,
        name,
        closed,
        origin,
        note,
    };
    Line { row, words }
}

fn named(key: &EndpointKey) -> (Protocol, Option<crate::siyuan::endpoint::Method>, String) {
    match key {
        EndpointKey::Http { method, route } => (Protocol::Http, Some(*method), route.to_string()),
        EndpointKey::Mcp { method } => (Protocol::Mcp, None, method.to_string()),
        EndpointKey::McpTool { .. } => (Protocol::Mcp, None, without_protocol(key)),
        EndpointKey::Plugin { .. } => (Protocol::Plugin, None, without_protocol(key)),
        EndpointKey::WsConnect { .. } | EndpointKey::WsSend { .. } => {
            (Protocol::WebSocket, None, without_protocol(key))
        }
        EndpointKey::ConnectionStatus => (Protocol::Connection, None, without_protocol(key)),
    }
}

/// `connect /ws` of `ws connect /ws`.
fn without_protocol(key: &EndpointKey) -> String {
    let key = key.to_string();
    key.split_once(' ').map_or_else(|| key.clone(), |(_, name)| name.to_owned())
}

fn group(key: &EndpointKey) -> Option<String> {
    let EndpointKey::Http { route, .. } = key else { return None };
    let mut parts = route.as_str().split('/').filter(|part| !part.is_empty());
    let first = parts.next()?;
    let group = if first == "api" { parts.next()? } else { first };
    Some(group.to_owned())
}
