//! The system's dialogs for folders and files, behind a small trait so that tests can answer in the person's place.

use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

/// What came of a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picked {
    Folder(PathBuf),
    /// A file to be written, which may be there already: the dialog has asked whether it is to be replaced.
    File(PathBuf),
    /// The person closed the dialog.
    Cancelled,
    /// There is no dialog to be had; the text says why and what to do.
    Unavailable(String),
}

/// Asks the person for a folder, or for the place of a file.
pub trait FolderPicker: fmt::Debug + Send + Sync {
    fn pick(&self) -> Pin<Box<dyn Future<Output = Picked> + Send + '_>>;

    /// Where to write a file, for which `name` is proposed.
    fn save(&self, name: &str) -> Pin<Box<dyn Future<Output = Picked> + Send + '_>>;
}

/// The operating system's own dialog.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemFolderPicker;

impl FolderPicker for SystemFolderPicker {
    fn pick(&self) -> Pin<Box<dyn Future<Output = Picked> + Send + '_>> {
        Box::pin(async {
            match rfd::AsyncFileDialog::new().pick_folder().await {
                Some(folder) => Picked::Folder(folder.path().to_owned()),
                // rfd says the same for a dialog that was closed and for one that never opened.
                None if has_dialog().await => Picked::Cancelled,
                None => Picked::Unavailable(
                    "this desktop offers no folder dialog (neither a file chooser portal nor zenity was found); \
                     give the path as text"
                        .into(),
                ),
            }
        })
    }

    fn save(&self, name: &str) -> Pin<Box<dyn Future<Output = Picked> + Send + '_>> {
        let dialog = rfd::AsyncFileDialog::new().set_file_name(name);
        Box::pin(async {
            match dialog.save_file().await {
                Some(file) => Picked::File(file.path().to_owned()),
                None if has_dialog().await => Picked::Cancelled,
                None => Picked::Unavailable(
                    "this desktop offers no file dialog (neither a file chooser portal nor zenity was found); \
                     `notegate activity --json` prints the same"
                        .into(),
                ),
            }
        })
    }
}

/// Whether there is anything that rfd can show a dialog with.
#[cfg(all(unix, not(target_os = "macos")))]
async fn has_dialog() -> bool {
    let zenity = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join("zenity").is_file()));
    zenity || has_portal().await.unwrap_or(false)
}

/// Whether the desktop's portal runs, or would be started for whoever asks.
#[cfg(all(unix, not(target_os = "macos")))]
async fn has_portal() -> zbus::Result<bool> {
    const PORTAL: &str = "org.freedesktop.portal.Desktop";
    let bus = zbus::Connection::session().await?;
    let daemon = zbus::fdo::DBusProxy::new(&bus).await?;
    let known = [daemon.list_names().await?, daemon.list_activatable_names().await?];
    Ok(known.iter().flatten().any(|name| name.as_str() == PORTAL))
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
async fn has_dialog() -> bool {
    true
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

    fn save(&self, _: &str) -> Pin<Box<dyn Future<Output = Picked> + Send + '_>> {
        Box::pin(async {
            Picked::Unavailable(
                "there is no window here to show a file dialog; `notegate activity --json` prints the same"
                    .into(),
            )
        })
    }
}
