//! The kernel's envelope: `{"code":…,"msg":…,"data":…}`.
//!
//! HTTP 200 says nothing about success, and `code` 0 alone does not either: a kernel that stumbles over
//! a field answers 0 with `data: null`. So there are two judgements: [`Envelope::accepted`] where null
//! is a fine answer, [`Envelope::due`] where data is due.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::error::TransportError;

/// An answer of the kernel's API.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Envelope {
    /// 0 where the kernel thinks that all went well.
    pub code: i64,
    /// The kernel's words, in its language, possibly with HTML.
    #[serde(default)]
    pub msg: String,
    /// Null where it is missing, as in a refusal.
    #[serde(default)]
    pub data: Value,
    /// Whatever else stands at the top, such as `limit` and `truncated` of an SQL answer.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// Why an answer is no envelope, or not the one that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeFault {
    #[error("it is empty. The kernel may have failed over a field of the request")]
    Empty,
    #[error(
        "it is not the kernel's envelope of `code`, `msg` and `data`. Something else may listen at the address"
    )]
    NotAnEnvelope,
    #[error(
        "it says success and holds no data where data is due. A field of the request may be missing or of a wrong type"
    )]
    NoData,
}

impl Envelope {
    /// Reads an envelope. Of two that follow each other the first counts: some file endpoints, when
    /// they refuse, write a second one by mistake.
    pub(super) fn read(body: &[u8]) -> Result<Self, EnvelopeFault> {
        let mut found = serde_json::Deserializer::from_slice(body).into_iter::<Self>();
        match found.next() {
            None => Err(EnvelopeFault::Empty),
            Some(Err(_)) => Err(EnvelopeFault::NotAnEnvelope),
            Some(Ok(first)) => match found.next() {
                Some(Err(_)) => Err(EnvelopeFault::NotAnEnvelope),
                None | Some(Ok(_)) => Ok(first),
            },
        }
    }

    /// The data, null included, of a call that the kernel accepted.
    ///
    /// # Errors
    /// [`TransportError::Kernel`] with the kernel's code and words.
    pub fn accepted(self) -> Result<Value, TransportError> {
        match self.code {
            0 => Ok(self.data),
            code => Err(TransportError::Kernel { code, msg: self.msg }),
        }
    }

    /// The data of a call whose answer has some.
    ///
    /// # Errors
    /// As [`Envelope::accepted`], and [`EnvelopeFault::NoData`] for a success with `data: null`.
    pub fn due(self) -> Result<Value, TransportError> {
        match self.accepted()? {
            Value::Null => Err(EnvelopeFault::NoData.into()),
            data => Ok(data),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(body: &str) -> Result<Envelope, EnvelopeFault> {
        Envelope::read(body.as_bytes())
    }

    #[test]
    fn code_0_without_data_is_no_success_where_data_is_due() {
        let silent = read(r#"{"code":0,"msg":"","data":null}"#).unwrap();
        assert_eq!(silent.clone().accepted(), Ok(Value::Null));
        assert_eq!(silent.due(), Err(TransportError::Envelope(EnvelopeFault::NoData)));
        assert_eq!(read(r#"{"code":0,"msg":"","data":""}"#).unwrap().due(), Ok(json!("")));
    }

    #[test]
    fn a_refusal_keeps_code_and_words_without_a_data_key() {
        let refused = read(r#"{"code":-1,"msg":"tree not found"}"#).unwrap();
        let expected = TransportError::Kernel { code: -1, msg: "tree not found".to_owned() };
        assert_eq!(refused.accepted(), Err(expected.clone()));
        assert!(expected.sent() && !expected.uncertain());
    }

    #[test]
    fn keys_that_are_not_ours_are_kept() {
        let read_only =
            r#"{"cmd":"","reqId":0,"pushMode":0,"code":-1,"msg":"read-only","data":{"closeTimeout":5000}}"#;
        let envelope = read(read_only).unwrap();
        assert_eq!((envelope.code, envelope.more["reqId"].clone()), (-1, json!(0)));
        assert_eq!(read(r#"{"code":0,"data":[],"truncated":true}"#).unwrap().more["truncated"], json!(true));
    }

    #[test]
    fn of_two_envelopes_the_first_counts_and_anything_else_is_none() {
        assert_eq!(read(r#"{"code":-1,"msg":"a"}{"code":0,"msg":"b"}"#).unwrap().msg, "a");
        assert_eq!(read(" \n"), Err(EnvelopeFault::Empty));
        for other in [
            "404 page not found",
            "[]",
            "{}",
            "{\"code\":\"0\"}",
            "{\"code\":0}<html>",
            "{\"code\":0",
            "null",
        ] {
            assert_eq!(read(other), Err(EnvelopeFault::NotAnEnvelope), "{other}");
        }
    }
}
