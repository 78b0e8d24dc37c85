//! Searching the embedded catalogue.

use super::*;

fn search(query: Query) -> Page {
    Catalogue::embedded().search(&query)
}

fn paths(page: &Page) -> Vec<&str> {
    page.endpoints.iter().map(|found| found.path.as_str()).collect()
}

#[test]
fn a_path_prefix_finds_what_begins_so() {
    let page = search(Query { path: Some("/api/block/".into()), limit: Some(5), ..Query::default() });
    assert_eq!(page.endpoints.len(), 5);
    assert!(paths(&page).iter().all(|path| path.starts_with("/api/block/")));
    assert!(page.total > 60 && page.next_offset == Some(5), "{}", page.total);
    let folded = search(Query { path: Some("/API/Block/".into()), limit: Some(5), ..Query::default() });
    assert_eq!(folded, page);
}

#[test]
fn words_must_all_fit_somewhere() {
    let page = search(Query { words: Some("Rename DOC title".into()), ..Query::default() });
    assert_eq!(paths(&page), ["/api/filetree/renameDoc", "/api/filetree/renameDocByID"]);
    let noted = search(Query { words: Some("mind-map containers".into()), ..Query::default() });
    assert!(!noted.endpoints.is_empty());
    let none = search(Query { words: Some("rename nothingatall".into()), ..Query::default() });
    assert_eq!((none.total, none.next_offset), (0, None));
}

#[test]
fn method_and_role_filter() {
    let all = |query: Query| search(Query { limit: Some(MAX_LIMIT), ..query });
    let get = all(Query { method: Some(Method::Get), ..Query::default() });
    assert!(get.total == 25 && get.endpoints.iter().all(|found| found.method == Method::Get));
    let total = |role| all(Query { role: Some(role), ..Query::default() }).total;
    assert_eq!(total(RoleFilter::Reads) + total(RoleFilter::Writes), 718);
    assert_eq!(total(RoleFilter::Public), 23);
    assert_eq!(total(RoleFilter::Admin), 577);
    for (word, role) in RoleFilter::ALL {
        assert_eq!(word.parse(), Ok(role));
    }
    assert!("root".parse::<RoleFilter>().is_err());
}

#[test]
fn pages_join_to_the_whole_without_gap_or_repetition() {
    for include_schema in [false, true] {
        let mut seen = Vec::new();
        let mut offset = Some(0);
        while let Some(at) = offset {
            let page =
                search(Query { include_schema, offset: at, limit: Some(MAX_LIMIT), ..Query::default() });
            assert!(serde_json::to_string(&page).unwrap().len() < 400_000, "a page is bounded");
            seen.extend(page.endpoints.iter().map(|found| found.key.clone()));
            offset = page.next_offset;
        }
        let catalogue = Catalogue::embedded();
        let all: Vec<EndpointKey> = catalogue.endpoints().iter().map(Endpoint::key).collect();
        assert_eq!(seen, all);
    }
    let beyond = search(Query { offset: 5000, ..Query::default() });
    assert_eq!((beyond.total, beyond.endpoints.len(), beyond.next_offset), (718, 0, None));
    assert_eq!(search(Query { limit: Some(0), ..Query::default() }).endpoints.len(), 1);
    assert_eq!(search(Query { limit: Some(9999), ..Query::default() }).endpoints.len(), MAX_LIMIT);
}

#[test]
fn an_endpoint_is_shown_with_its_fields_and_with_its_schema_if_asked() {
    let query = |include_schema| Query {
        path: Some("/api/block/updateBlock".into()),
        include_schema,
        ..Query::default()
    };
    let found = &search(query(false)).endpoints[0];
    assert_eq!(found.key.to_string(), "http POST /api/block/updateBlock");
    assert_eq!(
        serde_json::to_value(&found.fields).unwrap(),
        json!({"data": "string", "dataType": "string", "id": "string", "lockType?": "boolean|null"})
    );
    assert_eq!(found.answer.as_deref(), Some("array of (object|null)|null"));
    assert_eq!((found.schema.as_ref(), found.closed), (None, None));
    let schema = search(query(true)).endpoints[0].schema.clone().unwrap();
    assert_eq!(schema["request"]["$ref"], "#/$defs/UpdateBlockRequestInput");
    assert!(schema["$defs"]["UpdateBlockRequestInput"]["properties"]["id"].is_object());
    assert!(schema["$defs"]["BlockTransaction"].is_object());
}

#[test]
fn a_closed_endpoint_says_why() {
    let page = search(Query { path: Some("/api/network/forwardProxy".into()), ..Query::default() });
    assert!(page.endpoints[0].closed.unwrap().contains("send any request anywhere"));
}

#[test]
fn every_endpoint_can_be_told_in_few_words() {
    let catalogue = Catalogue::embedded();
    for endpoint in catalogue.endpoints() {
        let shown = catalogue.show(endpoint, false);
        for (name, kind) in &shown.fields {
            let kind = kind.as_str().unwrap();
            assert!(!kind.is_empty() && kind.len() < 200, "{} {name}: {kind}", endpoint.path);
        }
    }
}
