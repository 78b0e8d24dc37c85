//! The vaults through both engines, the real MCPVault being one, on real files. `vendor/mcpvault` must be
//! installed (`npm ci --omit=dev --ignore-scripts` there); `tests/run` does that.
#![cfg(target_os = "linux")] // children are looked for in /proc

mod all_tools;
mod cancellation;
mod contract;
mod failures;
#[path = "../long_search/mod.rs"]
mod long_search;
mod routing;
mod world;
