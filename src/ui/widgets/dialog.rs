//! A question before something is lost. The safe answer has the focus.

use egui::accesskit::Role;
use egui::{Context, CornerRadius, Frame, Id, Margin, Modal, Rect, Stroke, Ui};

use super::label::{body, section};
use super::{Button, Kind, Look};
use crate::ui::theme::{radius, space};

/// What the person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Yes,
    No,
}

/// A question that is open.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// What had the keyboard's focus before, and gets it back.
    from: Option<Id>,
    /// When it was drawn last: one that went away unanswered is opened anew.
    drawn: u64,
    /// Where it was drawn.
    place: Rect,
}

/// A question that stands in front of the window until it is answered.
#[derive(Debug)]
#[must_use]
pub struct Question<'a> {
    /// Part of the ids; the same in every language.
    pub id: &'a str,
    pub title: String,
    /// What will be lost.
    pub text: String,
    /// The words of the answer that goes on.
    pub yes: String,
}

impl Question<'_> {
    /// `None` while it is not answered.
    pub fn show(self, ctx: &Context, look: Look<'_>) -> Option<Answer> {
        self.show_with(ctx, look, (Kind::Danger, true), |_| {})
    }

    /// The same with more than words: `add` draws it. The answer that goes on is of this kind, and can be pressed
    /// or not.
    pub fn show_with(
        self,
        ctx: &Context,
        look: Look<'_>,
        (kind, ready): (Kind, bool),
        add: impl FnOnce(&mut Ui),
    ) -> Option<Answer> {
        let id = Id::unique(("question", self.id));
        let frame = Frame::new()
            .fill(look.tokens.surface)
            .stroke(Stroke::new(1.0, look.tokens.line))
            .corner_radius(CornerRadius::same(radius::CARD))
            .inner_margin(Margin::same(20));
        let area = Modal::default_area(id).role(Role::AlertDialog).accessible_name(self.title.clone());
        let drawn = ctx.cumulative_pass_nr();
        let open = ctx.data(|data| data.get_temp::<Open>(id)).filter(|open| open.drawn + 1 >= drawn);
        let first_time = open.is_none();
        let from = open.map_or_else(|| ctx.memory(|memory| memory.focused()), |open| open.from);
        let shown = Modal::new(id).area(area).frame(frame).show(ctx, |ui| {
            ui.set_width(400.0_f32.min(ui.ctx().content_rect().width() - 80.0));
            section(ui, look, self.title);
            body(ui, look, self.text);
            add(ui);
            ui.add_space(space::S);
            ui.horizontal(|ui| {
                let no = Button::new("no", look.text("cancel")).show(ui, look);
                if first_time {
                    no.request_focus();
                }
                let yes = Button::new("yes", self.yes).kind(kind).enabled(ready).show(ui, look);
                match (yes.clicked(), no.clicked()) {
                    (true, _) => Some(Answer::Yes),
                    (false, true) => Some(Answer::No),
                    (false, false) => None,
                }
            })
            .inner
        });
        let place = shown.response.rect;
        // It is put into the middle by the size that it had a frame ago.
        if open.is_none_or(|open| open.place != place) {
            ctx.request_repaint();
        }
        let answer = shown.inner.or_else(|| shown.should_close().then_some(Answer::No));
        if answer.is_none() {
            ctx.data_mut(|data| data.insert_temp(id, Open { from, drawn, place }));
        } else {
            ctx.data_mut(|data| data.remove::<Open>(id));
            if let Some(to) = from {
                ctx.data_mut(|data| data.insert_temp(GiveBack::place(), GiveBack { to, since: drawn }));
                ctx.request_repaint();
            }
        }
        answer
    }
}

/// Gives the keyboard's focus back after a question. Call it once a frame, when all is drawn: what stood
/// behind the question takes no focus before the frame after the last one that showed it.
pub fn give_back_focus(ctx: &Context) {
    let waiting = ctx.data(|data| data.get_temp::<GiveBack>(GiveBack::place()));
    if let Some(GiveBack { to, since }) = waiting
        && since < ctx.cumulative_pass_nr()
    {
        ctx.data_mut(|data| data.remove::<GiveBack>(GiveBack::place()));
        ctx.memory_mut(|memory| memory.request_focus(to));
        ctx.request_repaint();
    }
}

/// What gets the focus back after a question that was drawn last in a certain pass.
#[derive(Debug, Clone, Copy)]
struct GiveBack {
    to: Id,
    since: u64,
}

impl GiveBack {
    fn place() -> Id {
        Id::unique("give-back-focus")
    }
}
