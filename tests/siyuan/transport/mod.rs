//! What `siyuan::transport` promises, each promise by name.

mod bounds;
mod ends;
mod events;
mod http;
mod mcp;
mod refusals;
mod rpc;
mod secrets;
mod sockets;
#[cfg(target_os = "linux")]
mod tls;

use std::time::Duration;

use notegate::secrets::Secret;
use notegate::siyuan::transport::{Connection, Options};
use tokio_util::sync::CancellationToken;

use crate::kernel::Kernel;

/// Longer than anything here takes on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

/// Short enough to wait for.
const MOMENT: Duration = Duration::from_millis(300);

/// Patient, so that no test fails because a machine is slow.
fn patient() -> Options {
    Options { connect_timeout: DEADLINE, timeout: DEADLINE, ..Options::default() }
}

fn to(address: &str, options: Options) -> Connection {
    let token = Secret::from_text(crate::kernel::TOKEN);
    Connection::new(address.parse().unwrap(), Some(&token), options).unwrap()
}

/// A connection with the right token.
fn connect(kernel: &Kernel) -> Connection {
    to(&kernel.address(), patient())
}

/// One that gives up soon.
fn hasty(address: &str) -> Connection {
    to(address, Options { timeout: MOMENT, ..patient() })
}

fn never() -> CancellationToken {
    CancellationToken::new()
}

/// Fails where something takes for ever, and says what.
async fn soon<T>(what: &str, work: impl Future<Output = T>) -> T {
    tokio::time::timeout(DEADLINE, work).await.unwrap_or_else(|_| panic!("{what} took too long"))
}
