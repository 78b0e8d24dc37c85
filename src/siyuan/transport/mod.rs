//! The way to one SiYuan kernel: HTTP, WebSocket, plugin RPC, MCP and event streams.
//!
//! A library of its own: it knows the protocols and the one address that it was made for, and neither
//! permissions nor settings. Whoever uses it decides what may be sent, and filters what comes back.
//!
//! ```no_run
//! # async fn f() -> Result<(), Box<dyn std::error::Error>> {
//! use notegate::secrets::Secret;
//! use notegate::siyuan::transport::{Address, Connection, Options, Request};
//! use tokio_util::sync::CancellationToken;
//!
//! let address = "http://127.0.0.1:6806".parse::<Address>()?;
//! let kernel = Connection::new(address, Some(&Secret::from_text("…")), Options::default())?;
//! let version = kernel.send(Request::get("/api/system/version"), &CancellationToken::new()).await?;
//! assert!(version.envelope()?.due()?.is_string());
//! kernel.dispose().await;
//! # Ok(())
//! # }
//! ```
//!
//! # What it promises
//!
//! - **One origin.** Scheme, host, port and path prefix come from the [`Address`] and nothing else: no
//!   argument, header, redirect or proxy setting sends a request, and so the token, anywhere else. A
//!   redirect is an error that names where it points.
//! - **Once.** A request goes out at most once, on a connection of its own. Nothing is repeated, resumed
//!   or kept for the next call: a kept connection may die as the next write goes out, and then nobody
//!   knows whether it arrived.
//! - **What is known is said.** Every error tells whether the request may have reached the kernel
//!   ([`TransportError::sent`]) and whether it may have taken effect there ([`TransportError::uncertain`]).
//! - **Bounds.** Time to connect, time in all, and the size of an answer, counted as it arrives.
//! - **An end.** Each socket belongs to a task, each task to its [`Connection`]. A call that returns,
//!   fails, is cancelled or is dropped has closed its socket or is about to; [`Connection::dispose`]
//!   ends all of them, and has waited for each when it returns.
//! - **Nothing foreign.** Errors are made here, without addresses, headers or texts of the libraries
//!   underneath. The token is nowhere but in the header; what a kernel itself answers is handed on
//!   as it came, and may hold whatever the kernel put there.
//!
//! Proxies of the environment are not used, answers are not decompressed (none are asked for so), and
//! cookies are not kept.

mod address;
mod body;
mod connection;
mod dial;
mod envelope;
mod error;
mod exchange;
mod http;
mod mcp;
mod rpc;
mod sse;
mod ws;

pub use self::http::{Request, Response};
pub use address::{Address, AddressError};
pub use body::{Body, Part};
pub use connection::{Connection, DEFAULT_RESPONSE_LIMIT, Options, TokenError};
pub use envelope::{Envelope, EnvelopeFault};
pub use error::{AuthRefusal, RequestError, TlsFault, TransportError};
pub use mcp::McpSession;
pub use rpc::{RpcAnswer, RpcCall, RpcFault};
pub use sse::{Event, EventStream};
pub use ws::{Bounds, Command, Ended, KernelEvent, Message, Received, WebSocket};
