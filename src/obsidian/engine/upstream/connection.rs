//! The MCP side of one process: initialise, list, call, close. The types of rmcp stop here.

use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest, Implementation,
    PaginatedRequestParams, ProtocolVersion, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RunningService, ServiceError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Map, Value};

use super::process::Pipes;
use crate::obsidian::engine::Output;

/// A list of tools that goes on for longer is no list of tools.
const MOST_PAGES: usize = 32;

/// Longest line that is read, in bytes: the largest notes, twice escaped.
const LONGEST_LINE: usize = 64 * 1024 * 1024;

/// How long closing the pipes may take; the process is ended afterwards in any case.
const CLOSING: Duration = Duration::from_secs(1);

/// Why a conversation with the process failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    #[error("its input or output is not connected")]
    NoPipes,
    #[error("it did not start as an MCP server ({0})")]
    Initialize(String),
    #[error("it ended before it answered")]
    Ended,
    #[error("it refused the request ({0})")]
    Refused(String),
    #[error("its answer is not one to the request")]
    WrongAnswer,
    #[error("its list of tools does not end")]
    EndlessList,
}

impl Broken {
    fn from_service(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) => Self::Refused(error.message.into_owned()),
            ServiceError::UnexpectedResponse => Self::WrongAnswer,
            _ => Self::Ended,
        }
    }
}

/// An initialised connection.
pub(super) struct Connection {
    service: RunningService<RoleClient, Caller>,
}

/// How we introduce ourselves.
struct Caller;

impl ClientHandler for Caller {
    fn get_info(&self) -> ClientConfig {
        // MCPVault also speaks a newer protocol, which rmcp would offer by itself; this is the one
        // that both have a handshake for.
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("notegate", env!("CARGO_PKG_VERSION")),
        )
        .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }
}

impl Connection {
    pub async fn open(pipes: Pipes) -> Result<Self, Broken> {
        let transport = AsyncRwTransport::new(pipes.stdout, pipes.stdin).with_max_line_length(LONGEST_LINE);
        match Caller.serve(transport).await {
            Ok(service) => Ok(Self { service }),
            Err(error) => Err(Broken::Initialize(error.to_string())),
        }
    }

    /// The names of all tools, page by page.
    pub async fn list_tools(&self) -> Result<Vec<String>, Broken> {
        let mut names = Vec::new();
        let mut cursor = None;
        for _ in 0..MOST_PAGES {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let page = self.service.list_tools(Some(params)).await.map_err(Broken::from_service)?;
            names.extend(page.tools.into_iter().map(|tool| tool.name.into_owned()));
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(names);
            }
        }
        Err(Broken::EndlessList)
    }

    pub async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<Output, Broken> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let pending = self
            .service
            .peer()
            .send_cancellable_request(request, PeerRequestOptions::no_options())
            .await
            .map_err(Broken::from_service)?;
        match pending.await_response().await.map_err(Broken::from_service)? {
            ServerResult::CallToolResult(result) => {
                let content = result.content.iter().map(serde_json::to_value).collect::<Result<_, _>>();
                Ok(Output {
                    content: content.map_err(|_| Broken::WrongAnswer)?,
                    structured: result.structured_content,
                    is_error: result.is_error.unwrap_or(false),
                    meta: result.meta.map(|meta| meta.0),
                })
            }
            _ => Err(Broken::WrongAnswer),
        }
    }

    /// Ends the conversation and closes both pipes.
    pub async fn close(mut self) {
        // Nothing depends on how it went: the process is ended by its owner.
        let _ = self.service.close_with_timeout(CLOSING).await;
    }
}
