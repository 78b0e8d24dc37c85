//! The writing side of the database: what the log's thread does with its connection.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, TransactionBehavior, params};
use serde::Serialize;

use super::errors::ActivityError;
use super::record::{Ending, Intent, MOST_OBJECTS, Object, OperationId, Outcome, whole_milliseconds};
use super::schema;

/// How long rows are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Older rows go.
    pub days: u32,
    /// The oldest ones above this number go.
    pub rows: u64,
}

/// How many rows one tidying removes at most, so that no call waits long for it.
const TIDIED_AT_ONCE: i64 = 500;

/// One thing to be written.
#[derive(Debug)]
pub(super) enum Change<'a> {
    /// Records an intent; a `refused` one has ended by that, with this code.
    Begin {
        operation: &'a OperationId,
        started: SystemTime,
        intent: &'a Intent,
        refused: Option<&'a str>,
    },
    End {
        number: i64,
        took: Option<Duration>,
        ending: &'a Ending,
    },
}

#[derive(Debug)]
pub(super) struct Store {
    connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Opens the log. What a former process left running can have taken effect or not, and is marked so;
    /// the number of these is returned with it.
    pub(super) fn open(path: &Path) -> Result<(Self, usize), ActivityError> {
        let store = Self { connection: schema::open(path)?, path: path.to_owned() };
        let left = store
            .connection
            .execute(
                "UPDATE operations SET outcome = ?1 WHERE outcome = ?2",
                [Outcome::Uncertain.as_str(), Outcome::Running.as_str()],
            )
            .map_err(|error| store.failed(&error))?;
        Ok((store, left))
    }

    fn failed(&self, error: &rusqlite::Error) -> ActivityError {
        ActivityError::of(error, &self.path, |path, problem| ActivityError::Write { path, problem })
    }

    /// Writes all of the changes or none. Returns the number of each row.
    pub(super) fn apply(&mut self, changes: &[Change<'_>]) -> Result<Vec<i64>, ActivityError> {
        self.try_apply(changes).map_err(|error| self.failed(&error))
    }

    fn try_apply(&mut self, changes: &[Change<'_>]) -> rusqlite::Result<Vec<i64>> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut numbers = Vec::with_capacity(changes.len());
        for change in changes {
            numbers.push(match change {
                Change::Begin { operation, started, intent, refused } => {
                    begin(&transaction, operation, *started, intent, *refused)?
                }
                Change::End { number, took, ending } => {
                    end(&transaction, *number, *took, ending)?;
                    *number
                }
            });
        }
        transaction.commit()?;
        Ok(numbers)
    }

    /// Removes some of the rows that are kept long enough. `true` when there may be more of them.
    pub(super) fn tidy(&mut self, retention: Retention, now: SystemTime) -> Result<bool, ActivityError> {
        let oldest = now.checked_sub(Duration::from_secs(u64::from(retention.days) * 24 * 3600));
        let oldest = oldest.map_or(i64::MIN, milliseconds);
        self.try_tidy(oldest, retention.rows).map_err(|error| self.failed(&error))
    }

    fn try_tidy(&mut self, oldest: i64, rows: u64) -> rusqlite::Result<bool> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let newest: i64 =
            transaction.query_row("SELECT coalesce(max(number), 0) FROM operations", [], |row| row.get(0))?;
        // Numbers are given without gaps and rows go in their order, so they tell how many there are.
        let kept_from = newest.saturating_sub(i64::try_from(rows).unwrap_or(i64::MAX)) + 1;
        let gone: Vec<i64> = transaction
            .prepare_cached(
                "SELECT number FROM
                 (SELECT number, started FROM operations WHERE outcome <> 'running' ORDER BY number LIMIT ?1)
                 WHERE number < ?2 OR started < ?3",
            )?
            .query_map(params![TIDIED_AT_ONCE, kept_from, oldest], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for number in &gone {
            transaction.prepare_cached("DELETE FROM operations WHERE number = ?1")?.execute([number])?;
            transaction.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([number])?;
        }
        transaction.commit()?;
        Ok(gone.len() as i64 == TIDIED_AT_ONCE)
    }
}

fn begin(
    connection: &Connection,
    operation: &OperationId,
    started: SystemTime,
    intent: &Intent,
    refused: Option<&str>,
) -> rusqlite::Result<i64> {
    let outcome = if refused.is_some() { Outcome::Refused } else { Outcome::Running };
    connection
        .prepare_cached(
            "INSERT INTO operations (operation, call, started, runtime, session, tool, writes, kernel, vault, endpoints,
             decision, objects, outcome, code)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?
        .execute(params![
            operation.0,
            intent.call.0,
            milliseconds(started),
            intent.runtime.as_str(),
            intent.session,
            intent.tool,
            intent.writes,
            intent.kernel,
            intent.vault,
            json(&intent.endpoints),
            intent.decision.as_str(),
            json(&intent.objects),
            outcome.as_str(),
            refused,
        ])?;
    let number = connection.last_insert_rowid();
    connection
        .prepare_cached("INSERT INTO words (rowid, text) VALUES (?1, ?2)")?
        .execute(params![number, words(operation, intent)])?;
    Ok(number)
}

fn end(
    connection: &Connection,
    number: i64,
    took: Option<Duration>,
    ending: &Ending,
) -> rusqlite::Result<()> {
    let took = took.map(|took| i64::try_from(whole_milliseconds(took)).unwrap_or(i64::MAX));
    // A row that is gone by now was tidied away; there is nothing to be told about it any more.
    connection
        .prepare_cached("UPDATE operations SET outcome = ?2, code = ?3, duration = ?4 WHERE number = ?1")?
        .execute(params![number, ending.outcome.as_str(), ending.code, took])?;
    if ending.objects.is_empty() {
        return Ok(());
    }
    add_objects(connection, number, &ending.objects)
}

/// Adds what came to be known by the answer, to the row and to what it is found by.
fn add_objects(connection: &Connection, number: i64, added: &[Object]) -> rusqlite::Result<()> {
    let known: String = connection
        .prepare_cached("SELECT objects FROM operations WHERE number = ?1")?
        .query_row([number], |row| row.get(0))?;
    let mut objects: Vec<Object> = serde_json::from_str(&known).unwrap_or_default();
    let room = MOST_OBJECTS.saturating_sub(objects.len());
    objects.extend(
        added.iter().filter(|object| !objects.contains(object)).take(room).cloned().collect::<Vec<_>>(),
    );
    connection
        .prepare_cached("UPDATE operations SET objects = ?2 WHERE number = ?1")?
        .execute(params![number, json(&objects)])?;
    let text: String = connection
        .prepare_cached(
            "SELECT concat_ws(char(10), operation, call, runtime, session, tool, kernel, vault,
             (SELECT group_concat(value ->> 'key', char(10)) FROM json_each(endpoints)),
             (SELECT group_concat(value ->> 'id', char(10)) FROM json_each(objects)))
             FROM operations WHERE number = ?1",
        )?
        .query_row([number], |row| row.get(0))?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO words (rowid, text) VALUES (?1, ?2)")?
        .execute(params![number, text])?;
    Ok(())
}

/// What a row is found by: its names and ids, a line each.
fn words(operation: &OperationId, intent: &Intent) -> String {
    let mut words = vec![operation.0.as_str(), &intent.call.0, intent.runtime.as_str(), &intent.tool];
    let optional = [&intent.session, &intent.kernel, &intent.vault];
    words.extend(optional.into_iter().flatten().map(String::as_str));
    words.extend(intent.endpoints.iter().map(|endpoint| endpoint.key.as_str()));
    words.extend(intent.objects.iter().map(|object| object.id.as_str()));
    words.join("\n")
}

fn json<T: Serialize>(list: &[T]) -> String {
    // Words and texts alone: writing them as JSON cannot fail.
    serde_json::to_string(list).unwrap_or_else(|_| "[]".into())
}

fn milliseconds(moment: SystemTime) -> i64 {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
