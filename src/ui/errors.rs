//! Errors of the core in the person's language: a sentence of ours for each kind, and below it what
//! the core said of the case at hand.

use super::text::Texts;
use crate::core::CommandError;

/// An error as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// What happened and what to do, in the window's language.
    pub lead: String,
    /// The case at hand: names, paths, the system's own words.
    pub detail: Option<String>,
}

/// The error as the window tells it. A kind without a sentence of its own is told in the core's words.
pub fn shown(error: &CommandError, texts: &Texts) -> Shown {
    let key = format!("error-{}", error.code.replace('_', "-"));
    match texts.find(&key) {
        Some(lead) => Shown { lead, detail: Some(error.message.clone()) },
        None => Shown { lead: error.message.clone(), detail: None },
    }
}

/// Whether the error speaks of the folder that was typed, so that it belongs beside that field.
pub fn is_about_folder(error: &CommandError) -> bool {
    error.field.as_deref() == Some("obsidian.vaultPath")
        || matches!(error.code.as_str(), "scope_invalid" | "vault_unreachable" | "protected")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Language;

    #[test]
    fn a_known_kind_is_told_in_the_persons_language_with_its_detail() {
        let error = CommandError::new("vault_unreachable", "cannot open \"/x\": No such file");
        for language in [Language::English, Language::SimplifiedChinese] {
            let texts = Texts::new(language);
            let told = shown(&error, &texts);
            assert_eq!(told.lead, texts.get("error-vault-unreachable"));
            assert_eq!(told.detail.as_deref(), Some(error.message.as_str()));
        }
    }

    #[test]
    fn every_kind_that_the_window_can_meet_has_a_sentence() {
        let texts = Texts::new(Language::English);
        for code in [
            "cancelled",
            "cannot_listen",
            "closing",
            "dialog_open",
            "engine_failed",
            "engine_missing",
            "folder_name",
            "internal",
            "invalid",
            "no_folder_dialog",
            "no_randomness",
            "port_reserved",
            "port_taken",
            "protected",
            "registry_invalid",
            "registry_missing",
            "scope_invalid",
            "settings",
            "settings_changed",
            "test_running",
            "timeout",
            "unavailable",
            "unknown_runtime",
            "vault_unreachable",
        ] {
            assert!(shown(&CommandError::new(code, "case"), &texts).detail.is_some(), "{code}");
        }
    }

    #[test]
    fn an_unknown_kind_is_told_in_the_cores_words() {
        let told = shown(&CommandError::new("something_new", "words"), &Texts::new(Language::English));
        assert_eq!(told, Shown { lead: "words".into(), detail: None });
    }
}
