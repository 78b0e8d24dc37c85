//! The log file of an instance: `notegate.log`, of bounded size, with one predecessor kept beside it.
//!
//! Lines are handed to a thread of their own, so that nobody who logs waits for the disk.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use tracing_subscriber::fmt::MakeWriter;

/// A file that has grown to this many bytes makes room for a new one.
const MAX_BYTES: u64 = 2 * 1024 * 1024;

/// Lines that may wait for the disk. Further ones are dropped rather than holding up a call.
const WAITING_LINES: usize = 1024;

#[derive(Debug)]
enum Entry {
    Line(Vec<u8>),
    End,
}

/// An open log file. Finish it to see the last lines onto the disk.
#[derive(Debug)]
pub struct LogFile {
    entries: SyncSender<Entry>,
    thread: JoinHandle<()>,
}

impl LogFile {
    /// Opens the log in `folder`, which is created for the owner alone.
    ///
    /// # Errors
    /// The folder or the file cannot be created.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
        let mut file = Bounded::open(folder.join("notegate.log"), MAX_BYTES)?;
        let (entries, waiting) = sync_channel(WAITING_LINES);
        let thread = std::thread::Builder::new().name("log".into()).spawn(move || {
            while let Ok(Entry::Line(line)) = waiting.recv() {
                let _ = file.append(&line); // a full disk must not end the program
            }
        })?;
        Ok(Self { entries, thread })
    }

    pub fn writer(&self) -> Lines {
        Lines(self.entries.clone())
    }

    /// Writes what waits, and closes the file.
    pub fn finish(self) {
        if self.entries.send(Entry::End).is_ok() {
            let _ = self.thread.join();
        }
    }
}

/// Makes a writer for each line.
#[derive(Debug, Clone)]
pub struct Lines(SyncSender<Entry>);

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line { entries: self.0.clone(), text: Vec::new() }
    }
}

/// One line, on its way.
#[derive(Debug)]
pub struct Line {
    entries: SyncSender<Entry>,
    text: Vec<u8>,
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        match self.entries.try_send(Entry::Line(std::mem::take(&mut self.text))) {
            Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
        }
    }
}

#[derive(Debug)]
struct Bounded {
    path: PathBuf,
    max: u64,
    file: File,
    written: u64,
}

impl Bounded {
    fn open(path: PathBuf, max: u64) -> io::Result<Self> {
        let file = open_private(&path)?;
        let written = file.metadata()?.len();
        Ok(Self { path, max, file, written })
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let length = line.len() as u64;
        if self.written > 0 && self.written + length > self.max {
            fs::rename(&self.path, self.path.with_extension("log.old"))?;
            self.file = open_private(&self.path)?;
            self.written = 0;
        }
        self.file.write_all(line)?;
        self.written += length;
        Ok(())
    }
}

fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_bounded_and_keeps_one_predecessor() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notegate.log");
        let mut log = Bounded::open(path.clone(), 10).unwrap();
        for line in ["first\n", "second\n", "third\n"] {
            log.append(line.as_bytes()).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "third\n");
        assert_eq!(fs::read_to_string(folder.path().join("notegate.log.old")).unwrap(), "second\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_was_logged_is_on_the_disk_when_it_finishes() {
        let folder = tempfile::tempdir().unwrap();
        let log = LogFile::open(&folder.path().join("log")).unwrap();
        writeln!(log.writer().make_writer(), "one").unwrap();
        log.finish();
        assert_eq!(fs::read_to_string(folder.path().join("log/notegate.log")).unwrap(), "one\n");
    }
}
