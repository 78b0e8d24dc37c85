//! Whether a call may be sent: what a person allows, and what nobody can.
//!
//! The order of a decision is always: the endpoint's one name ([`crate::siyuan::endpoint`]), what is closed
//! ([`closed`]), what the body does (`screen`), the work mode, and last the permission of this kernel for
//! this endpoint ([`Permission`], [`decide`]). [`Rules::judge`] is all of that in one step; a call of many
//! parts is judged whole before any part of it runs.
//!
//! Invariants: what the contract does not know counts as writing; nothing that a kernel, a plugin or an MCP
//! server says of itself lowers what is asked for; what cannot be judged is refused.

pub mod actions;
pub mod closed;
mod decide;
mod effect;
mod judge;
mod refusal;
mod screen;
mod screen_mcp;
mod sql;
mod storage;

pub use crate::settings::Permission;
pub use actions::Action;
pub use closed::Closed;
pub use decide::{Decision, Standing, decide};
pub use effect::Effect;
pub use judge::{Body, Request, Rules, Ruling, Step};
pub use refusal::{Reason, Refused};
pub use screen::Screened;
pub use sql::SqlProblem;
pub use storage::StorageProblem;
