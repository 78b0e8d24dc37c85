//! What is logged, and where to: warnings to standard error; an instance also keeps a file in its home.
//!
//! `NOTEGATE_LOG` (else `RUST_LOG`) says what goes to standard error, in the usual filter form. Secrets
//! are in types that do not print themselves, and what others say is cleaned (`clean_log`), so no filter
//! brings them out.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::Layer as _;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::arguments::Verb;
use super::clean_log::Clean;
use super::log_file::LogFile;
use crate::core::Home;

/// What goes to standard error unless something else is asked for: other people's warnings (of the
/// window's libraries, mostly) are for the file.
const STDERR_FILTER: &str = "error,notegate=warn";

/// What an instance keeps in its file.
const FILE_FILTER: &str = "warn,notegate=info";

/// The logging of this process. Finish it last.
#[derive(Debug, Default)]
pub struct Logging {
    file: Option<LogFile>,
}

/// Begins to log. A home without room for a log file costs the file, never the start.
pub fn start(verb: Option<&Verb>) -> Logging {
    let typed = ["NOTEGATE_LOG", "RUST_LOG"].into_iter().find_map(|name| std::env::var(name).ok());
    let filter = typed.as_deref().map(EnvFilter::try_new);
    let understood = !matches!(filter, Some(Err(_)));
    let filter = filter.and_then(Result::ok).unwrap_or_else(|| EnvFilter::new(STDERR_FILTER));
    let to_stderr = fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(Clean(std::io::stderr))
        .with_filter(filter);

    let file = match verb {
        None | Some(Verb::Serve(_)) => {
            Home::from_environment().ok().map(|home| LogFile::open(&home.log_folder()))
        }
        _ => None,
    };
    let (file, refused) = match file {
        Some(Ok(file)) => (Some(file), None),
        Some(Err(error)) => (None, Some(error)),
        None => (None, None),
    };
    let to_file = file.as_ref().map(|file| {
        fmt::layer()
            .with_ansi(false)
            .with_writer(Clean(file.writer()))
            .with_filter(EnvFilter::new(FILE_FILTER))
    });
    // It fails only where a test has set up logging already.
    let _ = tracing_subscriber::registry().with(to_stderr).with(to_file).try_init();
    if !understood {
        tracing::warn!("the log filter in the environment is not understood; warnings are logged");
    }
    if let Some(error) = refused {
        tracing::warn!(%error, "there is no log file");
    }
    Logging { file }
}

impl Logging {
    /// Sees what was logged onto the disk.
    pub fn finish(self) {
        if let Some(file) = self.file {
            file.finish();
        }
    }
}
