//! The body of a request in each form that it may have, and how it is put on the wire.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use serde_json::Value;

use super::error::RequestError;

/// What a request carries.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Body {
    #[default]
    Empty,
    Json(Value),
    Text(String),
    /// Bytes as standard Base64, with padding; sent decoded.
    Base64 {
        data: String,
        content_type: Option<String>,
    },
    Bytes {
        data: Vec<u8>,
        content_type: Option<String>,
    },
    /// `application/x-www-form-urlencoded`.
    Form(Vec<(String, String)>),
    /// `multipart/form-data`, the form of uploads.
    Multipart(Vec<Part>),
}

/// One part of a multipart form: a field, or a file if it has a file name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    pub file_name: Option<String>,
    pub content_type: Option<String>,
    pub data: Vec<u8>,
}

impl Part {
    pub fn field(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), file_name: None, content_type: None, data: value.into().into_bytes() }
    }

    pub fn file(name: impl Into<String>, file_name: impl Into<String>, data: impl Into<Vec<u8>>) -> Self {
        let content_type = Some(OCTETS.to_owned());
        Self { name: name.into(), file_name: Some(file_name.into()), content_type, data: data.into() }
    }
}

const OCTETS: &str = "application/octet-stream";

impl Body {
    /// The bytes, and what the `Content-Type` header says of them.
    pub(super) fn encode(self) -> Result<(Vec<u8>, Option<HeaderValue>), RequestError> {
        let (data, content_type) = match self {
            Self::Empty => return Ok((Vec::new(), None)),
            Self::Json(value) => (value.to_string().into_bytes(), "application/json".to_owned()),
            Self::Text(text) => (text.into_bytes(), "text/plain; charset=utf-8".to_owned()),
            Self::Base64 { data, content_type } => {
                let data = STANDARD.decode(data).map_err(|_| RequestError::Base64)?;
                (data, content_type.unwrap_or_else(|| OCTETS.to_owned()))
            }
            Self::Bytes { data, content_type } => (data, content_type.unwrap_or_else(|| OCTETS.to_owned())),
            Self::Form(pairs) => {
                let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
                (form.into_bytes(), "application/x-www-form-urlencoded".to_owned())
            }
            Self::Multipart(parts) => multipart(&parts)?,
        };
        let content_type = HeaderValue::from_str(&content_type).map_err(|_| RequestError::Form)?;
        Ok((data, Some(content_type)))
    }
}

/// Writes a form whose boundary stands in none of its parts.
fn multipart(parts: &[Part]) -> Result<(Vec<u8>, String), RequestError> {
    let boundary = (0_u64..)
        .map(|number| format!("notegate-{number:016x}"))
        .find(|boundary| {
            parts.iter().all(|part| memchr::memmem::find(&part.data, boundary.as_bytes()).is_none())
        })
        .ok_or(RequestError::Form)?;
    let mut form = Vec::with_capacity(parts.iter().map(|part| part.data.len() + 256).sum());
    for part in parts {
        form.extend_from_slice(format!("--{boundary}\r\nContent-Disposition: form-data; name=\"").as_bytes());
        form.extend_from_slice(quoted(&part.name).as_bytes());
        if let Some(file_name) = &part.file_name {
            form.extend_from_slice(format!("\"; filename=\"{}", quoted(file_name)).as_bytes());
        }
        form.extend_from_slice(b"\"\r\n");
        if let Some(content_type) = &part.content_type {
            if HeaderValue::from_str(content_type).is_err() {
                return Err(RequestError::Form);
            }
            form.extend_from_slice(format!("Content-Type: {content_type}\r\n").as_bytes());
        }
        form.extend_from_slice(b"\r\n");
        form.extend_from_slice(&part.data);
        form.extend_from_slice(b"\r\n");
    }
    form.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok((form, format!("multipart/form-data; boundary={boundary}")))
}

/// A name between quotes, as browsers write it: a quote or a line end in it would end the header.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(body: Body, expected: &str, content_type: &str) {
        let (data, found) = body.encode().unwrap();
        assert_eq!(
            (String::from_utf8(data).unwrap().as_str(), found.unwrap().to_str().unwrap()),
            (expected, content_type)
        );
    }

    #[test]
    fn each_form_is_written_with_its_type() {
        check(Body::Json(json!({"id": "笔"})), "{\"id\":\"笔\"}", "application/json");
        check(Body::Text("  a\n".to_owned()), "  a\n", "text/plain; charset=utf-8");
        check(Body::Base64 { data: "YSBi".to_owned(), content_type: None }, "a b", OCTETS);
        let svg = Some("image/svg+xml".to_owned());
        check(Body::Bytes { data: b"<svg/>".to_vec(), content_type: svg }, "<svg/>", "image/svg+xml");
        let form = vec![("a".to_owned(), "1 2".to_owned()), ("b".to_owned(), "&=笔".to_owned())];
        check(Body::Form(form), "a=1+2&b=%26%3D%E7%AC%94", "application/x-www-form-urlencoded");
        assert_eq!(Body::Empty.encode().unwrap(), (Vec::new(), None));
    }

    #[test]
    fn a_name_cannot_break_out_of_a_form_nor_a_part_out_of_its_boundary() {
        let parts = vec![
            Part::field("id", "--notegate-0000000000000000--"),
            Part::file("file[]", "a\"b\r\nX: 1.png", b"\x89PNG".to_vec()),
        ];
        let (data, content_type) = Body::Multipart(parts).encode().unwrap();
        let expected = b"--notegate-0000000000000001\r\n\
            Content-Disposition: form-data; name=\"id\"\r\n\r\n--notegate-0000000000000000--\r\n\
            --notegate-0000000000000001\r\n\
            Content-Disposition: form-data; name=\"file[]\"; filename=\"a%22b%0D%0AX: 1.png\"\r\n\
            Content-Type: application/octet-stream\r\n\r\n\x89PNG\r\n\
            --notegate-0000000000000001--\r\n";
        assert_eq!(data, expected);
        assert_eq!(content_type.unwrap(), "multipart/form-data; boundary=notegate-0000000000000001");
    }

    #[test]
    fn what_cannot_be_written_is_said_before_anything_is_sent() {
        let bad = Body::Base64 { data: "not base64".to_owned(), content_type: None };
        assert_eq!(bad.encode(), Err(RequestError::Base64));
        let bad = Body::Bytes { data: Vec::new(), content_type: Some("a\r\nX: 1".to_owned()) };
        assert_eq!(bad.encode(), Err(RequestError::Form));
        let part = Part { content_type: Some("a\r\nX: 1".to_owned()), ..Part::field("a", "b") };
        assert_eq!(Body::Multipart(vec![part]).encode(), Err(RequestError::Form));
    }
}
