//! Answers as the kernel gives them, and reading the fields of a request as it does.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::Generation;

/// What an endpoint answers.
#[derive(Debug, Clone)]
pub enum Reply {
    Data(Value),
    /// The whole envelope, for those with keys of their own.
    Envelope(Value),
    Fail(i64, String),
    /// What a handler leaves behind that stumbled: success, and nothing in it.
    Silent,
    Bytes {
        status: u16,
        content_type: &'static str,
        bytes: Vec<u8>,
    },
}

/// Either is an answer; the second one ends a handler early.
pub type Answer = Result<Reply, Reply>;

pub fn fail<T>(message: &str) -> Result<T, Reply> {
    Err(Reply::Fail(-1, message.to_owned()))
}

pub fn not_found() -> Reply {
    Reply::Bytes { status: 404, content_type: "text/plain", bytes: b"404 page not found".to_vec() }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        match self {
            Self::Data(data) => Json(json!({"code": 0, "msg": "", "data": data})).into_response(),
            Self::Envelope(envelope) => Json(envelope).into_response(),
            Self::Fail(code, msg) => Json(json!({"code": code, "msg": msg, "data": null})).into_response(),
            Self::Silent => Json(json!({"code": 0, "msg": "", "data": null})).into_response(),
            Self::Bytes { status, content_type, bytes } => {
                let head = [(header::CONTENT_TYPE, HeaderValue::from_static(content_type))];
                (StatusCode::from_u16(status).unwrap(), head, bytes).into_response()
            }
        }
    }
}

/// The fields of a request.
pub struct Arguments {
    fields: Map<String, Value>,
    generation: Generation,
}

impl Arguments {
    /// Reads a body, whatever its `Content-Type` says.
    pub fn read(path: &str, body: &[u8], generation: Generation) -> Result<Self, Reply> {
        if body.is_empty() {
            return fail(&format!(
                "Parses request [{path}] failed: the request body is empty or truncated (EOF)"
            ));
        }
        match serde_json::from_slice(body) {
            Ok(Value::Object(fields)) => Ok(Self { fields, generation }),
            _ => fail(&format!("Parses request [{path}] failed: invalid character")),
        }
    }

    /// A field of an old handler: missing or of another type, it fails in silence before 3.8.
    pub fn cast<T>(&self, name: &str, read: impl FnOnce(&Value) -> Option<T>) -> Result<T, Reply> {
        let field = self.fields.get(name);
        field.and_then(read).ok_or_else(|| match (self.generation, field) {
            (Generation::V3_7_3, _) => Reply::Silent,
            (Generation::V3_8_6, None) => Reply::Fail(-1, format!("Field [{name}] is required")),
            (Generation::V3_8_6, Some(Value::Null)) => {
                Reply::Fail(-1, format!("Field [{name}] must not be null"))
            }
            (Generation::V3_8_6, Some(_)) => {
                Reply::Fail(-1, format!("Field [{name}] has an invalid type: string"))
            }
        })
    }

    pub fn text(&self, name: &str) -> Result<String, Reply> {
        self.cast(name, |value| value.as_str().map(str::to_owned))
    }

    pub fn texts(&self, name: &str) -> Result<Vec<String>, Reply> {
        self.cast(name, |value| {
            value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
        })
    }

    /// A field of a handler with argument binding: it is missed by name in either generation.
    pub fn bound(&self, name: &str) -> Result<String, Reply> {
        match self.fields.get(name) {
            None => fail(&format!("Field [{name}] is required")),
            Some(Value::String(text)) if text.is_empty() => {
                fail(&format!("Field [{name}] must not be empty"))
            }
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => fail(&format!("Field [{name}] should be of type [String]")),
        }
    }

    pub fn optional(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        // Numbers are floats here, cut to whole ones.
        self.fields.get(name)?.as_f64().map(|number| number as i64)
    }

    pub fn flag(&self, name: &str) -> Option<bool> {
        self.fields.get(name)?.as_bool()
    }

    pub fn field(&self, name: &str) -> Option<&Value> {
        self.fields.get(name)
    }

    /// An id that must look like one.
    pub fn id(&self, name: &str) -> Result<String, Reply> {
        let id = self.text(name)?;
        if is_id(&id) { Ok(id) } else { fail("invalid ID argument") }
    }

    /// An anchor: looked at only where it is given.
    pub fn anchor(&self, name: &str) -> Result<Option<String>, Reply> {
        match self.optional(name) {
            None | Some("") => Ok(None),
            Some(_) => self.id(name).map(Some),
        }
    }
}

/// `20261011180000-abcdefg`.
pub fn is_id(text: &str) -> bool {
    let Some((time, random)) = text.split_once('-') else { return false };
    let digits = time.len() == 14 && time.bytes().all(|byte| byte.is_ascii_digit());
    digits
        && random.len() == 7
        && random.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase())
}
