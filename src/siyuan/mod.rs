//! SiYuan kernels: what can be asked of them, what a person allows, and the way to them.
//!
//! [`endpoint`] names what a call reaches, [`contract`] knows what a kernel offers, [`permissions`]
//! decides whether a call may be sent; these three know no network. [`kernels`] knows which kernels there
//! are and which process is meant, [`transport`] is the way to one of them. [`tools`] are the five tools
//! over all that; [`Service`] takes a call of one of them, and `run` is the order in which it goes.
//!
//! # Found on a real kernel
//!
//! The five tools were tried on SiYuan 3.7.3, built from its source. It did what the simulated kernel of
//! `tests/siyuan/kernel` does, and this besides, which the simulation follows where a test can tell:
//!
//! - The port file lies in the home of the account (`~/.config/siyuan/port.json`), whatever `HOME` says to the kernel;
//!   the port that it names is a random one, and 6806 is served as well while it is free.
//! - Blanks before and after a paragraph are sent as they are and dropped by the kernel's Markdown reader; an update
//!   with an empty text leaves an empty block under its id.
//! - Appending several blocks is one operation with the id of the first block; the others get ids that no answer
//!   names. An update of a block keeps the first block of its text alone; an update of a document answers with the ids
//!   of what was deleted, and of the first block that came.
//! - A hit of the full-text search has an empty `updated`, so no time is answered with hits.
//! - SQL that reads a table that is not there is refused by the kernel's own reader as a syntax error.
//! - Its MCP server knows no `resources/list` (−32601) and lists nearly forty tools, some of which reach the network or
//!   the disk: those are closed here or ask for a permission of their own.
//!
//! Invariants: nothing here knows who calls, how the call came, or where the settings are kept. An
//! endpoint has one spelling; whatever could be read as another one is refused. A token goes to its
//! kernel's one origin and nowhere else, and a request goes out at most once.

pub mod contract;
pub mod endpoint;
mod errors;
mod execution;
pub mod kernels;
pub mod permissions;
mod run;
mod service;
pub mod tools;
pub mod transport;

pub use errors::SiyuanError;
pub use execution::{
    Approver, CallId, Decided, Ending, Execution, Intent, NotRecorded, Objects, Observer, OperationId,
    Outcome, Question, Recorded, Surroundings,
};
pub use service::{Output, Service};
