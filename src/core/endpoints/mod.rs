//! The endpoints of a kernel as the person sees them: what there is, what each may do, what is closed, and whether a
//! body would do. All of it is known without asking a kernel, and read beside the actor: the contract may have to
//! be read from the disk.

mod body;
mod list;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use self::list::Known;
use super::actor::{Actor, Answer, reply};
use super::{CommandError, Reply};
use crate::settings::{DeclaredEndpoint, DiscoveredTool, InvalidField, KernelId, Permission};
use crate::siyuan::contract::{Catalogue, Contract, ContractError, Origin};
use crate::siyuan::endpoint::{EndpointKey, Method};
use crate::siyuan::permissions::{Action, Closed, Effect};

pub use body::{BodyFinding, BodyReport};

/// Which endpoints of a kernel are asked for, and in which order. All that is given must fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EndpointQuery {
    pub kernel: KernelId,
    #[serde(default)]
    pub filter: EndpointFilter,
    #[serde(default)]
    pub order: EndpointOrder,
    #[serde(default)]
    pub descending: bool,
}

/// What is looked for. All that is given must fit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EndpointFilter {
    /// Each word must stand somewhere in the key, the note, the names of the fields or those of the tools.
    pub words: String,
    pub protocol: Option<Protocol>,
    pub method: Option<Method>,
    pub permission: Option<Permission>,
    pub effect: Option<Effect>,
    pub group: Option<String>,
    /// Only what differs from the default.
    pub changed: bool,
    /// Without what no permission opens.
    pub open: bool,
}

/// What rows are sorted by; what is equal, by name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndpointOrder {
    #[default]
    Name,
    /// Protocol, and the method within.
    Method,
    Effect,
    Permission,
}

/// How a call reaches an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    Http,
    Mcp,
    Plugin,
    WebSocket,
    Connection,
}

/// The endpoints that were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndpointList {
    pub kernel: KernelId,
    /// The kernel version that the contract describes.
    pub version: String,
    /// How many endpoints there are in all, and how many differ from the default.
    pub total: usize,
    pub changed: usize,
    /// The groups that there are, sorted.
    pub groups: Vec<String>,
    pub rows: Vec<EndpointRow>,
}

/// One endpoint of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndpointRow {
    /// What a permission is given to.
    pub key: String,
    pub protocol: Protocol,
    pub method: Option<Method>,
    /// The path, or the names without the protocol.
    pub name: String,
    /// The part of the API that it belongs to: the first part of the path, after `api`.
    pub group: Option<String>,
    pub effect: Effect,
    pub permission: Permission,
    pub closed: Option<Closed>,
    pub origin: Origin,
    pub note: String,
}

impl EndpointRow {
    pub fn is_changed(&self) -> bool {
        self.permission != Permission::default()
    }
}

/// What a kernel has besides its contract.
#[derive(Debug, Default)]
struct OfKernel {
    permissions: BTreeMap<String, Permission>,
    declared: Vec<DeclaredEndpoint>,
    discovered: Vec<DiscoveredTool>,
}

/// What the contract says of one endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndpointDetails {
    pub key: String,
    /// Who may call it, in the kernel's words. Empty where the contract does not know it.
    pub roles: Vec<String>,
    /// How the body is read, in the contract's word: `json`, `none`, `multipart` …
    pub body: Option<String>,
    pub fields: Vec<EndpointField>,
    /// What `data` in the answer is, in few words.
    pub answer: Option<String>,
    /// The tools that call it, each with its action, as `siyuan_query read`.
    pub tools: Vec<String>,
}

/// A field of a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointField {
    pub name: String,
    pub required: bool,
    /// In few words: `string`, `array of string` …
    pub takes: String,
}

/// The contract, and what was made of it for being looked through. Reads files: never on an async worker.
#[derive(Debug)]
pub(super) struct Endpoints {
    contract: Arc<Contract>,
    known: Mutex<Option<Arc<Known>>>,
}

impl Endpoints {
    pub(super) fn new(contract: Arc<Contract>) -> Self {
        Self { contract, known: Mutex::new(None) }
    }

    fn known(&self) -> Result<Arc<Known>, ContractError> {
        let current = self.contract.current()?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known
            && Arc::ptr_eq(known.catalogue(), &current)
        {
            return Ok(Arc::clone(known));
        }
        Ok(Arc::clone(known.insert(Arc::new(Known::new(current)))))
    }

    fn list(&self, query: &EndpointQuery, of_kernel: &OfKernel) -> Result<Reply, CommandError> {
        Ok(Reply::Endpoints { list: self.known()?.list(query, of_kernel) })
    }

    fn describe(&self, endpoint: &str) -> Result<Reply, CommandError> {
        let (key, catalogue) = (parse_key(endpoint)?, self.contract.current()?);
        Ok(Reply::Endpoint { details: details(&catalogue, &key) })
    }

    fn check(&self, endpoint: &str, body: &str) -> Result<Reply, CommandError> {
        let (key, catalogue) = (parse_key(endpoint)?, self.contract.current()?);
        Ok(Reply::BodyChecked { report: body::check(&catalogue, &key, body)? })
    }
}

impl Actor {
    pub(super) fn begin_endpoints(&mut self, query: EndpointQuery, answer: Answer) {
        let of_kernel = match self.known_kernel(&query.kernel) {
            Ok(kernel) => OfKernel {
                permissions: kernel.permissions.clone(),
                declared: kernel.declared.clone(),
                discovered: kernel.discovered.clone(),
            },
            Err(error) => return reply(answer, Err(error)),
        };
        self.about_endpoints(answer, move |endpoints| endpoints.list(&query, &of_kernel));
    }

    pub(super) fn begin_describing(&mut self, endpoint: String, answer: Answer) {
        self.about_endpoints(answer, move |endpoints| endpoints.describe(&endpoint));
    }

    pub(super) fn begin_body_check(&mut self, endpoint: String, body: String, answer: Answer) {
        self.about_endpoints(answer, move |endpoints| endpoints.check(&endpoint, &body));
    }

    fn about_endpoints(
        &self,
        answer: Answer,
        work: impl FnOnce(&Endpoints) -> Result<Reply, CommandError> + Send + 'static,
    ) {
        let endpoints = Arc::clone(&self.endpoints);
        self.work.spawn(async move {
            let done = tokio::task::spawn_blocking(move || work(&endpoints)).await;
            let failed = |_| {
                Err(CommandError::new(
                    "internal",
                    "looking at the endpoints failed; this is a fault of Notegate",
                ))
            };
            reply(answer, done.unwrap_or_else(failed));
        });
    }
}

/// The keys as they are kept: whatever a kernel takes for the same endpoint has the same key.
pub(super) fn canonical(
    permissions: BTreeMap<String, Permission>,
) -> Result<BTreeMap<String, Permission>, InvalidField> {
    permissions.into_iter().map(|(key, permission)| Ok((parse_key(&key)?.to_string(), permission))).collect()
}

fn parse_key(text: &str) -> Result<EndpointKey, InvalidField> {
    text.parse::<EndpointKey>().map_err(|error| InvalidField::new("permissions", error.to_string()))
}

/// What the contract knows of a key.
fn of_contract<'a>(
    catalogue: &'a Catalogue,
    key: &EndpointKey,
) -> Option<&'a crate::siyuan::contract::Endpoint> {
    match key {
        EndpointKey::Http { method, route } => catalogue.endpoint(*method, route),
        _ => None,
    }
}

fn details(catalogue: &Catalogue, key: &EndpointKey) -> EndpointDetails {
    let found = of_contract(catalogue, key).map(|endpoint| catalogue.show(endpoint, false));
    let field = |(name, takes): (&String, &serde_json::Value)| EndpointField {
        name: name.trim_end_matches('?').to_owned(),
        required: !name.ends_with('?'),
        takes: takes.as_str().unwrap_or_default().to_owned(),
    };
    let mut fields: Vec<EndpointField> = found.iter().flat_map(|found| &found.fields).map(field).collect();
    fields.sort_by_key(|field| !field.required);
    EndpointDetails {
        key: key.to_string(),
        roles: found.iter().flat_map(|found| found.roles.words()).map(str::to_owned).collect(),
        body: found.as_ref().map(|found| found.body.clone()),
        fields,
        answer: found.and_then(|found| found.answer),
        tools: tools_of(key),
    }
}

/// The tools that call an endpoint under its own name.
fn tools_of(key: &EndpointKey) -> Vec<String> {
    let of = |action: &Action| format!("{} {}", action.tool(), action.name());
    Action::ALL.iter().filter(|action| action.key() == *key).map(of).collect()
}

impl From<ContractError> for CommandError {
    fn from(error: ContractError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
