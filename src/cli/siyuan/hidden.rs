//! Typing that is not shown.

use std::io;

/// The terminal shows again what is typed when this is dropped.
#[derive(Debug)]
#[cfg_attr(not(unix), allow(dead_code, reason = "there is none on this platform"))]
pub(super) struct Hidden {
    #[cfg(unix)]
    before: rustix::termios::Termios,
}

/// Hides what is typed at the terminal of standard input.
#[cfg(unix)]
pub(super) fn typing() -> io::Result<Hidden> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let before = tcgetattr(io::stdin())?;
    let mut hidden = before.clone();
    hidden.local_modes.remove(LocalModes::ECHO);
    hidden.local_modes.insert(LocalModes::ECHONL);
    tcsetattr(io::stdin(), OptionalActions::Flush, &hidden)?;
    Ok(Hidden { before })
}

/// Not to be had on this platform without unsafe code.
#[cfg(not(unix))]
pub(super) fn typing() -> io::Result<Hidden> {
    Err(io::Error::other(
        "what is typed here would be shown; send the token from a program or a file instead",
    ))
}

#[cfg(unix)]
impl Drop for Hidden {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        // A terminal that is gone shows nothing anyway.
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.before);
    }
}
