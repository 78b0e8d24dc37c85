//! Filter chips: toggle buttons in a line that wraps.

use egui::accesskit::Role;
use egui::{CornerRadius, Id, Rect, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, pos2};

use super::label::laid_out;
use super::{Look, interact, paint_focus};
use crate::ui::icons::Icon;
use crate::ui::theme::{medium, size};

const HEIGHT: f32 = 26.0;
const ROUND: u8 = 13;
const TICK: f32 = 12.0;
const GAP: f32 = 6.0;

/// One chip.
#[derive(Debug, Clone)]
pub struct Chip {
    /// Part of the id; the same in every language.
    pub salt: &'static str,
    pub text: String,
    pub on: bool,
}

/// Shows the chips as a group that a screen reader calls `name`. Gives the one that was pressed.
pub fn chips(ui: &mut Ui, look: Look<'_>, id: Id, name: &str, list: &[Chip]) -> Option<usize> {
    let builder = UiBuilder::new().scope_id(id).accessibility_role(Role::Group).accessibility_label(name);
    let mut pressed = None;
    let width = list.iter().map(|chip| width_of(ui, chip)).sum::<f32>() + GAP * (list.len() as f32 - 1.0);
    if ui.layout().main_wrap() && ui.available_size_before_wrap().x < width && width <= ui.max_rect().width()
    {
        // On a line of their own they stay together.
        ui.end_row();
    }
    ui.scope_builder(builder, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = Vec2::splat(GAP);
            for (at, chip) in list.iter().enumerate() {
                if one(ui, look, chip) {
                    pressed = Some(at);
                }
            }
        });
    });
    pressed
}

/// Shows one chip. Whether it was pressed.
fn one(ui: &mut Ui, look: Look<'_>, chip: &Chip) -> bool {
    let tokens = look.tokens;
    let id = ui.make_persistent_id(chip.salt);
    let galley = laid_out(ui, &chip.text, medium(size::SECONDARY), f32::INFINITY);
    let wanted = Vec2::new(width_of(ui, chip), HEIGHT);
    let (rect, _) = ui.allocate_exact_size(wanted, Sense::hover());
    let response = interact(ui, rect, id, true);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chip.on, &chip.text));
    let (fill, edge) = match (chip.on, response.hovered()) {
        (true, _) => (tokens.selection, tokens.accent),
        (false, true) => (tokens.surface_raised, tokens.text_muted),
        (false, false) => (tokens.surface, tokens.line),
    };
    let corner = CornerRadius::same(ROUND);
    ui.painter().rect(rect, corner, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    let mut x = rect.center().x - galley.size().x / 2.0;
    if chip.on {
        let tick = Rect::from_center_size(pos2(rect.left() + 14.0, rect.center().y), Vec2::splat(TICK));
        Icon::Check.paint(ui.painter(), tick, tokens.text);
        x = rect.left() + 22.0;
    }
    let at = pos2(x, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley_with_override_text_color(at, galley, tokens.text);
    paint_focus(ui, &response, rect, ROUND, look);
    response.clicked()
}

/// The tick has its room also while the chip is off, so that its neighbours stay where they are.
fn width_of(ui: &Ui, chip: &Chip) -> f32 {
    laid_out(ui, &chip.text, medium(size::SECONDARY), f32::INFINITY).size().x + TICK + 24.0
}
