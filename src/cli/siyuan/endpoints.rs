//! `notegate siyuan discover` and `notegate siyuan endpoint`: what a kernel offers beyond its contract.

use serde_json::json;

use super::saved_kernel;
use super::typed::Declaring;
use crate::cli::failure::Failure;
use crate::cli::output::{Output, table};
use crate::cli::reach::execute;
use crate::core::{Command, DeclaredEndpoint, DiscoveredTool, KernelId, Reply};

pub(super) async fn run(typed: Declaring, output: Output) -> Result<(), Failure> {
    match typed {
        Declaring::Declare { kernel, key, note } => {
            let text = format!(
                "{kernel}: {key} is in the list. It is asked for each time until you set its permission."
            );
            let result = json!({"kernel": kernel, "endpoint": key});
            execute(Command::DeclareEndpoint { kernel, endpoint: key, note }).await?;
            output.result(result, || text)
        }
        Declaring::Forget { kernel, key } => {
            let text = format!("{kernel}: {key} is gone from the list, and so is its permission.");
            let result = json!({"kernel": kernel, "endpoint": key});
            execute(Command::ForgetEndpoint { kernel, endpoint: key }).await?;
            output.result(result, || text)
        }
        Declaring::List { kernel } => {
            let view = saved_kernel(&kernel).await?;
            let result = json!({"kernel": kernel, "declared": view.declared, "discovered": view.discovered});
            output.result(result, || listed(&view.declared, &view.discovered))
        }
    }
}

pub(super) async fn discover(kernel: KernelId, output: Output) -> Result<(), Failure> {
    match execute(Command::DiscoverTools { kernel: kernel.clone() }).await? {
        Reply::ToolsDiscovered { tools } => {
            output.result(json!({"kernel": kernel, "tools": tools}), || match tools.len() {
                0 => format!("{kernel} names no MCP tool."),
                _ => listed(&[], &tools),
            })
        }
        _ => Err(Failure::new("internal", "a discovery was answered with something else")),
    }
}

fn listed(declared: &[DeclaredEndpoint], discovered: &[DiscoveredTool]) -> String {
    if declared.is_empty() && discovered.is_empty() {
        return "Nothing was declared, and nothing was discovered.".into();
    }
    let mut rows = vec![["FROM", "ENDPOINT", "ABOUT"].map(str::to_owned).to_vec()];
    let row = |from: &str, key: String, about: &str| vec![from.to_owned(), key, about.to_owned()];
    rows.extend(declared.iter().map(|one| row("declared", one.endpoint.clone(), &one.note)));
    let found = discovered.iter().map(|tool| (format!("mcp tools/call {}", tool.name), &tool.description));
    rows.extend(found.map(|(key, about)| row("discovered", key, about)));
    table(&rows)
}
