//! The vaults through the real MCPVault, on real files. `vendor/mcpvault` must be installed
//! (`npm ci --omit=dev --ignore-scripts` there); `tests/run` does that.
#![cfg(target_os = "linux")] // children are looked for in /proc

mod all_tools;
mod cancellation;
mod contract;
mod failures;
mod routing;
mod world;
