//! Notices after the desktop's specification, over the session's bus.
//!
//! A desktop without a notification server is told nothing, and nobody is told that: the window asks for attention as well.

use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use zbus::Connection;
use zbus::zvariant::Value;

use super::Notice;
use crate::ui::app::PRODUCT;

/// So long a notification server is waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// Urgent, after the desktop's specification: it stays until it is withdrawn.
const URGENT: u8 = 2;

#[zbus::proxy(
    interface = "org.freedesktop.Notifications",
    default_service = "org.freedesktop.Notifications",
    default_path = "/org/freedesktop/Notifications",
    gen_blocking = false
)]
trait Notifications {
    #[expect(clippy::too_many_arguments, reason = "the desktop's specification has so many")]
    fn notify(
        &self,
        app_name: &str,
        replaces_id: u32,
        app_icon: &str,
        summary: &str,
        body: &str,
        actions: &[&str],
        hints: std::collections::HashMap<&str, Value<'_>>,
        expire_timeout: i32,
    ) -> zbus::Result<u32>;

    fn close_notification(&self, id: u32) -> zbus::Result<()>;

    /// The person pressed a notice, or a button on it.
    #[zbus(signal)]
    fn action_invoked(&self, id: u32, action_key: &str) -> zbus::Result<()>;
}

/// The name of the action that a click on the notice itself is.
const CLICK: &str = "default";

/// The way to the desktop, opened with the first notice.
#[derive(Debug, Default)]
struct Desktop {
    /// The bus to use; `None` is the session's own.
    address: Option<String>,
    bus: Option<Bus>,
    /// The notice that stands there; 0: none.
    shown: u32,
}

#[derive(Debug)]
struct Bus {
    notifications: NotificationsProxy<'static>,
    presses: ActionInvokedStream,
}

impl Desktop {
    async fn show(&mut self, notice: Option<Notice>) -> zbus::Result<()> {
        let Bus { notifications, .. } = match (&mut self.bus, &notice) {
            (Some(bus), _) => bus,
            (None, None) => return Ok(()),
            (bus @ None, Some(_)) => bus.insert(Bus::connect(self.address.as_deref()).await?),
        };
        match notice {
            Some(Notice { title, text, open }) => {
                let hints =
                    [("urgency", Value::U8(URGENT)), ("desktop-entry", Value::from("notegate"))].into();
                let (title, text) = (title, without_markup(&text));
                self.shown = notifications
                    .notify(PRODUCT, self.shown, "notegate", &title, &text, &[CLICK, &open], hints, 0)
                    .await?;
            }
            None if self.shown != 0 => {
                let shown = std::mem::take(&mut self.shown);
                notifications.close_notification(shown).await?;
            }
            None => {}
        }
        Ok(())
    }

    /// Waits until the notice that stands there is clicked.
    async fn pressed(&mut self) {
        while let Some(bus) = &mut self.bus {
            let Some(press) = bus.presses.next().await else {
                self.bus = None; // the next notice looks for another
                break;
            };
            if let Ok(press) = press.args()
                && press.id == self.shown
                && press.action_key == CLICK
            {
                return;
            }
        }
        std::future::pending().await
    }
}

impl Bus {
    async fn connect(address: Option<&str>) -> zbus::Result<Self> {
        let bus = match address {
            None => Connection::session().await?,
            Some(address) => zbus::connection::Builder::address(address)?.build().await?,
        };
        let notifications = NotificationsProxy::new(&bus).await?;
        let presses = notifications.receive_action_invoked().await?;
        Ok(Self { notifications, presses })
    }
}

/// The text of a notice is read as markup.
fn without_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Shows the latest notice on the session's desktop until `closed` fires, and takes it away then. `pressed` is called
/// when the person clicks it.
pub async fn follow(notices: watch::Receiver<Option<Notice>>, closed: CancellationToken, pressed: impl Fn()) {
    follow_on(Desktop::default(), notices, closed, pressed).await;
}

async fn follow_on(
    mut desktop: Desktop,
    mut notices: watch::Receiver<Option<Notice>>,
    closed: CancellationToken,
    pressed: impl Fn(),
) {
    loop {
        let ends = tokio::select! {
            changed = notices.changed() => changed.is_err(),
            () = closed.cancelled() => true,
            () = desktop.pressed() => {
                pressed();
                continue;
            }
        };
        let notice = if ends { None } else { notices.borrow_and_update().clone() };
        let shown = tokio::time::timeout(PATIENCE, desktop.show(notice)).await;
        match shown {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "nothing was told on the desktop"),
            Err(_) => tracing::debug!("the desktop took no notice in time"),
        }
        if ends {
            return;
        }
    }
}

#[cfg(test)]
#[path = "bus_tests.rs"]
mod tests;
