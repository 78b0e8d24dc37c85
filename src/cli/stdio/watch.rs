//! Looks every few seconds whether Notegate is there and whether its tools have changed, for as long
//! as a client wants to know; and says at once on standard error what keeps the bridge from being served.

use std::sync::Arc;
use std::time::Duration;

use super::bridge::Bridge;
use super::endpoint::State;
use crate::cli::output::Output;

const EVERY: Duration = Duration::from_secs(2);

/// Runs until the bridge ends.
pub async fn run(bridge: Arc<Bridge>) {
    let end = bridge.end.clone();
    tokio::select! {
        () = end.cancelled() => {}
        () = look(bridge) => {}
    }
}

async fn look(bridge: Arc<Bridge>) {
    let mut said = Said::default();
    loop {
        let state = bridge.endpoint.state().await;
        said.hear(&bridge, &state).await;
        if bridge.wants_news() {
            bridge.saw(state).await;
            tokio::time::sleep(EVERY).await;
        } else {
            bridge.news_wanted.notified().await;
        }
    }
}

/// What was said on standard error, which clients show or keep in a log: each thing once.
#[derive(Default)]
struct Said {
    about: Option<State>,
    complaint: Option<String>,
}

impl Said {
    async fn hear(&mut self, bridge: &Bridge, state: &State) {
        if self.about.as_ref() == Some(state) {
            return;
        }
        self.about = Some(state.clone());
        let complaint = bridge.endpoint.complaint(state).await;
        if complaint != self.complaint {
            let words = complaint.as_deref().unwrap_or("Notegate is running, and serves this connection");
            Output::new(false).note(format!("notegate stdio: {words}"));
            self.complaint = complaint;
        }
    }
}
