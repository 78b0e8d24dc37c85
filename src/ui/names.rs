//! What runtimes and kernels are called, also those that are not configured any more.

use super::widgets::Look;
use crate::core::{KernelView, RuntimeView, Snapshot};

/// What a runtime is called, with its id where another one has the same name.
pub fn of_runtime(runtime: &RuntimeView, snapshot: &Snapshot, look: Look<'_>) -> String {
    let namesakes = snapshot.runtimes.iter().filter(|other| other.name == runtime.name).count();
    if namesakes < 2 {
        return runtime.name.clone();
    }
    let args = [("name", runtime.name.as_str().into()), ("id", runtime.id.as_str().into())];
    look.texts.with("name-and-id", args)
}

/// Who calls, by the id that the core gives: a runtime, the person's own command line, or a runtime that is gone.
pub fn of_caller(id: &str, snapshot: &Snapshot, look: Look<'_>) -> String {
    match snapshot.runtimes.iter().find(|runtime| runtime.id.as_str() == id) {
        Some(runtime) => of_runtime(runtime, snapshot, look),
        None if id == "command-line" => look.text("caller-command-line"),
        None => id.to_owned(),
    }
}

/// The kernel of that id, if it is still there.
pub fn kernel<'a>(id: &str, snapshot: &'a Snapshot) -> Option<&'a KernelView> {
    snapshot.siyuan.kernels.iter().find(|kernel| kernel.id.as_str() == id)
}

/// What a kernel is called; one that is gone by its id.
pub fn of_kernel(id: &str, snapshot: &Snapshot) -> String {
    kernel(id, snapshot).map_or_else(|| id.to_owned(), |kernel| kernel.name.clone())
}
