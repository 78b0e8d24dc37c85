//! The program as a person and a script meet it: the built binary, each test on a home of its own.

mod demo;
mod fake;
mod home;
mod instance;
mod siyuan;
mod stdio;
mod texts;
mod verbs;
