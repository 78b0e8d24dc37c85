//! What waits for the person's answer: a panel over any page, and its count in the navigation.
//!
//! The panel lies over the page and moves nothing on it, so that no click lands on what has just slid under the pointer. It
//! draws a frame a second while a question in it is open, since its time is shown, and none otherwise. When a question ends
//! is the core's business.

mod card;
mod held;
mod sight;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use egui::accesskit::Role;
use egui::{
    Align, Area, Context, CornerRadius, Frame, Id, Key, KeyboardShortcut, Layout, Margin, Modifiers, Order,
    Rect, ScrollArea, Stroke, Ui, UserAttentionType, ViewportCommand,
};

use self::card::{Card, Pressed};
use self::sight::{Sight, somebody_types};
use super::icons::Icon;
use super::link::{Link, Pending};
use super::notify::Notice;
use super::text::Texts;
use super::theme::{CONTROL_HEIGHT, Tokens, radius, space};
use super::widgets::{Button, Kind, Look, Tone, alert, in_the_middle, muted, status};
use super::{clock, errors};
use crate::core::{
    Command, CommandError, QuestionId, QuestionState, QuestionView, RuntimeId, SessionLabel, Snapshot,
};

/// The greatest width of the panel, in points.
const WIDTH: f32 = 760.0;

/// The time that is left is shown in whole seconds.
const TICK: Duration = Duration::from_secs(1);

/// The keys of the answers: three together, so that none is hit by accident.
const APPROVE: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Y);
const REFUSE: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::N);

/// Something that was asked of the core, and what it is about.
#[derive(Debug)]
enum Sent {
    Answer(QuestionId),
    RefuseAll(Vec<QuestionId>),
    Lift,
}

/// The panel's own state.
#[derive(Debug, Default)]
pub struct ApprovalsPanel {
    open: bool,
    /// The person opened it, so it stays also where nothing is open.
    by_hand: bool,
    /// Questions that were open while this window was.
    seen: BTreeSet<QuestionId>,
    /// Those that were answered here.
    answered: BTreeSet<QuestionId>,
    /// Answers that came to nothing.
    failed: BTreeMap<QuestionId, CommandError>,
    /// Those of which the person has taken note.
    noted: BTreeSet<QuestionId>,
    unfolded: BTreeSet<QuestionId>,
    sent: Vec<(Sent, Pending)>,
    /// A pause could not be lifted, or a session not be refused.
    trouble: Option<CommandError>,
    sight: Sight,
    /// The safe answer is to get the focus with the next frame.
    wants_focus: bool,
    /// The card in which the focus is.
    focused: Option<QuestionId>,
    /// What had the focus before the panel took it.
    focus_before: Option<Id>,
    /// The desktop was asked to point at the window.
    called: bool,
}

fn open(snapshot: &Snapshot) -> impl Iterator<Item = &QuestionView> {
    // The oldest ends first, and what comes later moves nothing that stands already.
    snapshot.approvals.questions.iter().rev().filter(|question| question.state == QuestionState::Open)
}

impl ApprovalsPanel {
    /// Takes in what has come since the last frame, and calls for the person where the window is in the background.
    /// Runs also while the window is hidden; draws nothing.
    pub fn receive(&mut self, ctx: &Context, snapshot: &Snapshot, link: &dyn Link, texts: &Texts) {
        self.take_answers();
        let questions = &snapshot.approvals.questions;
        let known = |id: &QuestionId| questions.iter().any(|question| question.id == *id);
        for kept in [&mut self.seen, &mut self.answered, &mut self.noted, &mut self.unfolded] {
            kept.retain(known);
        }
        self.failed.retain(|id, _| known(id));
        let mut news = false;
        for question in open(snapshot) {
            news |= self.seen.insert(question.id);
        }
        if news {
            (self.open, self.wants_focus) = (true, true);
        }
        // A card that is gone has taken the focus along.
        let is_gone = |id: &QuestionId| open(snapshot).all(|question| question.id != *id);
        self.wants_focus |= self.focused.take_if(|id| is_gone(id)).is_some();
        // While the window is hidden only the raw input tells how it is now.
        let in_front =
            ctx.input(|input| input.raw.focused && !input.viewport().minimized.unwrap_or_default());
        let waiting = open(snapshot).next().is_some();
        if news && !in_front {
            ctx.send_viewport_cmd(ViewportCommand::RequestUserAttention(UserAttentionType::Critical));
            self.called = true;
        } else if self.called && (in_front || !waiting) {
            ctx.send_viewport_cmd(ViewportCommand::RequestUserAttention(UserAttentionType::Reset));
            self.called = false;
        }
        let look = Look { tokens: Tokens::of(ctx.theme()), texts };
        link.tell(if in_front { None } else { notice(snapshot, look) });
    }

    fn take_answers(&mut self) {
        let mut ended = Vec::new();
        self.sent.retain_mut(|(what, pending)| match pending.poll() {
            None => true,
            Some(outcome) => {
                ended.push((std::mem::replace(what, Sent::Lift), outcome));
                false
            }
        });
        for (what, outcome) in ended {
            let Err(error) = outcome else { continue };
            match what {
                Sent::Answer(id) => drop(self.failed.insert(id, error)),
                Sent::RefuseAll(_) | Sent::Lift => self.trouble = Some(error),
            }
        }
    }

    /// How an ended question is told here; `None`: it is not.
    fn ending(&self, question: &QuestionView, look: Look<'_>) -> Option<String> {
        if !self.seen.contains(&question.id) || self.noted.contains(&question.id) {
            return None;
        }
        if let Some(error) = self.failed.get(&question.id) {
            return Some(errors::shown(error, look.texts).lead);
        }
        words::ended(question.state, self.answered.contains(&question.id)).map(|key| look.text(key))
    }

    /// Draws the panel above the page, where there is something to tell; nothing otherwise.
    pub fn show(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        let endings: Vec<(&QuestionView, String)> = snapshot
            .approvals
            .questions
            .iter()
            .rev()
            .filter_map(|question| Some((question, self.ending(question, look)?)))
            .collect();
        let waiting = open(snapshot).count();
        let by_hand = self.by_hand && !snapshot.approvals.paused.is_empty();
        if waiting + endings.len() == 0 && self.trouble.is_none() && !by_hand {
            self.close(ui.ctx());
        }
        if !self.open {
            self.sight.keep(&[]);
            return;
        }
        if waiting > 0 && !ui.input(|input| input.viewport().minimized.unwrap_or_default()) {
            ui.ctx().request_repaint_after(TICK);
        }
        let room = ui.max_rect().shrink2(egui::vec2(space::L, space::M));
        let width = room.width().min(WIDTH);
        let place = Rect::from_min_max(egui::pos2(room.right() - width, room.top()), room.max);
        let title = title(waiting, look);
        Area::new(Id::unique("approvals"))
            .order(Order::Middle)
            .fixed_pos(place.min)
            .constrain_to(room)
            .role(Role::Region)
            .accessible_name(look.text("approvals-title"))
            .show(ui.ctx(), |ui| {
                ui.set_max_size(place.size());
                frame(look).show(ui, |ui| {
                    ui.set_width(place.width() - 2.0 * space::M - 2.0); // its edge
                    ui.spacing_mut().item_spacing.y = space::S;
                    if head(ui, look, &title) {
                        self.close(ui.ctx());
                    }
                    let height = place.height() - 80.0;
                    ScrollArea::vertical()
                        .id_salt("approvals")
                        .auto_shrink([false, true])
                        .max_height(height)
                        .show(ui, |ui| {
                            ui.spacing_mut().item_spacing.y = space::M;
                            if let Some(error) = &self.trouble {
                                alert(ui, look, "approvals-trouble", &errors::shown(error, look.texts).lead);
                            }
                            if waiting > 0 {
                                let keys = [APPROVE, REFUSE].map(|keys| ui.ctx().format_shortcut(&keys));
                                let [approve, refuse] = keys;
                                let args = [("approve", approve.into()), ("refuse", refuse.into())];
                                muted(ui, look, look.texts.with("approvals-keys", args));
                            }
                            self.cards(ui, look, snapshot, link);
                            for (question, how) in &endings {
                                if card::ended(ui, look, question, snapshot, how) {
                                    self.noted.insert(question.id);
                                    self.wants_focus = true;
                                }
                            }
                            if let Some((runtime, session)) = held::show(ui, look, snapshot) {
                                self.trouble = None;
                                let lift = Command::LiftApprovalPause { runtime, session };
                                self.sent.push((Sent::Lift, link.send(lift)));
                            }
                        });
                });
            });
    }

    fn cards(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, link: &dyn Link) {
        let drawn: Vec<QuestionId> = open(snapshot).map(|question| question.id).collect();
        self.sight.keep(&drawn);
        // By its keys the question with the focus is answered, else the oldest; never by somebody who types.
        let by_keys = self.focused.take().or(drawn.first().copied());
        let by_keys = by_keys.filter(|_| !ui.ctx().text_edit_focused());
        let (now, types) = ui.input(|input| (input.time, somebody_types(input)));
        for question in open(snapshot) {
            let id = question.id;
            let mut unfolded = self.unfolded.contains(&id);
            let busy = self.is_busy(id);
            let card = Card { question, snapshot, unfolded: &mut unfolded, busy };
            let (sight, mut counts) = (&mut self.sight, false);
            let shown = card.show(ui, look, |ui| {
                // What is only being measured has not been seen by anybody.
                let seen = ui.is_visible();
                let left = if seen { sight.waits(id, ui.cursor().min, now, types) } else { Some(TICK) };
                if let Some(left) = left {
                    ui.ctx().request_repaint_after(left);
                }
                counts = left.is_none();
                counts
            });
            let keyed = if counts && by_keys == Some(id) { pressed_by_keys(ui) } else { None };
            if unfolded {
                self.unfolded.insert(id)
            } else {
                self.unfolded.remove(&id)
            };
            // Whoever is typing goes on typing.
            if self.wants_focus && !busy && !ui.ctx().text_edit_focused() {
                self.wants_focus = false;
                self.focus_before = self.focus_before.or(ui.memory(|memory| memory.focused()));
                shown.refuse.request_focus();
            }
            if shown.has_focus || shown.refuse.has_focus() {
                self.focused = Some(id);
            }
            if let Some(pressed) = shown.pressed.or(keyed) {
                self.answer(question, pressed, snapshot, link);
            }
        }
    }

    fn is_busy(&self, id: QuestionId) -> bool {
        self.sent.iter().any(|(what, _)| match what {
            Sent::Answer(answered) => *answered == id,
            Sent::RefuseAll(refused) => refused.contains(&id),
            Sent::Lift => false,
        })
    }

    fn answer(&mut self, question: &QuestionView, pressed: Pressed, snapshot: &Snapshot, link: &dyn Link) {
        let QuestionView { id, runtime, session, .. } = question;
        let (sent, command) = match pressed {
            Pressed::Approve | Pressed::Refuse => {
                let approve = pressed == Pressed::Approve;
                (Sent::Answer(*id), Command::AnswerApproval { question: *id, approve })
            }
            Pressed::RefuseAll => {
                let of_session =
                    open(snapshot).filter(|other| other.runtime == *runtime && other.session == *session);
                let command = Command::RefuseSession { runtime: runtime.clone(), session: session.clone() };
                (Sent::RefuseAll(of_session.map(|question| question.id).collect()), command)
            }
        };
        match &sent {
            Sent::RefuseAll(refused) => self.answered.extend(refused),
            _ => drop(self.answered.insert(*id)),
        }
        self.trouble = None;
        self.wants_focus = true;
        self.sent.push((sent, link.send(command)));
    }

    /// What had the focus gets it back.
    fn close(&mut self, ctx: &Context) {
        (self.open, self.by_hand, self.wants_focus, self.trouble) = (false, false, false, None);
        if let Some(before) = self.focus_before.take().filter(|_| !ctx.text_edit_focused()) {
            ctx.memory_mut(|memory| memory.request_focus(before));
        }
    }

    /// The room that [`Self::count`] takes.
    pub fn count_height(snapshot: &Snapshot) -> f32 {
        let is_shown = open(snapshot).next().is_some() || !snapshot.approvals.paused.is_empty();
        if is_shown { CONTROL_HEIGHT + space::XS } else { 0.0 }
    }

    /// The count in the navigation, which opens and closes the panel; nothing where there is none.
    pub fn count(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, folded: bool) {
        let (waiting, held) = (open(snapshot).count(), snapshot.approvals.paused.len());
        if waiting + held == 0 {
            return;
        }
        let (key, count) = if waiting > 0 { ("count-waiting", waiting) } else { ("count-held", held) };
        let words = look.texts.with(key, [("count", count.into())]);
        let name = if waiting > 0 { title(waiting, look) } else { words.clone() };
        let button = if folded {
            Button::new("approvals-count", count.to_string()).kind(Kind::Primary)
        } else {
            Button::new("approvals-count", words).icon(Icon::Question).kind(Kind::Quiet)
        };
        let response = button.name(name.clone()).show(ui, look);
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_expanded(self.open));
        let response = if folded { response.on_hover_text(name) } else { response };
        if response.clicked() && self.open {
            self.close(ui.ctx());
        } else if response.clicked() {
            self.show_all();
        }
    }

    /// What waits, in a line of a page, with the way to it. It takes the same room when nothing does.
    pub fn line(&mut self, ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) {
        let waiting = open(snapshot).count();
        ui.horizontal(|ui| {
            ui.set_min_height(CONTROL_HEIGHT);
            muted(ui, look, title(waiting, look));
            let show = Button::new("approvals-show", look.text("approvals-show")).kind(Kind::Quiet);
            if waiting > 0 && show.show(ui, look).clicked() {
                self.show_all();
            }
        });
    }

    /// Opens the panel, as the person wants it.
    pub fn show_all(&mut self) {
        (self.open, self.by_hand, self.wants_focus) = (true, true, true);
    }
}

/// An answer by its keys.
fn pressed_by_keys(ui: &Ui) -> Option<Pressed> {
    let keys = [(APPROVE, Pressed::Approve), (REFUSE, Pressed::Refuse)];
    ui.input_mut(|input| {
        keys.into_iter().find(|(keys, _)| input.consume_shortcut(keys)).map(|(_, pressed)| pressed)
    })
}

fn title(waiting: usize, look: Look<'_>) -> String {
    look.texts.with("approvals-waiting", [("count", waiting.into())])
}

fn frame(look: Look<'_>) -> Frame {
    Frame::new()
        .fill(look.tokens.bg)
        .stroke(Stroke::new(1.0, look.tokens.line))
        .corner_radius(CornerRadius::same(radius::CARD))
        .inner_margin(Margin::same(space::M as i8))
}

/// What waits, in one line. `true`: the person puts the panel away.
fn head(ui: &mut Ui, look: Look<'_>, title: &str) -> bool {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let hide = Button::new("hide-approvals", look.text("approvals-hide")).kind(Kind::Quiet);
            let hide = hide.show(ui, look);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                in_the_middle(ui, |ui| status(ui, look, "approvals", Tone::Waiting, title));
            });
            hide.clicked()
        })
        .inner
    })
    .inner
}

/// What the desktop is told: of the newest question who and what, and of none the change.
fn notice(snapshot: &Snapshot, look: Look<'_>) -> Option<Notice> {
    let newest = open(snapshot).last()?;
    let text = look.texts.with("notice-until", [("time", clock::at(newest.ends).into())]);
    let (title, open) = (words::headline(newest, snapshot, look), look.text("notice-open"));
    Some(Notice { title, text, open })
}

/// A session whose questions are held back.
type Held = (RuntimeId, Option<SessionLabel>);
