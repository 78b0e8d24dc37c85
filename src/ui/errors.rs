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
        Some(lead) => Shown { lead, detail: detail(error, texts) },
        None => Shown { lead: error.message.clone(), detail: None },
    }
}

/// Kinds that know only one case, which their sentence tells.
const WHOLE: [&str; 5] = ["cancelled", "closing", "dialog_open", "test_running", "unknown_runtime"];

/// The case at hand, in the person's language where it is one of those that have a word.
fn detail(error: &CommandError, texts: &Texts) -> Option<String> {
    if WHOLE.contains(&error.code.as_str()) {
        return None;
    }
    let told = error.case.as_ref().and_then(|case| {
        let key = format!("reason-{}", case.reason.replace('_', "-"));
        texts.knows(&key).then(|| texts.with(&key, [("subject", case.subject.as_str().into())]))
    });
    Some(told.unwrap_or_else(|| error.message.clone()))
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
            assert_ne!(shown(&CommandError::new(code, "case"), &texts).lead, "case", "{code}");
        }
    }

    #[test]
    fn a_case_that_has_a_word_is_told_in_the_persons_language() {
        let missing =
            CommandError::new("scope_invalid", "the folder \"/x\" cannot be used: there is no such folder");
        for language in [Language::English, Language::SimplifiedChinese] {
            let texts = Texts::new(language);
            let told = shown(&missing.clone().about("folder_missing", "/x"), &texts).detail.unwrap();
            assert_eq!(told, texts.with("reason-folder-missing", [("subject", "/x".into())]));
            assert!(told.contains("/x"), "{told}");
            // A word that this window does not know leaves the core's own sentence.
            let told = shown(&missing.clone().about("something_new", "/x"), &texts).detail;
            assert_eq!(told.as_deref(), Some(missing.message.as_str()));
            let busy = CommandError::new("test_running", "a connection test is running already");
            assert_eq!(shown(&busy, &texts).detail, None, "the sentence says it all");
        }
    }

    #[test]
    fn every_case_that_the_core_knows_has_a_sentence() {
        let texts = Texts::new(Language::SimplifiedChinese);
        for reason in [
            "folder_in_sandbox",
            "folder_inaccessible",
            "folder_is_a_file",
            "folder_missing",
            "folder_not_absolute",
            "name_control",
            "name_empty",
            "name_too_long",
            "no_scoped_data_tools",
            "port",
            "registry_looked",
        ] {
            assert!(texts.knows(&format!("reason-{}", reason.replace('_', "-"))), "{reason}");
        }
    }

    #[test]
    fn an_unknown_kind_is_told_in_the_cores_words() {
        let told = shown(&CommandError::new("something_new", "words"), &Texts::new(Language::English));
        assert_eq!(told, Shown { lead: "words".into(), detail: None });
    }
}
