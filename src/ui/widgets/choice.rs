//! A choice of one out of a few, each with a line of help.

use egui::accesskit::Role;
use egui::{Id, Sense, Stroke, Ui, UiBuilder, Vec2, WidgetInfo, pos2};

use super::label::laid_out;
use super::{Look, faded, interact, paint_focus};
use crate::ui::theme::{regular, size, space};

const RING: f32 = 16.0;

/// One of the things to choose from.
#[derive(Debug, Clone)]
pub struct Choice<T> {
    pub value: T,
    /// Part of the id; the same in every language.
    pub salt: &'static str,
    pub text: String,
    pub help: Option<String>,
}

impl<T> Choice<T> {
    /// A choice that needs no help.
    pub fn plain(value: T, salt: &'static str, text: String) -> Self {
        Self { value, salt, text, help: None }
    }
}

/// Shows the choices, below each other or (`in_line`) beside each other. Gives the newly chosen one.
pub fn choices<T: PartialEq + Copy>(
    ui: &mut Ui,
    look: Look<'_>,
    id: Id,
    name: &str,
    chosen: T,
    list: &[Choice<T>],
    in_line: bool,
) -> Option<T> {
    let builder =
        UiBuilder::new().scope_id(id).accessibility_role(Role::RadioGroup).accessibility_label(name);
    let mut newly = None;
    ui.scope_builder(builder, |ui| {
        let mut all = |ui: &mut Ui| {
            ui.spacing_mut().item_spacing.x = space::L;
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.spacing_mut().interact_size.y = 0.0;
            for (at, choice) in list.iter().enumerate() {
                let is_chosen = choice.value == chosen;
                if one(ui, look, choice, is_chosen, (at, list.len())) && !is_chosen {
                    newly = Some(choice.value);
                }
            }
        };
        if in_line {
            ui.horizontal_wrapped(all);
        } else {
            all(ui);
        }
    });
    newly
}

fn one<T>(ui: &mut Ui, look: Look<'_>, choice: &Choice<T>, chosen: bool, (at, of): (usize, usize)) -> bool {
    let id = ui.make_persistent_id(choice.salt);
    let tokens = look.tokens;
    let enabled = ui.is_enabled();
    let width = (ui.available_width() - RING - space::S).max(80.0);
    let text = laid_out(ui, &choice.text, regular(size::BODY), width);
    let help = choice.help.as_ref().map(|help| laid_out(ui, help, regular(size::SECONDARY), width));
    let wide = help.as_ref().map_or(0.0, |help| help.size().x).max(text.size().x);
    let high = text.size().y + help.as_ref().map_or(0.0, |help| help.size().y + 2.0);
    let wanted = Vec2::new(RING + space::S + wide, high.max(RING) + space::S);
    let (rect, _) = ui.allocate_exact_size(wanted, Sense::hover());
    let response = interact(ui, rect, id, enabled);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, enabled, chosen, &choice.text));
    ui.ctx().accesskit_node_builder(id, |node| {
        node.set_position_in_set(at + 1);
        node.set_size_of_set(of);
        if let Some(help) = &choice.help {
            node.set_description(help.clone());
        }
    });

    let top = rect.top() + space::XS;
    let centre = pos2(rect.left() + RING / 2.0, top + text.size().y / 2.0);
    let edge = match (chosen, response.hovered()) {
        (true, _) => tokens.accent,
        (false, true) => tokens.text_muted,
        (false, false) => tokens.line,
    };
    if chosen {
        ui.painter().circle_filled(centre, RING / 2.0, faded(edge, enabled));
        ui.painter().circle_filled(centre, 3.0, tokens.accent_text);
    } else {
        let stroke = Stroke::new(1.0, faded(edge, enabled));
        ui.painter().circle(centre, RING / 2.0 - 1.0, tokens.surface, stroke);
    }
    let left = rect.left() + RING + space::S;
    let below = top + text.size().y + 2.0;
    ui.painter().galley_with_override_text_color(pos2(left, top), text, faded(tokens.text, enabled));
    if let Some(help) = help {
        ui.painter().galley_with_override_text_color(pos2(left, below), help, tokens.text_muted);
    }
    let ring = egui::Rect::from_center_size(centre, Vec2::splat(RING));
    paint_focus(ui, &response, ring, 8, look);
    response.clicked()
}
