//! One question: who wants what, what it would change, how much time is left, and the answers to it.

use std::time::Duration;

use egui::accesskit::Role;
use egui::{CornerRadius, Response, Sense, Ui, Vec2};

use super::words::{headline, left, span};
use crate::core::{QuestionView, Snapshot, TextChange};
use crate::ui::icons::Icon;
use crate::ui::theme::space;
use crate::ui::widgets::{
    Button, Kind, Look, Tone, TwoTexts, body, card, fact, heading, icon_and_text, mono_lines, mono_wrapped,
    muted, status, text_frame,
};
use crate::ui::{clock, names};

/// So many lines of a change are shown at first.
const LINES: usize = 8;

/// Below this the bar says that it is urgent.
const SHORT: Duration = Duration::from_secs(20);

/// What the person did with a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pressed {
    Approve,
    Refuse,
    RefuseAll,
}

/// A question that can be answered.
pub(super) struct Card<'a> {
    pub question: &'a QuestionView,
    pub snapshot: &'a Snapshot,
    /// All of the change is shown.
    pub unfolded: &'a mut bool,
    /// Its answer is on its way.
    pub busy: bool,
}

/// How a card was drawn.
pub(super) struct Drawn {
    pub pressed: Option<Pressed>,
    /// The safe answer, which is to have the focus.
    pub refuse: Response,
    /// Another answer has it.
    pub has_focus: bool,
}

impl Card<'_> {
    /// Draws it. `counts` is told where the answers stand, and says whether they count yet.
    pub(super) fn show(self, ui: &mut Ui, look: Look<'_>, counts: impl FnOnce(&Ui) -> bool) -> Drawn {
        let Card { question, snapshot, unfolded, busy } = self;
        let headline = headline(question, snapshot, look);
        card(ui, look, &format!("question-{}", question.id), &headline, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            icon_and_text(ui, Icon::Question, look.tokens.accent, |ui| heading(ui, look, headline.clone()));
            match &question.text {
                Some(text) => text_change(ui, look, text, unfolded),
                None => change(ui, look, &question.change, unfolded),
            }
            facts(ui, look, question);
            time_left(ui, look, question);
            answers(ui, look, question, &headline, snapshot, |ui| !busy && counts(ui))
        })
    }
}

/// What is asked for, as it came from the core.
fn change(ui: &mut Ui, look: Look<'_>, text: &str, unfolded: &mut bool) {
    let frame = text_frame(look);
    let has_more = frame.show(ui, |ui| {
        ui.take_available_width();
        mono_lines(ui, look, text, if *unfolded { usize::MAX } else { LINES })
    });
    unfold(ui, look, has_more.inner, unfolded);
}

/// The text that is there, and the one that would be.
fn text_change(ui: &mut Ui, look: Look<'_>, text: &TextChange, unfolded: &mut bool) {
    let told = |text: &'_ Option<String>, is_empty: &str, is_none: &str| match text.as_deref() {
        Some("") => Err(look.text(is_empty)),
        Some(text) => Ok(text.to_owned()),
        None => Err(look.text(is_none)),
    };
    let before = told(&text.before, "text-was-empty", "text-unread");
    let after = told(&text.after, "text-emptied", "text-deleted");
    let (before, after) = (before.as_deref().map_err(Clone::clone), after.as_deref().map_err(Clone::clone));
    let most = (!*unfolded).then_some(LINES);
    let has_more = TwoTexts { before, after, most }.show(ui, look);
    unfold(ui, look, has_more, unfolded);
}

/// The button for the rest, where there is more than is shown.
fn unfold(ui: &mut Ui, look: Look<'_>, has_more: bool, unfolded: &mut bool) {
    if has_more || *unfolded {
        let key = if *unfolded { "change-fold" } else { "change-unfold" };
        let response = Button::new("unfold", look.text(key)).kind(Kind::Quiet).show(ui, look);
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_expanded(*unfolded));
        if response.clicked() {
            *unfolded = !*unfolded;
        }
    }
}

fn facts(ui: &mut Ui, look: Look<'_>, question: &QuestionView) {
    ui.spacing_mut().item_spacing.y = space::XS;
    if let Some(text) = &question.text {
        if let Some(title) = &text.document {
            fact(ui, look, look.text("fact-document"), |ui| body(ui, look, title.as_str()));
        }
        // What it says of the text stands above.
        let call = question.change.lines().next().unwrap_or_default();
        fact(ui, look, look.text("fact-asked-for"), |ui| mono_wrapped(ui, look, call));
    }
    for endpoint in &question.endpoints {
        fact(ui, look, look.text("fact-endpoint"), |ui| mono_wrapped(ui, look, endpoint));
    }
    if let Some(session) = &question.session {
        fact(ui, look, look.text("fact-session"), |ui| mono_wrapped(ui, look, &session.0));
    }
    let age = clock::now().duration_since(question.asked).unwrap_or_default();
    let asked = [("time", clock::at(question.asked).into()), ("age", span(age, look).into())];
    fact(ui, look, look.text("fact-asked"), |ui| muted(ui, look, look.texts.with("asked-at", asked)));
    ui.spacing_mut().item_spacing.y = space::S;
}

/// A bar, and the same in words. Only these change from second to second.
fn time_left(ui: &mut Ui, look: Look<'_>, question: &QuestionView) {
    let (left, part) = left(question, clock::now());
    let words = look.texts.with("ends-in", [("left", span(left, look).into())]);
    let colour = if left < SHORT { look.tokens.warning } else { look.tokens.accent };
    ui.add_space(space::XS);
    let (rect, response) = ui.allocate_exact_size(Vec2::new(ui.available_width(), 4.0), Sense::hover());
    let round = CornerRadius::same(2);
    ui.painter().rect_filled(rect, round, look.tokens.line_soft);
    let mut filled = rect;
    filled.set_width(rect.width() * part);
    ui.painter().rect_filled(filled, round, colour);
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(Role::ProgressIndicator);
        node.set_label(look.text("time-left"));
        node.set_value(words.clone());
        node.set_numeric_value(f64::from(part * 100.0).round());
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(100.0);
    });
    icon_and_text(ui, Icon::Waiting, colour, |ui| muted(ui, look, words));
}

fn answers(
    ui: &mut Ui,
    look: Look<'_>,
    question: &QuestionView,
    headline: &str,
    snapshot: &Snapshot,
    counts: impl FnOnce(&Ui) -> bool,
) -> Drawn {
    ui.horizontal_wrapped(|ui| {
        let enabled = counts(ui);
        let button = |key: &'static str, text: String| {
            let args = [("answer", text.as_str().into()), ("question", headline.into())];
            Button::new(key, text.as_str()).name(look.texts.with("answer-of", args)).enabled(enabled)
        };
        let approve = button("approve", look.text("approve-once")).kind(Kind::Primary).show(ui, look);
        let refuse = button("refuse", look.text("refuse")).show(ui, look);
        let all = match &question.session {
            Some(_) => look.text("refuse-session"),
            None => {
                let who = names::of_caller(question.runtime.as_str(), snapshot, look);
                look.texts.with("refuse-runtime", [("who", who.into())])
            }
        };
        let all = button("refuse-all", all).kind(Kind::Quiet).show(ui, look);
        let pressed = [(Pressed::Approve, &approve), (Pressed::Refuse, &refuse), (Pressed::RefuseAll, &all)];
        let pressed = pressed.into_iter().find(|(_, button)| button.clicked()).map(|(pressed, _)| pressed);
        let has_focus = approve.has_focus() || all.has_focus();
        Drawn { pressed, refuse, has_focus }
    })
    .inner
}

/// A question that has ended otherwise than by an answer given here. `true`: the person has taken note.
pub(super) fn ended(
    ui: &mut Ui,
    look: Look<'_>,
    question: &QuestionView,
    snapshot: &Snapshot,
    how: &str,
) -> bool {
    let headline = headline(question, snapshot, look);
    let id = format!("question-{}", question.id);
    card(ui, look, &id, &headline, |ui| {
        ui.spacing_mut().item_spacing.y = space::XS;
        muted(ui, look, headline.clone());
        status(ui, look, &id, Tone::Warning, how);
        let name = look.texts.with(
            "answer-of",
            [("answer", look.text("noted").into()), ("question", headline.as_str().into())],
        );
        Button::new("noted", look.text("noted")).name(name).show(ui, look).clicked()
    })
}
