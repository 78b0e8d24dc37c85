//! SiYuan kernels: what stands between a call and a kernel's answer.
//!
//! Invariant: nothing in here knows who calls, the gateway or the window; what it needs it is handed.

pub mod kernels;
pub mod transport;
