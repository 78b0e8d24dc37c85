//! Notices on a bus of the test's own, where the test plays the desktop.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use tokio::sync::mpsc;
use zbus::object_server::SignalEmitter;
use zbus::zvariant::OwnedValue;

use super::*;

/// What a desktop was told.
#[derive(Debug, PartialEq)]
enum Told {
    Shown { replaces: u32, title: String, text: String },
    Withdrawn(u32),
}

struct Server(mpsc::UnboundedSender<Told>);

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Server {
    #[expect(clippy::too_many_arguments, reason = "the desktop's specification has so many")]
    fn notify(
        &self,
        _app: &str,
        replaces: u32,
        _icon: &str,
        title: &str,
        text: &str,
        actions: Vec<String>,
        _hints: HashMap<String, OwnedValue>,
        _expires: i32,
    ) -> u32 {
        assert_eq!(actions, ["default", "Show"]);
        let _ = self.0.send(Told::Shown { replaces, title: title.into(), text: text.into() });
        if replaces == 0 { 7 } else { replaces }
    }

    fn close_notification(&self, id: u32) {
        let _ = self.0.send(Told::Withdrawn(id));
    }

    #[zbus(signal)]
    async fn action_invoked(to: &SignalEmitter<'_>, id: u32, action_key: &str) -> zbus::Result<()>;
}

struct Daemon {
    daemon: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Daemon {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (config, listen) = (folder.path().join("bus.conf"), folder.path().join("bus"));
        let text = format!(
            r#"<busconfig><type>session</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"#,
            listen.display()
        );
        std::fs::write(&config, text).unwrap();
        let mut daemon = Command::new("dbus-daemon")
            .args(["--nofork", "--nopidfile", "--print-address=1", "--config-file"])
            .arg(&config)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon; tests/run installs it (package dbus)");
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { daemon, address: address.trim().to_owned(), _folder: folder }
    }

    /// Plays the desktop.
    async fn serve(&self) -> (Connection, mpsc::UnboundedReceiver<Told>) {
        let (telling, told) = mpsc::unbounded_channel();
        let server = zbus::connection::Builder::address(self.address.as_str())
            .unwrap()
            .name("org.freedesktop.Notifications")
            .unwrap()
            .serve_at("/org/freedesktop/Notifications", Server(telling))
            .unwrap()
            .build()
            .await
            .unwrap();
        (server, told)
    }

    fn desktop(&self) -> Desktop {
        Desktop { address: Some(self.address.clone()), ..Desktop::default() }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

fn notice(title: &str) -> Option<Notice> {
    Some(Notice { title: title.into(), text: "a <b> & c".into(), open: "Show".into() })
}

#[tokio::test]
async fn a_click_on_the_notice_that_stands_there_is_told_and_no_other() {
    let bus = Daemon::start();
    let (server, mut told) = bus.serve().await;
    let (notices, closed) = (watch::Sender::new(None), CancellationToken::new());
    let (pressing, mut pressed) = mpsc::unbounded_channel();
    let press = move || assert!(pressing.send(()).is_ok());
    let following = tokio::spawn(follow_on(bus.desktop(), notices.subscribe(), closed.clone(), press));
    notices.send_replace(notice("one"));
    told.recv().await.unwrap();

    let to = SignalEmitter::new(&server, "/org/freedesktop/Notifications").unwrap();
    for (id, action) in [(99, "default"), (7, "another"), (7, "default")] {
        Server::action_invoked(&to, id, action).await.unwrap();
    }
    pressed.recv().await.unwrap();
    notices.send_replace(None);
    assert_eq!(told.recv().await.unwrap(), Told::Withdrawn(7));
    closed.cancel();
    following.await.unwrap();
    assert_eq!(pressed.recv().await, None, "one click, and the notice of nobody else");
}

#[tokio::test]
async fn a_notice_is_shown_replaced_and_withdrawn() {
    let bus = Daemon::start();
    let (_server, mut told) = bus.serve().await;
    let (notices, closed) = (watch::Sender::new(None), CancellationToken::new());
    let following = tokio::spawn(follow_on(bus.desktop(), notices.subscribe(), closed.clone(), || ()));
    let text = "a &lt;b&gt; &amp; c".to_owned();

    notices.send_replace(notice("one"));
    let shown = |replaces, title: &str| Told::Shown { replaces, title: title.into(), text: text.clone() };
    assert_eq!(told.recv().await.unwrap(), shown(0, "one"));
    notices.send_replace(notice("two"));
    assert_eq!(told.recv().await.unwrap(), shown(7, "two"));
    notices.send_replace(None);
    assert_eq!(told.recv().await.unwrap(), Told::Withdrawn(7));
    notices.send_replace(notice("three"));
    assert_eq!(told.recv().await.unwrap(), shown(0, "three"));
    closed.cancel();
    assert_eq!(told.recv().await.unwrap(), Told::Withdrawn(7), "it goes with the window");
    following.await.unwrap();
}

#[tokio::test]
async fn a_desktop_that_takes_no_notices_stops_nothing() {
    let bus = Daemon::start();
    let (notices, closed) = (watch::Sender::new(notice("one")), CancellationToken::new());
    let mut seen = notices.subscribe();
    seen.mark_changed();
    let following = tokio::spawn(follow_on(bus.desktop(), seen, closed.clone(), || ()));
    closed.cancel();
    following.await.unwrap();
    let mut desktop = Desktop { address: Some("unix:path=/nowhere/at/all".into()), ..Desktop::default() };
    assert!(desktop.show(notice("one")).await.is_err());
}
