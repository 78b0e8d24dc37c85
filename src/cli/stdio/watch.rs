//! Looks every few seconds whether Notegate is there and whether its tools have changed, for as long
//! as a client wants to know.

use std::sync::Arc;
use std::time::Duration;

use super::bridge::Bridge;

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
    loop {
        if bridge.wants_news() {
            let state = bridge.endpoint.state().await;
            bridge.saw(state).await;
            tokio::time::sleep(EVERY).await;
        } else {
            bridge.news_wanted.notified().await;
        }
    }
}
