//! The window over a real core, played by role and name as a person with a screen reader would.
#![cfg(target_os = "linux")] // the registry is laid out as on Linux

mod controls;
mod endpoints;
mod looks;
mod stories;
mod world;
