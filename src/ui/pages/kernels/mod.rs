//! The SiYuan kernels: which there are, how they are reached, whether they answer.

use egui::Ui;

use super::header;
use crate::core::Snapshot;
use crate::ui::link::Link;
use crate::ui::widgets::Look;

/// The page's own state.
#[derive(Debug, Default)]
pub struct KernelsPage {}

impl KernelsPage {
    /// Takes in what has come since the last frame, whether the page is shown or not.
    pub fn receive(&mut self, _snapshot: &Snapshot, _link: &dyn Link) {}

    pub fn show(&mut self, ui: &mut Ui, look: Look<'_>, _snapshot: &Snapshot, _link: &dyn Link) {
        header(ui, look, look.text("page-kernels"), look.text("kernels-about"), |_| {});
    }
}
