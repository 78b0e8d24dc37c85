//! Channel `connection`: whether the kernel can be reached, and what it is.

use serde::Deserialize;
use serde_json::json;

use crate::siyuan::tools::way::{Done, Failed, Way};
use crate::siyuan::transport::Request;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::siyuan) struct Connection {
    #[serde(rename = "action")]
    _action: Action,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Status,
}

pub(super) async fn status(way: &Way<'_>) -> Result<Done, Failed> {
    let ask = async |path| way.connection.send(Request::get(path), way.cancel).await?.envelope()?.due();
    let version = ask("/api/system/version").await?;
    let boot = ask("/api/system/bootProgress").await?;
    Ok(Done::new(json!({
        "reachable": true, "version": version, "bootProgress": boot["progress"], "isLocal": way.is_local,
    })))
}
