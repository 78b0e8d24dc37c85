//! The places for connections, and who has to leave one when all are taken.
//!
//! Anything on this computer can open connections and say nothing. So whoever never showed a good key
//! makes room for the next one, the oldest first; whoever did keeps the place.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

#[derive(Debug)]
pub(super) struct Places {
    most: usize,
    /// By number, so the oldest come first.
    taken: Mutex<(u64, BTreeMap<u64, Arc<Place>>)>,
}

/// A connection's place, as its requests see it.
#[derive(Debug, Default)]
pub(super) struct Place {
    is_known: AtomicBool,
    leave: CancellationToken,
}

/// A place that is held; dropping it gives it back.
#[derive(Debug)]
pub(super) struct Held {
    places: Arc<Places>,
    number: u64,
    pub place: Arc<Place>,
}

impl Place {
    /// A request on this connection had a good key.
    pub(super) fn is_known(&self) {
        self.is_known.store(true, Ordering::Relaxed);
    }

    /// Fires when the connection has to make room.
    pub(super) fn leave(&self) -> &CancellationToken {
        &self.leave
    }
}

impl Places {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    fn taken(&self) -> MutexGuard<'_, (u64, BTreeMap<u64, Arc<Place>>)> {
        // Every change of it is one step, so it is whole whatever panicked meanwhile.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place; `None` when all are held by those who showed a good key.
    pub(super) fn take(self: &Arc<Self>) -> Option<Held> {
        let mut guard = self.taken();
        let (next, taken) = &mut *guard;
        if taken.len() >= self.most {
            let stranger = taken.iter().find(|(_, place)| !place.is_known.load(Ordering::Relaxed));
            let number = stranger.map(|(number, _)| *number)?;
            if let Some(place) = taken.remove(&number) {
                place.leave.cancel();
            }
        }
        let (number, place) = (*next, Arc::new(Place::default()));
        *next += 1;
        taken.insert(number, Arc::clone(&place));
        Some(Held { places: Arc::clone(self), number, place })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.places.taken().1.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_that_showed_no_key_makes_room_and_whoever_did_stays() {
        let places = Places::new(2);
        let [first, second] = [places.take().unwrap(), places.take().unwrap()];
        first.place.is_known();
        let third = places.take().unwrap();
        assert!(second.place.leave().is_cancelled() && !first.place.leave().is_cancelled());
        third.place.is_known();
        assert!(places.take().is_none(), "all are known");
        drop(second);
        assert!(places.take().is_none(), "its place was given on already");
        drop(first);
        assert!(places.take().is_some());
        assert!(!third.place.leave().is_cancelled());
    }
}
