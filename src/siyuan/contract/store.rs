//! The contract that holds in a home: the imported one where there is one, else the built-in one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::catalogue::Catalogue;
use super::changes::Changes;
use super::errors::ContractError;
use super::import::read_schema;
use crate::settings::replace_file;

/// The contract of a home. Reads and writes files: never on an async worker.
#[derive(Debug)]
pub struct Contract {
    file: PathBuf,
    loaded: Mutex<Option<(Stamp, Arc<Catalogue>)>>,
}

/// A contract that was read and not yet put in the place of the one in use.
#[derive(Debug)]
pub struct Import {
    pub changes: Changes,
    catalogue: Arc<Catalogue>,
}

/// When a file was written, and how long it is: another stamp is another file.
type Stamp = (SystemTime, u64);

impl Contract {
    /// `file` is where an imported contract is kept; it need not be there.
    pub fn new(file: PathBuf) -> Self {
        Self { file, loaded: Mutex::new(None) }
    }

    /// The contract that holds now. An import by another process is seen.
    ///
    /// # Errors
    /// There is an imported contract, and it cannot be used. The built-in one does not step in: what counts
    /// as writing may differ.
    pub fn current(&self) -> Result<Arc<Catalogue>, ContractError> {
        let read_error = |source| ContractError::Read { path: self.file.clone(), source };
        let stamp = match fs::metadata(&self.file) {
            Ok(found) => (found.modified().map_err(read_error)?, found.len()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Catalogue::embedded()),
            Err(error) => return Err(read_error(error)),
        };
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, catalogue)) = &*loaded
            && *known == stamp
        {
            return Ok(Arc::clone(catalogue));
        }
        let text = fs::read_to_string(&self.file).map_err(read_error)?;
        let broken = |problem| ContractError::Broken { path: self.file.clone(), problem };
        let catalogue = Arc::new(Catalogue::parse(&text).map_err(broken)?);
        *loaded = Some((stamp, Arc::clone(&catalogue)));
        Ok(catalogue)
    }

    /// Reads a kernel's `schema.json` and says what it would change. Replaces nothing.
    ///
    /// # Errors
    /// As [`read_schema`] says, or the contract in use cannot be compared with.
    pub fn read(&self, file: &Path, version: &str) -> Result<Import, ContractError> {
        let current = self.current()?;
        let catalogue = Arc::new(read_schema(file, version, &current)?);
        Ok(Import { changes: Changes::between(&current, &catalogue), catalogue })
    }

    /// Puts what was read in the place of the contract in use, whole or not at all.
    ///
    /// # Errors
    /// The disk refuses; the contract in use is what it was.
    pub fn replace(&self, import: &Import) -> Result<(), ContractError> {
        replace_file(&self.file, import.catalogue.to_text().as_bytes())
            .map_err(|source| ContractError::Save { path: self.file.clone(), source })
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
