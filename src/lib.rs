//! scaffold
pub mod access;
pub mod secrets;
pub mod settings;
