//! The token in every form in which an answer may give it away.

use std::fmt::Write as _;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

/// Each encoding, by name. In Base64 the token stands at each of the three alignments.
pub fn encodings(token: &str) -> Vec<(String, String)> {
    let percent =
        |hex: fn(u8) -> String| token.bytes().map(|byte| format!("%{}", hex(byte))).collect::<String>();
    let (lower, upper) = (|byte: u8| format!("{byte:02x}"), |byte: u8| format!("{byte:02X}"));
    let mut found = vec![
        ("plain".to_owned(), token.to_owned()),
        ("json".to_owned(), json!(token).to_string()),
        (
            "json escapes".to_owned(),
            token.chars().map(|letter| format!("\\u{:04x}", letter as u32)).collect(),
        ),
        ("json in json".to_owned(), json!(json!({"token": token}).to_string()).to_string()),
        ("percent, lower".to_owned(), percent(lower)),
        ("percent, upper".to_owned(), percent(upper)),
        ("percent, mixed".to_owned(), mixed(token)),
        ("form".to_owned(), url::form_urlencoded::byte_serialize(token.as_bytes()).collect()),
        ("hex, lower".to_owned(), hex::encode(token)),
        ("hex, upper".to_owned(), hex::encode_upper(token)),
    ];
    for before in ["", "a", "ab"] {
        let text = format!("{before}{token}");
        for (name, engine) in [
            ("base64", &STANDARD as &dyn Encode),
            ("base64 without padding", &STANDARD_NO_PAD),
            ("base64url", &URL_SAFE),
            ("base64url without padding", &URL_SAFE_NO_PAD),
        ] {
            found.push((format!("{name}, after {} bytes", before.len()), engine.encode_text(&text)));
        }
    }
    found
}

/// An envelope that holds all of them.
pub fn envelope(token: &str) -> Value {
    let data: serde_json::Map<_, _> =
        encodings(token).into_iter().map(|(name, text)| (name, text.into())).collect();
    json!({"code": 0, "msg": format!("Token {token}"), "data": data})
}

/// Every other byte encoded, in either case.
fn mixed(token: &str) -> String {
    let mut text = String::new();
    for (place, byte) in token.bytes().enumerate() {
        match place % 3 {
            0 if byte.is_ascii_alphanumeric() => text.push(char::from(byte)),
            1 => write!(text, "%{byte:02x}").unwrap(),
            _ => write!(text, "%{byte:02X}").unwrap(),
        }
    }
    text
}

trait Encode {
    fn encode_text(&self, text: &str) -> String;
}

impl<E: Engine> Encode for E {
    fn encode_text(&self, text: &str) -> String {
        self.encode(text)
    }
}
