//! `get_notes_info`.

use std::io::Read;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::answer;
use super::call::Call;
use super::error::NoteError;
use super::uri::obsidian_uri;
use super::walk::{Unreadable, report};
use crate::obsidian::Output;

/// Size, time of the last change and whether there is frontmatter, of each note that is there. What is
/// there and cannot be read is reported.
pub fn get_notes_info(call: &Call<'_>) -> Result<Output, NoteError> {
    let paths = call.arguments.required_texts("paths")?;
    let pretty = call.arguments.pretty()?;
    let (mut notes, mut unreadable) = (Vec::new(), Vec::new());
    for path in paths {
        call.go_on()?;
        match info(call, path) {
            Ok(note) => notes.push(note),
            Err(error @ (NoteError::PermissionDenied { .. } | NoteError::Io { .. })) => {
                unreadable.push(Unreadable { path: path.to_owned(), reason: error.to_string() });
            }
            Err(_) => {}
        }
    }
    Ok(report(answer::value(&Value::Array(notes), pretty), &unreadable))
}

fn info(call: &Call<'_>, given: &str) -> Result<Value, NoteError> {
    let path = call.note_path_of(given)?;
    let failed = |source| NoteError::from_io("read file", &path.shown, source);
    let mut file = call.root.find(&path)?.open()?;
    let metadata = file.metadata().map_err(failed)?;
    let mut start = Vec::with_capacity(LONGEST_OPENING);
    file.by_ref().take(LONGEST_OPENING as u64).read_to_end(&mut start).map_err(failed)?;
    let modified = metadata.modified().map_err(failed)?;
    Ok(json!({
        "path": path.shown,
        "size": metadata.len(),
        "modified": milliseconds(modified.into_std()),
        "hasFrontmatter": opens_frontmatter(&start),
        "obsidianUri": obsidian_uri(call.root.path(), &path.shown),
    }))
}

const LONGEST_OPENING: usize = "\u{feff}---\r\n".len();

/// Whether the first line is a frontmatter mark, behind a byte-order mark and with either line end.
fn opens_frontmatter(start: &[u8]) -> bool {
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    start.starts_with(b"---\n") || start.starts_with(b"---\r\n")
}

/// Milliseconds since 1970, to the nearest.
pub fn milliseconds(time: SystemTime) -> i64 {
    let rounded = |nanoseconds: u128| i64::try_from((nanoseconds + 500_000) / 1_000_000).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => rounded(since.as_nanos()),
        Err(before) => -rounded(before.duration().as_nanos()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn v03_a_mark_is_seen_behind_a_byte_order_mark_and_with_crlf() {
        for start in ["---\n", "---\r\nx", "\u{feff}---\n", "\u{feff}---\r\n"] {
            assert!(opens_frontmatter(start.as_bytes()), "{start:?}");
        }
        for start in ["---", "----\n", " ---\n", "--- \n", ""] {
            assert!(!opens_frontmatter(start.as_bytes()), "{start:?}");
        }
    }

    #[test]
    fn times_are_rounded_to_milliseconds() {
        assert_eq!(milliseconds(UNIX_EPOCH + Duration::from_nanos(1_499_999)), 1);
        assert_eq!(milliseconds(UNIX_EPOCH + Duration::from_nanos(1_500_000)), 2);
        assert_eq!(milliseconds(UNIX_EPOCH - Duration::from_millis(7)), -7);
    }
}
