//! The thread that writes. What waits is written together, so that many calls at the same time cost
//! little more than one.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tokio::sync::{mpsc, oneshot, watch};

use super::errors::ActivityError;
use super::log::{Operation, Status};
use super::record::{Ending, Intent, OperationId};
use super::store::{Change, Retention, Store};

/// How much is written in one transaction at most.
const BATCH: usize = 256;

/// After so many new rows old ones are looked for.
const ROWS_BETWEEN_TIDYING: usize = 256;

type Answer<T> = oneshot::Sender<Result<T, ActivityError>>;

/// What the thread is told.
#[derive(Debug)]
pub(super) enum Message {
    /// The operation is sent back with its number, or dropped with its place.
    Begin {
        operation: Operation,
        started: SystemTime,
        intent: Box<Intent>,
        answer: Answer<Operation>,
    },
    Refused {
        operation: OperationId,
        started: SystemTime,
        intent: Box<Intent>,
        code: String,
        answer: Answer<()>,
    },
    End {
        number: i64,
        took: Duration,
        ending: Ending,
        answer: Option<Answer<()>>,
    },
    /// Old rows are kept for so long from now on.
    Retain(Retention),
    Close,
}

impl Message {
    fn change(&self) -> Option<Change<'_>> {
        match self {
            Self::Begin { operation, started, intent, .. } => {
                Some(Change::Begin { operation: operation.id(), started: *started, intent, refused: None })
            }
            Self::Refused { operation, started, intent, code, .. } => {
                Some(Change::Begin { operation, started: *started, intent, refused: Some(code) })
            }
            Self::End { number, took, ending, .. } => {
                Some(Change::End { number: *number, took: Some(*took), ending })
            }
            Self::Retain(_) | Self::Close => None,
        }
    }

    /// Tells whoever waits. An operation that nobody waits for any more ends by being dropped.
    fn answer(self, written: Result<i64, ActivityError>) {
        match self {
            Self::Begin { mut operation, answer, .. } => {
                let _ = answer.send(written.map(|number| {
                    operation.number = number;
                    operation
                }));
            }
            Self::Refused { answer, .. } | Self::End { answer: Some(answer), .. } => {
                let _ = answer.send(written.map(drop));
            }
            Self::End { answer: None, .. } | Self::Retain(_) | Self::Close => {}
        }
    }
}

pub(super) struct Writer {
    path: PathBuf,
    retention: Retention,
    status: watch::Sender<Status>,
    store: Option<Store>,
    /// Which file that is.
    file: Option<FileId>,
    /// Rows since old ones were looked for.
    untidied: usize,
}

/// Tells one file from another one of the same name.
type FileId = (u64, u64);

/// The file that stands at `path`; `None` where none does, or where the system lets nobody take an open one away.
fn file_id(path: &Path) -> Option<FileId> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

impl Writer {
    pub(super) fn new(path: PathBuf, retention: Retention, status: watch::Sender<Status>) -> Self {
        Self { path, retention, status, store: None, file: None, untidied: ROWS_BETWEEN_TIDYING }
    }

    pub(super) fn run(mut self, mut inbox: mpsc::Receiver<Message>) {
        if let Err(problem) = self.store() {
            self.tell(Some(problem));
        }
        while let Some(message) = inbox.blocking_recv() {
            let mut batch = vec![message];
            while batch.len() < BATCH
                && let Ok(message) = inbox.try_recv()
            {
                batch.push(message);
            }
            for message in &batch {
                if let Message::Retain(retention) = message {
                    self.retention = *retention;
                    self.untidied = ROWS_BETWEEN_TIDYING;
                }
            }
            let closing = batch.iter().any(|message| matches!(message, Message::Close));
            self.write(batch);
            if closing {
                inbox.close();
                while let Ok(message) = inbox.try_recv() {
                    self.write(vec![message]);
                }
                return;
            }
            self.tidy();
        }
    }

    /// The open file. One that failed is tried again, so that a person who moves it away is served.
    fn store(&mut self) -> Result<&mut Store, ActivityError> {
        if self.store.is_none() {
            let opened = Store::open(&self.path);
            self.status.send_modify(|status| {
                status.opened += 1;
                status.problem = opened.as_ref().err().cloned();
            });
            let (store, left) = opened?;
            if left > 0 {
                tracing::warn!(
                    left,
                    "calls were running when Notegate ended; how they came out is uncertain"
                );
            }
            self.store = Some(store);
            self.file = file_id(&self.path);
        } else if file_id(&self.path) != self.file {
            // A row in a file that has no name any more is no record.
            return Err(ActivityError::Gone { path: self.path.clone() });
        }
        self.store.as_mut().ok_or(ActivityError::Closed)
    }

    fn write(&mut self, batch: Vec<Message>) {
        let changes: Vec<Change<'_>> = batch.iter().filter_map(Message::change).collect();
        let count = changes.len();
        if count == 0 {
            return;
        }
        self.untidied += count;
        match self.store().and_then(|store| store.apply(&changes)) {
            Ok(numbers) => {
                self.tell(None);
                let written = batch.into_iter().filter(|message| message.change().is_some());
                for (message, number) in written.zip(numbers) {
                    message.answer(Ok(number));
                }
            }
            // One of them must not take the others with it.
            Err(_) if count > 1 => {
                for message in batch {
                    self.write(vec![message]);
                }
            }
            Err(problem) => {
                self.failed(&problem);
                for message in batch {
                    message.answer(Err(problem.clone()));
                }
            }
        }
    }

    fn failed(&mut self, problem: &ActivityError) {
        tracing::error!(%problem, "nothing was recorded");
        if problem.ends_the_connection() {
            self.store = None;
        }
        self.tell(Some(problem.clone()));
    }

    fn tell(&self, problem: Option<ActivityError>) {
        self.status.send_modify(|status| {
            status.revision += 1;
            status.problem = problem;
        });
    }

    /// Removes some old rows, if it is time; the rest with the next batch.
    fn tidy(&mut self) {
        if self.untidied < ROWS_BETWEEN_TIDYING {
            return;
        }
        let Some(store) = &mut self.store else { return };
        match store.tidy(self.retention, SystemTime::now()) {
            Ok(true) => {}
            Ok(false) => self.untidied = 0,
            Err(problem) => {
                self.untidied = 0;
                tracing::warn!(%problem, "old rows of the activity log were not removed");
            }
        }
    }
}
