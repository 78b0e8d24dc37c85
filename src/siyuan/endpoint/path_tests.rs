//! Each trick with a path, and a model of how routers, proxies and file systems read one.

use percent_encoding::percent_decode_str;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::*;

#[track_caller]
fn refused(path: &str, expected: PathProblem) {
    assert_eq!(ApiPath::parse(path).expect_err(path).problem, expected, "{path:?}");
}

#[test]
fn a_path_of_the_contract_is_taken_as_it_stands() {
    for path in [
        "/",
        "/ws",
        "/api/block/updateBlock",
        "/.well-known/oauth-protected-resource/mcp",
        "/assets/image-20260101120000-abc1234.png",
        "/stage/build/app/a~b_c.js",
    ] {
        assert_eq!(ApiPath::parse(path).unwrap().as_str(), path);
    }
}

#[test]
fn percent_encoding_is_refused() {
    for path in ["/api/%62lock/updateBlock", "/api%2Fblock", "/%2e%2e/conf", "/api/block%00", "/a%", "/%25"] {
        refused(path, PathProblem::Encoded);
    }
}

#[test]
fn doubled_and_trailing_slashes_are_refused() {
    for path in ["//api/block", "/api//block", "/api/block//", "//", "///"] {
        refused(path, PathProblem::DoubleSlash);
    }
    refused("/api/block/", PathProblem::TrailingSlash);
}

#[test]
fn dots_are_refused() {
    for path in ["/.", "/..", "/api/./block", "/api/../mcp", "/api/block/.."] {
        refused(path, PathProblem::Dots);
    }
    for path in ["/api/block.", "/api./block", "/api/...", "/mcp.", "/a/b..c.."] {
        refused(path, PathProblem::TrailingDot);
    }
}

#[test]
fn backslashes_are_refused() {
    for path in ["/api\\block", "\\api\\block", "/api/..\\mcp", "/\\mcp"] {
        refused(path, PathProblem::Backslash);
    }
}

#[test]
fn query_and_fragment_are_refused() {
    for path in ["/api/block?x=1", "/api/block#x", "/api/block?", "/mcp#", "/?/api"] {
        refused(path, PathProblem::Query);
    }
}

#[test]
fn what_looks_like_ascii_is_refused() {
    for path in [
        "/ａpi/block",   // full-width a
        "/api／block",   // full-width slash
        "/api∕block",    // division slash
        "/api/．．/mcp", // full-width stops
        "/api/․․/mcp",   // one-dot leaders
        "/аpi/block",    // Cyrillic a
        "/mcp\u{200b}",
        "/mcp\u{ad}",
        "/m\u{301}cp",
        "/文档",
        "/api/bloc\u{212a}", // the Kelvin sign, a k to whoever folds
    ] {
        let problem = ApiPath::parse(path).expect_err(path).problem;
        assert!(matches!(problem, PathProblem::NotAscii(_)), "{path:?}: {problem}");
    }
}

#[test]
fn control_characters_are_refused() {
    for path in ["/api\0", "/api\n/block", "/api\r\nHost: x", "/\t", "/api/block\u{7f}", "/a\u{85}b"] {
        refused(path, PathProblem::Control);
    }
}

#[test]
fn what_else_no_path_of_an_endpoint_holds_is_refused() {
    for (path, wrong) in [
        ("/api/block;v=1", ';'),
        ("/api/a b", ' '),
        ("/api/block/:id", ':'),
        ("/api/block/*path", '*'),
        ("/~user@host", '@'),
        ("/a+b", '+'),
        ("/{id}", '{'),
        ("/a:b", ':'),
    ] {
        refused(path, PathProblem::Character(wrong));
    }
    refused("", PathProblem::NotAbsolute);
    refused("api/block", PathProblem::NotAbsolute);
    refused("http:", PathProblem::NotAbsolute);
    refused("http://127.0.0.1:6806/api/block", PathProblem::NotAbsolute);
    refused(&format!("/{}", "a".repeat(MAX_PATH_BYTES)), PathProblem::TooLong);
}

#[test]
fn an_error_repeats_a_long_path_in_part() {
    let error = ApiPath::parse(&format!("/{}?", "a".repeat(900))).unwrap_err().to_string();
    assert!(error.chars().count() < 300 && error.contains("? or #"), "{error}");
}

#[test]
fn a_pattern_covers_what_the_router_would_send_there() {
    let check = |pattern: &str, path: &str, expected: bool| {
        let (route, path) = (Route::parse(pattern).unwrap(), ApiPath::parse(path).unwrap());
        assert_eq!(route.covers(&path), expected, "{pattern} {path}");
    };
    check("/api/plugin/rpc/:name", "/api/plugin/rpc/x", true);
    check("/api/plugin/rpc/:name", "/api/plugin/rpc", false);
    check("/api/plugin/rpc/:name", "/api/plugin/rpc/x/y", false);
    check("/plugin/private/:name/*path", "/plugin/private/x/a", true);
    check("/plugin/private/:name/*path", "/plugin/private/x/a/b", true);
    check("/plugin/private/:name/*path", "/plugin/private/x", false);
    check("/api/a", "/api/a", true);
    check("/api/a", "/api/b", false);
}

/// What a path could be taken for: by Go's URL parser, a router that cleans, a proxy, or a file system.
fn readings(path: &str) -> Vec<String> {
    let decoded = percent_decode_str(path).decode_utf8_lossy().into_owned();
    let cut = |marks: &[char]| path.split(marks).next().unwrap_or_default().to_owned();
    let clean = |text: &str| {
        let mut parts = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        format!("/{}", parts.join("/"))
    };
    let by_part = |change: fn(&str) -> &str| path.split('/').map(change).collect::<Vec<_>>().join("/");
    let mut found = vec![
        decoded.clone(),
        percent_decode_str(&decoded).decode_utf8_lossy().into_owned(),
        cut(&['?', '#']),
        cut(&[';']),
        cut(&['\0', '\n', '\r']),
        path.trim().to_owned(),
        path.replace('\\', "/"),
        clean(path),
        clean(&decoded),
        clean(&path.replace('\\', "/")),
        by_part(|part| part.trim_end_matches(['.', ' '])),
        by_part(|part| part.split(':').next().unwrap_or_default()),
        path.nfkc().collect(),
        path.chars().filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{ad}')).collect(),
    ];
    if path != "/" {
        found.push(path.trim_end_matches('/').to_owned());
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_accepted_path_can_be_read_as_another(path in path_like()) {
        if let Ok(accepted) = ApiPath::parse(&path) {
            prop_assert_eq!(accepted.as_str(), &path);
            for reading in readings(&path) {
                prop_assert_eq!(&reading, &path);
            }
        }
    }

    #[test]
    fn a_route_is_a_fixed_point(path in path_like()) {
        if let Ok(route) = Route::parse(&path) {
            prop_assert_eq!(Route::parse(route.as_str()).unwrap(), route);
        }
    }
}

/// Texts that lie close to paths, tricks included.
fn path_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(vec!["api", "block", "mcp", "ws", "conf", "updateBlock", "x", "1"]).prop_map(str::to_owned),
        4 => Just("/".to_owned()),
        2 => prop::sample::select(vec![
            ".", "..", "%2e", "%2F", "%", "//", "\\", "?", "#", ";", ":", "*", "／", "．", "\0", "\n", " ", "\u{200b}",
            "~", "-", "_", "é", "\u{212a}",
        ])
        .prop_map(str::to_owned),
        1 => "\\PC{0,3}",
    ];
    prop::collection::vec(piece, 0..10).prop_map(|pieces| format!("/{}", pieces.concat()))
}
