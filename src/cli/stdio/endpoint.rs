//! The way from the bridge to the endpoint: where it is now, and one request at a time over HTTP.

use std::net::IpAddr;
use std::path::PathBuf;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{StatusCode, Url};

use super::message::Request;
use super::sse::Decoder;
use crate::cli::failure::Failure;
use crate::cli::reach;
use crate::core::Home;
use crate::settings::HOME_VARIABLE;

/// The longest part of a refusal's text that is passed on, in characters.
const SHOWN_REFUSAL: usize = 500;

/// Knows where the endpoint is, and holds the key.
#[derive(Debug)]
pub struct Endpoint {
    client: reqwest::Client,
    authorization: HeaderValue,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// Wherever the running instance of this home is.
    Home(Home),
    Given(Address),
}

#[derive(Debug, Clone)]
struct Address {
    mcp: String,
    origin: String,
}

/// What a client's picture of the tools rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    Down(Absence),
    Up { origin: String, health: reach::Health },
}

/// Why nothing can be asked. A client that goes on asking is served once that has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Absence {
    #[error(
        "Notegate is not running on {0:?}. Start it (`notegate`, or `notegate serve` without a window), or set \
         {HOME_VARIABLE} to the folder that it has; this connection then works by itself"
    )]
    NotRunning(PathBuf),
    #[error(
        "Notegate is running, but its endpoint is not open. Its window and `notegate status` say why; this connection \
         works by itself once it is"
    )]
    NotOpen,
    #[error(
        "Notegate is not running at {0}. Start it there, or correct --url; without --url the running Notegate is found \
         by itself"
    )]
    NoAnswer(String),
}

/// Why a request got no answer of the protocol.
#[derive(Debug)]
pub enum NoAnswer {
    /// Nothing was sent.
    NotRunning,
    /// All places are taken; nothing was done. The text says so.
    Busy(String),
    /// The endpoint refused; the text says why.
    Refused { status: StatusCode, text: String },
    /// The connection broke. What was asked may have been done.
    Lost(String),
}

impl Endpoint {
    /// # Errors
    /// The address or the key cannot be used.
    pub fn new(url: Option<&str>, key: &str) -> Result<Self, Failure> {
        let place = match url {
            Some(url) => Place::Given(Address::from_url(url)?),
            None => Place::Home(Home::from_environment()?),
        };
        let mut authorization = HeaderValue::from_str(&format!("Bearer {key}"))
            .map_err(|_| Failure::new("no_key", "the runtime key holds characters that no key has"))?;
        authorization.set_sensitive(true);
        Ok(Self { client: reach::http_client()?, authorization, place })
    }

    /// Where the key may go, and what is there if that was asked already.
    async fn address(&self) -> Option<(Address, Option<reach::Health>)> {
        match &self.place {
            Place::Given(address) => Some((address.clone(), None)),
            // Read and proven anew each time: an instance that was restarted may listen elsewhere, and
            // where it was another program may listen now.
            Place::Home(home) => {
                let control = reach::control_file(home).await.unwrap_or_else(|failure| {
                    tracing::warn!(%failure, "the runtime key is kept back");
                    None
                })?;
                let health = reach::prove(&self.client, &control).await?;
                let origin = format!("http://{}", control.address);
                Some((Address { mcp: format!("{origin}/mcp"), origin }, Some(health)))
            }
        }
    }

    /// Whether Notegate is there, and what it says of its tools.
    pub async fn state(&self) -> State {
        let absent = || match &self.place {
            Place::Home(home) => Absence::NotRunning(home.root().to_owned()),
            Place::Given(address) => Absence::NoAnswer(address.mcp.clone()),
        };
        let Some((Address { origin, .. }, health)) = self.address().await else {
            return State::Down(absent());
        };
        let health = match health {
            Some(health) => Some(health),
            None => reach::health(&self.client, &origin).await,
        };
        match health {
            Some(health) if health.is_open() => State::Up { origin, health },
            Some(_) => State::Down(Absence::NotOpen),
            None => State::Down(absent()),
        }
    }

    /// What keeps this bridge from being served now, in words.
    pub async fn complaint(&self, state: &State) -> Option<String> {
        let origin = match state {
            State::Down(absence) => return Some(absence.to_string()),
            State::Up { origin, .. } => origin,
        };
        let asked =
            self.client.get(format!("{origin}/tools")).header(AUTHORIZATION, self.authorization.clone());
        let answer = asked.timeout(reach::ANSWER_TIME).send().await.ok()?;
        if answer.status() != StatusCode::UNAUTHORIZED {
            return None; // whatever else it is, the first request tells
        }
        let text = answer.text().await.unwrap_or_default();
        Some(format!("Notegate refused the runtime key: {}", shown(&text)))
    }

    /// Sends a request, once. `negotiated` is the version of the handshake, if there was one.
    pub async fn post(&self, request: &Request, negotiated: Option<&str>) -> Result<Answer, NoAnswer> {
        let Some((address, _)) = self.address().await else { return Err(NoAnswer::NotRunning) };
        let sent = self
            .client
            .post(address.mcp)
            .headers(self.headers(request, negotiated))
            .body(request.line.clone())
            .send()
            .await;
        let response = sent.map_err(|error| {
            if error.is_connect() { NoAnswer::NotRunning } else { NoAnswer::Lost(reach::root_cause(&error)) }
        })?;
        let status = response.status();
        let may_come_back = response.headers().contains_key(RETRY_AFTER);
        let content = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let content = content.unwrap_or_default().to_ascii_lowercase();
        if status.is_success() && content.starts_with("text/event-stream") {
            return Ok(Answer::Stream { response, decoder: Decoder::default(), events: Vec::new() });
        }
        let body = response.bytes().await.map_err(|error| NoAnswer::Lost(reach::root_cause(&error)))?;
        let text = String::from_utf8_lossy(&body).into_owned();
        // An error of the protocol comes with a status of its own, and is an answer all the same.
        if content.starts_with("application/json") && text.contains("\"jsonrpc\"") {
            return Ok(Answer::Whole(Some(text)));
        }
        match status {
            StatusCode::SERVICE_UNAVAILABLE if may_come_back => Err(NoAnswer::Busy(shown(&text))),
            StatusCode::SERVICE_UNAVAILABLE => Err(NoAnswer::NotRunning),
            _ => Err(NoAnswer::Refused { status, text: shown(&text) }),
        }
    }

    fn headers(&self, request: &Request, negotiated: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::from_iter([
            (AUTHORIZATION, self.authorization.clone()),
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (ACCEPT, HeaderValue::from_static("application/json, text/event-stream")),
        ]);
        let mut set = |name: &'static str, value: &str| {
            headers.insert(HeaderName::from_static(name), header_value(value));
        };
        match (&request.version, negotiated) {
            (Some(version), _) => {
                set("mcp-protocol-version", version);
                set("mcp-method", &request.method);
                if let Some(name) = &request.name {
                    set("mcp-name", name);
                }
            }
            (None, Some(version)) => set("mcp-protocol-version", version),
            (None, None) => {}
        }
        headers
    }
}

fn shown(refusal: &str) -> String {
    refusal.trim().chars().take(SHOWN_REFUSAL).collect()
}

/// A text as a header's value; what a header cannot carry goes as Base64, in the form that the
/// protocol gives for it.
fn header_value(text: &str) -> HeaderValue {
    use base64::Engine as _;
    let plain = !text.is_empty()
        && text.trim() == text
        && text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
        && !text.starts_with("=?base64?");
    if plain && let Ok(value) = HeaderValue::from_str(text) {
        return value;
    }
    let encoded = base64::engine::general_purpose::STANDARD.encode(text);
    // Base64 is ASCII without control characters, so this cannot fail; an empty value is refused upstream.
    HeaderValue::from_str(&format!("=?base64?{encoded}?=")).unwrap_or(HeaderValue::from_static(""))
}

impl Address {
    fn from_url(typed: &str) -> Result<Self, Failure> {
        let url = Url::parse(typed)
            .map_err(|error| Failure::usage(format!("{typed:?} is not an address: {error}")))?;
        if url.scheme() != "http" || url.host().is_none() {
            return Err(Failure::usage(format!(
                "{typed:?} is not an address of Notegate, which looks like http://127.0.0.1:27277/mcp"
            )));
        }
        if !is_this_computer(&url) {
            return Err(Failure::usage(format!(
                "{typed:?} is another computer, and the runtime key would go there in clear text"
            ))
            .hint("Notegate listens on 127.0.0.1 alone; reach one on another computer through a tunnel, as ssh -L makes it"));
        }
        let origin = url.origin().ascii_serialization();
        Ok(Self { mcp: url.into(), origin })
    }
}

fn is_this_computer(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address: Option<IpAddr> = host.trim_start_matches('[').trim_end_matches(']').parse().ok();
    address.map_or(host == "localhost", |address| address.is_loopback())
}

/// The messages that answer one request: some on the way, the result last.
#[derive(Debug)]
pub enum Answer {
    Whole(Option<String>),
    Stream { response: reqwest::Response, decoder: Decoder, events: Vec<String> },
}

impl Answer {
    /// The next message; `None` at the end of the stream.
    pub async fn next(&mut self) -> Result<Option<String>, NoAnswer> {
        match self {
            Self::Whole(text) => Ok(text.take()),
            Self::Stream { response, decoder, events } => {
                while events.is_empty() {
                    match response.chunk().await {
                        Ok(Some(piece)) => *events = decoder.push(&piece),
                        Ok(None) => return Ok(None),
                        Err(error) => return Err(NoAnswer::Lost(reach::root_cause(&error))),
                    }
                }
                Ok(Some(events.remove(0)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_travel_in_headers_whatever_they_are() {
        for (name, expected) in [
            ("obsidian_read_note", "obsidian_read_note"),
            ("笔记", "=?base64?56yU6K6w?="),
            (" padded", "=?base64?IHBhZGRlZA==?="),
            ("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="),
        ] {
            assert_eq!(header_value(name), expected, "{name}");
        }
    }

    #[test]
    fn an_address_that_is_none_is_refused_before_the_key_is_sent() {
        for typed in [
            "127.0.0.1:27277",
            "https://127.0.0.1/mcp",
            "file:///etc/passwd",
            "",
            "http://192.168.1.7:27277/mcp",
            "http://notes.example/mcp",
            "http://localhost.example/mcp",
            "http://127.0.0.1@notes.example/mcp",
            "http://[fe80::1]/mcp",
        ] {
            assert!(Address::from_url(typed).is_err(), "{typed}");
        }
        for typed in ["http://LOCALHOST:1/mcp", "http://[::1]:1/mcp", "http://127.9.9.9/mcp"] {
            assert!(Address::from_url(typed).is_ok(), "{typed}");
        }
        let address = Address::from_url("http://127.0.0.1:27277/mcp").unwrap();
        assert_eq!(
            (address.mcp.as_str(), address.origin.as_str()),
            ("http://127.0.0.1:27277/mcp", "http://127.0.0.1:27277")
        );
    }
}
