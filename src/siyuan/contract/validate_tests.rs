//! Bodies held against the embedded contract.

use super::*;
use crate::siyuan::endpoint::{ApiPath, Method};

fn validate(path: &str, body: Value) -> Report {
    let catalogue = Catalogue::embedded();
    let resolved = catalogue.resolve(Method::Post, &ApiPath::parse(path).unwrap()).unwrap();
    catalogue.validate(resolved.endpoint.unwrap(), Some(&body))
}

#[track_caller]
fn check(path: &str, body: Value, errors: &[(&str, &str)], warnings: &[&str]) {
    let report = validate(path, body.clone());
    let found: Vec<(&str, &str)> =
        report.errors.iter().map(|f| (f.at.as_str(), f.problem.as_str())).collect();
    let fits = found.len() == errors.len()
        && found
            .iter()
            .zip(errors)
            .all(|(found, expected)| found.0 == expected.0 && found.1.contains(expected.1));
    assert!(fits, "{path} {body}\n  found {found:?}\n  not   {errors:?}");
    let warned: Vec<&str> = report.warnings.iter().map(|finding| finding.at.as_str()).collect();
    assert_eq!(warned, warnings, "{path} {body}");
    assert_eq!(report.is_valid(), errors.is_empty());
}

#[test]
fn a_whole_body_passes() {
    check("/api/block/getBlockKramdown", json!({"id": "20261011180001-abcdefg"}), &[], &[]);
    check(
        "/api/block/updateBlock",
        json!({"id": "x", "data": "", "dataType": "markdown", "lockType": null}),
        &[],
        &[],
    );
    check("/api/notebook/lsNotebooks", json!({}), &[], &[]);
    check("/api/av/getAttributeView", json!({"id": "x"}), &[], &[]);
}

#[test]
fn a_missing_field_is_an_error() {
    check(
        "/api/block/updateBlock",
        json!({"id": "x", "data": "y"}),
        &[("", "\"dataType\" is a required property")],
        &[],
    );
    let catalogue = Catalogue::embedded();
    let endpoint = &catalogue.at("/api/block/deleteBlock")[0];
    assert!(!catalogue.validate(endpoint, None).is_valid(), "no body is an empty object");
}

#[test]
fn an_ill_typed_field_is_an_error_at_its_place() {
    check("/api/block/deleteBlock", json!({"id": 7}), &[("/id", "it is not of type \"string\"")], &[]);
    check("/api/block/deleteBlock", json!({"id": null}), &[("/id", "string")], &[]);
    check("/api/block/deleteBlock", json!([]), &[("", "it is not of type \"object\"")], &[]);
    check(
        "/api/block/batchUpdateBlock",
        json!({"blocks": [{"id": "a", "data": "b", "dataType": "markdown"}, {"id": "a", "data": 1, "dataType": "x"}]}),
        &[("/blocks/1/data", "string")],
        &[],
    );
}

#[test]
fn an_unknown_field_is_a_warning() {
    check("/api/block/deleteBlock", json!({"id": "x", "ID": "y"}), &[], &["/ID"]);
    check(
        "/api/block/batchUpdateBlock",
        json!({"blocks": [{"id": "a", "data": "b", "dataType": "markdown", "a/b~c": 1}]}),
        &[],
        &["/blocks/0/a~1b~0c"],
    );
    check("/api/notebook/lsNotebooks", json!({"x": 1}), &[], &["/x"]);
}

#[test]
fn a_free_object_knows_every_field() {
    check("/api/attr/setBlockAttrs", json!({"id": "x", "attrs": {"custom-a": "b", "name": null}}), &[], &[]);
    check(
        "/api/attr/setBlockAttrs",
        json!({"id": "x", "attrs": {"custom-a": 1}}),
        &[("/attrs/custom-a", "string")],
        &[],
    );
}

#[test]
fn what_an_endpoint_without_a_body_is_given_is_a_warning() {
    check("/api/bookmark/getBookmark", json!({}), &[], &[]);
    check("/api/bookmark/getBookmark", json!({"x": 1}), &[], &[""]);
}

#[test]
fn a_choice_is_explained_by_the_branch_that_was_meant() {
    let report = validate("/api/search/fullTextSearchBlock", json!({"subTypes": {"heading": {"h1": "yes"}}}));
    assert_eq!(report.errors.len(), 1, "{report:?}");
    assert!(report.errors[0].at.starts_with("/subTypes/heading"), "{report:?}");
    check("/api/search/fullTextSearchBlock", json!({"subTypes": null}), &[], &[]);
}

#[test]
fn findings_are_bounded_and_repeat_no_value() {
    let blocks: Vec<Value> =
        (0..500).map(|at| json!({"id": at, "secret": "s3cret", "data": ["s3cret"]})).collect();
    let report = validate("/api/block/batchUpdateBlock", json!({ "blocks": blocks }));
    assert_eq!((report.errors.len(), report.warnings.len()), (MAX_FINDINGS, MAX_FINDINGS));
    assert!(report.more > 1000, "{}", report.more);
    assert!(!serde_json::to_string(&report).unwrap().contains("s3cret"));
}

/// The validator is built for each call; every schema of the contract must let it.
#[test]
fn every_schema_of_the_contract_can_be_checked_against() {
    let catalogue = Catalogue::embedded();
    for endpoint in catalogue.endpoints() {
        for body in [json!({}), json!({"id": "x", "blocks": [{}], "conf": {"a": {"b": 1}}}), json!(null)] {
            let report = catalogue.validate(endpoint, Some(&body));
            let unreadable =
                report.errors.iter().find(|finding| finding.problem.contains("the contract itself"));
            assert_eq!(unreadable, None, "{}", endpoint.path);
        }
    }
}

#[test]
fn data_is_due_where_the_contract_has_no_null_or_transactions() {
    let catalogue = Catalogue::embedded();
    let check = |path: &str, expected: bool| {
        let endpoint = catalogue.at(path).first().unwrap();
        assert_eq!(catalogue.promises_data(endpoint), expected, "{path}");
    };
    check("/api/filetree/createDocWithMd", true);
    check("/api/block/appendBlock", true);
    check("/api/filetree/renameDocByID", false);
    check("/api/query/sql", false);
    check("/api/notebook/setNotebookConf", false);
}
