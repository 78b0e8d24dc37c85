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

/// Kinds whose sentence tells all there is, where no case is named.
const WHOLE: [&str; 18] = [
    "cancelled",
    "check_running",
    "closing",
    "dialog_open",
    "kernel_changed",
    "kernel_disabled",
    "kernel_forbidden",
    "kernel_throttled",
    "kernel_unauthorized",
    "keyring_entry_missing",
    "several_kernels",
    "test_running",
    "token_busy",
    "token_lost",
    "token_needed",
    "token_refused",
    "unknown_kernel",
    "unknown_runtime",
];

/// The case at hand, in the person's language where it is one of those that have a word.
fn detail(error: &CommandError, texts: &Texts) -> Option<String> {
    let told = error.case.as_ref().and_then(|case| {
        let key = format!("reason-{}", case.reason.replace('_', "-"));
        texts.knows(&key).then(|| texts.with(&key, [("subject", case.subject.as_str().into())]))
    });
    told.or_else(|| (!WHOLE.contains(&error.code.as_str())).then(|| error.message.clone()))
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
    fn everything_that_can_be_wrong_with_a_kernel_has_a_sentence() {
        let texts = Texts::new(Language::SimplifiedChinese);
        for code in [
            "check_running",
            "kernel_answer",
            "kernel_booting",
            "kernel_changed",
            "kernel_disabled",
            "kernel_forbidden",
            "kernel_gone",
            "kernel_not_bound",
            "workspace_untold",
            "kernel_not_running",
            "kernel_refused",
            "kernel_throttled",
            "kernel_timeout",
            "kernel_tls",
            "kernel_unauthorized",
            "kernel_unreachable",
            "keyring_entry_missing",
            "keyring_failed",
            "keyring_locked",
            "keyring_no_answer",
            "keyring_unavailable",
            "not_a_kernel",
            "other_workspace",
            "port_file",
            "port_of_another",
            "several_kernels",
            "token_busy",
            "token_lost",
            "token_needed",
            "token_refused",
            "unknown_kernel",
        ] {
            assert_ne!(shown(&CommandError::new(code, "case"), &texts).lead, "case", "{code}");
        }
        for reason in [
            "address_credentials",
            "address_none",
            "address_path",
            "address_port",
            "address_query",
            "address_scheme",
            "address_too_long",
            "answers_at",
            "boot_progress",
            "certificate_bad",
            "certificate_date",
            "certificate_issuer",
            "certificate_name",
            "connection_broken",
            "host_unknown",
            "http_status",
            "kernel_code",
            "kernel_name",
            "kernel_name_empty",
            "kernel_seconds",
            "keyring_not_kept",
            "keyring_says",
            "keyring_several",
            "no_answer_within",
            "no_connection_within",
            "no_root_certificates",
            "no_user_folder",
            "no_way_there",
            "none_registered",
            "not_tls",
            "nothing_listens",
            "pid_elsewhere",
            "pid_nobody",
            "port_file",
            "port_file_path",
            "port_file_unused",
            "port_not_its_own",
            "process_gone",
            "redirects_to",
            "retry_after",
            "tls_no_agreement",
            "token_characters",
            "token_empty",
            "token_too_long",
            "token_too_short",
            "workspace_found",
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
