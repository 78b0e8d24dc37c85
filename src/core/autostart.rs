//! Starting with the computer: an entry of the desktop's own list of programs that start with the session.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use super::actor::{Actor, Outcome};
use super::beside::on_a_thread;
use super::{CommandError, Reply};

const ENTRY: &str = "notegate.desktop";

/// The folder of that list, where the platform has one as a folder of files: on free desktops.
pub fn default_autostart_folder() -> Option<PathBuf> {
    cfg!(all(unix, not(target_os = "macos")))
        .then(dirs::config_dir)
        .flatten()
        .map(|config| config.join("autostart"))
}

/// Whether Notegate starts with the session; `None` where nobody can say.
pub(super) fn state(folder: Option<&Path>) -> Option<bool> {
    Some(folder?.join(ENTRY).is_file())
}

impl Actor {
    pub(super) async fn set_autostart(&mut self, on: bool) -> Outcome {
        let Some(folder) = self.autostart_folder.clone() else {
            let problem = "on this platform Notegate cannot add itself to what starts with the session; do it in the system's settings";
            return Err(CommandError::new("no_autostart", problem));
        };
        let shown = folder.join(ENTRY);
        let changed = on_a_thread(move || if on { write(&folder) } else { remove(&folder) }).await;
        changed.map_err(|error| {
            CommandError::new("autostart_failed", format!("{} cannot be changed: {error}", shown.display()))
        })?;
        self.autostart = Some(on);
        tracing::info!(on, "starting with the session");
        Ok(Reply::Done)
    }
}

fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let program = env::current_exe()?;
    let mut draft = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut draft, entry(&program).as_bytes())?;
    draft.persist(folder.join(ENTRY)).map_err(|error| error.error)?;
    Ok(())
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_file(folder.join(ENTRY)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

/// The entry; in `Exec` a path stands in quotes, and four characters are escaped within.
fn entry(program: &Path) -> String {
    let mut quoted = String::new();
    for character in program.to_string_lossy().chars() {
        match character {
            '"' | '`' | '$' => quoted.extend(['\\', '\\', character]),
            '\\' => quoted.push_str("\\\\\\\\"),
            '%' => quoted.push_str("%%"),
            other => quoted.push(other),
        }
    }
    // An entry whose program was removed since is passed over, not complained about.
    let there = program.to_string_lossy().replace('\\', "\\\\");
    format!(
        "[Desktop Entry]\nType=Application\nName=Notegate\nComment=Between your notes and the chat programs that work on \
         them\nExec=\"{quoted}\"\nTryExec={there}\nIcon=notegate\nTerminal=false\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stands_in_quotes_and_what_means_something_there_is_escaped() {
        let text = entry(Path::new("/opt/My notes/100% $HOME/notegate"));
        assert!(text.contains("Exec=\"/opt/My notes/100%% \\\\$HOME/notegate\"\n"), "{text}");
        assert!(text.contains("\nTryExec=/opt/My notes/100% $HOME/notegate\n"), "{text}");
    }

    #[test]
    fn it_is_written_once_and_taken_away_again() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("autostart");
        assert_eq!((state(None), state(Some(&list))), (None, Some(false)));
        write(&list).unwrap();
        write(&list).unwrap();
        assert_eq!((state(Some(&list)), fs::read_dir(&list).unwrap().count()), (Some(true), 1));
        remove(&list).unwrap();
        remove(&list).unwrap();
        assert_eq!(state(Some(&list)), Some(false));
    }
}
