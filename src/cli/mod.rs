//! The command line: one file a verb. A verb talks to the running instance through its control
//! endpoint; when none runs, it works on the home directly and leaves it again.
//!
//! What a script can rely on:
//! - Results go to standard output, messages to standard error. With `--json` a verb prints one JSON
//!   value: its result, or `{"error": {"code", "message"}}` with a `hint` where there is a way on.
//! - Exit codes: 0 done; 1 failed; 2 wrong usage; 3 Notegate does not run, but the verb needs it;
//!   4 the call went through and the tool answered an error.
//! - `serve` and `demo` print one line when they are ready, then run until stopped.

mod activity;
mod approvals;
mod arguments;
mod call;
mod clean_log;
mod connect;
mod demo;
mod doctor;
mod failure;
mod grant;
mod instance;
mod lifetime;
mod log_file;
mod logging;
mod obsidian;
mod output;
mod port;
mod reach;
mod runtime;
mod serve;
mod signals;
mod siyuan;
mod status;
mod stdio;
mod tools;
mod window;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

use clap::{CommandFactory, Parser};

use arguments::{Typed, Verb};
use failure::{Exit, Failure};
use output::Output;

/// Runs the program with these arguments, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let began = Instant::now();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let typed = match Typed::try_parse_from(&arguments) {
        Ok(typed) => typed,
        Err(error) => return usage(&error, &arguments).into(),
    };
    // The bridge's standard output belongs to the protocol.
    let output = Output::new(typed.json && !matches!(typed.verb, Some(Verb::Stdio(_))));
    let exit = carry_out(typed.verb, output, began).unwrap_or_else(|failure| {
        output.failure(&failure);
        failure.exit()
    });
    exit.into()
}

/// The command line as a description of itself, from which packages make man pages and completions.
pub fn command() -> clap::Command {
    Typed::command()
}

fn carry_out(verb: Option<Verb>, output: Output, began: Instant) -> Result<Exit, Failure> {
    let logging = logging::start(verb.as_ref());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new("internal", format!("cannot start the program's threads: {error}")))?;
    let ended = match verb {
        None => window::run(&runtime, output, began),
        Some(Verb::Serve(typed)) => runtime.block_on(serve::run(typed, output)),
        Some(Verb::Demo(typed)) => demo::run(&runtime, typed, output),
        Some(Verb::Runtime(typed)) => runtime.block_on(runtime::run(typed, output)),
        Some(Verb::Connect(typed)) => runtime.block_on(connect::run(typed, output)),
        Some(Verb::Obsidian(typed)) => runtime.block_on(obsidian::run(typed, output)),
        Some(Verb::Siyuan(typed)) => runtime.block_on(siyuan::run(typed, output)),
        Some(Verb::Port(typed)) => runtime.block_on(port::run(typed, output)),
        Some(Verb::Tools(typed)) => tools::run(&typed, output),
        Some(Verb::Call(typed)) => runtime.block_on(call::run(typed, output)),
        Some(Verb::Activity(typed)) => runtime.block_on(activity::run(typed, output)),
        Some(Verb::Approvals(typed)) => runtime.block_on(approvals::run(typed, output)),
        Some(Verb::Grant(typed)) => runtime.block_on(grant::run(typed, output)),
        Some(Verb::Stdio(typed)) => runtime.block_on(stdio::run(typed)),
        Some(Verb::Doctor) => runtime.block_on(doctor::run(output)),
        Some(Verb::Status) => runtime.block_on(status::show(output)),
        Some(Verb::Stop) => runtime.block_on(status::stop(output)),
    };
    // Every verb has closed what it opened. What may be left is a thread that waits for standard
    // input, or work that a second signal abandoned on purpose; neither is waited for.
    runtime.shutdown_background();
    logging.finish();
    ended
}

/// Help and version go where clap sends them; a mistake is told as every other failure.
fn usage(error: &clap::Error, arguments: &[OsString]) -> Exit {
    if !error.use_stderr() || !arguments.iter().any(|argument| argument == "--json") {
        let _ = error.print(); // to a reader that is gone there is nothing to tell
        return if error.use_stderr() { Exit::Usage } else { Exit::Done };
    }
    let text = error.render().to_string();
    let message = text.trim().strip_prefix("error: ").unwrap_or(text.trim());
    let failure = Failure::usage(message);
    Output::new(true).failure(&failure);
    failure.exit()
}
