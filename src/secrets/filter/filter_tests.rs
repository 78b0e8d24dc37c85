//! A secret is hidden in every way that is known, at every place, cut at every border; and never seen.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use proptest::prelude::*;
use serde_json::json;

use super::*;

const TOKEN: &str = "k7Qz+9/wZ2mP4xTb";

fn secrets(texts: &[&str]) -> Vec<Secret> {
    texts.iter().map(|text| Secret::from_text(*text)).collect()
}

fn filter(texts: &[&str]) -> Filter {
    Filter::new(&secrets(texts))
}

fn cleaned(filter: &Filter, body: &[u8], borders: &[usize]) -> Vec<u8> {
    let (mut stream, mut out, mut from) = (filter.stream(), Vec::new(), 0);
    let mut borders: Vec<usize> = borders.iter().map(|border| border % (body.len() + 1)).collect();
    borders.sort_unstable();
    for border in borders.into_iter().chain([body.len()]) {
        stream.push(&body[from..border], &mut out);
        from = border;
    }
    stream.finish(&mut out);
    out
}

/// One way of writing a text. Some of them leave characters to be written as one likes.
#[derive(Debug, Clone)]
enum Written {
    Plain,
    /// Each character by the next of these choices.
    Percent(Vec<u8>),
    Json(Vec<u8>),
    /// As programs write it.
    JsonString,
    Base64 {
        engine: usize,
        before: usize,
    },
    Hex {
        capital: bool,
    },
}

impl Written {
    fn write(&self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Percent(choices) => {
                let byte = |(byte, choice): (u8, &u8)| match (choice % 4, byte.is_ascii_alphanumeric()) {
                    (0, true) => char::from(byte).to_string(),
                    (1, _) => format!("%{byte:02x}"),
                    (2, _) => format!("%25{byte:02X}"),
                    _ => format!("%{byte:02X}"),
                };
                text.bytes().zip(choices.iter().cycle()).map(byte).collect()
            }
            Self::Json(choices) => {
                let character = |(character, choice): (char, &u8)| match (choice % 3, character) {
                    (0, '/') => "\\/".to_owned(),
                    (1, _) => {
                        let mut units = [0; 2];
                        let units = character.encode_utf16(&mut units).iter();
                        units.map(|unit| format!("\\u{unit:04x}")).collect()
                    }
                    (_, '"' | '\\') => format!("\\{character}"),
                    (_, '\n') => "\\n".to_owned(),
                    _ => character.to_string(),
                };
                text.chars().zip(choices.iter().cycle()).map(character).collect()
            }
            Self::JsonString => {
                let quoted = Value::from(text).to_string();
                quoted[1..quoted.len() - 1].to_owned()
            }
            Self::Base64 { engine, before } => {
                let text = format!("{}{text}", &"\u{1}~Z"[..*before]);
                match engine {
                    0 => STANDARD.encode(text),
                    1 => STANDARD_NO_PAD.encode(text),
                    2 => URL_SAFE.encode(text),
                    _ => URL_SAFE_NO_PAD.encode(text),
                }
            }
            Self::Hex { capital: false } => hex::encode(text),
            Self::Hex { capital: true } => hex::encode_upper(text),
        }
    }
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..40)
}

/// Ways that may be used one after the other, at any place in a text: an encoding, escapes, and then the
/// strings of JSON within JSON, as programs write them.
fn anywhere() -> impl Strategy<Value = Vec<Written>> {
    let encoding = prop_oneof![
        Just(Written::Plain),
        (0..4_usize, 0..3_usize).prop_map(|(engine, before)| Written::Base64 { engine, before }),
        any::<bool>().prop_map(|capital| Written::Hex { capital }),
    ];
    let escapes = prop_oneof![
        Just(Written::Plain),
        choices().prop_map(Written::Percent),
        choices().prop_map(Written::Json),
    ];
    (encoding, escapes, 0..4_usize).prop_map(|(encoding, escapes, depth)| {
        [encoding, escapes].into_iter().chain(std::iter::repeat_n(Written::JsonString, depth)).collect()
    })
}

/// Ways of writing a whole body.
fn as_a_whole() -> impl Strategy<Value = Vec<Written>> {
    let one = prop_oneof![
        (0..4_usize).prop_map(|engine| Written::Base64 { engine, before: 0 }),
        any::<bool>().prop_map(|capital| Written::Hex { capital }),
        prop::collection::vec(prop::sample::select(vec![0, 1, 3]), 1..40).prop_map(Written::Percent),
    ];
    prop::collection::vec(one, 1..4)
}

/// Whether what came out, read back in every way, holds the secret.
fn leaks(out: &[u8], written: &str, secret: &str) -> bool {
    let text = String::from_utf8_lossy(out);
    text.contains(secret) || text.contains(written)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_secret_is_taken_out_however_it_is_written_and_wherever_the_borders_are(
        secret in "[ -~]{8,24}|[A-Za-z0-9]{16}|[a-z\"\\\\/%+ü笔😀]{8,16}",
        ways in anywhere(),
        before in "[ -~\n\\\\%笔]{0,30}",
        after in "[ -~\n\\\\%笔]{0,30}",
        borders in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let written = ways.iter().fold(secret.clone(), |text, way| way.write(&text));
        let body = format!("{before}{written}{after}");
        let filter = filter(&[&secret]);
        let out = cleaned(&filter, body.as_bytes(), &borders);
        prop_assert!(!leaks(&out, &written, &secret), "{body:?} -> {:?}", String::from_utf8_lossy(&out));
        prop_assert!(out.windows(REDACTED.len()).any(|part| part == REDACTED.as_bytes()), "{body:?}");
        prop_assert!(std::str::from_utf8(&out).is_ok(), "what was UTF-8 is UTF-8");
        // Where the borders are makes no difference, unless it is taken for a whole encoding up to there.
        let body = format!("<{body}");
        prop_assert_eq!(cleaned(&filter, body.as_bytes(), &borders), &*filter.bytes(body.as_bytes()));
    }

    #[test]
    fn a_body_that_decodes_to_a_secret_is_stopped(
        ways in as_a_whole(),
        before in "[ -~]{0,600}",
        after in "[ -~]{0,600}",
        borders in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let inner = format!("{before}{TOKEN}{after}");
        let body = ways.iter().fold(inner, |text, way| way.write(&text));
        let out = cleaned(&filter(&[TOKEN]), body.as_bytes(), &borders);
        let out = String::from_utf8(out).unwrap();
        prop_assert!(out.contains(REDACTED), "{body:?}");
        let whole = ways.iter().fold(TOKEN.to_owned(), |text, way| way.write(&text));
        prop_assert!(!out.contains(&whole));
    }

    #[test]
    fn what_holds_no_secret_comes_out_as_it_went_in(
        body in prop::collection::vec(any::<u8>(), 0..300),
        text in "[ -~\n\\\\%笔]{0,300}",
        borders in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let filter = filter(&[TOKEN, "another secret"]);
        prop_assert_eq!(&cleaned(&filter, &body, &borders), &body);
        prop_assert_eq!(cleaned(&filter, text.as_bytes(), &borders), text.as_bytes());
    }

    #[test]
    fn json_stays_json(
        secret in "[ -~]{8,20}",
        fields in prop::collection::vec(("[ -~]{0,12}", "[ -~]{0,12}"), 0..4),
        depth in 0..3_usize,
        borders in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let mut value = json!({"secret here": format!("a{secret}b"), secret.as_str(): 1});
        for (name, text) in fields {
            value[name] = text.into();
        }
        for _ in 0..depth {
            value = json!({"nested": value.to_string(), "list": [value.to_string()]});
        }
        let filter = filter(&[&secret]);
        let out = cleaned(&filter, value.to_string().as_bytes(), &borders);
        let read = serde_json::from_slice::<Value>(&out);
        prop_assert!(read.is_ok(), "{}", String::from_utf8_lossy(&out));
        let mut clean = value;
        filter.value(&mut clean);
        for text in [read.unwrap().to_string(), clean.to_string()] {
            let mut text = text;
            for _ in 0..=depth {
                prop_assert!(!text.contains(&secret), "{text}");
                text = text.replace("\\\\", "\\").replace("\\\"", "\"");
            }
        }
    }
}

#[test]
fn nothing_is_held_back_longer_than_it_can_matter() {
    let filter = filter(&[TOKEN]);
    let (mut stream, mut out) = (filter.stream(), Vec::new());
    stream.push(b"event: message\ndata: {\"a\":1}\n\n", &mut out);
    assert_eq!(out, b"event: message\ndata: {\"a\":1}\n\n", "an event goes out when it is whole");
    out.clear();
    stream.push(b"data: k7Qz", &mut out);
    assert_eq!(out, b"data: ");
    stream.push(b"!", &mut out);
    assert_eq!(out, b"data: k7Qz!");
}

#[test]
fn the_memory_of_a_stream_is_bounded() {
    let filter = filter(&[TOKEN, "aaaaaaaaaaaaaaaa"]);
    for part in ["a", "%61", "\\u0061", "\\", "k7Qz", "QUFB", "616161"] {
        let (mut stream, mut out) = (filter.stream(), Vec::new());
        for _ in 0..200 {
            stream.push(part.repeat(200).as_bytes(), &mut out);
            assert!(stream.waiting() < 3 * 16 * 1024, "{part}: {}", stream.waiting());
        }
    }
}

#[test]
fn secrets_that_overlap_or_contain_each_other_are_taken_out_whole() {
    let filter = filter(&["abcdefgh", "abcdefghijkl", "ghijklmnop"]);
    let check = |text: &str, expected: &str| {
        for border in 0..text.len() {
            let out = cleaned(&filter, text.as_bytes(), &[border]);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{text} cut at {border}");
        }
    };
    check("<abcdefghijkl>", "<[redacted]>");
    check("<abcdefghijklmnop>", "<[redacted]>");
    check("<abcdefghabcdefgh>", "<[redacted][redacted]>");
    check("<abcdefg>", "<abcdefg>");
}

#[test]
fn values_are_cleaned_wherever_they_stand() {
    let filter = filter(&[TOKEN, "123456789"]);
    let mut value = json!({
        "text": format!("x{TOKEN}y"), TOKEN: [{"deep": hex::encode(TOKEN)}], "number": 123_456_789,
        "other": 12, "flag": true,
    });
    filter.value(&mut value);
    assert_eq!(
        value,
        json!({
            "text": "x[redacted]y", "[redacted]": [{"deep": "[redacted]"}], "number": "[redacted]", "other": 12,
            "flag": true,
        })
    );
}

#[test]
fn a_secret_too_short_to_be_told_from_words_is_not_looked_for() {
    let filter = filter(&["abcde"]);
    assert!(filter.is_empty());
    assert_eq!(filter.text("abcdefg"), "abcdefg");
}

#[test]
fn what_is_configured_and_the_key_of_a_request_are_known_together() {
    let filters = Filters::default();
    let key = Secret::generate(crate::secrets::Purpose::RuntimeKey).unwrap();
    let text = format!("{} {}", key.reveal(), "kernel-token-1");
    assert_eq!(filters.with_key(&key).text(&text), "[redacted] kernel-token-1");
    filters.set("kernel local", Secret::from_text("kernel-token-1"));
    assert_eq!(filters.with_key(&key).text(&text), "[redacted] [redacted]");
    assert_eq!(filters.now().text(&text), format!("{} [redacted]", key.reveal()));
    assert_eq!(filters.written(&text), "[redacted] [redacted]", "no key of ours is written down");
    filters.set("kernel local", Secret::from_text("kernel-token-2"));
    assert_eq!(filters.now().text("kernel-token-1 kernel-token-2"), "kernel-token-1 [redacted]");
    filters.remove("kernel local");
    assert!(filters.now().is_empty());
}

#[test]
fn a_secret_in_utf_16_is_seen_plain_and_in_base64() {
    let filter = filter(&[TOKEN]);
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let wide = |text: &str| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
        for (before, after) in [("", ""), ("token = ", "."), ("ä", "中文")] {
            let file = [wide(before), wide(TOKEN), wide(after)].concat();
            let clean = cleaned(&filter, &file, &[3, 9]);
            assert!(clean.windows(10).any(|window| window == b"[redacted]"));
            assert!(
                clean.ends_with(wide(after).get(1..).unwrap_or_default())
                    && clean.len() + wide(TOKEN).len() <= file.len() + 11
            );
            let encoded = STANDARD.encode(&file).into_bytes();
            assert_ne!(cleaned(&filter, &encoded, &[5]), encoded);
        }
    }
}
