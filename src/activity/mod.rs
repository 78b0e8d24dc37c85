//! The record of what happened: one row an operation, in SQLite, written before anything is sent.
//!
//! [`Log::begin`] records the intent, and only then may be sent what it is about; [`Operation::end`]
//! records how it came out. Where the intent cannot be written nothing is sent; where the outcome cannot
//! be written the answer says so. A row that is running when a process dies is uncertain at the next
//! start, and nothing is ever sent again because of it.
//!
//! One thread writes ([`Activity`] owns it), all that waits in one transaction. The database is in WAL mode
//! with `synchronous = NORMAL`: a commit is handed to the operating system and not waited for until it is
//! on the platters. So a row survives whatever happens to this process, `kill -9` included; a power failure
//! can cost the latest rows (seconds of them), and never the others. Waiting for the disk would cost every
//! call two such waits, milliseconds each, and gain the record of calls whose effect the same power failure
//! has likely taken along.
//!
//! Invariants: no text of notes and no secret is in a row; a file that is damaged, not ours or newer is
//! never overwritten. Whoever cannot be recorded is not served.

mod errors;
mod log;
mod query;
mod record;
mod schema;
mod store;
mod writer;

pub use errors::ActivityError;
pub use log::{Activity, Log, Operation, Status};
pub use query::{Page, Query};
pub use record::{
    CallId, Decision, Ending, Endpoint, Intent, Object, ObjectKind, OperationId, Outcome, Record,
};
pub use schema::examine;
pub use store::Retention;

#[cfg(test)]
mod activity_tests;
