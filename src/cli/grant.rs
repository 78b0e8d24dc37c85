//! `notegate grant`: a one-off token for a program that a host starts itself. It lives in the memory of
//! the running instance, so there must be one.

use serde_json::json;

use super::arguments::{EndGrant, Grant};
use super::failure::{Exit, Failure};
use super::lifetime::{from_now, rfc3339};
use super::output::Output;
use super::reach::execute_on_running;
use crate::core::{Capability, Command, Reply};

pub async fn run(typed: Grant, output: Output) -> Result<Exit, Failure> {
    match execute_on_running(meant(typed)?).await? {
        Reply::GrantIssued { grant, token, capabilities, expires } => {
            let value = json!({
                "grant": grant,
                "token": token.0,
                "capabilities": capabilities,
                "expires": rfc3339(expires),
            });
            output.result(value, || {
                let names: Vec<&str> = capabilities.iter().map(|capability| Capability::as_str(*capability)).collect();
                format!(
                    "Grant {grant} for {}, ends {}.\nToken: {}\nIt is shown this once. End it with `notegate grant end {grant}`.",
                    if names.is_empty() { "nothing".into() } else { names.join(", ") },
                    from_now(expires),
                    token.0
                )
            })?;
        }
        _ => output.result(json!({"done": true}), || "Ended; its token is dead.".into())?,
    }
    Ok(Exit::Done)
}

fn meant(typed: Grant) -> Result<Command, Failure> {
    let Grant { runtime, mode, capability, ttl, end } = typed;
    match (end, runtime) {
        (Some(EndGrant::End { number }), _) => Ok(Command::EndGrant { grant: number }),
        (None, Some(runtime)) => Ok(Command::IssueGrant {
            runtime,
            mode,
            capabilities: (!capability.is_empty()).then(|| capability.into_iter().collect()),
            lifetime_seconds: ttl.seconds,
        }),
        (None, None) => Err(Failure::usage("a grant is for a runtime; name it")),
    }
}
