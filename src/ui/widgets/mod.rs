//! The widgets, each made once. A page composes them and decides nothing about looks.
//!
//! Every widget has a role and a name for screen readers, shows the keyboard's focus, and has an id
//! of its own that does not move when something appears above it.

mod button;
mod card;
mod check;
mod chips;
mod choice;
mod copy;
mod dialog;
mod diff;
mod empty;
mod expand;
mod fact;
mod field;
mod label;
mod nav;
mod search_field;
mod select;
mod status;
mod switch;
mod table;
mod two_texts;

use egui::{Color32, CornerRadius, CursorIcon, Id, Rect, Response, Sense, Stroke, StrokeKind, Ui};

pub use button::{Button, Kind};
pub use card::{card, text_frame};
pub use check::CheckBox;
pub use chips::{Chip, chips};
pub use choice::{Choice, choices};
pub use copy::{CopyField, copy_icon};
pub use dialog::{Answer, Question, give_back_focus};
pub use diff::diff;
pub use empty::empty_state;
pub use expand::expandable;
pub use fact::{fact, fact_to_press};
pub use field::{Field, submitted};
pub use label::{
    body, caption, heading, icon_and_text, mono_and_word, mono_lines, mono_wrapped, muted, section,
    shortened_path, strong, title,
};
pub use nav::NavItem;
pub use search_field::SearchField;
pub use select::{Select, SelectOption};
pub use status::{Tone, alert, in_the_middle, status};
pub use switch::switch;
pub use table::{Cell, Column, Sort, Table, TableEvents, TableRows, TableState, Width};
pub use two_texts::TwoTexts;

use super::text::Texts;
use super::theme::Tokens;

/// What everything is drawn with: the theme's colours and the language's sentences.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    pub tokens: &'a Tokens,
    pub texts: &'a Texts,
}

impl Look<'_> {
    /// The sentence `key`.
    pub fn text(&self, key: &str) -> String {
        self.texts.get(key)
    }
}

/// How much of its strength a colour keeps on something that cannot be worked now.
const FADED: f32 = 0.5;

/// Lets `rect` be clicked and focused under `id`, or stand there disabled.
///
/// What is disabled can still be reached by the keyboard: whoever pressed a button that is busy now
/// keeps the place, and a screen reader can read why something is unavailable.
fn interact(ui: &Ui, rect: Rect, id: Id, enabled: bool) -> Response {
    let response = if enabled {
        ui.interact(rect, id, Sense::click()).on_hover_cursor(CursorIcon::PointingHand)
    } else {
        ui.interact(rect, id, Sense::focusable_noninteractive())
    };
    keep_in_sight(&response);
    response
}

/// What the keyboard comes to is scrolled into view.
fn keep_in_sight(response: &Response) {
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
}

/// Marks what the keyboard works on.
fn paint_focus(ui: &Ui, response: &Response, rect: Rect, radius: u8, look: Look<'_>) {
    if response.has_focus() {
        let stroke = Stroke::new(2.0, look.tokens.focus);
        ui.painter().rect_stroke(
            rect.expand(2.0),
            CornerRadius::same(radius + 2),
            stroke,
            StrokeKind::Outside,
        );
    }
}

fn faded(colour: Color32, enabled: bool) -> Color32 {
    if enabled { colour } else { colour.gamma_multiply(FADED) }
}
