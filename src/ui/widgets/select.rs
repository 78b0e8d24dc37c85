//! A choice of one out of many, that drops down where it is asked for.

use egui::accesskit::{HasPopup, Role};
use egui::{
    Color32, Context, CornerRadius, Event, EventFilter, Frame, Id, Key, Margin, Popup, PopupCloseBehavior,
    Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::label::laid_out;
use super::{Look, faded, interact, paint_focus};
use crate::ui::icons::Icon;
use crate::ui::theme::{self, medium, radius, regular, size, space};

/// Height of an option, in points.
const OPTION: f32 = 28.0;

/// How wide the button may get, in points; longer texts lose their middle.
const WIDEST: f32 = 260.0;

/// How high the list may get, in points; longer ones scroll.
const MOST: f32 = 12.0 * OPTION;

/// One of the things to choose from.
#[derive(Debug, Clone)]
pub struct SelectOption<T> {
    pub value: T,
    pub text: String,
}

impl<T> SelectOption<T> {
    pub fn new(value: T, text: impl Into<String>) -> Self {
        Self { value, text: text.into() }
    }
}

/// A button that shows what is chosen and drops the options down.
#[derive(Debug)]
#[must_use]
pub struct Select<'a, T> {
    id: Id,
    name: String,
    chosen: T,
    options: &'a [SelectOption<T>],
    named: bool,
    enabled: bool,
}

impl<'a, T: PartialEq + Clone> Select<'a, T> {
    /// `name` is what a screen reader calls it.
    pub fn new(id: Id, name: impl Into<String>, chosen: T, options: &'a [SelectOption<T>]) -> Self {
        Self { id, name: name.into(), chosen, options, named: false, enabled: true }
    }

    /// The name stands before what is chosen, where there is no label.
    pub fn named(mut self) -> Self {
        self.named = true;
        self
    }

    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Gives what was newly chosen.
    pub fn show(self, ui: &mut Ui, look: Look<'_>) -> Option<T> {
        let value = self.options.iter().find(|option| option.value == self.chosen);
        let value = value.map(|option| option.text.clone()).unwrap_or_default();
        let shown = if self.named {
            let args = [("what", self.name.as_str().into()), ("why", value.as_str().into())];
            look.texts.with("what-and-why", args)
        } else {
            value.clone()
        };
        let open_id = self.id.with("open");
        let mut open = ui.data(|data| data.get_temp::<bool>(open_id)).unwrap_or(false);
        let rect = self.button(ui, look, &shown, &value, &mut open);
        let mut newly = None;
        if open {
            let name = self.name.as_str();
            let chosen = self.options.iter().position(|option| option.value == self.chosen);
            let list =
                Options { id: self.id.with("options"), name, anchor: rect, chosen, options: self.options };
            match list.show(ui, look) {
                Picked::Nothing => {}
                Picked::Option(at) => {
                    newly = self.options.get(at).map(|option| option.value.clone());
                    open = false;
                }
                Picked::Closed => open = false,
            }
            if !open {
                ui.memory_mut(|memory| memory.request_focus(self.id));
            }
        }
        ui.data_mut(|data| data.insert_temp(open_id, open));
        newly.filter(|value| *value != self.chosen)
    }

    fn button(&self, ui: &mut Ui, look: Look<'_>, shown: &str, value: &str, open: &mut bool) -> Rect {
        let tokens = look.tokens;
        let most = WIDEST.min(ui.max_rect().width()) - 2.0 * space::M - 16.0;
        let mut galley = laid_out(ui, shown, regular(size::BODY), f32::INFINITY);
        if galley.size().x > most {
            let fits = |text: &str| laid_out(ui, text, regular(size::BODY), f32::INFINITY).size().x <= most;
            galley = laid_out(ui, &super::label::shorten(shown, fits), regular(size::BODY), f32::INFINITY);
        }
        let wanted = vec2(galley.size().x + 2.0 * space::M + 16.0, theme::CONTROL_HEIGHT);
        let (rect, _) = ui.allocate_exact_size(wanted, Sense::hover());
        let response = interact(ui, rect, self.id, self.enabled);
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::ComboBox, self.enabled, &self.name);
            info.current_text_value = Some(value.to_owned());
            info
        });
        let down = response.has_focus()
            && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::ArrowDown));
        if self.enabled && (response.clicked() || down) {
            *open = !*open;
        }
        if response.has_focus() {
            ui.memory_mut(|memory| {
                let ours = EventFilter { vertical_arrows: true, ..Default::default() };
                memory.set_focus_lock_filter(self.id, ours);
            });
        }
        let words = look.text(if *open { "expanded" } else { "collapsed" });
        ui.ctx().accesskit_node_builder(self.id, |node| {
            node.set_expanded(*open);
            node.set_has_popup(HasPopup::Listbox);
            node.set_description(words);
        });
        let hovered = self.enabled && response.hovered();
        let fill = if hovered || *open { tokens.surface_raised } else { tokens.surface };
        let stroke = Stroke::new(1.0, faded(tokens.line, self.enabled));
        let corner = CornerRadius::same(radius::CONTROL);
        ui.painter().rect(rect, corner, fill, stroke, StrokeKind::Inside);
        let ink = faded(tokens.text, self.enabled);
        let at = pos2(rect.left() + space::M, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley_with_override_text_color(at, galley, ink);
        let centre = pos2(rect.right() - space::M - 4.0, rect.center().y);
        let chevron = Rect::from_center_size(centre, Vec2::splat(12.0));
        Icon::ChevronDown.paint(ui.painter(), chevron, faded(tokens.text_muted, self.enabled));
        paint_focus(ui, &response, rect, radius::CONTROL, look);
        rect
    }
}

/// What was done in a list of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Picked {
    Nothing,
    /// The option at this place.
    Option(usize),
    /// The list was left.
    Closed,
}

/// Options that stand open below `anchor`. While they do, the keyboard is theirs.
#[derive(Debug)]
struct Options<'a, T> {
    id: Id,
    /// What a screen reader calls the list.
    name: &'a str,
    anchor: Rect,
    /// The place of what is chosen now.
    chosen: Option<usize>,
    options: &'a [SelectOption<T>],
}

impl<T> Options<'_, T> {
    /// Call it in every frame for as long as the list is open.
    fn show(self, ui: &Ui, look: Look<'_>) -> Picked {
        let ctx = ui.ctx().clone();
        let popup = Popup::new(self.id, ctx.clone(), self.anchor, ui.layer_id())
            .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
            .accessible_name(self.name)
            .gap(2.0)
            .frame(
                Frame::new()
                    .fill(look.tokens.surface)
                    .stroke(Stroke::new(1.0, look.tokens.line))
                    .corner_radius(CornerRadius::same(radius::CONTROL))
                    .inner_margin(Margin::same(4)),
            );
        // It is laid out once before it is seen; in both frames the focus goes to what is chosen.
        let fresh = ctx.read_response(self.id).is_none();
        let seen = ctx.data(|data| data.get_temp::<bool>(self.id)).unwrap_or(false);
        ctx.data_mut(|data| data.insert_temp(self.id, !fresh));
        let mut picked = Picked::Nothing;
        let shown = popup.show(|ui| picked = self.list(ui, look, fresh || !seen));
        ctx.accesskit_node_builder(self.id, |node| node.set_role(Role::ListBox));
        match shown {
            Some(shown) if shown.response.should_close() && picked == Picked::Nothing => Picked::Closed,
            _ => picked,
        }
    }

    fn option_id(&self, at: usize) -> Id {
        self.id.with(("option", at))
    }

    fn list(&self, ui: &mut Ui, look: Look<'_>, fresh: bool) -> Picked {
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let widest = self.options.iter().map(|option| wide(ui, &option.text)).fold(0.0, f32::max);
        let width =
            (widest + 40.0).max(self.anchor.width() - 8.0).min(ui.ctx().content_rect().width() - 32.0);
        let focused =
            (0..self.options.len()).find(|at| ui.memory(|memory| memory.has_focus(self.option_id(*at))));
        let mut picked = Picked::Nothing;
        let mut go_to = fresh.then(|| self.chosen.unwrap_or(0));
        if let Some(at) = focused {
            ui.memory_mut(|memory| {
                let ours =
                    EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
                memory.set_focus_lock_filter(self.option_id(at), ours);
            });
            let last = self.options.len() - 1;
            match asked(ui.ctx(), |typed| self.starting_with(typed, at)) {
                Some(Asked::Up) => go_to = Some(at.saturating_sub(1)),
                Some(Asked::Down) => go_to = Some((at + 1).min(last)),
                Some(Asked::First) => go_to = Some(0),
                Some(Asked::Last) => go_to = Some(last),
                Some(Asked::Found(at)) => go_to = Some(at),
                Some(Asked::Leave) => picked = Picked::Closed,
                None => {}
            }
        }
        ScrollArea::vertical().max_height(MOST).show(ui, |ui| {
            for (at, option) in self.options.iter().enumerate() {
                if self.option(ui, look, at, &option.text, width, go_to == Some(at)) {
                    picked = Picked::Option(at);
                }
            }
        });
        picked
    }

    /// One option. Whether it was pressed.
    fn option(&self, ui: &mut Ui, look: Look<'_>, at: usize, text: &str, width: f32, go_here: bool) -> bool {
        let tokens = look.tokens;
        let (rect, _) = ui.allocate_exact_size(vec2(width, OPTION), Sense::hover());
        let response = interact(ui, rect, self.option_id(at), true);
        let is_chosen = self.chosen == Some(at);
        response.widget_info(|| WidgetInfo::labeled(Role::ListBoxOption, true, text));
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_selected(is_chosen);
            node.set_position_in_set(at + 1);
            node.set_size_of_set(self.options.len());
        });
        if go_here {
            response.request_focus();
            response.scroll_to_me(None);
        }
        let fill = if response.hovered() || response.has_focus() {
            tokens.surface_raised
        } else {
            Color32::TRANSPARENT
        };
        ui.painter().rect_filled(rect, CornerRadius::same(4), fill);
        if is_chosen {
            let tick = Rect::from_center_size(pos2(rect.left() + 14.0, rect.center().y), Vec2::splat(12.0));
            Icon::Check.paint(ui.painter(), tick, tokens.accent);
        }
        let font = if is_chosen { medium(size::BODY) } else { regular(size::BODY) };
        let galley = laid_out(ui, text, font, f32::INFINITY);
        let place = pos2(rect.left() + 26.0, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley_with_override_text_color(place, galley, tokens.text);
        paint_focus(ui, &response, rect.shrink(2.0), 4, look);
        response.clicked()
    }

    /// The next option after `at` that begins with what was typed.
    fn starting_with(&self, typed: &str, at: usize) -> Option<usize> {
        let typed = typed.to_lowercase();
        let count = self.options.len();
        (1..=count)
            .map(|step| (at + step) % count)
            .find(|at| self.options[*at].text.to_lowercase().starts_with(&typed))
    }
}

fn wide(ui: &Ui, text: &str) -> f32 {
    laid_out(ui, text, medium(size::BODY), f32::INFINITY).size().x
}

enum Asked {
    Up,
    Down,
    First,
    Last,
    Found(usize),
    Leave,
}

/// What the keyboard asks of an open list.
fn asked(ctx: &Context, find: impl Fn(&str) -> Option<usize>) -> Option<Asked> {
    ctx.input(|input| {
        input.events.iter().find_map(|event| match event {
            Event::Key { key, pressed: true, .. } => match key {
                Key::ArrowUp => Some(Asked::Up),
                Key::ArrowDown => Some(Asked::Down),
                Key::Home => Some(Asked::First),
                Key::End => Some(Asked::Last),
                Key::Tab | Key::Escape => Some(Asked::Leave),
                _ => None,
            },
            Event::Text(typed) if !typed.trim().is_empty() => find(typed).map(Asked::Found),
            _ => None,
        })
    })
}
