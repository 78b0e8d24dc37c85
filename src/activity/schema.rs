//! The form of the database file: making it, recognising it, bringing an older one up to date.
//!
//! Invariant: a file that is not ours, is damaged or was written by a newer program is named and left
//! as it is.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::errors::ActivityError;

/// The form that this program writes.
pub(super) const SCHEMA_VERSION: i64 = STEPS.len() as i64;

/// "NGac" in SQLite's field for the program that a file belongs to.
const APPLICATION: i64 = 0x4E47_6163;

/// How long a write waits for another program that holds the file.
const BUSY_TIME: Duration = Duration::from_secs(2);

/// What leads from each form to the next; a new file takes all of them. Steps are only ever added.
///
/// An index ends in the row's number, so that one value's rows come newest first without sorting.
/// `words` finds any piece of three characters or more in the names and ids of a row.
const STEPS: &[&str] = &["
    CREATE TABLE operations (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        operation TEXT NOT NULL,
        call TEXT NOT NULL,
        started INTEGER NOT NULL, -- milliseconds since 1970
        runtime TEXT NOT NULL,
        session TEXT,
        tool TEXT NOT NULL,
        writes INTEGER NOT NULL,
        kernel TEXT,
        vault TEXT,
        endpoints TEXT NOT NULL, -- JSON, as are the objects
        decision TEXT NOT NULL,
        objects TEXT NOT NULL,
        outcome TEXT NOT NULL,
        code TEXT,
        duration INTEGER -- milliseconds
    ) STRICT;
    CREATE INDEX by_runtime ON operations (runtime);
    CREATE INDEX by_session ON operations (session) WHERE session IS NOT NULL;
    CREATE INDEX by_kernel ON operations (kernel) WHERE kernel IS NOT NULL;
    CREATE INDEX by_tool ON operations (tool);
    CREATE INDEX by_outcome ON operations (outcome);
    CREATE VIRTUAL TABLE words USING fts5 (
        text, content = '', contentless_delete = 1, tokenize = 'trigram'
    );
"];

/// Opens the log for writing; makes it where there is none.
pub(super) fn open(path: &Path) -> Result<Connection, ActivityError> {
    create_private(path)?;
    let failed = |error: rusqlite::Error| not_opened(&error, path);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(BUSY_TIME).map_err(failed)?;
    recognise(&connection, path)?;
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8388608;",
        )
        .map_err(failed)?;
    migrate(&mut connection, STEPS).map_err(failed)?;
    Ok(connection)
}

/// Opens a log that there is, for reading.
pub(super) fn open_to_read(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIME)?;
    Ok(connection)
}

/// SQLite would make the file readable for everyone; those beside it take its mode over.
fn create_private(path: &Path) -> Result<(), ActivityError> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(path).map(drop);
    opened.map_err(|error| ActivityError::Open { path: path.to_owned(), problem: error.to_string() })
}

/// Looks whether the log at `path` could be used, and leaves it as it is. One that is not there can be made.
///
/// # Errors
/// What is wrong with the file.
pub fn examine(path: &Path) -> Result<(), ActivityError> {
    if !path.try_exists().unwrap_or(true) {
        return Ok(());
    }
    let connection = open_to_read(path).map_err(|error| not_opened(&error, path))?;
    recognise(&connection, path)
}

/// Why the file cannot be opened.
fn not_opened(error: &rusqlite::Error, path: &Path) -> ActivityError {
    ActivityError::of(error, path, |path, problem| ActivityError::Open { path, problem })
}

/// Holds the file to be ours, or new, before anything is written to it.
fn recognise(connection: &Connection, path: &Path) -> Result<(), ActivityError> {
    let ask = |question: &str| connection.query_row(question, [], |row| row.get::<_, i64>(0));
    let look = || {
        let (application, version) = (ask("PRAGMA application_id")?, ask("PRAGMA user_version")?);
        Ok((application, version, ask("SELECT count(*) FROM sqlite_schema")?))
    };
    match look() {
        Ok((APPLICATION, version, _)) if version > SCHEMA_VERSION => {
            Err(ActivityError::Newer { path: path.to_owned(), found: version })
        }
        Ok((APPLICATION, _, _) | (0, 0, 0)) => Ok(()),
        Ok(_) => Err(ActivityError::Foreign { path: path.to_owned() }),
        Err(error) => Err(not_opened(&error, path)),
    }
}

/// Takes the steps that the file has not taken yet, all or none.
fn migrate(connection: &mut Connection, steps: &[&str]) -> rusqlite::Result<()> {
    let taken: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let taken = usize::try_from(taken).unwrap_or_default();
    if taken >= steps.len() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for step in &steps[taken..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", steps.len() as i64)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_older_file_takes_only_the_steps_that_it_lacks_and_all_of_them_or_none() {
        let mut connection = Connection::open_in_memory().unwrap();
        let (first, second) = ("CREATE TABLE a (x)", "CREATE TABLE b (x)");
        migrate(&mut connection, &[first]).unwrap();
        migrate(&mut connection, &[first, second]).unwrap();
        migrate(&mut connection, &[first, second]).unwrap();
        assert!(migrate(&mut connection, &[first, second, "CREATE TABLE c (x)", "no SQL"]).is_err());
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        assert_eq!((tables, version), (2, 2));
    }

    #[test]
    fn a_file_that_is_not_ours_is_damaged_or_newer_is_named_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let check = |name: &str, bytes: &[u8], expected: &str| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            let error = open(&path).expect_err(name).to_string();
            assert!(
                error.contains(expected) && error.contains(name) && error.contains("left alone"),
                "{error}"
            );
            assert_eq!(fs::read(&path).unwrap(), bytes, "{name}");
        };
        let written = |change: &str| {
            let path = folder.path().join("made.sqlite");
            let _ = fs::remove_file(&path);
            let connection = open(&path).unwrap();
            connection.execute_batch(change).unwrap();
            connection.close().unwrap();
            fs::read(&path).unwrap()
        };
        check(
            "text",
            "no database at all, but long enough to be looked at".repeat(20).as_bytes(),
            "is damaged",
        );
        check("newer", &written("PRAGMA user_version = 9"), "newer Notegate (version 9");
        check("foreign", &written("PRAGMA application_id = 7"), "no activity log of Notegate");
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_can_read_the_log_and_what_lies_beside_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let connection = open(&folder.path().join("activity.sqlite")).unwrap();
        connection.execute_batch("INSERT INTO words (rowid, text) VALUES (1, 'x')").unwrap();
        let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(Result::unwrap).collect();
        assert_eq!(files.len(), 3, "the database, its log and its index");
        for file in files {
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
        }
    }
}
