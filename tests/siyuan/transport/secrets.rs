//! Where the token goes, and where it does not.

use notegate::siyuan::transport::{Request, TransportError};
use serde_json::json;

use super::{connect, hasty, never};
use crate::kernel::faults::Fault;
use crate::kernel::{Kernel, TOKEN, leaks};

/// Neither the message nor the debug form holds the token, whatever the kernel put into its answer.
fn silent(error: &TransportError) {
    let said = format!("{error} {error:?} {error:#?}");
    for (name, form) in leaks::encodings(TOKEN) {
        assert!(!said.contains(&form), "{name}: {said}");
    }
}

#[tokio::test]
async fn no_error_repeats_what_the_kernel_echoed() {
    let kernel = Kernel::start().await;
    let (connection, cancel) = (connect(&kernel), never());
    let echo = leaks::envelope(TOKEN).to_string();
    let location = format!("/a?token={}", leaks::encodings(TOKEN)[4].1);
    let faults = [
        Fault::answer_with(401, echo.clone()),
        Fault::answer_with(403, echo.clone()),
        Fault::answer_with(429, echo.clone()),
        Fault::answer_with(500, echo.clone()),
        Fault::answer_with(200, format!("<{echo}")),
        Fault::Redirect { status: 302, to: location },
    ];
    for fault in faults {
        for path in ["/ws", "/es", "/mcp", "/api/plugin/rpc/a", "/api/a/b"] {
            kernel.fault(path, fault.clone());
        }
        silent(&connection.socket("/ws", &[], &cancel).await.unwrap_err());
        silent(&connection.events(Request::get("/es"), &cancel).await.unwrap_err());
        silent(&connection.mcp(&cancel).await.unwrap_err());
        silent(&connection.rpc("a", super::rpc::call("b"), &cancel).await.unwrap_err());
        match connection.send(Request::post("/api/a/b", json!({})), &cancel).await {
            Err(error) => silent(&error),
            Ok(answer) => silent(&answer.envelope().unwrap_err()),
        }
    }
    kernel.fault("/api/a/b", Fault::Hold);
    silent(&hasty(&kernel.address()).send(Request::get("/api/a/b"), &cancel).await.unwrap_err());
}

#[tokio::test]
async fn what_a_kernel_says_itself_is_handed_on_for_the_filter_to_see() {
    let kernel = Kernel::start().await;
    kernel.fault("/api/a/b", Fault::Leak);
    let answer = connect(&kernel).send(Request::get("/api/a/b"), &never()).await.unwrap();
    assert_eq!(answer.headers["x-echo"], format!("Token {TOKEN}"));
    let data = answer.envelope().unwrap().due().unwrap();
    for (name, form) in leaks::encodings(TOKEN) {
        assert_eq!(data[&name], form);
    }
    let echo = connect(&kernel).send(Request::get("/api/network/echo"), &never()).await.unwrap();
    let header = &echo.envelope().unwrap().due().unwrap()["Request"]["Header"]["authorization"][0];
    assert_eq!(*header, format!("Token {TOKEN}"));
}
