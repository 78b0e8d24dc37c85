//! The log in use: its owner, its handles, and the thread that writes.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use rusqlite::Connection;
use tokio::sync::mpsc::{self, OwnedPermit};
use tokio::sync::{oneshot, watch};

use super::errors::ActivityError;
use super::query::{self, Page, Query};
use super::record::{CallId, Ending, Intent, OperationId, Outcome, presentable};
use super::schema;
use super::store::Retention;
use super::writer::{Message, Writer};
use crate::secrets::filter::Filters;

/// What runs and what waits to be written, at the same time. Who comes when all places are taken waits.
const PLACES: usize = 4096;

/// The state of the log, to be followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// Counts what was written by this process.
    pub revision: u64,
    /// Why nothing can be recorded at present.
    pub problem: Option<ActivityError>,
    /// How often the file was opened; 0 until it was tried.
    pub(super) opened: u64,
}

/// The owner of the log. Close it, so that everything is written when the home is given free.
#[derive(Debug)]
pub struct Activity {
    log: Log,
    thread: JoinHandle<()>,
}

impl Activity {
    /// Begins to keep the log in the file at `path`. The file is opened by a thread of its own, which
    /// starts with it; what is recorded meanwhile waits for that.
    ///
    /// # Errors
    /// The operating system gave no thread. A file that cannot be used is no error here: it is told by
    /// [`Log::watch`], and by everything that needs it.
    pub fn open(path: PathBuf, retention: Retention, filters: Filters) -> std::io::Result<Self> {
        let (places, inbox) = mpsc::channel(PLACES);
        let status = watch::Sender::new(Status::default());
        let log = Log {
            inner: Arc::new(Inner {
                places,
                filters,
                status: status.subscribe(),
                path: path.clone(),
                reading: Mutex::new(None),
                start: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis()),
                ids: AtomicU64::new(1),
            }),
        };
        let writer = Writer::new(path, retention, status);
        let thread = std::thread::Builder::new().name("activity".into()).spawn(|| writer.run(inbox))?;
        Ok(Self { log, thread })
    }

    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Writes what waits and ends the thread. What still runs by then stays marked so, and is uncertain at
    /// the next start.
    pub async fn close(self) {
        let Self { log, thread } = self;
        *log.inner.reading() = None;
        let _ = log.inner.places.send(Message::Close).await; // an ended thread needs no telling
        drop(log);
        let joined = tokio::task::spawn_blocking(|| thread.join()).await;
        if !matches!(joined, Ok(Ok(()))) {
            tracing::error!("the thread of the activity log did not end well");
        }
    }
}

/// The way to the log. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Log {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    places: mpsc::Sender<Message>,
    filters: Filters,
    status: watch::Receiver<Status>,
    path: PathBuf,
    /// The connection that pages are read by, and which opening of the file it belongs to.
    reading: Mutex<Option<(u64, Connection)>>,
    /// When this process began, in milliseconds since 1970: makes its ids differ from those of others.
    start: u128,
    ids: AtomicU64,
}

impl Inner {
    fn reading(&self) -> std::sync::MutexGuard<'_, Option<(u64, Connection)>> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_id(&self) -> String {
        format!("{:x}-{}", self.start, self.ids.fetch_add(1, Ordering::Relaxed))
    }
}

impl Log {
    /// A name for a call that begins.
    pub fn next_call(&self) -> CallId {
        CallId(self.inner.next_id())
    }

    /// Records an intent. Send nothing before this has returned, and nothing if it fails.
    ///
    /// # Errors
    /// It could not be written; the error says why and what the person can do.
    pub async fn begin(&self, intent: Intent) -> Result<Operation, ActivityError> {
        let (started, since) = (SystemTime::now(), Instant::now());
        // The place is kept for the outcome, which therefore never waits and is never lost.
        let place = self.place().await?;
        let (answer, written) = oneshot::channel();
        let operation = OperationId(self.inner.next_id());
        let intent = Box::new(intent.presentable(&self.inner.filters));
        let operation = Operation {
            id: operation,
            number: 0,
            writes: intent.writes,
            handed_over: false,
            since,
            place: Some(place),
            filters: self.inner.filters.clone(),
        };
        self.send(Message::Begin { operation, started, intent, answer }).await?;
        let mut operation = written.await.unwrap_or(Err(ActivityError::Closed))?;
        operation.handed_over = true;
        Ok(operation)
    }

    /// Records that something was refused and nothing sent. A failure to record it changes nothing about
    /// the refusal, and is told by [`Log::watch`].
    pub async fn refuse(&self, intent: Intent, code: &str) {
        let (answer, written) = oneshot::channel();
        let operation = OperationId(self.inner.next_id());
        let (started, intent, code) =
            (SystemTime::now(), Box::new(intent.presentable(&self.inner.filters)), code.to_owned());
        if self.send(Message::Refused { operation, started, intent, code, answer }).await.is_ok() {
            let _ = written.await;
        }
    }

    /// Reads a page. Everything whose recording was awaited before is in it.
    ///
    /// # Errors
    /// The file cannot be used.
    pub async fn page(&self, query: Query) -> Result<Page, ActivityError> {
        let mut status = self.inner.status.clone();
        let opened = match status.wait_for(|status| status.opened > 0).await {
            Ok(status) if status.problem.as_ref().is_some_and(ActivityError::ends_the_connection) => {
                return Err(status.problem.clone().unwrap_or(ActivityError::Closed));
            }
            Ok(status) => status.opened,
            Err(_) => return Err(ActivityError::Closed),
        };
        let inner = Arc::clone(&self.inner);
        let reading = tokio::task::spawn_blocking(move || inner.read(opened, &query));
        reading.await.unwrap_or_else(|error| {
            Err(ActivityError::Read { path: self.inner.path.clone(), problem: error.to_string() })
        })
    }

    /// Keeps old operations for so long from now on; what is older goes with what is written next.
    pub async fn retain(&self, retention: Retention) {
        // A log that is closed keeps what there is.
        let _ = self.send(Message::Retain(retention)).await;
    }

    /// Follows what is written, and whether it can be.
    pub fn watch(&self) -> watch::Receiver<Status> {
        self.inner.status.clone()
    }

    async fn place(&self) -> Result<OwnedPermit<Message>, ActivityError> {
        self.inner.places.clone().reserve_owned().await.map_err(|_| ActivityError::Closed)
    }

    async fn send(&self, message: Message) -> Result<(), ActivityError> {
        self.inner.places.send(message).await.map_err(|_| ActivityError::Closed)
    }
}

impl Inner {
    fn read(&self, opened: u64, query: &Query) -> Result<Page, ActivityError> {
        let mut reading = self.reading();
        let read = (|| {
            let connection = match reading.take() {
                Some((of, connection)) if of == opened => connection,
                _ => schema::open_to_read(&self.path)?,
            };
            let page = query::read(&connection, query)?;
            *reading = Some((opened, connection));
            Ok(page)
        })();
        read.map_err(|error: rusqlite::Error| {
            ActivityError::of(&error, &self.path, |path, problem| ActivityError::Read { path, problem })
        })
    }
}

/// An operation whose intent is recorded. End it; one that is dropped is recorded as uncertain where it
/// writes, and as cancelled otherwise.
#[derive(Debug)]
pub struct Operation {
    id: OperationId,
    pub(super) number: i64,
    writes: bool,
    /// Its caller got it. Before, nothing can have been sent.
    handed_over: bool,
    since: Instant,
    /// Kept for the outcome.
    place: Option<OwnedPermit<Message>>,
    filters: Filters,
}

impl Operation {
    pub fn id(&self) -> &OperationId {
        &self.id
    }

    /// Records how it came out.
    ///
    /// # Errors
    /// It could not be written. If the operation wrote, say that it must not be repeated.
    pub async fn end(mut self, ending: Ending) -> Result<(), ActivityError> {
        let (answer, written) = oneshot::channel();
        self.leave(ending, Some(answer));
        written.await.unwrap_or(Err(ActivityError::Closed))
    }

    fn leave(&mut self, mut ending: Ending, answer: Option<oneshot::Sender<Result<(), ActivityError>>>) {
        ending.objects = presentable(ending.objects, &self.filters);
        if let Some(place) = self.place.take() {
            let (number, took) = (self.number, self.since.elapsed());
            place.send(Message::End { number, took, ending, answer });
        }
    }
}

impl Drop for Operation {
    fn drop(&mut self) {
        // Number 0 was never written: its intent failed.
        if self.number != 0 {
            let may_have_written = self.writes && self.handed_over;
            let outcome = if may_have_written { Outcome::Uncertain } else { Outcome::Cancelled };
            self.leave(Ending::new(outcome, None), None);
        }
    }
}
