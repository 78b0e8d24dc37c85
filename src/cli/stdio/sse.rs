//! Reads an event stream (`text/event-stream`): bytes in, the data of whole events out.

/// What has arrived and is not a whole event yet.
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    /// Up to here there is no line end.
    searched: usize,
    data: Option<String>,
}

impl Decoder {
    /// Takes a piece of the stream, and gives back the data of the events that it completes.
    pub fn push(&mut self, piece: &[u8]) -> Vec<String> {
        self.bytes.extend_from_slice(piece);
        let mut events = Vec::new();
        let mut begin = 0;
        while let Some(length) = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n') {
            let end = self.searched + length;
            let line = String::from_utf8_lossy(&self.bytes[begin..end]);
            Self::line(&mut self.data, line.strip_suffix('\r').unwrap_or(&line), &mut events);
            begin = end + 1;
            self.searched = begin;
        }
        self.bytes.drain(..begin);
        self.searched = self.bytes.len();
        events
    }

    fn line(data: &mut Option<String>, line: &str, events: &mut Vec<String>) {
        if line.is_empty() {
            events.extend(data.take().filter(|data| !data.is_empty()));
        } else if let Some(value) = line.strip_prefix("data:") {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => *data = Some(value.to_owned()),
            }
        }
        // Comments keep the connection alive; ids, names and retry times serve resuming, which is not done here.
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stream: &str, expected: &[&str]) {
        for size in [1, 2, 5, stream.len().max(1)] {
            let mut decoder = Decoder::default();
            let events: Vec<String> =
                stream.as_bytes().chunks(size).flat_map(|piece| decoder.push(piece)).collect();
            assert_eq!(events, expected, "{stream:?}, {size} at a time");
        }
    }

    #[test]
    fn events_come_out_whole_however_they_arrive() {
        check("data: {}\n\n", &["{}"]);
        check(
            "id: 0\nretry: 3000\ndata:\n\nevent: message\ndata: {\"a\":\"笔记\"}\n\n",
            &["{\"a\":\"笔记\"}"],
        );
        check(": keep\r\n\r\ndata: 1\r\n\r\ndata:2\r\n\r\n", &["1", "2"]);
        check("data: {\ndata: }\n\n", &["{\n}"]);
        check("data: cut off", &[]);
    }
}
