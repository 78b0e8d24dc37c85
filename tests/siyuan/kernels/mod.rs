//! Kernels as a person meets them: found, bound, checked, and opened for a call.

mod checking;
mod declaring;
mod finding;
mod tokens;
mod using;
pub mod world;
