//! One call, judged whole: every endpoint that it reaches and everything that its body asks for, before any
//! part of it is sent.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::actions::Action;
use super::closed;
use super::decide::{Decision, Standing, decide};
use super::effect::{self, Effect};
use super::refusal::{Reason, Refused};
use super::screen::{self, Screened};
use super::screen_mcp;
use crate::settings::Permission;
use crate::siyuan::contract::{Catalogue, Endpoint, Resolved};
use crate::siyuan::endpoint::{
    ApiPath, EndpointKey, Method, Route, TOOLS_CALL, WsTarget, is_credential_name,
};

pub use super::screen::Body;

/// What decides about the calls of one kernel at this moment. After an answer was awaited, it is made anew
/// and the call judged again.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    pub catalogue: &'a Catalogue,
    /// Endpoint key → permission, of the kernel that the call goes to. What is not here is asked for.
    pub permissions: &'a BTreeMap<String, Permission>,
    /// `None`: the call comes from no execution of a tool.
    pub standing: Option<Standing>,
}

/// What a call is about to do.
#[derive(Debug, Clone, Copy)]
pub enum Request<'a> {
    /// An action of the tools for reading and writing, with the body that it sends.
    Action { action: Action, body: &'a Value },
    /// Raw HTTP. `query` are the names of its query parameters.
    Http { method: &'a str, path: &'a str, query: &'a [&'a str], body: Body<'a> },
    /// Calls of a plugin's methods: one, or several in one message.
    Plugin { plugin: &'a str, methods: &'a [&'a str], is_batch: bool },
    /// A method of the kernel's MCP server.
    Mcp { method: &'a str, params: Option<&'a Value> },
    /// A WebSocket, and what is sent on it.
    Ws { target: &'a str, messages: &'a [Value] },
    /// Whether the kernel can be reached.
    Status,
}

/// Through which tool a call came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Query,
    Write,
    Rpc,
}

/// A call that may be sent, at once or after a person's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruling {
    /// What holds for the call: the strictest of its steps.
    pub decision: Decision,
    pub steps: Vec<Step>,
    pub screened: Screened,
}

/// One endpoint that the call reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub key: EndpointKey,
    pub permission: Permission,
    pub effect: Effect,
    pub decision: Decision,
}

/// An endpoint of the call, before it is decided on.
struct Reached<'a> {
    key: EndpointKey,
    endpoint: Option<&'a Endpoint>,
    /// The very path, where the key is a pattern that covers more: what is closed and what a body does go
    /// by the path.
    asked: EndpointKey,
}

impl Reached<'_> {
    fn unknown(key: EndpointKey) -> Self {
        Self { asked: key.clone(), key, endpoint: None }
    }
}

impl Rules<'_> {
    /// Judges a call. Pure: nothing is sent, nobody is asked.
    ///
    /// # Errors
    /// Why nothing of the call may be sent.
    pub fn judge(&self, request: Request<'_>) -> Result<Ruling, Refused> {
        let by = match request {
            Request::Action { action, .. } if action.is_query() => By::Query,
            Request::Action { .. } => By::Write,
            _ => By::Rpc,
        };
        let reached =
            self.reached(request).map_err(|reason| Refused { key: None, permission: None, reason })?;
        for Reached { key, asked, .. } in &reached {
            if let Some(closed) = closed::why(key).or_else(|| closed::why(asked)) {
                return Err(Refused {
                    key: Some(asked.clone()),
                    permission: None,
                    reason: Reason::Closed(closed),
                });
            }
        }
        let screened = screen(request, &reached)?;
        let mut steps = Vec::new();
        for Reached { key, endpoint, .. } in reached {
            let permission = self.permissions.get(&key.to_string()).copied().unwrap_or_default();
            let effect = if screened.writes { Effect::Writes } else { effect::of(&key, endpoint, by) };
            match decide(permission, self.standing, effect) {
                Ok(decision) => steps.push(Step { key, permission, effect, decision }),
                Err(reason) => return Err(Refused { key: Some(key), permission: Some(permission), reason }),
            }
        }
        let strictest = |decisions: &[Step]| {
            let has = |decision| decisions.iter().any(|step| step.decision == decision);
            [Decision::MustAsk, Decision::AutoByFullAccess].into_iter().find(|decision| has(*decision))
        };
        Ok(Ruling { decision: strictest(&steps).unwrap_or(Decision::Direct), steps, screened })
    }

    /// Every endpoint that the call reaches.
    fn reached(&self, request: Request<'_>) -> Result<Vec<Reached<'_>>, Reason> {
        let mut keys = Vec::new();
        match request {
            Request::Action { action, .. } => {
                let Resolved { key, endpoint } = action.resolve(self.catalogue);
                return Ok(vec![Reached { asked: key.clone(), key, endpoint }]);
            }
            Request::Http { method, path, query, .. } => {
                let method: Method = method.parse()?;
                if let Some(name) = query.iter().find(|name| is_credential_name(name)) {
                    return Err(Reason::Credential((*name).to_owned()));
                }
                let path = ApiPath::parse(path)?;
                let Resolved { key, endpoint } = self.catalogue.resolve(method, &path)?;
                let asked = EndpointKey::http(method, Route::from(&path));
                return Ok(vec![Reached { key, endpoint, asked }]);
            }
            Request::Plugin { plugin, methods, is_batch } => {
                if methods.is_empty() {
                    return Err(Reason::EmptyBatch);
                }
                if is_batch || methods.len() > 1 {
                    keys.push(EndpointKey::plugin_batch(plugin)?);
                }
                for method in methods {
                    keys.push(EndpointKey::plugin(plugin, method)?);
                }
            }
            Request::Mcp { method, params } => {
                keys.push(EndpointKey::mcp(method)?);
                if method == TOOLS_CALL {
                    keys.push(EndpointKey::mcp_tool(tool_of(params)?)?);
                }
            }
            Request::Ws { target, messages } => {
                let route = Route::from(&WsTarget::parse(target)?.path);
                keys.push(EndpointKey::ws_connect(route.clone()));
                for message in messages {
                    keys.push(EndpointKey::ws_send(route.clone(), command_of(message)?)?);
                }
            }
            Request::Status => keys.push(EndpointKey::ConnectionStatus),
        }
        let mut seen = HashSet::new();
        keys.retain(|key| seen.insert(key.clone()));
        Ok(keys.into_iter().map(Reached::unknown).collect())
    }
}

fn screen(request: Request<'_>, reached: &[Reached<'_>]) -> Result<Screened, Refused> {
    let screened = match (request, reached) {
        (Request::Action { body, .. }, [Reached { asked, .. }]) => screen::http(asked, Body::Json(body)),
        (Request::Http { body, .. }, [Reached { asked, .. }]) => screen::http(asked, body),
        (Request::Mcp { params, .. }, [.., Reached { asked, .. }]) => {
            screen_mcp::mcp(asked, params).map(|()| Screened::default())
        }
        _ => Ok(Screened::default()),
    };
    let key = reached.last().map(|reached| reached.key.clone());
    screened.map_err(|reason| Refused { key, permission: None, reason })
}

/// The tool that `tools/call` names.
fn tool_of(params: Option<&Value>) -> Result<&str, Reason> {
    params.and_then(|params| params.get("name")).and_then(Value::as_str).ok_or(Reason::NoTool)
}

/// The command of a message, by which its permission goes.
fn command_of(message: &Value) -> Result<&str, Reason> {
    const COMMAND: &str = "cmd";
    let members = message.as_object().ok_or(Reason::OpaqueMessage)?;
    if members.keys().any(|name| name != COMMAND && screen::is_same_field(name, COMMAND)) {
        return Err(Reason::TwoFields(COMMAND.into()));
    }
    members.get(COMMAND).and_then(Value::as_str).ok_or(Reason::OpaqueMessage)
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
