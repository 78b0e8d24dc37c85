//! Whether the gateway is there, and whether tool lists may have changed. Needs no key and tells
//! nothing about runtimes or notes.
//!
//! Who knows our control token can make sure that it is this instance that answers, and not another
//! program that took its port: it sends a challenge, and the answer holds a proof of the token.

use axum::Json;
use axum::extract::State;
use http::HeaderMap;
use serde::Serialize;

use super::Serves;
use super::server::Shared;
use crate::settings::KeyDigest;

/// The answer of `GET /health`.
#[derive(Debug, Serialize)]
pub(super) struct Health {
    /// `ok`; `control-only` while the endpoint's port cannot be had.
    status: &'static str,
    version: &'static str,
    /// Changes when what a runtime is offered may have changed, and with every start.
    revision: u64,
    /// The control token's answer to the challenge, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<KeyDigest>,
}

/// The header with a challenge.
pub const CHALLENGE: &str = "notegate-challenge";

pub(super) async fn health(State(shared): State<Shared>, headers: HeaderMap) -> Json<Health> {
    let revision = shared.offers.refresh(shared.handle.access());
    let status = match shared.serves {
        Serves::Endpoint => "ok",
        Serves::Control => "control-only",
    };
    let challenge = headers.get(CHALLENGE).and_then(|value| value.to_str().ok());
    let proof = challenge.map(|challenge| shared.control.proof(challenge));
    Json(Health { status, version: env!("CARGO_PKG_VERSION"), revision, proof })
}
