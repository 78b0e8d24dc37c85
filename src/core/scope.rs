//! The scope of the vaults: as a person types it, and whether what is saved can be used. Saving needs no
//! folder that is there (LR-1), so what cannot be used is told afterwards, and hinders nothing.

use std::path::Path;
use std::time::Duration;

use super::actor::{Actor, Answer, Message};
use super::{CommandError, TestState};
use crate::obsidian::Scope;
use crate::settings::{InvalidField, normalise_vault_path};

/// How long the look at a scope may take; a folder on a server that is gone takes for ever.
const LOOK_TIME: Duration = Duration::from_secs(5);

impl Actor {
    /// A scope as it was typed, in the form in which it is saved. `~/` is the person's own folder: no
    /// shell has seen what comes from a form or in quotes.
    pub(super) fn scope_as_typed(&self, typed: &str) -> Result<String, InvalidField> {
        let typed = normalise_vault_path(typed)?;
        match self.environment.home().and_then(|user| below_user(&typed, user)) {
            Some(path) => normalise_vault_path(&path),
            None => Ok(typed),
        }
    }

    /// Looks beside the actor whether the saved scope can be used, and answers a save with it.
    pub(super) fn begin_scope_look(&self, answer: Option<Answer>) {
        // A core that is closing has no inbox any more, and nobody to tell.
        let Some(inbox) = self.inbox.upgrade() else { return };
        let (tools, vault_path) = (self.tools.clone(), self.settings.obsidian.vault_path.clone());
        self.work.spawn(async move {
            let scope = Scope::from_setting(&vault_path);
            let problem = match tokio::time::timeout(LOOK_TIME, tools.obsidian().discover(&scope)).await {
                Ok(found) => found.err().map(CommandError::from),
                Err(_) => Some(CommandError::new(
                    "timeout",
                    format!("looking at the saved scope took longer than {} seconds", LOOK_TIME.as_secs()),
                )),
            };
            let _ = inbox.send(Message::ScopeSeen { vault_path, problem, answer });
        });
    }

    /// A test of the scope that is saved tells whether it can be used as well.
    pub(super) fn learn_from_test(&mut self) {
        match &self.test {
            TestState::Passed { vault_path, .. } if *vault_path == self.settings.obsidian.vault_path => {
                self.scope_problem = None;
            }
            TestState::Failed { vault_path, error, .. }
                if *vault_path == self.settings.obsidian.vault_path && is_about_scope(error) =>
            {
                self.scope_problem = Some(error.clone());
            }
            _ => {}
        }
    }
}

/// Whether an error says that the scope cannot be used, rather than the engine or the moment.
fn is_about_scope(error: &CommandError) -> bool {
    matches!(
        error.code.as_str(),
        "scope_invalid" | "registry_missing" | "registry_invalid" | "vault_unreachable" | "protected"
    )
}

/// `~` and what is below it; `None` for any other path, `~somebody` among them.
fn below_user(typed: &str, user: &Path) -> Option<String> {
    let rest = typed.strip_prefix('~')?;
    let is_separator = |c: char| c == '/' || (cfg!(windows) && c == '\\');
    if !rest.is_empty() && !rest.starts_with(is_separator) {
        return None;
    }
    let path = user.join(rest.trim_start_matches(is_separator));
    path.into_os_string().into_string().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_tilde_of_its_own_is_the_users_folder() {
        let check = |typed, expected: Option<&str>| {
            assert_eq!(below_user(typed, Path::new("/home/me")).as_deref(), expected, "{typed}");
        };
        check("~/Notes", Some("/home/me/Notes"));
        check("~//Notes", Some("/home/me/Notes"));
        check("~/", Some("/home/me/"));
        check("~", Some("/home/me/"));
        check("~you/Notes", None);
        check("/~/Notes", None);
        check("Notes~", None);
    }
}
