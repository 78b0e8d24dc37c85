//! `notegate siyuan token`: from standard input to the keyring, and out of it again.

use std::io::{IsTerminal, Read};

use serde_json::json;

use super::super::failure::Failure;
use super::super::output::Output;
use super::super::reach::execute;
use super::super::signals::Signals;
use super::hidden;
use super::typed::Token;
use crate::core::{Command, Secret, TokenState, TypedSecret};

pub(super) async fn run(typed: Token, output: Output) -> Result<(), Failure> {
    let Token { kernel, clear } = typed;
    if clear {
        execute(Command::ClearToken { kernel: kernel.clone() }).await?;
        let result = json!({"kernel": kernel, "token": TokenState::None});
        return output.result(result, || format!("The token of {kernel} is gone."));
    }
    // Before anything is typed: a kernel that is not there takes none.
    super::saved_kernel(&kernel).await?;
    let token = TypedSecret(read(output).await?);
    execute(Command::SetToken { kernel: kernel.clone(), token }).await?;
    output.result(json!({"kernel": kernel, "token": TokenState::Stored}), || {
        format!("The token of {kernel} is in the keyring. Try it with `notegate siyuan check {kernel}`.")
    })
}

/// A line that a person types unseen, or all that a program sends.
async fn read(output: Output) -> Result<Secret, Failure> {
    let wrong = |error: std::io::Error| Failure::new("input", format!("cannot read the token: {error}"));
    if std::io::stdin().is_terminal() {
        // Dropped on every way out, an interruption too, so that the terminal shows again what is typed.
        let _hidden = hidden::typing().map_err(wrong)?;
        output.note("Paste the token and press Enter; it is not shown.");
        let mut signals = Signals::install()?;
        let typing = tokio::task::spawn_blocking(|| {
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).map(|_| Secret::from_text(line))
        });
        return tokio::select! {
            typed = typing => typed.map_err(std::io::Error::other).and_then(|typed| typed).map_err(wrong),
            () = signals.next() => Err(Failure::new("interrupted", "interrupted by a signal; nothing was changed")),
        };
    }
    let reading = tokio::task::spawn_blocking(|| {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).map(|_| Secret::from_text(text))
    });
    reading.await.map_err(std::io::Error::other).and_then(|read| read).map_err(wrong)
}
