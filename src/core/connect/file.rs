//! A configuration file of another program: read as text with its form, and replaced whole.

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::ConnectError;

const BYTE_ORDER_MARK: &str = "\u{feff}";
/// The largest configuration that we read, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// A file as it was read.
#[derive(Debug)]
pub struct Found {
    /// The file as it is named, which may be a link.
    pub path: PathBuf,
    /// The file itself.
    target: PathBuf,
    bytes: Option<Vec<u8>>,
    metadata: Option<Metadata>,
    /// Its text without a byte-order mark.
    pub text: String,
    has_mark: bool,
    /// Every line of it ends as on Windows.
    has_crlf: bool,
}

impl Found {
    /// Reads a file that may not be there.
    ///
    /// # Errors
    /// It is there and is no text file, or cannot be read.
    pub fn read(path: &Path) -> Result<Self, ConnectError> {
        let wrong = |source| ConnectError::Read { path: path.to_owned(), source };
        let unfit = |reason| ConnectError::Unfit { path: path.to_owned(), reason };
        let nothing = |target: &Path| Self {
            path: path.to_owned(),
            target: target.to_owned(),
            bytes: None,
            metadata: None,
            text: String::new(),
            has_mark: false,
            has_crlf: false,
        };
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(nothing(path)),
            Err(error) => return Err(wrong(error)),
            Ok(_) => {}
        }
        let target = match fs::canonicalize(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(unfit(
                    "it is a link to nothing. Make the file that it points to, or remove the link",
                ));
            }
            target => target.map_err(wrong)?,
        };
        // Before it is opened: a pipe would be waited for.
        let metadata = fs::metadata(&target).map_err(wrong)?;
        if !metadata.is_file() {
            return Err(unfit("it is no file. Move what stands there away"));
        }
        if metadata.len() > LARGEST {
            return Err(unfit("it is larger than 16 MB. Add the text by hand"));
        }
        let bytes = fs::read(&target).map_err(wrong)?;
        let whole =
            std::str::from_utf8(&bytes).map_err(|_| unfit("it is not written in UTF-8. Save it so"))?;
        let bare = whole.strip_prefix(BYTE_ORDER_MARK);
        let (has_mark, text) = (bare.is_some(), bare.unwrap_or(whole).to_owned());
        let has_crlf = text.contains('\n') && text.matches('\n').count() == text.matches("\r\n").count();
        Ok(Self {
            path: path.to_owned(),
            target,
            bytes: Some(bytes),
            metadata: Some(metadata),
            text,
            has_mark,
            has_crlf,
        })
    }

    pub fn exists(&self) -> bool {
        self.bytes.is_some()
    }

    /// The mode of a file that others than its owner can read.
    pub fn readable_mode(&self) -> Option<u32> {
        others(self.metadata.as_ref()?)
    }

    /// What this state is told from another by.
    pub fn seen(&self) -> String {
        self.bytes.as_deref().map_or_else(|| "nothing".to_owned(), digest)
    }

    /// The bytes of a new text in the form of this one.
    pub fn in_its_form(&self, text: &str) -> Vec<u8> {
        let mark = if self.has_mark { BYTE_ORDER_MARK } else { "" };
        let text =
            if self.has_crlf { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text.to_owned() };
        [mark.as_bytes(), text.as_bytes()].concat()
    }

    /// Where the file as it was is kept: no backup takes the place of another.
    fn free_backup(&self) -> PathBuf {
        let named = |number: usize| {
            let mut name = self.target.as_os_str().to_owned();
            name.push(".notegate-backup");
            if number > 1 {
                name.push(format!("-{number}"));
            }
            PathBuf::from(name)
        };
        let mut number = 1;
        while named(number).symlink_metadata().is_ok() {
            number += 1;
        }
        named(number)
    }

    /// Makes ready for writing: the folder of a file that is new, the backup of one that is there.
    ///
    /// # Errors
    /// It could not be made; the file is as it was.
    pub fn prepare(&self) -> Result<Option<PathBuf>, ConnectError> {
        let wrong = |source| ConnectError::Write { path: self.path.clone(), source };
        let Some(old) = &self.bytes else {
            let folder = self.target.parent().unwrap_or_else(|| Path::new("."));
            fs::create_dir_all(folder).map_err(wrong)?;
            return Ok(None);
        };
        // A rename would not mind.
        if self.metadata.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
            return Err(wrong(io::Error::new(io::ErrorKind::PermissionDenied, "it is write-protected")));
        }
        let path = self.free_backup();
        write(&path, old, None).map_err(wrong)?;
        Ok(Some(path))
    }

    /// Refuses a file that is not as it was read.
    ///
    /// # Errors
    /// Somebody else wrote it meanwhile.
    pub fn check_unchanged(&self) -> Result<(), ConnectError> {
        let now = Self::read(&self.path)?;
        let same = now.target == self.target && now.seen() == self.seen();
        if same { Ok(()) } else { Err(ConnectError::Changed { path: self.path.clone() }) }
    }

    /// Writes the file itself, with the mode that it has.
    pub fn write(&self, bytes: &[u8]) -> Result<(), ConnectError> {
        write(&self.target, bytes, self.metadata.as_ref())
            .map_err(|source| ConnectError::Write { path: self.path.clone(), source })
    }

    /// Removes the file.
    pub fn remove(&self) -> Result<(), ConnectError> {
        fs::remove_file(&self.target)
            .map_err(|source| ConnectError::Write { path: self.path.clone(), source })
    }
}

/// SHA-256, in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Replaces a file as a whole. It has the mode of `like`, else it is its owner's alone.
fn write(path: &Path, bytes: &[u8], like: Option<&Metadata>) -> io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    // A temporary file is made with mode 0600, and the rename keeps what it has then.
    let mut file = tempfile::Builder::new().prefix(".notegate-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    if let Some(like) = like {
        keep_owner(file.as_file(), like)?;
        file.as_file().set_permissions(like.permissions())?;
    }
    #[cfg(not(unix))]
    let _ = like;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    #[cfg(unix)]
    fs::File::open(folder)?.sync_all()?;
    Ok(())
}

/// Whoever writes it, the file stays its owner's and its group's.
#[cfg(unix)]
fn keep_owner(file: &fs::File, like: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (like.uid(), like.gid()) {
        return Ok(());
    }
    fchown(file, Some(like.uid()), Some(like.gid()))
}

#[cfg(unix)]
fn others(metadata: &Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    let mode = metadata.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}

/// There a person's own folder is closed to others.
#[cfg(not(unix))]
fn others(_metadata: &Metadata) -> Option<u32> {
    None
}
