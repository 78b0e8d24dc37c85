//! SiYuan kernels: what can be asked of them, what a person allows, and the way to them.
//!
//! [`endpoint`] names what a call reaches, [`contract`] knows what a kernel offers, [`permissions`]
//! decides whether a call may be sent; these three know no network. [`kernels`] knows which kernels there
//! are and which process is meant, [`transport`] is the way to one of them. [`tools`] are the five tools
//! over all that; [`Service`] takes a call of one of them, and `run` is the order in which it goes.
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
    Approver, CallId, Decided, Ending, Execution, Intent, NobodyToAsk, NotRecorded, Objects, Observer,
    OperationId, Outcome, Question, Recorded, Surroundings,
};
pub use service::{Output, Service};
