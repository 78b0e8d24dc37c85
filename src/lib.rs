//! scaffold
pub mod access;
pub mod cli;
pub mod core;
pub mod gateway;
pub mod obsidian;
pub mod secrets;
pub mod settings;
pub mod tools;
pub mod ui;
