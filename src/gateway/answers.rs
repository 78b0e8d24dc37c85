//! Which answers are still on their way, so that ending a session or the gateway cuts none off.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use futures_util::StreamExt;
use tokio::sync::watch;

use crate::access::SessionLabel;

/// Counts the answers that were begun and not yet sent to their end, by session.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers(Arc<watch::Sender<HashMap<Option<SessionLabel>, usize>>>);

/// An answer on its way; dropping it says that it is out, or that its client is gone.
#[derive(Debug)]
pub(super) struct Underway {
    answers: Answers,
    session: Option<SessionLabel>,
}

impl Answers {
    pub(super) fn begin(&self, session: Option<SessionLabel>) -> Underway {
        self.0.send_modify(|counts| *counts.entry(session.clone()).or_default() += 1);
        Underway { answers: self.clone(), session }
    }

    /// Waits until no answer of this session is on its way.
    pub(super) async fn all_out_of(&self, session: &SessionLabel) {
        let session = Some(session.clone());
        // The sender lives in `self`, so waiting cannot fail.
        let _ = self.0.subscribe().wait_for(|counts| !counts.contains_key(&session)).await;
    }

    /// Waits until no answer at all is on its way.
    pub(super) async fn all_out(&self) {
        let _ = self.0.subscribe().wait_for(HashMap::is_empty).await;
    }
}

impl Underway {
    /// Ties the answer's end to the end of `response`'s body.
    pub(super) fn until_sent(self, response: Response) -> Response {
        response.map(|body| {
            Body::from_stream(body.into_data_stream().map(move |chunk| {
                let _held_until_the_stream_is_dropped = &self;
                chunk
            }))
        })
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.answers.0.send_modify(|counts| {
            if let Some(count) = counts.get_mut(&self.session) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&self.session);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_is_out_when_its_body_has_ended_or_was_dropped() {
        let (answers, label) = (Answers::default(), SessionLabel("s".into()));
        let response = answers.begin(Some(label.clone())).until_sent(Response::new(Body::from("x")));
        let _other = answers.begin(None);
        let waiting = answers.all_out_of(&label);
        tokio::pin!(waiting);
        assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        drop(response);
        waiting.await;
    }
}
