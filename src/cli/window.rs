//! `notegate`: the window, and the endpoint behind it.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::failure::{Exit, Failure};
use super::instance::{Begun, Instance, Port};
use super::output::Output;
use super::reach::Running;
use super::signals::{self, Signals};
use crate::core::{Command, Handle, Home, StartOptions, SystemFolderPicker};
use crate::ui::{self, UiError};

/// `began` is when the program did.
pub fn run(runtime: &tokio::runtime::Runtime, output: Output, began: Instant) -> Result<Exit, Failure> {
    let home = Home::from_environment()?;
    let options =
        StartOptions { folder_picker: Arc::new(SystemFolderPicker), ..StartOptions::new(home.clone()) };
    let mut signals = {
        let _inside = runtime.enter(); // signal streams are made inside a runtime
        Signals::install()?
    };
    let instance = match runtime.block_on(Instance::start(options, Port::Saved))? {
        Begun::Instance(instance) => instance,
        Begun::Other(running) => return runtime.block_on(raise(&running, output)),
    };
    let mut instance = runtime.block_on(instance.with_control());
    let shown = show(runtime, &mut instance, &mut signals, began);
    let closed = runtime.block_on(instance.close(&mut signals));
    match shown {
        Ok(()) => closed,
        Err(error) => {
            let code = if matches!(error, UiError::NoDisplay { .. }) { "no_display" } else { "window" };
            Err(Failure::new(code, error.to_string()))
        }
    }
}

/// Brings the window that there is to the front.
async fn raise(running: &Running, output: Output) -> Result<Exit, Failure> {
    running.request(&Command::ShowWindow).await?;
    let (pid, endpoint) = (running.control.pid, running.endpoint().await);
    let mut value = json!({"alreadyRunning": true, "pid": pid});
    let place = match &endpoint {
        Ok(url) => {
            value["mcp"] = json!(url);
            url.clone()
        }
        Err(why) => {
            value["problem"] = json!(why);
            format!("its endpoint is not open: {why}")
        }
    };
    output.result(value, || {
        format!("Notegate runs already (process {pid}, {place}); its window was asked to come to the front.")
    })?;
    Ok(Exit::Done)
}

/// Shows the window on this thread until it is closed. The first signal closes it. Meanwhile the
/// endpoint is opened again when somebody asks for it. The log tells how long after `began` its first frame came.
pub fn show(
    runtime: &tokio::runtime::Runtime,
    instance: &mut Instance,
    signals: &mut Signals,
    began: Instant,
) -> Result<(), UiError> {
    let closed = CancellationToken::new();
    let handle = instance.handle().clone();
    std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            runtime.block_on(async {
                tokio::join!(end_on_signal(&handle, signals, &closed), instance.keep_endpoint(&closed))
            })
        });
        handle.report_window(true);
        let shown = ui::run(handle.clone(), runtime.handle().clone(), began);
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
