//! An instance whose port is taken: reached by our own command line, and opened later.

use std::net::TcpListener;

use super::*;
use crate::cli::reach::http_client;
use crate::cli::status::snapshot_of;
use crate::core::Command;

async fn begin(home: &Home) -> Instance {
    match Instance::start(StartOptions::new(home.clone()), Port::Saved).await.unwrap() {
        Begun::Instance(instance) => instance.with_control().await,
        Begun::Other(_) => panic!("another one runs"),
    }
}

async fn find(home: &Home) -> Running {
    Running::find(home).await.unwrap().expect("it is found")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_without_its_port_is_reached_and_opens_it_when_it_is_free() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path()).unwrap();
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let settings = serde_json::json!({"gateway": {"port": port}});
    std::fs::write(home.settings_file(), settings.to_string()).unwrap();
    let mut instance = begin(&home).await;
    assert!(instance.gateway().is_none());

    let running = find(&home).await;
    let why = running.endpoint().await.unwrap_err();
    assert!(why.contains(&port.to_string()), "{why}");
    let status = running.request(&Command::Status).await.and_then(snapshot_of).unwrap();
    assert!(matches!(status.gateway, GatewayState::Failed { error, .. } if error.code == "port_taken"));
    // Nothing but the control API is there, and what asks for the endpoint is told so.
    let tools = format!("http://{}/tools", running.control.address);
    assert_eq!(http_client().unwrap().get(tools).send().await.unwrap().status(), 503);

    let closed = CancellationToken::new();
    let handle = instance.handle().clone();
    let asking = async {
        let refused = running.request(&Command::OpenEndpoint).await.unwrap_err();
        assert!(refused.to_string().contains(&port.to_string()), "{refused}");
        assert!(find(&home).await.endpoint().await.is_err(), "still reached");
        drop(taken);
        running.request(&Command::OpenEndpoint).await.unwrap();
        assert!(matches!(handle.snapshot().gateway, GatewayState::Listening { .. }));
        closed.cancel();
    };
    tokio::join!(instance.keep_endpoint(&closed), asking);
    let now = find(&home).await;
    assert_eq!(now.control.address.port(), port);
    assert_eq!(now.endpoint().await.unwrap(), format!("http://127.0.0.1:{port}/mcp"));
    instance.close(&mut Signals::install().unwrap()).await.unwrap();
    assert!(!home.control_file().exists());
}
