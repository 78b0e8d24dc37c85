//! Tests that need a process of their own: one that is killed, one without the rights of root, one with
//! a disk of its own. The test starts itself again, by its name, and the child goes on in its place.
//!
//! What the machine does not allow is said as `NOT CHECKED`, never passed over.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Tells a child which test it is to go on with, and where.
const PLACE: &str = "NOTEGATE_TEST_PLACE";
const NAME: &str = "NOTEGATE_TEST_NAME";

/// One who owns nothing.
const NOBODY: u32 = 65_534;

/// The full name of a test of this module, for the functions below.
macro_rules! name_of {
    ($test:ident) => {
        concat!(module_path!(), "::", stringify!($test))
    };
}
pub(in super::super) use name_of;

/// A command that runs the test `name` of this program again as a child, about `place`.
pub fn again(name: &str, place: &Path) -> Command {
    again_by(Command::new(std::env::current_exe().unwrap()), name, place)
}

fn again_by(mut command: Command, name: &str, place: &Path) -> Command {
    // The program names its tests without the crate.
    let (_, test) = name.split_once("::").unwrap();
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(NAME, name).env(PLACE, place);
    command
}

/// The place that was given to this child, if it is one that runs the test `name`.
pub fn place_of_child(name: &str) -> Option<PathBuf> {
    (std::env::var_os(NAME)? == name).then(|| std::env::var_os(PLACE).map(PathBuf::from))?
}

/// Whether the test `name` goes on in this process, for which the permissions of files are binding. For
/// root they are not; it waits for a child that is nobody.
pub fn as_nobody(name: &str) -> bool {
    if !rustix::process::geteuid().is_root() {
        return true;
    }
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let mut child = again(name, folder.path());
    match child.env("TMPDIR", folder.path()).uid(NOBODY).gid(NOBODY).output() {
        Ok(output) => passed(name, &output),
        Err(error) => unchecked(&format!("{name}: it cannot be run as nobody ({error})")),
    }
    false
}

/// Holds that the child went through its test. What it said is shown when it did not.
fn passed(name: &str, output: &Output) {
    let said = [&*output.stdout, &*output.stderr].map(String::from_utf8_lossy).join("\n");
    assert!(output.status.success(), "{name} failed in a process of its own:\n{said}");
}

/// Says what could not be checked. Written past the program's own keeping of output, which shows nothing of
/// tests that pass.
pub fn unchecked(what: &str) {
    let mut stderr = std::io::stderr().lock();
    writeln!(stderr, "NOT CHECKED: {what}").unwrap();
    if let Some(file) = std::env::var_os("NOTEGATE_UNCHECKED") {
        let file = std::fs::File::options().create(true).append(true).open(file);
        writeln!(file.unwrap(), "{what}").unwrap();
    }
}

/// A folder with an empty disk of `size` mounted on it, in the child that goes on with the test `name`.
/// The disk is the child's own and goes with it. `None` in the parent, when the child is done.
pub fn with_disk(name: &str, size: &str) -> Option<PathBuf> {
    if let Some(place) = place_of_child(name) {
        mount(&["-t", "tmpfs", "-o", &format!("size={size}"), "none", place.to_str().unwrap()]);
        return Some(place);
    }
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--user", "--map-root-user", "--mount"];
    let is_allowed = Command::new("unshare").args(flags).arg("true").status().is_ok_and(|s| s.success());
    if !is_allowed {
        unchecked(&format!("{name}: no disk can be mounted for it here"));
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(flags).arg("--").arg(std::env::current_exe().unwrap());
    passed(name, &again_by(command, name, folder.path()).output().unwrap());
    None
}

/// Calls `mount`, in the namespace of a child.
pub fn mount(arguments: &[&str]) {
    let status = Command::new("mount").args(arguments).status().unwrap();
    assert!(status.success(), "mount {arguments:?}");
}

/// As [`with_disk`], with a disk that makes no difference between small and capital letters.
pub fn with_disk_without_case(name: &str) -> Option<PathBuf> {
    if let Some(place) = place_of_child(name) {
        return Some(place);
    }
    let folder = tempfile::tempdir().unwrap();
    let (image, place) = (folder.path().join("image"), folder.path().join("disk"));
    std::fs::create_dir(&place).unwrap();
    std::fs::File::create(&image).unwrap().set_len(16 << 20).unwrap();
    let runs = |program: &str, arguments: &[&std::ffi::OsStr]| {
        let quiet = std::process::Stdio::null;
        Command::new(program)
            .args(arguments)
            .stdout(quiet())
            .stderr(quiet())
            .status()
            .is_ok_and(|status| status.success())
    };
    let made = runs("mkntfs", &["-F".as_ref(), "-q".as_ref(), image.as_ref()])
        && runs("lowntfs-3g", &["-o".as_ref(), "ignore_case".as_ref(), image.as_ref(), place.as_ref()]);
    if !made {
        unchecked(&format!("{name}: it needs mkntfs, lowntfs-3g and the right to mount"));
        return None;
    }
    let output = again(name, &place).output();
    assert!(runs("umount", &[place.as_ref()]), "the disk could not be unmounted");
    passed(name, &output.unwrap());
    None
}
