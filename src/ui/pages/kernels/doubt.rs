//! What is asked before something of a kernel is lost.

use crate::core::{Command, KernelView, TokenState};
use crate::ui::widgets::{Look, Question};

use super::form::draft_of;

/// What the person wants, and may not know the price of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    Remove {
        keep_token: bool,
    },
    ClearToken,
    /// To take whatever answers there now for this kernel.
    Rebind,
    /// To bind it to another process.
    Choose(u32),
    /// To go on with this process, which serves the same workspace: SiYuan was restarted. Loses nothing.
    Resume(u32),
    /// To save what stands in its form, which makes another server of it.
    Save,
}

impl Doubt {
    /// What to ask. `name` tells the kernel from its namesakes.
    pub(super) fn question(
        self,
        view: &KernelView,
        name: &str,
        default: bool,
        look: Look<'_>,
    ) -> Question<'static> {
        let about = |key: &str| look.texts.with(key, [("name", name.into())]);
        let permissions = look.texts.with("loses-permissions", [("count", view.permissions.len().into())]);
        let (title, yes, lost) = match self {
            Self::Remove { keep_token } => {
                let token = (view.token != TokenState::None && !keep_token).then(|| look.text("loses-token"));
                let default = default.then(|| look.text("loses-default"));
                let lost = [Some(permissions), token, default, Some(look.text("kernel-remove-loses"))];
                (about("kernel-remove-title"), look.text("remove-yes"), lost.into_iter().flatten().collect())
            }
            Self::ClearToken => (
                about("token-clear-title"),
                look.text("token-clear-yes"),
                vec![look.text("token-clear-loses")],
            ),
            Self::Rebind => {
                let lost = vec![look.text("rebind-loses"), permissions];
                (about("rebind-title"), look.text("rebind-yes"), lost)
            }
            Self::Choose(pid) => {
                let process = [("pid", pid.to_string().into())];
                let lost = vec![look.text("choose-loses"), permissions];
                (about("rebind-title"), look.texts.with("bind-to", process), lost)
            }
            Self::Resume(pid) => {
                let process = [("pid", pid.to_string().into())];
                (about("rebind-title"), look.texts.with("resume", process), Vec::new())
            }
            Self::Save => {
                let lost = vec![look.text("move-loses"), permissions];
                (about("move-title"), look.text("move-yes"), lost)
            }
        };
        Question { id: "kernel", title, text: lost.join("\n"), yes }
    }

    /// What carries it out, where that is one command.
    pub(super) fn command(self, view: &KernelView) -> Option<Command> {
        let kernel = view.id.clone();
        Some(match self {
            Self::Remove { keep_token } => Command::RemoveKernel { kernel, keep_token },
            Self::ClearToken => Command::ClearToken { kernel },
            Self::Rebind => Command::RebindKernel { kernel },
            Self::Choose(pid) => {
                let mut draft = draft_of(view);
                draft.pid = Some(pid);
                Command::EditKernel { kernel, draft }
            }
            Self::Resume(pid) => Command::ResumeKernel { kernel, pid: Some(pid) },
            Self::Save => return None,
        })
    }

    /// Whether the kernel is checked at once when it was carried out.
    pub(super) fn asks_for_a_check(self, view: &KernelView) -> bool {
        !view.disabled && matches!(self, Self::Rebind | Self::Choose(_) | Self::Resume(_))
    }
}

/// Whether a kernel is bound: to a process, or to the workspace that answered first.
pub(super) fn is_bound(view: &KernelView) -> bool {
    view.workspace.is_some() || view.pid.is_some()
}
