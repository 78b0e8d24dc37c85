//! scaffold
pub mod access;
pub mod core;
pub mod obsidian;
pub mod secrets;
pub mod settings;
pub mod tools;
pub mod ui;
