//! A text field: its label above, help below, and in place of the help an error when there is one.

use egui::accesskit::{Live, Role};
use egui::text_edit::TextEditState;
use egui::{Align, CornerRadius, Frame, Id, Margin, Response, Stroke, TextEdit, Ui, UiBuilder, Vec2};

use super::label::{caption, muted, paint_icon, tinted};
use super::{Look, keep_in_sight};
use crate::ui::icons::Icon;
use crate::ui::theme::{self, radius, regular, size, space};

/// A field, of one line unless it is said.
#[derive(Debug)]
#[must_use]
pub struct Field<'a> {
    id: Id,
    label: String,
    help: Option<String>,
    error: Option<String>,
    hint: Option<String>,
    mono: bool,
    secret: bool,
    focus: bool,
    lines: usize,
    width: f32,
    _life: std::marker::PhantomData<&'a ()>,
}

/// Whether Enter was pressed in a field.
pub fn submitted(ui: &Ui, field: &Response) -> bool {
    field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter))
}

impl Field<'_> {
    pub fn new(id: Id, label: impl Into<String>) -> Self {
        Self {
            id,
            label: label.into(),
            help: None,
            error: None,
            hint: None,
            mono: false,
            secret: false,
            focus: false,
            lines: 1,
            width: f32::INFINITY,
            _life: std::marker::PhantomData,
        }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn error(mut self, error: Option<String>) -> Self {
        self.error = error;
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub fn mono(mut self) -> Self {
        self.mono = true;
        self
    }

    /// Shows dots in place of what is typed. Nothing is remembered for undoing, as it would stay there.
    pub fn secret(mut self) -> Self {
        self.secret = true;
        self
    }

    /// Gives it the keyboard's focus in this frame, and brings it into sight.
    pub fn focus(mut self, focus: bool) -> Self {
        self.focus = focus;
        self
    }

    /// Takes several lines, and shows so many of them.
    pub fn lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }

    /// The greatest width, in points.
    pub fn width(mut self, width: f32) -> Self {
        self.width = width;
        self
    }

    pub fn show(self, ui: &mut Ui, look: Look<'_>, text: &mut String) -> Response {
        let builder = UiBuilder::new().scope_id(self.id.with("field"));
        ui.scope_builder(builder, |ui| {
            ui.spacing_mut().item_spacing.y = space::XS;
            let label = caption(ui, look, &self.label);
            let response = self.input(ui, look, text).labelled_by(label.id);
            keep_in_sight(&response);
            if self.focus {
                response.request_focus();
                response.scroll_to_me(Some(Align::Center));
            }
            let said = self.error.as_ref().or(self.help.as_ref()).cloned();
            ui.ctx().accesskit_node_builder(self.id, |node| {
                if let Some(said) = said {
                    node.set_description(said);
                }
                if self.error.is_some() {
                    node.set_invalid(egui::accesskit::Invalid::True);
                }
            });
            self.message(ui, look);
            response
        })
        .inner
    }

    fn input(&self, ui: &mut Ui, look: Look<'_>, text: &mut String) -> Response {
        let focused = ui.memory(|memory| memory.has_focus(self.id));
        let stroke = match (focused, self.error.is_some()) {
            (true, _) => Stroke::new(2.0, look.tokens.focus),
            (false, true) => Stroke::new(1.0, look.tokens.danger),
            (false, false) => Stroke::new(1.0, look.tokens.line),
        };
        let font = if self.mono { theme::mono() } else { regular(size::BODY) };
        let frame = Frame::new()
            .fill(look.tokens.surface)
            .stroke(stroke)
            .corner_radius(CornerRadius::same(radius::CONTROL))
            .inner_margin(Margin::symmetric(8, if self.lines > 1 { 6 } else { 0 }))
            // The outline grows inwards, so that nothing moves when the field gets the focus.
            .outer_margin(Margin::same(if focused { 0 } else { 1 }));
        let width = self.width.min(ui.available_width());
        let (edit, align) = match self.lines {
            1 => (TextEdit::singleline(text), egui::Align2::LEFT_CENTER),
            lines => (TextEdit::multiline(text).desired_rows(lines), egui::Align2::LEFT_TOP),
        };
        let mut edit = edit
            .id(self.id)
            .font(font)
            .password(self.secret)
            .frame(frame)
            .align(align)
            .min_size(Vec2::new(0.0, theme::CONTROL_HEIGHT))
            .desired_width(width);
        if let Some(hint) = &self.hint {
            edit = edit.hint_text(egui::RichText::new(hint).color(look.tokens.text_muted));
        }
        let response = ui.add(edit);
        if self.secret
            && let Some(mut state) = TextEditState::load(ui.ctx(), self.id)
        {
            state.clear_undoer();
            state.store(ui.ctx(), self.id);
        }
        response
    }

    /// The line below. It keeps its room when there is nothing to say.
    fn message(&self, ui: &mut Ui, look: Look<'_>) {
        let builder = UiBuilder::new().scope_id(self.id.with("message"));
        ui.scope_builder(builder, |ui| {
            ui.set_min_height(19.0);
            match (&self.error, &self.help) {
                (Some(error), _) => {
                    ui.horizontal_top(|ui| {
                        ui.spacing_mut().item_spacing.x = 6.0;
                        paint_icon(ui, Icon::Danger, look.tokens.danger);
                        let response = tinted(ui, error, look.tokens.danger);
                        ui.ctx().accesskit_node_builder(response.id, |node| {
                            node.set_role(Role::Alert);
                            node.set_label(error.clone());
                            node.set_live(Live::Assertive);
                            node.set_live_atomic();
                        });
                    });
                }
                (None, Some(help)) => {
                    muted(ui, look, help);
                }
                (None, None) => {}
            }
        });
    }
}
