//! The few questions that tell what answers at an address: version, boot, workspace.

use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::siyuan::transport::{Address, Connection, EnvelopeFault, Options, Request, TransportError};

/// An answer to these questions is short; more than this is none.
const ANSWER_BYTES: usize = 64 * 1024;

const MAX_WORKSPACE_CHARS: usize = 4096;

/// The version from which on kernels are known to work well with us.
pub(super) const OLDEST: [u32; 3] = [3, 7, 4];

pub(super) fn options(timeout: Duration) -> Options {
    Options {
        connect_timeout: timeout.min(Options::default().connect_timeout),
        timeout,
        response_limit: ANSWER_BYTES,
    }
}

/// The version of the kernel at an address, asked without a token.
pub(super) async fn version(
    address: &Address,
    timeout: Duration,
    cancel: &CancellationToken,
) -> Result<String, TransportError> {
    let said = ask(&without_token(address, timeout)?, Request::get("/api/system/version"), cancel).await?;
    match said.as_str().filter(|text| numbers(text).is_some()) {
        Some(version) => Ok(version.to_owned()),
        None => Err(TransportError::Unexpected { expected: "a version" }),
    }
}

/// How far a kernel has started, in percent, asked without a token.
pub(super) async fn boot_progress(
    address: &Address,
    timeout: Duration,
    cancel: &CancellationToken,
) -> Result<u8, TransportError> {
    let said =
        ask(&without_token(address, timeout)?, Request::get("/api/system/bootProgress"), cancel).await?;
    let progress = said["progress"].as_u64().and_then(|progress| u8::try_from(progress).ok());
    progress
        .filter(|progress| *progress <= 100)
        .ok_or(TransportError::Unexpected { expected: "its progress" })
}

/// The folder of the workspace; `None` where the kernel does not tell it, as in read-only mode.
pub(super) async fn workspace(
    connection: &Connection,
    cancel: &CancellationToken,
) -> Result<Option<String>, TransportError> {
    let answer = connection.send(Request::post("/api/system/getWorkspaceInfo", json!({})), cancel).await?;
    let envelope = answer.envelope()?;
    // What a kernel in read-only mode refuses, it refuses in the shape of its event socket.
    if envelope.code != 0 && envelope.more.contains_key("pushMode") {
        return Ok(None);
    }
    let told = envelope.due()?;
    let folder = told["workspaceDir"].as_str().unwrap_or_default();
    let sound = !folder.is_empty()
        && folder.chars().count() <= MAX_WORKSPACE_CHARS
        && !folder.chars().any(char::is_control);
    if sound {
        Ok(Some(folder.to_owned()))
    } else {
        Err(TransportError::Unexpected { expected: "a workspace" })
    }
}

/// The folder of the workspace, asked without a token; `None` where the kernel does not tell it so.
pub(super) async fn workspace_as_told(
    address: &Address,
    timeout: Duration,
    cancel: &CancellationToken,
) -> Option<String> {
    workspace(&without_token(address, timeout).ok()?, cancel).await.ok().flatten()
}

/// Whether the kernel serves us without a token.
pub(super) async fn is_open(
    connection: &Connection,
    cancel: &CancellationToken,
) -> Result<(), TransportError> {
    ask(connection, Request::post("/api/system/getWorkspaces", json!({})), cancel).await.map(|_| ())
}

/// Whether a version is older than what we were made for.
pub(super) fn is_old(version: &str) -> bool {
    numbers(version).is_none_or(|numbers| numbers < OLDEST)
}

/// The numbers of a version like `3.8.6` or `3.8.6-dev2`.
fn numbers(version: &str) -> Option<[u32; 3]> {
    let known = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+');
    if version.len() > 32 || !version.bytes().all(known) {
        return None;
    }
    let (release, _) = version.split_once(['-', '+']).unwrap_or((version, ""));
    let numbers: Vec<u32> = release.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
    numbers.try_into().ok()
}

fn without_token(address: &Address, timeout: Duration) -> Result<Connection, TransportError> {
    // A token is all that could be wrong here, and there is none.
    Connection::new(address.clone(), None, options(timeout)).map_err(|_| TransportError::NotHttp)
}

async fn ask(
    connection: &Connection,
    request: Request,
    cancel: &CancellationToken,
) -> Result<Value, TransportError> {
    connection.send(request, cancel).await?.envelope()?.due()
}

/// Whether this is how something answers that is no kernel.
pub(super) fn is_foreign(error: &TransportError) -> bool {
    matches!(
        error,
        TransportError::NotHttp
            | TransportError::Status { .. }
            | TransportError::Kernel { .. }
            | TransportError::TooLarge { .. }
            | TransportError::Unexpected { .. }
            | TransportError::Envelope(
                EnvelopeFault::Empty | EnvelopeFault::NotAnEnvelope | EnvelopeFault::NoData
            )
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_older_than_3_7_4_are_old() {
        for (version, old) in [
            ("3.7.3", true),
            ("3.7.4", false),
            ("3.7.4-dev1", false),
            ("3.10.0", false),
            ("2.12.8", true),
            ("4.0.0", false),
            ("nonsense", true),
        ] {
            assert_eq!(is_old(version), old, "{version}");
        }
    }

    #[test]
    fn only_a_version_counts_as_one() {
        for text in ["", "3", "3.7", "3.7.4.1", "3.7.x", "v3.7.4", "3.7.4 <b>", "3.7.4-\u{7}", "<html>"] {
            assert_eq!(numbers(text), None, "{text}");
        }
    }
}
