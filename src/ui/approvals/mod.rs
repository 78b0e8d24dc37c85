//! What waits for the person's answer: a panel over any page, and its count in the navigation.

use egui::Ui;

use super::link::Link;
use super::widgets::{Look, muted};
use crate::core::Snapshot;

/// The panel's own state.
#[derive(Debug, Default)]
pub struct ApprovalsPanel {}

impl ApprovalsPanel {
    /// Takes in what has come since the last frame.
    pub fn receive(&mut self, _snapshot: &Snapshot) {}

    /// Draws the panel above the page, where there is a question; nothing otherwise.
    pub fn show(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, _link: &dyn Link) {
        if !snapshot.approvals.questions.is_empty() {
            muted(ui, look, look.text("approvals-title"));
        }
    }
}
