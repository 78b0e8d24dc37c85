//! A walk through the vault on all cores, folder by folder from the open root.
//!
//! No link is followed and no hidden folder entered, so the walk cannot leave the vault (V-11, V-12,
//! V-25). What cannot be read is told at the end and never skipped in silence. Folders are opened when
//! their turn comes and the newest come first, so that few are open at a time.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, File, OpenOptions};
use tokio_util::sync::CancellationToken;

use super::answer;
use super::error::NoteError;
use super::filter;
use super::root::Root;
use crate::obsidian::Output;

/// Files of one folder are handed out in portions of this size, so that a single large folder keeps
/// all cores busy.
const PORTION: usize = 64;

/// More threads than this only wait for each other and the disk.
const MOST_THREADS: usize = 8;

/// What is done with what the walk finds. Each thread has a visitor of its own.
pub trait Visitor: Send {
    /// Whether the walk should go into the folder at `path`. Hidden folders are not even asked about.
    fn enter(&mut self, path: &str) -> bool;

    /// Whether the file at `path` is wanted. Hidden files are not even asked about.
    fn wants(&mut self, path: &str) -> bool;

    /// Deals with a wanted file.
    ///
    /// # Errors
    /// When it cannot be read; this is reported and the walk goes on.
    fn visit(&mut self, file: &Found<'_>) -> io::Result<()>;
}

/// A file in an open folder.
#[derive(Debug)]
pub struct Found<'a> {
    pub dir: &'a Dir,
    pub name: &'a OsStr,
    /// Below the vault, with `/` between names.
    pub path: &'a str,
}

impl Found<'_> {
    /// Opens the file for reading, if it is still a plain file, and tells its size.
    ///
    /// # Errors
    /// When it is gone, has become something else, or may not be read.
    pub fn open(&self) -> io::Result<(File, u64)> {
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No);
        // A pipe swapped in for the file must not hold us up.
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::custom_flags(
            &mut options,
            rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
        );
        let file = self.dir.open_with(self.name, &options)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file any more"));
        }
        Ok((file, metadata.len()))
    }
}

/// Reads file after file into one place in memory.
#[derive(Debug, Default)]
pub struct Reader {
    /// As long as the longest file so far; what lies behind the file that was read means nothing.
    bytes: Vec<u8>,
}

impl Reader {
    /// What is kept for the next file. A longer one gives its memory back.
    const KEPT: usize = 1 << 20;
    const STEP: usize = 1 << 16;

    /// Reads the whole file.
    ///
    /// # Errors
    /// As [`Found::open`].
    pub fn read(&mut self, found: &Found<'_>) -> io::Result<&[u8]> {
        let (mut file, size) = found.open()?;
        self.read_from(&mut file, usize::try_from(size).unwrap_or(0))
    }

    fn read_from(&mut self, file: &mut impl Read, size: usize) -> io::Result<&[u8]> {
        if self.bytes.len() > Self::KEPT {
            self.bytes = Vec::new();
        }
        if self.bytes.len() < size.max(Self::STEP) {
            self.bytes.resize(size.max(Self::STEP), 0);
        }
        let mut length = 0;
        loop {
            // What the file had when it was examined is there; a second look would cost a call more.
            if length == size && size > 0 {
                return Ok(&self.bytes[..length]);
            }
            if length == self.bytes.len() {
                self.bytes.resize(length + length / 2 + 1, 0);
            }
            let end = if size > length { size } else { self.bytes.len() };
            match file.read(&mut self.bytes[length..end]) {
                Ok(0) => return Ok(&self.bytes[..length]),
                Ok(more) => length += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unreadable {
    pub path: String,
    pub reason: String,
}

/// Adds to an answer what could not be read, as a text of its own behind the result.
pub fn report(mut output: Output, unreadable: &[Unreadable]) -> Output {
    const MOST: usize = 20;
    if unreadable.is_empty() {
        return output;
    }
    let mut lines = vec!["The result is incomplete. These could not be read:".to_owned()];
    lines.extend(unreadable.iter().take(MOST).map(|one| format!("{} - {}", one.path, one.reason)));
    if let Some(more) = unreadable.len().checked_sub(MOST).filter(|more| *more > 0) {
        lines.push(format!("and {more} more"));
    }
    output.content.extend(answer::text(lines.join("\n")).content);
    output
}

/// The text of a note for reading: an invalid byte shows as U+FFFD.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    // checking the whole first is several times faster than looking for the first bad byte
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// What a walk leaves.
#[derive(Debug)]
pub struct Walked<V> {
    /// One a thread.
    pub visitors: Vec<V>,
    /// In the order of their paths.
    pub unreadable: Vec<Unreadable>,
}

/// Walks through the whole vault with visitors from `visitor`.
///
/// # Errors
/// When `cancel` fires.
pub fn walk<V: Visitor>(
    root: &Root,
    cancel: &CancellationToken,
    visitor: impl Fn() -> V + Sync,
) -> Result<Walked<V>, NoteError> {
    let queue = Queue::new(Job::Folder { parent: None, name: OsString::new(), path: String::new() });
    let threads = thread::available_parallelism().map_or(2, usize::from).clamp(1, MOST_THREADS);
    let work = || {
        let mut worker = Worker { root, queue: &queue, visitor: visitor(), unreadable: Vec::new() };
        while let Some((job, _running)) = queue.take(cancel) {
            worker.run(job, cancel);
        }
        (worker.visitor, worker.unreadable)
    };
    let results: Vec<_> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mine = work();
        let others = others.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        std::iter::once(mine).chain(others).collect()
    });
    if cancel.is_cancelled() {
        return Err(NoteError::Cancelled);
    }
    let mut walked = Walked { visitors: Vec::with_capacity(results.len()), unreadable: Vec::new() };
    for (visitor, unreadable) in results {
        walked.visitors.push(visitor);
        walked.unreadable.extend(unreadable);
    }
    walked.unreadable.sort_by(|a, b| order(&a.path, &b.path));
    Ok(walked)
}

/// The order in which MCPVault comes to files: depth first, by the bytes of the names.
pub fn order(a: &str, b: &str) -> Ordering {
    a.split('/').cmp(b.split('/'))
}

#[derive(Debug)]
enum Job {
    /// Without a parent, the root.
    Folder {
        parent: Option<Arc<Dir>>,
        name: OsString,
        path: String,
    },
    Files {
        dir: Arc<Dir>,
        folder: Arc<str>,
        names: Vec<OsString>,
    },
}

struct Worker<'a, V> {
    root: &'a Root,
    queue: &'a Queue,
    visitor: V,
    unreadable: Vec<Unreadable>,
}

impl<V: Visitor> Worker<'_, V> {
    fn run(&mut self, job: Job, cancel: &CancellationToken) {
        match job {
            Job::Folder { parent, name, path } => {
                if let Err(error) = self.folder(parent.as_deref(), &name, &path) {
                    self.report(&path, &error);
                }
            }
            Job::Files { dir, folder, names } => {
                let mut paths = Paths::below(&folder);
                for name in names {
                    if cancel.is_cancelled() {
                        return;
                    }
                    let path = paths.of(&name.to_string_lossy());
                    if let Err(error) = self.visitor.visit(&Found { dir: &dir, name: &name, path }) {
                        self.report(path, &error);
                    }
                }
            }
        }
    }

    fn folder(&mut self, parent: Option<&Dir>, name: &OsStr, path: &str) -> io::Result<()> {
        let dir = match parent {
            None => self.root.dir().try_clone()?,
            Some(parent) => parent.open_dir_nofollow(name)?,
        };
        if self.root.is_protected(&dir)? {
            return Ok(());
        }
        let dir = Arc::new(dir);
        let folder: Arc<str> = path.into();
        let mut paths = Paths::below(path);
        let mut names = Vec::new();
        let mut failed = None;
        for entry in dir.entries()? {
            let found = entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)));
            let (name, kind) = match found {
                Ok(found) => found,
                // the rest of the folder may be readable all the same
                Err(error) => {
                    failed = Some(error);
                    continue;
                }
            };
            let shown = name.to_string_lossy();
            if filter::is_hidden(&shown) {
                continue;
            }
            let path = paths.of(&shown);
            if kind.is_dir() {
                if self.visitor.enter(path) {
                    let path = path.to_owned();
                    self.queue.add(Job::Folder { parent: Some(Arc::clone(&dir)), name, path });
                }
            } else if kind.is_file() && self.visitor.wants(path) {
                names.push(name);
                if names.len() == PORTION {
                    let names = std::mem::take(&mut names);
                    self.queue.add(Job::Files { dir: Arc::clone(&dir), folder: Arc::clone(&folder), names });
                }
            }
        }
        if !names.is_empty() {
            self.queue.add(Job::Files { dir, folder, names });
        }
        failed.map_or(Ok(()), Err)
    }

    fn report(&mut self, path: &str, error: &io::Error) {
        // Deleted since its folder was read: it is not there any more, and that is no fault.
        if error.kind() != io::ErrorKind::NotFound {
            let path = if path.is_empty() { "/" } else { path };
            self.unreadable.push(Unreadable { path: path.to_owned(), reason: error.to_string() });
        }
    }
}

/// The paths of what is in one folder, one after the other in the same memory.
struct Paths {
    path: String,
    folder: usize,
}

impl Paths {
    fn below(folder: &str) -> Self {
        let path = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        Self { folder: path.len(), path }
    }

    fn of(&mut self, name: &str) -> &str {
        self.path.truncate(self.folder);
        self.path.push_str(name);
        &self.path
    }
}

/// What is left to do. It is over when nothing waits and nobody works.
#[derive(Debug)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    waiting: Vec<Job>,
    running: usize,
}

impl Queue {
    fn new(first: Job) -> Self {
        Self { state: Mutex::new(State { waiting: vec![first], running: 0 }), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panics elsewhere leaves the list as whole as it was.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, job: Job) {
        self.lock().waiting.push(job);
        self.changed.notify_one();
    }

    /// The newest job, as soon as there is one. `None` when all is done, or `cancel` fired.
    fn take(&self, cancel: &CancellationToken) -> Option<(Job, Running<'_>)> {
        let mut state = self.lock();
        loop {
            if cancel.is_cancelled() {
                return None;
            }
            if let Some(job) = state.waiting.pop() {
                state.running += 1;
                return Some((job, Running(self)));
            }
            if state.running == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A job in work. Dropped also when the work panics, so that the other threads do not wait for it.
struct Running<'a>(&'a Queue);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.running -= 1;
        if state.running == 0 {
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
