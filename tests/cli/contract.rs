//! `notegate siyuan contract …`, on a home of its own and without a kernel.

use serde_json::{Value, json};

use crate::home::Home;

/// A kernel's own description, as small as one can be.
fn schema(home: &Home, endpoints: Value) -> String {
    let file = home.tmp().join("schema.json");
    std::fs::write(&file, json!({"$defs": {}, "endpoints": endpoints}).to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

fn endpoint(path: &str) -> Value {
    json!({
        "method": "POST", "path": path, "handler": "x", "authorization": ["authenticated"], "body": "none",
        "request": null, "response": null
    })
}

#[test]
fn the_contract_is_searched_page_by_page() {
    let home = Home::new();
    let page = home.json(&[
        "siyuan",
        "contract",
        "search",
        "--path",
        "/api/block/",
        "--role",
        "writes",
        "--limit",
        "2",
    ]);
    assert_eq!(page["endpoints"].as_array().unwrap().len(), 2);
    assert_eq!(page["nextOffset"], 2);
    let next = home.json(&[
        "siyuan",
        "contract",
        "search",
        "--path",
        "/api/block/",
        "--role",
        "writes",
        "--limit",
        "2",
        "--offset",
        "2",
    ]);
    assert_ne!(page["endpoints"], next["endpoints"]);

    let found =
        home.json(&["siyuan", "contract", "search", "rename", "title", "--method", "POST", "--schema"]);
    assert_eq!(found["total"], 2);
    assert_eq!(found["endpoints"][0]["key"], "http POST /api/filetree/renameDoc");
    assert!(found["endpoints"][0]["schema"]["request"].is_object(), "{found}");

    let text = home.run(&["siyuan", "contract", "search", "forwardProxy"]).stdout;
    assert!(
        text.contains("/api/network/forwardProxy") && text.contains("closed: it makes the kernel send"),
        "{text}"
    );
    assert!(!home.path().exists(), "looking changes nothing");
}

#[test]
fn an_endpoint_is_shown_and_an_unknown_one_is_said_to_be() {
    let home = Home::new();
    let shown = home.json(&["siyuan", "contract", "show", "/api/query/sql"]);
    assert_eq!(shown["endpoints"][0]["roles"], json!(["authenticated", "admin", "writable"]));
    assert_eq!(shown["endpoints"][0]["fields"], json!({"mode?": "string|null", "stmt": "string"}));
    let missing = home.run(&["siyuan", "contract", "show", "/api/nothing", "--json"]);
    assert_eq!(missing.code, 1);
    assert_eq!(missing.json()["error"]["code"], "unknown_endpoint");
}

#[test]
fn export_prints_the_asset() {
    let exported = Home::new().run(&["siyuan", "contract", "export"]);
    let asset = std::fs::read("assets/siyuan/contract.json.gz").unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&asset[..]), &mut text).unwrap();
    assert_eq!(exported.code, 0);
    assert!(exported.stdout == text, "the asset is not what export prints");
}

#[test]
fn a_contract_is_replaced_only_with_yes_and_shows_what_changes() {
    let home = Home::new();
    let file = schema(&home, json!([endpoint("/api/system/version"), endpoint("/api/new/make")]));
    let import = ["siyuan", "contract", "import", &file, "9.9.9"];
    let looked = home.json(&import);
    assert_eq!(looked["imported"], false);
    assert_eq!(looked["changes"]["added"], json!([{"method": "POST", "path": "/api/new/make"}]));
    assert_eq!(looked["changes"]["removed"].as_array().unwrap().len(), 717);
    assert_eq!(
        looked["changes"]["roles"],
        json!([{"method": "POST", "path": "/api/system/version", "before": ["public"], "after": ["authenticated"]}])
    );
    assert!(!home.path().exists());

    let replaced = home.run(&[&import[..], &["--yes"]].concat());
    assert_eq!(replaced.code, 0, "{}", replaced.stderr);
    assert!(replaced.stdout.contains("Other roles (1):\n  POST /api/system/version: public → authenticated"));
    assert!(
        replaced.stdout.contains("… and 687 more")
            && replaced.stdout.contains("The contract is now that of 9.9.9")
    );
    let page = home.json(&["siyuan", "contract", "search"]);
    assert_eq!((&page["version"], &page["total"]), (&json!("9.9.9"), &json!(2)));

    let same = home.run(&import);
    assert!(
        same.stdout.contains("No endpoint changes.") && same.stdout.contains("Nothing was replaced."),
        "{}",
        same.stdout
    );
}

#[test]
fn a_broken_file_changes_nothing() {
    let home = Home::new();
    let good = schema(&home, json!([endpoint("/api/new/make")]));
    home.json(&["siyuan", "contract", "import", &good, "9.9.9", "--yes"]);
    let kept = std::fs::read(home.path().join("siyuan-contract.json")).unwrap();
    for (endpoints, expected) in [
        (json!([]), "no endpoints"),
        (json!([endpoint("/api//x")]), "it holds //"),
        (json!([{"method": "POST"}]), "missing field"),
    ] {
        let broken = schema(&home, endpoints);
        let ended = home.run(&["siyuan", "contract", "import", &broken, "9.9.10", "--yes", "--json"]);
        assert_eq!(ended.code, 1);
        let error = ended.json()["error"].clone();
        assert_eq!(error["code"], "contract_invalid");
        assert!(error["message"].as_str().unwrap().contains(expected), "{error}");
    }
    assert_eq!(std::fs::read(home.path().join("siyuan-contract.json")).unwrap(), kept);
}
