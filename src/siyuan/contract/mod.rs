//! The contract: what a kernel's HTTP API offers, known without asking one.
//!
//! The catalogue that comes with the program is `assets/siyuan/contract.json.gz`; `notegate siyuan contract
//! export` prints it in the form in which it is reviewed, and that text, compressed, is the asset. Another
//! kernel version's own description (`kernel/apicontract/schema.json` of SiYuan's sources) can take its
//! place in a home.
//!
//! Knowing an endpoint grants nothing. What the catalogue says of an endpoint's roles decides one thing
//! only: whether a runtime in Ask mode may call it.

mod catalogue;
mod changes;
mod errors;
mod fields;
mod import;
mod listing;
mod search;
mod store;
mod tidy;
mod validate;

pub use catalogue::{Catalogue, Endpoint, Resolved, Roles};
pub use changes::{Changes, EndpointName, FieldChange, RoleChange};
pub use errors::ContractError;
pub use import::{MAX_IMPORT_BYTES, read_schema};
pub use listing::{DeclareError, Entry, Origin, declared_key, entries};
pub use search::{DEFAULT_LIMIT, Found, MAX_LIMIT, Page, Query, RoleFilter};
pub use store::{Contract, Import};
pub use validate::{Finding, FindingKind, Report};
