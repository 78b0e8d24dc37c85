//! The system's folder dialog, behind a small trait so that tests can answer in the person's place.

use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

/// What came of a folder dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picked {
    Folder(PathBuf),
    /// The person closed the dialog.
    Cancelled,
    /// There is no dialog to be had; the text says why and what to do.
    Unavailable(String),
}

/// Asks the person for a folder.
pub trait FolderPicker: fmt::Debug + Send + Sync {
    fn pick(&self) -> Pin<Box<dyn Future<Output = Picked> + Send + '_>>;
}

/// The operating system's own dialog.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemFolderPicker;

impl FolderPicker for SystemFolderPicker {
    fn pick(&self) -> Pin<Box<dyn Future<Output = Picked> + Send + '_>> {
        Box::pin(async {
            match rfd::AsyncFileDialog::new().pick_folder().await {
                Some(folder) => Picked::Folder(folder.path().to_owned()),
                None => Picked::Cancelled,
            }
        })
    }
}

/// For instances without a window.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFolderPicker;

impl FolderPicker for NoFolderPicker {
    fn pick(&self) -> Pin<Box<dyn Future<Output = Picked> + Send + '_>> {
        Box::pin(async {
            Picked::Unavailable(
                "there is no window here to show a folder dialog; give the path as text".into(),
            )
        })
    }
}
