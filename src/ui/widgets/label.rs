//! Text in its grades, and text with an icon before it.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align, Color32, FontId, Galley, Label, Response, RichText, Sense, Ui, Vec2};

use super::Look;
use crate::ui::icons::Icon;
use crate::ui::theme::{self, LINE_HEIGHT, medium, regular, size, space};

/// Running text.
pub fn body(ui: &mut Ui, look: Look<'_>, text: impl Into<String>) -> Response {
    text_in(ui, text, regular(size::BODY), look.tokens.text)
}

/// Running text of the heavier weight: the name of a thing.
pub fn strong(ui: &mut Ui, look: Look<'_>, text: impl Into<String>) -> Response {
    text_in(ui, text, medium(size::BODY), look.tokens.text)
}

/// The label of a field or of a value: smaller, and heavier than what it names.
pub fn caption(ui: &mut Ui, look: Look<'_>, text: impl Into<String>) -> Response {
    text_in(ui, text, medium(size::SECONDARY), look.tokens.text)
}

/// Help, units, times.
pub fn muted(ui: &mut Ui, look: Look<'_>, text: impl Into<String>) -> Response {
    text_in(ui, text, regular(size::SECONDARY), look.tokens.text_muted)
}

/// Secondary text in a colour that means something.
pub(super) fn tinted(ui: &mut Ui, text: &str, colour: Color32) -> Response {
    text_in(ui, text, regular(size::SECONDARY), colour)
}

/// The head of a column or of a group inside a card.
pub fn heading(ui: &mut Ui, look: Look<'_>, text: impl Into<String>) -> Response {
    as_heading(ui, text.into(), medium(size::BODY), look, 3)
}

/// The head of a section of a page.
pub fn section(ui: &mut Ui, look: Look<'_>, text: impl Into<String>) -> Response {
    as_heading(ui, text.into(), medium(size::SECTION), look, 2)
}

/// The head of a page.
pub fn title(ui: &mut Ui, look: Look<'_>, text: impl Into<String>) -> Response {
    as_heading(ui, text.into(), medium(size::TITLE), look, 1)
}

fn as_heading(ui: &mut Ui, text: String, font: FontId, look: Look<'_>, level: usize) -> Response {
    let response = text_in(ui, text.clone(), font, look.tokens.text);
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(Role::Heading);
        node.set_label(text);
        node.set_level(level);
    });
    response
}

fn text_in(ui: &mut Ui, text: impl Into<String>, font: FontId, colour: Color32) -> Response {
    let line_height = Some(font.size * LINE_HEIGHT);
    ui.add(Label::new(RichText::new(text.into()).font(font).color(colour).line_height(line_height)).wrap())
}

/// A path, an id or a key, whole: it breaks wherever the line ends. Can be selected and copied.
pub fn mono_wrapped(ui: &mut Ui, look: Look<'_>, text: &str) -> Response {
    let job = LayoutJob {
        wrap: TextWrapping { break_anywhere: true, ..Default::default() },
        ..LayoutJob::single_section(text.to_owned(), format(theme::mono(), look.tokens.text_muted))
    };
    ui.add(Label::new(job).selectable(true).wrap())
}

/// Text in the font of ids, as it is, of at most `lines` lines. `true`: there is more of it.
pub fn mono_lines(ui: &mut Ui, look: Look<'_>, text: &str, lines: usize) -> bool {
    let job = LayoutJob {
        wrap: TextWrapping { max_width: ui.available_width(), max_rows: lines, ..Default::default() },
        ..LayoutJob::single_section(text.to_owned(), format(theme::mono(), look.tokens.text))
    };
    let galley = ui.painter().layout_job(job);
    let has_more = galley.elided;
    ui.add(Label::new(galley).selectable(true));
    has_more
}

/// A name of the program's own, in the font of ids, and after it a word about it.
pub fn mono_and_word(ui: &mut Ui, look: Look<'_>, name: &str, word: &str) -> Response {
    let mut job = LayoutJob::default();
    job.append(name, 0.0, format(theme::mono(), look.tokens.text));
    job.append(word, space::S, format(regular(size::SECONDARY), look.tokens.text_muted));
    ui.add(Label::new(job).wrap())
}

/// Text in one format, with the height of line that all text has.
pub(super) fn format(font: FontId, colour: Color32) -> TextFormat {
    TextFormat { line_height: Some(font.size * LINE_HEIGHT), ..TextFormat::simple(font, colour) }
}

/// Text of a control, laid out to be painted in the control's own colour.
pub(super) fn laid_out(ui: &Ui, text: &str, font: FontId, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::single_section(text.to_owned(), format(font, Color32::PLACEHOLDER));
    job.wrap.max_width = width;
    ui.painter().layout_job(job)
}

/// A path on one line, shortened in its middle where it does not fit; the whole is in a tooltip.
pub fn shortened_path(ui: &mut Ui, look: Look<'_>, path: &str, width: f32) -> Response {
    let wide = |text: &str| {
        let galley = ui.painter().layout_no_wrap(text.to_owned(), theme::mono(), Color32::PLACEHOLDER);
        galley.size().x
    };
    let shown = shorten(path, |text| wide(text) <= width);
    let whole = shown == path;
    let text = RichText::new(shown).font(theme::mono()).color(look.tokens.text_muted);
    let response = ui.add(Label::new(text).extend().sense(Sense::hover()));
    if whole { response } else { response.on_hover_text(path) }
}

/// Takes out of the middle as few characters as `fits` demands.
pub(super) fn shorten(text: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(text) {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    let with = |kept: usize| {
        let head = kept / 2;
        let tail = chars.len() - (kept - head);
        chars[..head].iter().chain(['…'].iter()).chain(&chars[tail..]).collect::<String>()
    };
    let (mut least, mut most) = (0, chars.len());
    while least + 1 < most {
        let middle = usize::midpoint(least, most);
        if fits(&with(middle)) { least = middle } else { most = middle }
    }
    with(least)
}

/// An icon and, beside it, text that wraps. State is colour plus icon plus word.
pub fn icon_and_text(
    ui: &mut Ui,
    icon: Icon,
    colour: Color32,
    add: impl FnOnce(&mut Ui) -> Response,
) -> Response {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        paint_icon(ui, icon, colour);
        ui.with_layout(egui::Layout::top_down(Align::Min), add).inner
    })
    .inner
}

/// An icon as high as a line of text.
pub(super) fn paint_icon(ui: &mut Ui, icon: Icon, colour: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::new(16.0, 19.0), Sense::hover());
    icon.paint(ui.painter(), rect.shrink(0.5), colour);
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn a_long_path_loses_its_middle_and_keeps_both_ends() {
        let fits = |text: &str| text.chars().count() <= 11;
        assert_eq!(shorten("/home/notes", fits), "/home/notes");
        assert_eq!(shorten("/home/me/documents/notes", fits), "/home…notes");
        assert_eq!(shorten("/文档/很长的一条路径名/笔记", |t| t.chars().count() <= 7), "/文档…/笔记");
    }
}
