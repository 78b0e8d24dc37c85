//! Keys: printing, parsing, and what cannot be one.

use proptest::prelude::*;

use super::*;

fn route(path: &str) -> Route {
    Route::parse(path).unwrap()
}

#[test]
fn a_key_is_printed_as_the_table_shows_and_parsed_to_the_same() {
    let check = |key: EndpointKey, text: &str| {
        assert_eq!(key.to_string(), text);
        assert_eq!(text.parse::<EndpointKey>().unwrap(), key, "{text}");
        let json = serde_json::to_string(&key).unwrap();
        assert_eq!(json, format!("{text:?}"));
        assert_eq!(serde_json::from_str::<EndpointKey>(&json).unwrap(), key);
    };
    let update = || route("/api/block/updateBlock");
    check(EndpointKey::http(Method::Post, update()), "http POST /api/block/updateBlock");
    check(EndpointKey::http(Method::Get, route("/api/plugin/rpc/:name")), "http GET /api/plugin/rpc/:name");
    check(EndpointKey::http(Method::Get, route("/plugin/x/*path")), "http GET /plugin/x/*path");
    check(EndpointKey::mcp("tools/list").unwrap(), "mcp tools/list");
    check(EndpointKey::mcp(TOOLS_CALL).unwrap(), "mcp tools/call");
    check(EndpointKey::mcp_tool("search").unwrap(), "mcp tools/call search");
    check(EndpointKey::plugin("my-plugin", "example.echo").unwrap(), "plugin my-plugin example.echo");
    check(EndpointKey::plugin("my-plugin", "示例.回声").unwrap(), "plugin my-plugin 示例.回声");
    check(EndpointKey::plugin_batch("my-plugin").unwrap(), "plugin my-plugin $batch");
    check(EndpointKey::ws_connect(route("/ws")), "ws connect /ws");
    check(EndpointKey::ws_send(route("/ws"), "ping").unwrap(), "ws send /ws ping");
    check(EndpointKey::ConnectionStatus, "connection status");
}

#[test]
fn what_is_no_key_is_refused() {
    for text in [
        "",
        "http",
        "http POST",
        "http post /api/x",
        "http POST /api/x ",
        " http POST /api/x",
        "http  POST /api/x",
        "http POST /api/x?y=1",
        "http POST api/x",
        "http POST /api/x/",
        "http POST /a/*b/c",
        "http POST /a/:",
        "HTTP POST /api/x",
        "mcp",
        "mcp tools/call a b",
        "mcp tools/cäll",
        "plugin a",
        "plugin ../a b",
        "plugin . b",
        "plugin a/b c",
        "plugin a b c",
        "ws /ws",
        "ws send /ws",
        "ws send /ws?a=b ping",
        "connection",
        "connection status now",
        "contract",
    ] {
        assert!(text.parse::<EndpointKey>().is_err(), "{text:?}");
    }
}

#[test]
fn names_hide_nothing() {
    for name in ["", "a b", "a\tb", "a\u{200b}b", "a\u{202e}b", "a\u{a0}b", "a\0", &"a".repeat(201)] {
        assert!(EndpointKey::plugin("p", name).is_err(), "{name:?}");
        assert!(EndpointKey::ws_send(route("/ws"), name).is_err(), "{name:?}");
        assert!(EndpointKey::mcp(name).is_err(), "{name:?}");
        assert!(EndpointKey::mcp_tool(name).is_err(), "{name:?}");
        assert!(EndpointKey::plugin_batch(name).is_err(), "{name:?}");
    }
    assert!(EndpointKey::plugin("p", BATCH).is_err(), "a method cannot pass for a batch");
}

/// The kernel looks a tool up in any case, with its prefix or without.
#[test]
fn every_spelling_of_a_tool_is_one_key() {
    let search = EndpointKey::mcp_tool("search").unwrap();
    for name in ["Search", "SEARCH", "siyuan_search", "SiYuan_Search", "SIYUAN_SEARCH"] {
        assert_eq!(EndpointKey::mcp_tool(name).unwrap(), search, "{name}");
    }
    for name in ["siyuan_siyuan_search", "siyuan_", "SIYUAN_siyuan_x", "ſearch", "ｓearch", "search\u{212a}"]
    {
        assert!(EndpointKey::mcp_tool(name).is_err(), "{name}");
    }
}

#[test]
fn files_on_disk_are_found_in_any_case_and_have_one_key() {
    let key = |path: &str| EndpointKey::http(Method::Get, Route::from(&ApiPath::parse(path).unwrap()));
    assert_eq!(key("/snippets/Conf.css"), key("/snippets/conf.CSS"));
    assert_ne!(key("/api/Block/x"), key("/api/block/x"));
    assert_eq!(key("/assets/A.png").to_string(), "http GET /assets/a.png");
}

fn key() -> impl Strategy<Value = EndpointKey> {
    let part = "[a-zA-Z0-9_~-]{1,8}(\\.[a-z]{1,3})?";
    let path = prop::collection::vec(part, 1..5).prop_map(|parts| route(&format!("/{}", parts.join("/"))));
    let method = prop::sample::select(&Method::ALL[..]);
    let name = "[\\PC&&[^\\s\\pM\\pS\\p{Cf}]]{1,12}";
    prop_oneof![
        (method, path.clone()).prop_map(|(method, route)| EndpointKey::http(method, route)),
        "[a-z]{1,6}(/[a-z]{1,6})?".prop_map(|method| EndpointKey::mcp(&method).unwrap()),
        "[a-zA-Z0-9_./-]{1,20}".prop_filter_map("two prefixes", |tool| EndpointKey::mcp_tool(&tool).ok()),
        ("[a-z0-9_-]{1,12}", name)
            .prop_filter_map("no name", |(plugin, method)| EndpointKey::plugin(&plugin, &method).ok()),
        "[a-z0-9_-]{1,12}".prop_map(|plugin| EndpointKey::plugin_batch(&plugin).unwrap()),
        path.clone().prop_map(EndpointKey::ws_connect),
        (path, "[a-zA-Z$.:]{1,12}").prop_map(|(route, cmd)| EndpointKey::ws_send(route, &cmd).unwrap()),
        Just(EndpointKey::ConnectionStatus),
    ]
}

proptest! {
    #[test]
    fn printing_and_parsing_are_inverse(key in key()) {
        prop_assert_eq!(key.to_string().parse::<EndpointKey>().unwrap(), key);
    }

    #[test]
    fn two_keys_never_print_alike(one in key(), other in key()) {
        prop_assert_eq!(one == other, one.to_string() == other.to_string());
    }

    #[test]
    fn any_text_is_parsed_without_a_panic_and_prints_as_it_was_or_folded(text in "\\PC{0,60}") {
        if let Ok(key) = text.parse::<EndpointKey>() {
            prop_assert_eq!(key.to_string().parse::<EndpointKey>().unwrap(), key);
        }
    }
}
