//! Server-sent events: a GET or POST whose answer is a stream of events that are handed over one by one.

use http::{HeaderValue, header};
use memchr::memchr2;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::error::TransportError;
use super::exchange::Exchange;
use super::http::{Request, media_type};

pub(super) const EVENT_STREAM: &str = "text/event-stream";

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// `message` where the kernel gives none.
    pub name: Option<String>,
    pub data: String,
    pub id: Option<String>,
}

/// An open event stream. Dropping it closes its socket.
#[derive(Debug)]
pub struct EventStream {
    events: mpsc::Receiver<Event>,
    end: oneshot::Receiver<TransportError>,
}

impl EventStream {
    /// The next event, or `None` where the kernel ended the stream.
    ///
    /// # Errors
    /// What ended the stream before its time; [`TransportError::TooLarge`] for an event beyond the
    /// connection's limit.
    pub async fn next(&mut self) -> Result<Option<Event>, TransportError> {
        match self.events.recv().await {
            Some(event) => Ok(Some(event)),
            None => self.end.try_recv().map_or(Ok(None), Err),
        }
    }
}

impl Connection {
    /// Opens an event stream. The time-out covers the head of the answer; the stream itself may last
    /// until it is dropped, `cancel` fires, or the kernel ends it.
    ///
    /// # Errors
    /// Any [`TransportError`]; [`TransportError::Unexpected`] where the answer is no event stream.
    pub async fn events(
        &self,
        request: Request,
        cancel: &CancellationToken,
    ) -> Result<EventStream, TransportError> {
        let within = request.timeout.unwrap_or(self.options().timeout);
        let mut request = self.wire(request)?;
        request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static(EVENT_STREAM));
        let connection = self.clone();
        let exchange = self
            .run(within, cancel, |sent| async move {
                let socket = connection.dial(sent.clone()).await?;
                let exchange = Exchange::open(socket, request, sent).await?;
                if !exchange.head.status.is_success() {
                    return Err(TransportError::Status { status: exchange.head.status.as_u16() });
                }
                if media_type(&exchange.head.headers).as_deref() != Some(EVENT_STREAM) {
                    return Err(TransportError::Unexpected { expected: "an event stream" });
                }
                Ok(exchange)
            })
            .await?;
        // One at a time: whoever reads slowly slows the kernel down, and nothing piles up here.
        let (into, events) = mpsc::channel(1);
        let (ended, end) = oneshot::channel();
        let (closing, cancelled) = (self.closing().clone(), cancel.clone());
        let limit = self.options().response_limit;
        self.spawn(async move {
            let outcome = tokio::select! {
                outcome = forward(exchange, &into, limit) => outcome,
                () = into.closed() => Ok(()),
                () = closing.cancelled() => Err(TransportError::Disposed { sent: true }),
                () = cancelled.cancelled() => Err(TransportError::Cancelled { sent: true }),
            };
            if let Err(error) = outcome {
                // Nobody is left to be told where this fails.
                let _ = ended.send(error);
            }
        });
        Ok(EventStream { events, end })
    }
}

async fn forward(
    mut exchange: Exchange,
    into: &mpsc::Sender<Event>,
    limit: usize,
) -> Result<(), TransportError> {
    let mut decoder = Decoder::new(limit);
    while let Some(piece) = exchange.chunk().await? {
        for event in decoder.push(&piece)? {
            if into.send(event).await.is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Puts events together from the pieces that arrive.
#[derive(Debug)]
pub(super) struct Decoder {
    line: Vec<u8>,
    /// The last piece ended in a carriage return: a line feed that follows belongs to it.
    after_return: bool,
    first_line: bool,
    name: Option<String>,
    data: Option<String>,
    id: Option<String>,
    /// Bytes kept for the event that is not complete yet.
    size: usize,
    limit: usize,
}

impl Decoder {
    pub fn new(limit: usize) -> Self {
        let (line, after_return, first_line) = (Vec::new(), false, true);
        Self { line, after_return, first_line, name: None, data: None, id: None, size: 0, limit }
    }

    /// Takes a piece of the stream, and gives back the events that it completes.
    pub fn push(&mut self, mut piece: &[u8]) -> Result<Vec<Event>, TransportError> {
        let mut events = Vec::new();
        while !piece.is_empty() {
            if std::mem::take(&mut self.after_return) && piece[0] == b'\n' {
                piece = &piece[1..];
                continue;
            }
            let end = memchr2(b'\r', b'\n', piece);
            let part = &piece[..end.unwrap_or(piece.len())];
            self.size += part.len();
            if self.size > self.limit {
                return Err(TransportError::TooLarge { limit: self.limit });
            }
            self.line.extend_from_slice(part);
            let Some(end) = end else { break };
            self.after_return = piece[end] == b'\r';
            piece = &piece[end + 1..];
            events.extend(self.end_line());
        }
        Ok(events)
    }

    /// Reads the line that is complete now; an empty one completes an event.
    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let mut text = String::from_utf8_lossy(&line);
        if std::mem::take(&mut self.first_line)
            && let Some(rest) = text.strip_prefix('\u{feff}')
        {
            text = rest.to_owned().into();
        }
        if text.is_empty() {
            self.size = 0;
            let (name, id, data) = (self.name.take(), self.id.take(), self.data.take());
            return data.map(|data| Event { name, data, id });
        }
        let (field, value) = text.split_once(':').unwrap_or((&text, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "event" => self.name = Some(value.to_owned()),
            "id" => self.id = Some(value.to_owned()),
            // A comment (no name before the colon), a retry time or something unknown: nothing is kept.
            _ => self.size -= line.len(),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stream: &str, expected: &[(Option<&str>, &str, Option<&str>)]) {
        for size in [1, 2, 5, stream.len().max(1)] {
            let mut decoder = Decoder::new(64);
            let events: Vec<Event> =
                stream.as_bytes().chunks(size).flat_map(|piece| decoder.push(piece).unwrap()).collect();
            let found: Vec<_> = events
                .iter()
                .map(|event| (event.name.as_deref(), event.data.as_str(), event.id.as_deref()))
                .collect();
            assert_eq!(found, expected, "{stream:?}, {size} at a time");
        }
    }

    #[test]
    fn events_come_out_whole_however_they_arrive() {
        check("data: {\"progress\":50}\n\n", &[(None, "{\"progress\":50}", None)]);
        check("event: a\nid: 7\nretry: 9\ndata: 1\ndata: 2\n\n", &[(Some("a"), "1\n2", Some("7"))]);
        check(": keep\r\n\r\ndata:笔记\r\n\r\ndata: 2\r\n\r\n", &[(None, "笔记", None), (None, "2", None)]);
        check("\u{feff}data: a\r\rdata\n\n", &[(None, "a", None), (None, "", None)]);
        check("event: no data\n\ndata: cut off", &[]);
    }

    #[test]
    fn an_event_is_bounded_and_comments_do_not_add_up() {
        let mut decoder = Decoder::new(16);
        for _ in 0..100 {
            assert_eq!(decoder.push(b": still there\n").unwrap(), []);
        }
        assert_eq!(decoder.push(b"data: 1234567890\n").unwrap(), []);
        assert_eq!(decoder.push(b"data"), Err(TransportError::TooLarge { limit: 16 }));
    }
}
