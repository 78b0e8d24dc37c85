//! The table of endpoints over the embedded contract, and bodies held against it.

use super::*;

const UPDATE: &str = "http POST /api/block/updateBlock";

fn endpoints() -> (tempfile::TempDir, Endpoints) {
    let folder = tempfile::tempdir().unwrap();
    let contract = Arc::new(Contract::new(folder.path().join("contract.json")));
    (folder, Endpoints::new(contract))
}

fn query(filter: EndpointFilter) -> EndpointQuery {
    let kernel = KernelId::new("home").unwrap();
    EndpointQuery { kernel, filter, order: EndpointOrder::default(), descending: false }
}

fn granted(list: &[(&str, Permission)]) -> BTreeMap<String, Permission> {
    list.iter().map(|(key, permission)| ((*key).to_owned(), *permission)).collect()
}

fn listed(query: &EndpointQuery, permissions: &BTreeMap<String, Permission>) -> EndpointList {
    let of_kernel = OfKernel { permissions: permissions.clone(), ..OfKernel::default() };
    match endpoints().1.list(query, &of_kernel).unwrap() {
        Reply::Endpoints { list } => list,
        other => panic!("{other:?}"),
    }
}

fn keys(list: &EndpointList) -> Vec<&str> {
    list.rows.iter().map(|row| row.key.as_str()).collect()
}

#[test]
fn every_endpoint_of_the_contract_is_there_with_what_has_a_permission_of_its_own() {
    let permissions = granted(&[(UPDATE, Permission::Allow), ("plugin mine echo", Permission::Deny)]);
    let list = listed(&query(EndpointFilter::default()), &permissions);
    let contract = Catalogue::embedded().endpoints().len();
    assert_eq!((list.total, list.changed), (contract + 5, 2));
    assert_eq!(list.rows.len(), list.total);
    let row = |key: &str| list.rows.iter().find(|row| row.key == key).unwrap();
    assert_eq!((row(UPDATE).permission, row(UPDATE).effect), (Permission::Allow, Effect::Writes));
    assert_eq!(row(UPDATE).group.as_deref(), Some("block"));
    let own = row("plugin mine echo");
    assert_eq!(
        (own.protocol, own.name.as_str(), own.origin),
        (Protocol::Plugin, "mine echo", Origin::Granted)
    );
    assert_eq!(row("connection status").effect, Effect::Reads);
    assert_eq!(row("http POST /api/network/forwardProxy").closed, Some(Closed::Proxy));
}

#[test]
fn what_was_declared_and_what_was_discovered_is_there_with_where_it_is_from() {
    let of_kernel = OfKernel {
        declared: vec![DeclaredEndpoint {
            endpoint: "plugin mine echo".into(),
            note: "says it again".into(),
        }],
        discovered: vec![DiscoveredTool { name: "outline".into(), description: "of a document".into() }],
        ..OfKernel::default()
    };
    let words = EndpointFilter { words: "again".into(), ..EndpointFilter::default() };
    let found = |filter| match endpoints().1.list(&query(filter), &of_kernel).unwrap() {
        Reply::Endpoints { list } => list,
        other => panic!("{other:?}"),
    };
    assert_eq!(keys(&found(words)), ["plugin mine echo"], "its note is searched");
    let list = found(EndpointFilter::default());
    let origin = |key: &str| list.rows.iter().find(|row| row.key == key).unwrap().origin;
    assert_eq!(origin("plugin mine echo"), Origin::Declared);
    assert_eq!(origin("mcp tools/call outline"), Origin::Discovered);
    assert_eq!(list.changed, 0, "being listed permits nothing");
}

#[test]
fn filters_and_words_must_all_fit() {
    let permissions = granted(&[(UPDATE, Permission::Allow), ("connection status", Permission::Deny)]);
    let found = |filter| listed(&query(filter), &permissions);
    let none = EndpointFilter::default;
    assert_eq!(keys(&found(EndpointFilter { changed: true, ..none() })), [UPDATE, "connection status"]);
    let deny = EndpointFilter { permission: Some(Permission::Deny), ..none() };
    assert_eq!(keys(&found(deny)), ["connection status"]);
    let put = found(EndpointFilter { method: Some(Method::Put), ..none() });
    assert!(!put.rows.is_empty() && put.rows.iter().all(|row| row.key.starts_with("http PUT ")));
    let mcp = found(EndpointFilter { protocol: Some(Protocol::Mcp), ..none() });
    assert_eq!(keys(&mcp), ["mcp tools/call", "mcp tools/list"]);
    let open = found(EndpointFilter { open: true, group: Some("network".into()), ..none() });
    assert_eq!(open.rows, [], "everything of the network is closed");
    let reads = found(EndpointFilter { effect: Some(Effect::Reads), group: Some("block".into()), ..none() });
    assert!(reads.rows.len() > 10 && reads.rows.iter().all(|row| row.effect == Effect::Reads));
    assert!(reads.groups.len() > 40 && reads.total > 700, "the whole is told also where little of it fits");
    let words = |words: &str| found(EndpointFilter { words: words.into(), ..none() });
    assert!(keys(&words("UPDATEBLOCK post")).contains(&UPDATE), "path and method, in any letter case");
    assert_eq!(keys(&words("siyuan_update rename_doc")), ["http POST /api/filetree/renameDocByID"], "a tool");
    assert!(!words("dataType").rows.is_empty(), "a field");
    assert!(!words("AGENTS.md").rows.is_empty(), "a note");
    assert_eq!(words("no such word").rows, []);
}

#[test]
fn rows_are_sorted_and_what_is_equal_stays_in_order() {
    let permissions = granted(&[(UPDATE, Permission::Allow), ("connection status", Permission::Deny)]);
    let sorted = |order, descending| {
        let query =
            EndpointQuery { order, descending, ..query(EndpointFilter { open: true, ..Default::default() }) };
        listed(&query, &permissions).rows
    };
    let names = sorted(EndpointOrder::Name, false);
    assert!(names.is_sorted_by_key(|row| row.name.clone()));
    let down = sorted(EndpointOrder::Permission, true);
    assert_eq!((down[0].key.as_str(), down[1].key.as_str()), (UPDATE, "connection status"));
    assert!(down[2..].is_sorted_by_key(|row| row.name.clone()), "equal ones by name, upwards");
    let effects = sorted(EndpointOrder::Effect, false);
    assert!(effects.is_sorted_by_key(|row| row.effect));
    let methods = sorted(EndpointOrder::Method, false);
    assert!(methods.is_sorted_by_key(|row| (row.protocol, row.method)));
}

#[test]
fn an_endpoint_is_described_by_its_fields_its_roles_and_its_tools() {
    let (_folder, endpoints) = endpoints();
    let describe = |key: &str| match endpoints.describe(key).unwrap() {
        Reply::Endpoint { details } => details,
        other => panic!("{other:?}"),
    };
    let update = describe(UPDATE);
    assert_eq!(
        (update.tools.as_slice(), update.body.as_deref()),
        (&["siyuan_update block".into()][..], Some("json"))
    );
    assert_eq!(update.roles, ["authenticated", "admin", "writable"]);
    let field = |name: &str| update.fields.iter().find(|field| field.name == name).unwrap();
    assert!(field("dataType").required && field("dataType").takes == "string");
    assert!(!field("lockType").required);
    assert!(update.fields.is_sorted_by_key(|field| !field.required), "what is required comes first");
    let own = describe("plugin mine echo");
    assert!(own.fields.is_empty() && own.roles.is_empty() && own.body.is_none());
    assert_eq!(endpoints.describe("nonsense").unwrap_err().code, "invalid");
}

#[test]
fn a_body_is_checked_without_a_kernel() {
    let (_folder, endpoints) = endpoints();
    let check = |body: &str| match endpoints.check(UPDATE, body).unwrap() {
        Reply::BodyChecked { report } => report,
        other => panic!("{other:?}"),
    };
    assert_eq!(check(r#"{"id":"a","data":"b","dataType":"markdown"}"#), BodyReport::default());
    let report = check(r#"{"id":7,"data":"b","extra":1}"#);
    let cases = |findings: &[BodyFinding]| -> Vec<(String, String, String)> {
        let told = |finding: &BodyFinding| {
            let case = finding.case.clone().unwrap();
            (finding.at.clone(), case.reason, case.subject)
        };
        findings.iter().map(told).collect()
    };
    let mut errors = cases(&report.errors);
    errors.sort();
    assert_eq!(
        errors,
        [
            (String::new(), "body_field_missing".into(), "dataType".into()),
            ("/id".into(), "body_type".into(), "string".into())
        ]
    );
    assert_eq!(cases(&report.warnings), [("/extra".into(), "body_field_unknown".into(), String::new())]);
    assert_eq!(check("  ").errors.len(), 3, "no body is an empty object");
    let error = endpoints.check(UPDATE, "{\n \"id\": }").unwrap_err();
    assert_eq!((error.code.as_str(), error.field.as_deref()), ("not_json", Some("body")));
    assert_eq!(error.case.unwrap().subject, "2:8");
    assert_eq!(endpoints.check("mcp tools/list", "{}").unwrap_err().code, "not_in_contract");
}

#[test]
fn a_permission_is_kept_under_the_one_spelling_of_its_key() {
    let kept = canonical(granted(&[("mcp tools/call siyuan_Search", Permission::Deny)])).unwrap();
    assert_eq!(kept, granted(&[("mcp tools/call search", Permission::Deny)]));
    for wrong in ["", "http post /api/x", "http POST /api//x", "http POST /api/x/", "everything"] {
        let error = canonical(granted(&[(wrong, Permission::Allow)])).unwrap_err();
        assert_eq!(error.field, "permissions", "{wrong}");
    }
}
