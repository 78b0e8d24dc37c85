//! Keeps a press from counting as an answer that was meant for something else: what is to be answered must have stood still
//! under the person's eyes for a moment, and nobody may be typing.

use std::collections::BTreeMap;
use std::time::Duration;

use egui::{Event, InputState, Pos2};

use crate::core::QuestionId;

/// The moment, in seconds.
const MOMENT: f64 = 0.6;

/// Since when each card stands where it stands, in the time of the window's frames.
#[derive(Debug, Default)]
pub(super) struct Sight {
    cards: BTreeMap<QuestionId, (Pos2, f64)>,
}

impl Sight {
    /// How long the answers of a card that is drawn at `place` now must still wait; `None`: they count.
    pub(super) fn waits(
        &mut self,
        card: QuestionId,
        place: Pos2,
        now: f64,
        somebody_types: bool,
    ) -> Option<Duration> {
        let (before, since) = self.cards.get(&card).copied().unwrap_or((place, now));
        let (has_moved, is_waiting) = (before.distance(place) > 1.0, now - since < MOMENT);
        let since = if has_moved || (is_waiting && somebody_types) { now } else { since };
        self.cards.insert(card, (place, since));
        let left = MOMENT - (now - since);
        (left > 0.0).then(|| Duration::from_secs_f64(left))
    }

    /// Forgets the cards that are not drawn any more; they are new when they come again.
    pub(super) fn keep(&mut self, drawn: &[QuestionId]) {
        self.cards.retain(|card, _| drawn.contains(card));
    }
}

/// Whether keys were pressed or let go since the frame before.
pub(super) fn somebody_types(input: &InputState) -> bool {
    let typed = |event: &Event| matches!(event, Event::Text(_) | Event::Key { .. } | Event::Ime(_));
    input.events.iter().any(typed)
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn a_card_counts_when_it_has_stood_still_for_a_moment_and_nobody_types() {
        let (mut sight, card) = (Sight::default(), QuestionId(1));
        let mut waits = |now, y, types| sight.waits(card, pos2(0.0, y), now, types).is_some();
        assert!(waits(10.0, 5.0, false), "it has just appeared");
        assert!(waits(10.5, 5.0, false));
        assert!(!waits(10.7, 5.0, false));
        assert!(!waits(10.8, 5.0, true), "a key that comes later is an answer");
        assert!(waits(11.0, 50.0, false), "it has moved");
        assert!(waits(11.5, 50.0, true), "somebody types");
        assert!(waits(12.0, 50.0, false));
        assert!(!waits(12.2, 50.0, false));
        sight.keep(&[]);
        assert!(sight.waits(card, pos2(0.0, 50.0), 20.0, false).is_some(), "it is new again");
    }
}
