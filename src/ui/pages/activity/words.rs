//! What a row says in the person's language.

use crate::core::{Decision, KernelAddress, Object, ObjectKind, Outcome, Record, Snapshot};
use crate::ui::icons::Icon;
use crate::ui::names;
use crate::ui::widgets::{Look, Tone};

/// How it came out: its word, and how it looks.
pub(super) fn outcome(outcome: Outcome) -> (&'static str, Icon, Tone) {
    match outcome {
        Outcome::Running => ("outcome-running", Icon::Waiting, Tone::Waiting),
        Outcome::Succeeded => ("outcome-succeeded", Icon::Success, Tone::Success),
        Outcome::Failed => ("outcome-failed", Icon::Danger, Tone::Danger),
        Outcome::Refused => ("outcome-refused", Icon::Off, Tone::Plain),
        Outcome::Cancelled => ("outcome-cancelled", Icon::Off, Tone::Plain),
        Outcome::Sent => ("outcome-sent", Icon::Info, Tone::Waiting),
        Outcome::Uncertain => ("outcome-uncertain", Icon::Warning, Tone::Warning),
    }
}

/// What that means for the notes.
pub(super) fn meaning(record: &Record) -> &'static str {
    match (record.outcome, record.writes) {
        (Outcome::Running, _) => "meaning-running",
        (Outcome::Succeeded, true) => "meaning-written",
        (Outcome::Succeeded, false) => "meaning-read",
        (Outcome::Failed, _) => "meaning-failed",
        (Outcome::Refused, _) => "meaning-refused",
        (Outcome::Cancelled, _) => "meaning-cancelled",
        (Outcome::Sent, _) => "meaning-sent",
        (Outcome::Uncertain, _) => "meaning-uncertain",
    }
}

/// By what it was let through or held back.
pub(super) fn decision(record: &Record) -> &'static str {
    let is_allowed = || record.endpoints.iter().any(|endpoint| endpoint.permission.is_some());
    let is_paused = || record.code.as_deref() == Some("approvals_paused");
    match record.decision {
        Decision::Direct if is_allowed() => "decided-allowed",
        Decision::Direct => "decided-direct",
        Decision::FullAccess => "decided-full-access",
        Decision::Approved => "decided-approved",
        Decision::RefusedByPerson => "decided-refused",
        Decision::Mode => "decided-mode",
        Decision::Policy => "decided-policy",
        Decision::Configuration => "decided-configuration",
        Decision::Expired if is_paused() => "decided-paused",
        Decision::Expired => "decided-expired",
        Decision::Cancelled => "decided-cancelled",
        Decision::NoAnswerer => "decided-no-answerer",
    }
}

/// A permission as it was in force, by the word in the log.
pub(super) fn permission(word: &str) -> Option<&'static str> {
    match word {
        "ask" => Some("granted-ask"),
        "ask-full-access" => Some("granted-ask-full-access"),
        "deny" => Some("granted-deny"),
        "allow" => Some("granted-allow"),
        _ => None,
    }
}

pub(super) fn kind(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Document => "object-document",
        ObjectKind::Block => "object-block",
        ObjectKind::Note => "object-note",
    }
}

/// What a row is about, on one line: where it went, and the first of what it named.
pub(super) fn about(record: &Record, snapshot: &Snapshot, look: Look<'_>) -> String {
    let kernel = record.kernel.as_deref().map(|id| names::of_kernel(id, snapshot));
    let object = record.objects.first().map(|object| match record.objects.len() {
        1 => object.id.clone(),
        count => {
            let args = [("first", object.id.as_str().into()), ("count", (count - 1).into())];
            look.texts.with("and-more", args)
        }
    });
    // Without an object the endpoint says most.
    let endpoint = || record.endpoints.last().map(|endpoint| endpoint.key.clone());
    let parts = [kernel.or_else(|| record.vault.clone()), object.or_else(endpoint)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Where an object is opened in SiYuan, if that is certain: it was worked on with success, is there still as far as this
/// row knows, and its kernel is on this computer.
pub(super) fn address(record: &Record, object: &Object, snapshot: &Snapshot) -> Option<String> {
    let is_there = record.outcome == Outcome::Succeeded && record.tool != "siyuan_delete";
    let is_in_siyuan = matches!(object.kind, ObjectKind::Block | ObjectKind::Document);
    let kernel = names::kernel(record.kernel.as_deref()?, snapshot)?;
    let is_here = match &kernel.address {
        KernelAddress::Auto => true,
        KernelAddress::At(url) => url.is_loopback(),
    };
    (is_there && is_in_siyuan && is_here && is_id(&object.id))
        .then(|| format!("siyuan://blocks/{}", object.id))
}

/// An id as SiYuan makes them, and nothing that an address could be made of.
fn is_id(text: &str) -> bool {
    text.split_once('-').is_some_and(|(time, rest)| {
        time.len() == 14
            && time.bytes().all(|b| b.is_ascii_digit())
            && rest.len() == 7
            && rest.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Language;
    use crate::ui::text::Texts;

    #[test]
    fn every_word_of_the_log_has_a_sentence() {
        let texts = Texts::new(Language::English);
        for kind_of in [ObjectKind::Document, ObjectKind::Block, ObjectKind::Note] {
            assert!(texts.knows(kind(kind_of)));
        }
        for word in ["ask", "ask-full-access", "deny", "allow"] {
            assert!(texts.knows(permission(word).unwrap()), "{word}");
        }
        for word in Outcome::ALL {
            assert!(texts.knows(outcome(*word).0), "{word:?}");
        }
    }

    #[test]
    fn only_an_id_of_siyuan_becomes_an_address() {
        assert!(is_id("20261011180002-abcdef0"));
        for text in
            ["", "20261011180002-abcdefg/../x", "20261011180002-ABCDEFG", "x?id=1", "2026101118000-abcdefgh"]
        {
            assert!(!is_id(text), "{text}");
        }
    }
}
