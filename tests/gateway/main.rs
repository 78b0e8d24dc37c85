//! The gateway over real HTTP.
//!
//! A stand-in for MCPVault (a few lines under Node) lets a test hold a call for as long as it needs;
//! what MCPVault itself does is the subject of `tests/obsidian`.

mod calls;
mod changes;
mod control;
mod direct;
mod eras;
mod guards;
mod lifecycle;
#[path = "../long_search/mod.rs"]
mod long_search;
mod messages;
mod recorded;
mod secrets;
mod sessions;
mod world;
