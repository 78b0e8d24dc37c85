//! What executes the vault tools.

pub mod native;
