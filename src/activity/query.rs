//! Reading the log, page by page, the newest first.
//!
//! Every filter has an index that gives its rows in order, so a page costs as much as it holds, whatever
//! the log holds. Where several filters are given the one that is likely to leave least leads, and the
//! rows that it gives are held against the others; a page looks at a bounded number of rows and says
//! where to go on, even when it is not full.

use std::time::{Duration, UNIX_EPOCH};

use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, Row, params_from_iter};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::record::{CallId, Decision, OperationId, Outcome, Record};
use crate::settings::RuntimeId;

/// The rows that one page looks at, at most.
const LOOKED_AT: usize = 20_000;

/// The rows of a page at most, and where no number is asked for.
const LARGEST_PAGE: usize = 500;
const USUAL_PAGE: usize = 50;

/// The shortest text that the index finds; a shorter one is looked for row by row.
const SHORTEST_WORD: usize = 3;

/// Which rows are asked for. An empty query asks for the newest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Query {
    pub runtime: Option<RuntimeId>,
    pub session: Option<String>,
    pub kernel: Option<String>,
    pub tool: Option<String>,
    pub outcome: Option<Outcome>,
    /// Any piece of a name or id in the row; capitals do not matter.
    pub text: Option<String>,
    /// Only rows with a lower number: where the page before ended.
    pub before: Option<u64>,
    /// Only rows with a higher number.
    pub after: Option<u64>,
    /// The rows of the page; 50 where it is not given, 500 at most.
    pub limit: Option<usize>,
}

/// Some rows, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    pub records: Vec<Record>,
    /// Goes on in [`Query::before`]. `None`: these were the last.
    pub next: Option<u64>,
}

const COLUMNS: &str = "o.number, o.operation, o.call, o.started, o.runtime, o.session, o.tool, o.writes, o.kernel, o.vault, \
    o.endpoints, o.decision, o.objects, o.outcome, o.code, o.duration";

/// A statement, and what it is given.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) sql: String,
    parameters: Vec<SqlValue>,
}

impl Query {
    fn page_size(&self) -> usize {
        self.limit.unwrap_or(USUAL_PAGE).clamp(1, LARGEST_PAGE)
    }

    /// The conditions, the one that leads first, each with what it compares.
    fn conditions(&self) -> Vec<(Condition, String)> {
        let text = self.text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let text = text.map(|text| {
            let indexed = text.chars().count() >= SHORTEST_WORD;
            (if indexed { Condition::Word } else { Condition::Piece }, text)
        });
        let outcome = |usual: bool| {
            let is_usual = |outcome: &Outcome| (*outcome == Outcome::Succeeded) == usual;
            let wanted = self.outcome.filter(is_usual);
            wanted.map(|outcome| (Condition::Column("outcome"), outcome.as_str().to_owned()))
        };
        let column = |name, value: Option<String>| value.map(|value| (Condition::Column(name), value));
        let runtime = self.runtime.as_ref().map(|runtime| runtime.as_str().to_owned());
        let mut conditions = vec![
            text,
            column("session", self.session.clone()),
            outcome(false),
            column("kernel", self.kernel.clone()),
            column("tool", self.tool.clone()),
            column("runtime", runtime),
            outcome(true),
        ];
        // A piece too short for the index never leads where something else can.
        if matches!(conditions[0], Some((Condition::Piece, _))) {
            conditions.rotate_left(1);
        }
        conditions.into_iter().flatten().collect()
    }

    pub(super) fn statement(&self) -> Statement {
        let conditions = self.conditions();
        let mut parameters = vec![
            SqlValue::Integer(self.before.map_or(i64::MAX, signed)),
            SqlValue::Integer(self.after.map_or(-1, signed)),
        ];
        let mut holds = |(condition, value): &(Condition, String), leads: bool| {
            let place = parameters.len() + 1;
            let (sql, parameter) = condition.sql(place, value, leads);
            parameters.push(parameter);
            sql
        };
        let leading = conditions.first().filter(|(condition, _)| *condition != Condition::Piece);
        let others = &conditions[usize::from(leading.is_some())..];
        let leads = leading.map(|leading| holds(leading, true));
        let fits: Vec<String> = others.iter().map(|other| holds(other, false)).collect();
        let fits = if fits.is_empty() { "1".to_owned() } else { fits.join(" AND ") };
        let (from, number) = match leading {
            Some((Condition::Word, _)) => {
                ("words JOIN operations o ON o.number = words.rowid", "words.rowid")
            }
            _ => ("operations o", "o.number"),
        };
        let leads = leads.map(|leads| format!("{leads} AND ")).unwrap_or_default();
        let sql = format!(
            "SELECT {fits}, {COLUMNS} FROM {from} WHERE {leads}{number} < ?1 AND {number} > ?2 ORDER BY {number} DESC"
        );
        Statement { sql, parameters }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    /// This column has this value.
    Column(&'static str),
    /// The text is found by the index.
    Word,
    /// The text is too short for the index.
    Piece,
}

impl Condition {
    fn sql(self, place: usize, value: &str, leads: bool) -> (String, SqlValue) {
        let value = value.to_owned();
        match self {
            Self::Column(name) if leads => (format!("o.{name} = ?{place}"), SqlValue::Text(value)),
            // `IS`, because a comparison with NULL is neither true nor false.
            Self::Column(name) => (format!("o.{name} IS ?{place}"), SqlValue::Text(value)),
            Self::Word => {
                // In quotes it is one phrase, whatever characters it is made of.
                (
                    format!("words MATCH ?{place}"),
                    SqlValue::Text(format!("\"{}\"", value.replace('"', "\"\""))),
                )
            }
            Self::Piece => {
                let text = "lower(concat_ws(char(10), o.operation, o.call, o.runtime, o.session, o.tool, o.kernel, o.vault, \
                            o.endpoints, o.objects))";
                (format!("instr({text}, lower(?{place})) > 0"), SqlValue::Text(value))
            }
        }
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// Reads one page.
pub(super) fn read(connection: &Connection, query: &Query) -> rusqlite::Result<Page> {
    let Statement { sql, parameters } = query.statement();
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(parameters))?;
    let (mut records, mut last, mut looked_at) = (Vec::new(), None, 0);
    while let Some(row) = rows.next()? {
        if records.len() == query.page_size() || looked_at == LOOKED_AT {
            return Ok(Page { records, next: last });
        }
        looked_at += 1;
        last = Some(unsigned(row.get(1)?));
        if row.get(0)? {
            records.push(record(row)?);
        }
    }
    Ok(Page { records, next: None })
}

/// Reads the columns in the order of [`COLUMNS`], which stand after the first.
fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    Ok(Record {
        number: unsigned(row.get(1)?),
        operation: OperationId(row.get(2)?),
        call: CallId(row.get(3)?),
        started: UNIX_EPOCH + Duration::from_millis(unsigned(row.get(4)?)),
        runtime: RuntimeId::new(row.get::<_, String>(5)?).map_err(|error| strange(5, error.to_string()))?,
        session: row.get(6)?,
        tool: row.get(7)?,
        writes: row.get(8)?,
        kernel: row.get(9)?,
        vault: row.get(10)?,
        endpoints: list(row, 11)?,
        decision: word::<Decision>(row, 12)?,
        objects: list(row, 13)?,
        outcome: word::<Outcome>(row, 14)?,
        code: row.get(15)?,
        duration: row.get::<_, Option<i64>>(16)?.map(unsigned).map(Duration::from_millis),
    })
}

fn word<T: std::str::FromStr<Err = String>>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    row.get::<_, String>(column)?.parse().map_err(|problem| strange(column, problem))
}

fn list<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<T>> {
    let text = row.get::<_, String>(column)?;
    serde_json::from_str(&text).map_err(|error| strange(column, error.to_string()))
}

/// A value that no program of ours has written.
fn strange(column: usize, problem: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, problem.into())
}
