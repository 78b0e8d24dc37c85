//! Opening the window and staying with it until it is closed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::app::{PRODUCT, Window};
use super::icons;
use super::link::CoreLink;
use crate::core::Handle;

/// Why there is no window. Everything else of this instance is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum UiError {
    /// There is nothing to draw on.
    #[error(
        "no window can be shown here: {reason}. Run `notegate serve` to work without a window, or start \
         Notegate in a graphical session"
    )]
    NoDisplay { reason: String },
    /// The window was there and failed.
    #[error("the window failed: {reason}. Start Notegate again; `notegate serve` works without a window")]
    Failed { reason: String },
}

/// Shows the window and returns when it is closed, by the person or because the instance ends.
///
/// Call it on the main thread; it blocks. `runtime` is where answers are awaited meanwhile. How long after `began` the first
/// frame was on the screen is logged.
///
/// # Errors
/// [`UiError::NoDisplay`] before a window was seen, [`UiError::Failed`] afterwards.
pub fn run(handle: Handle, runtime: tokio::runtime::Handle, began: Instant) -> Result<(), UiError> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if let Some(reason) = no_display(cfg!(all(unix, not(target_os = "macos"))), set) {
        return Err(UiError::NoDisplay { reason });
    }
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title(PRODUCT)
            .with_app_id("notegate")
            .with_icon(icons::of_the_window())
            .with_inner_size([1100.0, 720.0])
            .with_min_inner_size([760.0, 560.0]),
        // Our own provider chooses by the window's language, see `fonts`.
        system_font_fallback: false,
        ..Default::default()
    };
    let opened = Arc::new(AtomicBool::new(false));
    let link = Arc::new(OnceLock::new());
    let (was_opened, made_link) = (Arc::clone(&opened), Arc::clone(&link));
    let tasks = runtime.clone();
    // A missing library of the keyboard makes its crate panic instead of giving an error.
    let outcome = catch_unwind(AssertUnwindSafe(move || {
        eframe::run_native(
            "notegate",
            options,
            Box::new(move |creation| {
                was_opened.store(true, Ordering::Relaxed);
                let ctx = creation.egui_ctx.clone();
                let link = made_link.get_or_init(|| CoreLink::new(handle, tasks, ctx.clone()));
                link.tell_on_desktop();
                Ok(Box::new(Counted {
                    window: Window::on(&ctx, Box::new(link.clone())),
                    began,
                    first: First::Awaited,
                }))
            }),
        )
    }));
    if let Some(link) = link.get() {
        link.close();
    }
    let reason = match outcome {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => without_source_place(&error.to_string()),
        Err(panic) => panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_else(|| "a library of the graphical session failed".to_owned()),
    };
    if opened.load(Ordering::Relaxed) {
        Err(UiError::Failed { reason })
    } else {
        Err(UiError::NoDisplay { reason })
    }
}

/// The window, and word of its frames in the log.
struct Counted {
    window: Window,
    began: Instant,
    first: First,
}

/// How far the first frame has come.
enum First {
    Awaited,
    Painted,
    Told,
}

impl eframe::App for Counted {
    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        // What comes next begins when the frame before is on the screen.
        if matches!(self.first, First::Painted) {
            tracing::debug!("first frame after {} ms", self.began.elapsed().as_millis());
            self.first = First::Told;
        }
        self.window.logic(ctx, frame);
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.window.ui(ui, frame);
        tracing::trace!("a frame");
        if matches!(self.first, First::Awaited) {
            self.first = First::Painted;
            ui.ctx().request_repaint();
        }
    }
}

/// The error without the place in the foreign source that raised it, which tells a person nothing.
fn without_source_place(error: &str) -> String {
    let words: Vec<&str> = error.split(' ').collect();
    let Some(place) = words.iter().position(|word| word.contains(".rs:")) else { return error.to_owned() };
    let before = words[..place].strip_suffix(&["at"]).unwrap_or(&words[..place]);
    format!("{}: {}", before.join(" "), words[place + 1..].join(" "))
}

/// Why there can be no window, where that is known before trying. `set` tells whether a variable of
/// the environment holds something; only free desktops name their display there.
fn no_display(free_desktop: bool, set: impl Fn(&str) -> bool) -> Option<String> {
    if !free_desktop || ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"].into_iter().any(set) {
        return None;
    }
    Some("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_no_source_file() {
        let check = |error: &str, expected: &str| assert_eq!(without_source_place(error), expected);
        check("os error at /a/b/mod.rs:788: no server", "os error: no server");
        check("nothing of the kind", "nothing of the kind");
    }

    #[test]
    fn without_a_display_no_window_is_tried() {
        assert!(no_display(true, |_| false).is_some());
        assert_eq!(no_display(true, |name| name == "DISPLAY"), None);
        assert_eq!(no_display(true, |name| name == "WAYLAND_DISPLAY"), None);
        assert_eq!(no_display(false, |_| false), None, "macOS and Windows need no variable");
    }
}
