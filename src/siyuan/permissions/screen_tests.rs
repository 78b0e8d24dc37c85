//! Bodies that are looked at, and what is found in them.

use serde_json::json;

use super::*;
use crate::siyuan::permissions::sql::SqlProblem;
use crate::siyuan::permissions::storage::StorageProblem;

fn screen(path: &str, body: Body<'_>) -> Result<Screened, Reason> {
    http(&format!("http POST {path}").parse().unwrap(), body)
}

#[track_caller]
fn passes(path: &str, body: Value) -> Screened {
    screen(path, Body::Json(&body)).unwrap_or_else(|reason| panic!("{path} {body}: {reason}"))
}

#[track_caller]
fn refuses(path: &str, body: Value) -> Reason {
    screen(path, Body::Json(&body)).expect_err(&format!("{path} {body}"))
}

#[test]
fn sql_goes_out_as_read_only() {
    for body in [
        json!({"stmt": "SELECT 1"}),
        json!({"stmt": "SELECT 1", "mode": ""}),
        json!({"stmt": "SELECT 1", "mode": null}),
        json!({"stmt": "SELECT 1", "mode": "readonly"}),
    ] {
        assert_eq!(passes("/api/query/sql", body).set, [("mode", json!("readonly"))]);
    }
    for body in [json!({"stmt": "SELECT 1", "mode": "multiple"}), json!({"stmt": "SELECT 1", "mode": "x"})] {
        assert!(matches!(refuses("/api/query/sql", body), Reason::Field(..)));
    }
}

#[test]
fn a_writing_statement_is_refused_before_sending() {
    let reason = refuses("/api/query/sql", json!({"stmt": "DELETE FROM blocks"}));
    assert_eq!(reason, Reason::Sql(SqlProblem::NotASelect));
    assert_eq!(reason.code(), "sql_not_read_only");
    assert!(matches!(refuses("/api/query/sql", json!({"stmt": 7})), Reason::Field(..)));
    assert!(matches!(
        refuses("/api/query/sql", json!({"stmt": "SELECT 1", "STMT": "DROP"})),
        Reason::TwoFields(_)
    ));
    assert!(matches!(refuses("/api/query/sql", json!({"ſtmt": "DROP TABLE x"})), Reason::TwoFields(_)));
    assert!(matches!(
        refuses("/api/search/searchEmbedBlock", json!({"stmt": "UPDATE blocks SET x = 1"})),
        Reason::Sql(_)
    ));
    assert_eq!(passes("/api/search/searchEmbedBlock", json!({"stmt": "SELECT 1"})).set, []);
}

#[test]
fn a_search_by_sql_only_reads() {
    for path in ["/api/search/fullTextSearchBlock", "/api/search/fullTextSearchAssetContent"] {
        for method in [json!(0), json!(1), json!(3), json!(null), json!(1.5)] {
            passes(path, json!({"query": "DELETE FROM blocks", "method": method}));
        }
        passes(path, json!({"query": "drop table"}));
        passes(path, json!({"query": "SELECT * FROM blocks", "method": 2}));
        for method in [json!(2), json!(2.0), json!(2.9)] {
            assert!(matches!(
                refuses(path, json!({"query": "DROP TABLE x", "method": method})),
                Reason::Sql(_)
            ));
        }
        for method in [json!("2"), json!([2]), json!(4), json!(-2), json!(1e300)] {
            assert!(matches!(refuses(path, json!({"query": "x", "method": method})), Reason::Field(..)));
        }
    }
}

#[test]
fn a_body_that_cannot_be_read_is_refused_where_it_matters() {
    for body in [Body::Opaque, Body::Json(&json!([])), Body::Json(&json!("{\"path\":\"/conf\"}"))] {
        assert_eq!(screen("/api/file/getFile", body), Err(Reason::Unreadable));
        assert_eq!(screen("/api/block/updateBlock", body), Ok(Screened::default()), "only its name decides");
    }
    assert_eq!(screen("/api/file/getFile", Body::Empty), Ok(Screened::default()), "the kernel wants a path");
}

#[test]
fn file_endpoints_reach_neither_settings_nor_plugins() {
    for (path, body) in [
        ("/api/file/getFile", json!({"path": "/conf/conf.json"})),
        ("/api/file/getFile", json!({"path": "data/storage/petal/x/y.json"})),
        ("/api/file/readDir", json!({"path": "/conf"})),
        ("/api/file/removeFile", json!({"path": "/data/plugins/x"})),
        ("/api/file/removeFile", json!({"path": "/data"})),
        ("/api/file/renameFile", json!({"path": "/data/assets/a", "newPath": "/data/plugins/a"})),
        ("/api/file/renameFile", json!({"path": "/data/storage/petal/a", "newPath": "/data/assets/a"})),
        (
            "/api/file/workspaceCopyFiles",
            json!({"srcs": ["/data/assets/a", "/conf"], "destDir": "/data/assets"}),
        ),
        ("/api/file/workspaceCopyFiles", json!({"srcs": ["/data"], "destDir": "/data/assets"})),
        ("/api/file/workspaceCopyFiles", json!({"srcs": ["/data/assets/a"], "destDir": "/data/plugins"})),
        // What lands in the folder is named by what is copied.
        ("/api/file/workspaceCopyFiles", json!({"srcs": ["/data/assets/plugins"], "destDir": "/data"})),
        ("/api/file/workspaceCopyFiles", json!({"srcs": ["/data/assets/plugins/"], "destDir": "/data/"})),
        ("/api/asset/setFileAnnotation", json!({"path": "plugins/x/kernel.js", "data": "x"})),
        ("/api/asset/removeUnusedAsset", json!({"path": "storage/petal/x"})),
    ] {
        let reason = refuses(path, body);
        assert!(matches!(reason, Reason::Storage(_)), "{reason}");
        assert_eq!(reason.code(), "protected_storage");
    }
    passes("/api/file/getFile", json!({"path": "/data/assets/a.png"}));
    passes("/api/file/renameFile", json!({"path": "/data/assets/a", "newPath": "/data/assets/b"}));
    passes("/api/file/workspaceCopyFiles", json!({"srcs": ["/data/assets/a"], "destDir": "/data/assets/b"}));
    assert!(matches!(
        refuses("/api/asset/renameAsset", json!({"oldPath": "assets/a", "newName": "../x"})),
        Reason::Field(..)
    ));
    assert!(matches!(refuses("/api/file/getFile", json!({"path": ["/conf", 1]})), Reason::Field(..)));
    assert!(matches!(refuses("/api/file/getFile", json!({"path": {"a": 1}})), Reason::Field(..)));
}

#[test]
fn forms_are_judged_by_their_fields() {
    let form = |path: &str, fields: Value| screen(path, Body::Form(fields.as_object().unwrap()));
    assert!(form("/api/file/putFile", json!({"path": "/data/assets/a.txt", "isDir": "false"})).is_ok());
    for path in ["/conf/conf.json", "/data/plugins/x/index.js", "/data/../conf/conf.json", "/temp/x"] {
        let reason = form("/api/file/putFile", json!({"path": path})).unwrap_err();
        assert!(matches!(reason, Reason::Storage(_)), "{path}: {reason}");
    }
    assert!(form("/api/asset/upload", json!({"assetsDirPath": "/assets/"})).is_ok());
    let reason = form("/api/asset/upload", json!({"assetsDirPath": "/plugins/x/"})).unwrap_err();
    assert!(matches!(reason, Reason::Storage(StorageProblem::Code(_))), "{reason}");
}

#[test]
fn a_template_is_not_run_by_way_of_a_new_document() {
    for path in ["/api/filetree/createDocWithMd", "/api/filetree/createDoc"] {
        assert!(matches!(refuses(path, json!({"docCreateTemplatePath": "x.md"})), Reason::Template(_)));
        for body in [json!({}), json!({"docCreateTemplatePath": ""}), json!({"docCreateTemplatePath": null})]
        {
            passes(path, body);
        }
    }
}

#[test]
fn deleting_a_document_names_what_must_be_one() {
    let screened = passes("/api/filetree/removeDocByID", json!({"id": "20261011180001-abcdefg"}));
    assert_eq!(screened.document.as_deref(), Some("20261011180001-abcdefg"));
    assert!(matches!(
        refuses("/api/filetree/removeDocByID", json!({"id": "a", "ID": "b"})),
        Reason::TwoFields(_)
    ));
    assert_eq!(passes("/api/block/deleteBlock", json!({"id": "a"})).document, None);
}

#[test]
fn a_view_of_a_database_is_not_made_by_reading_it() {
    let render = |body| passes("/api/av/renderAttributeView", body);
    for body in [json!({"id": "a"}), json!({"id": "a", "createIfNotExist": null})] {
        let screened = render(body);
        assert_eq!((screened.set, screened.writes), (vec![("createIfNotExist", json!(false))], false));
    }
    assert!(!render(json!({"createIfNotExist": false})).writes);
    assert!(render(json!({"createIfNotExist": true})).writes);
    for body in
        [json!({"createIfNotExist": "true"}), json!({"createIfNotExist": false, "CreateIfNotExist": true})]
    {
        refuses("/api/av/renderAttributeView", body);
    }
}
