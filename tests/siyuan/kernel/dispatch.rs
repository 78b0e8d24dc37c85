//! Which part of the kernel answers a request.

use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;

use super::answer::{Answer, Arguments, Reply, not_found};
use super::{Shared, auth, blocks, documents, files, mcp, notebooks, rpc, search, sockets, system};

pub async fn answer(State(shared): State<Arc<Shared>>, mut request: Request) -> Response {
    let prefix = shared.setup().prefix.clone();
    let raw = request.uri().path().strip_prefix(&prefix).unwrap_or_default().to_owned();
    let path = percent_decode_str(&raw).decode_utf8_lossy().into_owned();
    let upgrade = request.headers().contains_key("upgrade").then(|| hyper::upgrade::on(&mut request));
    let (head, body) = request.into_parts();
    if head.method == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    if let Some(upgrade) = upgrade
        && path == "/ws"
    {
        return sockets::events(&shared, &head, upgrade);
    }
    if let Err(refusal) = auth::admit(&shared, &path, &head) {
        return refusal;
    }
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let mut response = match path.as_str() {
        "/mcp" => mcp::answer(&shared, &head, &body),
        "/api/system/bootProgressSSE" => system::boot_events(&shared),
        "/api/network/echo" => system::echo(&head).into_response(),
        _ if path.starts_with("/api/plugin/")
            || path.starts_with("/api/plugin") && head.method == Method::GET =>
        {
            rpc::answer(&shared, &path, &head, &body).await
        }
        _ if path.starts_with("/assets/")
            || path.starts_with("/api/file/")
            || path == "/api/asset/upload" =>
        {
            either(files::answer(&shared, &path, &head, &body)).into_response()
        }
        _ => either(api(&shared, &path, &head.method, &body)).into_response(),
    };
    response.headers_mut().insert("access-control-allow-origin", HeaderValue::from_static("*"));
    response
}

fn either(answer: Answer) -> Reply {
    answer.unwrap_or_else(|early| early)
}

/// The endpoints that take a JSON object. Those without arguments do not read their body.
fn api(shared: &Shared, path: &str, method: &Method, body: &[u8]) -> Answer {
    if let Some(answer) = system::answer(shared, path, method) {
        return answer;
    }
    if method != Method::POST {
        return Ok(not_found());
    }
    if let Some(answer) = search::flush(shared, path) {
        return answer;
    }
    let setup = shared.setup().clone();
    let read = || Arguments::read(path, body, setup.generation);
    let Some((area, endpoint)) = path.strip_prefix("/api/").and_then(|rest| rest.split_once('/')) else {
        return Ok(not_found());
    };
    let answer = match area {
        "notebook" => notebooks::answer(&mut shared.notes(), endpoint, read),
        "filetree" => documents::answer(&mut shared.notes(), endpoint, &read()?),
        "block" | "attr" | "export" => blocks::answer(&mut shared.notes(), &setup, area, endpoint, &read()?),
        "query" | "search" => search::answer(shared, endpoint, &read()?),
        _ => None,
    };
    answer.unwrap_or_else(|| Ok(not_found()))
}
