//! What is said of a question: who wants what, how much time is left, and how it ended.

use std::time::{Duration, SystemTime};

use crate::core::{QuestionState, QuestionView, Snapshot};
use crate::ui::names;
use crate::ui::widgets::Look;

/// Endpoints that a person knows by what they do.
const KNOWN: [(&str, &str); 13] = [
    ("/api/notebook/lsNotebooks", "asks-notebooks"),
    ("/api/filetree/listDocsByPath", "asks-docs"),
    ("/api/search/fullTextSearchBlock", "asks-search"),
    ("/api/query/sql", "asks-sql"),
    ("/api/block/getBlockKramdown", "asks-read"),
    ("/api/block/getChildBlocks", "asks-children"),
    ("/api/filetree/createDocWithMd", "asks-create-doc"),
    ("/api/block/insertBlock", "asks-insert"),
    ("/api/block/appendBlock", "asks-append"),
    ("/api/block/updateBlock", "asks-update"),
    ("/api/filetree/renameDocByID", "asks-rename"),
    ("/api/block/deleteBlock", "asks-delete"),
    ("/api/filetree/removeDocByID", "asks-delete-doc"),
];

/// Who wants what: the first line of a card.
pub(super) fn headline(question: &QuestionView, snapshot: &Snapshot, look: Look<'_>) -> String {
    let (key, what) = asked(question);
    let kernel = question.kernel.as_deref().map(|id| names::of_kernel(id, snapshot)).unwrap_or_default();
    let who = names::of_caller(question.runtime.as_str(), snapshot, look);
    look.texts.with(key, [("who", who.into()), ("kernel", kernel.into()), ("what", what.into())])
}

/// The sentence for it, and what it speaks of. Of several endpoints the last is the one that the others lead to.
fn asked(question: &QuestionView) -> (&'static str, String) {
    let words: Vec<&str> = question.endpoints.last().map(|key| key.split(' ').collect()).unwrap_or_default();
    match words[..] {
        ["http", method, path] => match KNOWN.iter().find(|(known, _)| *known == path) {
            Some((_, key)) => (*key, String::new()),
            None => ("asks-http", [method, path].join(" ")),
        },
        ["mcp", _, tool] => ("asks-mcp-tool", tool.to_owned()),
        ["mcp", method] => ("asks-mcp", method.to_owned()),
        ["plugin", plugin, _] => ("asks-plugin", plugin.to_owned()),
        ["ws", "send", ..] => ("asks-ws-send", String::new()),
        ["ws", ..] => ("asks-ws", String::new()),
        ["connection", ..] => ("asks-status", String::new()),
        _ => ("asks-other", question.tool.clone()),
    }
}

/// A span of time in words, in whole seconds.
pub(super) fn span(span: Duration, look: Look<'_>) -> String {
    let seconds = span.as_secs();
    match seconds / 60 {
        0 => look.texts.with("span-seconds", [("seconds", seconds.into())]),
        minutes => {
            look.texts.with("span-minutes", [("minutes", minutes.into()), ("seconds", (seconds % 60).into())])
        }
    }
}

/// How much of a question's time is left: as a span, rounded up so that it is never 0 while it can be answered, and as a
/// part of the whole.
pub(super) fn left(question: &QuestionView, now: SystemTime) -> (Duration, f32) {
    let left = question.ends.duration_since(now).unwrap_or_default();
    let whole = question.ends.duration_since(question.asked).unwrap_or_default();
    let part = if whole.is_zero() { 0.0 } else { left.as_secs_f32() / whole.as_secs_f32() };
    (Duration::from_secs(left.as_millis().div_ceil(1000) as u64), part.clamp(0.0, 1.0))
}

/// How a question ended that somebody else, or time, has ended. `None`: it is open still, or went the way that an answer
/// given here has sent it.
pub(super) fn ended(state: QuestionState, answered_here: bool) -> Option<&'static str> {
    match state {
        QuestionState::Open => None,
        QuestionState::Approved | QuestionState::Used | QuestionState::Refused if answered_here => None,
        QuestionState::Approved | QuestionState::Used => Some("ended-approved-elsewhere"),
        QuestionState::Refused => Some("ended-refused-elsewhere"),
        QuestionState::TooLate => Some("ended-too-late"),
        QuestionState::Cancelled => Some("ended-cancelled"),
        QuestionState::ConfigurationChanged => Some("ended-configuration-changed"),
        QuestionState::NobodyToAsk => Some("ended-nobody"),
        QuestionState::NotTaken => Some("ended-not-taken"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Language, QuestionId, RuntimeId};
    use crate::ui::text::Texts;
    use crate::ui::theme::Tokens;

    fn question(endpoints: &[&str]) -> QuestionView {
        let asked = SystemTime::UNIX_EPOCH;
        QuestionView {
            id: QuestionId(1),
            runtime: RuntimeId::new("opencode").unwrap(),
            session: None,
            tool: "siyuan_rpc".into(),
            kernel: None,
            endpoints: endpoints.iter().map(|key| (*key).to_owned()).collect(),
            change: String::new(),
            text: None,
            asked,
            ends: asked + Duration::from_secs(120),
            state: QuestionState::Open,
            since: asked,
        }
    }

    #[test]
    fn each_kind_of_endpoint_has_a_sentence() {
        let texts = Texts::new(Language::English);
        let check = |endpoints: &[&str], key: &str, what: &str| {
            assert_eq!(asked(&question(endpoints)), (key, what.to_owned()));
            assert!(texts.knows(key), "{key}");
        };
        check(&["http POST /api/block/updateBlock"], "asks-update", "");
        check(&["http GET /api/x"], "asks-http", "GET /api/x");
        check(&["mcp tools/call", "mcp tools/call search"], "asks-mcp-tool", "search");
        check(&["mcp tools/list"], "asks-mcp", "tools/list");
        check(&["plugin mine $batch", "plugin mine echo"], "asks-plugin", "mine");
        check(&["ws connect /ws", "ws send /ws ping"], "asks-ws-send", "");
        check(&["ws connect /ws"], "asks-ws", "");
        check(&["connection status"], "asks-status", "");
        check(&[], "asks-other", "siyuan_rpc");
        for (_, key) in KNOWN {
            assert!(texts.knows(key), "{key}");
        }
    }

    #[test]
    fn time_that_is_left_is_never_nothing_while_there_is_some() {
        let (question, second) = (question(&[]), Duration::from_secs(1));
        let at = |millis| left(&question, SystemTime::UNIX_EPOCH + Duration::from_millis(millis));
        assert_eq!(at(0), (120 * second, 1.0));
        assert_eq!(at(60_000), (60 * second, 0.5));
        assert_eq!(at(119_999).0, second);
        assert_eq!(at(120_001), (Duration::ZERO, 0.0));
        let texts = Texts::new(Language::English);
        let look = Look { tokens: Tokens::of(egui::Theme::Light), texts: &texts };
        assert_eq!((span(59 * second, look), span(61 * second, look)), ("59 s".into(), "1 min 1 s".into()));
    }
}
