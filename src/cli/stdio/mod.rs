//! `notegate stdio`: a bridge for clients that only speak MCP over standard input and output.
//!
//! A client starts it and keeps it for as long as it likes; Notegate itself may come and go meanwhile
//! (M-04). So the bridge answers by itself what needs no Notegate (the handshake, `ping`,
//! subscriptions), and sends every other request to the endpoint on its own, without a session. While
//! Notegate is down, a list of tools and a call answer that it is; when it is back, or its tools have
//! changed, the client is told to list again.
//!
//! Invariants: a line is never held up by the answer to another one; nothing but messages of the
//! protocol is written to standard output; a call is never sent twice.

mod bridge;
mod endpoint;
mod lines;
mod local;
mod message;
mod sse;
mod watch;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::arguments::Stdio;
use super::failure::{Exit, Failure};
use super::signals::Signals;
use crate::core::{Home, KEY_VARIABLE, RuntimeId};
use crate::secrets::filter::Filters;
use crate::secrets::{Credentials, EntryName, Keyring};
use bridge::Bridge;
use endpoint::Endpoint;
use lines::{Line, Lines};

/// Messages that may wait for a client that reads slowly; then those who answer wait as well.
const WAITING_MESSAGES: usize = 64;

/// How long messages may take to get out after a signal.
const LAST_WORDS: Duration = Duration::from_secs(1);

pub async fn run(typed: Stdio) -> Result<Exit, Failure> {
    let key = match &typed.runtime {
        Some(runtime) => kept_key(runtime).await?,
        None => key(typed.key_file.as_deref()).await?,
    };
    let endpoint = Endpoint::new(typed.url.as_deref(), &key)?;
    let mut signals = Signals::install()?;

    let (messages, waiting) = mpsc::channel(WAITING_MESSAGES);
    let reader_gone = CancellationToken::new();
    let writing = tokio::spawn(write(waiting, reader_gone.clone()));
    let bridge = Bridge::new(endpoint, messages);
    let watching = tokio::spawn(watch::run(Arc::clone(&bridge)));

    // What was asked before the end of the input is still answered, if there is someone to read it.
    let conversation = async {
        read(&bridge).await;
        bridge.all_answered().await;
    };
    let interrupted = tokio::select! {
        () = conversation => false,
        () = reader_gone.cancelled() => true,
        () = signals.next() => true,
    };
    bridge.end().await;
    if watching.await.is_err() {
        tracing::error!("the task that watches for changes failed");
    }
    // All who could send a message are gone now, so the writer ends when the last one is out; a client
    // that reads no more is not waited for.
    let last_words = if interrupted { LAST_WORDS } else { Duration::MAX };
    if !matches!(tokio::time::timeout(last_words, writing).await, Ok(Ok(()))) {
        tracing::debug!("some messages were not read");
    }
    Ok(Exit::Done)
}

/// Takes what the client sends, until it sends no more.
async fn read(bridge: &Arc<Bridge>) {
    let mut lines = Lines::new(BufReader::new(tokio::io::stdin()));
    loop {
        match lines.next().await {
            Ok(Some(Line::Text(line))) => bridge.take(&line).await,
            Ok(Some(Line::TooLong)) => bridge.refuse_long_line().await,
            Ok(None) => return,
            Err(error) => {
                tracing::warn!(%error, "standard input cannot be read any more");
                return;
            }
        }
    }
}

/// Writes messages as lines until nobody can send one any more, or nobody reads them.
async fn write(mut messages: mpsc::Receiver<String>, reader_gone: CancellationToken) {
    let mut out = tokio::io::stdout();
    while let Some(mut message) = messages.recv().await {
        message.push('\n');
        let written = async {
            out.write_all(message.as_bytes()).await?;
            out.flush().await
        };
        if let Err(error) = written.await {
            tracing::debug!(%error, "the client reads no more");
            reader_gone.cancel();
            return;
        }
    }
}

/// The runtime key: from the file that was named, else from the environment. Never from an argument,
/// which every user of this computer can read.
async fn key(file: Option<&Path>) -> Result<String, Failure> {
    let text = match file {
        Some(file) => tokio::fs::read_to_string(file)
            .await
            .map_err(|error| Failure::new("no_key", format!("cannot read the key file {file:?}: {error}")))?,
        None => std::env::var(KEY_VARIABLE).unwrap_or_default(),
    };
    let key = text.trim();
    if key.is_empty() {
        return Err(Failure::new("no_key", "there is no runtime key")
            .hint("set NOTEGATE_KEY to the key that `notegate runtime add` showed, or name its file: --key-file FILE"));
    }
    Ok(key.to_owned())
}

/// The key that the person had put into the keyring for this runtime.
async fn kept_key(runtime: &RuntimeId) -> Result<String, Failure> {
    let home = Home::from_environment()?;
    let credentials = Credentials::new(Arc::new(Keyring::default()), Filters::default());
    let key = credentials.read(&EntryName::runtime_key(home.root(), runtime)).await.map_err(|error| {
        Failure::new(error.code(), format!("the key of {runtime} cannot be had: {error}"))
            .hint("`notegate connect PROGRAM --key keyring` puts one there")
    })?;
    Ok(key.reveal().to_owned())
}
