//! `notegate port`: the port that the endpoint listens on unless a start is told another one.

use serde_json::json;

use super::arguments::SavedPort;
use super::failure::{Exit, Failure};
use super::output::Output;
use super::reach::execute;
use super::status::snapshot_of;
use crate::core::{Command, GatewayState};

pub async fn run(typed: SavedPort, output: Output) -> Result<Exit, Failure> {
    match typed.port {
        Some(port) => {
            execute(Command::SetPort { port }).await?;
            // An endpoint that could not be opened before is tried at once.
            let failed =
                matches!(snapshot_of(execute(Command::Status).await?)?.gateway, GatewayState::Failed { .. });
            if failed {
                execute(Command::OpenEndpoint).await?;
            }
            output.result(json!({"port": port}), || {
                let effect = if failed {
                    "The endpoint is open there now"
                } else {
                    "It takes effect at the next start"
                };
                format!("Port {port} is saved. {effect}; give it to the clients as well.")
            })?;
        }
        None => {
            let port = snapshot_of(execute(Command::Status).await?)?.port;
            output.result(json!({"port": port}), || format!("Port {port} is saved."))?;
        }
    }
    Ok(Exit::Done)
}
