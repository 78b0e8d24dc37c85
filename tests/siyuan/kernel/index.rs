//! The index of a kernel: an SQLite table that follows the notes with a delay.

use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

use super::notes::{Block, Document, Notes};
use super::{Setup, markdown};

const COLUMNS: &str = "id, parent_id, root_id, box, path, hpath, name, alias, memo, tag, content, fcontent, markdown, \
    length, type, subtype, ial, sort, created, updated";

pub struct Index {
    db: rusqlite::Connection,
    /// The version of the notes that it shows.
    version: u64,
}

/// Why a statement gave nothing.
pub enum Refusal {
    /// The kernel's own checks.
    Checked(String),
    /// SQLite's, which the kernel hands on with code 1.
    Sqlite(String),
}

impl Index {
    pub fn new() -> Self {
        let db = rusqlite::Connection::open_in_memory().unwrap();
        db.execute_batch(&format!("CREATE TABLE blocks ({COLUMNS})")).unwrap();
        Self { db, version: 0 }
    }

    /// Catches up if the delay is over since the last change.
    pub fn follow(&mut self, notes: &Notes, setup: &Setup) {
        if notes.changed.elapsed() >= setup.index_delay {
            self.catch_up(notes);
        }
    }

    pub fn catch_up(&mut self, notes: &Notes) {
        if self.version == notes.version {
            return;
        }
        self.version = notes.version;
        let transaction = self.db.transaction().unwrap();
        transaction.execute("DELETE FROM blocks", []).unwrap();
        let open = |document: &&Document| {
            notes.notebook(&document.notebook).is_some_and(|notebook| !notebook.encrypted)
        };
        for document in notes.documents.values().filter(open) {
            let (path, hpath) = (notes.path(document), notes.hpath(document));
            let mut rows = vec![(
                document.id.clone(),
                String::new(),
                "d",
                String::new(),
                document.title.clone(),
                String::new(),
            )];
            collect(&document.blocks, &document.id, &mut rows);
            for (id, parent, kind, subtype, content, text) in rows {
                let row = rusqlite::params![
                    id,
                    parent,
                    document.id,
                    document.notebook,
                    path,
                    hpath,
                    "",
                    "",
                    "",
                    "",
                    content,
                    "",
                    text,
                    i64::try_from(content.chars().count()).unwrap(),
                    kind,
                    subtype,
                    "",
                    0,
                    &id[..14],
                    document.updated,
                ];
                let places = vec!["?"; row.len()].join(", ");
                transaction.execute(&format!("INSERT INTO blocks VALUES ({places})"), row).unwrap();
            }
        }
        transaction.commit().unwrap();
    }

    /// Runs a statement as `/api/query/sql` does.
    pub fn query(&self, statement: &str, mode: &str, limit: usize) -> Result<(Vec<Value>, bool), Refusal> {
        let sqlite = |error: rusqlite::Error| Refusal::Sqlite(error.to_string());
        if mode != "multiple" && statement.trim().trim_end_matches(';').contains(';') {
            return Err(Refusal::Checked("SQL statement is not single".to_owned()));
        }
        let mut prepared = self.db.prepare(statement).map_err(sqlite)?;
        let begin = statement.trim_start().get(..6).unwrap_or_default().to_lowercase();
        if mode == "readonly" && !(prepared.readonly() && (begin == "select" || begin.starts_with("with"))) {
            return Err(Refusal::Checked("SQL statement is not a read-only statement".to_owned()));
        }
        let names: Vec<String> = prepared.column_names().map(str::to_owned).collect();
        let own_limit = statement.to_lowercase().contains("limit");
        let (mut found, mut rows) = (Vec::new(), prepared.query([]).map_err(sqlite)?);
        while let Some(row) = rows.next().map_err(sqlite)? {
            if !own_limit && found.len() == limit {
                return Ok((found, true));
            }
            let mut shown = Map::new();
            for (place, name) in names.iter().enumerate() {
                shown.insert(name.clone(), value(row.get_ref(place).map_err(sqlite)?));
            }
            found.push(shown.into());
        }
        Ok((found, false))
    }
}

type Row = (String, String, &'static str, String, String, String);

fn collect(blocks: &[Block], parent: &str, rows: &mut Vec<Row>) {
    for block in blocks {
        let (content, text) = (markdown::content(block), markdown::markdown(block));
        rows.push((block.id.clone(), parent.to_owned(), block.kind, block.subtype.clone(), content, text));
        collect(&block.children, &block.id, rows);
    }
}

fn value(found: ValueRef<'_>) -> Value {
    match found {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned().into(),
        ValueRef::Blob(bytes) => hex::encode(bytes).into(),
    }
}
