//! SiYuan's port file: process id → port, one entry for each kernel that registered itself.
//!
//! Kernels rewrite it without a lock and never tidy up after one that was killed. So a reader can meet
//! a half-written file, which it reads again, and entries of processes that are gone, which it must
//! look into before it believes them. No port is ever tried that does not stand here.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};

use super::KernelError;

/// A file is written within moments; one that stays broken is broken.
const TRIES: u32 = 6;
const PAUSE: Duration = Duration::from_millis(100);

/// More than any number of kernels needs.
const MAX_BYTES: u64 = 256 * 1024;

/// Where SiYuan keeps its port file, on every platform.
pub fn default_port_file() -> Option<PathBuf> {
    Some(dirs::home_dir()?.join(".config").join("siyuan").join("port.json"))
}

/// The entries of a port file. There is none where no kernel ever ran: that reads as an empty one.
pub(super) async fn read(path: &Path) -> Result<BTreeMap<u32, u16>, KernelError> {
    let mut tries = TRIES;
    loop {
        let file = path.to_owned();
        let read = tokio::task::spawn_blocking(move || bytes(&file)).await.map_err(io::Error::other);
        let failed =
            |source: io::Error| KernelError::PortFile { path: path.to_owned(), reason: source.to_string() };
        match read.and_then(|read| read) {
            Ok(bytes) => match parse(&bytes) {
                Some(entries) => return Ok(entries),
                None if tries > 1 => tries -= 1,
                None => return Err(failed(io::Error::other("it is not the JSON that SiYuan writes"))),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(failed(error)),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// `None`: not whole. An entry that cannot be one is passed over, as SiYuan itself does.
fn parse(bytes: &[u8]) -> Option<BTreeMap<u32, u16>> {
    let entries: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
    let entry = |(pid, port): (String, Value)| {
        let pid = pid.parse().ok().filter(|&pid: &u32| pid > 0 && i32::try_from(pid).is_ok())?;
        let port = port.as_str()?.parse().ok().filter(|&port| port > 0)?;
        Some((pid, port))
    };
    Some(entries.into_iter().filter_map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_strings_and_what_is_none_is_passed_over() {
        let check = |text: &str, expected: &[(u32, u16)]| {
            assert_eq!(parse(text.as_bytes()), Some(expected.iter().copied().collect()), "{text}");
        };
        check("{}", &[]);
        check("{\n  \"12345\": \"52431\",\n  \"20011\": \"6806\"\n}", &[(12345, 52431), (20011, 6806)]);
        check(r#"{"7":"0","8":"65536","0":"1","-1":"1","x":"1","9":1,"4294967295":"1"}"#, &[]);
        for half in ["", "{", r#"{"12345": "524"#, "null", "[]"] {
            assert_eq!(parse(half.as_bytes()), None, "{half}");
        }
    }

    #[tokio::test]
    async fn a_half_written_file_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("port.json");
        std::fs::write(&path, r#"{"1": "#).unwrap();
        let (reading, writing) = tokio::join!(read(&path), async {
            // Lets the reader look at the broken file first.
            tokio::task::yield_now().await;
            tokio::fs::write(&path, r#"{"1": "6806"}"#).await
        });
        writing.unwrap();
        assert_eq!(reading.unwrap(), BTreeMap::from([(1, 6806)]));
    }

    #[tokio::test]
    async fn one_that_stays_broken_is_named_and_one_that_is_not_there_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("port.json");
        assert_eq!(read(&path).await.unwrap(), BTreeMap::new());
        std::fs::write(&path, "{").unwrap();
        let error = read(&path).await.unwrap_err().to_string();
        assert!(error.contains("port.json") && error.contains("not the JSON"), "{error}");
    }
}
