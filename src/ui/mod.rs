//! The window. It reads snapshots of the core and sends it commands, and does nothing else: no
//! file, no network, no process on its thread, and at rest no frame.
//!
//! Layers, from the ground: `theme`, `text`, `fonts`, `icons` and `clock` say how things look and
//! what they are called; `widgets` makes each control once; `pages` compose them over a snapshot;
//! `approvals` stands above them when a person is asked something; `app` is the frame around the pages; `run` opens
//! the window; `notify` tells the desktop what waits while it is in the background. `gallery` shows every widget at once.

mod app;
mod approvals;
mod clock;
mod errors;
mod fonts;
mod gallery;
mod icons;
mod link;
mod names;
mod notify;
mod pages;
#[cfg(all(test, target_os = "linux"))] // where the fonts are known
mod pictures;
mod run;
mod text;
mod theme;
mod widgets;

pub use app::Window;
pub use gallery::Gallery;
pub use run::{UiError, run};
