//! The tokens of kernels, on their way to the keyring and out of it.
//!
//! The keyring may take long, so it is asked beside the actor; meanwhile the token of that kernel is
//! not touched by another command. The settings say only whether there is one.

use super::actor::{Actor, Answer, Message, reply};
use super::kernels::{KernelMessage, kernel_changed};
use super::{CommandError, Reply, TypedSecret};
use crate::secrets::filter::SHORTEST;
use crate::secrets::{CredentialError, Secret};
use crate::settings::{InvalidField, KernelId, TokenState};

/// What was done with a kernel's token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moved {
    Written,
    Cleared,
    /// Cleared, and the kernel goes after it.
    Removed,
}

const MAX_TOKEN_CHARS: usize = 1024;

impl Actor {
    pub(super) fn begin_token(&mut self, id: KernelId, token: TypedSecret, answer: Answer) {
        match checked(&token.0) {
            Ok(token) => self.move_token(id, Moved::Written, Some(token), answer),
            Err(error) => reply(answer, Err(error.into())),
        }
    }

    pub(super) fn begin_clearing(&mut self, id: KernelId, answer: Answer) {
        self.move_token(id, Moved::Cleared, None, answer);
    }

    pub(super) async fn begin_removal(&mut self, id: KernelId, keep_token: bool, answer: Answer) {
        let has_token = match self.resting_token(&id) {
            Ok(token) => token != TokenState::None,
            Err(error) => return reply(answer, Err(error)),
        };
        if has_token && !keep_token {
            return self.move_token(id, Moved::Removed, None, answer);
        }
        let outcome = self.remove_kernel(id).await;
        self.publish();
        reply(answer, outcome);
    }

    /// The state of a kernel's token, unless it is on its way.
    fn resting_token(&self, id: &KernelId) -> Result<TokenState, CommandError> {
        if self.tokens_moving.contains(id) {
            let busy =
                format!("the token of {id} is on its way to or from the keyring; wait until that is done");
            return Err(CommandError::new("token_busy", busy));
        }
        self.known_kernel(id).map(|kernel| kernel.token)
    }

    fn move_token(&mut self, id: KernelId, moved: Moved, token: Option<Secret>, answer: Answer) {
        // A core that is closing has no inbox any more, and nobody to tell.
        let Some(inbox) = self.inbox.upgrade() else { return };
        if let Err(error) = self.resting_token(&id) {
            return reply(answer, Err(error));
        }
        self.tokens_moving.insert(id.clone());
        let (credentials, entry) = (self.kernels.credentials().clone(), self.kernels.entry(&id));
        let ending = self.ending.clone();
        self.work.spawn(async move {
            let moving = async {
                match token {
                    Some(token) => credentials.write(&entry, token).await,
                    None => credentials.remove(&entry).await,
                }
            };
            let outcome = tokio::select! {
                outcome = moving => outcome,
                () = ending.cancelled() => return,
            };
            let _ = inbox.send(Message::Kernel(KernelMessage::Token { kernel: id, moved, outcome, answer }));
        });
    }

    /// Saves what became of a token. Calls that were opened with the old one end.
    pub(super) async fn end_token(
        &mut self,
        id: KernelId,
        moved: Moved,
        outcome: Result<(), CredentialError>,
        answer: Answer,
    ) {
        self.tokens_moving.remove(&id);
        let saved = match (outcome, moved) {
            (Err(error), _) => Err(error.into()),
            (Ok(()), Moved::Written) => self.set_token_state(&id, TokenState::Stored).await,
            (Ok(()), Moved::Cleared) => self.set_token_state(&id, TokenState::None).await,
            (Ok(()), Moved::Removed) => self.remove_kernel(id.clone()).await,
        };
        if saved.is_err() && moved == Moved::Written {
            self.drop_orphan(&id);
        }
        self.publish();
        reply(answer, saved);
    }

    async fn set_token_state(&mut self, id: &KernelId, state: TokenState) -> Result<Reply, CommandError> {
        self.known_kernel(id)?;
        self.checks.forget(id);
        self.change(kernel_changed(), |settings| {
            if let Some(kernel) = settings.siyuan.kernel_mut(id) {
                kernel.token = state;
            }
        })
        .await
    }

    /// Removes a token of which the settings do not know.
    fn drop_orphan(&mut self, id: &KernelId) {
        if self.known_kernel(id).is_ok_and(|kernel| kernel.token != TokenState::None) {
            return;
        }
        let (credentials, entry) = (self.kernels.credentials().clone(), self.kernels.entry(id));
        self.work.spawn(async move {
            if let Err(error) = credentials.remove(&entry).await {
                tracing::warn!(%error, "a token that could not be noted in the settings stays in the keyring");
            }
        });
    }
}

/// A token as a person types or pastes it, without what surrounds it. The text is never repeated.
fn checked(typed: &Secret) -> Result<Secret, InvalidField> {
    let token = typed.reveal().trim();
    let (word, problem) = if token.is_empty() {
        ("token_empty", "the token is empty; to remove it, clear it")
    } else if token.len() > MAX_TOKEN_CHARS {
        ("token_too_long", "the token is longer than 1024 characters")
    } else if token.len() < SHORTEST {
        (
            "token_too_short",
            "the token is shorter than 6 characters: too short to be kept out of answers and logs",
        )
    } else if !token.bytes().all(|b| b.is_ascii_graphic() || b == b' ') {
        (
            "token_characters",
            "the token holds a character that no header carries; copy it again from SiYuan, Settings, About",
        )
    } else {
        return Ok(Secret::from_text(token));
    };
    Err(InvalidField::new("token", problem).about(word, MAX_TOKEN_CHARS))
}
