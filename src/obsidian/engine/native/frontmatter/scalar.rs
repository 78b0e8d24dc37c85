//! What a plain word means in YAML 1.2, and how numbers are written.

use serde_json::{Number, Value};

/// The value of a plain scalar by the core schema: `yes` and a date are text, `0x1F` is a number.
pub fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    number(text).unwrap_or_else(|| Value::String(text.to_owned()))
}

/// Whether `text`, written plainly, would not be read back as text.
pub fn is_special(text: &str) -> bool {
    !resolve(text).is_string() || number(text).is_some()
}

/// A number, or what stands for one that JSON cannot hold: `null` for infinities, and the digits
/// as text for whole numbers of more than 64 bits, which would be rounded otherwise (U-09).
fn number(text: &str) -> Option<Value> {
    let radix = |digits: &str, radix: u32| {
        let valid = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        valid.then(|| {
            u64::from_str_radix(digits, radix).map_or_else(|_| Value::String(text.to_owned()), Value::from)
        })
    };
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Value::Null);
    }
    if !unsigned.is_empty() && unsigned.bytes().all(|b| b.is_ascii_digit()) {
        return Some(whole(text, unsigned));
    }
    is_float(unsigned).then(|| text.parse().map_or(Value::Null, from_f64))
}

fn whole(text: &str, digits: &str) -> Value {
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let value = if text.starts_with('-') {
        format!("-{digits}").parse::<i64>().ok().map(Value::from)
    } else {
        digits.parse::<u64>().ok().map(Value::from)
    };
    value.unwrap_or_else(|| Value::String(text.to_owned()))
}

/// Digits with a dot, an exponent or both; no sign.
fn is_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let is_mantissa = match mantissa.split_once('.') {
        Some(("", after)) => !after.is_empty() && digits(after),
        Some((before, after)) => digits(before) && digits(after),
        None => exponent.is_some() && !mantissa.is_empty() && digits(mantissa),
    };
    let is_exponent = |part: &str| {
        let part = part.strip_prefix(['-', '+']).unwrap_or(part);
        !part.is_empty() && digits(part)
    };
    is_mantissa && exponent.is_none_or(is_exponent)
}

/// A float as JSON: a whole one as a whole number, as JavaScript writes it.
fn from_f64(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        // within the range in which every whole number is exact
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// How JavaScript, and so MCPVault, writes the number.
pub fn number_text(number: &Number) -> String {
    let Some(value) = number.as_f64().filter(|_| number.is_f64()) else { return number.to_string() };
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{value:e}");
        return match text.split_once('e') {
            Some((mantissa, exponent)) if !exponent.starts_with('-') => format!("{mantissa}e+{exponent}"),
            _ => text,
        };
    }
    format!("{value}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plain_words_mean_what_yaml_1_2_says() {
        let cases = [
            ("yes", json!("yes")),
            ("no", json!("no")),
            ("on", json!("on")),
            ("y", json!("y")),
            ("true", json!(true)),
            ("tRue", json!("tRue")),
            ("~", json!(null)),
            ("", json!(null)),
            ("NULL", json!(null)),
            ("2024-01-01", json!("2024-01-01")),
            ("2024-01-01T10:00:00Z", json!("2024-01-01T10:00:00Z")),
            ("2024", json!(2024)),
            ("007", json!(7)),
            ("0o17", json!(15)),
            ("0x1F", json!(31)),
            ("0xZZ", json!("0xZZ")),
            ("-5", json!(-5)),
            ("+5", json!(5)),
            ("-0", json!(0)),
            ("1.50", json!(1.5)),
            ("1.0", json!(1)),
            (".5", json!(0.5)),
            ("5.", json!(5)),
            (".", json!(".")),
            ("1e3", json!(1000)),
            ("1_000", json!("1_000")),
            ("12:30", json!("12:30")),
            ("1.2.3", json!("1.2.3")),
            (".inf", json!(null)),
            ("-.INF", json!(null)),
            (".nan", json!(null)),
            ("e5", json!("e5")),
            ("1e", json!("1e")),
        ];
        for (text, expected) in cases {
            assert_eq!(resolve(text), expected, "{text:?}");
        }
    }

    #[test]
    fn u09_no_digit_of_a_long_number_is_lost() {
        assert_eq!(resolve("1234567890123456789").to_string(), "1234567890123456789");
        assert_eq!(resolve("12345678901234567890").to_string(), "12345678901234567890");
        assert_eq!(resolve("99999999999999999999"), json!("99999999999999999999"));
        assert_eq!(resolve("-99999999999999999999"), json!("-99999999999999999999"));
        assert!(is_special("99999999999999999999"));
    }

    #[test]
    fn numbers_are_written_as_javascript_writes_them() {
        for (value, expected) in [
            (1.5, "1.5"),
            (1e21, "1e+21"),
            (1.5e-7, "1.5e-7"),
            (0.000001, "0.000001"),
            (-2.25, "-2.25"),
            (1e20, "100000000000000000000"),
        ] {
            assert_eq!(number_text(&Number::from_f64(value).unwrap()), expected);
        }
        assert_eq!(number_text(&Number::from(u64::MAX)), "18446744073709551615");
    }
}
