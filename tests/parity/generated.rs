//! Generated cases.
