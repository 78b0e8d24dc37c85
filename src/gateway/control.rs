//! The control API, for our own command line: commands of the core over HTTP.
//!
//! It is opened by a token of its own that stands in `control.json`, a file only its owner can read.
//! A runtime's key does not open it, and the token opens nothing else.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::{Deserialize, Serialize};

use super::server::Shared;
use crate::core::{Command, CommandError};
use crate::secrets::Secret;
use crate::settings::{Home, replace_file};

/// Where the running instance of a home is, and the token that opens its control API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlFile {
    pub address: SocketAddr,
    pub token: Secret,
    /// The process that listens there.
    pub pid: u32,
    /// The version of Notegate that listens there.
    pub version: String,
}

/// Why `control.json` cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ControlFileError {
    #[error("cannot write {path:?}: {source}. Check the permissions of its folder")]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read {path:?}: {source}. Check its permissions, or stop Notegate and start it again")]
    Read { path: PathBuf, source: io::Error },
    #[error(
        "{path:?} is not yours alone, so what stands in it is not believed and no key goes where it says. Whoever else may \
         write it could have put anything there: remove it, then stop Notegate and start it again"
    )]
    Exposed { path: PathBuf },
    #[error(
        "{path:?} cannot be understood: {reason}. Stop Notegate and start it again, which writes it anew"
    )]
    Broken { path: PathBuf, reason: String },
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
struct Written {
    address: SocketAddr,
    token: String,
    pid: u32,
    version: String,
}

impl ControlFile {
    /// What this process writes about its own gateway.
    pub fn of_this_process(address: SocketAddr, token: Secret) -> Self {
        Self { address, token, pid: std::process::id(), version: env!("CARGO_PKG_VERSION").into() }
    }

    /// The control endpoint.
    pub fn url(&self) -> String {
        format!("http://{}/control", self.address)
    }

    /// Writes the file whole, readable by its owner alone. Blocks on the disk.
    pub fn write(&self, home: &Home) -> Result<(), ControlFileError> {
        let written = Written {
            address: self.address,
            token: self.token.reveal().to_owned(),
            pid: self.pid,
            version: self.version.clone(),
        };
        let path = home.control_file();
        let replaced = serde_json::to_vec_pretty(&written)
            .map_err(io::Error::from)
            .and_then(|bytes| replace_file(&path, &bytes));
        replaced.map_err(|source| ControlFileError::Write { path, source })
    }

    /// Reads the file; `None` when there is none, which means that no instance was left running.
    /// Blocks on the disk.
    pub fn read(home: &Home) -> Result<Option<Self>, ControlFileError> {
        let path = home.control_file();
        let bytes = match read_private(&path) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err(ControlFileError::Exposed { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ControlFileError::Read { path, source }),
        };
        // The reason names a place in the file, never what stands there: it holds a secret.
        let written: Written = serde_json::from_slice(&bytes).map_err(|error| ControlFileError::Broken {
            reason: format!("line {}, column {}", error.line(), error.column()),
            path,
        })?;
        let Written { address, token, pid, version } = written;
        Ok(Some(Self { address, token: Secret::from_text(token), pid, version }))
    }

    /// Removes the file if it is still this one. Blocks on the disk.
    pub fn remove(&self, home: &Home) -> Result<(), ControlFileError> {
        if Self::read(home)?.as_ref() != Some(self) {
            return Ok(());
        }
        remove(&home.control_file())
    }
}

/// What stands in the file; `None` when others than its owner, who is us, may use it.
#[cfg(unix)]
fn read_private(path: &Path) -> io::Result<Option<Vec<u8>>> {
    use std::io::Read as _;
    use std::os::unix::fs::MetadataExt as _;
    let mut file = std::fs::File::open(path)?;
    let metadata = file.metadata()?;
    let is_ours = metadata.uid() == rustix::process::geteuid().as_raw();
    if !is_ours || metadata.mode() & 0o077 != 0 {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Elsewhere the folder says who may use it.
#[cfg(not(unix))]
fn read_private(path: &Path) -> io::Result<Option<Vec<u8>>> {
    std::fs::read(path).map(Some)
}

fn remove(path: &Path) -> Result<(), ControlFileError> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(ControlFileError::Write { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// `POST /control`: the body is a [`Command`], the answer a [`crate::core::Reply`] or a
/// [`CommandError`].
pub(super) async fn command(State(shared): State<Shared>, body: Bytes) -> Response {
    let command = match serde_json::from_slice::<Command>(&body) {
        Ok(command) => command,
        Err(error) => {
            let message = format!("this is no command of version {}: {error}", env!("CARGO_PKG_VERSION"));
            return failed(CommandError::new("invalid_command", message));
        }
    };
    let underway = shared.answers.begin(None);
    let response = match shared.handle.request(command).await {
        Ok(reply) => Json(reply).into_response(),
        Err(error) => failed(error),
    };
    underway.until_sent(response)
}

fn failed(error: CommandError) -> Response {
    let status = match error.code.as_str() {
        "closing" => StatusCode::SERVICE_UNAVAILABLE,
        "internal" => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::BAD_REQUEST,
    };
    (status, Json(error)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::Purpose;

    fn file(port: u16) -> ControlFile {
        let token = Secret::generate(Purpose::Control).unwrap();
        ControlFile::of_this_process(SocketAddr::from(([127, 0, 0, 1], port)), token)
    }

    #[test]
    fn the_file_comes_back_as_written_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path()).unwrap();
        assert_eq!(ControlFile::read(&home).unwrap(), None);
        let (old, new) = (file(1), file(2));
        old.write(&home).unwrap();
        new.write(&home).unwrap();
        assert_eq!(ControlFile::read(&home).unwrap(), Some(new.clone()));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(home.control_file()).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        old.remove(&home).unwrap();
        assert_eq!(ControlFile::read(&home).unwrap().as_ref(), Some(&new), "another instance's file stays");
        new.remove(&home).unwrap();
        assert_eq!(ControlFile::read(&home).unwrap(), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_use_is_not_believed() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path()).unwrap();
        file(1).write(&home).unwrap();
        for mode in [0o666, 0o620, 0o602, 0o644] {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(home.control_file(), permissions).unwrap();
            let error = ControlFile::read(&home).unwrap_err();
            assert!(matches!(error, ControlFileError::Exposed { .. }), "{mode:o}: {error}");
        }
    }

    #[test]
    fn a_broken_file_is_named_without_telling_what_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path()).unwrap();
        crate::settings::replace_file(&home.control_file(), br#"{"address":"ngc_secret"}"#).unwrap();
        let error = ControlFile::read(&home).unwrap_err().to_string();
        assert!(error.contains("control.json") && !error.contains("ngc_secret"), "{error}");
    }
}
