//! The rows that a filter leaves, written into a file that the person chooses.
//!
//! The file is written beside its place and put there whole, so that one that exists is replaced by all of the rows or
//! left as it was. Rows are read page by page and never all in memory.

mod csv;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::NamedTempFile;
use tokio_util::sync::CancellationToken;

use super::actor::{Actor, Answer, Outcome, reply};
use super::beside::on_a_thread;
use super::{CommandError, Picked, Reply};
use crate::activity::{Log, Query, Record};

/// The rows that are read at a time.
const AT_ONCE: usize = 500;

/// How exported rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExportFormat {
    /// For spreadsheets: UTF-8 with its mark, a line a row; no cell is taken for a formula.
    Csv,
    /// A list with an object a row.
    Json,
}

impl ExportFormat {
    fn file_name(self) -> &'static str {
        match self {
            Self::Csv => "notegate-activity.csv",
            Self::Json => "notegate-activity.json",
        }
    }
}

impl Actor {
    /// Asks for a file and writes the rows, beside the actor.
    pub(super) fn begin_export(&self, query: Query, format: ExportFormat, answer: Answer) {
        let (picker, log) = (self.folder_picker.clone(), self.activity.clone());
        let (stop, ending) = (self.stop.clone(), self.ending.clone());
        self.work.spawn(async move {
            let picked = tokio::select! {
                picked = picker.save(format.file_name()) => picked,
                () = stop.cancelled() => Picked::Cancelled,
            };
            let outcome = match picked {
                Picked::File(path) | Picked::Folder(path) => export(&log, query, format, path, &ending).await,
                Picked::Cancelled => Ok(Reply::Exported { path: None, rows: 0 }),
                Picked::Unavailable(reason) => Err(CommandError::new("no_file_dialog", reason)),
            };
            reply(answer, outcome);
        });
    }
}

async fn export(
    log: &Log,
    query: Query,
    format: ExportFormat,
    path: PathBuf,
    ending: &CancellationToken,
) -> Outcome {
    let file = path.clone();
    let mut writer = blocking(&path, move || Writer::create(file, format)).await?;
    let mut query = Query { limit: Some(AT_ONCE), before: None, ..query };
    loop {
        if ending.is_cancelled() {
            return Err(CommandError::closing());
        }
        let page = log.page(query.clone()).await?;
        writer = blocking(&path, move || writer.add(&page.records)).await?;
        query.before = page.next;
        if query.before.is_none() {
            break;
        }
    }
    let rows = blocking(&path, move || writer.finish()).await?;
    Ok(Reply::Exported { path: Some(path), rows })
}

/// Does what touches the disk on a thread for it.
async fn blocking<T: Send + 'static>(
    path: &Path,
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, CommandError> {
    on_a_thread(work).await.map_err(|error| {
        let message = format!("cannot write {}: {error}. Choose another place", path.display());
        CommandError::new("export", message)
    })
}

/// A file on its way.
struct Writer {
    file: BufWriter<NamedTempFile>,
    place: PathBuf,
    format: ExportFormat,
    rows: u64,
}

impl Writer {
    fn create(place: PathBuf, format: ExportFormat) -> std::io::Result<Self> {
        let folder = place.parent().ok_or_else(|| std::io::Error::other("this is no place for a file"))?;
        let mut file = BufWriter::new(NamedTempFile::new_in(folder)?);
        match format {
            ExportFormat::Csv => csv::head(&mut file)?,
            ExportFormat::Json => file.write_all(b"[")?,
        }
        Ok(Self { file, place, format, rows: 0 })
    }

    fn add(mut self, records: &[Record]) -> std::io::Result<Self> {
        for record in records {
            match self.format {
                ExportFormat::Csv => csv::row(&mut self.file, record)?,
                ExportFormat::Json => {
                    self.file.write_all(if self.rows == 0 { b"\n" } else { b",\n" })?;
                    serde_json::to_writer(&mut self.file, &object(record)?)?;
                }
            }
            self.rows += 1;
        }
        Ok(self)
    }

    fn finish(mut self) -> std::io::Result<u64> {
        if self.format == ExportFormat::Json {
            self.file.write_all(b"\n]\n")?;
        }
        let file = self.file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(&self.place).map_err(|error| error.error)?;
        Ok(self.rows)
    }
}

/// A row as `notegate activity --json` prints it, but for the time, which is written as people and other programs
/// read it.
fn object(record: &Record) -> std::io::Result<Value> {
    let mut object = serde_json::to_value(record)?;
    object["started"] = moment(record).into();
    Ok(object)
}

/// When it began, in universal time: `2026-11-30T14:02:11.25Z`.
fn moment(record: &Record) -> String {
    // A clock of ours gives no year that a calendar has not.
    jiff::Timestamp::try_from(record.started).map(|moment| moment.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
