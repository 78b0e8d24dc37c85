//! Tokens in a real keyring: gnome-keyring's Secret Service on a session bus of the test's own.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::json;
use tempfile::TempDir;

use crate::home::{Ended, Home, Process, eventually, run_to_end};
use crate::kernel::{Generation, Kernel, Setup};

const SECRETS: &str = "org.freedesktop.secrets";

/// A session bus with an unlocked keyring. Dropping it ends both.
struct Session {
    bus: Child,
    keyring: Option<Child>,
    address: String,
    folder: TempDir,
}

impl Session {
    /// A bus on which nobody offers a keyring.
    fn without_keyring() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // No service files: nothing is started by being asked for, such as the tester's own keyring.
        let config = folder.path().join("bus.conf");
        let listen = folder.path().join("bus").display().to_string();
        let text = format!(
            r#"<busconfig><type>session</type><listen>unix:path={listen}</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"#
        );
        std::fs::write(&config, text).unwrap();
        let mut bus = Command::new("dbus-daemon")
            .args(["--nofork", "--nopidfile", "--print-address=1", "--config-file"])
            .arg(&config)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon; tests/run installs it (package dbus)");
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { bus, keyring: None, address: address.trim().to_owned(), folder }
    }

    fn start() -> Self {
        let mut session = Self::without_keyring();
        session.start_keyring();
        session
    }

    fn start_keyring(&mut self) {
        let mut keyring = self
            .on_bus(Command::new("gnome-keyring-daemon").args([
                "--foreground",
                "--unlock",
                "--components=secrets",
            ]))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("gnome-keyring-daemon; tests/run installs it (package gnome-keyring)");
        keyring.stdin.take().unwrap().write_all(b"test-password").unwrap();
        self.keyring = Some(keyring);
        eventually("the keyring is unlocked", || {
            self.ask("/org/freedesktop/secrets", "Service.ReadAlias", &["string:default"])
                .contains("collection/login")
        });
    }

    fn stop_keyring(&mut self) {
        if let Some(mut keyring) = self.keyring.take() {
            keyring.kill().unwrap();
            keyring.wait().unwrap();
        }
    }

    fn on_bus<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let folder = self.folder.path();
        command
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .env("HOME", folder)
            .env("XDG_RUNTIME_DIR", folder)
            .env("XDG_DATA_HOME", folder.join("data"))
    }

    /// What the Secret Service answers; empty while there is none.
    fn ask(&self, path: &str, method: &str, arguments: &[&str]) -> String {
        let mut command = Command::new("dbus-send");
        command.args(["--session", "--print-reply", &format!("--dest={SECRETS}"), path]);
        command.arg(format!("org.freedesktop.Secret.{method}")).args(arguments).stderr(Stdio::null());
        String::from_utf8(self.on_bus(&mut command).output().unwrap().stdout).unwrap()
    }

    /// How many entries of ours there are.
    fn entries(&self) -> usize {
        let ours = "dict:string:string:service,notegate";
        self.ask("/org/freedesktop/secrets", "Service.SearchItems", &[ours]).matches("object path").count()
    }

    fn lock(&self) {
        let login = "array:objpath:/org/freedesktop/secrets/collection/login";
        self.ask("/org/freedesktop/secrets", "Service.Lock", &[login]);
    }

    /// Runs a verb of this home on this bus.
    fn run(&self, home: &Home, arguments: &[&str], input: &str) -> Ended {
        run_to_end(home.command(arguments).env("DBUS_SESSION_BUS_ADDRESS", &self.address), input)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop_keyring();
        let _ = self.bus.kill();
        let _ = self.bus.wait();
    }
}

#[track_caller]
fn done(ended: &Ended) {
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_kept_replaced_used_and_cleared_in_a_real_secret_service() {
    let (home, session) = (Home::new(), Session::start());
    let locked = Setup {
        generation: Generation::V3_8_6,
        access_code: Some("open".into()),
        token: "second-sesame".into(),
        ..Setup::default()
    };
    let kernel = Kernel::with(locked).await;
    home.json(&["siyuan", "kernel", "add", "local", "--address", &kernel.address()]);

    done(&session.run(&home, &["siyuan", "token", "local"], "first-sesame\n"));
    assert_eq!(session.entries(), 1);
    let wrong = session.run(&home, &["siyuan", "check", "local", "--json"], "");
    assert_eq!((wrong.code, &wrong.json()["error"]["code"]), (1, &json!("token_refused")));

    let replaced = session.run(&home, &["siyuan", "token", "local", "--json"], "second-sesame");
    done(&replaced);
    assert_eq!(replaced.json(), json!({"kernel": "local", "token": "stored"}));
    assert_eq!(session.entries(), 1, "the new one takes the old one's place");
    let report = session.run(&home, &["siyuan", "check", "local", "--json"], "");
    done(&report);
    assert_eq!(report.json()["token"], true);
    assert!(home.files_with("sesame").is_empty(), "no file of ours holds a token");

    done(&session.run(&home, &["siyuan", "token", "local", "--clear"], ""));
    assert_eq!(session.entries(), 0);
    done(&session.run(&home, &["siyuan", "token", "local"], "second-sesame"));
    done(&session.run(&home, &["siyuan", "kernel", "remove", "local"], ""));
    assert_eq!(session.entries(), 0, "a token goes with its kernel");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_keyring_and_one_that_starts_late_are_told_and_tried_again() {
    let (home, mut session) = (Home::new(), Session::without_keyring());
    let kernel = Kernel::start().await;
    home.json(&["siyuan", "kernel", "add", "local", "--address", &kernel.address()]);
    let mut serve = home.command(&["serve", "--json", "--port", "0"]);
    serve.env("DBUS_SESSION_BUS_ADDRESS", &session.address);
    let _serving = Process::start(serve);
    let code = |ended: &Ended| ended.json()["error"]["code"].as_str().unwrap_or("done").to_owned();
    let set =
        |session: &Session| session.run(&home, &["siyuan", "token", "local", "--json"], crate::kernel::TOKEN);

    assert_eq!(code(&set(&session)), "keyring_unavailable");
    session.start_keyring();
    done(&set(&session));
    session.lock();
    assert_eq!(code(&set(&session)), "keyring_locked");
    session.stop_keyring();
    assert_eq!(code(&set(&session)), "keyring_unavailable");
    session.start_keyring();
    done(&set(&session));
    assert_eq!(session.entries(), 1);
}

#[test]
fn a_program_starts_the_bridge_which_takes_the_key_from_a_real_secret_service() {
    let (home, session) = (Home::new(), Session::start());
    home.json(&["obsidian", "scope", home.vault().to_str().unwrap()]);
    home.json(&["obsidian", "enable"]);
    let connect = ["connect", "cursor", "--assign", "obsidian", "--key", "keyring", "--json"];
    done(&session.run(&home, &connect, ""));
    assert_eq!(session.entries(), 1);
    let file = std::fs::read_to_string(home.user().join(".cursor/mcp.json")).unwrap();
    assert!(!file.contains("ng_"), "{file}");
    assert!(home.files_with("ng_").is_empty(), "no file of ours holds the key");

    // As the program starts it.
    let entry: serde_json::Value = serde_json::from_str(&file).unwrap();
    let entry = &entry["mcpServers"]["notegate"];
    let arguments: Vec<&str> =
        entry["args"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(arguments, ["stdio", "--runtime", "cursor"]);
    let mut serve = home.command(&["serve", "--json", "--port", "0"]);
    serve.env("DBUS_SESSION_BUS_ADDRESS", &session.address);
    let _serving = Process::start(serve);
    let lists = || {
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
        session.run(&home, &arguments, &format!("{list}\n"))
    };
    let listed = lists();
    assert_eq!(listed.json()["result"]["tools"].as_array().unwrap().len(), 19, "{}", listed.stderr);

    // A new key takes the old one's place there, and the program notices nothing.
    done(&session.run(&home, &["runtime", "rotate", "cursor"], ""));
    assert_eq!(session.entries(), 1);
    assert_eq!(lists().json()["result"]["tools"].as_array().unwrap().len(), 19);

    done(&session.run(&home, &["runtime", "remove", "cursor"], ""));
    eventually("the key goes with its runtime", || session.entries() == 0);
    let refused = session.run(&home, &arguments, "");
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("notegate connect"), "{}", refused.stderr);
}
