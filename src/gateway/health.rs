//! Whether the gateway is there, and whether tool lists may have changed. Needs no key and tells
//! nothing about runtimes or notes.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::Serves;
use super::server::Shared;

/// The answer of `GET /health`.
#[derive(Debug, Serialize)]
pub(super) struct Health {
    /// `ok`; `control-only` while the endpoint's port cannot be had.
    status: &'static str,
    version: &'static str,
    /// Changes when what a runtime is offered may have changed, and with every start.
    revision: u64,
}

pub(super) async fn health(State(shared): State<Shared>) -> Json<Health> {
    let revision = shared.offers.refresh(shared.handle.access());
    let status = match shared.serves {
        Serves::Endpoint => "ok",
        Serves::Control => "control-only",
    };
    Json(Health { status, version: env!("CARGO_PKG_VERSION"), revision })
}
