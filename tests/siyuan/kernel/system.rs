//! `/api/system`: which kernel this is, and what it is busy with.

use std::convert::Infallible;
use std::time::SystemTime;

use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use http_body_util::StreamBody;
use hyper::body::Frame;
use serde_json::{Value, json};

use super::Shared;
use super::answer::{Answer, Reply};

pub fn answer(shared: &Shared, path: &str, method: &Method) -> Option<Answer> {
    let setup = shared.setup().clone();
    let either = ["/api/system/version", "/api/system/bootProgress"].contains(&path);
    if method != Method::POST && !(either && method == Method::GET) {
        return None;
    }
    let data = match path {
        "/api/system/version" => setup.version().into(),
        "/api/system/bootProgress" => progress(setup.version(), setup.boot_progress),
        "/api/system/currentTime" => {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
            u64::try_from(now.as_millis()).unwrap().into()
        }
        "/api/system/getWorkspaceInfo" => {
            json!({"workspaceDir": setup.workspace, "siyuanVer": setup.version()})
        }
        "/api/system/getWorkspaces" => json!([{"path": setup.workspace, "closed": false}]),
        "/api/system/getNetwork" => json!({"proxy": {"scheme": "", "host": "", "port": ""}}),
        "/api/system/exit" => Value::Null,
        "/api/system/getConf" => json!({
            "conf": {
                "readonly": setup.read_only,
                "accessAuthCode": setup.access_code.as_ref().map_or("", |_| "*******"),
                "cookieKey": "c00k1e",
                "api": {"token": setup.token},
                "repo": {"key": "cmVwbyBrZXk="},
                "sync": {"s3": {"secretKey": "s3cr3t"}, "webdav": {"password": "p4ss"}},
                "system": {"kernelVersion": setup.version(), "os": "linux", "container": "std", "workspaceDir": ""},
            },
            "start": false,
            "isPublish": false,
        }),
        _ => return None,
    };
    Some(Ok(Reply::Data(data)))
}

/// Everything that it received, credentials too.
pub fn echo(head: &Parts) -> Reply {
    let headers: serde_json::Map<String, Value> = head
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), json!([String::from_utf8_lossy(value.as_bytes())])))
        .collect();
    Reply::Data(
        json!({"Context": {}, "Request": {"Method": head.method.as_str(), "Header": headers}, "URL": {}, "User": null}),
    )
}

fn progress(version: &str, progress: u8) -> Value {
    json!({"progress": progress, "details": format!("v{version} {}", if progress < 100 { "Initializing…" } else { "Finishing…" })})
}

/// Where the boot stands, and each step to its end.
pub fn boot_events(shared: &Shared) -> Response {
    let setup = shared.setup().clone();
    let steps = [setup.boot_progress, (setup.boot_progress + 100) / 2, 100];
    let events = steps.map(|step| {
        Ok::<_, Infallible>(Frame::data(Bytes::from(format!(
            "data: {}\n\n",
            progress(setup.version(), step)
        ))))
    });
    let body = axum::body::Body::new(StreamBody::new(stream::iter(events)));
    ([(header::CONTENT_TYPE, "text/event-stream;charset=utf-8")], body).into_response()
}
