//! Spans and moments of time, as people type and read them.

use std::str::FromStr;
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

/// How long something lives, in seconds: typed as `90s`, `10m`, `8h` or `2d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime {
    pub seconds: u64,
}

impl FromStr for Lifetime {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("{typed:?} is not a span of time; write it like 90s, 10m, 8h or 2d");
        let digits = typed.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match &typed[digits.len()..] {
            "" | "s" => 1,
            "m" => 60,
            "h" => 3600,
            "d" => 86400,
            _ => return Err(wrong()),
        };
        let number: u64 = digits.parse().map_err(|_| wrong())?;
        match number.checked_mul(unit) {
            Some(0) => Err("a grant that lives for no time is of no use".into()),
            Some(seconds) => Ok(Self { seconds }),
            None => Err(wrong()),
        }
    }
}

/// A moment for a script: RFC 3339 in UTC.
pub fn rfc3339(moment: SystemTime) -> String {
    let seconds = match moment.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_secs()).map_or(i64::MIN, |seconds| -seconds),
    };
    // A moment beyond the year 9999 is shown as the last one before.
    let last = if seconds < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_second(seconds).unwrap_or(last).to_string()
}

/// A moment for a person, by the clock of this computer.
pub fn local_time(moment: SystemTime) -> String {
    let seconds = moment.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let moment = i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    moment.map_or_else(
        || "-".into(),
        |moment| moment.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
    )
}

/// A moment for a person, as a distance: "just now", "3 minutes ago", "in 2 hours".
pub fn from_now(moment: SystemTime) -> String {
    let span = |seconds: u64| {
        let (count, unit) = match seconds {
            0..60 => (seconds, "second"),
            60..3600 => (seconds / 60, "minute"),
            3600..86400 => (seconds / 3600, "hour"),
            _ => (seconds / 86400, "day"),
        };
        format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
    };
    match SystemTime::now().duration_since(moment) {
        Ok(since) if since.as_secs() == 0 => "just now".into(),
        Ok(since) => format!("{} ago", span(since.as_secs())),
        // Rounded up, so that an hour that has just begun is still called an hour.
        Err(ahead) => format!("in {}", span(ahead.duration().as_secs() + 1)),
    }
}

/// Writes the moments in `value` as RFC 3339, in place of serde's pairs of seconds and nanoseconds.
pub fn write_plainly(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(write_plainly),
        Value::Object(fields) => {
            let part = |name: &str| fields.get(name).and_then(Value::as_u64);
            if let (2, Some(seconds), Some(_)) =
                (fields.len(), part("secs_since_epoch"), part("nanos_since_epoch"))
            {
                let moment = SystemTime::UNIX_EPOCH.checked_add(std::time::Duration::from_secs(seconds));
                *value = moment.map_or(Value::Null, |moment| rfc3339(moment).into());
            } else {
                fields.values_mut().for_each(write_plainly);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_as_typed() {
        for (typed, expected) in [
            ("90", Some(90)),
            ("90s", Some(90)),
            ("10m", Some(600)),
            ("8h", Some(28800)),
            ("2d", Some(172_800)),
            ("0m", None),
            ("", None),
            ("h", None),
            ("1w", None),
            ("-1s", None),
            ("1.5h", None),
            ("5分", None),
            ("18446744073709551615d", None),
        ] {
            assert_eq!(typed.parse().ok(), expected.map(|seconds| Lifetime { seconds }), "{typed}");
        }
    }

    #[test]
    fn moments_are_written_plainly_at_any_depth() {
        let moment = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_800_000_000);
        let mut value = serde_json::json!({"a": [{"at": moment}], "secs_since_epoch": 1});
        write_plainly(&mut value);
        assert_eq!(value, serde_json::json!({"a": [{"at": "2027-01-15T08:00:00Z"}], "secs_since_epoch": 1}));
    }
}
