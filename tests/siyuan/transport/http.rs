//! Requests and answers: every form arrives, and nothing of an answer is lost.

use http::Method;
use notegate::siyuan::transport::{
    Body, Connection, EnvelopeFault, Part, Request, RequestError, TransportError,
};
use serde_json::{Value, json};

use super::{connect, never, patient};
use crate::kernel::faults::Fault;
use crate::kernel::notes_ids::{DOCUMENT, NOTEBOOK};
use crate::kernel::{Generation, Kernel, Setup, TOKEN};

#[tokio::test]
async fn a_request_carries_the_token_in_its_header_and_nothing_that_a_kernel_mistakes() {
    let kernel = Kernel::start().await;
    let answer =
        connect(&kernel).send(Request::post("/api/notebook/lsNotebooks", json!({})), &never()).await.unwrap();
    assert_eq!(answer.envelope().unwrap().due().unwrap()["notebooks"][0]["id"], NOTEBOOK);
    let [seen] = &kernel.seen()[..] else { panic!("one request, one arrival") };
    let mut names: Vec<&str> = seen.headers.keys().map(http::HeaderName::as_str).collect();
    names.sort_unstable();
    let expected = [
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
    ];
    assert_eq!(names, expected);
    assert_eq!(seen.header("authorization").unwrap(), format!("Token {TOKEN}").as_bytes());
    assert_eq!(seen.header("host").unwrap(), kernel.socket_address().to_string().as_bytes());
    assert!(seen.header("user-agent").unwrap().starts_with(b"notegate/"));
    assert_eq!(
        (seen.path.as_str(), seen.query.as_str(), seen.text().as_str()),
        ("/api/notebook/lsNotebooks", "", "{}")
    );
}

#[tokio::test]
async fn without_a_token_none_is_sent() {
    let kernel = Kernel::start().await;
    let connection = Connection::new(kernel.address().parse().unwrap(), None, patient()).unwrap();
    let version = connection.send(Request::get("/api/system/version"), &never()).await.unwrap();
    assert_eq!(version.envelope().unwrap().due().unwrap(), "3.7.3");
    assert_eq!(kernel.seen()[0].header("authorization"), None);
}

#[tokio::test]
async fn the_prefix_of_the_address_stands_before_every_path() {
    let kernel = Kernel::with(Setup { prefix: "/notes/siyuan".to_owned(), ..Setup::default() }).await;
    let connection = connect(&kernel);
    let version = connection.send(Request::get("/api/system/version"), &never()).await.unwrap();
    assert_eq!(version.envelope().unwrap().due().unwrap(), "3.7.3");
    assert_eq!(kernel.seen()[0].path, "/notes/siyuan/api/system/version");
    for path in ["/../api/system/version", "//thief.example/api", "/..", "http://thief.example/"] {
        let error = connection.send(Request::get(path), &never()).await.unwrap_err();
        assert_eq!(error, TransportError::Request(RequestError::Path), "{path}");
        assert!(!error.sent());
    }
    assert_eq!(kernel.seen().len(), 1);
}

#[tokio::test]
async fn each_form_of_body_arrives_as_it_was_given() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let form = vec![("a".to_owned(), "1 & 2".to_owned()), ("b".to_owned(), "笔".to_owned())];
    let own = |data: &[u8]| Body::Bytes { data: data.to_vec(), content_type: Some("image/png".to_owned()) };
    let cases: [(Body, &[u8], Option<&str>); 6] = [
        (Body::Empty, b"", None),
        (Body::Json(json!({"a": "  笔\n"})), "{\"a\":\"  笔\\n\"}".as_bytes(), Some("application/json")),
        (Body::Text("  white space \n".to_owned()), b"  white space \n", Some("text/plain; charset=utf-8")),
        (
            Body::Base64 { data: "AAECA/8=".to_owned(), content_type: None },
            &[0, 1, 2, 3, 255],
            Some("application/octet-stream"),
        ),
        (own(&[137, 80, 0, 255]), &[137, 80, 0, 255], Some("image/png")),
        (Body::Form(form), b"a=1+%26+2&b=%E7%AC%94", Some("application/x-www-form-urlencoded")),
    ];
    for (body, expected, content_type) in cases {
        let request = Request { body, ..Request::new(Method::POST, "/api/network/nothing") };
        let answer = connection.send(request, &never()).await.unwrap();
        assert_eq!((answer.status.as_u16(), answer.text()), (404, Some("404 page not found")));
        let seen = kernel.seen().pop().unwrap();
        assert_eq!(seen.body, expected);
        assert_eq!(seen.header("content-type"), content_type.map(str::as_bytes));
        assert_eq!(seen.header("content-length"), Some(expected.len().to_string().as_bytes()));
    }
}

#[tokio::test]
async fn an_upload_arrives_byte_for_byte_and_comes_back_the_same() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let picture: Vec<u8> = (0..=255).cycle().take(200_000).collect();
    let parts = vec![Part::field("id", DOCUMENT), Part::file("file[]", "图 1.PNG", picture.clone())];
    let upload = Request { body: Body::Multipart(parts), ..Request::new(Method::POST, "/api/asset/upload") };
    let stored = connection.send(upload, &never()).await.unwrap().envelope().unwrap().due().unwrap();
    let link = stored["succMap"]["图 1.PNG"].as_str().unwrap();
    let answer = connection.send(Request::get(format!("/{link}")), &never()).await.unwrap();
    assert_eq!(answer.body, picture);
    assert_eq!(answer.media_type().as_deref(), Some("image/png"));
    assert_eq!(answer.text(), None);
    assert!(answer.base64().starts_with("AAECAwQF"));
}

#[tokio::test]
async fn status_headers_and_envelope_of_an_answer_are_kept() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    // An error of the file API: an envelope with a status that says success.
    let request = Request::post("/api/file/getFile", json!({"path": "/data/missing"}));
    let answer = connection.send(request, &never()).await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.envelope().unwrap().code), (202, 404));
    assert_eq!(answer.headers["access-control-allow-origin"], "*");
    // No envelope at all: the status says it.
    let missing = connection.send(Request::get("/api/no/such"), &never()).await.unwrap();
    assert_eq!(missing.envelope(), Err(TransportError::Status { status: 404 }));
    // Keys beyond the three.
    kernel.change(|setup| setup.generation = Generation::V3_8_6);
    let rows = Request::post("/api/query/sql", json!({"stmt": "SELECT 1 AS one", "mode": "readonly"}));
    let envelope = connection.send(rows, &never()).await.unwrap().envelope().unwrap();
    assert_eq!((&envelope.data, &envelope.more["truncated"]), (&json!([{"one": 1}]), &json!(false)));
}

#[tokio::test]
async fn the_kernels_silent_success_is_none_where_data_is_due() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let append = Request::post("/api/block/appendBlock", json!({"data": "x", "dataType": "markdown"}));
    let envelope = connection.send(append, &never()).await.unwrap().envelope().unwrap();
    assert_eq!((envelope.code, &envelope.data), (0, &Value::Null));
    let error = envelope.due().unwrap_err();
    assert_eq!(error, TransportError::Envelope(EnvelopeFault::NoData));
    assert!(error.uncertain(), "the kernel did not say what it did");
    kernel.fault("/api/block/appendBlock", Fault::answer_with(200, ""));
    let empty = connection.send(Request::post("/api/block/appendBlock", json!({})), &never()).await.unwrap();
    assert_eq!(empty.envelope(), Err(TransportError::Envelope(EnvelopeFault::Empty)));
}

#[tokio::test]
async fn a_kernels_refusal_keeps_its_code_and_words_and_is_certain() {
    let kernel = Kernel::start().await;
    let request = Request::post("/api/filetree/getHPathByID", json!({"id": "20990101000000-nothere"}));
    let error =
        connect(&kernel).send(request, &never()).await.unwrap().envelope().unwrap().due().unwrap_err();
    assert_eq!(error, TransportError::Kernel { code: -1, msg: "tree not found".to_owned() });
    assert!(error.sent() && !error.uncertain());
}
