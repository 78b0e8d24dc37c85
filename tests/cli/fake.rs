//! An endpoint of the test's own making, for what a real one shows only by luck of timing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

/// Listens where a bridge is told to send its requests.
pub struct Endpoint {
    listener: TcpListener,
}

/// A request that was received whole and waits for its answer.
pub struct Request {
    stream: TcpStream,
    pub headers: Vec<String>,
    pub body: serde_json::Value,
}

impl Endpoint {
    pub fn new() -> Self {
        Self { listener: TcpListener::bind(("127.0.0.1", 0)).unwrap() }
    }

    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.listener.local_addr().unwrap())
    }

    /// The next request; a look at the health is refused and passed over.
    pub fn request(&self) -> Request {
        loop {
            if let Some(request) = self.posted() {
                return request;
            }
        }
    }

    fn posted(&self) -> Option<Request> {
        let (stream, _) = self.listener.accept().unwrap();
        stream.set_read_timeout(Some(crate::home::DEADLINE)).unwrap();
        let mut reader = BufReader::new(&stream);
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            match line.trim_end() {
                "" => break,
                line => headers.push(line.to_owned()),
            }
        }
        if headers[0].starts_with("GET /health") {
            assert!(!headers.iter().any(|line| line.starts_with("authorization")), "no key for the health");
            let _ = (&stream)
                .write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            return None;
        }
        let length = headers.iter().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        let body = serde_json::from_slice(&body).unwrap();
        Some(Request { stream, headers, body })
    }
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// Begins an event stream that goes on until the request is dropped.
    pub fn begin_stream(&mut self) {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        self.write(head);
    }

    pub fn event(&mut self, data: &serde_json::Value) {
        self.write(&format!("event: message\ndata: {data}\n\n"));
    }

    pub fn answer(mut self, status: &str, content: &str, body: &str) {
        let length = body.len();
        self.write(&format!(
            "HTTP/1.1 {status}\r\ncontent-type: {content}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        ));
    }

    /// Waits until the other side has closed the connection.
    pub fn until_dropped(mut self) {
        let mut rest = [0; 16];
        assert_eq!(self.stream.read(&mut rest).unwrap_or(0), 0, "the connection is closed");
    }

    fn write(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }
}
