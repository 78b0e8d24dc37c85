//! Plugin RPC.

use notegate::siyuan::transport::{RequestError, RpcCall, RpcFault, TransportError};
use serde_json::{Value, json};

use super::{MOMENT, connect, hasty, never};
use crate::kernel::rpc_names::{PLUGIN, STOPPED};
use crate::kernel::{Kernel, Setup};

pub fn call(method: &str) -> RpcCall {
    RpcCall { method: method.to_owned(), params: None, notification: false }
}

fn with(method: &str, params: Value) -> RpcCall {
    RpcCall { params: Some(params), ..call(method) }
}

fn code(answer: Option<Result<Value, RpcFault>>) -> i64 {
    answer.unwrap().unwrap_err().code
}

#[tokio::test]
async fn a_method_is_called_with_its_params_and_refusals_are_answers() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let rpc = async |call: RpcCall| connection.rpc(PLUGIN, call, &never()).await.unwrap();
    assert_eq!(rpc(with("echo", json!({"text": "你好"}))).await, Some(Ok(json!({"text": "你好"}))));
    assert_eq!(rpc(with("echo", json!([1, null]))).await, Some(Ok(json!([1, null]))));
    assert_eq!(rpc(call("echo")).await, Some(Ok(Value::Null)));
    assert_eq!(code(rpc(call("no-such")).await), -32601);
    assert_eq!(code(rpc(call("fail")).await), -32603);
    assert_eq!(kernel.seen()[0].path, format!("/api/plugin/rpc/{PLUGIN}"));
    let expected = json!({"jsonrpc": "2.0", "method": "echo", "params": {"text": "你好"}, "id": 1});
    assert_eq!(kernel.seen()[0].json(), expected);
}

#[tokio::test]
async fn a_batch_is_one_request_and_its_answers_stand_in_the_order_of_the_calls() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let note = RpcCall { notification: true, ..call("echo") };
    let calls = [with("echo", json!([1])), note.clone(), call("no-such"), with("echo", json!([2]))];
    let answers = connection.rpc_batch(PLUGIN, &calls, &never()).await.unwrap();
    assert_eq!(
        (&answers[0], &answers[1], &answers[3]),
        (&Some(Ok(json!([1]))), &None, &Some(Ok(json!([2]))))
    );
    assert_eq!(code(answers[2].clone()), -32601);
    assert_eq!(
        connection.rpc_batch(PLUGIN, &[note.clone(), note.clone()], &never()).await.unwrap(),
        [None, None]
    );
    assert_eq!(connection.rpc(PLUGIN, note, &never()).await.unwrap(), None);
    assert_eq!(kernel.seen().len(), 3);
    let empty = connection.rpc_batch(PLUGIN, &[], &never()).await.unwrap_err();
    assert_eq!(empty, TransportError::Request(RequestError::EmptyBatch));
    assert_eq!(kernel.seen().len(), 3);
}

#[tokio::test]
async fn a_plugin_that_is_missing_or_stopped_is_told_apart_for_each_call() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    for (plugin, expected) in [("no-such-plugin", -32001), (STOPPED, -32002)] {
        assert_eq!(code(connection.rpc(plugin, call("echo"), &never()).await.unwrap()), expected);
        let batch = connection.rpc_batch(plugin, &[call("a"), call("b")], &never()).await.unwrap();
        assert_eq!(batch.into_iter().map(code).collect::<Vec<_>>(), [expected, expected]);
    }
}

#[tokio::test]
async fn a_name_or_params_that_cannot_be_are_refused_before_anything_is_sent() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    for plugin in ["", ".", "..", "a/../b", "a/b", "a\\b", "a?b", "a#b", "a\r\nb"] {
        let error = connection.rpc(plugin, call("echo"), &never()).await.unwrap_err();
        assert_eq!(error, TransportError::Request(RequestError::PluginName), "{plugin:?}");
    }
    let error = connection.rpc(PLUGIN, with("echo", json!("text")), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Request(RequestError::RpcParams));
    assert_eq!(kernel.seen().len(), 0);
    // What merely needs encoding is encoded.
    assert_eq!(code(connection.rpc("a b%2f笔", call("echo"), &never()).await.unwrap()), -32001);
    assert_eq!(kernel.seen()[0].path, "/api/plugin/rpc/a%20b%252f%E7%AC%94");
}

#[tokio::test]
async fn a_read_only_kernel_refuses_and_a_method_that_hangs_is_uncertain() {
    let kernel = Kernel::with(Setup { read_only: true, ..Setup::default() }).await;
    let error = connect(&kernel).rpc(PLUGIN, call("echo"), &never()).await.unwrap_err();
    assert!(matches!(error, TransportError::Kernel { code: -1, .. }), "{error:?}");
    kernel.change(|setup| setup.read_only = false);
    let error = hasty(&kernel.address()).rpc(PLUGIN, call("hold"), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Timeout { after: MOMENT, sent: true });
    assert_eq!(kernel.plugin_calls(), ["hold"]);
}
