//! What a body asks for, where the endpoint's name alone does not say it: SQL that must only read, files of
//! the workspace, templates, an id that must be a document's, and a reading that would make what it does not find.
//!
//! Endpoints that are not listed here do what their permission says, whatever the body holds.

use serde_json::{Map, Value};

use super::refusal::Reason;
use super::sql::check_read_only;
use super::storage::{Use, check_data_path, check_workspace_path};
use crate::siyuan::endpoint::EndpointKey;

/// The body of an HTTP call, as far as it can be judged.
#[derive(Debug, Clone, Copy)]
pub enum Body<'a> {
    Empty,
    Json(&'a Value),
    /// The fields of a form or of multipart; a file's content is not among them.
    Form(&'a Map<String, Value>),
    /// Text or bytes.
    Opaque,
}

/// What has to be done about a body before it is sent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Screened {
    /// Fields that are set in the body, whatever it holds there.
    pub set: Vec<(&'static str, Value)>,
    /// The kernel would delete the whole document of any block: this id must be a document's own.
    pub document: Option<String>,
    /// The body asks for a change, of an endpoint that otherwise reads.
    pub writes: bool,
}

/// Something that a field of a body is held to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    /// SQL in this field only reads.
    Sql(&'static str),
    /// The mode goes out as read-only.
    ReadOnly(&'static str),
    /// SQL in the first field, if the second says so: a search by method 2.
    SqlByMethod(&'static str, &'static str),
    /// A path in the workspace, or a list of them.
    File(&'static str, Use),
    /// A path below `data/`.
    Data(&'static str, Use),
    /// What the first field lists is put into the folder that the second names.
    CopyInto(&'static str, &'static str),
    /// A name, not a path.
    Plain(&'static str),
    /// Names a template that would be run.
    Template(&'static str),
    Document(&'static str),
    /// Makes what is not there, unless it is false; a kernel takes its absence for true, so it goes out as false.
    Makes(&'static str),
}

const RULES: &[(&str, &[Rule])] = &[
    ("/api/query/sql", &[Rule::Sql("stmt"), Rule::ReadOnly("mode")]),
    ("/api/search/fullTextSearchBlock", &[Rule::SqlByMethod("query", "method")]),
    ("/api/search/fullTextSearchAssetContent", &[Rule::SqlByMethod("query", "method")]),
    ("/api/search/semanticSearchBlock", &[Rule::SqlByMethod("query", "method")]),
    ("/api/search/findReplace", &[Rule::SqlByMethod("k", "method"), Rule::SqlByMethod("query", "method")]),
    ("/api/search/getAssetContent", &[Rule::SqlByMethod("query", "queryMethod")]),
    ("/api/filetree/getDoc", &[Rule::SqlByMethod("query", "queryMethod")]),
    ("/api/search/searchEmbedBlock", &[Rule::Sql("stmt")]),
    ("/api/filetree/createDocWithMd", &[Rule::Template("docCreateTemplatePath")]),
    ("/api/filetree/createDoc", &[Rule::Template("docCreateTemplatePath")]),
    ("/api/filetree/removeDocByID", &[Rule::Document("id")]),
    ("/api/file/getFile", &[Rule::File("path", Use::Read)]),
    ("/api/file/readDir", &[Rule::File("path", Use::List)]),
    ("/api/file/getUniqueFilename", &[Rule::File("path", Use::List)]),
    ("/api/file/putFile", &[Rule::File("path", Use::Write)]),
    ("/api/file/removeFile", &[Rule::File("path", Use::Write)]),
    ("/api/file/renameFile", &[Rule::File("path", Use::Write), Rule::File("newPath", Use::Write)]),
    (
        "/api/file/workspaceCopyFiles",
        &[Rule::File("srcs", Use::Copy), Rule::File("destDir", Use::List), Rule::CopyInto("srcs", "destDir")],
    ),
    ("/api/asset/upload", &[Rule::Data("assetsDirPath", Use::Write)]),
    ("/api/asset/statAsset", &[Rule::Data("path", Use::List)]),
    ("/api/asset/getFileAnnotation", &[Rule::Data("path", Use::Read)]),
    ("/api/asset/setFileAnnotation", &[Rule::Data("path", Use::Write)]),
    ("/api/asset/removeUnusedAsset", &[Rule::Data("path", Use::Write)]),
    ("/api/asset/renameAsset", &[Rule::Data("oldPath", Use::Write), Rule::Plain("newName")]),
    ("/api/av/renderAttributeView", &[Rule::Makes("createIfNotExist")]),
    ("/api/history/createAssetHistory", &[Rule::Data("path", Use::Read)]),
];

/// Judges the body of an HTTP call.
///
/// # Errors
/// It asks for what no permission opens, or cannot be judged.
pub(super) fn http(key: &EndpointKey, body: Body<'_>) -> Result<Screened, Reason> {
    let mut screened = Screened::default();
    let EndpointKey::Http { route, .. } = key else { return Ok(screened) };
    let Some((_, rules)) = RULES.iter().find(|(path, _)| path.eq_ignore_ascii_case(route.as_str())) else {
        return Ok(screened);
    };
    let none = Map::new();
    let fields = match body {
        Body::Empty => &none,
        Body::Json(Value::Object(fields)) | Body::Form(fields) => fields,
        // The kernel reads JSON out of any body, whatever it is said to be.
        Body::Json(_) | Body::Opaque => return Err(Reason::Unreadable),
    };
    for rule in *rules {
        apply(*rule, fields, &mut screened)?;
    }
    Ok(screened)
}

pub(super) fn apply(rule: Rule, fields: &Map<String, Value>, screened: &mut Screened) -> Result<(), Reason> {
    match rule {
        Rule::Sql(name) => {
            if let Some(statement) = text(fields, name)? {
                check_read_only(statement)?;
            }
        }
        Rule::ReadOnly(name) => match text(fields, name)? {
            None | Some("" | "readonly") => screened.set.push((name, "readonly".into())),
            Some(_) => return Err(Reason::Field(name.into(), "\"readonly\", or leave it out")),
        },
        Rule::SqlByMethod(name, method) => {
            let by_sql = match field(fields, method)? {
                None => false,
                Some(Value::Number(number)) => match number.as_f64().map(f64::trunc) {
                    // The kernel cuts off what follows the point.
                    Some(2.0) => true,
                    Some(0.0 | 1.0 | 3.0) => false,
                    _ => return Err(Reason::Field(method.into(), "one of 0, 1, 2, 3")),
                },
                Some(_) => return Err(Reason::Field(method.into(), "a number")),
            };
            if by_sql && let Some(statement) = text(fields, name)? {
                check_read_only(statement)?;
            }
        }
        Rule::File(name, used) => {
            for path in texts(fields, name)? {
                check_workspace_path(path, used)?;
            }
        }
        Rule::Data(name, used) => {
            for path in texts(fields, name)? {
                check_data_path(path, used)?;
            }
        }
        Rule::CopyInto(sources, folder) => {
            let Some(folder) = text(fields, folder)? else { return Ok(()) };
            for source in texts(fields, sources)? {
                let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                check_workspace_path(&format!("{}/{name}", folder.trim_end_matches('/')), Use::Write)?;
            }
        }
        Rule::Plain(name) => {
            if text(fields, name)?
                .is_some_and(|plain| plain.contains(['/', '\\']) || matches!(plain, "." | ".."))
            {
                return Err(Reason::Field(name.into(), "a name without a path"));
            }
        }
        Rule::Template(name) => {
            if field(fields, name)?.is_some_and(|value| value != "") {
                return Err(Reason::Template(name));
            }
        }
        Rule::Document(name) => screened.document = text(fields, name)?.map(str::to_owned),
        Rule::Makes(name) => match field(fields, name)? {
            None => screened.set.push((name, false.into())),
            Some(Value::Bool(makes)) => screened.writes |= makes,
            Some(_) => return Err(Reason::Field(name.into(), "true or false")),
        },
    }
    Ok(())
}

/// The one field of this name; null counts as absent.
fn field<'a>(fields: &'a Map<String, Value>, name: &str) -> Result<Option<&'a Value>, Reason> {
    if fields.keys().any(|other| other != name && is_same_field(other, name)) {
        return Err(Reason::TwoFields(name.into()));
    }
    Ok(fields.get(name).filter(|value| !value.is_null()))
}

/// Whether a reader that does not mind letter case takes two names for the same.
pub(super) fn is_same_field(one: &str, other: &str) -> bool {
    let folded = |name: &str| name.to_uppercase().to_lowercase();
    folded(one) == folded(other)
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, Reason> {
    match field(fields, name)? {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Reason::Field(name.into(), "a text")),
    }
}

fn texts<'a>(fields: &'a Map<String, Value>, name: &str) -> Result<Vec<&'a str>, Reason> {
    let wrong = || Reason::Field(name.into(), "a text, or a list of texts");
    match field(fields, name)? {
        None => Ok(Vec::new()),
        Some(Value::String(text)) => Ok(vec![text]),
        Some(Value::Array(list)) => list.iter().map(|entry| entry.as_str().ok_or_else(wrong)).collect(),
        Some(_) => Err(wrong()),
    }
}

#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
