//! JSON text as JavaScript writes it, so that the text of an answer is the same from both engines.
//!
//! Only numbers differ: `1.0` is `1`, and very large and very small ones have their own notation. Whole
//! numbers are written in full, also where JavaScript would round them.

use std::io;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

/// The text of `value`: on one line, or indented by two blanks.
pub fn text(value: &Value, pretty: bool) -> String {
    let mut bytes = Vec::with_capacity(128);
    let written = if pretty {
        value.serialize(&mut Serializer::with_formatter(&mut bytes, JavaScript(PrettyFormatter::new())))
    } else {
        value.serialize(&mut Serializer::with_formatter(&mut bytes, JavaScript(CompactFormatter)))
    };
    debug_assert!(written.is_ok(), "a JSON value can always be written to memory");
    // The serialiser writes UTF-8 only.
    String::from_utf8(bytes).unwrap_or_default()
}

/// A number as JavaScript turns it into text.
fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if !value.is_finite() {
        "null".into()
    } else if (1e-6..1e21).contains(&size) {
        format!("{value}")
    } else {
        let text = format!("{value:e}");
        if size < 1.0 { text } else { text.replace('e', "e+") }
    }
}

struct JavaScript<F>(F);

macro_rules! pass_on {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {
        $(fn $name<W: ?Sized + io::Write>(&mut self, writer: &mut W $(, $argument: $kind)*) -> io::Result<()> {
            self.0.$name(writer $(, $argument)*)
        })*
    };
}

impl<F: Formatter> Formatter for JavaScript<F> {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(number(value).as_bytes())
    }

    pass_on! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        begin_object_value();
        end_object_value();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_look_as_in_javascript() {
        let check = |value: f64, expected: &str| assert_eq!(text(&json!(value), false), expected);
        check(1.0, "1");
        check(-0.0, "0");
        check(1.5, "1.5");
        check(0.1 + 0.2, "0.30000000000000004");
        check(1e20, "100000000000000000000");
        check(1e21, "1e+21");
        check(-1.5e300, "-1.5e+300");
        check(0.000001, "0.000001");
        check(1e-7, "1e-7");
        check(5e-324, "5e-324");
        check(123456789012345680000.0, "123456789012345680000");
    }

    #[test]
    fn both_layouts() {
        let value = json!({"b": [], "a": {"x": [1.0, "é\u{1}\n\u{2028}"]}, "o": {}});
        assert_eq!(text(&value, false), "{\"b\":[],\"a\":{\"x\":[1,\"é\\u0001\\n\u{2028}\"]},\"o\":{}}");
        assert_eq!(
            text(&value, true),
            "{\n  \"b\": [],\n  \"a\": {\n    \"x\": [\n      1,\n      \"é\\u0001\\n\u{2028}\"\n    ]\n  },\n  \"o\": {}\n}"
        );
    }
}
