//! The five tools: what they take, and what each action does with a kernel once it may.
//!
//! Here nothing is decided: [`Operation::judge`] says what a call reaches, the service decides, and only then
//! [`Operation::run`] goes to the kernel. What an action looks up for its own safety, before or after, runs
//! under the action's permission and is answered to nobody.

mod create;
mod delete;
mod id;
mod query;
mod rpc;
mod schema;
mod summary;
mod text;
mod title;
mod transactions;
mod update;
mod way;

use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::contract::Catalogue;
use super::errors::SiyuanError;
use super::execution::Objects;
use super::permissions::{Action, Request, Rules, Ruling};
pub(super) use rpc::Rpc;
pub(super) use text::TextNow;
pub(super) use way::{Done, Failed, Way};

use create::Create;
use delete::Delete;
use query::Query;
use update::Update;

/// One tool, as it is offered.
#[derive(Debug)]
pub struct ToolSpec {
    pub name: &'static str,
    /// A short name for people.
    pub title: &'static str,
    pub description: &'static str,
    /// A plain JSON schema: an object with `properties`, closed, without references.
    pub input_schema: Map<String, Value>,
    /// It may change notes. Describes; filters nothing.
    pub writes: bool,
    /// What it changes may be lost.
    pub destructive: bool,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: bool,
}

/// The five tools, in a fixed order.
pub fn tools() -> &'static [ToolSpec] {
    static TOOLS: LazyLock<[ToolSpec; 5]> =
        LazyLock::new(|| [query::spec(), create::spec(), update::spec(), delete::spec(), rpc::spec()]);
    &*TOOLS
}

/// The tool of that name.
pub fn tool(name: &str) -> Option<&'static ToolSpec> {
    tools().iter().find(|tool| tool.name == name)
}

/// Holds the arguments of a call against the schema of its tool, and against what its action needs.
///
/// # Errors
/// What is wrong with them, by name.
pub fn check_arguments(tool: &'static ToolSpec, arguments: &Map<String, Value>) -> Result<(), SiyuanError> {
    Call::read(tool, arguments.clone()).map(|_| ())
}

/// A call that was understood.
#[derive(Debug)]
pub(super) struct Call {
    pub tool: &'static ToolSpec,
    /// The kernel that it names.
    pub kernel: Option<String>,
    pub operation: Operation,
    /// As they came, without the kernel.
    pub arguments: Map<String, Value>,
}

/// What a call does.
#[derive(Debug)]
pub(super) enum Operation {
    Query(Query),
    Create(Create),
    Update(Update),
    Delete(Delete),
    Rpc(Rpc),
}

impl Call {
    pub fn read(tool: &'static ToolSpec, mut arguments: Map<String, Value>) -> Result<Self, SiyuanError> {
        schema::check(tool.name, &tool.input_schema, &arguments)?;
        let kernel = match arguments.remove(schema::KERNEL_ID) {
            Some(Value::String(kernel)) => Some(kernel),
            _ => None,
        };
        let operation = match tool.name {
            "siyuan_query" => Operation::Query(typed(tool, &arguments)?),
            "siyuan_create" => Operation::Create(typed(tool, &arguments)?),
            "siyuan_update" => Operation::Update(typed(tool, &arguments)?),
            "siyuan_delete" => Operation::Delete(typed(tool, &arguments)?),
            _ => Operation::Rpc(typed(tool, &arguments)?),
        };
        operation.check().map_err(|problem| {
            SiyuanError::Arguments(format!("{} {}: {problem}", tool.name, word(&arguments)))
        })?;
        Ok(Self { tool, kernel, operation, arguments })
    }
}

/// The action's own arguments. The schema has seen their types; what each action needs is seen here.
fn typed<T: DeserializeOwned>(tool: &ToolSpec, arguments: &Map<String, Value>) -> Result<T, SiyuanError> {
    serde_json::from_value(Value::Object(arguments.clone()))
        .map_err(|error| SiyuanError::Arguments(format!("{} {}: {error}", tool.name, word(arguments))))
}

/// The word that says what a call does.
fn word(arguments: &Map<String, Value>) -> &str {
    let word = arguments.get("channel").or_else(|| arguments.get("action"));
    word.and_then(Value::as_str).unwrap_or_default()
}

impl Operation {
    /// What types do not say.
    fn check(&self) -> Result<(), String> {
        match self {
            Self::Create(create) => create.check(),
            Self::Rpc(rpc) => rpc.check(),
            Self::Update(update) => update.check(),
            Self::Query(_) | Self::Delete(_) => Ok(()),
        }
    }

    /// Everything that the call reaches, held against the rules. Nothing is sent.
    ///
    /// # Errors
    /// Why it is not sent.
    pub fn judge(&self, rules: &Rules<'_>) -> Result<Ruling, SiyuanError> {
        let act = |action: Action, body: &Value| Ok(rules.judge(Request::Action { action, body })?);
        match self {
            Self::Query(query) => act(query.action(), &query.body()),
            Self::Create(create) => act(create.action(), &create.body()),
            Self::Update(update) => act(update.action(), &update.body()),
            Self::Delete(delete) => act(delete.action(), &delete.body()),
            Self::Rpc(rpc) => rpc.judge(rules),
        }
    }

    /// Whether the arguments fit the contract, where that was asked for.
    ///
    /// # Errors
    /// They do not.
    pub fn validate(&self, catalogue: &Catalogue) -> Result<(), SiyuanError> {
        match self {
            Self::Rpc(rpc) => rpc.validate(catalogue),
            _ => Ok(()),
        }
    }

    /// The documents and blocks that the arguments name.
    pub fn objects(&self) -> Objects {
        match self {
            Self::Query(query) => query.objects(),
            Self::Create(create) => create.objects(),
            Self::Update(update) => update.objects(),
            Self::Delete(delete) => delete.objects(),
            Self::Rpc(rpc) => rpc.objects(),
        }
    }

    /// Does it. The call itself is sent at most once.
    ///
    /// # Errors
    /// How it failed, and whether the call itself was sent.
    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        match self {
            Self::Query(query) => query.run(way).await,
            Self::Create(create) => create.run(way).await,
            Self::Update(update) => update.run(way).await,
            Self::Delete(delete) => delete.run(way).await,
            Self::Rpc(rpc) => rpc.run(way).await,
        }
    }
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
