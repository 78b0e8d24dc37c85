//! `/api/filetree`: documents, by id, by path and by the path of their titles.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::answer::{Answer, Arguments, Reply, fail};
use super::markdown;
use super::notes::{Document, Notes};

/// What a list is cut at, without a word in the answer.
const MOST_LISTED: i64 = 512;

pub fn answer(notes: &mut Notes, endpoint: &str, arguments: &Arguments) -> Option<Answer> {
    Some(match endpoint {
        "createDocWithMd" => create(notes, arguments),
        "listDocsByPath" => list(notes, arguments),
        "listDocTree" => list_tree(notes, arguments),
        "searchDocs" => search(notes, arguments),
        "getHPathByID" => by_id(notes, arguments, |notes, document| notes.hpath(document).into()),
        "getFullHPathByID" => by_id(notes, arguments, |notes, document| {
            let notebook = notes.notebook(&document.notebook).map_or("", |notebook| &notebook.name);
            format!("{notebook}{}", notes.hpath(document)).into()
        }),
        "getPathByID" => by_id(
            notes,
            arguments,
            |notes, document| json!({"path": notes.path(document), "notebook": document.notebook}),
        ),
        "getHPathByPath" => {
            by_path(notes, arguments).map(|document| Reply::Data(notes.hpath(document).into()))
        }
        "getIDsByHPath" => ids_by_hpath(notes, arguments),
        "renameDoc" => rename(notes, arguments, false),
        "renameDocByID" => rename(notes, arguments, true),
        "removeDoc" => remove(notes, arguments),
        "removeDocByID" => remove_by_id(notes, arguments),
        _ => return None,
    })
}

fn create(notes: &mut Notes, arguments: &Arguments) -> Answer {
    let notebook = arguments.id("notebook")?;
    let (hpath, text) = (arguments.text("path")?, arguments.text("markdown")?);
    if notes.notebook(&notebook).is_none() {
        return fail("Query notebook failed");
    }
    let titles: Vec<&str> =
        hpath.trim_end_matches(".sy").split('/').map(str::trim).filter(|title| !title.is_empty()).collect();
    if titles.len() > 7 {
        return fail("Allow up to 7 levels of documents");
    }
    if let Some(id) = arguments.optional("id")
        && notes.documents.contains_key(id)
    {
        return fail("Duplicated filename");
    }
    let id = arguments.optional("id").map(str::to_owned).unwrap_or_else(|| notes.new_id());
    if notes.lose_writes {
        return Ok(Reply::Data(id.into()));
    }
    let mut parent = None;
    for (depth, title) in titles.iter().enumerate() {
        let above = format!("/{}", titles[..=depth].join("/"));
        let last = depth + 1 == titles.len();
        let known = notes.at_hpath(&notebook, &above).into_iter().next().filter(|_| !last);
        let here = known.unwrap_or_else(|| {
            let id = if last { id.clone() } else { notes.new_id() };
            let blocks = markdown::parse(if last { &text } else { "" }, &mut || notes.new_id());
            let (notebook, title) = (notebook.clone(), title.chars().take(512).collect());
            let (parent, attributes) = (parent.clone(), BTreeMap::new());
            notes.insert(Document {
                id: id.clone(),
                notebook,
                parent,
                title,
                blocks,
                attributes,
                updated: String::new(),
            });
            id
        });
        parent = Some(here);
    }
    if titles.is_empty() {
        let blocks = markdown::parse(&text, &mut || notes.new_id());
        let (title, attributes) = ("Untitled".to_owned(), BTreeMap::new());
        let document =
            Document { id: id.clone(), notebook, parent, title, blocks, attributes, updated: String::new() };
        notes.insert(document);
    }
    Ok(Reply::Data(id.into()))
}

fn list(notes: &Notes, arguments: &Arguments) -> Answer {
    let (notebook, path) = (arguments.text("notebook")?, arguments.text("path")?);
    if path.contains("..") {
        return fail("path is invalid");
    }
    if notes.notebook(&notebook).is_none() {
        return fail("Query notebook failed");
    }
    let parent = match path.as_str() {
        "/" => None,
        path => match notes.document_at(&notebook, path) {
            Some(document) => Some(document.id.clone()),
            // A file that is not there has no children, like one that has none.
            None if path.ends_with(".sy") => Some(String::new()),
            None => return fail("open /home/me/SiYuan/data: no such file or directory"),
        },
    };
    let most = arguments.number("maxListCount").unwrap_or(MOST_LISTED);
    let mut files: Vec<Value> = notes
        .children(&notebook, parent.as_deref())
        .into_iter()
        .map(|document| {
            json!({
                "path": notes.path(document), "name": markdown::escape(&document.title), "id": document.id, "icon": "",
                "name1": "", "alias": "", "memo": "", "bookmark": "", "count": 0, "size": 1234, "hSize": "1.2 kB",
                "mtime": 1_700_000_000, "ctime": 1_690_000_000, "sort": 0,
                "subFileCount": notes.children(&notebook, Some(&document.id)).len(),
            })
        })
        .collect();
    if most > 0 {
        files.truncate(usize::try_from(most).unwrap());
    }
    Ok(Reply::Data(json!({"box": notebook, "path": path, "files": files})))
}

fn list_tree(notes: &Notes, arguments: &Arguments) -> Answer {
    fn below(notes: &Notes, notebook: &str, parent: Option<&str>) -> Value {
        let nodes: Vec<_> = notes
            .children(notebook, parent)
            .into_iter()
            .map(|document| match below(notes, notebook, Some(&document.id)) {
                Value::Null => json!({"id": document.id}),
                children => json!({"id": document.id, "children": children}),
            })
            .collect();
        if nodes.is_empty() { Value::Null } else { nodes.into() }
    }
    let (notebook, path) = (arguments.text("notebook")?, arguments.text("path")?);
    let parent = notes.document_at(&notebook, &path).map(|document| document.id.clone());
    Ok(Reply::Data(json!({"tree": below(notes, &notebook, parent.as_deref())})))
}

fn search(notes: &Notes, arguments: &Arguments) -> Answer {
    let word = arguments.text("k")?.to_lowercase();
    let found: Vec<_> = notes
        .documents
        .values()
        .filter(|document| {
            notes.notebook(&document.notebook).is_some() && document.title.to_lowercase().contains(&word)
        })
        .map(|document| {
            let notebook = notes.notebook(&document.notebook).map_or("", |notebook| &notebook.name);
            let hpath = format!("{notebook}{}", notes.hpath(document));
            json!({"box": document.notebook, "path": notes.path(document), "hPath": hpath, "boxIcon": ""})
        })
        .collect();
    Ok(Reply::Data(found.into()))
}

fn by_id(notes: &Notes, arguments: &Arguments, show: impl FnOnce(&Notes, &Document) -> Value) -> Answer {
    let id = arguments.text("id")?;
    match notes.document_of(&id) {
        Some(document) => Ok(Reply::Data(show(notes, document))),
        None => fail("tree not found"),
    }
}

fn by_path<'a>(notes: &'a Notes, arguments: &Arguments) -> Result<&'a Document, Reply> {
    let (notebook, path) = (arguments.text("notebook")?, arguments.text("path")?);
    if notes.notebook(&notebook).is_none() {
        return fail("notebook not found");
    }
    notes.document_at(&notebook, &path).ok_or_else(|| Reply::Fail(-1, "block not found".to_owned()))
}

fn ids_by_hpath(notes: &Notes, arguments: &Arguments) -> Answer {
    let (path, notebook) = (arguments.text("path")?, arguments.id("notebook")?);
    Ok(Reply::Data(notes.at_hpath(&notebook, &path).into()))
}

fn rename(notes: &mut Notes, arguments: &Arguments, by_id: bool) -> Answer {
    let id = if by_id {
        // Any block of the document will do.
        let id = arguments.text("id")?;
        notes.document_of(&id).ok_or_else(|| Reply::Fail(-1, "tree not found".to_owned()))?.id.clone()
    } else {
        by_path(notes, arguments)?.id.clone()
    };
    let title = arguments.text("title")?;
    if title.chars().count() > 512 {
        return fail("The title is too long");
    }
    if !notes.lose_writes {
        let title = if title.is_empty() { "Untitled".to_owned() } else { title };
        notes.documents.get_mut(&id).unwrap().title = title;
        notes.touch();
    }
    Ok(Reply::Data(Value::Null))
}

fn remove(notes: &mut Notes, arguments: &Arguments) -> Answer {
    let id = by_path(notes, arguments)?.id.clone();
    if !notes.lose_writes {
        notes.remove_document(&id);
    }
    Ok(Reply::Data(Value::Null))
}

/// Removes the whole document of whatever block it is given.
fn remove_by_id(notes: &mut Notes, arguments: &Arguments) -> Answer {
    let id = arguments.text("id")?;
    let Some(document) = notes.document_of(&id).map(|document| document.id.clone()) else {
        let refusal = json!({"code": -1, "msg": "tree not found", "data": {"closeTimeout": 5000}});
        return Err(Reply::Envelope(refusal));
    };
    if !notes.lose_writes {
        notes.remove_document(&document);
    }
    Ok(Reply::Data(Value::Null))
}
