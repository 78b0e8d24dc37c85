//! SiYuan kernels: what can be asked of them, and what a person allows.
//!
//! What is here so far knows no network: [`endpoint`] names what a call reaches, [`contract`] knows
//! what a kernel offers, [`permissions`] decides whether a call may be sent.
//!
//! Invariants: nothing here knows who calls, how the call came, or where the settings are kept. An
//! endpoint has one spelling; whatever could be read as another one is refused.

pub mod contract;
pub mod endpoint;
pub mod permissions;
