//! `/api/asset`, `/api/file` and `/assets`: uploads and raw files, which do not keep to the envelope.

use axum::http::request::Parts;
use serde_json::{Value, json};

use super::answer::{Answer, Arguments, Reply, not_found};
use super::{Shared, header};

pub fn answer(shared: &Shared, path: &str, head: &Parts, body: &[u8]) -> Answer {
    let generation = shared.setup().generation;
    let mut notes = shared.notes();
    match path {
        "/api/asset/upload" => {
            let mut stored = json!({});
            for part in parts(head, body)?.into_iter().filter(|part| part.name == "file[]") {
                let (stem, extension) = part.file_name.rsplit_once('.').unwrap_or((&part.file_name, "bin"));
                let link = format!("assets/{stem}-{}.{}", notes.new_id(), extension.to_lowercase());
                notes.files.insert(format!("/data/{link}"), part.data);
                stored[&part.file_name] = link.into();
            }
            Ok(Reply::Data(json!({"errFiles": null, "succMap": stored})))
        }
        "/api/file/getFile" => {
            let path = Arguments::read(path, body, generation)?.bound("path")?;
            Ok(match notes.files.get(&rooted(&path)) {
                Some(bytes) => Reply::Bytes {
                    status: 200,
                    content_type: "application/octet-stream",
                    bytes: bytes.clone(),
                },
                None => {
                    let refusal = json!({"code": 404, "msg": "file does not exist", "data": null});
                    let bytes = refusal.to_string().into_bytes();
                    Reply::Bytes { status: 202, content_type: "application/json; charset=utf-8", bytes }
                }
            })
        }
        "/api/file/putFile" => {
            let parts = parts(head, body)?;
            let text = |name: &str| {
                parts
                    .iter()
                    .find(|part| part.name == name)
                    .map(|part| String::from_utf8_lossy(&part.data).into_owned())
            };
            let Some(path) = text("path").filter(|path| !path.is_empty()) else {
                return Err(Reply::Fail(400, "path is empty".to_owned()));
            };
            let data = parts
                .iter()
                .find(|part| part.name == "file")
                .map(|part| part.data.clone())
                .unwrap_or_default();
            notes.files.insert(rooted(&path), data);
            Ok(Reply::Data(Value::Null))
        }
        "/api/file/removeFile" => {
            let path = Arguments::read(path, body, generation)?.text("path")?;
            match notes.files.remove(&rooted(&path)) {
                Some(_) => Ok(Reply::Data(Value::Null)),
                None => Err(Reply::Fail(404, "file does not exist".to_owned())),
            }
        }
        _ => match notes.files.get(&format!("/data{path}")) {
            Some(bytes) => Ok(Reply::Bytes { status: 200, content_type: "image/png", bytes: bytes.clone() }),
            None => Ok(not_found()),
        },
    }
}

fn rooted(path: &str) -> String {
    format!("/{}", path.trim_start_matches('/'))
}

struct Part {
    name: String,
    file_name: String,
    data: Vec<u8>,
}

fn parts(head: &Parts, body: &[u8]) -> Result<Vec<Part>, Reply> {
    let kind = header(&head.headers, "content-type");
    let boundary = kind.strip_prefix("multipart/form-data; boundary=");
    let Some(boundary) = boundary else {
        return Err(Reply::Fail(-1, "request Content-Type isn't multipart/form-data".to_owned()));
    };
    let fence = format!("--{boundary}");
    let begins: Vec<usize> = memchr::memmem::find_iter(body, fence.as_bytes()).collect();
    Ok(begins
        .windows(2)
        .map(|pair| {
            let piece = &body[pair[0] + fence.len() + 2..pair[1] - 2];
            let end = memchr::memmem::find(piece, b"\r\n\r\n").unwrap();
            let head = String::from_utf8_lossy(&piece[..end]).into_owned();
            let quoted = |key: &str| {
                let after = head.split_once(&format!("{key}=\""))?.1;
                Some(after.split_once('"')?.0.to_owned())
            };
            let (name, file_name) = (quoted(" name").unwrap(), quoted("filename").unwrap_or_default());
            Part { name, file_name, data: piece[end + 4..].to_vec() }
        })
        .collect())
}
