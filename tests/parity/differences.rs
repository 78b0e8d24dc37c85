//! Where the native engine differs from MCPVault 0.16.0 on purpose. The reasons stand in the engine's
//! own documentation (`obsidian/engine/native/differences.rs`); here they are tied to cases.

pub use notegate::obsidian::engine::native::differences::{self, Difference};
