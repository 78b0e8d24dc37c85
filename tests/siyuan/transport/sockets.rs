//! WebSockets.

use std::time::Duration;

use notegate::siyuan::transport::{
    AuthRefusal, Bounds, Command, Ended, Message, Options, TransportError, WebSocket,
};
use serde_json::{Map, json};

use super::{DEADLINE, MOMENT, connect, never, patient, soon, to};
use crate::kernel::faults::Fault;
use crate::kernel::raw::{Raw, Script};
use crate::kernel::{Kernel, Setup};

/// What registers a client for events.
pub fn query() -> Vec<(String, String)> {
    [("app", "notegate"), ("id", "a session & more"), ("type", "main")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
}

async fn open(kernel: &Kernel) -> WebSocket {
    connect(kernel).socket("/ws", &query(), &never()).await.unwrap()
}

fn command(cmd: &str) -> Command {
    Command { cmd: cmd.to_owned(), param: Map::new(), callback: None }
}

/// A command that the kernel answers, so that what came before it has certainly been handled.
pub async fn settle(socket: &mut WebSocket) {
    socket.command(command("no-such")).await.unwrap();
    let answer = soon("an answer", socket.next()).await.unwrap().event().unwrap();
    assert_eq!((answer.code, answer.msg.as_str()), (-1, "can not find command [no-such]"));
}

#[tokio::test]
async fn events_of_the_kernel_arrive_and_commands_carry_their_number() {
    let kernel = Kernel::start().await;
    let mut socket = open(&kernel).await;
    settle(&mut socket).await;
    kernel.push(&json!({"cmd": "savedoc", "reqId": 0, "callback": "", "code": 0, "msg": "", "data": {"rootID": "笔"}}));
    let event = soon("an event", socket.next()).await.unwrap().event().unwrap();
    assert_eq!((event.cmd.as_str(), &event.data), ("savedoc", &json!({"rootID": "笔"})));

    let param = Map::from_iter([("a".to_owned(), json!(1))]);
    let callback = Some("later".to_owned());
    assert_eq!(socket.command(Command { cmd: "ping".to_owned(), param, callback }).await, Ok(2));
    settle(&mut socket).await;
    let received = kernel.socket_texts();
    let expected = json!({"cmd": "ping", "reqId": 2, "param": {"a": 1}, "callback": "later"});
    assert_eq!(serde_json::from_str::<serde_json::Value>(&received[1]).unwrap(), expected);
    let [seen] = &kernel.seen()[..] else { panic!("one upgrade") };
    assert_eq!(seen.query, "app=notegate&id=a+session+%26+more&type=main");
    assert!(seen.header("authorization").is_some() && seen.header("origin").is_none());
}

#[tokio::test]
async fn receiving_stops_at_each_of_its_bounds_and_loses_nothing() {
    let kernel = Kernel::start().await;
    let mut socket = open(&kernel).await;
    settle(&mut socket).await;
    let events: Vec<_> = (0..6).map(|number| json!({"cmd": "savedoc", "data": number})).collect();
    let size = events[0].to_string().len();
    events.iter().for_each(|event| kernel.push(event));
    let bounds = Bounds { messages: 2, bytes: usize::MAX, time: DEADLINE };
    let numbers = |messages: &[Message]| -> Vec<i64> {
        messages.iter().map(|message| message.event().unwrap().data.as_i64().unwrap()).collect()
    };
    let first = socket.receive(bounds).await;
    assert_eq!((numbers(&first.messages), first.ended), (vec![0, 1], Ended::Messages));
    let second = socket.receive(Bounds { messages: 9, bytes: 3 * size - 1, ..bounds }).await;
    assert_eq!((numbers(&second.messages), second.ended), (vec![2, 3], Ended::Bytes));
    let third = socket.receive(Bounds { messages: 9, time: MOMENT, ..bounds }).await;
    assert_eq!((numbers(&third.messages), third.ended), (vec![4, 5], Ended::Time));
    let none = socket.receive(Bounds { messages: 0, ..bounds }).await;
    assert_eq!((none.messages, none.ended), (vec![], Ended::Messages));
}

#[tokio::test]
async fn a_frame_beyond_the_limit_ends_the_socket() {
    let kernel = Kernel::start().await;
    let connection = to(&kernel.address(), Options { response_limit: 1000, ..patient() });
    let mut socket = connection.socket("/ws", &query(), &never()).await.unwrap();
    settle(&mut socket).await;
    kernel.push(&json!({"cmd": "a", "data": "a".repeat(1000)}));
    let received = socket.receive(Bounds { messages: 1, bytes: usize::MAX, time: DEADLINE }).await;
    assert_eq!(received.ended, Ended::Closed(TransportError::TooLarge { limit: 1000 }));
    assert!(!socket.send(Message::Text("late".to_owned())).await.unwrap_err().sent());
    soon("the socket", kernel.all_closed()).await;
}

#[tokio::test]
async fn with_a_lock_screen_password_the_kernel_takes_no_token_on_its_socket_and_that_is_said() {
    let kernel = Kernel::with(Setup { access_code: Some("lock".to_owned()), ..Setup::default() }).await;
    let mut socket = connect(&kernel).socket("/ws", &query(), &never()).await.unwrap();
    let refused = TransportError::Unauthorized(AuthRefusal::SocketTakesNoToken);
    assert_eq!(soon("the refusal", socket.next()).await, Err(refused.clone()));
    assert_eq!(socket.send(Message::Text("late".to_owned())).await, Err(refused));
}

#[tokio::test]
async fn a_kernel_that_does_not_switch_protocols_is_said_to() {
    let kernel = Kernel::start().await;
    let connection = connect(&kernel);
    let error = connection.socket("/ws/none", &[], &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Status { status: 404 });
    kernel
        .fault("/ws", Fault::answer_with(401, r#"{"code":-1,"msg":"Auth failed [header: Authorization]"}"#));
    let error = connection.socket("/ws", &query(), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Unauthorized(AuthRefusal::WrongToken));
    kernel.fault("/ws", Fault::answer_with(200, "{}"));
    let error = connection.socket("/ws", &query(), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Status { status: 200 });
    let server = Raw::start(Script::ResetAfterHead).await;
    let error = to(&server.address(), patient()).socket("/ws", &query(), &never()).await.unwrap_err();
    assert_eq!(error, TransportError::Broken { sent: true });
}

#[tokio::test]
async fn a_socket_ends_with_its_user_its_token_and_its_kernel() {
    let kernel = Kernel::start().await;
    drop(open(&kernel).await);
    soon("the dropped socket", kernel.all_closed()).await;

    let cancel = never();
    let mut cancelled = connect(&kernel).socket("/ws", &query(), &cancel).await.unwrap();
    cancel.cancel();
    assert!(matches!(soon("the end", cancelled.next()).await, Err(TransportError::Cancelled { .. })));
    let late = cancelled.send(Message::Text("late".to_owned())).await;
    assert_eq!(late, Err(TransportError::Cancelled { sent: false }));
    soon("the cancelled socket", kernel.all_closed()).await;

    let mut left = open(&kernel).await;
    settle(&mut left).await;
    kernel.stop().await;
    let error = soon("the end", left.next()).await.unwrap_err();
    assert!(matches!(error, TransportError::Closed { .. } | TransportError::Broken { .. }), "{error:?}");
}

#[tokio::test]
async fn a_socket_that_says_nothing_is_waited_for_only_as_long_as_asked() {
    let kernel = Kernel::start().await;
    let mut socket = open(&kernel).await;
    let bounds = Bounds { messages: 1, bytes: 1, time: Duration::from_millis(1) };
    assert_eq!(socket.receive(bounds).await.ended, Ended::Time);
    // And it is still open.
    settle(&mut socket).await;
    socket.close().await;
    soon("the socket", kernel.all_closed()).await;
}
