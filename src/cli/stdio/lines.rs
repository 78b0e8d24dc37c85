//! Lines from a client, of bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// The longest line in bytes; more than the gateway takes as a body.
const LONGEST: usize = 16 * 1024 * 1024;

/// What stood between two line ends.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Never empty.
    Text(Vec<u8>),
    /// It was read to its end and thrown away.
    TooLong,
}

/// Reads lines. [`Lines::next`] can be dropped and called anew without losing anything.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    text: Vec<u8>,
    too_long: bool,
    longest: usize,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub fn new(input: R) -> Self {
        Self { input, text: Vec::new(), too_long: false, longest: LONGEST }
    }

    /// The next line that is not blank; `None` at the end. A last line needs no line end.
    pub async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let bytes = self.input.fill_buf().await?;
            let (part, taken, ended) = match bytes.iter().position(|&byte| byte == b'\n') {
                Some(end) => (&bytes[..end], end + 1, true),
                None => (bytes, bytes.len(), bytes.is_empty()),
            };
            let at_end = bytes.is_empty();
            if self.text.len() + part.len() > self.longest {
                self.too_long = true;
                self.text = Vec::new();
            }
            if !self.too_long {
                self.text.extend_from_slice(part);
            }
            self.input.consume(taken);
            if ended {
                let text = std::mem::take(&mut self.text);
                if std::mem::take(&mut self.too_long) {
                    return Ok(Some(Line::TooLong));
                }
                if !text.trim_ascii().is_empty() {
                    return Ok(Some(Line::Text(text)));
                }
                if at_end {
                    return Ok(None);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(input: &str, expected: &[Option<&str>]) {
        for capacity in [1, 3, 64] {
            let reader = tokio::io::BufReader::with_capacity(capacity, input.as_bytes());
            let mut lines = Lines { longest: 8, ..Lines::new(reader) };
            let mut read = Vec::new();
            while let Some(line) = lines.next().await.unwrap() {
                read.push(match line {
                    Line::Text(text) => Some(String::from_utf8(text).unwrap()),
                    Line::TooLong => None,
                });
            }
            let read: Vec<_> = read.iter().map(Option::as_deref).collect();
            assert_eq!(read, expected, "{input:?}, {capacity} at a time");
        }
    }

    #[tokio::test]
    async fn lines_are_split_bounded_and_never_blank() {
        check("", &[]).await;
        check("a\nb", &[Some("a"), Some("b")]).await;
        check("\n  \r\na\n\n", &[Some("a")]).await;
        check("12345678\n123456789\nx\n", &[Some("12345678"), None, Some("x")]).await;
        check("1234567890", &[None]).await;
    }
}
