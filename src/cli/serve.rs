//! `notegate serve`: the endpoint without a window.

use serde_json::json;

use super::arguments::Serve;
use super::failure::{Exit, Failure};
use super::instance::{Begun, Instance, Port};
use super::output::Output;
use super::reach::Running;
use super::signals::Signals;
use crate::activity;
use crate::core::{Home, StartOptions};

pub async fn run(typed: Serve, output: Output) -> Result<Exit, Failure> {
    let home = Home::from_environment()?;
    let port = typed.port.map_or(Port::Saved, Port::Given);
    let mut signals = Signals::install()?;
    let instance = match Instance::start(StartOptions::new(home.clone()), port).await? {
        Begun::Instance(instance) => {
            instance.with_gateway().await.map_err(|failure| with_other_port(failure, &home))?
        }
        Begun::Other(running) => return Err(runs_already(&running, &home).await),
    };
    let announced = announce(&instance, &home, output);
    if announced.is_ok() {
        warn_of_the_log(&home, output).await;
        instance.until_asked_to_end(&mut signals).await;
    }
    let closed = instance.close(&mut signals).await;
    announced.and(closed)
}

/// What to do about a port that cannot be had.
fn with_other_port(failure: Failure, home: &Home) -> Failure {
    if !matches!(&failure, Failure::Told { code, .. } if code == "port_taken" || code == "port_reserved") {
        return failure;
    }
    let file = home.settings_file();
    let stands = if file.exists() { format!(" (gateway.port in {})", file.display()) } else { String::new() };
    failure.hint(format!("for this run: notegate serve --port PORT; from now on: notegate port PORT{stands}"))
}

/// The line that says that requests are served from now on.
fn announce(instance: &Instance, home: &Home, output: Output) -> Result<(), Failure> {
    let Some(gateway) = instance.gateway() else { return Ok(()) };
    let (mcp, tools) = (gateway.mcp_url(), gateway.tools_url());
    output.ready(json!({"mcp": mcp, "tools": tools, "home": home.root()}), || {
        format!(
            "Notegate {} is ready\n  MCP    {mcp}\n  tools  {tools}\n  home   {}\nStop it with Ctrl-C or `notegate stop`.",
            env!("CARGO_PKG_VERSION"),
            home.root().display()
        )
    })
}

/// Without a log each call is refused, which whoever starts this would otherwise learn from the first one.
async fn warn_of_the_log(home: &Home, output: Output) {
    let file = home.activity_file();
    if let Ok(Err(problem)) = tokio::task::spawn_blocking(move || activity::examine(&file)).await {
        output.note(problem);
    }
}

async fn runs_already(running: &Running, home: &Home) -> Failure {
    let endpoint = match running.endpoint().await {
        Ok(url) => url,
        Err(why) => format!("its endpoint is not open: {why}"),
    };
    let message = format!(
        "Notegate runs already on {} (process {}, {endpoint})",
        home.root().display(),
        running.control.pid
    );
    Failure::new("already_running", message)
        .hint("use that one, end it with `notegate stop`, or set NOTEGATE_HOME to another folder")
}
