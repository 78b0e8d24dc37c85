//! Who may call: from a presented key to a grant, and the revoking of grants (LR-8).
//!
//! A grant is the right of one session to call under the settings as they were saved when it was
//! made. Changing what a grant rests on goes through [`Access::begin_change`]: grants are revoked
//! first, requests that arrive meanwhile wait for the outcome, and afterwards the next request with
//! a key gets a new grant in one step. So there is no moment in which a call is served under
//! settings that were replaced, and none in which a good key fails.
//!
//! Invariant: nothing here knows what a capability does.

pub mod approvals;
mod book;
mod change;
mod grant;
mod policy;
mod sessions;
mod tokens;

pub use book::{Access, Denied};
pub use change::{Change, Revoke};
pub use grant::{EndReason, Grant, GrantId};
pub use policy::Policy;
pub use sessions::{ClientInfo, SessionInfo, SessionLabel};
pub use tokens::{IssueError, IssuedToken, TokenSpec};
