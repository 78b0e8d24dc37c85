//! Tells of a question on the desktop, for as long as it waits and the window is not in front.
//!
//! There is one notice at most: a newer one takes its place, and it goes when nothing waits any more. A click on it brings
//! the window to the front; under Wayland, where a window cannot do that by itself, the desktop may only point at it.
//! Elsewhere than on free desktops the window's own call for attention has to do.

#[cfg(all(unix, not(target_os = "macos")))]
mod bus;

#[cfg(all(unix, not(target_os = "macos")))]
pub use bus::follow;

/// What is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub title: String,
    pub text: String,
    /// What a click on it does.
    pub open: String,
}

/// Here nothing is told.
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub async fn follow(
    _: tokio::sync::watch::Receiver<Option<Notice>>,
    closed: tokio_util::sync::CancellationToken,
    _: impl Fn(),
) {
    closed.cancelled().await;
}
