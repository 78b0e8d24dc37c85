//! Moments as a person reads them. Always absolute, so that nothing in the window ticks.

use std::time::SystemTime;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Now; in the pictures of the tests always the same moment.
pub fn now() -> SystemTime {
    #[cfg(test)]
    if let Some(stopped) = stopped::at() {
        return stopped;
    }
    SystemTime::now()
}

fn zone() -> TimeZone {
    #[cfg(test)]
    if stopped::at().is_some() {
        return TimeZone::UTC;
    }
    TimeZone::system()
}

/// A clock that stands still, for the thread of a test.
#[cfg(test)]
pub mod stopped {
    use std::cell::Cell;
    use std::time::SystemTime;

    thread_local! {
        static AT: Cell<Option<SystemTime>> = const { Cell::new(None) };
    }

    pub fn at() -> Option<SystemTime> {
        AT.get()
    }

    /// Stops it; the time zone is UTC from then on.
    pub fn stop(moment: SystemTime) {
        AT.set(Some(moment));
    }
}

/// The moment in local time: `14:02` today, `2026-11-30 14:02` on another day.
pub fn at(moment: SystemTime) -> String {
    written(moment, now(), &zone())
}

/// The same for what happened in quick succession, for a narrow column: `14:02:11` today, `11-30 14:02` on another day.
/// What is of another year is not among the latest; its details tell the year.
pub fn to_the_second(moment: SystemTime) -> String {
    in_form(moment, now(), &zone(), "%H:%M:%S", "%m-%d %H:%M")
}

/// The moment with its day and its second.
pub fn whole(moment: SystemTime) -> String {
    let form = "%Y-%m-%d %H:%M:%S";
    in_form(moment, now(), &zone(), form, form)
}

fn written(moment: SystemTime, now: SystemTime, zone: &TimeZone) -> String {
    in_form(moment, now, zone, "%H:%M", "%Y-%m-%d %H:%M")
}

fn in_form(
    moment: SystemTime,
    now: SystemTime,
    zone: &TimeZone,
    today: &str,
    on_another_day: &str,
) -> String {
    let local = |time: SystemTime| Timestamp::try_from(time).map(|stamp| stamp.to_zoned(zone.clone())).ok();
    let (Some(moment), Some(now)) = (local(moment), local(now)) else {
        // Outside the years that a calendar has; no clock of ours gives such a moment.
        return "–".to_owned();
    };
    let format = if moment.date() == now.date() { today } else { on_another_day };
    moment.strftime(format).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_moment_of_another_day_names_its_day() {
        let noon = SystemTime::UNIX_EPOCH + Duration::from_secs(12 * 3600 + 5 * 60);
        let next_day = noon + Duration::from_secs(24 * 3600);
        assert_eq!(written(noon, noon, &TimeZone::UTC), "12:05");
        assert_eq!(written(noon, next_day, &TimeZone::UTC), "1970-01-01 12:05");
    }
}
