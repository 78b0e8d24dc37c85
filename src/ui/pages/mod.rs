//! The pages: thin views over a snapshot, each with the state of its own forms.

pub mod activity;
mod assignment;
pub mod endpoints;
pub mod kernels;
pub mod obsidian;
pub mod overview;
pub mod runtimes;
pub mod settings;

use egui::{Frame, Margin, ScrollArea, Ui};

use super::icons::Icon;
use super::names::of_runtime as name_of;
use super::theme::space;
use super::widgets::{Look, muted, title};
use crate::core::{RuntimeKind, Unavailable};

/// Where the navigation leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Page {
    #[default]
    Overview,
    Obsidian,
    Kernels,
    Endpoints,
    Activity,
    Runtimes,
    Settings,
}

impl Page {
    /// In the order of the navigation.
    pub const ALL: [Self; 7] = [
        Self::Overview,
        Self::Obsidian,
        Self::Kernels,
        Self::Endpoints,
        Self::Activity,
        Self::Runtimes,
        Self::Settings,
    ];

    pub fn key(self) -> &'static str {
        match self {
            Self::Overview => "page-overview",
            Self::Obsidian => "page-obsidian",
            Self::Kernels => "page-kernels",
            Self::Endpoints => "page-endpoints",
            Self::Activity => "page-activity",
            Self::Runtimes => "page-runtimes",
            Self::Settings => "page-settings",
        }
    }

    pub fn icon(self) -> Icon {
        match self {
            Self::Overview => Icon::Overview,
            Self::Obsidian => Icon::Vault,
            Self::Kernels => Icon::Kernel,
            Self::Endpoints => Icon::Endpoint,
            Self::Activity => Icon::Activity,
            Self::Runtimes => Icon::Runtime,
            Self::Settings => Icon::Settings,
        }
    }
}

/// The widest column that is comfortable to read and to fill in, in points.
const COLUMN: f32 = 820.0;

/// The room at the sides of a page.
const SIDE: i8 = space::XL as i8;

/// The head of a page: its name, a line about it, and what `add` puts at the right. It does not scroll.
fn header(ui: &mut Ui, look: Look<'_>, name: String, about: String, add: impl FnOnce(&mut Ui)) {
    header_of(COLUMN, ui, look, name, about, add);
}

/// The head of a page that holds a table, which is as wide as the window.
fn wide_header(ui: &mut Ui, look: Look<'_>, name: String, about: String, add: impl FnOnce(&mut Ui)) {
    header_of(f32::INFINITY, ui, look, name, about, add);
}

fn header_of(
    width: f32,
    ui: &mut Ui,
    look: Look<'_>,
    name: String,
    about: String,
    add: impl FnOnce(&mut Ui),
) {
    let margin = Margin { left: SIDE, right: SIDE, top: 20, bottom: 12 };
    Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.set_max_width(width.min(ui.available_width()));
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.horizontal(|ui| {
            title(ui, look, name);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), add);
        });
        muted(ui, look, about);
    });
}

/// The part of a page below its head. It scrolls.
fn content(ui: &mut Ui, id: &str, add: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical().id_salt(id).auto_shrink(false).show(ui, |ui| {
        let margin = Margin { left: SIDE, right: SIDE, top: 4, bottom: SIDE };
        Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.set_max_width(COLUMN.min(ui.available_width()));
            ui.spacing_mut().item_spacing.y = space::M;
            add(ui);
        });
    });
}

/// The name of a kind; those that are no products have a name in each language.
fn kind_name(kind: RuntimeKind, look: Look<'_>) -> String {
    match kind {
        RuntimeKind::Model => look.text("kind-model"),
        RuntimeKind::Custom => look.text("kind-custom"),
        RuntimeKind::RemoteAcp => look.text("kind-remote-acp"),
        kind => kind.product_name().to_owned(),
    }
}

/// Why a kind of runtime cannot be given a capability.
fn why(reason: Unavailable, look: Look<'_>) -> String {
    match reason {
        Unavailable::NoScopedDataTools => look.text("no-scoped-data-tools"),
    }
}
