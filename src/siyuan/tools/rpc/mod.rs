//! `siyuan_rpc`: every way into a kernel by itself, one file a channel, and the contract, which asks none.

mod connection;
mod http;
mod mcp;
mod plugin;
mod ws;

use serde::Deserialize;

use super::ToolSpec;
use super::schema::{flag, free, inner, list, object, one_of, text, whole};
use super::way::{Done, Failed, Way};
use crate::siyuan::contract::{Catalogue, MAX_LIMIT, Query};
use crate::siyuan::endpoint::Method;
use crate::siyuan::errors::SiyuanError;
use crate::siyuan::execution::Objects;
use crate::siyuan::permissions::{Request, Rules, Ruling};

#[derive(Debug, Deserialize)]
#[serde(tag = "channel", rename_all = "lowercase")]
pub(in crate::siyuan) enum Rpc {
    Http(Box<http::Http>),
    /// What the contract knows. Asks no kernel, and grants nothing.
    Contract(Query),
    Plugin(plugin::Plugin),
    Mcp(mcp::Mcp),
    Ws(ws::Ws),
    Connection(connection::Connection),
}

pub(super) fn spec() -> ToolSpec {
    let channels = ["http", "contract", "plugin", "mcp", "ws", "connection"];
    let call = inner(
        &[
            ("method", text("The method's name.")),
            ("params", free("Its arguments.")),
            ("paramsJson", text("Its arguments as JSON text, where they are a list.")),
            ("notification", flag("Ask for no answer.")),
        ],
        &["method"],
    );
    let part = inner(
        &[
            ("name", text("The field's name.")),
            ("text", text("Its value, or the file's text.")),
            ("base64", text("The file's bytes.")),
            ("fileName", text("Makes it a file.")),
            ("contentType", text("The file's media type.")),
        ],
        &["name"],
    );
    let fields = [
        (
            "channel",
            one_of(
                &channels,
                "http: any endpoint of the kernel's API. contract: look endpoints up, offline. plugin: a kernel plugin's JSON-RPC. mcp: the kernel's MCP server. ws: a WebSocket, for a while. connection: whether the kernel can be reached.",
            ),
        ),
        ("action", one_of(&["status"], "connection (needed).")),
        (
            "method",
            text(
                "http: GET, POST (unless said), PUT, PATCH, DELETE, HEAD. contract: only this HTTP method. plugin, mcp (needed but for calls): the method's name, such as tools/list.",
            ),
        ),
        (
            "path",
            text(
                "http, ws (needed): the path, such as /api/block/getBlockKramdown; for ws with its query. contract: how the path begins.",
            ),
        ),
        ("query", free("http: query parameters, as texts.")),
        ("body", free("http: the JSON body.")),
        ("text", text("http: a body of plain text.")),
        ("base64", text("http: a body of bytes.")),
        ("form", free("http: a body of form fields, as texts.")),
        ("multipart", list(part, "http: a multipart body, the form of uploads.")),
        ("contentType", text("http: the media type of base64.")),
        (
            "validate",
            flag("http: hold the body against the contract first, and send nothing if it does not fit."),
        ),
        ("words", text("contract: words that stand in path, note or fields.")),
        ("role", one_of(&["reads", "writes", "public", "admin"], "contract: only endpoints of this kind.")),
        ("includeSchema", flag("contract: with the schemas of body and answer.")),
        ("offset", whole(0, 100_000, "contract: how many endpoints to pass over.")),
        ("limit", whole(1, MAX_LIMIT as u64, "contract: how many endpoints a page has.")),
        ("plugin", text("plugin (needed): the plugin's name.")),
        (
            "params",
            free(
                "plugin, mcp: the method's arguments. For mcp tools/call an object with name and arguments.",
            ),
        ),
        ("paramsJson", text("plugin: the method's arguments as JSON text, where they are a list.")),
        ("notification", flag("plugin: ask for no answer.")),
        ("calls", list(call, "plugin: several calls in one batch, in place of method.")),
        ("messages", list(free("An object with a text cmd."), "ws: messages to send once connected.")),
        ("durationMs", whole(1, 30_000, "ws: how long to listen; 1000 unless said.")),
        ("maxMessages", whole(1, 500, "ws: after how many messages to stop; 20 unless said.")),
    ];
    ToolSpec {
        name: "siyuan_rpc",
        title: "Call SiYuan's API",
        description: "Calls a SiYuan kernel's API where the other siyuan tools do not reach. Each endpoint needs the person's permission. Begin with channel contract: it finds endpoints and their fields, lists the configured kernels, and asks nobody. A write is sent once; an answer that says uncertain is to be read back, not repeated.",
        input_schema: object(&fields, &["channel"]),
        writes: true,
        destructive: true,
        idempotent: false,
    }
}

impl Rpc {
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Http(http) => http.check(),
            Self::Plugin(plugin) => plugin.check(),
            Self::Mcp(mcp) => mcp.check(),
            Self::Contract(_) | Self::Ws(_) | Self::Connection(_) => Ok(()),
        }
    }

    pub fn judge(&self, rules: &Rules<'_>) -> Result<Ruling, SiyuanError> {
        match self {
            Self::Http(http) => http.judge(rules),
            Self::Plugin(plugin) => plugin.judge(rules),
            Self::Mcp(mcp) => mcp.judge(rules),
            Self::Ws(ws) => ws.judge(rules),
            Self::Connection(_) => Ok(rules.judge(Request::Status)?),
            // It reaches nothing, and is answered before anything is judged.
            Self::Contract(_) => Err(SiyuanError::Internal),
        }
    }

    pub fn validate(&self, catalogue: &Catalogue) -> Result<(), SiyuanError> {
        match self {
            Self::Http(http) => http.validate(catalogue),
            _ => Ok(()),
        }
    }

    pub fn objects(&self) -> Objects {
        match self {
            Self::Http(http) => http.objects(),
            _ => Objects::default(),
        }
    }

    pub async fn run(&self, way: &Way<'_>) -> Result<Done, Failed> {
        match self {
            Self::Http(http) => http.run(way).await,
            Self::Plugin(plugin) => plugin.run(way).await,
            Self::Mcp(mcp) => mcp.run(way).await,
            Self::Ws(ws) => ws.run(way).await,
            Self::Connection(_) => connection::status(way).await,
            Self::Contract(_) => Err(SiyuanError::Internal.into()),
        }
    }
}

/// The HTTP method of a call.
fn method(typed: Option<&str>) -> Result<Method, SiyuanError> {
    match typed {
        None => Ok(Method::Post),
        Some(typed) => typed.parse().map_err(|error| crate::siyuan::permissions::Reason::Key(error).into()),
    }
}
