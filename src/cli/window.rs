//! `notegate`: the window, and the endpoint behind it.

use std::sync::Arc;

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::failure::{Exit, Failure};
use super::instance::{Begun, Instance, Port};
use super::output::Output;
use super::signals::{self, Signals};
use crate::core::{Command, Handle, Home, StartOptions, SystemFolderPicker};
use crate::ui::{self, UiError};

pub fn run(runtime: &tokio::runtime::Runtime, output: Output) -> Result<Exit, Failure> {
    let home = Home::from_environment()?;
    let options =
        StartOptions { folder_picker: Arc::new(SystemFolderPicker), ..StartOptions::new(home.clone()) };
    let mut signals = {
        let _inside = runtime.enter(); // signal streams are made inside a runtime
        Signals::install()?
    };
    let instance = match runtime.block_on(Instance::start(options, Port::Saved))? {
        Begun::Instance(instance) => instance,
        Begun::Other(running) => {
            runtime.block_on(running.request(&Command::ShowWindow))?;
            let (pid, url) = (running.control.pid, format!("http://{}/mcp", running.control.address));
            output.result(json!({"alreadyRunning": true, "pid": pid, "mcp": url}), || {
                format!(
                    "Notegate runs already (process {pid}, {url}); its window was asked to come to the front."
                )
            })?;
            return Ok(Exit::Done);
        }
    };
    let shown = show(runtime, instance.handle(), &mut signals);
    let closed = runtime.block_on(instance.close(&mut signals));
    match shown {
        Ok(()) => closed,
        Err(error) => {
            let code = if matches!(error, UiError::NoDisplay { .. }) { "no_display" } else { "window" };
            Err(Failure::new(code, error.to_string()))
        }
    }
}

/// Shows the window on this thread until it is closed. The first signal closes it.
pub fn show(
    runtime: &tokio::runtime::Runtime,
    handle: &Handle,
    signals: &mut Signals,
) -> Result<(), UiError> {
    let closed = CancellationToken::new();
    std::thread::scope(|scope| {
        let watching = scope.spawn(|| runtime.block_on(end_on_signal(handle, signals, &closed)));
        handle.report_window(true);
        let shown = ui::run(handle.clone(), runtime.handle().clone());
        handle.report_window(false);
        closed.cancel();
        if watching.join().is_err() {
            tracing::error!("the thread that watched for signals failed");
        }
        shown
    })
}

/// The first signal asks the window to close; a second one, if the window does not, ends the process.
async fn end_on_signal(handle: &Handle, signals: &mut Signals, closed: &CancellationToken) {
    let watch = async {
        signals.next().await;
        let _ = handle.request(Command::Shutdown).await; // a core that has ended closes the window as well
        signals.next().await;
        signals::end_process();
    };
    tokio::select! {
        () = closed.cancelled() => {}
        () = watch => {}
    }
}
