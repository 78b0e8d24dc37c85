//! What was called, and how it came out.

use egui::Ui;

use super::header;
use crate::core::Snapshot;
use crate::ui::link::Link;
use crate::ui::widgets::Look;

/// The page's own state.
#[derive(Debug, Default)]
pub struct ActivityPage {}

impl ActivityPage {
    /// Takes in what has come since the last frame, whether the page is shown or not.
    pub fn receive(&mut self, _snapshot: &Snapshot, _link: &dyn Link) {}

    pub fn show(&mut self, ui: &mut Ui, look: Look<'_>, _snapshot: &Snapshot, _link: &dyn Link) {
        header(ui, look, look.text("page-activity"), look.text("activity-about"), |_| {});
    }
}
