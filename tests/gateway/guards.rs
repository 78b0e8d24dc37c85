//! What is refused before anything looks at the request's meaning, on every route.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use crate::world::{DEADLINE, World, answer};

const ROUTES: [(&str, &str); 5] = [
    ("POST", "/mcp"),
    ("GET", "/tools"),
    ("POST", "/tools/obsidian_list_vaults"),
    ("POST", "/control"),
    ("GET", "/mcp"),
];

fn method(name: &str) -> reqwest::Method {
    name.parse().unwrap()
}

#[tokio::test]
async fn without_a_key_or_with_a_wrong_one_nothing_is_served_and_the_answer_says_where_the_key_goes() {
    let world = World::new().await;
    for (verb, path) in ROUTES {
        let request = || world.http.request(method(verb), world.url(path)).body("{}");
        let wrong = [request().bearer_auth("ng_wrong"), request().basic_auth("u", Some("p"))];
        let twice = request().bearer_auth(&world.key).bearer_auth(&world.key);
        for request in [request()].into_iter().chain(wrong).chain([twice]) {
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 401, "{verb} {path}");
            // Nothing that would make a client begin an OAuth login.
            assert_eq!(response.headers()["www-authenticate"], "Bearer");
            assert_eq!(response.headers()["content-type"], "text/plain; charset=utf-8");
            let text = response.text().await.unwrap();
            assert!(text.contains("Authorization: Bearer KEY") || text.contains("control.json"), "{text}");
            assert!(!text.contains("ng_wrong"), "a key is never repeated");
        }
    }
    world.goes_on().await;
}

#[tokio::test]
async fn a_foreign_host_or_origin_is_refused_on_every_route_even_with_the_key() {
    let world = World::new().await;
    for (verb, path) in
        ROUTES.into_iter().chain([("GET", "/health"), ("GET", "/.well-known/x"), ("GET", "/x")])
    {
        let request = || world.http.request(method(verb), world.url(path)).bearer_auth(&world.key).body("{}");
        for request in [
            request().header("host", "evil.example"),
            request().header("host", format!("evil.example:{}", world.gateway.address().port())),
            request().header("origin", "http://evil.example"),
            request().header("origin", "null"),
            request().header("sec-fetch-site", "cross-site"),
        ] {
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 403, "{verb} {path}");
            assert!(response.headers().get("access-control-allow-origin").is_none());
            assert!(!response.text().await.unwrap().is_empty());
        }
    }
    let local =
        world.http.get(world.url("/tools")).bearer_auth(&world.key).header("origin", "http://localhost:5173");
    let response = local.send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.headers().get("access-control-allow-origin").is_none(), "no CORS, for nobody");
    world.goes_on().await;
}

/// Sends bytes as they are and reads the first line of the answer.
fn raw(world: &World, head: &str) -> String {
    let mut stream = TcpStream::connect(world.gateway.address()).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    // A refusal may close the connection; what was read before counts.
    let _ = stream.read_to_string(&mut answer);
    answer.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_hosts_are_refused() {
    let world = World::new().await;
    let port = world.gateway.address().port();
    for head in [
        "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(),
        format!(
            "GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        ),
        format!(
            "GET http://evil.example/health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        ),
        format!("GET /health HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", port ^ 1),
    ] {
        assert_eq!(raw(&world, &head), "HTTP/1.1 403 Forbidden", "{head}");
    }
    assert_eq!(raw(&world, "nonsense\r\n\r\n"), "HTTP/1.1 400 Bad Request");
    let good = format!("GET /health HTTP/1.1\r\nHost: [::1]:{port}\r\nConnection: close\r\n\r\n");
    assert_eq!(raw(&world, &good), "HTTP/1.1 200 OK");
    world.goes_on().await;
}

#[tokio::test]
async fn a_body_of_20_mb_is_refused_with_the_limit_named() {
    let world = World::new().await;
    let body = vec![b' '; 20 << 20];
    for (verb, path) in [("POST", "/mcp"), ("POST", "/tools/obsidian_read_note"), ("POST", "/control")] {
        let key = if path == "/control" { world.control.reveal() } else { &world.key };
        let request = || world.http.request(method(verb), world.url(path)).bearer_auth(key);
        let chunks = futures_util::stream::iter(
            body.chunks(1 << 16).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect::<Vec<_>>(),
        );
        for request in [request().body(body.clone()), request().body(reqwest::Body::wrap_stream(chunks))] {
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 413, "{path}");
            let text = response.text().await.unwrap();
            assert!(text.contains("10485760 bytes"), "{text}");
        }
    }
    let unknown = world.http.post(world.url("/mcp")).body(body).send().await.unwrap();
    assert_eq!(unknown.status(), 413, "an announced length is looked at first");
    world.goes_on().await;
}

#[tokio::test]
async fn m17_well_known_paths_are_a_plain_404_without_a_key() {
    let world = World::new().await;
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/mcp/.well-known/openid-configuration",
        "/register",
        "/",
        "/anything",
    ] {
        for request in [world.http.get(world.url(path)), world.http.post(world.url(path)).body("{}")] {
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 404, "{path}");
            assert!(response.headers().get("www-authenticate").is_none());
            let body: serde_json::Value = response.json().await.unwrap();
            assert_eq!(body["error"]["code"], "not_found");
        }
    }
}

#[tokio::test]
async fn health_needs_no_key_and_tells_nothing_but_that() {
    let world = World::new().await;
    let health: serde_json::Value =
        world.http.get(world.url("/health")).send().await.unwrap().json().await.unwrap();
    let mut fields: Vec<_> = health.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["revision", "status", "version"]);
}

#[tokio::test]
async fn a_method_that_a_route_does_not_take_is_named_with_those_that_it_takes() {
    let world = World::new().await;
    for (verb, path, allowed) in [
        ("PUT", "/mcp", "POST, GET, DELETE"),
        ("POST", "/tools", "GET"),
        ("OPTIONS", "/mcp", "POST, GET, DELETE"),
    ] {
        let response =
            world.http.request(method(verb), world.url(path)).bearer_auth(&world.key).send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), response.headers()["allow"].to_str().unwrap()),
            (405, allowed)
        );
    }
    let listed = answer(world.legacy(None, "tools/list", json!({})).send().await.unwrap()).await;
    assert!(listed["result"].is_object());
}
