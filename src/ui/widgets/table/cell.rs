//! One cell: its words on one line, shortened where they do not fit, and whole in a tooltip.

use std::borrow::Cow;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{
    Align, Color32, CornerRadius, FontId, Galley, Id, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, pos2,
};

use super::super::label::shorten;
use super::super::{Look, Tone};
use super::Column;
use crate::ui::icons::Icon;
use crate::ui::theme::{self, radius, regular, size, space};

const ICON: f32 = 14.0;

/// What stands in a cell.
#[derive(Debug, Clone)]
#[must_use]
pub struct Cell<'a> {
    text: Cow<'a, str>,
    icon: Option<Icon>,
    tone: Option<Tone>,
    button: Option<String>,
}

impl<'a> Cell<'a> {
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self { text: text.into(), icon: None, tone: None, button: None }
    }

    /// Stands back behind the others.
    pub fn muted(text: impl Into<Cow<'a, str>>) -> Self {
        Self::text(text).tone(Tone::Plain)
    }

    /// A state is icon, colour and word.
    pub fn state(icon: Icon, tone: Tone, text: impl Into<Cow<'a, str>>) -> Self {
        Self { icon: Some(icon), ..Self::text(text).tone(tone) }
    }

    pub fn tone(mut self, tone: Tone) -> Self {
        self.tone = Some(tone);
        self
    }

    /// Something can be chosen here; `name` says what, of which row.
    pub fn button(mut self, name: impl Into<String>) -> Self {
        self.button = Some(name.into());
        self
    }

    /// Draws the cell into `rect`; `hovered` is its row. The response is clicked where the cell is a button that
    /// was pressed.
    pub(super) fn show(
        self,
        ui: &mut Ui,
        look: Look<'_>,
        id: Id,
        rect: Rect,
        (column, hovered): (&Column, bool),
    ) -> Response {
        let sense = if self.button.is_some() { Sense::CLICK } else { Sense::hover() };
        let response = ui.interact(rect, id, sense);
        match &self.button {
            Some(name) => {
                let info = || WidgetInfo::labeled(Role::Button, true, name);
                response.widget_info(info);
                ui.ctx().accesskit_node_builder(id, |node| node.set_value(self.text.as_ref()));
            }
            None => response.widget_info(|| WidgetInfo::labeled(Role::Cell, true, self.text.as_ref())),
        }
        let mut inner = rect.shrink2(Vec2::new(space::S, 0.0));
        if self.button.is_some() {
            if hovered {
                let ground = rect.shrink2(Vec2::new(2.0, 3.0));
                let corner = CornerRadius::same(radius::CONTROL);
                let edge = if response.hovered() { look.tokens.text_muted } else { look.tokens.line };
                let stroke = Stroke::new(1.0, edge);
                ui.painter().rect(ground, corner, look.tokens.surface, stroke, StrokeKind::Inside);
                let centre = pos2(inner.right() - 5.0, inner.center().y);
                Icon::Write.paint(ui.painter(), Rect::from_center_size(centre, Vec2::splat(12.0)), edge);
            }
            inner.max.x -= ICON + 2.0;
        }
        let ink = self.tone.map_or(look.tokens.text, |tone| tone.colour(look));
        if let Some(icon) = self.icon {
            let square =
                Rect::from_center_size(pos2(inner.left() + ICON / 2.0, inner.center().y), Vec2::splat(ICON));
            icon.paint(ui.painter(), square, ink);
            inner.min.x += ICON + 6.0;
        }
        let font = if column.mono { theme::mono() } else { regular(size::BODY) };
        let (galley, cut) = one_line(ui, &self.text, font, inner.width(), column.middle);
        let x = if column.numbers { inner.right() - galley.size().x } else { inner.left() };
        let at = pos2(x, inner.center().y - galley.size().y / 2.0);
        ui.painter().galley_with_override_text_color(at, galley, ink);
        if cut { response.on_hover_text(self.text.as_ref()) } else { response }
    }
}

/// Text on one line of at most `width`, and whether something of it was left out.
fn one_line(ui: &Ui, text: &str, font: FontId, width: f32, middle: bool) -> (Arc<Galley>, bool) {
    let job = |text: &str| LayoutJob {
        wrap: TextWrapping::truncate_at_width(width.max(1.0)),
        break_on_newline: false,
        halign: Align::LEFT,
        ..LayoutJob::single_section(text.to_owned(), TextFormat::simple(font.clone(), Color32::PLACEHOLDER))
    };
    let galley = ui.painter().layout_job(job(text));
    if !galley.elided {
        return (galley, false);
    }
    if middle {
        let shown = shorten(text, |text| !ui.painter().layout_job(job(text)).elided);
        return (ui.painter().layout_job(job(&shown)), true);
    }
    (galley, true)
}
