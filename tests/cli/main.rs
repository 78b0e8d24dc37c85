//! The program as a person and a script meet it: the built binary, each test on a home of its own.

mod activity;
mod approvals;
mod demo;
mod fake;
mod home;
mod instance;
mod stdio;
mod texts;
mod verbs;
