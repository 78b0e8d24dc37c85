//! The native engine against the real MCPVault: the same call on twin copies of a vault, and then
//! result, error flag and the whole tree compared, byte for byte.
//!
//! Where the two differ on purpose, the difference stands with its reason in the engine's `differences`.
//! A hand-written case that differs must name it, must really differ, and what differs is held in a
//! snapshot to the last word (`hand_written`). A generated one must be traced back to its cause: without
//! that cause the two must agree (`generated`). Nothing is skipped. MCPVault is found as the product finds
//! it: by `NOTEGATE_MCPVAULT`, else in `vendor/mcpvault`.

#![cfg(unix)]

mod cases;
mod compare;
mod generated;
mod hand_written;
mod oracle;
mod special;
mod tree;
mod twins;
mod workers;

/// Where the native engine differs from MCPVault 0.16.0 on purpose, with the reasons.
use notegate::obsidian::engine::native::differences;
