//! The program: everything is in the library, so that it can be tested there.

#![warn(clippy::expect_used, clippy::unwrap_used)]

use std::process::ExitCode;

fn main() -> ExitCode {
    notegate::cli::run(std::env::args_os())
}
