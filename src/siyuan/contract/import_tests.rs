//! A kernel's `schema.json`, in its own shape, whole and broken.

use serde_json::json;

use super::*;
use crate::siyuan::contract::Changes;

/// What a kernel writes of an answer.
fn envelope(data: Value) -> Value {
    let failure = json!({
        "type": "object",
        "properties": {"code": {"type": "integer", "enum": [-1]}, "data": {"type": "null"}, "msg": {"type": "string"}},
        "required": ["code", "msg", "data"],
        "additionalProperties": true
    });
    let success = json!({
        "type": "object",
        "properties": {"code": {"type": "integer", "enum": [0]}, "data": data, "msg": {"type": "string"}},
        "required": ["code", "msg", "data"],
        "additionalProperties": false
    });
    json!({"anyOf": [success, failure]})
}

fn sample() -> Value {
    let nullable = |kind: &str| json!({"anyOf": [{"type": kind}, {"type": "null"}]});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "JSONValue": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/JSONValue"}}]},
            "EmptyRequestInput": {"type": "object", "additionalProperties": false},
            "UpdateBlockRequestInput": {
                "type": "object",
                "properties": {
                    "data": {"type": "string"},
                    "dataType": {"type": "string"},
                    "id": {"type": "string"},
                    "lockType": nullable("boolean"),
                },
                "required": ["data", "dataType", "id"],
                "additionalProperties": false
            },
            "NewInput": {
                "type": "object",
                "properties": {"count": {"type": "integer"}, "any": {"$ref": "#/$defs/JSONValue"}},
                "required": ["count"],
                "additionalProperties": false
            },
            "Unused": {"type": "string"}
        },
        "endpoints": [
            {
                "method": "POST", "path": "/api/block/updateBlock", "handler": "updateBlock", "body": "json",
                "request": {"$ref": "#/$defs/UpdateBlockRequestInput"}, "response": envelope(json!({"type": "null"}))
            },
            {
                "method": "GET", "path": "/api/system/version", "handler": "version", "body": "none",
                "request": {"$ref": "#/$defs/EmptyRequestInput"}, "response": envelope(json!({"type": "string"}))
            },
            {
                "method": "POST", "path": "/api/new/make", "handler": "make", "body": "json",
                "request": {"$ref": "#/$defs/NewInput"}, "response": envelope(nullable("string")),
                "additionalErrorStatuses": [409], "emptyResponseStatuses": [200, 500], "future": {"x": 1}
            },
            {
                "method": "GET", "path": "/plugin/private/:name/*path", "handler": "serve", "body": "raw",
                "request": {"type": "string", "format": "binary"},
                "response": {"anyOf": [
                    {"anyOf": [{"type": "string", "format": "binary"}, {"$ref": "#/$defs/JSONValue"}]},
                    envelope(json!({}))["anyOf"][1].clone()
                ]},
                "output": "pluginService"
            }
        ]
    })
}

fn import(schema: &Value) -> Result<Catalogue, ContractError> {
    import_text(&serde_json::to_string_pretty(schema).unwrap())
}

fn import_text(text: &str) -> Result<Catalogue, ContractError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("schema.json");
    std::fs::write(&file, text).unwrap();
    read_schema(&file, "3.8.6", &Catalogue::embedded())
}

#[test]
fn a_kernels_own_description_becomes_a_catalogue() {
    let catalogue = import(&sample()).unwrap();
    assert_eq!((catalogue.version(), catalogue.endpoints().len()), ("3.8.6", 4));
    let made = &catalogue.at("/api/new/make")[0];
    assert_eq!(
        serde_json::to_value(catalogue.fields(made.request.as_ref().unwrap())).unwrap(),
        json!({
            "any?": "any", "count": "integer"
        })
    );
    assert_eq!(made.data, Some(json!({"type": ["string", "null"]})));
    assert_eq!(made.statuses, [409, 500]);
    let version = &catalogue.at("/api/system/version")[0];
    assert_eq!((&version.request, &version.data), (&None, &Some(json!({"type": "string"}))));
    let plugin = &catalogue.at("/plugin/private/:name/*path")[0];
    assert_eq!(plugin.channel.as_deref(), Some("plugin-service"));
    assert_eq!(plugin.data, Some(json!({"anyOf": [{"type": "string", "format": "binary"}, {}]})));
    assert!(!catalogue.to_text().contains("Unused") && !catalogue.to_text().contains("JSONValue"));
    assert_eq!(Catalogue::parse(&catalogue.to_text()).unwrap(), catalogue, "it can be kept");
}

#[test]
fn roles_that_the_file_does_not_name_are_those_known_and_what_is_new_writes() {
    let catalogue = import(&sample()).unwrap();
    let roles = |path: &str| catalogue.at(path)[0].roles;
    assert_eq!(roles("/api/system/version").words(), ["public"]);
    assert_eq!(roles("/api/block/updateBlock").words(), ["authenticated", "admin", "writable"]);
    assert_eq!(roles("/api/new/make"), Roles::UNKNOWN);
    let mut schema = sample();
    schema["endpoints"][2]["authorization"] = json!(["authenticated"]);
    let catalogue = import(&schema).unwrap();
    assert_eq!(catalogue.at("/api/new/make")[0].roles.words(), ["authenticated"]);
}

#[test]
fn unknown_fields_stay_warnings_whatever_the_file_closes() {
    let catalogue = import(&sample()).unwrap();
    let endpoint = &catalogue.at("/api/new/make")[0];
    let report = catalogue.validate(endpoint, Some(&json!({"count": 1, "more": true})));
    assert!(report.is_valid() && report.warnings.len() == 1, "{report:?}");
    assert!(!catalogue.validate(endpoint, Some(&json!({"count": 1.5}))).is_valid());
}

#[test]
fn what_changes_is_said() {
    let before = import(&sample()).unwrap();
    let mut schema = sample();
    schema["endpoints"][0]["authorization"] = json!(["authenticated", "admin"]);
    schema["endpoints"][2]["body"] = json!("multipart");
    schema["$defs"]["NewInput"]["properties"]["count"] = json!({"type": "string"});
    schema["$defs"]["NewInput"]["properties"]["note"] = json!({"type": "string"});
    schema["$defs"]["NewInput"]["properties"].as_object_mut().unwrap().remove("any");
    schema["endpoints"][1]["response"] = envelope(json!({"type": "object"}));
    schema["endpoints"][3]["path"] = json!("/plugin/public/:name/*path");
    let changes = serde_json::to_value(Changes::between(&before, &import(&schema).unwrap())).unwrap();
    assert_eq!(
        changes,
        json!({
            "from": "3.8.6", "to": "3.8.6",
            "added": [{"method": "GET", "path": "/plugin/public/:name/*path"}],
            "removed": [{"method": "GET", "path": "/plugin/private/:name/*path"}],
            "roles": [{
                "method": "POST", "path": "/api/block/updateBlock",
                "before": ["authenticated", "admin", "writable"], "after": ["authenticated", "admin"]
            }],
            "changed": [
                {
                    "method": "POST", "path": "/api/new/make",
                    "what": [
                        "body: json → multipart", "- any (any, optional)", "count: number → string",
                        "+ note (string, optional)"
                    ]
                },
                {"method": "GET", "path": "/api/system/version", "what": ["the answer"]},
            ],
        })
    );
}

#[test]
fn the_same_contract_in_another_order_changes_nothing() {
    let before = import(&sample()).unwrap();
    let mut schema = sample();
    schema["endpoints"].as_array_mut().unwrap().reverse();
    schema["$defs"]["UpdateBlockRequestInput"]["required"] = json!(["id", "dataType", "data"]);
    assert!(Changes::between(&before, &import(&schema).unwrap()).is_empty());
}

/// An endpoint that the built-in contract describes reads the same in a kernel's own words.
#[test]
fn known_fields_read_the_same_in_a_kernels_words() {
    let changes = Changes::between(&Catalogue::embedded(), &import(&sample()).unwrap());
    assert_eq!(changes.removed.len(), 718 - 3);
    assert_eq!(changes.changed.len(), 1, "{:?}", changes.changed);
    assert_eq!(changes.changed[0].endpoint.path.as_str(), "/api/block/updateBlock");
    assert_eq!(changes.changed[0].what, ["the answer"], "which the sample leaves out");
    assert!(changes.roles.is_empty());
}

#[test]
fn a_broken_file_is_refused_with_what_is_wrong() {
    let with = |change: fn(&mut Value)| {
        let mut schema = sample();
        change(&mut schema);
        serde_json::to_string(&schema).unwrap()
    };
    let cases = [
        (String::new(), "not valid JSON"),
        ("{\"$defs\": {}".into(), "not valid JSON at line 1"),
        ("[]".into(), "no contract"),
        ("{\"$defs\": {}}".into(), "missing field `endpoints`"),
        (with(|schema| schema["endpoints"] = json!([])), "no endpoints"),
        (with(|schema| schema["endpoints"][0]["path"] = json!("api/x")), "does not begin with /"),
        (with(|schema| schema["endpoints"][0]["path"] = json!("/api/../x")), "is . or .."),
        (with(|schema| schema["endpoints"][0]["method"] = json!("BREW")), "no HTTP method"),
        (with(|schema| schema["endpoints"][0]["method"] = json!(7)), "no contract"),
        (with(|schema| schema["endpoints"][0]["authorization"] = json!(["root"])), "\"root\" is no role"),
        (
            with(|schema| schema["endpoints"][0]["request"] = json!({"$ref": "#/$defs/X"})),
            "refers to nothing",
        ),
        (with(|schema| schema["endpoints"][0]["request"] = json!("x")), "a schema is an object"),
        (with(|schema| schema["$defs"]["NewInput"]["properties"] = json!(1)), "the definition NewInput"),
        (with(|schema| schema["endpoints"][1] = schema["endpoints"][0].clone()), "twice"),
    ];
    for (text, expected) in cases {
        let error = import_text(&text).expect_err(expected).to_string();
        assert!(error.contains(expected), "said {error}\nnot  {expected}");
    }
    let error = import_text("\u{fffd}").unwrap_err();
    assert_eq!(error.code(), "contract_invalid");
}

#[test]
fn file_and_version_must_be_such() {
    let read = |file: &Path, version: &str| read_schema(file, version, &Catalogue::embedded()).unwrap_err();
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(read(&folder.path().join("nowhere"), "3.8.6"), ContractError::Read { .. }));
    let binary = folder.path().join("binary");
    std::fs::write(&binary, [0xff, 0xfe]).unwrap();
    assert!(read(&binary, "3.8.6").to_string().contains("UTF-8"));
    for version in ["", " ", "3.8\n6", "3.8/6", "版本", &"3".repeat(50)] {
        assert!(matches!(read(&binary, version), ContractError::Version(_)), "{version:?}");
    }
    let large = folder.path().join("large");
    std::fs::File::create(&large).unwrap().set_len(MAX_IMPORT_BYTES + 1).unwrap();
    assert!(matches!(read(&large, "3.8.6"), ContractError::TooLarge { .. }));
}
