//! The endpoints of a kernel, and the permission of each.

use egui::Ui;

use super::header;
use crate::core::Snapshot;
use crate::ui::link::Link;
use crate::ui::widgets::Look;

/// The page's own state.
#[derive(Debug, Default)]
pub struct EndpointsPage {}

impl EndpointsPage {
    /// Takes in what has come since the last frame, whether the page is shown or not.
    pub fn receive(&mut self, _snapshot: &Snapshot, _link: &dyn Link) {}

    pub fn show(&mut self, ui: &mut Ui, look: Look<'_>, _snapshot: &Snapshot, _link: &dyn Link) {
        header(ui, look, look.text("page-endpoints"), look.text("endpoints-about"), |_| {});
    }
}
