//! Who may ask at all: the kernel's checks in their order, and its exact refusals.

#![allow(clippy::result_large_err, reason = "a refusal is an answer like any other here")]

use axum::Json;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::{Generation, Setup, Shared, header as text_of};

/// Counts wrong credentials; 3.8 locks out after five of them.
#[derive(Debug, Default)]
pub struct Guard {
    failures: u32,
}

/// The longest an answer says to wait, in seconds.
const LOCKED: &str = "30";
const MOST_FAILURES: u32 = 5;

const PUBLIC: &[&str] = &[
    "/api/system/version",
    "/api/system/bootProgress",
    "/api/system/bootProgressSSE",
    "/api/system/currentTime",
    "/check-auth",
];

/// Answered to this machine without credentials even where there is a lock-screen password.
const LOCAL: &[&str] =
    &["/assets/", "/export/", "/api/system/exit", "/api/system/getNetwork", "/api/system/getWorkspaceInfo"];

/// Takes an administrator, besides all that is refused in read-only mode.
const ADMIN: &[&str] = &["/api/block/getChildBlocks", "/api/export/", "/api/network/", "/api/file/readDir"];

/// Refused in read-only mode; not all of them write.
const WRITABLE: &[&str] = &[
    "/api/system/getWorkspaceInfo",
    "/api/query/sql",
    "/api/sqlite/flushTransaction",
    "/api/transactions",
    "/api/filetree/create",
    "/api/filetree/rename",
    "/api/filetree/remove",
    "/api/filetree/move",
    "/api/filetree/listDocTree",
    "/api/block/insert",
    "/api/block/append",
    "/api/block/prepend",
    "/api/block/update",
    "/api/block/delete",
    "/api/block/move",
    "/api/attr/set",
    "/api/asset/upload",
    "/api/file/putFile",
    "/api/file/removeFile",
    "/api/notebook/createNotebook",
    "/api/notebook/openNotebook",
    "/api/notebook/closeNotebook",
    "/api/plugin/rpc",
    "/mcp",
];

/// Lets a request in, or gives the kernel's refusal of it.
pub fn admit(shared: &Shared, path: &str, head: &Parts) -> Result<(), Response> {
    if PUBLIC.contains(&path) {
        return Ok(());
    }
    let setup = shared.setup().clone();
    let mut guard = shared.guard.lock().unwrap();
    let throttles = setup.generation == Generation::V3_8_6;
    if throttles && guard.failures >= MOST_FAILURES {
        return Err(throttled());
    }
    let refused = check(&setup, path, head);
    match &refused {
        Err(refusal) if refusal.status() == StatusCode::UNAUTHORIZED => guard.failures += 1,
        Ok(true) => guard.failures = 0,
        _ => {}
    }
    refused?;
    let among = |list: &[&str]| list.iter().any(|begin| path.starts_with(begin));
    if setup.reader && (among(ADMIN) || among(WRITABLE)) {
        return Err(StatusCode::FORBIDDEN.into_response());
    }
    if setup.read_only && among(WRITABLE) {
        return Err(read_only().into_response());
    }
    Ok(())
}

/// Whether the request showed the right token; others are let in for being local.
fn check(setup: &Setup, path: &str, head: &Parts) -> Result<bool, Response> {
    let authorization = text_of(&head.headers, "authorization");
    let shown =
        ["Token ", "token ", "Bearer ", "bearer "].iter().find_map(|kind| authorization.strip_prefix(kind));
    if let Some(shown) = shown.filter(|shown| !shown.is_empty()) {
        return if shown == setup.token {
            Ok(true)
        } else {
            Err(unauthorized("Auth failed [header: Authorization]"))
        };
    }
    if let Some(shown) = query(head, "token") {
        return if shown == setup.token { Ok(true) } else { Err(unauthorized("Auth failed [query: token]")) };
    }
    if setup.access_code.is_none() {
        return if is_local(setup, &head.headers) { Ok(false) } else { Err(not_local()) };
    }
    if !setup.remote && LOCAL.iter().any(|local| path.starts_with(local)) {
        return Ok(false);
    }
    let agent = text_of(&head.headers, "user-agent");
    if !agent.starts_with("SiYuan/") && !agent.starts_with("Mozilla/") {
        return Err(unauthorized("Auth failed [session]"));
    }
    if head.method == "GET" && !head.headers.contains_key("upgrade") {
        let to: String = url::form_urlencoded::byte_serialize(head.uri.to_string().as_bytes()).collect();
        return Err((StatusCode::FOUND, [(header::LOCATION, format!("/check-auth?to={to}"))]).into_response());
    }
    Err(unauthorized("锁屏密码鉴权失败 <button>解锁</button>"))
}

/// Whether the socket `/ws` lets a client in: the token does not count there.
pub fn admits_socket(setup: &Setup) -> bool {
    setup.access_code.is_none()
}

fn is_local(setup: &Setup, headers: &HeaderMap) -> bool {
    let loopback = |host: &str| {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.ends_with(".localhost") || host == "::1" || host.starts_with("127.")
    };
    let host_of = |authority: &str| authority.rsplit_once(':').map_or(authority, |(host, _)| host).to_owned();
    let forwarded = text_of(headers, "x-forwarded-for");
    let origin = text_of(headers, "origin");
    let origin_host = origin.split_once("://").map(|(_, authority)| host_of(authority));
    let host = host_of(&text_of(headers, "host"));
    !setup.remote
        && (forwarded.is_empty() || loopback(&forwarded))
        && (origin.is_empty() || origin_host.is_some_and(|host| loopback(&host)))
        && (setup.generation == Generation::V3_7_3 || loopback(&host))
}

pub fn query(head: &Parts, name: &str) -> Option<String> {
    let query = head.uri.query().unwrap_or_default();
    url::form_urlencoded::parse(query.as_bytes())
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

fn unauthorized(message: &str) -> Response {
    (StatusCode::UNAUTHORIZED, Json(json!({"code": -1, "msg": message}))).into_response()
}

fn not_local() -> Response {
    unauthorized(
        "Auth failed: for security reasons, please set [Lock screen password] when using non-127.0.0.1 access\n\n\
         为安全起见,使用非 127.0.0.1 访问时请设置 [锁屏密码]",
    )
}

fn throttled() -> Response {
    let body = json!({"code": -1, "msg": "Too many failed authentication attempts, please try again later"});
    (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, LOCKED)], Json(body)).into_response()
}

fn read_only() -> Json<serde_json::Value> {
    Json(json!({
        "cmd": "", "reqId": 0, "app": "", "sid": "", "pushMode": 0, "callback": "", "code": -1,
        "msg": "This operation is not supported in read-only mode", "data": {"closeTimeout": 5000},
    }))
}
