//! The rules (LR) and the acceptance stories (US) of the Obsidian capability, told from outside:
//! over HTTP, with both engines, on real files. The window's share of the stories is in
//! `tests/window`, their command line in `tests/cli`.

mod gate;
#[path = "../long_search/mod.rs"]
mod long_search;
mod revocation;
mod rules;
mod settings;
mod stories;
mod tools;
