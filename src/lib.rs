//! scaffold
pub mod access;
pub mod obsidian;
pub mod secrets;
pub mod settings;
