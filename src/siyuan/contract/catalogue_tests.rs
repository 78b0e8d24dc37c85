//! The embedded catalogue, reading and writing one, and what a call's path comes to.

use super::*;

fn resolve(method: Method, path: &str) -> Result<Resolved<'static>, PathProblem> {
    static CATALOGUE: LazyLock<Arc<Catalogue>> = LazyLock::new(Catalogue::embedded);
    let resolved = CATALOGUE.resolve(method, &ApiPath::parse(path).unwrap());
    resolved.map_err(|error| error.problem)
}

#[test]
fn the_embedded_contract_is_whole() {
    let catalogue = Catalogue::embedded();
    assert_eq!(catalogue.endpoints().len(), 718);
    let writable = catalogue.endpoints().iter().filter(|endpoint| endpoint.roles.writable).count();
    let public = catalogue.endpoints().iter().filter(|endpoint| !endpoint.roles.authenticated).count();
    assert_eq!((writable, public), (388, 23));
    assert!(catalogue.version().starts_with("3.8"));
}

#[test]
fn the_asset_is_what_export_prints() {
    let is_same = embedded_text() == Catalogue::embedded().to_text();
    assert!(
        is_same,
        "make it anew: notegate siyuan contract export | gzip -9n > assets/siyuan/contract.json.gz"
    );
}

#[test]
fn a_catalogue_survives_being_written() {
    let catalogue = Catalogue::embedded();
    assert_eq!(Catalogue::parse(&catalogue.to_text()).unwrap(), *catalogue);
}

#[test]
fn a_call_means_the_endpoint_of_its_method_and_path() {
    let known = resolve(Method::Post, "/api/block/updateBlock").unwrap();
    assert_eq!(known.key.to_string(), "http POST /api/block/updateBlock");
    assert!(known.endpoint.is_some_and(|endpoint| endpoint.roles.writable));
    let version =
        |method| resolve(method, "/api/system/version").unwrap().endpoint.map(|endpoint| endpoint.method);
    assert_eq!((version(Method::Get), version(Method::Post)), (Some(Method::Get), Some(Method::Post)));
}

#[test]
fn an_unknown_call_is_named_by_its_path() {
    for (method, path) in
        [(Method::Post, "/api/x/y"), (Method::Get, "/api/block/updateBlock"), (Method::Get, "/assets/a.png")]
    {
        let unknown = resolve(method, path).unwrap();
        assert_eq!(unknown.key.to_string(), format!("http {method} {path}"));
        assert_eq!(unknown.endpoint, None);
    }
}

#[test]
fn a_path_under_a_pattern_has_the_patterns_key() {
    let key = |path: &str| resolve(Method::Post, path).unwrap().key.to_string();
    assert_eq!(key("/api/plugin/rpc/my-plugin"), "http POST /api/plugin/rpc/:name");
    assert_eq!(key("/plugin/private/x/a/b"), "http POST /plugin/private/:name/*path");
    assert_eq!(key("/api/plugin/rpc"), "http POST /api/plugin/rpc");
}

#[test]
fn another_letter_case_of_a_known_path_is_refused() {
    for path in ["/API/block/updateBlock", "/api/block/UpdateBlock", "/api/block/updateblock"] {
        assert_eq!(resolve(Method::Post, path), Err(PathProblem::Case("/api/block/updateBlock".into())));
    }
}

#[test]
fn roles_are_the_kernels_words() {
    for words in [
        &["public"][..],
        &["authenticated"],
        &["authenticated", "admin"],
        &["authenticated", "writable"],
        &["authenticated", "admin", "writable"],
    ] {
        assert_eq!(Roles::from_words(words.iter().copied()).unwrap().words(), words);
    }
    for words in [&[][..], &["public", "admin"], &["editor"], &["Public"]] {
        assert!(Roles::from_words(words.iter().copied()).is_err(), "{words:?}");
    }
}

#[test]
fn what_does_not_hang_together_is_refused() {
    let endpoint = |path: &str, request: Value| Endpoint {
        method: Method::Post,
        path: Route::parse(path).unwrap(),
        body: "json".into(),
        roles: Roles::UNKNOWN,
        channel: None,
        envelope: Vec::new(),
        statuses: Vec::new(),
        request: Some(request),
        data: None,
        note: None,
    };
    let check = |endpoints: Vec<Endpoint>, expected: &str| {
        let error = Catalogue::new("1".into(), endpoints, Map::new()).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    let plain = || serde_json::json!({"type": "object"});
    check(vec![], "no endpoints");
    check(vec![endpoint("/a", plain()), endpoint("/a", plain())], "twice");
    check(vec![endpoint("/a", plain()), endpoint("/A", plain())], "letter case");
    check(vec![endpoint("/a", serde_json::json!({"$ref": "#/$defs/Nowhere"}))], "refers to nothing");
    check(vec![endpoint("/a", serde_json::json!({"$ref": "https://example.org/x"}))], "refers to nothing");
    for text in ["", "{}", "[]", r#"{"version":"1","endpoints":[],"$defs":{}}"#] {
        assert!(Catalogue::parse(text).is_err(), "{text}");
    }
}
