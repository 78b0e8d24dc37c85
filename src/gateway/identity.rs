//! Who is calling: from the `Authorization` header to a grant, and from a session's label to the
//! grant of that session.
//!
//! A key is the only authority. A session id that a client sends is a label: it never opens
//! anything, and one that belongs to another runtime is not looked at.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderName, header};

use super::errors::Refusal;
use crate::access::{Access, Grant, SessionLabel};
use crate::secrets::{self, Secret};

/// The longest label that is taken; ours have 36 characters.
const MAX_LABEL: usize = 128;

/// A request's key was one of ours.
#[derive(Debug, Clone)]
pub(super) struct Identity {
    key: Secret,
    /// The grant without a session.
    pub grant: Arc<Grant>,
}

/// Who calls a tool: the grant, and the session that the call belongs to, if there is one.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub grant: Arc<Grant>,
    pub session: Option<SessionLabel>,
}

/// Tells the log of refused keys: the first at once, and then how many there were, at most once a minute.
/// A client that goes on trying must not push everything else out of the log.
#[derive(Debug, Default)]
pub(super) struct RefusedKeys(Mutex<(Option<Instant>, u64)>);

impl RefusedKeys {
    const EVERY: Duration = Duration::from_secs(60);

    /// `path` is what was asked for. The key itself goes nowhere.
    pub(super) fn note(&self, refusal: &Refusal, path: &str) {
        if !matches!(refusal, Refusal::NoKey | Refusal::OddKey | Refusal::Denied(_)) {
            return;
        }
        // A count and a moment are whole whatever panicked while they were held.
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (told, untold) = &mut *state;
        *untold += 1;
        if told.is_none_or(|at| at.elapsed() >= Self::EVERY) {
            let path: String = path.chars().take(80).collect();
            tracing::info!(times = *untold, path, reason = %refusal, "a request was refused for its key");
            (*told, *untold) = (Some(Instant::now()), 0);
        }
    }
}

/// Reads the key and asks `access` for its grant.
pub(super) async fn identify(access: &Access, headers: &HeaderMap) -> Result<Identity, Refusal> {
    let key = bearer(headers)?;
    let grant = access.admit(key, None).await?;
    Ok(Identity { key: Secret::from_text(key), grant })
}

/// Checks the control token, which is no runtime's key and which no runtime's key replaces.
pub(super) fn check_control(control: &Secret, headers: &HeaderMap) -> Result<(), Refusal> {
    if secrets::same(&secrets::digest(bearer(headers)?), &control.digest()) {
        Ok(())
    } else {
        Err(Refusal::NotControl)
    }
}

impl Identity {
    /// What the request came with. It is in no answer.
    pub(super) fn key(&self) -> &Secret {
        &self.key
    }

    /// The caller, in the session that the request names.
    ///
    /// # Errors
    /// The session was ended, or the key died meanwhile.
    pub(super) async fn in_session(
        self,
        access: &Access,
        session: Option<SessionLabel>,
    ) -> Result<Caller, Refusal> {
        let Some(label) = session else { return Ok(self.without_session()) };
        if access.session_is_ended(&self.grant.runtime, &label) {
            return Err(Refusal::SessionEnded);
        }
        if access.session_owners(&label).iter().any(|owner| *owner != self.grant.runtime) {
            return Ok(self.without_session());
        }
        let grant = access.admit(self.key.reveal(), Some(&label)).await?;
        Ok(Caller { grant, session: Some(label) })
    }

    pub(super) fn without_session(self) -> Caller {
        Caller { grant: self.grant, session: None }
    }
}

/// The session label in header `name`. One that no client got from us is as good as none.
pub(super) fn session_label(
    headers: &HeaderMap,
    name: &'static HeaderName,
) -> Result<Option<SessionLabel>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let (first, second) = (values.next(), values.next());
    if second.is_some() {
        return Err(Refusal::Repeated(name.as_str()));
    }
    Ok(first
        .and_then(|value| value.to_str().ok())
        .filter(|label| !label.is_empty() && label.len() <= MAX_LABEL)
        .map(|label| SessionLabel(label.to_owned())))
}

fn bearer(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or(Refusal::NoKey)?;
    if values.next().is_some() {
        return Err(Refusal::OddKey);
    }
    let (scheme, key) = value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or(Refusal::OddKey)?;
    let key = key.trim();
    let plain = !key.is_empty() && key.len() <= 512 && key.bytes().all(|byte| byte.is_ascii_graphic());
    if scheme.eq_ignore_ascii_case("bearer") && plain { Ok(key) } else { Err(Refusal::OddKey) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn a_key_is_read_only_from_one_plain_bearer_header() {
        let check = |values: &[&'static str], expected: Result<&str, Refusal>| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::AUTHORIZATION, HeaderValue::from_static(value));
            }
            assert_eq!(bearer(&headers), expected, "{values:?}");
        };
        check(&["Bearer ng_x"], Ok("ng_x"));
        check(&["bearer  ng_x "], Ok("ng_x"));
        check(&[], Err(Refusal::NoKey));
        check(&["Bearer ng_x", "Bearer ng_x"], Err(Refusal::OddKey));
        for odd in ["ng_x", "Basic ng_x", "Bearer", "Bearer ", "Bearer ng x", ""] {
            check(&[odd], Err(Refusal::OddKey));
        }
    }
}
